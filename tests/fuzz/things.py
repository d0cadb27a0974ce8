"""A tiny model, and what was made with it and saved: what mutants are made of."""

from functools import cache, cached_property
from pathlib import Path

import numpy as np

from tests.models import tiny
from tests.models.toy import OPENERS, TEXTS, pair_rows
from toposcope.data.minimal_pairs import Pairs
from toposcope.features.spec import FeatureSpec
from toposcope.judge.evidence import Evidence
from toposcope.judge.judge import Judge
from toposcope.judge.linear import Linear, moments
from toposcope.judge.read import observe
from toposcope.models.scope import Scope
from toposcope.models.tuning.adapter import Adapter
from toposcope.pairs.measures import pair_spec
from toposcope.pairs.profile import PROFILES
from toposcope.pairs.select import METHODS, select_heads
from toposcope.pairs.selection import Selection
from toposcope.pairs.table import PairTable, read_heads
from toposcope.topology.head import Head


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
