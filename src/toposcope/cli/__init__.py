"""The command ``toposcope``: one thin file per verb.

What a person reads goes to stderr, what a program reads to stdout. Exit codes: 0 all is well, 1 it
did not work out, 2 the input cannot be used or the output not be written.
"""

import io
import os
import sys
from contextlib import suppress
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from toposcope.cli import data_verbs, models, pairs, reproduce
from toposcope.cli.compare import compare
from toposcope.cli.evaluate import evaluate
from toposcope.cli.judge import judge
from toposcope.cli.output import one_line
from toposcope.cli.train import train
from toposcope.errors import InputError, OutputError, ToposcopeError, how_to_install


class Verbs(TyperGroup):
    """The verbs; what goes wrong on purpose ends in a message and a code, never in a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run a verb."""
        if isinstance(sys.stdout, io.TextIOWrapper):  # letters that it lacks are spelled out
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            found = super().invoke(ctx)
            sys.stdout.flush()  # a disk that is full is told now or never
            return found
        except ToposcopeError as error:
            _end(str(error), 2 if isinstance(error, InputError | OutputError) else 1)
        except BrokenPipeError:  # the reader has read enough
            raise
        except OSError as error:
            _end(f"{error.filename or 'stdout'}: {error.strerror}." if error.strerror else str(error), 2)
        except ModuleNotFoundError as error:
            if (fix := how_to_install(error)) is None:
                raise
            _end(f"this needs {error.name}: {fix}.", 1)


def _end(message: str, code: int) -> NoReturn:
    from rich.console import Console

    console = Console(stderr=True, soft_wrap=True, highlight=False, emoji=False)
    console.print("[bold red]error:[/]", end=" ")
    console.print("\n".join(map(one_line, message.split("\n"))), markup=False)
    try:
        sys.stdout.flush()
    except OSError:  # Python would try again when it ends, and complain once more
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


app = typer.Typer(
    name="toposcope",
    cls=Verbs,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
for verb in (judge, compare, train, evaluate):
    app.command()(verb)
app.add_typer(pairs.app, name="pairs")
app.add_typer(models.app, name="models")
app.add_typer(data_verbs.app, name="data")
app.add_typer(reproduce.app, name="reproduce")


def _show_version(wanted: bool) -> None:
    if wanted:
        from toposcope import __version__

        print(__version__)
        raise typer.Exit


@app.callback()
def toposcope(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Print the version and stop."
    ),
) -> None:
    """The topology of attention: judge sentences by the shape of a Transformer's attention maps."""
