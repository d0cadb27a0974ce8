"""Real sentences to measure on: minimal pairs in the format of BLiMP.

They are not part of the project. ``--pairs FOLDER`` names a folder of .jsonl files with
sentence_good and sentence_bad; without one the parts that need real sentences say so.
"""

import json
from collections.abc import Iterator
from itertools import chain, zip_longest
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[2] / "shared" / "data" / "blimp" / "data"
MISSING = "needs real sentences: --pairs FOLDER with files in the format of BLiMP"


def read_pairs(folder: Path) -> list[tuple[str, str]]:
    """All pairs, one of each file in turn, so that any beginning is a mixture."""
    files = [_pairs_of(path) for path in sorted(folder.glob("*.jsonl"))]
    mixed = chain.from_iterable(zip_longest(*files))
    return [pair for pair in mixed if pair is not None]


def stretches(lengths: np.ndarray, count: int, size: int) -> np.ndarray:
    """Places of about ``count`` texts: stretches of ``size`` out of all texts sorted by length.

    Few texts drawn at random leave the batches of equal length nearly empty; these fill them better, the
    more so the longer the stretches. ``lengths`` is (texts,), or (sides, texts) for pairs.
    """
    order = np.lexsort(np.atleast_2d(lengths))
    starts = np.linspace(0, max(len(order) - size, 0), max(1, count // size)).astype(int)
    return np.unique(np.concatenate([order[start : start + size] for start in starts]))


def _pairs_of(path: Path) -> Iterator[tuple[str, str]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["sentence_good"] != row["sentence_bad"]:
                yield row["sentence_good"], row["sentence_bad"]
