"""Minimal pairs on real weights."""

import pytest

import toposcope as ts
from tests.data.files import SHARED, at_hand
from toposcope.data.minimal_pairs import read_pairs
from toposcope.pairs.accuracy import pair_accuracy
from toposcope.pairs.choosers import Committee, Voter
from toposcope.pairs.readings import PairSpec, Reading
from toposcope.pairs.table import read_heads

pytestmark = pytest.mark.real
HEAD = (8, 0)  # the paper's Top Head, 75.4 % on all of BLiMP by H0M and RTD alike


@at_hand
def test_the_top_head_of_the_paper_on_blimp():
    pairs = read_pairs(SHARED / "blimp" / "data").first(20)
    readings = (Reading("h0m"), Reading("rtd", match="align"), Reading("rtd", match="head"))
    table = read_heads(ts.load("bert-base-cased"), pairs, PairSpec(readings), [HEAD])
    found = [
        100 * pair_accuracy(Committee(r.name, (Voter(HEAD),)).prefer(table).credits, pairs).overall.value
        for r in readings
    ]
    assert found == pytest.approx([76.7, 74.6, 75.0], abs=0.2)


def test_the_paper_s_pair_is_judged_by_most_of_the_loud_heads():
    scope = ts.load("bert-base-cased")
    found = scope.compare("Cheryl had trained Tara.", "Cheryl had murmured Tara.")
    assert found.preferred == "a"
    assert all(found.rtd_margin[head] > 0 for head in found.loudest(5))
    assert found.rtd_margin[HEAD] > 0
    assert found.likelihood[0] > found.likelihood[1]
