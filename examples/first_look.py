"""A first look at real attention: the paper's pair of sentences through a real model.

Run with ``make demo``. Loads bert-base-cased where it can be had (else a smaller model, and says
so), prints which heads prefer the acceptable sentence and what the language model itself says, and
writes one picture, out/first_look.svg (and .png).
"""

import time
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from rich.console import Console
from rich.table import Table

import toposcope as ts
from toposcope.figures.canvas import save
from toposcope.figures.palette import LIGHT

GOOD, BAD = "Cheryl had trained Tara.", "Cheryl had murmured Tara."
JUDGED = ["What did Betsy paint a picture of?", "Maryann should leaving."]
OUT = Path("out")
SHOWN = 5  # heads in the table
console = Console()


def main() -> None:
    """Load, measure, tell, draw."""
    scope = ts.load("auto")
    console.print(f"[bold]{scope.note}[/bold]")
    console.print(f"{scope}\n\n  acceptable      {GOOD}\n  not acceptable  {BAD}\n")
    start = time.perf_counter()
    good, bad = scope.h0_mean([GOOD, BAD])
    taken = time.perf_counter() - start
    margin = bad - good  # H0M is smaller for the acceptable sentence
    tell_heads(margin, taken)
    tell_language_model(scope)
    tell_judge(scope)
    head = tuple(int(i) for i in np.unravel_index(margin.argmax(), margin.shape))
    console.print(f"\npicture: {draw(scope, margin, head)}")


def tell_heads(margin: np.ndarray, taken: float) -> None:
    """How many heads find the acceptable sentence, and the clearest of them."""
    console.print(f"{margin.size} heads, one pass, {taken * 1000:.0f} ms (the very first one).")
    console.print(f"{np.mean(margin > 0):.0%} of them find the acceptable sentence by H0M; the clearest:\n")
    table = Table("head", "H0M, not acceptable - acceptable")
    for place in np.argsort(-margin, axis=None)[:SHOWN]:
        layer, head = np.unravel_index(place, margin.shape)
        table.add_row(f"L{layer}.H{head}", f"{margin[layer, head]:+.3f}")
    console.print(table)
    console.print("Which heads to trust in general is chosen on other sentences, never on these two.")


def tell_language_model(scope: ts.Scope) -> None:
    """The baseline that people know."""
    try:
        scores = scope.score([GOOD, BAD])
    except ts.ModelError as error:
        console.print(f"\nno language-model score: {error}")
        return
    a, b = scores.sum()
    console.print(f"\nThe language model itself ({scores.method}): {a:.1f} against {b:.1f}.")


def tell_judge(scope: ts.Scope) -> None:
    """What the judge that comes with toposcope says of single sentences."""
    try:
        judge = ts.Judge.load("english").on(scope)
    except ts.ModelError as error:
        console.print(f"\nno verdict: {error}")
        return
    console.print("\nThe English judge, on one sentence at a time:")
    for verdict in judge([*JUDGED, GOOD, BAD]):
        word = "[green]acceptable    [/]" if verdict.acceptable else "[red]not acceptable[/]"
        console.print(f"  {word}  {verdict.probability:.2f}  {verdict.text}")


def draw(scope: ts.Scope, margin: np.ndarray, head: tuple[int, int]) -> Path:
    """The clearest head on both sentences, its barcodes, and the margins of all heads."""
    figure, axes = plt.subplots(2, 3, figsize=(14, 8.4), layout="constrained", width_ratios=[1.2, 1.1, 1])
    for row, text in zip(axes, (GOOD, BAD), strict=True):
        one = scope.attention(text)[head]
        one.plot(row[0])
        row[0].set_title(f"{text}  ({one.name})")
        bars = ts.barcode(one, symmetry="upper")
        bars.plot(row[1])
        row[1].set_title(f"its barcode: H0M = {ts.h0_mean(one, 'upper'):.3f}")
    axes[1, 2].remove()
    axes[0, 2].remove()
    grid = figure.add_subplot(axes[0, 0].get_gridspec()[:, 2])
    most = np.abs(margin).max()
    image = grid.imshow(margin, cmap=LIGHT.sides, vmin=-most, vmax=most)
    grid.set(title="all heads", xlabel="head", ylabel="layer")
    figure.colorbar(image, ax=grid, shrink=0.6, label="blue: prefers the acceptable sentence")
    figure.suptitle(f"One head of {scope.name} on a minimal pair, and all of them")
    OUT.mkdir(exist_ok=True)
    figure.savefig(OUT / "first_look.png", dpi=100)
    save(figure, OUT / "first_look.svg")
    return OUT / "first_look.svg"


if __name__ == "__main__":
    main()
