"""Sentences of the smaller pages on hand-made numbers."""

import pytest

from toposcope.experiments.results import EnoughHeads, PreferredParadigm, Score
from toposcope.report.aux_data import enough
from toposcope.report.generator import notes, overall_words
from toposcope.report.heads import enough_words
from toposcope.report.markdown import decimal, p_value, percent, table, words


@pytest.mark.parametrize(
    ("means", "expected"),
    [
        ({1: 70.0, 5: 84.0, 10: 85.0}, "70.0 from a single pair of each paradigm, 85.0 from 10; N = 5"),
        ({1: 70.0, 5: 83.9, 10: 85.0}, "70.0 from a single pair of each paradigm, 85.0 from 10; N = 10"),
        ({1: 84.0, 5: 80.0, 10: 85.0}, "84.0 from a single pair of each paradigm, 85.0 from 10; N = 10"),
        ({1: 90.0, 5: 88.0, 10: 85.0}, "90.0 from a single pair of each paradigm, 85.0 from 10; N = 1"),
        ({2: 84.5, 10: 85.0}, "84.5 from 2 pairs of each paradigm, 85.0 from 10; N = 2"),
    ],
)
def test_from_how_many_auxiliary_pairs_on_there_is_no_loss(means, expected):
    told, _, near = expected.partition("; ")
    assert enough("x", means) == f"x: {told}; not more than a point below that from {near} on."


def test_how_few_heads_are_enough():
    assert enough_words(EnoughHeads("h0m", 0.3684, {"correlation": 96, "l1": 1})) == (
        "h0m: 95 % of the best cross-validated MCC (0.368) with 96 heads by correlation, 1 head by l1."
    )


def test_how_often_the_model_is_right():
    assert overall_words(Score(0.9213, 0.9, 0.94), 0.4561) == (
        "Overall, mean of paradigms: **92.1 [90.0, 94.0]**. The shorter sentence (in words, equal "
        "lengths half a point) is the good one in 45.6% of the pairs."
    )


def test_paradigms_that_need_a_note():
    found = [
        PreferredParadigm("weak", 0.549, "a", "b", "so"),
        PreferredParadigm("firm", 0.55, "a", "b", "so"),
    ]
    assert notes(found) == "- `weak`: so"
    assert notes([PreferredParadigm("weak", 0.1, "a", "b")]) == "- `weak`: (no note yet)"
    assert notes(found[1:]) == ""


@pytest.mark.parametrize(
    ("p", "words"),
    [(0.277, "= 0.277"), (1.0, "= 1.000"), (0.001, "= 0.001"), (0.00099, "< .001"), (None, "< .001")],
)
def test_p_values(p, words):
    assert p_value(p) == words


def test_numbers_on_pages():
    assert decimal(Score(0.5866, 0.51, 0.661, 0.0018)) == "0.587 ±0.002 [0.510, 0.661]"
    assert decimal(Score(-0.25)) == "-0.250"
    assert decimal(Score(0.5, low=0.1)) == "0.500"
    assert percent(Score(0.826, 0.794, 0.858)) == "82.6 [79.4, 85.8]"
    assert percent(Score(0.8264)) == "82.6"
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"
    assert words("island_effects_x") == "island effects x"
