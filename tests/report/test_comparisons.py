"""p-values of a page, corrected, and what differences are called: of both signs and of none."""

import pytest

from toposcope.report.comparisons import SURE, Corrected, corrected, standing, verdict


def test_p_values_are_corrected_for_their_number():
    found = corrected({"a": 0.01, "b": 0.5, "c": None})
    assert found == {"a": Corrected(0.01, 0.02), "b": Corrected(0.5, 0.5), "c": Corrected(None, 0.003)}
    assert corrected({}) == {}


@pytest.mark.parametrize(
    ("p", "words"),
    [
        (Corrected(0.02, 0.24), "p = 0.020, corrected 0.240"),
        (Corrected(0.0002, 0.0204), "p < .001, corrected 0.020"),
        (Corrected(None, 0.102), "p < .001, corrected at most 0.102"),
    ],
)
def test_p_values_in_words(p, words):
    assert str(p) == words


@pytest.mark.parametrize(
    ("difference", "p", "expected"),
    [
        (0.1, 0.049, "better"),
        (-0.1, 0.049, "worse"),
        (0.0, 0.0, "open"),
        (0.1, SURE, "open"),
        (-0.1, SURE, "open"),
        (-0.1, 1.0, "open"),
    ],
)
def test_what_is_sure_by_the_corrected_p_value(difference, p, expected):
    assert SURE == 0.05
    assert standing(difference, Corrected(0.0002, p)) == expected


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        ("better", "better", "surely better on both sets"),
        ("worse", "worse", "surely worse on both sets"),
        ("open", "open", "no difference is sure"),
        ("better", "worse", "surely better in domain, surely worse out of domain"),
        ("worse", "open", "surely worse in domain, not surely different out of domain"),
        ("open", "better", "not surely different in domain, surely better out of domain"),
    ],
)
def test_verdicts_in_words(one, other, words):
    assert verdict({"in domain": one, "out of domain": other}) == words
