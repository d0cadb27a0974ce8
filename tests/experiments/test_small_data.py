"""Judges from few sentences: the draws on a tiny model, and sentences about made numbers of both signs."""

import pytest

from tests.experiments.toys import FROZEN
from toposcope.experiments.records import read_record
from toposcope.experiments.results import SmallJudge
from toposcope.experiments.small_data import run_small_data
from toposcope.report import small_data as page
from toposcope.stats.estimate import Estimate

FEATURES = "h0m+cls:3"


def judge(labels, sentences, announced, true, low=-1.0, high=1.0):
    return SmallJudge(labels, sentences, 0, Estimate(announced, low, high), True, true, 0.1)


def test_draws_page_and_picture(tmp_path, done):
    found = run_small_data(done, FROZEN, None, FEATURES, (24, 1000), (24,), draws=3)  # 1000 is too many
    assert read_record(done.docs / "small-data.json", tuple[SmallJudge, ...]) == found
    assert [(one.labels, one.sentences) for one in found] == [("true", 24)] * 3 + [("random", 24)] * 3
    for one in found:
        assert -1 <= one.announced.low <= one.announced.value <= one.announced.high <= 1
    assert {(one.came_true, one.calibration_error) for one in found[3:]} == {(0.0, None)}
    assert len({one.came_true for one in found[:3]} | {one.announced.value for one in found[:3]}) > 1
    text = page.page(found, "tiny", FEATURES, "small-data.svg")
    assert "| true | 24 |" in text
    assert "| random | 24 |" in text
    page.draw(found, tmp_path / "small-data.svg")
    assert (tmp_path / "small-data.svg").read_text().count("<use") > 3 * 2


def test_how_many_sentences_are_needed():
    weak, strong = judge("true", 50, 0.1, 0.1), judge("true", 400, 0.4, 0.4)
    assert "For 0.3 on average it takes 400 of those" in page.needed([weak, strong])
    assert "None of these numbers is enough" in page.needed([weak])
    assert "from 400 to 0.400" in page.needed([weak, strong])


def test_whether_intervals_hold():
    good = [judge("true", 100, 0.2, 0.3) for _ in range(19)]
    out = judge("true", 100, 0.2, 0.3, 0.31, 0.5)
    assert "Reached at all of them" in page.kept_promise([*good, out])
    assert "Missed (18 of 20 at 100)" in page.kept_promise([*good[1:], out, out])
    late = [judge("true", 1600, 0.2, 0.3, 0.31, 0.5)]  # nothing was promised of so many
    assert "Reached" in page.kept_promise([*good, *late])


@pytest.mark.parametrize(("announced", "verdict"), [(0.04, "reached"), (0.06, "missed"), (-0.06, "missed")])
def test_what_noise_announces(announced, verdict):
    said = page.noise([judge("random", 60, announced, 0.0), judge("random", 100, 0.0, 0.0)])
    assert said.endswith(f"Asked is less than 0.05: {verdict}.")
    assert f"{announced:+.3f} from 60" in said
