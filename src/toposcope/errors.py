"""What can go wrong, in words that say what was given, what is accepted, and how to mend it."""


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
