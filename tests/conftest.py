"""Shared settings of the tests."""

import sys
from functools import cache

import matplotlib
import pytest
from hypothesis import settings

matplotlib.use("Agg")
settings.register_profile("toposcope", deadline=None, max_examples=200, derandomize=True)
settings.load_profile("toposcope")


@cache
def usual_threads():
    return sys.modules["torch"].get_num_threads()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Tiny models run on one thread: more would only wait for each other. Real ones take what there is."""
    if torch := sys.modules.get("torch"):
        usual = usual_threads()
        torch.set_num_threads(usual if item.get_closest_marker("real") else 1)
