"""Buckets and tables of pairs, made up."""

import numpy as np

from toposcope.data.minimal_pairs import Pairs
from toposcope.pairs.measures import pair_spec
from toposcope.pairs.profile import PROFILES
from toposcope.pairs.table import PairTable
from toposcope.topology.attention import AttentionBucket, Tokens

COLUMN = "h0m.upper.whole"  # H0M under ``strict`` and ``paper``
NAMES = np.array(["x1", "x2", "y1"] * 30)  # paradigms and phenomena of ``readings``
TERMS = np.array(["x", "x", "y"] * 30)
ABOUT = {"model": "tiny", "fingerprint": "f" * 64, "causal": False}

FIRST = [
    "the cat sleeps.", "the cats sleep on the sofa.", "dogs bark!", "he is very old.", "the cat sleeps.",
    "a red dog, a red house.", "she is old.", "the cat is very, very old.",
]  # fmt: skip
SECOND = [
    "the cat sleep.", "the cats sleeps on a sofa.", "the dog bark!", "he are very old.", "the cats sleeps.",
    "a red dog a red house", "she are old.", "cat the is very old.",
]  # fmt: skip


def tokens(pieces):
    n = len(pieces)
    none = np.zeros(n, bool)
    return Tokens(" ".join(pieces), tuple(pieces), (0,) * n, np.zeros((n, 2), int), (None,) * n, none)


def bucket(maps, texts=None):
    """Maps (texts, heads, n, n) with the pieces of each text."""
    maps = np.asarray(maps, np.float32)
    texts = texts or [[f"piece{k}" for k in range(maps.shape[-1])]] * len(maps)
    return AttentionBucket(maps, lambda: [tokens(text) for text in texts])


def pairs(paradigms, phenomena=None, prefix="", name="made up"):
    """A pair for each name of a paradigm."""
    good = tuple(f"{prefix}good {k}" for k in range(len(paradigms)))
    bad = tuple(f"{prefix}bad {k}" for k in range(len(paradigms)))
    return Pairs(good, bad, paradigms, paradigms if phenomena is None else phenomena, name)


def table(values, paradigms=None, phenomena=None, prefix="", columns=(COLUMN,), **about):
    """Differences (pairs, heads) or (pairs, heads, columns) as a table."""
    values = np.asarray(values, np.float32)
    values = values[..., None] if values.ndim == 2 else values
    heads = tuple((k // 4, k % 4) for k in range(values.shape[1]))
    names = ["p"] * len(values) if paradigms is None else paradigms
    return PairTable(pairs(names, phenomena, prefix), values, heads, tuple(columns), {**ABOUT, **about})


def tied_differences(rng, count, heads, levels=2):
    """Differences with many ties: whole numbers from -levels to levels."""
    return rng.integers(-levels, levels, (count, heads), endpoint=True).astype(np.float32)


def readings(seed=0, prefix="", fingerprint=ABOUT["fingerprint"]):
    """Two columns; head 1 tells the good sentence of x, head 2 (by the larger score) that of y."""
    rng = np.random.default_rng(seed)
    values = np.stack([tied_differences(rng, 90, 6), rng.standard_normal((90, 6))], axis=-1)
    values[TERMS == "x", 1] = np.where(rng.random((60, 1)) < 0.9, -1, 1)
    values[TERMS == "y", 2] = 1
    columns = pair_spec("h0m+h0s", PROFILES["strict"], False).columns
    return table(values, NAMES, TERMS, prefix, columns, fingerprint=fingerprint)
