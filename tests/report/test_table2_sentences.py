"""The sentences of table 2 on hand-made numbers: both signs, level, and p-values that are not known."""

from dataclasses import replace

import pytest

from toposcope.experiments.published_pairs import BLIMP_PHENOMENA, PairRow
from toposcope.experiments.results import ModelResult, PairScores, Score, Way, WayDifference, WayResult
from toposcope.experiments.ways import ENSEMBLE, FEW, OURS, STATES, WITH_STATES
from toposcope.pairs.profile import PROFILES as scoring
from toposcope.report.comparisons import Corrected
from toposcope.report.table2_sentences import (
    PROFILES,
    calibration,
    claims_of,
    differences,
    do_not_follow,
    enough_heads,
    ensemble_reaches,
    how_many_claims,
    on_a_new_phenomenon,
    own_pairs,
    pairs_words,
    points,
    profiles,
    says,
    weighted_heads,
)
from toposcope.stats.estimate import Estimate

RIVAL = Way(STATES, "weighted")


def reached(way, overall, phenomenon=0.5, error=None):
    phenomena = dict.fromkeys(BLIMP_PHENOMENA, phenomenon)
    scores = PairScores(100, Score(overall), Score(overall), phenomena, 0.0)
    return WayResult(way, scores, calibration_error=error)


def apart(left_out, value, rival=ENSEMBLE, p=None):
    ours, theirs = (replace(way, left_out=left_out) for way in (OURS, rival))
    return WayDifference(ours, theirs, Estimate(value, value - 0.01, value + 0.01), p)


def model(ways, gaps=(0.1, -0.1, -0.2, 0.2), ps=(None,) * 4, main=False):
    places = [(left, rival) for left in ("", "phenomenon") for rival in (ENSEMBLE, RIVAL)]
    found = [apart(left, gap, rival, p) for (left, rival), gap, p in zip(places, gaps, ps, strict=True)]
    return ModelResult("some-model", main, 100, 67, "", tuple(ways), tuple(found))


def test_an_ensemble_beside_the_published_one():
    assert ensemble_reaches("h0m", 84.8, 84.3) == "The H0M ensemble reaches 84.8, published 84.3 (+0.5)."
    assert ensemble_reaches("rtd", 80.0, 85.8) == "The RTD ensemble reaches 80.0, published 85.8 (-5.8)."


@pytest.mark.parametrize(("share", "above"), [(0.99, 12), (0.868, 4), (0.866, 3), (0.839, 0), (0.5, 0)])
def test_in_how_many_phenomena_people_are_behind(share, above):
    """People: 97.5 90.0 87.3 83.9 92.2 85.0 86.9 97.0 84.9 88.1 86.6 90.9; as good is not above."""
    assert weighted_heads(reached(OURS, 0.901, share)) == (
        f"Weighted heads (19 columns) reach 90.1, above the human row in {above} of 12 phenomena."
    )


def test_a_new_phenomenon():
    said = on_a_new_phenomenon(reached(OURS, 0.734))
    assert said == "On a phenomenon that was left out of the auxiliary pairs they reach 73.4."


@pytest.mark.parametrize(
    ("value", "p", "words"),
    [
        (0.097, None, "+9.7 [+8.7, +10.7] points"),
        (-0.021, None, "-2.1 [-3.1, -1.1] points"),
        (
            0.05,
            Corrected(0.001, 0.02),
            "+5.0 [+4.0, +6.0] points (p = 0.001, corrected 0.020: surely better)",
        ),
        (
            -0.05,
            Corrected(0.001, 0.02),
            "-5.0 [-6.0, -4.0] points (p = 0.001, corrected 0.020: surely worse)",
        ),
        (
            -0.05,
            Corrected(0.01, 0.2),
            "-5.0 [-6.0, -4.0] points (p = 0.010, corrected 0.200: not surely different)",
        ),
    ],
)
def test_differences_in_points(value, p, words):
    assert points(Estimate(value, value - 0.01, value + 0.01), p) == words


def test_each_rival_has_its_own_difference():
    found = model([])
    assert differences(found, "", {}) == (
        "That is against the RTD ensemble +10.0 [+9.0, +11.0] points and against the same regression on "
        "hidden states, without any topology, -10.0 [-11.0, -9.0] points."
    )
    new = differences(found, "phenomenon", {})
    assert "ensemble -20.0 [-21.0, -19.0] points and" in new
    assert new.endswith("topology, +20.0 [+19.0, +21.0] points.")


def test_differences_are_corrected_over_the_page():
    one = model([], ps=(0.001, 0.001, 0.02, 0.5))
    other = replace(one, model="another")
    single, both = claims_of([one]), claims_of([one, other])
    assert (len(single), len(both)) == (4, 8)
    assert differences(one, "", single).count("corrected 0.004: surely") == 2
    assert "p = 0.020, corrected 0.040: surely worse" in differences(one, "phenomenon", single)
    assert "p = 0.020, corrected 0.080: not surely different" in differences(one, "phenomenon", both)


def test_what_is_said_of_the_number_of_differences():
    known, unknown = model([], ps=(0.001, 0.001, 0.02, 0.5)), model([])
    said = how_many_claims([known, known], claims_of([known, replace(known, model="x")]))
    assert said == (
        "The sentences under the tables speak of 8 differences. Each interval is for one alone; the "
        "p-values (bootstrap over paradigms and pairs) are corrected for their number (Holm over the "
        "page), and what is called surely better or surely worse has a corrected one below 0.05."
    )
    without = how_many_claims([known, unknown], claims_of([known, unknown]))
    assert without == (
        "The sentences under the tables speak of 8 differences. Each interval is right for one of them "
        "alone and not corrected for their number: where nothing differs, one in twenty leaves 0 out."
    )
    assert how_many_claims([], {}) == ""


def test_how_many_pairs_are_equally_long():
    found = replace(model([]), pairs=66993)
    assert pairs_words(found) == "66,993 pairs of 67 paradigms."
    assert pairs_words(replace(found, equally_long=57614)) == (
        "66,993 pairs of 67 paradigms; in 57,614 of them (86%) both sentences have as many tokens, and "
        "*equally long* is the accuracy on these alone, the mean over their paradigms."
    )


def test_profiles_of_which_there_are_rows():
    every = [reached(Way("rtd", "top", profile), 0.5) for profile in ("notebook", "published", "strict")]
    assert profiles([model(every[2:])]) == (
        "Profiles: `strict` (sum of bars, alignment of unequal sentences, ties one half)."
    )
    names = profiles([model(every[:1]), model(every[1:])]).split("`")[1::2]
    assert names == ["strict", "published", "notebook"]
    assert profiles([model(every[:1]), model(every[2:])]) == (
        "Profiles: `strict` (sum of bars, alignment of unequal sentences, ties one half), `notebook` "
        f"({PROFILES['notebook']})."
    )
    assert set(PROFILES) == set(scoring)
    assert profiles([]) == ""


def test_our_own_pairs():
    assert own_pairs(88.51, 85.36, 86.4) == (
        "Chosen on pairs of our own generator alone they reach 88.5. With our own pairs added and the "
        "phenomenon left out of all, they reach 85.4, with hidden states beside them 86.4."
    )


@pytest.mark.parametrize(
    ("reaches", "words"),
    [
        ({1: 80, 2: 90, 3: 95}, "It takes 2 heads for 90 and 3 heads for 95 percent."),
        ({1: 90, 2: 94.99}, "It takes 1 head for 90 and more than 2 heads for 95 percent."),
        ({3: 96, 1: 89.9}, "It takes 3 heads for 90 and 3 heads for 95 percent."),
        ({1: 10, 80: 20}, "It takes more than 80 heads for 90 and more than 80 heads for 95 percent."),
    ],
)
def test_how_few_heads_are_enough(reaches, words):
    assert enough_heads(reaches) == words


def test_calibration():
    assert calibration(0.0071, 0.071) == (
        "Their log-odds are off by 0.007 on average (confidence against accuracy), on a new phenomenon "
        "by 0.071."
    )


def test_rows_that_do_not_follow_from_their_cells():
    cells = dict.fromkeys(BLIMP_PHENOMENA, 60.0) | {"anaphor_agreement": 72.0}
    good, bad = PairRow(60.4, cells), PairRow(61.0, cells)
    assert do_not_follow({"a": good}) == (
        "The overall of every published row is the mean over paradigms of its own cells."
    )
    assert do_not_follow({"a": good, "b": bad}) == (
        "Published rows whose overall does not follow from their own cells (1 of 2): b: 61.0, where its "
        "cells give 60.4 over paradigms and 61.0 over phenomena. That of the others is the mean over "
        "paradigms."
    )
    assert "b: 61.0, where its cells give 60.4 over paradigms and 61.0 over phenomena; c: 62.0, where" in (
        do_not_follow({"a": good, "b": bad, "c": PairRow(62.0, cells)})
    )
    said = do_not_follow()
    assert "(3 of 26)" in said
    assert "RTD, ensemble: 88.9, where its cells give 88.3 over paradigms and 89.1 over phenomena" in said


def test_only_the_main_model_speaks_of_what_only_it_was_asked():
    new, both = replace(OURS, left_out="phenomenon"), replace(OURS, source="both", left_out="phenomenon")
    brief = [reached(OURS, 0.955, error=0.007), reached(new, 0.844, error=0.071)]
    said = says(model(brief), {})
    assert said.startswith("**What it says.** Weighted heads (19 columns) reach 95.5, above the human")
    assert said.endswith("pseudo-log-likelihood of BERT-base, which needs no auxiliary pairs, is 84.2.")
    assert "ensemble reaches" not in said
    more = [
        reached(Way("h0m", "ensemble"), 0.8), reached(ENSEMBLE, 0.9), reached(both, 0.85),
        reached(replace(both, measure=WITH_STATES), 0.86), reached(replace(OURS, source="generated"), 0.88),
        *(reached(replace(OURS, keep=n), 0.9 + n / 1000) for n in FEW),
    ]  # fmt: skip
    whole = says(model([*brief, *more], main=True), {})
    order = [
        "The H0M ensemble reaches 80.0, published 84.3 (-4.3).",
        "The RTD ensemble reaches 90.0, published 85.8 (+4.2).",
        "reach 95.5",
        "against the RTD ensemble +10.0",
        "they reach 84.4",
        "against the RTD ensemble -20.0",
        "alone they reach 88.0. With our own",
        "they reach 85.0, with hidden states beside them 86.0. It takes 1 head for 90 and 80 heads for 95",
        "off by 0.007 on average (confidence against accuracy), on a new phenomenon by 0.071.",
    ]
    assert sorted(order, key=whole.index) == order
