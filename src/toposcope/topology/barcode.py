"""Barcodes: the intervals over which features of filtered graphs live, and what is said of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.figures.bars import Bars, barcode_html, barcode_rows
from toposcope.figures.markup import table
from toposcope.figures.palette import Theme

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


class BarStatistics:
    """Statistics of barcodes under the paper's names, for one graph or for many at once.

    ``births`` and ``deaths`` hold the bars of graph after graph, ``counts`` how many each graph has;
    every method returns an array of the shape of ``counts``. No bars give 0 everywhere.
    """

    births: np.ndarray
    deaths: np.ndarray
    counts: np.ndarray

    @property
    def lengths(self) -> np.ndarray:
        """Length of every bar."""
        return self.deaths.astype(np.float64) - self.births

    def count(self) -> Any:
        """Number of bars."""
        return self.counts[()]

    def sum(self) -> Any:
        """Sum of lengths: H0S for H0."""
        return self._totals(self.lengths)

    def mean(self) -> Any:
        """Average length of the bars that are there (H0M divides by n - 1 instead: ``h0_mean``)."""
        return (self.sum() / np.maximum(self.counts, 1))[()]

    def variance(self) -> Any:
        """Population variance of the lengths."""
        deviations = self.lengths - np.ravel(self.mean())[self._owners]
        return (self._totals(deviations**2) / np.maximum(self.counts, 1))[()]

    def std(self) -> Any:
        """Population standard deviation of the lengths (the paper says variance, its code this)."""
        return np.sqrt(self.variance())

    def entropy(self) -> Any:
        """-sum p ln p with p = length / sum of lengths."""
        shares = self.lengths / np.ravel(self.sum())[self._owners]
        return self._totals(-shares * np.log(shares))

    def max_death(self) -> Any:
        """Latest death."""
        latest = np.zeros(self.counts.size)
        counts = self.counts.ravel()
        some = counts > 0
        if some.any():  # the bars of a graph stand together
            latest[some] = np.maximum.reduceat(self.deaths, (np.cumsum(counts) - counts)[some])
        return latest.reshape(self.counts.shape)[()]

    def birth_of_longest(self) -> Any:
        """Birth of the longest bar, the earliest one where several are equally long."""
        births = np.zeros(self.counts.size)
        shortest_first = np.lexsort((-self.births, self.lengths))
        births[self._owners[shortest_first]] = self.births[shortest_first]
        return births.reshape(self.counts.shape)[()]

    def births_ge(self, time: float) -> Any:
        """Bars born at ``time`` or later."""
        return self._number(self.births >= self.births.dtype.type(time))

    def births_le(self, time: float) -> Any:
        """Bars born at ``time`` or earlier."""
        return self._number(self.births <= self.births.dtype.type(time))

    def deaths_ge(self, time: float) -> Any:
        """Bars that die at ``time`` or later."""
        return self._number(self.deaths >= self.deaths.dtype.type(time))

    def deaths_le(self, time: float) -> Any:
        """Bars that die at ``time`` or earlier."""
        return self._number(self.deaths <= self.deaths.dtype.type(time))

    @property
    def _owners(self) -> np.ndarray:
        """For every bar, the place of its graph in ``counts``, flattened."""
        return np.repeat(np.arange(self.counts.size), self.counts.ravel())

    def _totals(self, values: np.ndarray) -> Any:
        totals = np.bincount(self._owners, values, self.counts.size).astype(np.float64)
        return totals.reshape(self.counts.shape)[()]

    def _number(self, chosen: np.ndarray) -> Any:
        found = np.bincount(self._owners[chosen], minlength=self.counts.size)
        return found.reshape(self.counts.shape)[()]


@dataclass(frozen=True, eq=False)
class Barcode(BarStatistics):
    """Bars [birth, death) of one graph in one dimension (section 3.1).

    Bars of no length are not bars. ``births`` and ``deaths`` are sorted by birth, then death, and
    hold the finite bars; statistics speak of these. ``endless`` are the births of what never
    dies: in H0 one component in any graph, more only where distances are infinite.
    """

    births: np.ndarray
    deaths: np.ndarray
    dimension: int
    endless: np.ndarray = field(default_factory=lambda: np.zeros(0))
    name: str = ""

    def __post_init__(self) -> None:
        births, deaths = np.asarray(self.births), np.asarray(self.deaths)
        finite = np.isfinite(deaths)
        bars = finite & (deaths > births)
        order = np.lexsort((deaths[bars], births[bars]))
        values = {
            "births": births[bars][order],
            "deaths": deaths[bars][order],
            "endless": np.sort(np.concatenate([self.endless, births[~finite]])),
        }
        for attribute, value in values.items():
            value.setflags(write=False)
            object.__setattr__(self, attribute, value)
        object.__setattr__(self, "name", self.name or f"H{self.dimension}")

    @property
    def counts(self) -> np.ndarray:  # type: ignore[override]
        """Number of bars, as an array without dimensions."""
        return np.array(len(self.births))

    def __len__(self) -> int:
        return len(self.births)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Barcode)
            and self.dimension == other.dimension
            and np.array_equal(self.births, other.births)
            and np.array_equal(self.deaths, other.deaths)
            and np.array_equal(self.endless, other.endless)
        )

    __hash__ = None  # type: ignore[assignment]

    def to_pandas(self) -> "pandas.DataFrame":
        """Bars as a table with the columns birth, death, length."""
        import pandas

        return pandas.DataFrame({"birth": self.births, "death": self.deaths, "length": self.lengths})

    def plot(self, ax: "Axes | None" = None, theme: Theme = "light") -> "Axes":
        """Draw the bars, H0 yellow and H1 blue as in the paper."""
        return plot_barcodes([self], ax, theme)

    def __repr__(self) -> str:
        ends = zip(self.births[:8], self.deaths[:8], strict=True)
        shown = ", ".join(f"[{birth:.4g}, {death:.4g})" for birth, death in ends)
        more = f", and {len(self) - 8} more" if len(self) > 8 else ""
        return f"Barcode({self.name}: {shown or 'no bars'}{more})"

    def _repr_html_(self) -> str:
        """The bars as a small picture, for notebooks."""
        return barcode_html(self._bars, float(self.sum()))

    @property
    def _bars(self) -> Bars:
        return Bars(self.name, self.births, self.deaths)


@dataclass(frozen=True, eq=False)
class Barcodes(BarStatistics):
    """Barcodes of many graphs, like an array of them: ``bars[layer, head]`` is a Barcode.

    ``births`` and ``deaths`` hold all finite bars, graph after graph, in no particular order within
    a graph; ``counts`` (of the leading shape) says how many each has; ``endless`` and
    ``endless_counts`` do the same for what never dies. Statistics come as arrays, for all graphs
    at once.
    """

    births: np.ndarray
    deaths: np.ndarray
    counts: np.ndarray
    dimension: int
    endless: np.ndarray
    endless_counts: np.ndarray
    name: str = ""

    @property
    def shape(self) -> tuple[int, ...]:
        """Leading shape of the maps."""
        return self.counts.shape

    @property
    def size(self) -> int:
        """Number of graphs."""
        return self.counts.size

    def __len__(self) -> int:
        return len(self.counts)

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        """One Barcode where the index picks one graph, else the Barcodes of those it picks."""
        chosen = np.arange(self.size).reshape(self.shape)[index]
        counts, bars = _picked(self.counts, chosen)
        endless_counts, endless = _picked(self.endless_counts, chosen)
        births, deaths, never = self.births[bars], self.deaths[bars], self.endless[endless]
        if chosen.ndim == 0:
            return Barcode(births, deaths, self.dimension, never, self.name)
        return Barcodes(births, deaths, counts, self.dimension, never, endless_counts, self.name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Barcodes) or self.shape != other.shape:
            return False
        mine, theirs = self.reshape(-1), other.reshape(-1)
        return all(a == b for a, b in zip(mine, theirs, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def reshape(self, *shape: int) -> "Barcodes":
        """The same barcodes in another shape, as for arrays."""
        counts, endless_counts = self.counts.reshape(shape), self.endless_counts.reshape(shape)
        return Barcodes(
            self.births, self.deaths, counts, self.dimension, self.endless, endless_counts, self.name
        )

    def __repr__(self) -> str:
        kind = self.name or f"H{self.dimension}"
        return f"Barcodes({kind}: {len(self.births)} bars of {self.size} graphs, shape {self.shape})"

    def _repr_html_(self) -> str:
        rows = [
            (what, *(f"{pick(values):.4g}" for pick in (np.min, np.mean, np.max)))
            for what, values in (("bars", self.counts), ("sum of lengths", self.sum()))
            if self.size
        ]
        return table(rows, repr(self), ("of a graph", "least", "mean", "most"))


def _picked(counts: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Counts of the chosen graphs, and the places of their bars."""
    flat = counts.ravel()
    starts = np.cumsum(flat) - flat
    sizes = flat[chosen]
    places = [np.arange(s, s + k) for s, k in zip(starts[chosen].flat, sizes.flat, strict=True)]
    return sizes, np.concatenate(places) if places else np.zeros(0, int)


def plot_barcodes(barcodes: Sequence[Barcode], ax: "Axes | None" = None, theme: Theme = "light") -> "Axes":
    """Draw barcodes one above the other, each sorted by length, in the paper's colours."""
    return barcode_rows([barcode._bars for barcode in barcodes], ax, theme)
