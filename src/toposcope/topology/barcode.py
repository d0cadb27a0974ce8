"""A barcode: the intervals over which features of a filtered graph live, and what is said of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

COLOURS = {"H0": "#E3B505", "H1": "#2A6FBB", "RTD": "#E07B1A"}  # yellow, blue, orange: the paper's


@dataclass(frozen=True, eq=False)
class Barcode:
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

    @property
    def lengths(self) -> np.ndarray:
        """Length of every bar."""
        return self.deaths.astype(np.float64) - self.births

    def count(self) -> int:
        """Number of bars."""
        return len(self)

    def sum(self) -> float:
        """Sum of lengths: H0S for H0."""
        return float(self.lengths.sum())

    def mean(self) -> float:
        """Average length of the bars that are there (H0M divides by n - 1 instead: ``h0_mean``)."""
        return self.sum() / len(self) if len(self) else 0.0

    def std(self) -> float:
        """Population standard deviation of the lengths (the paper says variance, its code this)."""
        return float(self.lengths.std()) if len(self) else 0.0

    def variance(self) -> float:
        """Population variance of the lengths."""
        return self.std() ** 2

    def entropy(self) -> float:
        """-sum p ln p with p = length / sum of lengths."""
        if not len(self):
            return 0.0
        shares = self.lengths / self.lengths.sum()
        return float(-(shares * np.log(shares)).sum()) + 0.0

    def max_death(self) -> float:
        """Latest death."""
        return float(self.deaths.max()) if len(self) else 0.0

    def birth_of_longest(self) -> float:
        """Birth of the longest bar, the earliest one where several are equally long."""
        return float(self.births[self.lengths.argmax()]) if len(self) else 0.0

    def births_ge(self, time: float) -> int:
        """Bars born at ``time`` or later."""
        return int((self.births >= self.births.dtype.type(time)).sum())

    def births_le(self, time: float) -> int:
        """Bars born at ``time`` or earlier."""
        return int((self.births <= self.births.dtype.type(time)).sum())

    def deaths_ge(self, time: float) -> int:
        """Bars that die at ``time`` or later."""
        return int((self.deaths >= self.deaths.dtype.type(time)).sum())

    def deaths_le(self, time: float) -> int:
        """Bars that die at ``time`` or earlier."""
        return int((self.deaths <= self.deaths.dtype.type(time)).sum())

    def to_pandas(self) -> "pandas.DataFrame":
        """Bars as a table with the columns birth, death, length."""
        import pandas

        return pandas.DataFrame({"birth": self.births, "death": self.deaths, "length": self.lengths})

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the bars, H0 yellow and H1 blue as in the paper; needs matplotlib."""
        return plot_barcodes([self], ax)

    def __repr__(self) -> str:
        shown = ", ".join(
            f"[{b:.4g}, {d:.4g})" for b, d in zip(self.births[:8], self.deaths[:8], strict=True)
        )
        more = f", and {len(self) - 8} more" if len(self) > 8 else ""
        return f"Barcode({self.name}: {shown or 'no bars'}{more})"

    def _repr_html_(self) -> str:
        """The bars as a small picture, for notebooks."""
        width, row, shown = 420, 7, min(len(self), 60)
        end = max(1.0, self.max_death())
        bars = "".join(
            f'<rect x="{width * float(b) / end:.1f}" y="{row * k}" height="{row - 2}" '
            f'width="{max(width * float(d - b) / end, 1):.1f}" fill="{COLOURS.get(self.name, "#555")}"/>'
            for k, (b, d) in enumerate(zip(self.births[:shown], self.deaths[:shown], strict=True))
        )
        caption = f"{self.name}: {len(self)} bars, sum {self.sum():.4g}"
        if shown < len(self):
            caption += f", the first {shown} drawn"
        return (
            f"<figure><figcaption>{caption}</figcaption>"
            f'<svg role="img" aria-label="{caption}" width="{width}" height="{row * max(shown, 1)}">'
            f"{bars}</svg></figure>"
        )


def plot_barcodes(barcodes: Sequence[Barcode], ax: "Axes | None" = None) -> "Axes":
    """Draw barcodes one above the other, each sorted by length, in the paper's colours."""
    import matplotlib.pyplot as plt

    if ax is None:
        _, ax = plt.subplots(figsize=(5, 0.6 + 0.22 * max(1, sum(map(len, barcodes)))))
    base = 0
    for barcode in barcodes:
        order = np.argsort(barcode.lengths, kind="stable")
        ax.barh(
            base + np.arange(len(barcode)),
            barcode.lengths[order],
            left=barcode.births[order],
            height=0.7,
            color=COLOURS.get(barcode.name, "#555555"),
            label=f"{barcode.name} ({len(barcode)})",
        )
        base += len(barcode)
    ax.set_xlim(0, max([1.0, *(b.max_death() for b in barcodes)]))
    ax.set_ylim(-0.6, max(base, 6) - 0.4)
    ax.set_yticks([])
    ax.set_xlabel("distance (1 - attention)")
    ax.spines[["left", "right", "top"]].set_visible(False)
    ax.legend(loc="lower right", frameon=False)
    return ax
