"""The one format of tables, in Arrow and Parquet: a list of fixed size for each block of columns.

A column for each of 8,208 features would make a footer that takes longer to read than the numbers. So the
features of a block lie together, those of all heads: ``threshold`` is one column, in each row a list, head
by head. What has no head follows: ``cls.L12`` is the hidden state of a layer, ``lm`` a list of one number.
Before these stand the columns that are carried, ``id`` first. Under the key ``toposcope`` the schema says,
in JSON, which columns are in which list and where everything comes from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np

from toposcope.errors import InputError, told_if_missing
from toposcope.facts import Facts
from toposcope.features.column import Column, Columns, all_columns
from toposcope.features.spec import FeatureSpec
from toposcope.features.table import Table, as_objects
from toposcope.files import whole
from toposcope.topology.head import Head

with told_if_missing():
    import pyarrow as pa
    import pyarrow.parquet as pq

FORMAT, KEY = "toposcope table 1", b"toposcope"
UNIT = re.compile(r"(.+)\.\d+")  # a number of a hidden state
UNFIT = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)  # a schema of other columns
ALL = "columns"  # the one list of a table whose columns fit into no blocks

Group = tuple[str, tuple[str, ...]]
"""The name of a list, and the features in it."""


def to_arrow(table: Table) -> pa.Table:
    """A table as one of Arrow."""
    heads, blocks, alone = _layout(table.columns, table.block_of)
    arrays = {name: pa.array(values) for name, values in table.carried.items()}
    for name, values in _lists(table.values, heads, blocks, alone):
        if name in arrays:
            raise InputError(f"a column {name!r} is carried, and features have that name: rename it.")
        arrays[name] = fixed_lists(values)
    facts = {
        "format": FORMAT,
        "heads": [*map(str, heads)],
        "blocks": [{"name": name, "features": features} for name, features in blocks],
        "alone": [{"name": name, "features": _short(name, features)} for name, features in alone],
        "about": dict(table.about),
    }
    return pa.table(arrays).replace_schema_metadata({KEY: json.dumps(facts)})


def from_arrow(table: pa.Table) -> Table:
    """The table that ``to_arrow`` was given."""
    facts = facts_of(table.schema)
    try:
        heads = [Head.parse(name) for name in facts.texts("heads")]
        blocks = [(block.text("name"), block.texts("features")) for block in facts.parts("blocks")]
        parts = [_values(table, name, len(heads), len(features)) for name, features in blocks]
        columns = [*all_columns([f for _, features in blocks for f in features], heads)]
        values = [np.concatenate(parts, axis=2).reshape(len(table), len(columns))] if parts else []
        alone = [(block.text("name"), _told(block)) for block in facts.parts("alone")]
        for name, features in alone:
            count = features if isinstance(features, int) else len(features)
            values.append(_values(table, name, 1, count)[:, 0])
            columns += map(Column.parse, _long(name, features))
        if len(values) != 1:
            values = [np.concatenate(values, axis=1) if values else np.zeros((len(table), 0), np.float32)]
        ours = {name for name, _ in (*blocks, *alone)}
        carried = {name: _carried(table[name]) for name in table.column_names if name not in ours}
        about = facts.part("about").given
        if "spec" in about:
            FeatureSpec.from_json(about["spec"])
        return Table(values[0], Columns(columns), about, carried)
    except InputError:
        raise
    except (*UNFIT, pa.ArrowException) as error:
        raise InputError(f"what the schema says is not what the columns hold: {error!r}.") from error


def write_parquet(table: Table, path: Path) -> None:
    """Write a table into a file, which is whole or not there."""
    rows = to_arrow(table)
    with whole(path) as place:
        pq.write_table(rows, place, compression="zstd")


def read_parquet(path: Path) -> Table:
    """A table from a file; refused if it cannot be read, or holds what is no number."""
    try:
        found = from_arrow(pq.ParquetFile(path).read())
    except (pa.ArrowException, OSError, UnicodeDecodeError, InputError) as error:
        raise InputError(f"{path} cannot be read as a table: {error}") from error
    if not np.isfinite(found.values).all():
        place = int(np.argmin(np.isfinite(found.values).all(0)))
        raise InputError(f"{path} has values that are no numbers, in the column {found.names[place]}.")
    return found


def facts_of(schema: pa.Schema) -> Facts:
    """What the schema of a table of ours says of it; refused if it is another's, or older than this."""
    metadata = schema.metadata or {}
    if any(key.startswith(KEY + b".") for key in metadata):
        anew = "toposcope pairs score -o" if KEY + b".pairs" in metadata else "Table.to_parquet"
        raise InputError(f"it was written by an older toposcope: make it anew with `{anew}`.")
    if KEY not in metadata:
        raise InputError("it is not one that toposcope wrote.")
    facts = Facts.parse(metadata[KEY])
    if facts["format"] != FORMAT:
        raise InputError(f"its format is {facts['format']!r}, this version reads {FORMAT!r}.")
    return facts


def _layout(
    columns: Sequence[Column], block_of: Mapping[str, str]
) -> tuple[list[Head], list[Group], list[Group]]:
    """Heads, the blocks of features of each, and those without; what fits into none of them is one list."""
    heads = list(dict.fromkeys(column.head for column in columns if column.head is not None))
    features = list(dict.fromkeys(column.feature for column in columns if column.head is not None))
    rest = [column.feature for column in columns[len(heads) * len(features) :]]
    blocks = _grouped(features, lambda feature: block_of.get(feature, feature))
    alone = _grouped(rest, lambda feature: found[1] if (found := UNIT.fullmatch(feature)) else feature)
    names = [name for name, _ in (*blocks, *alone)]
    told = (*all_columns(features, heads), *map(Column, rest))
    if told != tuple(columns) or len(set(names)) < len(names):
        return [], [], [(ALL, tuple(map(str, columns)))]
    return heads, blocks, alone


def _grouped(features: Sequence[str], key: Callable[[str], str]) -> list[Group]:
    return [(name, tuple(some)) for name, some in groupby(features, key)]


def _lists(
    values: np.ndarray, heads: Sequence[Head], blocks: Sequence[Group], alone: Sequence[Group]
) -> Iterator[tuple[str, np.ndarray]]:
    """The values of each block, (rows, size of the list)."""
    width = sum(len(features) for _, features in blocks)
    of_heads = values[:, : len(heads) * width].reshape(len(values), len(heads), width)
    start = 0
    for name, features in blocks:
        some = of_heads[:, :, start : start + len(features)]
        yield name, some.reshape(len(values), len(heads) * len(features))
        start += len(features)
    start *= len(heads)
    for name, features in alone:
        yield name, values[:, start : start + len(features)]
        start += len(features)


def fixed_lists(values: np.ndarray) -> pa.Array:
    """The rows of an array as lists of one size."""
    flat = pa.array(np.ascontiguousarray(values).ravel())
    return pa.FixedSizeListArray.from_arrays(flat, values.shape[1])


def vectors(column: pa.ChunkedArray) -> np.ndarray:
    """What ``fixed_lists`` was given; a single chunk is not copied."""
    chunks = column.chunks or [column.combine_chunks()]
    size = column.type.list_size
    parts = [chunk.flatten().to_numpy(zero_copy_only=True).reshape(len(chunk), size) for chunk in chunks]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _values(table: pa.Table, name: str, heads: int, features: int) -> np.ndarray:
    """The values of a block, (rows, heads, features)."""
    if name not in table.column_names:
        raise InputError(f"it has no column {name!r}, of which its schema tells.")
    column = table[name]
    kind = column.type
    if not pa.types.is_fixed_size_list(kind) or kind.list_size != heads * features or column.null_count:
        raise InputError(
            f"{name!r} holds {kind}: by its schema it has {heads} x {features} numbers in every row."
        )
    if not pa.types.is_floating(kind.value_type):
        raise InputError(f"{name!r} holds {kind}: needed are floating-point numbers.")
    return vectors(column).reshape(len(table), heads, features)


def _carried(column: pa.ChunkedArray) -> np.ndarray:
    """Numbers as such; texts, and whatever has gaps, as objects."""
    if column.null_count or pa.types.is_nested(column.type):
        return as_objects(column.to_pylist())
    return column.to_numpy()


def _short(name: str, features: Sequence[str]) -> int | Sequence[str]:
    """Features without a head for the schema: those that are only numbered, by how many there are."""
    return len(features) if _long(name, len(features)) == tuple(features) else features


def _told(block: Facts) -> int | Sequence[str]:
    """What ``_short`` gave."""
    return block.texts("features") if isinstance(block["features"], list) else block.count("features")


def _long(name: str, features: int | Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{name}.{k}" for k in range(features)) if isinstance(features, int) else tuple(features)
