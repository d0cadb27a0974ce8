"""Number of heads against MCC, on a tiny model."""

import json

import pytest

from tests.report.test_table1 import FROZEN, corpus, scope  # noqa: F401, fixtures
from toposcope.experiments import heads

COUNTS = (1, 3, 12)


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(heads, "COUNTS", COUNTS)
    monkeypatch.setattr(heads, "FEATURES", ("h0m", "topology"))


def test_curves_page_and_figure(few, tmp_path, corpus, scope):  # noqa: F811
    told = []
    done = heads.run_heads(FROZEN, corpus, tmp_path, lambda: scope, told.append)
    assert len(done) == 2 * 2 * len(COUNTS)
    for ranking in heads.RANKINGS:
        chosen = [done[f"topology {ranking} {n}"]["heads"] for n in COUNTS]
        assert [len(h) for h in chosen] == list(COUNTS)
        assert chosen[1][:1] == chosen[0]  # the order is the ranking's, so they are nested
    assert sorted(done["topology l1 12"]["heads"]) == sorted(done["topology correlation 12"]["heads"])
    text = heads.page(done, FROZEN, "heads.svg")
    value = done["h0m l1 3"]
    assert f"{value['dev']['value']:.3f} / {value['test']['value']:.3f}" in text
    assert "95 % of the best cross-validated MCC" in text
    heads.draw(done, tmp_path / "heads.svg")
    assert (tmp_path / "heads.svg").read_text().startswith("<?xml")


def test_what_is_done_is_kept(few, tmp_path, corpus, scope):  # noqa: F811
    heads.run_heads(FROZEN, corpus, tmp_path, lambda: scope, lambda _: None)
    place = tmp_path / "heads.json"
    done = json.loads(place.read_text())
    lost = done.pop("h0m l1 3")
    place.write_text(json.dumps(done))
    told = []
    again = heads.run_heads(FROZEN, corpus, tmp_path, lambda: scope, told.append)
    assert told == ["h0m, 3 heads by l1"]
    assert again["h0m l1 3"] == lost
