"""Number of heads against MCC, on a tiny model."""

import pytest

from tests.experiments.toys import FROZEN
from toposcope.experiments.heads import RANKINGS, run_heads
from toposcope.experiments.records import read_record
from toposcope.experiments.results import HeadsResult
from toposcope.report import heads as page

COUNTS, FEATURES = (1, 3, 12, 500), ("h0m", "topology")  # the last count is more than there are


@pytest.fixture(scope="module")
def result(done):
    return run_heads(done, FROZEN, counts=COUNTS, features=FEATURES)


def test_heads_are_nested_and_all_are_all(result, done):
    assert read_record(done.docs / "heads.json", HeadsResult) == result
    at = {(point.features, point.ranking, point.count): point for point in result.points}
    assert len(at) == 2 * 2 * 3
    for ranking in RANKINGS:
        heads = [at["topology", ranking, count].heads for count in COUNTS[:3]]
        assert [len(some) for some in heads] == list(COUNTS[:3])
        assert heads[1][:1] == heads[0]  # the order is the ranking's
    assert sorted(at["topology", "l1", 12].heads) == sorted(at["topology", "correlation", 12].heads)
    for one in result.enough:
        assert one.best == max(p.cv_mcc for p in result.points if p.features == one.features)
        for ranking, count in one.counts.items():
            assert at[one.features, ranking, count].cv_mcc >= 0.95 * one.best


def test_page_and_picture(result, tmp_path):
    text = page.page(result, "heads.svg")
    (point,) = (p for p in result.points if (p.features, p.ranking, p.count) == ("h0m", "l1", 3))
    assert f"{point.dev.value:.3f} / {point.test.value:.3f}" in text
    assert "95 % of the best cross-validated MCC" in text
    page.draw(result, tmp_path / "heads.svg")
    assert (tmp_path / "heads.svg").read_text().startswith("<?xml")
