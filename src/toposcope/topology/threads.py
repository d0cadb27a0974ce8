"""How many threads a call may use, checked at the door."""

from toposcope.errors import InputError
from toposcope.kernels.threads import thread_count


def checked_threads(threads: int | None) -> int:
    """Threads to use: as asked, None for TOPOSCOPE_THREADS, 0 for all cores; never more than cores.

    >>> checked_threads(1)
    1
    """
    try:
        return thread_count(threads)
    except ValueError as error:
        raise InputError(str(error)) from None
