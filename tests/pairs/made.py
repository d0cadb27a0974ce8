"""Buckets and tables of pairs, made up."""

import numpy as np

from toposcope.data.minimal_pairs import Pairs
from toposcope.pairs.table import PairTable
from toposcope.topology.attention import AttentionBucket, Tokens

COLUMN = "h0m.upper.whole"  # H0M under ``strict`` and ``paper``
ABOUT = {"model": "tiny", "fingerprint": "f" * 64, "causal": False}


def tokens(pieces):
    n = len(pieces)
    none = np.zeros(n, bool)
    return Tokens(" ".join(pieces), tuple(pieces), (0,) * n, np.zeros((n, 2), int), (None,) * n, none)


def bucket(maps, texts=None):
    """Maps (texts, heads, n, n) with the pieces of each text."""
    maps = np.asarray(maps, np.float32)
    texts = texts or [[f"piece{k}" for k in range(maps.shape[-1])]] * len(maps)
    return AttentionBucket(maps, 0, lambda: [tokens(text) for text in texts])


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
