"""Features of many texts as a table with named columns, kept in Parquet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.errors import InputError
from toposcope.features.column import Column, all_columns
from toposcope.features.spec import FeatureSpec
from toposcope.files import whole
from toposcope.topology.head import all_heads

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """``values`` (rows, columns); columns are given as values or by name, such as ``h0_sum.L8.H0``.

    ``about`` says where it comes from: model, weights, spec, versions.
    """

    values: np.ndarray = field(repr=False)
    columns: tuple[Column, ...] = field(repr=False)
    about: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(map(_column, self.columns)))
        if self.values.ndim != 2 or self.values.shape[1] != len(self.columns):
            raise InputError(f"values {self.values.shape} for {len(self.columns)} columns.")

    @classmethod
    def from_measure(
        cls, values: np.ndarray, spec: FeatureSpec, about: Mapping[str, str] | None = None
    ) -> FeatureTable:
        """From what ``scope.measure(texts, spec)`` gave: (texts, layers, heads, columns)."""
        rows, layers, heads, _ = values.shape
        flat = np.ascontiguousarray(values.reshape(rows, -1), np.float32)
        columns = all_columns(spec.columns, all_heads(layers, heads))
        return cls(flat, columns, {**(about or {}), "spec": spec.to_json()})

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(map(str, self.columns))

    @cached_property
    def _places(self) -> dict[Column, int]:
        return {column: k for k, column in enumerate(self.columns)}

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
    ) -> FeatureTable:
        """The columns for which everything that is given holds; an InputError if there is none."""
        if block is not None and "spec" not in self.about:
            raise InputError(
                "this table does not know its blocks: select by feature, or by name with take."
            )
        spec = FeatureSpec.from_json(self.about["spec"]) if block is not None else None
        blocks = _some(block)

        def kept(column: Column) -> bool:
            return column.head is not None and all(
                (
                    feature is None or column.feature in _some(feature),
                    layer is None or column.head.layer in _some(layer),
                    head is None or column.head.index in _some(head),
                    spec is None or spec.block_of.get(column.feature) in blocks,
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
        return f"such as {self.names[0]!r}" if self.columns else "none at all"

    def keep(self, wanted: Callable[[Column], bool]) -> FeatureTable:
        """The columns that ``wanted`` likes."""
        return self.take([column for column in self.columns if wanted(column)])

    def take(self, columns: Sequence[Column | str]) -> FeatureTable:
        """These columns, in this order."""
        places = self.places(columns)
        return FeatureTable(self.values[:, places], tuple(self.columns[k] for k in places), self.about)

    def places(self, columns: Sequence[Column | str]) -> list[int]:
        """Where these columns stand."""
        wanted = [_column(column) for column in columns]
        for column in wanted:
            if column not in self._places:
                raise InputError(
                    f"no column {str(column)!r}: there are {len(self.columns)}, {self._examples}."
                )
        return [self._places[column] for column in wanted]

    def to_parquet(self, path: str | Path) -> None:
        """Write the table; the file is whole or not there."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = Path(path)
        arrays = [pa.array(column) for column in self.values.T]
        table = pa.table(dict(zip(self.names, arrays, strict=True)))
        metadata = {f"toposcope.{key}": value for key, value in self.about.items()}
        with whole(path) as place:
            pq.write_table(table.replace_schema_metadata(metadata), place, compression="zstd")

    @classmethod
    def from_parquet(cls, path: str | Path) -> FeatureTable:
        """Read what ``to_parquet`` wrote."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            table = pq.read_table(path)
        except (pa.ArrowInvalid, OSError) as error:
            raise InputError(f"{path} cannot be read as a table of features: {error}") from error
        metadata = table.schema.metadata or {}
        about = {
            key.decode().removeprefix("toposcope."): value.decode()
            for key, value in metadata.items()
            if key.startswith(b"toposcope.")
        }
        columns = [table.column(name).to_numpy() for name in table.column_names]
        values = np.stack(columns, axis=1) if columns else np.zeros((len(table), 0), np.float32)
        return cls(np.ascontiguousarray(values), tuple(table.column_names), about)

    def to_pandas(self) -> pandas.DataFrame:
        """As a data frame."""
        import pandas

        return pandas.DataFrame(self.values, columns=list(self.names))


def _column(given: Column | str) -> Column:
    return Column.parse(given) if isinstance(given, str) else given


def _some(given: Any) -> Sequence[Any]:
    return [given] if isinstance(given, str | int) or given is None else list(given)
