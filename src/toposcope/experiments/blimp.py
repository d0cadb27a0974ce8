"""Reading a benchmark of pairs once, in pieces that are kept: a run that is started again goes on.

Of every pair all heads are read at once, for all profiles, with the 19 features and the mean hidden states
of every layer; all rows of the table come from what is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.data.minimal_pairs import Pairs, joined_pairs, read_pairs
from toposcope.errors import InputError
from toposcope.features.blocks import SMALL
from toposcope.features.spec import FeatureSpec
from toposcope.files import whole
from toposcope.pairs.profile import PROFILES
from toposcope.pairs.readings import PairSpec, Reading
from toposcope.pairs.table import PairTable
from toposcope.topology.head import Head, all_heads

if TYPE_CHECKING:
    from toposcope.models.scope import Scope

Tell = Callable[[str], None]
SHARD = 4000
BENCHMARK = {"blimp/data": "BLiMP", "blimp_aux": "the auxiliary pairs"}


def blimp_of(data: Path) -> Pairs:
    """BLiMP, from a folder in which its files lie as published."""
    return _folder(data, "blimp/data")


def auxiliary_of(data: Path) -> Pairs:
    """The auxiliary pairs of the paper's authors."""
    return _folder(data, "blimp_aux")


def check_benchmark(data: Path) -> None:
    """Refuse a folder without the benchmark or the auxiliary pairs."""
    for name, what in BENCHMARK.items():
        _need_folder(data, name, what)


def _folder(data: Path, name: str) -> Pairs:
    _need_folder(data, name, BENCHMARK[name])
    return read_pairs(data / name)


def _need_folder(data: Path, name: str, what: str) -> None:
    if not (data / name).is_dir():
        raise InputError(f"{data} holds no folder {name} with {what}: docs/pairs.md says where to get it.")


def everything(causal: bool) -> PairSpec:
    """What all profiles and the weighted heads read."""
    readings = {PROFILES[p].reading(m, causal): None for p in PROFILES for m in ("h0m", "rtd")}
    for symmetry in ("max", "upper"):
        more = (Reading("h0m", symmetry), Reading("h0s", symmetry), Reading("rtd", symmetry, "align"))
        readings |= dict.fromkeys(more)
    return PairSpec(tuple(readings), FeatureSpec(SMALL))


@dataclass(frozen=True, eq=False)
class Kept:
    """Pairs that were read from a model, piece by piece on disk."""

    pairs: Pairs
    folder: Path
    facts: dict[str, Any] = field(repr=False)

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def causal(self) -> bool:
        """Whether the model is causal."""
        return bool(self.facts["about"]["causal"])

    def parts(self) -> Iterator[tuple[str, Pairs]]:
        """The number of each piece and its pairs."""
        step = self.facts["shard"]
        for k, start in enumerate(range(0, len(self), step)):
            yield f"{k:03}", self.pairs.take(range(start, min(start + step, len(self))))

    def heads(self) -> Iterator[PairTable]:
        """Differences of all heads, piece by piece."""
        heads = tuple(Head(*head) for head in self.facts["heads"])
        for number, part in self.parts():
            values = np.load(self.folder / f"heads-{number}.npy")
            yield PairTable(part, values, heads, tuple(self.facts["columns"]), self.facts["about"])

    def states(self) -> Iterator[PairTable]:
        """Differences of mean hidden states, a layer as one head with a column for each number."""
        for number, part in self.parts():
            values = np.load(self.folder / f"states-{number}.npy")
            heads = tuple(Head(layer, 0) for layer in range(1, values.shape[1] + 1))
            columns = tuple(f"mean.{unit}" for unit in range(values.shape[2]))
            yield PairTable(part, values, heads, columns, self.facts["about"])


def joined_table(parts: Iterator[PairTable]) -> PairTable:
    """All pieces as one table; for few pairs."""
    tables = list(parts)
    pairs = joined_pairs([table.pairs for table in tables])
    values = np.concatenate([t.values for t in tables]).astype(np.float32)
    return PairTable(pairs, values, tables[0].heads, tables[0].columns, tables[0].about)


def read_all(pairs: Pairs, folder: Path, load: Callable[[], Scope], tell: Tell) -> Kept:
    """Read what is missing of the pairs from a model and keep it in a folder."""
    place = folder / "facts.json"
    if not place.exists():
        scope = load()
        facts: dict[str, Any] = {
            "sha256": pairs.fingerprint,
            "shard": SHARD,
            "columns": everything(scope.causal).columns,
            "heads": all_heads(scope.layers, scope.heads),
            "about": scope.provenance,
        }
        with whole(place) as where:
            where.write_text(json.dumps(facts), encoding="utf-8")
    kept = Kept(pairs, folder, json.loads(place.read_text("utf-8")))
    if kept.facts["sha256"] != pairs.fingerprint:
        raise InputError(f"{folder} holds what was read for other pairs: remove it first.")
    parts = list(kept.parts())
    for number, part in parts:
        files = [folder / f"{name}-{number}.npy" for name in ("heads", "states")]
        if not all(file.exists() for file in files):
            done = f"part {int(number) + 1} of {len(parts)}"
            tell(f"{kept.facts['about']['model']}: reading {pairs.name}, {done}")
            for file, array in zip(files, _read(load(), part), strict=True):
                with whole(file) as where, where.open("wb") as stream:
                    np.save(stream, array, allow_pickle=False)
    return kept


def _read(scope: Scope, pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
    """Differences of heads, and of the mean states of all layers but the embeddings."""
    values, states = scope.measure_pairs(pairs.good, pairs.bad, everything(scope.causal), states=True)
    assert states is not None
    return values, (states[0].mean[:, 1:] - states[1].mean[:, 1:]).astype(np.float16)
