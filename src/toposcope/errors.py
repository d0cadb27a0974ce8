"""What can go wrong, in words that say what was given, what is accepted, and how to mend it."""


class ToposcopeError(Exception):
    """Anything toposcope raises on purpose."""


class InputError(ToposcopeError, ValueError):
    """The data given cannot be used; the message names the place."""
