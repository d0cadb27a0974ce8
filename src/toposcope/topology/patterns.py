"""Distance of an attention map to a simple pattern, such as "every token looks at the next".

A pattern T is a matrix of zeros and ones (Clark et al. 2019; paper, section 3.2). Only its few
non-zero places are looked at: |A - T|^2 is |A|^2 with the squares at those places replaced.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from toposcope.errors import InputError
from toposcope.topology.graphs import as_graphs

PATTERNS = ("self", "first", "previous", "next", "comma", "dot")
BY_TOKEN = {
    "comma": frozenset({","}),
    "dot": frozenset({"."}),
    "sep": frozenset({"[SEP]", "</s>", "<sep>", "<|endoftext|>", "<eos>"}),
}
WORD_MARKS = "▁Ġ"  # what tokenizers put before the first piece of a word


def pattern_distances(
    maps: ArrayLike,
    tokens: Sequence[str] | Sequence[Sequence[str]] | None = None,
    *,
    patterns: Sequence[str] = PATTERNS,
    normalisation: Literal["root", "sum"] = "root",
) -> dict[str, np.ndarray]:
    """Distances of attention maps A to patterns T, 0 (the pattern itself) to about 1 (section 3.2).

    Parameters
    ----------
    maps : array, shape (..., n, n)
        Attention weights, rows = queries, without padding.
    tokens : n strings, or a list of such for each entry of the first axis
        Needed for ``comma``, ``dot`` and ``sep``, which are found by text in any tokenizer.
    patterns : names
        ``self`` (identity), ``first`` (column 0), ``previous`` and ``next`` (the diagonals beside
        the main one), ``comma``, ``dot``, ``sep`` (the columns of such tokens, each row divided
        by its sum). Where there is no such token T is zero and the distance exactly 1.
    normalisation : "root" or "sum"
        |A - T| / sqrt(|A|^2 + |T|^2) as the authors coded it, or |A - T| / (|A| + |T|) as they
        wrote it.

    Returns
    -------
    dict from pattern to array, shape (...)
    """
    if normalisation not in ("root", "sum"):
        raise InputError(f"normalisation={normalisation!r}: accepted are 'root' and 'sum'.")
    unknown = set(patterns) - set(PATTERNS) - set(BY_TOKEN)
    if unknown:
        accepted = ", ".join((*PATTERNS, "sep"))
        raise InputError(f"patterns={sorted(unknown)}: accepted are {accepted}.")
    graphs = as_graphs(maps)
    squares = np.einsum("gij,gij->g", graphs.values, graphs.values, dtype=np.float64)
    distances = {}
    for name in patterns:
        distance = np.ones(len(graphs.values))
        for part, rows, columns, share in _places(name, tokens, graphs.leading, graphs.n):
            weights = graphs.values[part][:, rows, columns].astype(np.float64)
            norm = share**2 * len(rows)  # |T|^2
            elsewhere = np.maximum(squares[part] - (weights**2).sum(-1), 0)
            apart = np.sqrt(elsewhere + ((weights - share) ** 2).sum(-1))
            if normalisation == "root":
                whole = np.sqrt(squares[part] + norm)
            else:
                whole = np.sqrt(squares[part]) + np.sqrt(norm)
            distance[part] = np.divide(apart, whole, out=np.ones_like(apart), where=whole > 0)
        distances[name] = graphs.shaped(distance)
    return distances


def _places(
    name: str, tokens: Sequence | None, leading: tuple[int, ...], n: int
) -> Iterator[tuple[slice, np.ndarray, np.ndarray, float]]:
    """Where T is not zero: for a part of the graphs, rows and columns, and the value there."""
    everything, line = slice(None), np.arange(n)
    if name == "self":
        yield everything, line, line, 1.0
    elif name == "first":
        yield everything, line, np.zeros(n, int), 1.0
    elif name == "previous":
        yield everything, line[1:], line[:-1], 1.0
    elif name == "next":
        yield everything, line[:-1], line[1:], 1.0
    else:
        for part, texts in _token_lists(name, tokens, leading, n):
            columns = np.flatnonzero([t.lstrip(WORD_MARKS) in BY_TOKEN[name] for t in texts])
            if len(columns):
                rows = np.repeat(line, len(columns))
                yield part, rows, np.tile(columns, n), 1 / len(columns)


def _token_lists(
    name: str, tokens: Sequence | None, leading: tuple[int, ...], n: int
) -> Iterator[tuple[slice, Sequence[str]]]:
    """Each token list with the graphs it belongs to."""
    if tokens is None:
        raise InputError(f"pattern {name!r} needs the tokens: pattern_distances(maps, tokens).")
    shared = all(isinstance(token, str) for token in tokens)
    lists = [tokens] if shared else list(tokens)
    if not shared and (not leading or len(lists) != leading[0]):
        raise InputError(
            f"{len(lists)} token lists for maps of leading shape {leading}: accepted are one list, "
            "or one for each entry of the first axis."
        )
    size = int(np.prod(leading if shared else leading[1:]))
    for k, texts in enumerate(lists):
        if len(texts) != n:
            raise InputError(f"token list {k} has {len(texts)} tokens, its maps have {n}.")
        yield slice(k * size, (k + 1) * size), texts
