"""Maps, grids and trees show what they were given, in the colours of their theme."""

import io

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

from toposcope.figures.attention import arcs, attention_grid, attention_map, inches
from toposcope.figures.palette import PALETTES


def test_every_edge_is_drawn():
    axes = arcs([(0, 1, 0.9), (0, 4, 0.1)], list("abcd$"), "a tree")
    assert [arc.width for arc in axes.patches] == [1, 4]
    strong, weak = axes.patches
    assert strong.get_linewidth() > weak.get_linewidth()
    assert axes.get_ylim()[1] > 2  # the wide arc has room
    plt.close(axes.figure)


def test_long_tokens_are_cut_and_have_room():
    axes = attention_map(np.eye(2), ["x" * 50, "short"])
    assert [label.get_text() for label in axes.get_yticklabels()] == ["x" * 19 + "…", "short"]
    axes.figure.savefig(io.BytesIO())  # without room matplotlib warns
    plt.close(axes.figure)
    assert inches(["ab"]) < inches(["a" * 20]) < inches(["雨" * 20])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_themes(theme):
    colours = PALETTES[theme]
    for axes in (
        attention_map(np.eye(2), ["a", "b"], "one", theme=theme),
        attention_grid(np.ones((2, 3, 4, 4)), "all", theme=theme),
        arcs([(0, 1, 0.5)], ["a", "b"], "tree", theme=theme),
    ):
        assert to_hex(axes.figure.get_facecolor()) == colours.background.lower()
        assert axes.title.get_color() == colours.ink
        assert {label.get_color() for label in axes.get_xticklabels()} == {colours.ink}
        plt.close(axes.figure)
