"""What a user should know of how a model reads a text: words it does not know, and cuts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from toposcope.data.words import has_words
from toposcope.models.text import Piece, Pieces, word_ids

if TYPE_CHECKING:
    from toposcope.models.reader import Reader

NONE_KNOWN = "the model knows none of its words"


def reading_notes(reader: Reader, pieces: Pieces) -> list[tuple[str, ...]]:
    """Of each text: whether the model knows fewer than half of its words, and whether it was cut."""
    unknown = reader.tokenizer.unk_token_id
    return [
        (*_unknown_words(windows, unknown), *_cuts(windows, reader.limit)) for windows in pieces.windows()
    ]


def _unknown_words(windows: Sequence[Piece], unknown: int | None) -> list[str]:
    """A word is unknown if any of its tokens is; punctuation is no word."""
    if unknown is None or not any(unknown in piece.ids for piece in windows):
        return []
    words: dict[int, bool] = {}
    for piece in windows:
        spans = piece.encoding.offsets
        told = word_ids(piece.encoding, piece.text)
        for token, word, (begin, end) in zip(piece.ids, told, spans, strict=True):
            if word is not None and has_words(piece.text[begin:end]):
                words[word] = words.get(word, True) and token != unknown
    known = sum(words.values())
    if not known:
        return [NONE_KNOWN]
    return [f"the model knows only {known} of its {len(words)} words"] if 2 * known < len(words) else []


def _cuts(windows: Sequence[Piece], limit: int) -> list[str]:
    if len(windows) > 1:
        return [f"longer than {limit} tokens: read through {len(windows)} windows"]
    if windows[0].encoding.overflowing:
        return [f"longer than {limit} tokens: only its beginning was read"]
    return []
