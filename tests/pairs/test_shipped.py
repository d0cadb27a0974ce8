"""The selections of heads that ship: small, with their provenance, and used by default."""

import re

import numpy as np
import pytest

import toposcope as ts
from tests.data.files import SHARED, at_hand
from toposcope.data.minimal_pairs import read_pairs
from toposcope.data.named import pairs_named
from toposcope.pairs.score import SCORED_SEED, selections_named
from toposcope.pairs.selection import Selection, find_selection, shipped_selections
from toposcope.pairs.table import read_heads
from toposcope.topology.head import all_heads

NAMES = [
    "all-MiniLM-L6-v2/h0m", "all-MiniLM-L6-v2/rtd", "all-MiniLM-L6-v2/weighted",
    "bert-base-cased/h0m", "bert-base-cased/rtd", "bert-base-cased/weighted",
]  # fmt: skip
MOST_BYTES = 250_000
PAIRS = (
    ("Cheryl had trained Tara.", "Cheryl had murmured Tara."),
    ("The cats annoy Tim.", "The cats annoys Tim."),
    ("Many girls insulted themselves.", "Many girls insulted herself."),
    ("Who should Derek hug after shocking Richard?", "Who should Derek hug Richard after shocking?"),
)


def test_these_ship():
    assert shipped_selections() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_they_are_small_and_say_where_they_come_from(name):
    assert find_selection(name).stat().st_size < MOST_BYTES
    found = Selection.load(name)
    assert found.model == name.partition("/")[0]
    assert re.fullmatch("[0-9a-f]{64}", found.fingerprint)
    assert found.profile == "strict"
    assert len(found.seen) == found.about["chosen on"]["pairs"] > 6000
    assert 0.6 < found.about["accuracy by cross-validation"] < 1
    assert {"seed", "made", "versions"} <= set(found.about)


@pytest.mark.parametrize("name", NAMES)
@at_hand
def test_they_have_seen_nothing_of_blimp(name):
    found = Selection.load(name)
    assert found.overlap(read_pairs(SHARED / "blimp" / "data")) == 0
    assert np.isin(read_pairs(SHARED / "blimp_aux").hashes, found.seen).mean() > 0.99


@pytest.mark.real
@pytest.mark.parametrize(("model", "right"), [("bert-base-cased", 4), ("all-MiniLM-L6-v2", 3)])
def test_compare_asks_them_by_default(model, right):
    scope = ts.load(model)
    mine = [name for name in NAMES if name.startswith(model)]
    default = selections_named(
        None, "h0m", "strict", all_heads(scope.layers, scope.heads), scope.provenance
    )
    assert [s.name for s in default] == [Selection.load(name).name for name in mine]
    answers = [scope.compare(good, bad, language_model=False) for good, bad in PAIRS]
    for found in answers:
        assert found.opinions[0].name == Selection.load(mine[-1]).name
        assert len(found.opinions) == len(mine) + 2
    assert sum(found.preferred == "a" for found in answers) >= right


@pytest.mark.real
def test_weighted_heads_on_pairs_of_our_own_that_they_have_not_seen():
    shipped = Selection.load("bert-base-cased/weighted")
    scored = pairs_named(["generated:4"], seed=SCORED_SEED)
    pairs = scored.without(shipped.seen, "seen")
    assert len(pairs) > 0.7 * len(scored)
    table = read_heads(ts.load("bert-base-cased"), pairs, shipped.spec)
    assert shipped.prefer(table).credits.mean() > 0.85
