"""Any text can be drawn: with the fonts that are there, or by the numbers of its characters."""

import io

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toposcope.figures import lettering as letters
from toposcope.figures.attention import arcs, attention_grid, attention_map, token_labels
from toposcope.figures.lettering import lettering

AWKWARD = [
    "我是学生。", "سلام", "🙂🤖👩\u200d🚀", "नमस्ते", "\x00\x1b", "\u200d\ufe0f", "$5 $x$ \\$", "\ud800",
    "\U0010ffff", "e\u0301\u0301\u0301", "",
]  # fmt: skip


def drawn(axes, kind="png"):
    """Warnings are errors here."""
    try:
        axes.figure.savefig(io.BytesIO(), format=kind)
        return [label.get_text() for label in axes.get_xticklabels()], axes.get_title()
    finally:
        plt.close(axes.figure)


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_pictures_of_any_script(kind):
    weights = np.random.default_rng(0).dirichlet(np.ones(len(AWKWARD)), len(AWKWARD))
    for draw, what in ((attention_map, weights), (arcs, [(0, 1, 0.5)])):
        labels, title = drawn(draw(what, AWKWARD, "我 $\\frac$"), kind)
        assert labels == token_labels(AWKWARD).texts
        assert title == lettering(["我 $\\frac$"]).texts[0]
    drawn(attention_grid(weights[None, None], "我🙂"), kind)


@settings(max_examples=15)
@given(st.text(max_size=20))
def test_no_text_warns(text):
    drawn(arcs([(0, 1, 0.5)], [text, "a"], text))


def test_what_no_font_has_is_written_as_numbers(monkeypatch):
    monkeypatch.setattr(letters, "_other_families", lambda missing: ((), missing))
    assert lettering(["我是 cat$ 人", "雨"]).texts == ["[U+6211 662F] cat\\$ [U+4EBA]", "[U+96E8]"]
    assert lettering(["a\nb\u200dc"]).texts == ["a b\N{REPLACEMENT CHARACTER}c"]


def test_other_fonts_step_in():
    """STIXGeneral has no Arabic, DejaVu Sans (part of matplotlib) has."""
    with matplotlib.rc_context({"font.family": ["STIXGeneral", "No Such Font"]}):
        (text, plain), family = lettering(["سلام", "cat"])
        assert (text, plain) == ("سلام", "cat")
        assert family[:2] == ["STIXGeneral", "No Such Font"]
        assert set("سلام") <= letters._drawn_by(family[2:])
        drawn(arcs([(0, 1, 0.5)], ["سلام", "a"], "سلام"))
    assert lettering(["cat"]).family == matplotlib.rcParams["font.family"]


def test_fonts_that_cannot_be_read_are_passed_over(tmp_path):
    broken = tmp_path / "broken.ttf"
    broken.write_bytes(b"nonsense")
    assert letters._characters(str(broken)) == frozenset()
    assert letters._characters(str(tmp_path / "nowhere.ttf")) == frozenset()
