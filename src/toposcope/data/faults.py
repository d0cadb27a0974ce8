"""Which words of an unacceptable sentence are to blame, told by its acceptable version."""

import re
from difflib import SequenceMatcher

Spans = tuple[tuple[int, int], ...]


def blamed_words(wrong: str, right: str) -> Spans:
    """Where in ``wrong`` those words begin and end that ``right`` has not; for a missing one, the next.

    >>> ["He have gone ."[a:b] for a, b in blamed_words("He have gone .", "He has gone .")]
    ['have']
    """
    words = list(re.finditer(r"\S+", wrong))
    matcher = SequenceMatcher(None, [word[0] for word in words], right.split(), autojunk=False)
    blamed: dict[int, None] = {}
    for what, begin, end, _, _ in matcher.get_opcodes():
        if what == "insert":
            blamed[min(begin, len(words) - 1)] = None
        elif what != "equal":
            blamed |= dict.fromkeys(range(begin, end))
    return tuple(words[k].span() for k in blamed)
