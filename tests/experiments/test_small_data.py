"""Judges from few sentences: the draws on a tiny model, and sentences about made numbers of both signs."""

import json

import pytest

from tests.report.test_table1 import FROZEN, corpus, scope  # noqa: F401, fixtures
from toposcope.experiments import small_data


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(small_data, "REAL", (24, 1000))  # the second is more than there are
    monkeypatch.setattr(small_data, "NOISE", (24,))
    monkeypatch.setattr(small_data, "DRAWS", 3)
    monkeypatch.setattr(small_data, "FEATURES", "h0m+cls:3")


def row(labels, sentences, announced, true, low=-1.0, high=1.0, found=True):
    return {
        "labels": labels, "sentences": sentences, "draw": 0, "came true": true,
        "announced": {"value": announced, "low": low, "high": high},
        "finds something": found, "calibration error": 0.1,
    }  # fmt: skip


def test_draws_page_and_figure(few, tmp_path, corpus, scope):  # noqa: F811
    told = []
    done = small_data.run_small_data(FROZEN, corpus, tmp_path, lambda: scope, told.append)
    assert [(r["labels"], r["sentences"]) for r in done] == [("true", 24)] * 3 + [("random", 24)] * 3
    for r in done:
        found = r["announced"]
        assert -1 <= found["low"] <= found["value"] <= found["high"] <= 1
    assert {r["came true"] for r in done[3:]} == {0}
    assert len({r["came true"] for r in done[:3]} | {r["announced"]["value"] for r in done[:3]}) > 1
    text = small_data.page(done, FROZEN, "small-data.svg")
    assert "| true | 24 |" in text
    assert "| random | 24 |" in text
    small_data.draw(done, tmp_path / "small-data.svg")
    assert (tmp_path / "small-data.svg").read_text().count("<use") > 3 * 2


def test_what_is_done_is_kept(few, tmp_path, corpus, scope):  # noqa: F811
    first = small_data.run_small_data(FROZEN, corpus, tmp_path, lambda: scope, lambda _: None)
    place = tmp_path / "small-data.json"
    place.write_text(json.dumps([r for r in first if r["draw"] != 1]))
    again = small_data.run_small_data(FROZEN, corpus, tmp_path, lambda: scope, lambda _: None)
    assert sorted(map(str, again)) == sorted(map(str, first))


def test_how_many_sentences_are_needed():
    weak, strong = row("true", 50, 0.1, 0.1), row("true", 400, 0.4, 0.4)
    assert "For 0.3 on average it takes 400 of those" in small_data.needed([weak, strong])
    assert "None of these numbers is enough" in small_data.needed([weak])
    assert "from 400 to 0.400" in small_data.needed([weak, strong])


def test_whether_intervals_hold():
    good = [row("true", 100, 0.2, 0.3) for _ in range(19)]
    out = row("true", 100, 0.2, 0.3, 0.31, 0.5)
    assert "Reached at all of them" in small_data.kept_promise([*good, out])
    assert "Missed (18 of 20 at 100)" in small_data.kept_promise([*good[1:], out, out])
    late = [row("true", 1600, 0.2, 0.3, 0.31, 0.5)]  # nothing was promised of so many
    assert "Reached" in small_data.kept_promise([*good, *late])


@pytest.mark.parametrize(("announced", "verdict"), [(0.04, "reached"), (0.06, "missed"), (-0.06, "missed")])
def test_what_noise_announces(announced, verdict):
    said = small_data.noise([row("random", 60, announced, 0.0), row("random", 100, 0.0, 0.0)])
    assert said.endswith(f"Asked is less than 0.05: {verdict}.")
    assert f"{announced:+.3f} from 60" in said
