"""Attention maps at the border of the package: checked once, then trusted.

An attention map is a row-stochastic matrix A (row = query, column = key). Its undirected graph has
the weight S of an edge from ``symmetry`` (paper, section 3.2 and appendix A):

- ``max``: max(A, A^T);
- ``upper``: the strict upper triangle mirrored, the forward-looking part of attention;
- ``lower``: the strict lower triangle mirrored.

The distance of two tokens is 1 - S. People who bring distances already say ``kind="distance"``;
there an infinite entry means that two points are never joined.
"""

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from toposcope.errors import InputError
from toposcope.kernels import run
from toposcope.kernels.coding import LOWER, MAX, UPPER, Coding

Symmetry = Literal["max", "upper", "lower"]
Kind = Literal["attention", "distance"]

SYMMETRIES = {"max": MAX, "upper": UPPER, "lower": LOWER}
KINDS = ("attention", "distance")
WEIGHT_ROUNDING = 2.0**-8  # a weight above one by no more than this is one (bfloat16 sums)
ROW_ROUNDING = 1e-2  # by how much a row of weights may miss one


@dataclass(frozen=True)
class Graphs:
    """Weighted graphs of equal size, ready for the kernels.

    ``values`` (graph, n, n), float32 or float64: attention weights, or distances. ``leading`` is the
    shape that results take. ``narrow`` is the dtype the user's numbers came in, to which
    thresholds are rounded before they are compared.
    """

    values: np.ndarray
    leading: tuple[int, ...]
    kind: Kind
    narrow: np.dtype[Any]
    symmetry: Symmetry = "max"
    floor: float = 0.0
    name: str = "maps"

    @property
    def n(self) -> int:
        """Number of vertices."""
        return self.values.shape[-1]

    @property
    def patterns(self) -> np.ndarray:
        """Bit patterns of the values."""
        return self.values.view(np.uint32 if self.values.dtype == np.float32 else np.uint64)

    @property
    def coding(self) -> Coding:
        """How the kernels shall read the patterns."""
        word = self.patterns.dtype.type

        def pattern(value: float) -> Any:
            return np.array(value, self.values.dtype).view(word)[()]

        if self.kind == "distance":
            return Coding(LOWER, word(0), pattern(np.inf), word(0))
        fold = SYMMETRIES[self.symmetry]
        return Coding(fold, pattern(self.floor), pattern(1), word(np.iinfo(word).max))

    def decode(self, edge_keys: np.ndarray) -> np.ndarray:
        """Weights (or distances) of edges from their keys."""
        return (edge_keys ^ self.coding.flip).view(self.values.dtype)

    def distances(self, edge_keys: np.ndarray) -> np.ndarray:
        """Lengths of edges from their keys: 1 - weight, or the distance itself."""
        values = self.decode(edge_keys)
        return values if self.kind == "distance" else self.values.dtype.type(1) - values

    def shaped(self, rows: np.ndarray) -> Any:
        """Results (graph, ...) in the leading shape of the input; a scalar for a single graph."""
        return rows.reshape(self.leading + rows.shape[1:])[()]

    def at(self, graph: int, row: int | None = None, column: int | None = None) -> str:
        """Place of a graph or of an entry, as the user would index it."""
        index = [int(i) for i in np.unravel_index(graph, self.leading)] if self.leading else []
        index += [i for i in (row, column) if i is not None]
        return f"{self.name}[{', '.join(map(str, index))}]" if index else self.name


def as_graphs(
    maps: ArrayLike,
    *,
    kind: Kind = "attention",
    symmetry: Symmetry = "max",
    floor: float = 0.0,
    name: str = "maps",
) -> Graphs:
    """Take an array (..., n, n) in, or raise an InputError that says what is wrong with it."""
    if kind not in KINDS:
        raise InputError(f"kind={kind!r}: accepted are 'attention' and 'distance'.")
    if symmetry not in SYMMETRIES:
        raise InputError(f"symmetry={symmetry!r}: accepted are 'max', 'upper' and 'lower'.")
    if not 0 <= floor < 1:
        raise InputError(f"floor={floor!r}: accepted is a weight from 0 up to, but not, 1.")
    array, narrow = _numbers(maps, name)
    if array.ndim < 2 or array.shape[-1] != array.shape[-2]:
        raise InputError(
            f"{name} has shape {array.shape}: accepted are square matrices, (..., n, n). "
            "A map with padding must be cut to its tokens first."
        )
    n = array.shape[-1]
    if n == 0:
        raise InputError(f"{name} has shape {array.shape}: a map needs at least one token.")
    if n > run.MOST_VERTICES:
        raise InputError(f"{name} has {n} tokens a map: accepted are up to {run.MOST_VERTICES}.")
    values = run.aligned(array).reshape(-1, n, n)
    graphs = Graphs(values, array.shape[:-2], kind, narrow, symmetry, floor, name)
    return _checked_weights(graphs) if kind == "attention" else _checked_distances(graphs)


def _numbers(maps: ArrayLike, name: str) -> tuple[np.ndarray, np.dtype[Any]]:
    """The maps as float32 (from half precision too) or float64 (from integers too)."""
    try:
        array = np.asarray(maps)
    except (ValueError, TypeError) as error:
        raise InputError(
            f"{name} is not a numeric array ({error}). Maps of different sizes go in one by one, "
            "bfloat16 tensors as .float()."
        ) from None
    if array.dtype.name in ("float16", "bfloat16", "float32", "bool"):
        return array.astype(np.float32, copy=False), array.dtype
    if array.dtype == np.float64 or array.dtype.kind in "iu":
        return array.astype(np.float64, copy=False), np.dtype(np.float64)
    raise InputError(
        f"{name} has dtype {array.dtype}: accepted are float16, float32, float64 and integers."
    )


def _checked_weights(graphs: Graphs) -> Graphs:
    """Refuse what is not a weight. One pass if all is well: a NaN, an infinity, a sign or an excess
    all make the bit pattern larger than that of the largest weight.
    """
    largest = np.array(1 + WEIGHT_ROUNDING, graphs.values.dtype).view(graphs.patterns.dtype)
    if graphs.patterns.max(initial=0) <= largest:
        return graphs
    _refuse(graphs, np.isnan(graphs.values), "is NaN")
    _refuse(graphs, np.isinf(graphs.values), "is infinite")
    _refuse(graphs, graphs.values < 0, "is negative")
    _refuse(graphs, graphs.values > 1 + WEIGHT_ROUNDING, "is above 1")
    return replace(graphs, values=graphs.values + graphs.values.dtype.type(0))  # -0.0 becomes 0.0


def _checked_distances(graphs: Graphs) -> Graphs:
    """Refuse what is not a symmetric matrix of distances; infinite ones are fine."""
    _refuse(graphs, np.isnan(graphs.values), "is NaN")
    _refuse(graphs, graphs.values < 0, "is negative")
    diagonal = np.zeros_like(graphs.values, bool)
    np.einsum("gii->gi", diagonal)[:] = np.einsum("gii->gi", graphs.values) != 0
    _refuse(graphs, diagonal, "stands on the diagonal, where a distance is 0")
    mirrored = graphs.values.swapaxes(-1, -2)
    uneven = ~np.isclose(graphs.values, mirrored, rtol=1e-5, atol=1e-7)
    _refuse(graphs, uneven, "differs from its mirror image; a distance is symmetric")
    return replace(graphs, values=graphs.values + graphs.values.dtype.type(0))


def _refuse(graphs: Graphs, bad: np.ndarray, what: str) -> None:
    """Raise an InputError for the first bad entry, if there is one."""
    if bad.any():
        graph, row, column = (int(i) for i in np.unravel_index(np.argmax(bad), bad.shape))
        accepted = {
            "attention": "attention weights from 0 to 1 (for distances say kind='distance')",
            "distance": "distances from 0 to infinity, symmetric, 0 on the diagonal",
        }[graphs.kind]
        raise InputError(
            f"{graphs.at(graph, row, column)} = {graphs.values[graph, row, column]} {what}: "
            f"accepted are {accepted}."
        )


def as_pair(a: ArrayLike, b: ArrayLike, **options: Any) -> tuple[Graphs, Graphs]:
    """Two arrays of equal shape, in the wider of their two precisions."""
    left, right = as_graphs(a, name="a", **options), as_graphs(b, name="b", **options)
    if left.leading != right.leading or left.n != right.n:
        raise InputError(
            f"a has shape {left.leading + (left.n,) * 2}, b has {right.leading + (right.n,) * 2}: "
            "a pair needs equal shapes. Align the tokens of two sentences first (align_tokens)."
        )
    wide = np.result_type(left.values, right.values)
    return (
        replace(left, values=left.values.astype(wide, copy=False)),
        replace(right, values=right.values.astype(wide, copy=False)),
    )


def check_rows(maps: ArrayLike, tolerance: float = ROW_ROUNDING) -> np.ndarray:
    """The maps as they are, after a check that every row sums to one.

    Use it where maps come from elsewhere: ``ts.h0_mean(ts.check_rows(maps))``. Raises InputError
    that names the first row whose sum is off by more than ``tolerance``.
    """
    graphs = as_graphs(maps)
    sums = graphs.values.sum(-1, dtype=np.float64)
    off = np.abs(sums - 1) > tolerance
    if off.any():
        graph, row = (int(i) for i in np.unravel_index(np.argmax(off), off.shape))
        raise InputError(
            f"{graphs.at(graph, row)} sums to {sums[graph, row]:.6g}: a row of attention sums to 1. "
            "Maps cut to fewer tokens need renormalising (drop_tokens(..., renormalise=True))."
        )
    return np.asarray(maps)
