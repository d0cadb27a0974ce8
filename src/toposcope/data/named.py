"""Data by name: files, folders, and pairs of our own, which are made when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from toposcope.data.generator.generate import PARADIGMS, generate_pairs
from toposcope.data.minimal_pairs import PairColumns, Pairs, holds_pairs, joined_pairs, read_pairs
from toposcope.data.readers import path_and_split, read_sentences
from toposcope.data.sentences import Sentences

GENERATED = re.compile(r"generated(?::(\d+))?")
PER_PARADIGM = 20


def pairs_named(
    names: Sequence[str | Path], columns: PairColumns | None = None, seed: int = 0, *, strict: bool = False
) -> Pairs:
    """Pairs of files and folders, and, by the name ``generated`` (or ``generated:50``), our own."""
    made = {name: GENERATED.fullmatch(str(name)) for name in names if not Path(name).exists()}
    parts = [generated_pairs(int(found[1] or PER_PARADIGM), seed) for found in made.values() if found]
    if files := [name for name in names if not made.get(name)]:
        parts.insert(0, read_pairs(files, columns, strict=strict))
    return joined_pairs(parts) if len(parts) > 1 else parts[0]


def generated_pairs(per_paradigm: int, seed: int = 0, split: str = "all") -> Pairs:
    """Pairs of all paradigms of our own generator."""
    rows = [pair for name in PARADIGMS for pair in generate_pairs(name, per_paradigm, seed, split)]
    good, bad = tuple(pair.good for pair in rows), tuple(pair.bad for pair in rows)
    paradigms = np.array([pair.paradigm.name for pair in rows])
    phenomena = np.array([pair.paradigm.phenomenon for pair in rows])
    return Pairs(good, bad, paradigms, phenomena, f"generated, {per_paradigm} a paradigm, seed {seed}")


def pairs_or_sentences(name: str | Path, *, strict: bool = False) -> Pairs | Sentences:
    """Minimal pairs as in ``pairs_named``; labelled sentences if a file, or PATH:SPLIT, holds such."""
    path, split = path_and_split(str(name))
    if Path(path).is_file() and not holds_pairs(Path(path)):
        return read_sentences(path, split or None, strict=strict)
    return pairs_named([name], strict=strict)


def labelled_sentences(given: Pairs | Sentences | str | Path) -> Sentences:
    """Sentences with labels, of minimal pairs too; files and names as in ``pairs_or_sentences``."""
    found = pairs_or_sentences(given) if isinstance(given, str | Path) else given
    return found.sentences() if isinstance(found, Pairs) else found
