"""Pictures of numbers that depend on a number: curves with their spread, steps, reliability, intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from toposcope.figures.canvas import SMALL, axes, dress, legend, sheet
from toposcope.figures.palette import Theme, palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BAND = 0.15  # opacity of a spread
WIDTH = 1.5


class Curve(NamedTuple):
    """Points of one curve, ascending in x; ``low`` and ``high`` say how sure they are, if anything does.

    ``hue`` is its place among the accents of the palette, curves that belong together share it.
    """

    label: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    hue: int = 0
    style: str = "-"


class Draws(NamedTuple):
    """What each of several draws announced, with an interval, and what came true of it."""

    label: str
    announced: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    came_true: Sequence[float]


def curve_panels(
    panels: Mapping[str, Sequence[Curve]],
    xlabel: str,
    ylabel: str,
    columns: int,
    panel_inches: tuple[float, float] = (4.5, 3.6),
    ticks: Sequence[int] | None = None,
    theme: Theme = "light",
) -> Figure:
    """Panels of curves on the same axes, each under its title; ``ticks`` makes the x-axis logarithmic."""
    places = len(panels) + (len(panels) > columns)  # where there are rows, one place is the legend's
    rows = -(-places // columns)
    width, height = panel_inches
    figure = sheet(width * columns, height * rows, theme)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for axis, (name, curves) in zip(grid, panels.items(), strict=False):
        colours = dress(axis, theme)
        for curve in curves:
            colour = colours.accents[curve.hue % len(colours.accents)]
            axis.plot(curve.x, curve.y, curve.style, color=colour, label=curve.label, linewidth=WIDTH)
            if curve.low is not None and curve.high is not None:
                axis.fill_between(curve.x, curve.low, curve.high, color=colour, alpha=BAND, linewidth=0)
        if ticks:
            axis.set_xscale("log")
            axis.set_xticks(ticks, [str(tick) for tick in ticks])
            axis.minorticks_off()
        axis.set_title(name, fontsize=9)
    for axis in grid[len(panels) :]:
        axis.axis("off")
    for axis in grid[max(0, len(panels) - columns) : len(panels)]:  # there may be nothing below
        axis.tick_params(labelbottom=True)
    ink = palette(theme).ink
    figure.supxlabel(xlabel, color=ink, fontsize=10)
    figure.supylabel(ylabel, color=ink, fontsize=10)
    apart = len(grid) > len(panels)
    legend(
        grid[len(panels)] if apart else grid[-1], theme, fontsize=SMALL,
        handles=grid[0].get_legend_handles_labels()[0], loc="center" if apart else "best",
    )  # fmt: skip
    return figure


def steps(
    x: np.ndarray, counts: Mapping[str, np.ndarray], xlabel: str, before: bool,
    ax: Axes | None = None, theme: Theme = "light",
) -> Axes:  # fmt: skip
    """Counts that change in steps, ``before`` or at the places x."""
    ax = ax or axes(5, 3, theme)
    colours = dress(ax, theme)
    looks = ((colours.muted, ":"), (colours.gold, "-"), (colours.blue, "--"))
    for (name, values), (colour, style) in zip(counts.items(), looks, strict=True):
        ax.step(x, values, where="pre" if before else "post", label=name, color=colour, linestyle=style)
    ax.set_xlim(0, float(x[-1]))
    ax.set_yscale("symlog", linthresh=10)
    ax.set_ylim(bottom=0)
    ax.set(xlabel=xlabel, ylabel="number")
    legend(ax, theme)
    return ax


def reliability(curves: Sequence[Curve], theme: Theme = "light") -> Figure:
    """Shares that are acceptable against probabilities as said; on the diagonal they are equal."""
    figure = sheet(4.2, 4.0 + 0.18 * len(curves), theme)
    axis = figure.subplots()
    colours = dress(axis, theme)
    axis.plot([0, 1], [0, 1], color=colours.muted, linewidth=1, linestyle=":")
    hues = (colours.ink, *colours.accents)
    for k, curve in enumerate(curves):
        axis.plot(
            curve.x,
            curve.y,
            "o-",
            color=hues[k % len(hues)],
            label=curve.label,
            linewidth=WIDTH,
            markersize=4,
            clip_on=False,  # points at 0 and 1 are whole
        )
    axis.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axis.set(xlabel="probability of being acceptable, as said", ylabel="share that is acceptable")
    figure.legend(loc="outside upper left", frameon=False, fontsize=SMALL, labelcolor=colours.ink)
    return figure


def announced_and_true(
    panels: Mapping[str, Sequence[Draws]], xlabel: str, ylabel: str, theme: Theme = "light"
) -> Figure:
    """Announced intervals as lines with a point, what came true as dashes, draws of a size side by side."""
    figure = sheet(8, 3.6, theme)
    widths = [max(1, len(groups)) for groups in panels.values()]
    grid = figure.subplots(1, len(panels), sharey=True, width_ratios=widths, squeeze=False)[0]
    for axis, (name, groups) in zip(grid, panels.items(), strict=True):
        colours = dress(axis, theme)
        for k, draws in enumerate(groups):
            order = np.argsort(draws.announced, kind="stable")
            places = k + np.linspace(-0.35, 0.35, len(order))
            announced, low, high, true = (np.asarray(values)[order] for values in draws[1:])
            axis.vlines(places, low, high, color=colours.blue, alpha=0.4)
            axis.plot(places, announced, ".", color=colours.blue, label="" if k else "announced")
            axis.plot(
                places,
                true,
                "_",
                color=colours.orange,
                markeredgewidth=WIDTH,
                label="" if k else "came true",
            )
        axis.set_xticks(range(len(groups)), [draws.label for draws in groups])
        axis.axhline(0, color=colours.muted, linewidth=0.8, zorder=0)
        axis.set_title(name, fontsize=10)
        axis.set_xlabel(xlabel)
    grid[0].set_ylabel(ylabel)
    legend(grid[0], theme, loc="lower right", fontsize=SMALL)
    return figure
