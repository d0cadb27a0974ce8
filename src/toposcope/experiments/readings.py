"""Reading a benchmark of pairs once, in parts that are kept: a run that is started again goes on.

Of every pair all heads are read at once, for all profiles, with the 19 features and the mean hidden states
of every layer; all rows of the table come from what is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from toposcope.data.minimal_pairs import Pairs, joined_pairs, read_pairs
from toposcope.errors import InputError
from toposcope.experiments.lab import Lab
from toposcope.experiments.ways import LENGTH, STATES
from toposcope.features.arrow import fixed_lists
from toposcope.features.blocks import SMALL
from toposcope.features.spec import FeatureSpec
from toposcope.pairs.profile import PROFILES
from toposcope.pairs.readings import PairSpec, Reading
from toposcope.pairs.table import PairTable
from toposcope.store import Job, cut_up, run
from toposcope.topology.head import Head, all_heads

CUT = 4000  # pairs that are read at once
BENCHMARK = {"blimp/data": "BLiMP", "blimp_aux": "the auxiliary pairs"}


def benchmark(data: Path) -> tuple[Pairs, Pairs]:
    """BLiMP, and the auxiliary pairs of the paper's authors that are not in it."""
    check_benchmark(data)
    every, auxiliary = (read_pairs(data / name) for name in BENCHMARK)
    return every, auxiliary.without(every.hashes, "it is in BLiMP")


def check_benchmark(data: Path) -> None:
    """Refuse a folder without the benchmark or the auxiliary pairs, as they are published."""
    for name, what in BENCHMARK.items():
        if not (data / name).is_dir():
            raise InputError(
                f"{data} holds no folder {name} with {what}: docs/pairs.md says where to get it."
            )


def everything(causal: bool) -> PairSpec:
    """What all profiles and the weighted heads read."""
    readings = {PROFILES[p].reading(m, causal): None for p in PROFILES for m in ("h0m", "rtd")}
    for symmetry in ("max", "upper"):
        more = (Reading("h0m", symmetry), Reading("h0s", symmetry), Reading("rtd", symmetry, "align"))
        readings |= dict.fromkeys(more)
    return PairSpec(tuple(readings), FeatureSpec(SMALL))


@dataclass(frozen=True, eq=False)
class PairReadings:
    """Pairs that were read from a model, part by part on disk. ``key`` says what from.

    ``tokens`` (pairs, 2) is how many tokens the good and the bad sentence have for the model.
    """

    pairs: Pairs
    rows: pa.Table = field(repr=False)
    tokens: np.ndarray = field(repr=False)
    all_heads: tuple[Head, ...] = field(repr=False)
    columns: tuple[str, ...]
    key: Mapping[str, Any] = field(repr=False)

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def model(self) -> str:
        """The model that was read."""
        return str(self.key["from"]["model"])

    @property
    def causal(self) -> bool:
        """Whether the model is causal."""
        return bool(self.key["from"]["causal"])

    @property
    def equally_long(self) -> np.ndarray:
        """Of which pairs both sentences have as many tokens, (pairs,)."""
        return self.tokens[:, 0] == self.tokens[:, 1]

    def parts_of(self, measure: str) -> Iterator[PairTable]:
        """The tables that hold a measure: of heads, of hidden states, or of lengths."""
        return {STATES: self.states, LENGTH: self.lengths}.get(measure, self.heads)()

    def lengths(self) -> Iterator[PairTable]:
        """Differences of the number of tokens, as if one head told them."""
        apart = (self.tokens[:, 0] - self.tokens[:, 1])[:, None, None]
        yield PairTable(self.pairs, apart, (Head(1, 0),), (LENGTH,), self.key["from"])

    def heads(self) -> Iterator[PairTable]:
        """Differences of all heads, part by part."""
        for pairs, values in self._parts("heads", len(self.columns)):
            yield PairTable(pairs, values, self.all_heads, self.columns, self.key["from"])

    def states(self) -> Iterator[PairTable]:
        """Differences of mean hidden states, a layer as one head with a column for each number."""
        width = self.key["width"]
        for pairs, values in self._parts("states", width):
            heads = tuple(Head(layer, 0) for layer in range(1, values.shape[1] + 1))
            yield PairTable(
                pairs, values, heads, tuple(f"mean.{unit}" for unit in range(width)), self.key["from"]
            )

    def _parts(self, name: str, columns: int) -> Iterator[tuple[Pairs, np.ndarray]]:
        start = 0
        for chunk in self.rows.column(name).chunks:
            values = chunk.flatten().to_numpy().reshape(len(chunk), -1, columns)
            yield self.pairs.take(range(start, start + len(chunk))), values
            start += len(chunk)


def joined_table(parts: Iterable[PairTable]) -> PairTable:
    """All parts as one table; for few pairs."""
    tables = list(parts)
    pairs = joined_pairs([table.pairs for table in tables])
    values = np.concatenate([t.values for t in tables]).astype(np.float32)
    return PairTable(pairs, values, tables[0].heads, tables[0].columns, tables[0].about)


def read_model(model: str, pairs: Pairs, folder: Path, lab: Lab, cut: int = CUT) -> PairReadings:
    """What a model shows of pairs; parts that are missing are read from it and kept in a folder."""
    scope = lab.model(model)
    spec = everything(scope.causal)
    key = {
        "what": f"readings of {pairs.name}", "from": scope.provenance, "pairs": pairs.fingerprint,
        "columns": spec.columns, "features": spec.features and spec.features.to_json(), "cut": cut,
        "width": scope.width,
    }  # fmt: skip
    parts = cut_up("pairs", len(pairs), cut)

    def make(name: str) -> pa.Table:
        part = pairs.take(parts[name])
        values, states = scope.measure_pairs(part.good, part.bad, spec, states=True)
        assert states is not None
        apart = (states[0].mean[:, 1:] - states[1].mean[:, 1:]).astype(np.float16)
        rows = {"heads": values, "states": apart}
        return pa.table({n: fixed_lists(v.reshape(len(part), -1)) for n, v in rows.items()})

    rows = run(Job(key, tuple(parts), make), folder, lab.tell)
    heads = tuple(all_heads(scope.layers, scope.heads))
    tokens = scope.token_counts([*pairs.good, *pairs.bad]).reshape(2, -1).T
    return PairReadings(pairs, rows, tokens, heads, spec.columns, key)
