"""Maps over words instead of pieces of words, and maps without some of their tokens."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from toposcope.errors import InputError
from toposcope.topology.graphs import as_graphs


def pool_words(
    maps: ArrayLike,
    word_ids: Sequence[int | None],
    *,
    keys: Literal["max", "mean", "sum"] = "max",
    queries: Literal["sum", "mean"] = "mean",
) -> np.ndarray:
    """Attention between words from attention between their pieces; rows sum to one again.

    Parameters
    ----------
    maps : array, shape (..., n, n)
        Attention weights, rows = queries.
    word_ids : n numbers
        The word of each token, as fast tokenizers give it. None (special tokens) makes a token a
        word of its own.
    keys : "max", "mean" or "sum"
        How weights to the pieces of a word become one weight to the word.
    queries : "sum" or "mean"
        How weights from the pieces of a word become one weight from it.

    Returns
    -------
    array of float64, shape (..., w, w), words in the order of their first pieces
    """
    if keys not in ("max", "mean", "sum"):
        raise InputError(f"keys={keys!r}: accepted are 'max', 'mean' and 'sum'.")
    if queries not in ("sum", "mean"):
        raise InputError(f"queries={queries!r}: accepted are 'sum' and 'mean'.")
    graphs = as_graphs(maps)
    members = word_members(word_ids)
    if sum(map(len, members)) != graphs.n:
        raise InputError(f"{len(word_ids)} word ids for maps of {graphs.n} tokens.")
    weights = graphs.values.astype(np.float64)
    to_words = np.stack([getattr(weights[:, :, m], keys)(-1) for m in members], axis=-1)
    pooled = np.stack([getattr(to_words[:, m], queries)(-2) for m in members], axis=-2)
    return graphs.shaped(_rows_to_one(pooled))


def word_members(word_ids: Sequence[int | None]) -> list[list[int]]:
    """Positions of the pieces of every word, words in the order of their first pieces."""
    words: dict[tuple[str, int], list[int]] = {}
    for position, word in enumerate(word_ids):
        key = ("token", position) if word is None else ("word", int(word))
        words.setdefault(key, []).append(position)
    return list(words.values())


def drop_tokens(maps: ArrayLike, drop: Sequence[int], *, renormalise: bool = False) -> np.ndarray:
    """Maps without the tokens at the positions ``drop`` (negative ones count from the end).

    With ``renormalise`` rows sum to one again; a row that had all its weight on dropped tokens
    becomes uniform. Without, the rest of the map stays as it is.
    """
    graphs = as_graphs(maps)
    kept = np.ones(graphs.n, bool)
    for position in drop:
        if not -graphs.n <= position < graphs.n:
            raise InputError(f"drop holds {position}: the maps have {graphs.n} tokens.")
        kept[position] = False
    if not kept.any():
        raise InputError("drop holds every token: a map needs at least one.")
    rest = graphs.values[:, kept][:, :, kept]
    return graphs.shaped(_rows_to_one(rest) if renormalise else rest)


def _rows_to_one(weights: np.ndarray) -> np.ndarray:
    sums = weights.sum(-1, keepdims=True)
    uniform = np.full_like(weights, 1 / weights.shape[-1])
    return np.divide(weights, sums, out=uniform, where=sums > 0)
