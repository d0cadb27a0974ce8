"""Shared settings of the tests."""

import matplotlib
from hypothesis import settings

matplotlib.use("Agg")
settings.register_profile("toposcope", deadline=None, max_examples=200, derandomize=True)
settings.load_profile("toposcope")
