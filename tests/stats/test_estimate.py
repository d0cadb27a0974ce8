"""A number with its interval: how it prints, how it is kept."""

import json

import numpy as np
import pytest

from toposcope.stats.estimate import Estimate

E = Estimate(0.41249, -0.0004, 0.5)


def test_a_format_counts_for_all_three_numbers():
    assert str(E) == f"{E}" == "0.412 [-0.000, 0.500]"
    assert f"{E:+.1f}" == "+0.4 [-0.0, +0.5]"
    assert f"{E.percent:.1f}" == "41.2 [-0.0, 50.0]"
    assert E.interval("+.2f") == "[-0.00, +0.50]"


def test_it_comes_back_from_json():
    kept = json.loads(json.dumps(E.to_dict()))
    assert kept == {"value": 0.41249, "low": -0.0004, "high": 0.5}
    assert Estimate.from_dict(kept) == E


def test_the_interval_of_draws_holds_the_number():
    draws = np.arange(1001) / 1000
    assert Estimate.of_draws(0.5, draws).low == pytest.approx(0.025)
    assert Estimate.of_draws(0.5, draws).high == pytest.approx(0.975)
    assert Estimate.of_draws(2.0, draws).high == 2.0
    assert Estimate.of_draws(-1.0, draws).low == -1.0


def test_what_lies_within():
    assert 0.5 in E
    assert 0.51 not in E
