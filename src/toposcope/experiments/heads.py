"""How many heads it takes: MCC against the number of heads, by two ways of ranking them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pyarrow as pa

from toposcope.data.corpora import Corpus
from toposcope.experiments.evidence import CorpusEvidence, evidence_of
from toposcope.experiments.lab import Lab
from toposcope.experiments.records import parsed, plain, write_record
from toposcope.experiments.results import EnoughHeads, HeadCount, HeadsResult, Score
from toposcope.experiments.settings import ENOUGH, SETTINGS, Setting
from toposcope.judge.evidence import Evidence
from toposcope.judge.fit import fit
from toposcope.judge.ranking import Ranking, rank_heads
from toposcope.stats.metrics import estimate, matthews
from toposcope.store import Job, run
from toposcope.topology.head import Head

COUNTS = (1, 2, 3, 5, 8, 12, 18, 24, 36, 48, 72, 96, 120, 144)
FEATURES = ("h0m", "topology", "tda")
RANKINGS: tuple[Ranking, ...] = ("correlation", "l1")


def run_heads(
    lab: Lab,
    setting: Setting = SETTINGS[0],
    corpus: Corpus | None = None,
    counts: Sequence[int] = COUNTS,
    features: Sequence[str] = FEATURES,
) -> HeadsResult:
    """MCC of judges that look at the best 1, 2, 3, ... heads; what is done already is kept."""
    corpus = corpus or lab.corpus(setting.corpus)
    seen = evidence_of(setting, corpus, 0, lab)
    every = seen.size.layers * seen.size.heads
    asked = {
        f"{name} by {ranking}, {count}": (name, ranking, count)
        for name in features
        for ranking in RANKINGS
        for count in counts
        if count <= every
    }

    @cache
    def ranked(name: str, ranking: Ranking) -> Sequence[Head]:
        evidence = Evidence.parse(name, seen.size.layers)
        heads = evidence.heads_of(seen.size.layers, seen.size.heads)
        table = seen.train.take(evidence.columns(heads, seen.size.width))
        return rank_heads(table, corpus.train.labels, ranking)

    def make(part: str) -> pa.Table:
        name, ranking, count = asked[part]
        return pa.Table.from_pylist(
            [plain(_few(name, ranking, ranked(name, ranking)[:count], seen, corpus))]
        )

    key = {"what": "how many heads it takes", "evidence": seen.key, "parts": sorted(asked)}
    table = run(Job(key, tuple(asked), make), lab.work / setting.name / "heads", lab.tell)
    points = parsed(table.to_pylist(), tuple[HeadCount, ...])
    result = HeadsResult(setting.model, points, tuple(_enough(name, points) for name in features))
    return write_record(lab.docs / "heads.json", result)


def _few(name: str, ranking: str, heads: Sequence[Head], seen: CorpusEvidence, corpus: Corpus) -> HeadCount:
    """A judge that looks at some heads."""
    evidence = Evidence.parse(name, seen.size.layers).with_heads(heads)
    columns = evidence.columns(heads, seen.size.width)
    fitted = fit(seen.train.take(columns), corpus.train, evidence, seen.size, seen.folds)
    threshold = fitted.linear.threshold
    dev, test = (
        Score.of(estimate(matthews, labels, fitted.probabilities(table.take(columns)) >= threshold))
        for table, labels in ((seen.dev, corpus.dev.labels), (seen.test, corpus.test.labels))
    )
    chosen = tuple(map(str, heads))
    return HeadCount(name, ranking, len(heads), dev, test, fitted.linear.cv_mcc, chosen)


def _enough(features: str, points: Sequence[HeadCount]) -> EnoughHeads:
    """How few heads keep most of what the best number of heads gives, by cross-validation."""
    own = [(one.cv_mcc, one) for one in points if one.features == features and one.cv_mcc is not None]
    most = max(cv for cv, _ in own)
    few: dict[str, int] = {}
    for cv, one in own:
        if cv >= ENOUGH * most:
            few[one.ranking] = min(one.count, few.get(one.ranking, one.count))
    return EnoughHeads(features, most, few)
