"""The picture of growth: time against tokens, speed-up against threads."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from benchmarks.report import Row
from toposcope.figures.palette import LIGHT
from toposcope.files import whole

LOOKS = {  # markers for those who print in grey
    "H0": (LIGHT.gold, "o"),
    "H1": (LIGHT.blue, "s"),
    "RTD": (LIGHT.orange, "^"),
    "counts": (LIGHT.green, "D"),
}
LABELS = {"H0": "H0 sums", "H1": "H1 barcodes", "RTD": "RTD, both directions", "counts": "threshold counts"}
GREY = LIGHT.muted
LINES = ("-", "--", ":", "-.")  # one for each size


def draw_growth(times: Sequence[Row], speedups: Sequence[Row], out: Path) -> None:
    """OUT/growth.svg and OUT/growth.png."""
    with plt.rc_context({"font.size": 10, "svg.hashsalt": "toposcope"}):
        figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
        draw_times(left, times)
        draw_speedups(right, speedups)
        figure.get_layout_engine().set(wspace=0.06)
        for axes in (left, right):
            axes.spines[["top", "right"]].set_visible(False)
            axes.grid(color=LIGHT.faint, linewidth=0.6)
        for kind in ("svg", "png"):
            with whole(out / f"growth.{kind}") as path:
                figure.savefig(path, format=kind, dpi=150)
        plt.close(figure)


def draw_times(axes: Axes, rows: Sequence[Row]) -> None:
    """Microseconds per map against n, both logarithmic, and what n^2 and n^3 would look like."""
    for job, points in _by_job(rows):
        colour, marker = LOOKS[job]
        sizes, taken = [row.n for row in points], [row.microseconds for row in points]
        axes.plot(sizes, taken, color=colour, marker=marker, markersize=5, label=LABELS[job])
    sizes = sorted({row.n for row in rows})
    _draw_powers(axes, sizes[-3:], 0.08 * min(row.microseconds for row in rows if row.n == sizes[-3]))
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(sizes, [str(n) for n in sizes])
    axes.minorticks_off()
    axes.set_xlabel("tokens n")
    axes.set_ylabel("microseconds per map, one thread")
    axes.set_title("Time against length")
    axes.legend(frameon=False, loc="upper left")


def _draw_powers(axes: Axes, sizes: Sequence[int], start: float) -> None:
    """What n^2 and n^3 would look like, below the curves."""
    for power in (2, 3):
        guide = [start * (n / sizes[0]) ** power for n in sizes]
        axes.plot(sizes, guide, color=GREY, linewidth=0.9)
        axes.annotate(
            f"$n^{power}$", (sizes[-1], guide[-1]), (4, 0), textcoords="offset points",
            color=GREY, va="center",
        )  # fmt: skip


def draw_speedups(axes: Axes, rows: Sequence[Row]) -> None:
    """Times faster than one thread, with the line that nothing can pass. Colours as for the times."""
    sizes = sorted({row.n for row in rows})
    most = max(row.threads for row in rows)
    axes.plot([1, most], [1, most], color=GREY, linewidth=0.9)
    axes.annotate("ideal", (most, most), (-10, -2), textcoords="offset points", color=GREY, ha="right")
    for job, points in _by_job(rows):
        colour, marker = LOOKS[job]
        for line, n in zip(LINES, sizes, strict=False):
            here = [row for row in points if row.n == n]
            threads, ratios = [row.threads for row in here], [row.ratio for row in here]
            axes.plot(threads, ratios, line, color=colour, marker=marker, markersize=5)
    keys = [Line2D([], [], color="black", linestyle=line) for line, _ in zip(LINES, sizes, strict=False)]
    axes.legend(
        keys, [f"n = {n}" for n in sizes], frameon=False, loc="upper left", title="colours as on the left"
    )
    axes.set_ylim(0, most * 1.1)
    axes.set_xticks(range(1, most + 1))
    axes.set_xlabel("threads")
    axes.set_ylabel("times faster than one thread")
    axes.set_title("Speed-up with threads")


def _by_job(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    for job in dict.fromkeys(row.job for row in rows):
        yield job, [row for row in rows if row.job == job]
