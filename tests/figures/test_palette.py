"""Colours can be told from the page and from each other, also by those who cannot tell red from green."""

from dataclasses import asdict
from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb

from toposcope.figures.palette import ANYWHERE, DARK, LIGHT, PALETTES

# Machado, Oliveira and Fernandes (2009), full deuteranopia, on linear RGB
DEUTERANOPIA = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
)
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ.sum(1)


def linear(colour):
    channels = np.array(to_rgb(colour))
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def luminance(colour):
    return float(TO_XYZ[1] @ linear(colour))


def contrast(one, other):
    """WCAG 2.1."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def lab(channels):
    """CIE L*a*b* of linear RGB."""
    ratios = TO_XYZ @ np.clip(channels, 0, 1) / WHITE
    x, y, z = np.where(ratios > 0.008856, np.cbrt(ratios), 7.787 * ratios + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def apart(one, other, seen):
    return np.linalg.norm(lab(seen @ linear(one)) - lab(seen @ linear(other)))


def test_the_measures_measure():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert apart("#000000", "#FFFFFF", np.eye(3)) == pytest.approx(100, abs=0.1)
    assert apart("#D00000", "#6B6B00", DEUTERANOPIA) < 20  # red and olive
    assert apart("#D00000", "#6B6B00", np.eye(3)) > 60


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_contrast(palette):
    for text in (palette.ink, palette.muted):
        assert contrast(text, palette.background) >= 4.5
    assert 1.1 < contrast(palette.faint, palette.background) < 1.6
    for mark in palette.accents:
        assert contrast(mark, palette.background) >= 3
    assert contrast(palette.sequential[-1], palette.background) >= 10


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
@pytest.mark.parametrize("eye", [np.eye(3), DEUTERANOPIA], ids=["usual", "deuteranopia"])
def test_accents_differ(palette, eye):
    for one, other in combinations(palette.accents, 2):
        assert apart(one, other, eye) >= 20, (one, other)
    assert apart(palette.blue, palette.orange, eye) >= 90  # the two sides


def test_pieces_of_html_are_seen_on_both_pages():
    for colour in asdict(ANYWHERE).values():
        for page in (LIGHT.background, DARK.background):
            assert contrast(colour, page) >= 3, colour
    assert apart(ANYWHERE.blue, ANYWHERE.orange, DEUTERANOPIA) >= 80


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
@pytest.mark.parametrize("eye", [np.eye(3), DEUTERANOPIA], ids=["usual", "deuteranopia"])
def test_maps_go_one_way(palette, eye):
    """More is always further from nothing: the background, or the middle of two sides."""
    far = [apart(to_hex(palette.strength(at)), palette.background, eye) for at in np.linspace(0, 1, 20)]
    assert far[0] == 0
    assert np.all(np.diff(far) > 0)
    middle = to_hex(palette.sides(0.5))
    for side in (np.linspace(0.5, 1, 9), np.linspace(0.5, 0, 9)):
        far = [apart(to_hex(palette.sides(at)), middle, eye) for at in side]
        assert np.all(np.diff(far) > 0)
    assert to_hex(palette.sides(1.0)) == palette.blue.lower()
    assert to_hex(palette.sides(0.0)) == palette.orange.lower()


def test_bars_have_the_papers_hues():
    assert [LIGHT.bar(name) for name in ("H0", "H1", "RTD", "else")] == [
        LIGHT.gold, LIGHT.blue, LIGHT.orange, LIGHT.muted,
    ]  # fmt: skip
