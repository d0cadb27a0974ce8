"""Features of many texts as a table with named columns, kept in Parquet."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.errors import InputError
from toposcope.features.spec import FeatureSpec
from toposcope.files import whole

if TYPE_CHECKING:
    import pandas

NAME = re.compile(r"(?P<feature>.+)\.L(?P<layer>\d+)\.H(?P<head>\d+)")


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """``values`` (rows, columns) with the name of each column, such as ``h0_sum.L8.H0``.

    ``about`` says where it comes from: model, weights, spec, versions.
    """

    values: np.ndarray = field(repr=False)
    columns: tuple[str, ...] = field(repr=False)
    about: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.values.ndim != 2 or self.values.shape[1] != len(self.columns):
            raise InputError(f"values {self.values.shape} for {len(self.columns)} columns.")

    @classmethod
    def from_measure(
        cls, values: np.ndarray, spec: FeatureSpec, about: Mapping[str, str] | None = None
    ) -> FeatureTable:
        """From what ``scope.measure(texts, spec)`` gave: (texts, layers, heads, columns)."""
        rows, layers, heads, _ = values.shape
        flat = np.ascontiguousarray(values.reshape(rows, -1), np.float32)
        return cls(flat, tuple(spec.names(layers, heads)), {**(about or {}), "spec": spec.to_json()})

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: k for k, name in enumerate(self.columns)}

    def __getitem__(self, name: str) -> np.ndarray:
        """One column by name."""
        if name not in self._places:
            raise InputError(f"no column {name!r}: there are {len(self.columns)}, {self._examples}.")
        return self.values[:, self._places[name]]

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

        def kept(name: str) -> bool:
            parts = NAME.fullmatch(name)
            return parts is not None and all(
                (
                    feature is None or parts["feature"] in _some(feature),
                    layer is None or int(parts["layer"]) in _some(layer),
                    head is None or int(parts["head"]) in _some(head),
                    spec is None or spec.block_of.get(parts["feature"]) in blocks,
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
        return f"such as {self.columns[0]!r}" if self.columns else "none at all"

    def keep(self, wanted: Callable[[str], bool]) -> FeatureTable:
        """The columns whose names ``wanted`` likes."""
        chosen = [k for k, name in enumerate(self.columns) if wanted(name)]
        return FeatureTable(self.values[:, chosen], tuple(self.columns[k] for k in chosen), self.about)

    def take(self, names: Sequence[str]) -> FeatureTable:
        """The columns of these names, in this order."""
        return FeatureTable(self.values[:, self.places(names)], tuple(names), self.about)

    def places(self, names: Sequence[str]) -> list[int]:
        """Where the columns of these names stand."""
        missing = [name for name in names if name not in self._places]
        if missing:
            raise InputError(f"no column {missing[0]!r}: there are {len(self.columns)}.")
        return [self._places[name] for name in names]

    def to_parquet(self, path: str | Path) -> None:
        """Write the table; the file is whole or not there."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = Path(path)
        arrays = [pa.array(column) for column in self.values.T]
        table = pa.table(dict(zip(self.columns, arrays, strict=True)))
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

        return pandas.DataFrame(self.values, columns=list(self.columns))


def _some(given: Any) -> Sequence[Any]:
    return [given] if isinstance(given, str | int) or given is None else list(given)
