"""Barcodes are drawn bar by bar, and their small picture for notebooks too."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

from toposcope.figures.bars import MOST_ROWS, Bars, barcode_html, barcode_rows
from toposcope.figures.canvas import sheet
from toposcope.figures.palette import ANYWHERE, LIGHT, PALETTES

H0 = Bars("H0", np.zeros(3), np.array([0.5, 0.2, 1.5]))
H1 = Bars("H1", np.array([0.25]), np.array([0.75]))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_rows(theme):
    axis = barcode_rows([H0, H1], theme=theme)
    rows = [(bar.get_x(), bar.get_width()) for bar in axis.patches]
    assert rows == [(0, 0.2), (0, 0.5), (0, 1.5), (0.25, 0.5)]
    colours = PALETTES[theme]
    drawn = [to_hex(bar.get_facecolor()).upper() for bar in axis.patches]
    assert drawn == [colours.gold] * 3 + [colours.blue]
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["H0 (3)", "H1 (1)"]
    assert all(to_hex(t.get_color()).upper() == colours.ink for t in axis.get_legend().get_texts())
    assert axis.get_xlim() == (0, 1.5)
    keys = [to_hex(key.get_facecolor()).upper() for key in axis.get_legend().get_patches()]
    assert keys == [colours.gold, colours.blue]
    assert len({round(bar.get_y(), 6) for bar in axis.patches}) == 4  # none on another
    plt.close(axis.figure)


@pytest.mark.parametrize("bars", [1, 4, 12, 40])
def test_the_legend_hides_no_bar(bars):
    for given in (None, sheet(4, 3).subplots()):
        axis = barcode_rows([Bars("H0", np.zeros(bars), np.ones(bars)), H1], given)
        axis.figure.draw_without_rendering()
        highest = max(bar.get_window_extent().y1 for bar in axis.patches)
        assert axis.get_legend().get_window_extent().y0 >= highest
        plt.close(axis.figure)


def test_no_bars():
    axis = barcode_rows([Bars("H1", np.zeros(0), np.zeros(0))])
    assert axis.get_xlim() == (0, 1)
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["H1 (0)"]
    assert to_hex(axis.get_legend().get_patches()[0].get_facecolor()).upper() == LIGHT.blue
    plt.close(axis.figure)


def test_html():
    page = barcode_html(H1._replace(name="<RTD>"), 0.5)
    assert "&lt;RTD&gt;: 1 bars, sum 0.5" in page
    assert re.findall(r'<rect x="([\d.]+)" y="0" height="5" width="([\d.]+)" fill="(\S+)"/>', page) == [
        ("105.0", "210.0", ANYWHERE.muted)
    ]
    assert f'fill="{ANYWHERE.gold}"' in barcode_html(H0, 2.2)
    many = barcode_html(Bars("H0", np.zeros(99), np.ones(99)), 99)
    assert many.count("<rect") == MOST_ROWS
    assert f"the first {MOST_ROWS} drawn" in many
