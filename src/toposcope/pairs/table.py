"""Differences between the two sentences of many pairs, head by head, kept in Parquet.

From such a table every number about the pairs can be computed again without the model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.data.minimal_pairs import Pairs
from toposcope.data.words import check_words
from toposcope.errors import InputError
from toposcope.files import whole
from toposcope.models.text import check_texts
from toposcope.pairs.readings import PairSpec
from toposcope.topology.head import Head, all_heads

if TYPE_CHECKING:
    from toposcope.models.scope import Scope

PAIR = ("good", "bad", "paradigm", "phenomenon")


@dataclass(frozen=True, eq=False)
class PairTable:
    """``values`` (pairs, heads, columns): good sentence minus bad one; ``columns`` as in ``PairSpec``.

    ``about`` says where they come from: model, fingerprint, causal.
    """

    pairs: Pairs
    values: np.ndarray = field(repr=False)
    heads: tuple[Head, ...] = field(repr=False)
    columns: tuple[str, ...]
    about: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "heads", tuple(Head(*head) for head in self.heads))
        expected = (len(self.pairs), len(self.heads), len(self.columns))
        if self.values.shape != expected:
            raise InputError(
                f"values {self.values.shape}: expected are (pairs, heads, columns) {expected}."
            )

    def __len__(self) -> int:
        return len(self.pairs)

    def column(self, name: str) -> np.ndarray:
        """One column of all heads, (pairs, heads)."""
        return self.values[:, :, self._place(name)]

    def take_columns(self, names: Sequence[str]) -> np.ndarray:
        """Some columns of all heads, (pairs, heads, columns)."""
        return self.values[:, :, [self._place(name) for name in names]]

    def only(self, names: Sequence[str]) -> PairTable:
        """The table with some columns."""
        return replace(self, values=self.take_columns(names), columns=tuple(names))

    def only_heads(self, places: Sequence[int] | np.ndarray) -> PairTable:
        """The table with some heads, by their places among ``heads``."""
        kept = tuple(self.heads[place] for place in places)
        return replace(self, values=self.values[:, np.asarray(places)], heads=kept)

    def _place(self, name: str) -> int:
        if name not in self.columns:
            raise InputError(f"the pairs were not read for {name!r}, but for {', '.join(self.columns)}.")
        return self.columns.index(name)

    def take(self, places: Sequence[int] | np.ndarray) -> PairTable:
        """Some of the pairs."""
        return replace(self, pairs=self.pairs.take(places), values=self.values[np.asarray(places)])

    def without(self, hashes: np.ndarray, reason: str) -> PairTable:
        """Without the pairs of these hashes, which become rejects."""
        rows = ~np.isin(self.pairs.hashes, hashes)
        return replace(self, pairs=self.pairs.without(hashes, reason), values=self.values[rows])

    def to_parquet(self, path: str | Path, **more: np.ndarray) -> None:
        """Write the table, a row a pair, its heads as a list for each column; ``more`` are more columns."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        arrays: dict[str, Any] = {
            "good": pa.array(self.pairs.good),
            "bad": pa.array(self.pairs.bad),
            "paradigm": pa.array(self.pairs.paradigms.tolist()),
            "phenomenon": pa.array(self.pairs.phenomena.tolist()),
            **{name: pa.array(values) for name, values in more.items()},
        }
        for k, name in enumerate(self.columns):
            flat = pa.array(np.ascontiguousarray(self.values[:, :, k], np.float32).ravel())
            arrays[name] = pa.FixedSizeListArray.from_arrays(flat, len(self.heads))
        facts = {"heads": self.heads, "columns": self.columns, "name": self.pairs.name, "about": self.about}
        table = pa.table(arrays).replace_schema_metadata({"toposcope.pairs": json.dumps(facts)})
        with whole(Path(path)) as place:
            pq.write_table(table, place, compression="zstd")

    @classmethod
    def from_parquet(cls, path: str | Path) -> PairTable:
        """Read what ``to_parquet`` wrote."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            table = pq.read_table(path)
        except (pa.ArrowInvalid, OSError) as error:
            raise InputError(f"{path} cannot be read as a table of pairs: {error}") from error
        facts = json.loads((table.schema.metadata or {}).get(b"toposcope.pairs", b"null"))
        if facts is None:
            raise InputError(f"{path} holds no readings of pairs: `toposcope pairs score -o` writes such.")
        good, bad, paradigms, phenomena = (table.column(name).to_pylist() for name in PAIR)
        pairs = Pairs(tuple(good), tuple(bad), np.array(paradigms), np.array(phenomena), facts["name"])
        values = np.empty((len(pairs), len(facts["heads"]), len(facts["columns"])), np.float32)
        for k, name in enumerate(facts["columns"]):
            flat = table.column(name).combine_chunks().flatten().to_numpy()
            values[:, :, k] = flat.reshape(values.shape[:2])
        return cls(pairs, values, facts["heads"], tuple(facts["columns"]), facts["about"])


def is_pair_table(path: str | Path) -> bool:
    """Whether a file was written by ``PairTable.to_parquet``."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = Path(path)
    if path.suffix != ".parquet" or not path.is_file():
        return False
    try:
        return b"toposcope.pairs" in (pq.read_schema(path).metadata or {})
    except pa.ArrowInvalid:
        return False


def read_heads(
    scope: Scope, pairs: Pairs, spec: PairSpec, heads: Sequence[Head] | None = None, **options: Any
) -> PairTable:
    """Read the heads of a model for all pairs, one pass for each sentence."""
    if not len(pairs):
        raise InputError(f"{pairs.name}: there is no pair to read.")
    for side, texts in (("good", pairs.good), ("bad", pairs.bad)):
        check_words(check_texts(texts), side)
    values, _ = scope.measure_pairs(pairs.good, pairs.bad, spec, heads=heads, **options)
    return PairTable(
        pairs,
        values,
        tuple(heads or all_heads(scope.layers, scope.heads)),
        spec.columns,
        about_model(scope),
    )


def about_model(scope: Scope) -> dict[str, Any]:
    """What a table says of the model that it was read from."""
    return {"model": scope.reference, "fingerprint": scope.fingerprint, "causal": scope.causal}
