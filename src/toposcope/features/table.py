"""What was measured of many texts or pairs: a table with named columns, and what is known of each row."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.errors import InputError
from toposcope.features.column import Column, Columns, all_columns
from toposcope.features.spec import FeatureSpec
from toposcope.topology.head import all_heads

if TYPE_CHECKING:
    import pandas
    import pyarrow as pa

ID = "id"


@dataclass(frozen=True, eq=False)
class Table:
    """``values`` (rows, columns); columns are given as values or by name, such as ``h0_sum.L8.H0``.

    ``carried`` is what else is known of the rows, by name: their ``id`` (numbers from 0 if nothing is
    given), the ``hash`` of their text, whatever came with them. ``about`` says where it comes from: model,
    weights, tokenizer, spec, versions.
    """

    values: np.ndarray = field(repr=False)
    columns: Columns = field(repr=False)
    about: Mapping[str, Any] = field(default_factory=dict)
    carried: Mapping[str, np.ndarray] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", Columns.of(self.columns))
        if self.values.ndim != 2 or self.values.shape[1] != len(self.columns):
            raise InputError(f"values {self.values.shape} for {len(self.columns)} columns.")
        if len(self.columns.places) < len(self.columns):
            raise InputError("a column stands there twice: each is needed once.")
        carried = {name: _array(values) for name, values in self.carried.items()}
        object.__setattr__(self, "carried", {ID: np.arange(len(self.values)), **carried})
        for name, values in self.carried.items():
            if len(values) != len(self.values):
                raise InputError(f"{len(values)} values of {name!r} for {len(self.values)} rows.")

    @classmethod
    def from_measure(
        cls,
        values: np.ndarray,
        spec: FeatureSpec,
        about: Mapping[str, Any] | None = None,
        carried: Mapping[str, np.ndarray] | None = None,
    ) -> Table:
        """From what ``scope.measure(texts, spec)`` gave: (texts, layers, heads, columns)."""
        rows, layers, heads, _ = values.shape
        flat = np.ascontiguousarray(values.reshape(rows, -1), np.float32)
        columns = all_columns(spec.columns, all_heads(layers, heads))
        return cls(flat, columns, {**(about or {}), "spec": spec.to_json()}, carried or {})

    def __len__(self) -> int:
        return len(self.values)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.columns.names

    @cached_property
    def block_of(self) -> Mapping[str, str]:
        """The block of each feature, as far as the table knows its spec."""
        return FeatureSpec.from_json(self.about["spec"]).block_of if "spec" in self.about else {}

    def __getitem__(self, column: Column | str) -> np.ndarray:
        """One column, by name for one."""
        return self.values[:, self.places([column])[0]]

    def select(
        self,
        *,
        feature: str | Collection[str] | None = None,
        block: str | Collection[str] | None = None,
        layer: int | Collection[int] | None = None,
        head: int | Collection[int] | None = None,
    ) -> Table:
        """The columns for which everything that is given holds; an InputError if there is none."""
        if block is not None and not self.block_of:
            raise InputError(
                "this table does not know its blocks: select by feature, or by name with take."
            )

        def kept(column: Column) -> bool:
            return column.head is not None and all(
                (
                    feature is None or column.feature in _some(feature),
                    layer is None or column.head.layer in _some(layer),
                    head is None or column.head.index in _some(head),
                    block is None or self.block_of.get(column.feature) in _some(block),
                )
            )

        chosen = self.keep(kept)
        if not chosen.columns:
            wishes = {"feature": feature, "block": block, "layer": layer, "head": head}
            asked = ", ".join(f"{name}={wish!r}" for name, wish in wishes.items() if wish is not None)
            raise InputError(f"no column has {asked}: there are {len(self.columns)}, {self._examples}.")
        return chosen

    @property
    def _examples(self) -> str:
        return f"such as {self.names[0]!r}" if self.names else "none at all"

    def keep(self, wanted: Callable[[Column], bool]) -> Table:
        """The columns that ``wanted`` likes."""
        return self.take([column for column in self.columns if wanted(column)])

    def take(self, columns: Sequence[Column | str]) -> Table:
        """These columns, in this order."""
        places = self.places(columns)
        return replace(
            self, values=self.values[:, places], columns=Columns(self.columns[k] for k in places)
        )

    def places(self, columns: Sequence[Column | str]) -> list[int]:
        """Where these columns stand."""
        wanted = Columns.of(columns)
        for column in wanted:
            if column not in self.columns.places:
                raise InputError(
                    f"no column {str(column)!r}: there are {len(self.columns)}, {self._examples}."
                )
        return [self.columns.places[column] for column in wanted]

    def rows(self, places: Sequence[int] | np.ndarray) -> Table:
        """The rows at some places, or where a mask is true."""
        chosen = np.asarray(places)
        carried = {name: values[chosen] for name, values in self.carried.items()}
        return replace(self, values=self.values[chosen], carried=carried)

    def to_arrow(self) -> pa.Table:
        """As a table of Arrow, a list for each block."""
        from toposcope.features.arrow import to_arrow

        return to_arrow(self)

    @classmethod
    def from_arrow(cls, table: pa.Table) -> Table:
        """From what ``to_arrow`` gave."""
        from toposcope.features.arrow import from_arrow

        return from_arrow(table)

    def to_parquet(self, path: str | Path) -> None:
        """Write the table; the file is whole or not there."""
        from toposcope.features.arrow import write_parquet

        write_parquet(self, Path(path))

    @classmethod
    def from_parquet(cls, path: str | Path) -> Table:
        """Read what ``to_parquet`` wrote."""
        from toposcope.features.arrow import read_parquet

        return read_parquet(Path(path))

    def to_pandas(self) -> pandas.DataFrame:
        """As a data frame: what is carried, then a column for each of ours."""
        import pandas

        carried = pandas.DataFrame(dict(self.carried))
        return pandas.concat([carried, pandas.DataFrame(self.values, columns=list(self.names))], axis=1)


def as_objects(values: Iterable[Any]) -> np.ndarray:
    """Texts, lists or whatever it is, one a row, as something that a table can carry."""
    rows = list(values)
    return np.fromiter(rows, object, len(rows))


def _array(values: Any) -> np.ndarray:
    """Values of rows as an array; whatever is no array already stays as it is, in one of objects."""
    return values if isinstance(values, np.ndarray) else as_objects(values)


def _some(given: Any) -> Sequence[Any]:
    return [given] if isinstance(given, str | int) or given is None else list(given)
