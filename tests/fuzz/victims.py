"""What is mutated, and what a user does with it: always finite numbers, or an InputError."""

import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from safetensors.numpy import load as from_bytes
from safetensors.numpy import save as to_bytes

from tests.fuzz.mutants import Choices, other_array, other_bytes, other_json, pick
from tests.fuzz.things import saved_judge, saved_selections, saved_tables, things
from tests.models.toy import OPENERS, TEXTS, pair_rows
from toposcope.data.minimal_pairs import read_pairs
from toposcope.data.readers import read_sentences, read_texts
from toposcope.errors import InputError, ModelError
from toposcope.features.table import Table
from toposcope.judge.judge import Judge
from toposcope.pairs.compare import compare
from toposcope.pairs.score import score_pairs, selections_named
from toposcope.pairs.selection import Selection
from toposcope.pairs.table import PairTable, is_pair_table

SOME = ["the cat sleeps.", "a red dog is barking!"]
NONE = np.empty(0, np.int64)
REFUSED, ANSWERED, OTHER_MODEL = "InputError", "answer", "another model"


def judges(choices: Choices, folder: Path) -> str:
    """A judge's folder: facts, arrays or bytes are others; the hash of the weights is the right one."""
    made = saved_judge(bool(choices.number(1)), folder)
    text, weights = (made / "judge.json").read_bytes(), (made / "weights.safetensors").read_bytes()
    kind = choices.number(9)
    if kind < 5:
        text = json.dumps(other_json(choices, json.loads(text))).encode()
    elif kind < 8:
        arrays = from_bytes(weights)
        name = pick(choices, sorted(arrays))
        arrays[name] = np.ascontiguousarray(other_array(choices, arrays[name]))
        weights = to_bytes(arrays)
    elif kind == 8:
        weights = other_bytes(choices, weights)
    else:
        text = other_bytes(choices, text)
    if kind in (5, 6, 7, 8):
        facts = json.loads(text)
        facts["weights"]["sha256"] = hashlib.sha256(weights).hexdigest()
        text = json.dumps(facts).encode()
    (folder / "judge.json").write_bytes(text)
    (folder / "weights.safetensors").write_bytes(weights)
    return _outcome(lambda: use_judge(Judge.load(folder)))


def use_judge(judge: Judge) -> None:
    at_work = judge.on(things().scope)
    for verdict in at_work(SOME):
        numbers = [verdict.probability, verdict.threshold, *verdict.reasons.values()]
        assert all(map(math.isfinite, numbers)), numbers
        assert 0 <= verdict.probability <= 1
        assert 0 <= verdict.threshold <= 1
        assert verdict.acceptable == (verdict.probability >= verdict.threshold)
        assert "nan" not in verdict._repr_html_().lower().replace(verdict.text, "")
    assert judge._repr_html_()


def selections(choices: Choices, folder: Path) -> str:
    """A file of chosen heads."""
    text = pick(choices, saved_selections(folder))
    if choices.number(4):
        text = json.dumps(other_json(choices, json.loads(text))).encode()
    else:
        text = other_bytes(choices, text)
    (folder / "heads.json").write_bytes(text)
    return _outcome(lambda: use_selection(Selection.load(folder / "heads.json")))


def use_selection(selection: Selection) -> None:
    found = compare(things().scope, *SOME, selections=[selection], language_model=False)
    said = found.to_dict()
    json.dumps(said, allow_nan=False)
    assert isinstance(said["opinions"][0]["margin"], float)
    f"{said['opinions'][0]['accuracy'] or 0:.1%}"
    json.dumps(score_pairs(things().table, replace(selection, seen=NONE)).facts(), allow_nan=False)


def tables(choices: Choices, folder: Path) -> str:
    """Tables of features, of pairs, read by a judge: the schema, a column or bytes are others."""
    name = pick(choices, sorted(USES))
    path, made = folder / "table.parquet", saved_tables(folder)[name]
    kind = choices.number(3)
    if kind == 0:
        path.write_bytes(other_bytes(choices, made.read_bytes()))
    else:
        table = pq.ParquetFile(made).read()
        change = other_schema if kind == 1 else other_column
        try:
            pq.write_table(change(choices, table), path)
        except pa.ArrowException:  # nobody can write such a one
            path.write_bytes(b"")
    return _outcome(lambda: USES[name](path))


def other_schema(choices: Choices, table: pa.Table) -> pa.Table:
    facts = json.loads(table.schema.metadata[b"toposcope"])
    return table.replace_schema_metadata({b"toposcope": json.dumps(other_json(choices, facts))})


def other_column(choices: Choices, table: pa.Table) -> pa.Table:
    """A column less, or with other values, or one of another kind in its place."""
    place = choices.number(len(table.column_names) - 1)
    name, values = table.column_names[place], table.column(place).to_pylist()
    kind = choices.number(3)
    if kind == 0:
        return table.drop_columns([name])
    if kind == 1:
        return table.set_column(place, name, table.column(choices.number(len(table.column_names) - 1)))
    if kind == 2:
        row = choices.number(len(values) - 1)
        values[row] = pick(choices, (None, "", "a cat", 1, float("nan"), [1.0], [None], [float("inf")]))
        return table.set_column(place, name, [pa.array(values)])
    numbers = [value for value in values if isinstance(value, list) and value]
    for row in numbers[:1]:
        row[choices.number(len(row) - 1)] = pick(choices, (None, math.nan, math.inf, 1e38, 0.0))
    return table.set_column(place, name, [pa.array(values, table.schema.field(place).type)])


def use_features(path: Path) -> None:
    table = Table.from_parquet(path)
    assert np.isfinite(table.values).all()
    assert len(table.to_pandas()) == len(table)
    table.select(feature="h0m")


def use_pairs(path: Path) -> None:
    if not is_pair_table(path):
        raise InputError("it is read as pairs, and refused as such.")
    table = PairTable.from_parquet(path)
    assert np.isfinite(table.values).all()
    chosen = selections_named(["all"], "h0m", "strict", table.heads, table.about)
    for selection in [*chosen, things().selections["weighted"]]:
        json.dumps(score_pairs(table, replace(selection, seen=NONE)).facts(), allow_nan=False)


def use_read(path: Path) -> None:
    for verdict in things().at_work.decide(Table.from_parquet(path)):
        assert 0 <= verdict.probability <= 1
        assert verdict._repr_html_()


USES: dict[str, Callable[[Path], None]] = {"features": use_features, "pairs": use_pairs, "read": use_read}


def texts_and_pairs(choices: Choices, folder: Path) -> str:
    """What users bring: sentences, labels and pairs in files of all kinds, some bytes are others."""
    suffix = pick(choices, (".txt", ".csv", ".tsv", ".jsonl", ".parquet"))
    read, content = pick(choices, sorted(_brought(suffix, folder).items()))
    path = folder / f"brought{suffix}"
    path.write_bytes(other_bytes(choices, content))
    return _outcome(lambda: READERS[read](path))


READERS: dict[str, Callable] = {"pairs": read_pairs, "sentences": read_sentences, "texts": read_texts}


@cache
def _brought(suffix: str, folder: Path) -> dict[str, bytes]:
    from tests.cli.verbs import write_table

    path = folder / f"made{suffix}"
    if suffix == ".txt":
        return {"texts": "\n".join(TEXTS[:6]).encode()}
    rows = [{"text": text, "label": k % 2, "id": k} for k, text in enumerate(TEXTS[:6])]
    labelled = write_table(path, rows).read_bytes()
    return {
        "texts": labelled,
        "sentences": labelled,
        "pairs": write_table(path, pair_rows(OPENERS[:1])).read_bytes(),
    }


def _outcome(use: Callable[[], object]) -> str:
    """What came of it; anything else than an answer or a refusal is raised."""
    try:
        use()
    except InputError:
        return REFUSED
    except ModelError as error:
        if "made for" in str(error) or "chosen for" in str(error):
            return OTHER_MODEL
        raise
    return ANSWERED


VICTIMS: dict[str, Callable[[Choices, Path], str]] = {
    "judges": judges, "selections": selections, "tables": tables, "texts and pairs": texts_and_pairs,
}  # fmt: skip
