"""What can go wrong, in words that say what was given, what is accepted, and how to mend it."""

from collections.abc import Iterator
from contextlib import contextmanager

EXTRAS = {
    "pyarrow": "tables",
    "scipy": "train",
    "sklearn": "train",
    "torch": "models",
    "transformers": "models",
    "gguf": "models",
}  # libraries that not every install has, and what brings them


class ToposcopeError(Exception):
    """Anything toposcope raises on purpose."""


class InputError(ToposcopeError, ValueError):
    """The data given cannot be used; the message names the place."""


class ModelError(ToposcopeError):
    """A model cannot do what was asked of it; the message says why."""


class SourceError(ToposcopeError):
    """Weights cannot be had or cannot be trusted; the message says what was tried and the fix."""


class OutputError(ToposcopeError, OSError):
    """A file cannot be written; the message says which and why."""


def how_to_install(error: ModuleNotFoundError) -> str | None:
    """The command that brings a library that is missing, if it comes with an extra of ours."""
    return f"pip install 'toposcope[{EXTRAS[error.name]}]'" if error.name in EXTRAS else None


@contextmanager
def told_if_missing() -> Iterator[None]:
    """Around the import of a library that not every install has: its error says how to get it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (fix := how_to_install(error)) is None:
            raise
        raise ModuleNotFoundError(f"this needs {error.name}: {fix}", name=error.name) from error
