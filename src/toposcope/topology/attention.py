"""Attention maps together with the tokens they are about.

These are the values that models hand out. Every function of the package that takes maps takes
them too, because they turn into plain arrays when numpy asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from toposcope.errors import InputError
from toposcope.figures.attention import attention_grid, attention_map
from toposcope.figures.canvas import html_picture
from toposcope.figures.palette import Theme
from toposcope.topology.barcode import Barcode, Barcodes
from toposcope.topology.graphs import Symmetry
from toposcope.topology.head import Head
from toposcope.topology.persistence import barcode, barcodes
from toposcope.topology.words import pool_words, word_members

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Tokens(Sequence[str]):
    """The pieces that a tokenizer made of a text; reads like a list of strings.

    ``ids`` are their numbers in the vocabulary, ``offsets`` (n, 2) the characters of ``text`` they
    cover (0, 0 for special tokens), ``word_ids`` the word each belongs to (None for special
    tokens), ``special`` marks what the tokenizer added, such as [CLS].
    """

    text: str
    pieces: tuple[str, ...]
    ids: tuple[int, ...]
    offsets: np.ndarray = field(repr=False)
    word_ids: tuple[int | None, ...] = field(repr=False)
    special: np.ndarray = field(repr=False)

    def __len__(self) -> int:
        return len(self.pieces)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        return self.pieces[place]

    def __eq__(self, other: object) -> bool:
        """Equal to any sequence of the same pieces; to other Tokens if ids and text agree too."""
        if isinstance(other, Tokens):
            return (self.text, self.pieces, self.ids) == (other.text, other.pieces, other.ids)
        if isinstance(other, Sequence) and not isinstance(other, str):
            return self.pieces == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.text, self.ids))

    def words(self) -> Tokens:
        """Whole words in place of pieces; special tokens stay as they are."""
        members = word_members(self.word_ids)
        spans = [(self.offsets[m[0], 0], self.offsets[m[-1], 1]) for m in members]
        texts = [
            self.pieces[m[0]] if self.word_ids[m[0]] is None else self.text[begin:end].strip()
            for m, (begin, end) in zip(members, spans, strict=True)
        ]
        return Tokens(
            text=self.text,
            pieces=tuple(texts),
            ids=tuple(range(len(texts))),
            offsets=np.array(spans, np.int64).reshape(-1, 2),
            word_ids=tuple(self.word_ids[m[0]] for m in members),
            special=self.special[[m[0] for m in members]],
        )


class _Maps:
    """What is common to maps of one text and of many: an array whose last two axes are tokens."""

    array: np.ndarray

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array."""
        return self.array.shape

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.array, dtype=dtype, copy=copy)


@dataclass(frozen=True, eq=False)
class AttentionMaps(_Maps):
    """Attention of one text: ``array`` (layers, heads, n, n), rows are queries, and its ``tokens``.

    ``maps[8, 0]`` is head 0 of layer 8, ``maps[8]`` the whole layer; both count from 0, as the
    paper does.
    """

    array: np.ndarray = field(repr=False)
    tokens: Tokens
    name: str = ""

    def __len__(self) -> int:
        if self.array.ndim == 2:
            raise TypeError("one attention map has no length; its tokens have: len(maps.tokens)")
        return len(self.array)

    def __iter__(self) -> Iterator[AttentionMaps]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, place: Any) -> AttentionMaps:
        places = place if isinstance(place, tuple) else (place,)
        leading = self.array.ndim - 2
        if len(places) > leading:
            given = ", ".join(map(str, places))
            accepted = "maps[layer, head]" if leading else "maps.array[query, key]"
            raise InputError(f"maps[{given}] on maps of shape {self.shape}: accepted is {accepted}.")
        whole = leading == 2 and len(places) == 2 and all(isinstance(p, int | np.integer) for p in places)
        try:
            array = self.array[places]
        except IndexError:
            layers_heads = " x ".join(map(str, self.shape[:-2]))
            raise IndexError(f"{place} is not in the {layers_heads} maps of this text") from None
        name = (
            str(Head(*(int(p) % s for p, s in zip(places, self.shape, strict=False))))
            if whole
            else self.name
        )
        return replace(self, array=array, name=name)

    def words(self) -> AttentionMaps:
        """Attention between words instead of pieces (``pool_words``)."""
        return replace(self, array=pool_words(self.array, self.tokens.word_ids), tokens=self.tokens.words())

    def barcode(
        self, dimension: int = 0, symmetry: Symmetry = "max", floor: float = 0.0
    ) -> Barcode | Barcodes:
        """Barcode of one map, or the barcodes of all."""
        one = self.array.ndim == 2
        return (barcode if one else barcodes)(self.array, dimension, symmetry=symmetry, floor=floor)

    def plot(self, ax: Axes | None = None, theme: Theme = "light") -> Axes:
        """Draw one map with its tokens, or all heads as a grid (layers downwards)."""
        if self.array.ndim == 2:
            return attention_map(self.array, self.tokens, self.name, ax, theme)
        return attention_grid(self.array, self.tokens.text, ax, theme)

    def _repr_html_(self) -> str:
        size = " x ".join(map(str, self.shape))
        return html_picture(self.plot) + f"<small>{escape(self.name or 'attention')} {size}</small>"


@dataclass(frozen=True, eq=False)
class AttentionBucket(_Maps):
    """Attention of many texts of equal length: ``array`` (texts, heads, n, n).

    This is what a measure gets. ``heads`` tells which ones they are, of one layer or of several side by
    side; ``tokens`` has one entry per text and is made when first asked for.
    """

    array: np.ndarray = field(repr=False)
    make_tokens: Callable[[], Sequence[Tokens]] = field(repr=False)
    heads: Sequence[Head] = field(default=(), repr=False)

    @cached_property
    def tokens(self) -> Sequence[Tokens]:
        """Tokens of each text."""
        return self.make_tokens()
