"""A first look: the toy graph of the paper, two attention maps, and how their shapes differ.

Run with ``make demo``. Prints barcodes, counts per threshold and RTD both ways, and writes one
picture, out/first_steps.svg (and .png).
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

import toposcope as ts
from toposcope.figures.canvas import save
from toposcope.figures.palette import LIGHT

# The paper's toy graph (its appendix): four vertices; the tree edges weigh .7, .6 and .5.
TOY = np.array(
    [
        [0.0, 0.7, 0.2, 0.1],
        [0.7, 0.0, 0.6, 0.3],
        [0.2, 0.6, 0.0, 0.5],
        [0.1, 0.3, 0.5, 0.0],
    ]
)
# Two attention maps of five tokens, rows = queries.
A = np.array(
    [
        [0.50, 0.20, 0.10, 0.10, 0.10],
        [0.30, 0.10, 0.40, 0.10, 0.10],
        [0.05, 0.60, 0.05, 0.20, 0.10],
        [0.10, 0.10, 0.30, 0.20, 0.30],
        [0.02, 0.03, 0.05, 0.80, 0.10],
    ]
)
B = np.array(
    [
        [0.40, 0.30, 0.10, 0.10, 0.10],
        [0.20, 0.20, 0.35, 0.15, 0.10],
        [0.10, 0.20, 0.20, 0.30, 0.20],
        [0.25, 0.05, 0.30, 0.10, 0.30],
        [0.10, 0.10, 0.10, 0.60, 0.10],
    ]
)
OUT = Path("out")


def main() -> None:
    """Walk through the three parts and draw the picture."""
    show_toy()
    show_counts("A", A)
    show_counts("B", B)
    show_divergence()
    print(f"\npicture: {draw()}")


def show_toy() -> None:
    """Barcode and Betti numbers of the toy graph."""
    print("The paper's toy graph: four vertices, strong edges .7 .6 .5")
    print("  ", ts.barcode(TOY))
    print(f"   H0S = {ts.h0_sum(TOY):.4g}, H0M = {ts.h0_mean(TOY):.4g}")
    curves = ts.threshold_curves(TOY, self_loops=False)
    for tau in (0.0, 0.4, 1.0):
        counts = curves.at(tau)
        print(
            f"   tau = {tau:<4g} {counts['edges'] // 2} edges, "
            f"betti0 = {counts['betti0']}, betti1 = {counts['betti1']}"
        )


def show_counts(name: str, attention: np.ndarray) -> None:
    """Barcodes and counts per threshold of one map."""
    print(f"\nMap {name}: five tokens")
    print("  ", ts.barcode(attention, 0), " ", ts.barcode(attention, 1))
    thresholds = (0.025, 0.05, 0.1, 0.25, 0.5, 0.75)
    counts = ts.threshold_counts(attention, thresholds)
    print("   tau   ", *(f"{column:>7}" for column in counts))
    for k, tau in enumerate(thresholds):
        print(f"   {tau:<6g}", *(f"{column[k]:7.4g}" for column in counts.values()))


def show_divergence() -> None:
    """RTD both ways with its two parts, in both symmetrisations."""
    print("\nHow they differ: RTD, the part from components (H0) and the part from cycles")
    for symmetry in ("max", "upper"):
        d = ts.rtd_both(A, B, symmetry)
        preferred = "A" if d.ab_sum < d.ba_sum else "B"
        for pair, total, h0, cycles, bars in (
            ("A, B", d.ab_sum, d.ab_h0, d.ab_cycles, ts.rtd_barcode(A, B, symmetry)),
            ("B, A", d.ba_sum, d.ba_h0, d.ba_cycles, ts.rtd_barcode(B, A, symmetry)),
        ):
            parts = f"{h0:.3f} (H0) + {cycles:.3f} (cycles)"
            print(f"   {symmetry:<6} RTD({pair}) = {total:.3f} = {parts}   {bars}")
        print(f"   {symmetry:<6} prefers {preferred}")


def draw() -> Path:
    """One picture: maps, barcodes, RTD."""
    figure, axes = plt.subplots(2, 3, figsize=(12, 6.4), layout="constrained", width_ratios=[1, 1.3, 1.3])
    pairs = (("A", A, "B", B), ("B", B, "A", A))
    for row, (name, attention, other_name, other) in zip(axes, pairs, strict=True):
        draw_map(row[0], name, attention)
        ts.plot_barcodes([ts.barcode(attention, 0), ts.barcode(attention, 1)], row[1])
        row[1].set_title(f"barcode of {name}")
        ts.rtd_barcode(attention, other).plot(row[2])
        row[2].set_title(f"RTD({name}, {other_name}) = {ts.rtd(attention, other):.3f}")
    figure.suptitle("Two attention maps, their barcodes, and how their shapes differ")
    OUT.mkdir(exist_ok=True)
    figure.savefig(OUT / "first_steps.png", dpi=110)
    save(figure, OUT / "first_steps.svg")
    return OUT / "first_steps.svg"


def draw_map(ax: Axes, name: str, attention: np.ndarray) -> None:
    """One attention map with its numbers."""
    ax.imshow(attention, cmap=LIGHT.strength, vmin=0, vmax=1)
    for (i, j), weight in np.ndenumerate(attention):
        colour = LIGHT.background if weight > 0.5 else LIGHT.ink
        ax.text(j, i, f"{weight:.2f}", ha="center", va="center", color=colour)
    ax.set(title=f"attention map {name}", xlabel="key", ylabel="query", xticks=range(5), yticks=range(5))


if __name__ == "__main__":
    main()
