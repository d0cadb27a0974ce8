"""Real weights: from the cache, otherwise pulled. If they cannot be had, the test fails and says why."""

from functools import cache
from pathlib import Path

from toposcope.weights.resolve import resolve


@cache
def model_folder(name: str) -> Path:
    return resolve(name).folder
