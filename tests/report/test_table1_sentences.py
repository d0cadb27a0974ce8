"""The sentences of table 1 on hand-made numbers: both signs, level, and what was not kept."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.report.made import gain, result, row
from toposcope.experiments.data import setting_results
from toposcope.experiments.published import Impossible
from toposcope.experiments.published import Score as Published
from toposcope.experiments.results import Score
from toposcope.experiments.settings import SETTINGS
from toposcope.features.spec import FLOOR, FeatureSpec
from toposcope.report.table1_sentences import (
    FOLLOWS_CODE,
    THEIRS,
    Claim,
    beside_published,
    claims_of,
    compared,
    exact_words,
    follows_code,
    how_many_claims,
    impossible,
    placed,
    split_words,
    splits,
    what_topology_adds,
    which_way,
    words_of,
)
from toposcope.stats.estimate import Estimate
from toposcope.stats.metrics import ROUNDS
from toposcope.topology.patterns import PATTERNS, pattern_distances
from toposcope.topology.thresholds import threshold_counts

DOCS = Path(__file__).parents[2] / "docs" / "results"
FROZEN, LORA = SETTINGS[0], SETTINGS[1]


def setting(name):
    return next(one for one in SETTINGS if one.name == name)


def says(found):
    return what_topology_adds(found, claims_of([found]))


def test_all_tests_of_a_page_are_corrected_together():
    one = result((gain(0.1, 0.01, 0.04), gain(0.1, 0.9, 0.5)))
    two = replace(one, setting="bert-base-cased/cola/lora")
    single, both = claims_of([one]), claims_of([one, two])
    assert (len(single), len(both)) == (4, 8)
    key = Claim(one.setting, "topology", "dev")
    assert (single[key].p, single[key].corrected) == (0.01, pytest.approx(0.04))
    assert both[key].corrected == pytest.approx(0.08)
    assert single[Claim(one.setting, "topology", "dev", "mcnemar")].corrected == pytest.approx(0.12)


def test_topology_alone_is_tested_too_but_not_by_mcnemar():
    found = result((gain(0.1, 0.01, 0.04), gain(0.1, 0.9, 0.5)), (gain(-0.2, 0.3), gain(-0.3, 0.4)))
    claims = claims_of([found])
    assert len(claims) == 6
    assert claims[Claim(found.setting, "h0m", "test")].p == 0.4
    assert Claim(found.setting, "h0m", "test", "mcnemar") not in claims


def test_how_many_claims_there_are():
    """Counted is what stands in the table: here one row has a p-value on dev alone, one on test alone."""
    found = result((gain(0.1, 0.01, 0.04), gain(0.1, 0.9, 0.5)), (gain(-0.2), gain(-0.3)))
    more = (
        row("tda", gains=(gain(0.1), None)),
        row("x", gains=(None, gain(0.1))),
        row("y", gains=(None, None)),
    )
    found = replace(found, rows=(*found.rows, *more))
    assert how_many_claims([found], claims_of([found])) == (
        "The tables hold 6 p-values as they are: where nothing differs, one in twenty of them is below "
        "0.05 all the same. The sentences under the tables make 6 tests. Each p-value of these stands "
        "beside the one that is corrected for their number (Holm over the page), and what is called "
        "surely better or surely worse has a corrected one below 0.05. Of what was carried over as p < "
        ".001 only that bound is known, so its correction is a bound, too. McNemar's test counts, with "
        "the first seed, the sentences that only one of the two gets right."
    )
    single = replace(found, rows=(*found.rows[:2], more[0]), alone="topology")
    assert how_many_claims([single], claims_of([single])).startswith("The tables hold 3 p-values")


def test_a_difference_on_the_committed_page_could_be_sure():
    """The bootstrap has so many draws that the correction leaves room below the level."""
    assert len(claims_of(setting_results(DOCS).values())) * 2 / ROUNDS < 0.05


@pytest.mark.parametrize(
    ("dev", "test", "verdict"),
    [
        ((0.1, 0.001), (0.2, 0.001), "surely better on both sets"),
        ((-0.1, 0.001), (-0.2, 0.001), "surely worse on both sets"),
        ((0.1, 0.001), (-0.2, 0.001), "surely better in domain, surely worse out of domain"),
        ((-0.1, 0.001), (0.2, 0.2), "surely worse in domain, not surely different out of domain"),
        ((0.1, 0.03), (0.2, 0.03), "no difference is sure"),  # each alone would be
        ((0.1, None), (-0.2, 0.9), "surely better in domain, not surely different out of domain"),
    ],
)
def test_what_topology_adds_and_takes_away(dev, test, verdict):
    said = says(result((gain(*dev), gain(*test))))
    assert said.endswith(f": {verdict}.")
    assert "explanation" not in said


def test_the_numbers_of_a_sentence():
    best = (gain(0.1, 0.004, 0.02, 9, 1), gain(-0.2, 0.5, 0.25, 3, 6))
    alone = (gain(-0.05, None), gain(0.3, 0.0001))
    assert says(result(best, alone)) == (
        "**What topology adds.** By cross-validation on train the strongest baseline is *probe: pooler* "
        "and the strongest row with topology *TDA, ours (19 a head)*. The difference of MCC is +0.100 "
        "[+0.080, +0.120] in domain (paired bootstrap p = 0.004, corrected 0.016; McNemar 9 to 1 for "
        "topology, p = 0.020, corrected 0.060) and -0.200 [-0.220, -0.180] out of domain (paired "
        "bootstrap p = 0.500, corrected 0.500; McNemar 3 to 6 for the baseline, p = 0.250, corrected "
        "0.500): surely better in domain, not surely different out of domain. Topology by itself (*H0M*) "
        "differs from the baseline by -0.050 [-0.070, -0.030] in domain (paired bootstrap p < .001, "
        "corrected at most 0.005) and +0.300 [+0.280, +0.320] out of domain (paired bootstrap p < .001, "
        "corrected 0.001): surely worse in domain, surely better out of domain."
    )


def test_a_difference_without_an_interval_has_its_sign():
    best = (replace(gain(0.1), score=Score(0.1)), replace(gain(-0.2), score=Score(-0.2)))
    said = says(result(best))
    assert "The difference of MCC is +0.100 in domain (paired" in said
    assert " and -0.200 out of domain (paired" in said


def test_rows_without_a_name_of_their_own():
    assert words_of("h0m") == "H0M"
    assert words_of("h0m+unheard") == "h0m+unheard"


def test_sets_have_their_names():
    said = says(result((gain(0.1), gain(0.1)), setting="bert-base-multilingual-cased/itacola/frozen"))
    assert " on dev (" in said
    assert " on test (" in said
    assert "domain" not in said


@pytest.mark.parametrize(
    ("wins", "losses", "words"),
    [
        (5, 3, "5 to 3 for topology"),
        (3, 5, "3 to 5 for the baseline"),
        (4, 4, "4 to 4"),
        (0, 1, "0 to 1 for the baseline"),
    ],
)
def test_mcnemar_names_the_direction(wins, losses, words):
    assert which_way(wins, losses) == words


def test_a_direction_that_was_not_kept():
    claims = claims_of([result((gain(0.1, 0.5, 0.5), gain(0.1, 0.5, 0.5)))])
    p = claims[Claim("bert-base-cased/cola/frozen", "topology", "dev", "mcnemar")]
    assert exact_words(gain(0.1), p) == "; McNemar p = 0.500, corrected 1.000, which way was not kept"
    assert exact_words(gain(0.1, 0.5, 0.5, 7, 0), p).startswith("; McNemar 7 to 0 for topology, p = 0.500")
    assert exact_words(gain(0.1, 0.5, 0.5, 0, 7), p).startswith("; McNemar 0 to 7 for the baseline")
    assert exact_words(gain(0.1), None) == ""
    for half in (gain(0.1, 0.5, 0.5, 7, None), gain(0.1, 0.5, 0.5, None, 7)):
        assert exact_words(half, p).endswith("which way was not kept")


@pytest.mark.parametrize(
    ("published", "words"),
    [(0.4, "higher"), (0.6, "lower"), (0.45, "level"), (0.55, "level"), (0.5, "level")],
)
def test_where_ours_is(published, words):
    assert placed(Estimate(0.5, 0.45, 0.55), published).partition(":")[0] == words


def test_ours_beside_the_published_one():
    assert compared("H0M", Score(0.5, 0.45, 0.55), 0.4) == "H0M 0.500, published 0.400 (+0.100, higher)"
    assert compared("H0M", Score(0.5, 0.45, 0.55), 0.6) == "H0M 0.500, published 0.600 (-0.100, lower)"
    assert compared("H0M", Score(0.5), 0.6) == "H0M 0.500, published 0.600 (-0.100)"
    assert compared("H0M", Score(0.5), None) == "H0M 0.500, not compared: the published cell cannot be"


def test_the_test_set_is_compared_and_no_other():
    """The published dev column of En-BERT + H0M says .338, the other .372."""
    rows = (row("pooler"), row("h0m"), row("tda"))
    found = replace(result((gain(0.1), gain(0.1))), rows=rows)
    assert beside_published(FROZEN, found) == (
        "**Beside the paper**, by MCC out of domain: probe: pooler 0.500, published 0.082 (+0.418, "
        "higher); H0M 0.500, published 0.372 (+0.128, higher); TDA (57 a head) 0.500, published 0.420 "
        "(+0.080, higher)."
    )
    tuned = replace(found, rows=(row("lm"), row("h0m"), row("tda", 0.565)))
    assert beside_published(LORA, tuned) == (
        "**Beside the paper**, by MCC out of domain: tuned LM itself 0.500, published 0.536 (-0.036, "
        "level: our interval holds it); H0M 0.500, published 0.542 (-0.042, level: our interval holds "
        "it); TDA (57 a head) 0.565, published 0.565 (+0.000, level: our interval holds it)."
    )
    assert beside_published(FROZEN, replace(found, rows=(row("length"),))) == ""


def test_nothing_is_compared_with_a_cell_that_cannot_be():
    found = replace(result((gain(0.1), gain(0.1))), rows=(row("h0m"), row("tda")))
    said = beside_published(setting("bert-base-multilingual-cased/dalaj/frozen"), found)
    assert (
        "by MCC on test (there of XLM-R, here of bert-base-multilingual-cased): H0M 0.500, published 0.237"
        in said
    )
    assert said.endswith("TDA (57 a head) 0.500, not compared: the published cell cannot be.")
    assert "0.218" not in said
    tuned = beside_published(setting("bert-base-multilingual-cased/dalaj/lora-all-words"), found)
    assert tuned.endswith("TDA (57 a head) 0.500, published 0.322 (+0.178, higher).")


def test_every_published_method_has_one_of_ours():
    for one in SETTINGS:
        assert {THEIRS[method][one.tuned] for method in THEIRS} <= set(one.rows)


def test_cells_that_cannot_be_in_words():
    """Of CoLA's sentences 70.5 % are acceptable."""
    one = Impossible("dalaj", "XLM-R", "TDA", "frozen_dev", Published(51.1, 0.227), 0.1083)
    other = Impossible("cola", "En-BERT", "H0M", "tuned_test", Published(71.2, 0.5), 0.25)
    assert impossible([one, other]) == (
        "Of the published cells 2 cannot be right: XLM-R + TDA on DaLAJ, frozen, dev (accuracy 51.1 and "
        "MCC 0.227; where 50 % are acceptable, that accuracy allows 0.108 at most); En-BERT + H0M on "
        "CoLA, tuned, test (accuracy 71.2 and MCC 0.500; where 70 % are acceptable, that accuracy allows "
        "0.250 at most). Nothing is compared with them."
    )
    said = impossible()
    assert said.startswith(
        "Of the published cells 2 cannot be right: XLM-R + TDA on DaLAJ, frozen, dev (accuracy"
    )
    assert "; XLM-R + TDA on DaLAJ, frozen, test (accuracy 54.1 and MCC 0.218; where" in said


def test_how_corpora_are_cut():
    same, other = (7801, 946, 975), (7682, 890, 888)
    assert split_words(same, same) == "is cut as in the paper (7,801 / 946 / 975)."
    assert split_words(other, (6870, 892, 952)).startswith(
        "is not cut as in the paper: 6,870 / 892 / 952 sentences there, 7,682 / 890 / 888 here. The "
        "paper's split"
    )
    assert split_words((10, 2, 3), (10, 5, 4)) == (
        "is cut as in the paper's table: the two sets (2 / 3) are the parts of the dev set of 5; the "
        "labels of the test set of 4 are not public."
    )
    assert "is not cut" in split_words((11, 2, 3), (10, 5, 4))
    assert "is not cut" in split_words((10, 2, 2), (10, 5, 4))
    assert splits({"itacola": same, "cola": (8551, 527, 516)}) == (
        "ItaCoLA is cut as in the paper (7,801 / 946 / 975). CoLA is cut as in the paper's table: the "
        "two sets (527 / 516) are the parts of the dev set of 1,043; the labels of the test set of 1,063 "
        "are not public."
    )
    assert splits({"dalaj": other}).startswith(
        "DaLAJ is not cut as in the paper: 6,870 / 892 / 952 sentences"
    )


def test_the_details_in_which_the_columns_follow_the_code():
    """Each of them is looked at in what is computed."""
    said, spec = follows_code(), FeatureSpec()
    assert f"in {len(FOLLOWS_CODE)} details" in said
    assert len(spec.columns) == 57
    maps = np.array([[0.5, 0.5], [0.25, 0.75]])
    apart, norm = np.linalg.norm(maps - np.eye(2)), (maps**2).sum()
    assert pattern_distances(maps, patterns=("self",))["self"] == pytest.approx(apart / np.sqrt(norm + 2))
    assert spec.normalisation == "root"
    assert "h1_std" in spec.columns
    assert not [name for name in spec.columns if "variance" in name]
    assert spec.floor == FLOOR == 0.001
    assert "weight of 0.001 or less" in said
    loop = np.array([[0.9, 0.1], [0.9, 0.1]])
    counts = threshold_counts(loop, (0.5,))
    assert (counts["edges"], counts["cycles"]) == (2, 1)
    assert "sep" not in PATTERNS
