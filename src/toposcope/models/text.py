"""Texts become tokens: checked first, and never cut unless the user chose how."""

import hashlib
import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from toposcope.errors import InputError
from toposcope.topology.attention import Tokens

Long = Literal["error", "truncate", "windows"]
LONG: tuple[Long, ...] = ("error", "truncate", "windows")
SHOWN = 40  # characters of a text that an error message shows


@dataclass(frozen=True)
class Piece:
    """What goes through the model at once: a text, or one window of a long one.

    ``encoding`` is what the tokenizers library made of it, ``index`` the place of the text among
    those given.
    """

    index: int
    text: str
    encoding: Any

    @cached_property
    def ids(self) -> tuple[int, ...]:
        """Vocabulary numbers of the tokens."""
        return tuple(self.encoding.ids)

    def tokens(self) -> Tokens:
        """The tokens with all that is known about them."""
        e = self.encoding
        return Tokens(
            text=self.text,
            pieces=tuple(e.tokens),
            ids=self.ids,
            offsets=np.array(e.offsets, np.int64).reshape(-1, 2),
            word_ids=word_ids(e, self.text),
            special=np.array(e.special_tokens_mask, bool),
        )


class Pieces(list[Piece]):
    """Texts as tokens, in their order; the windows of a long one follow each other.

    Whatever takes texts takes these too, so that nothing has to be cut into tokens twice.
    """

    @property
    def rows(self) -> int:
        """Number of texts."""
        return self[-1].index + 1 if self else 0

    @property
    def texts(self) -> list[str]:
        """The texts that they are made of."""
        return list({piece.index: piece.text for piece in self}.values())

    def windows(self) -> list[list[Piece]]:
        """The pieces of each text: one, or the windows of a long one."""
        found: list[list[Piece]] = [[] for _ in range(self.rows)]
        for piece in self:
            found[piece.index].append(piece)
        return found


Texts = Sequence[str] | Pieces


def word_ids(encoding: Any, text: str) -> tuple[int | None, ...]:
    """The word of each token, as the tokenizer tells it, else from the blanks in the text.

    Some tokenizers (Llama's old one) treat the whole text as one word; then words are what stands
    between blanks, and a blank belongs to the word after it.
    """
    told = tuple(encoding.word_ids)
    known = [w for w in told if w is not None]
    if not known or max(known) > 0 or len(text.split()) <= 1:
        return told
    starts = [match.start() for match in re.finditer(r"\S+", text)]
    return tuple(
        None if word is None else bisect_right(starts, begin) - (not text[begin : begin + 1].isspace())
        for (begin, _), word in zip(encoding.offsets, told, strict=True)
    )


def check_texts(texts: Sequence[str]) -> list[str]:
    """The texts as a list, or an InputError that names the one that is no text."""
    if isinstance(texts, str):
        raise InputError("texts is one string: accepted is a list of strings, e.g. [text].")
    if not isinstance(texts, Iterable) or isinstance(texts, bytes | Mapping):
        raise InputError(f"texts is a {type(texts).__name__}: accepted is a list of strings.")
    checked = list(texts)
    for i, text in enumerate(checked):
        if not isinstance(text, str):
            raise InputError(f"texts[{i}] is a {type(text).__name__}: accepted are strings.")
        if not text.isascii():
            _refuse_surrogates(i, text)
    return checked


def _refuse_surrogates(i: int, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"texts[{i}] has half a character (a lone surrogate, U+{ord(text[error.start]):04X}) at "
            f"position {error.start}: that is not text. Read the file with the right encoding, or "
            "replace it: text.encode(errors='replace').decode()."
        ) from None


def make_pieces(tokenizer: Any, texts: Sequence[str], *, limit: int, long: Long, overlap: int) -> Pieces:
    """Tokenise texts; those over the limit are refused, cut, or cut into windows, as ``long`` says.

    Order is kept; the windows of a text follow each other, and share ``overlap`` tokens.
    """
    texts = check_texts(texts)
    if not texts:
        return Pieces()
    options = {"return_attention_mask": False, "return_token_type_ids": False, "verbose": False}
    encodings = tokenizer(texts, truncation=False, **options).encodings
    pieces = Pieces()
    for i, (text, encoding) in enumerate(zip(texts, encodings, strict=True)):
        n = len(encoding)
        if n == 0:
            raise InputError(
                f"texts[{i}] = {_shown(text)} gives no token with this tokenizer, so the model sees "
                "nothing. Leave such lines out."
            )
        if n <= limit:
            pieces.append(Piece(i, text, encoding))
        elif long == "error":
            raise InputError(
                f"texts[{i}] = {_shown(text)} has {n} tokens, the model takes {limit}. Choose what to do "
                "with long texts: load(..., long='truncate') or load(..., long='windows')."
            )
        else:
            windows = long == "windows"
            cut = tokenizer(
                [text],
                truncation=True,
                max_length=limit,
                stride=overlap if windows else 0,
                return_overflowing_tokens=windows,
                **options,
            ).encodings
            pieces.extend(Piece(i, text, window) for window in cut)
    return pieces


def tokenizer_fingerprint(tokenizer: Any) -> str:
    """SHA-256 of what a tokenizer does."""
    return getattr(tokenizer, "fingerprint", "") or backend_fingerprint(tokenizer.backend_tokenizer)


def backend_fingerprint(backend: Any) -> str:
    """SHA-256 of what a tokenizer does, whatever it was last asked to cut or to fill up."""
    facts = json.loads(backend.to_str())
    lasting = {name: fact for name, fact in facts.items() if name not in ("truncation", "padding")}
    return hashlib.sha256(json.dumps(lasting, sort_keys=True).encode()).hexdigest()


def _shown(text: str) -> str:
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "…")
