"""Curves, steps, reliability and draws: what is in the arrays is in the picture, in the theme's colours."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from toposcope.figures.canvas import sheet
from toposcope.figures.lines import Curve, Draws, announced_and_true, curve_panels, reliability, steps
from toposcope.figures.palette import PALETTES

THEMES = pytest.mark.parametrize("theme", ["light", "dark"])


def texts(axis):
    return [text.get_text() for text in axis.get_legend().get_texts()]


@THEMES
def test_panels_of_curves(theme):
    colours = PALETTES[theme]
    curves = [Curve("one", (1, 10), (0.1, 0.2), (0, 0.1), (0.2, 0.3)), Curve("two", (1, 10), (0, 1), hue=1)]
    figure = curve_panels({"left": curves, "right": curves[:1]}, "x", "y", 2, ticks=(1, 10), theme=theme)
    left, right = figure.axes
    assert (left.get_title(), right.get_title()) == ("left", "right")
    assert [list(line.get_ydata()) for line in left.lines] == [[0.1, 0.2], [0, 1]]
    assert [line.get_color() for line in left.lines] == [colours.blue, colours.orange]
    assert len(left.collections) == 1  # only one knows how sure it is
    assert texts(right) == ["one", "two"]  # of all curves, though one is on the left only
    assert left.get_xscale() == "log"
    assert [tick.get_text() for tick in left.get_xticklabels()] == ["1", "10"]
    assert (figure.get_supxlabel(), figure.get_supylabel()) == ("x", "y")
    assert to_hex(figure.get_facecolor()).upper() == colours.background


@pytest.mark.parametrize(("panels", "places"), [(1, 2), (3, 4), (4, 6)])
def test_the_legend_has_a_place_of_its_own_where_there_are_rows(panels, places):
    curves = [Curve("one", (1, 2), (1, 2))]
    figure = curve_panels({str(k): curves for k in range(panels)}, "x", "y", columns=2)
    assert len(figure.axes) == places
    legends = [k for k, axis in enumerate(figure.axes) if axis.get_legend()]
    assert legends == [panels]
    assert not figure.axes[panels].axison
    lowest = figure.axes[max(0, panels - 2) : panels]
    figure.draw_without_rendering()
    assert all(axis.get_xticklabels()[0].get_visible() for axis in lowest)


@THEMES
def test_steps(theme):
    x, counts = np.array([0, 0.5, 2]), {"edges": np.array([9, 4, 0]), "b0": np.ones(3), "b1": np.zeros(3)}
    axis = steps(x, counts, "threshold", True, sheet(5, 3, theme).subplots(), theme)
    assert texts(axis) == ["edges", "b0", "b1"]
    assert [list(line.get_ydata()) for line in axis.lines] == [[9, 4, 0], [1, 1, 1], [0, 0, 0]]
    assert {line.get_drawstyle() for line in axis.lines} == {"steps-pre"}
    assert axis.get_xlim() == (0, 2)
    assert axis.get_xlabel() == "threshold"
    colours = PALETTES[theme]
    assert [line.get_color() for line in axis.lines] == [colours.muted, colours.gold, colours.blue]


@THEMES
def test_reliability(theme):
    curves = [Curve(f"set {k}", (0.1, 0.9), (0.2, 0.8)) for k in range(7)]
    figure = reliability(curves, theme)
    (axis,) = figure.axes
    colours = PALETTES[theme]
    diagonal, *drawn = axis.lines
    assert list(diagonal.get_xdata()) == list(diagonal.get_ydata()) == [0, 1]
    hues = [colours.ink, *colours.accents]
    assert [line.get_color() for line in drawn] == [*hues, hues[0]]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [f"set {k}" for k in range(7)]
    figure.draw_without_rendering()
    legend, plot = figure.legends[0].get_window_extent(), axis.get_window_extent()
    assert legend.y0 >= plot.y1  # it hides no curve
    assert legend.x1 <= figure.bbox.x1


@THEMES
def test_draws(theme):
    few = Draws("50", (0.3, 0.1), (0.2, 0.0), (0.4, 0.2), (0.33, 0.11))
    figure = announced_and_true(
        {"true": [few, few._replace(label="100")], "random": [few]}, "n", "MCC", theme
    )
    true, random = figure.axes
    assert [tick.get_text() for tick in true.get_xticklabels()] == ["50", "100"]
    announced, came_true = true.lines[:2]
    assert list(announced.get_ydata()) == [0.1, 0.3]  # ascending
    assert list(came_true.get_ydata()) == [0.11, 0.33]  # each beside its own
    bars = [segment[:, 1].tolist() for segment in true.collections[0].get_segments()]
    assert bars == [[0.0, 0.2], [0.2, 0.4]]
    assert texts(true) == ["announced", "came true"]
    colours = PALETTES[theme]
    assert (announced.get_color(), came_true.get_color()) == (colours.blue, colours.orange)
    assert (true.get_title(), random.get_title(), true.get_ylabel()) == ("true", "random", "MCC")
