"""Whether a text has words at all: without any there is nothing to judge."""

from __future__ import annotations

from collections.abc import Sequence

from toposcope.errors import InputError

BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0")  # Hangul fillers: letters by name, never seen
NO_WORDS = "no words, neither a letter nor a digit"
NAMED = 5  # places that a message names


def has_words(text: str) -> bool:
    """Whether a letter or a digit of any script is in a text.

    Blanks, control characters, zero-width ones, punctuation and symbols are no words. Emojis are symbols.

    >>> [has_words(text) for text in ("It rains.", "雨", "5", "", " \u200b", "...", "🙂")]
    [True, True, True, False, False, False, False]
    """
    return any(c.isalnum() and c not in BLANK_LETTERS for c in text)


def check_words(texts: Sequence[str], name: str = "texts") -> None:
    """Refuse texts without words; the message says which of them."""
    without = [i for i, text in enumerate(texts) if not has_words(text)]
    if not without:
        return
    if len(texts) == 1:
        raise InputError(f"{texts[0]!r} cannot be judged: it has {NO_WORDS}. Give a sentence.")
    places = ", ".join(f"{name}[{i}] = {texts[i]!r}" for i in without[:NAMED])
    more = f" and {len(without) - NAMED} more" if len(without) > NAMED else ""
    raise InputError(f"{places}{more} cannot be judged: they have {NO_WORDS}. Leave them out.")
