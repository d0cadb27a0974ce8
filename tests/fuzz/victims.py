"""What is mutated, and what a user does with it: always finite numbers, or an InputError."""

import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from safetensors.numpy import load as from_bytes
from safetensors.numpy import save as to_bytes

from tests.fuzz.mutants import Choices, other_array, other_bytes, other_json, pick
from tests.models import tiny
from tests.models.toy import OPENERS, TEXTS, pair_rows
from toposcope.data.minimal_pairs import Pairs, read_pairs
from toposcope.data.readers import read_sentences, read_texts
from toposcope.errors import InputError, ModelError
from toposcope.features.spec import FeatureSpec
from toposcope.features.table import Table
from toposcope.judge.evidence import Evidence
from toposcope.judge.judge import Judge
from toposcope.judge.linear import Linear, moments
from toposcope.judge.read import observe
from toposcope.models.scope import Scope
from toposcope.models.tuning.adapter import Adapter
from toposcope.pairs.compare import compare
from toposcope.pairs.measures import pair_spec
from toposcope.pairs.profile import PROFILES
from toposcope.pairs.score import score_pairs, selections_named
from toposcope.pairs.select import METHODS, select_heads
from toposcope.pairs.selection import Selection
from toposcope.pairs.table import PairTable, is_pair_table, read_heads
from toposcope.topology.head import Head

SOME = ["the cat sleeps.", "a red dog is barking!"]
NONE = np.empty(0, np.int64)
REFUSED, ANSWERED, OTHER_MODEL = "InputError", "answer", "another model"


class Things:
    """A tiny model, and what was made with it."""

    @cached_property
    def scope(self) -> Scope:
        model = tiny.build(tiny.ENCODERS["bert"])
        dense = model.pooler.dense
        pooler = dense.weight.detach().numpy(), dense.bias.detach().numpy()
        return Scope(model, tiny.wordpieces(), name="tiny", pooler=pooler)

    def judge(self, tuned: bool) -> Judge:
        """A judge with weights out of thin air."""
        rng, scope = np.random.default_rng(0), self.scope
        spec = FeatureSpec(("h0m", "threshold"), thresholds=(0.1, 0.5))
        evidence = Evidence(
            spec, heads=(Head(0, 1), Head(2, 3)), cls=(3,), pooler=tuned, lm=tuned, length=True
        )
        adapter, width = None, scope.width
        if tuned:
            sizes = {
                "encoder.layer.0.attention.self.query.lora_A": (2, width),
                "head.out.weight": (1, width),
            }
            sizes |= {"encoder.layer.0.attention.self.query.lora_B": (width, 2), "head.out.bias": (1,)}
            sizes |= {
                "head.dense.lora_A": (2, width),
                "head.dense.lora_B": (width, 2),
                "head.dense.bias": (width,),
            }
            tensors = {name: rng.normal(0, 0.1, size).astype(np.float16) for name, size in sizes.items()}
            adapter = Adapter(tensors, scope.fingerprint, "first", {"method": "lora"})
        looked = observe(adapter.apply(scope) if adapter else scope, TEXTS[:20], evidence).values
        weights = rng.normal(0, 0.1, looked.shape[1]).astype(np.float32)
        linear = Linear(*moments(looked), weights, 0.1, 0.5, 0.3)
        mcc = {"value": 0.3, "low": 0.1, "high": 0.5}
        about = {
            "language": "toy", "features": "h0m", "trained on": {"name": "toy", "sentences": 20},
            "scores": [{"data": "toy", "chosen threshold": {"mcc": mcc}}],
        }  # fmt: skip
        return Judge("tiny", scope.fingerprint, evidence, linear, adapter, np.arange(3), about)

    @cached_property
    def at_work(self) -> Judge:
        """A judge with its model."""
        return self.judge(False).on(self.scope)

    @cached_property
    def table(self) -> PairTable:
        """Readings of pairs."""
        rows = pair_rows(OPENERS[:2])
        names = ("sentence_good", "sentence_bad", "UID", "linguistics_term")
        good, bad, uids, terms = zip(*([row[name] for name in names] for row in rows), strict=True)
        pairs = Pairs(good, bad, np.array(uids), np.array(terms), "toy")
        return read_heads(self.scope, pairs, pair_spec("h0m+rtd", PROFILES["strict"], False))

    @cached_property
    def selections(self) -> dict[str, Selection]:
        """One of each method."""
        measures = {"weighted": "h0m+rtd"}
        return {m: select_heads(self.table, m, measures.get(m, "h0m"), "strict") for m in METHODS}


@cache
def things() -> Things:
    return Things()


@cache
def saved_judge(tuned: bool, folder: Path) -> Path:
    return things().judge(tuned).save(folder / f"judge-{tuned}")


@cache
def saved_selections(folder: Path) -> list[bytes]:
    contents = []
    for selection in things().selections.values():
        selection.save(folder / "made.json")
        contents.append((folder / "made.json").read_bytes())
    return contents


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


@cache
def saved_tables(folder: Path) -> dict[str, Path]:
    made = {
        "features": observe(things().scope, TEXTS[:6], things().judge(False).evidence),
        "pairs": things().table,
        "read": things().at_work.read(TEXTS[:6]),
    }
    places = {name: folder / f"{name}.parquet" for name in made}
    for name, table in made.items():
        table.to_parquet(places[name])
    return places


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
