"""Differences between the two sentences of many pairs, head by head: a table, seen as an array of heads.

From such a table every number about the pairs can be computed again without the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.data.minimal_pairs import Pairs, places_in_group
from toposcope.data.words import check_words
from toposcope.errors import InputError, told_if_missing
from toposcope.facts import Facts
from toposcope.features.column import all_columns
from toposcope.features.table import Table
from toposcope.models.text import check_texts
from toposcope.pairs.readings import PairSpec
from toposcope.store import Job, Tell, cut_up, run
from toposcope.topology.head import Head, all_heads

if TYPE_CHECKING:
    import pyarrow as pa

    from toposcope.models.scope import Scope

PAIR = ("good", "bad", "paradigm", "phenomenon")
CUT = 2000  # pairs that are read at once where they are kept
HASH, NAME = "hash", "pairs"  # of each pair; of all of them


@dataclass(frozen=True, eq=False)
class PairTable:
    """``values`` (pairs, heads, columns): good sentence minus bad one; ``columns`` as in ``PairSpec``.

    ``about`` says where they come from, as ``scope.provenance`` does.
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

    def first(self, count: int) -> PairTable:
        """The first ``count`` pairs of each paradigm."""
        return self.take(places_in_group(self.pairs.paradigms) < count)

    def without(self, hashes: np.ndarray, reason: str) -> PairTable:
        """Without the pairs of these hashes, which become rejects."""
        rows = ~np.isin(self.pairs.hashes, hashes)
        return replace(self, pairs=self.pairs.without(hashes, reason), values=self.values[rows])

    def table(self, **more: np.ndarray) -> Table:
        """As a table with a row for each pair, which carries its sentences, and ``more`` by name."""
        pairs, flat = self.pairs, self.values.reshape(len(self), len(self.heads) * len(self.columns))
        carried = {
            HASH: pairs.hashes,
            "good": np.array(pairs.good, object),
            "bad": np.array(pairs.bad, object),
            "paradigm": pairs.paradigms,
            "phenomenon": pairs.phenomena,
        }
        about = {**self.about, NAME: pairs.name}
        return Table(flat, all_columns(self.columns, self.heads), about, {**carried, **more})

    @classmethod
    def from_table(cls, table: Table) -> PairTable:
        """From what ``table`` gave."""
        if not is_of_pairs(table.carried):
            raise InputError("it holds none, `toposcope pairs score -o` writes such.")
        carried = Facts({name: table.carried[name].tolist() for name in PAIR})
        good, bad, paradigms, phenomena = map(carried.texts, PAIR)
        about, told = dict(table.about), Facts(table.about, "about.")
        _ = told.text("model"), told.text("fingerprint"), told.flag("causal")  # asked for in many places
        pairs = Pairs(good, bad, np.array(paradigms), np.array(phenomena), told.text(NAME))
        del about[NAME]
        heads = tuple(dict.fromkeys(column.head for column in table.columns if column.head is not None))
        columns = tuple(dict.fromkeys(column.feature for column in table.columns))
        if all_columns(columns, heads) != table.columns:
            raise InputError("its pairs were not read for the same of every head.")
        return cls(pairs, table.values.reshape(len(pairs), len(heads), len(columns)), heads, columns, about)

    def to_parquet(self, path: str | Path, **more: np.ndarray) -> None:
        """Write the table in the format of all tables, with ``more`` about the pairs by name."""
        self.table(**more).to_parquet(path)

    @classmethod
    def from_parquet(cls, path: str | Path) -> PairTable:
        """Read what ``to_parquet`` wrote."""
        table = Table.from_parquet(path)
        try:
            return cls.from_table(table)
        except InputError as error:
            raise InputError(f"{path} cannot be read as a table of pairs: {error}") from error


def is_of_pairs(names: Iterable[str]) -> bool:
    """Whether a table that carries columns of these names is one of pairs."""
    return {*PAIR} <= {*names}


def is_pair_table(path: str | Path) -> bool:
    """Whether a file is a table of pairs, of this version or an older one."""
    path = Path(path)
    if path.suffix != ".parquet" or not path.is_file():
        return False
    with told_if_missing():
        import pyarrow as pa
        import pyarrow.parquet as pq
    try:
        schema = pq.read_schema(path)
    except (pa.ArrowException, OSError, UnicodeDecodeError):
        return False
    ours = any(key.startswith(b"toposcope") for key in schema.metadata or {})
    return ours and is_of_pairs(schema.names)


def read_and_keep(
    scope: Scope,
    pairs: Pairs,
    spec: PairSpec,
    heads: Sequence[Head] | None = None,
    *,
    work: Path | None = None,
    tell: Tell = lambda _: None,
    cut: int = CUT,
) -> PairTable:
    """``read_heads``, in parts that are kept if there is a folder ``work``; a new start goes on."""
    if work is None:
        return read_heads(scope, pairs, spec, heads)
    key = {
        "what": f"readings of {pairs.name}", "from": scope.provenance, "pairs": pairs.fingerprint,
        "columns": spec.columns, "features": spec.features and spec.features.to_json(),
        "heads": None if heads is None else [str(Head(*head)) for head in heads], "cut": cut,
    }  # fmt: skip
    parts = cut_up("pairs", len(pairs), cut)

    def make(name: str) -> pa.Table:
        return read_heads(scope, pairs.take(parts[name]), spec, heads).table().to_arrow()

    rows = run(Job(key, tuple(parts), make), work, tell)
    return replace(PairTable.from_table(Table.from_arrow(rows)), pairs=pairs)


def read_heads(
    scope: Scope, pairs: Pairs, spec: PairSpec, heads: Sequence[Head] | None = None, **options: Any
) -> PairTable:
    """Read the heads of a model for all pairs, one pass for each sentence."""
    if not len(pairs):
        raise InputError(f"{pairs.name}: there is no pair to read.")
    for side, texts in (("good", pairs.good), ("bad", pairs.bad)):
        check_words(check_texts(texts), side)
    values, _ = scope.measure_pairs(pairs.good, pairs.bad, spec, heads=heads, **options)
    about = scope.provenance | ({} if spec.features is None else {"spec": spec.features.to_json()})
    return PairTable(
        pairs, values, tuple(heads or all_heads(scope.layers, scope.heads)), spec.columns, about
    )
