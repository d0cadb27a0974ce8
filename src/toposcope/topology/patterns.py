"""Distance of an attention map to a simple pattern, such as "every token looks at the next".

A pattern T is a matrix of zeros and ones (Clark et al. 2019; paper, section 3.2). Only its few
non-zero places are looked at: |A - T|^2 = |A|^2 - 2 <A, T> + |T|^2.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from toposcope.errors import InputError
from toposcope.topology.graphs import as_graphs

Normalisation = Literal["root", "sum"]
PATTERNS = ("self", "first", "previous", "next", "comma", "dot")
BY_TOKEN = {
    "comma": frozenset({","}),
    "dot": frozenset({"."}),
    "sep": frozenset({"[SEP]", "</s>", "<sep>", "<|endoftext|>", "<eos>"}),
}
PLACES: dict[str, Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]] = {  # rows and columns of ones
    "self": lambda line: (line, line),
    "first": lambda line: (line, np.zeros_like(line)),
    "previous": lambda line: (line[1:], line[:-1]),
    "next": lambda line: (line[:-1], line[1:]),
}
WORD_MARKS = "▁Ġ"  # what tokenizers put before the first piece of a word


def pattern_distances(
    maps: ArrayLike,
    tokens: Sequence[str] | Sequence[Sequence[str]] | None = None,
    *,
    patterns: Sequence[str] = PATTERNS,
    normalisation: Normalisation = "root",
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
    check_normalisation(normalisation)
    unknown = set(patterns) - set(PATTERNS) - set(BY_TOKEN)
    if unknown:
        accepted = ", ".join((*PATTERNS, "sep"))
        raise InputError(f"patterns={sorted(unknown)}: accepted are {accepted}.")
    graphs = as_graphs(maps)
    weights = graphs.values
    squares = np.einsum("gij,gij->g", weights, weights, dtype=np.float64)
    distances = {}
    for name in patterns:
        if name in BY_TOKEN:
            columns = _token_columns(name, tokens, graphs.leading, graphs.n)
            apart, norm = _from_columns(weights, squares, columns)
        else:
            rows, columns = PLACES[name](np.arange(graphs.n))
            apart, norm = _from_places(weights, squares, rows, columns)
        root = normalisation == "root"
        whole = np.sqrt(squares + norm) if root else np.sqrt(squares) + np.sqrt(norm)
        distance = np.divide(np.sqrt(apart), whole, out=np.ones_like(whole), where=whole > 0)
        distances[name] = graphs.shaped(np.where(norm > 0, distance, 1.0))
    return distances


def check_normalisation(given: str) -> None:
    """Refuse what is no way to divide."""
    if given not in get_args(Normalisation):
        accepted = " and ".join(map(repr, get_args(Normalisation)))
        raise InputError(f"normalisation={given!r}: accepted are {accepted}.")


def _from_places(
    weights: np.ndarray, squares: np.ndarray, rows: np.ndarray, columns: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """|A - T|^2 and |T|^2 for a T that is one at some places."""
    at = weights[:, rows, columns].astype(np.float64)
    elsewhere = np.maximum(squares - (at**2).sum(-1), 0)
    return elsewhere + ((at - 1) ** 2).sum(-1), np.full(len(weights), float(len(rows)))


def _from_columns(
    weights: np.ndarray, squares: np.ndarray, chosen: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The same for a T whose rows all share one between the chosen columns, (graph, n) booleans."""
    n, number = weights.shape[-1], chosen.sum(-1)
    share = 1 / np.maximum(number, 1)
    inner = share * np.einsum("gij,gj->g", weights, chosen.astype(weights.dtype), dtype=np.float64)
    norm = np.where(number > 0, n * share, 0.0)
    return np.maximum(squares - 2 * inner + norm, 0), norm


def _token_columns(name: str, tokens: Sequence | None, leading: tuple[int, ...], n: int) -> np.ndarray:
    """Which columns of each graph are such tokens."""
    wanted = BY_TOKEN[name]
    columns = np.zeros((int(np.prod(leading)), n), bool)
    for part, texts in _token_lists(name, tokens, leading, n):
        columns[part] = [text.lstrip(WORD_MARKS) in wanted for text in texts]
    return columns


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
