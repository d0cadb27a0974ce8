"""How many heads it takes: MCC against the number of heads, by two ways of choosing them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toposcope.data.corpora import Corpus
from toposcope.experiments.experiment import Looked, Tell, look
from toposcope.experiments.settings import Setting
from toposcope.figures.canvas import save
from toposcope.figures.lines import Curve, curve_panels
from toposcope.files import whole
from toposcope.judge.evidence import Evidence
from toposcope.judge.parts import fit_parts
from toposcope.judge.ranking import Ranking, rank_heads
from toposcope.stats.estimate import Estimate
from toposcope.stats.metrics import estimate, matthews
from toposcope.topology.head import Head

if TYPE_CHECKING:
    from toposcope.models.scope import Scope

COUNTS = (1, 2, 3, 5, 8, 12, 18, 24, 36, 48, 72, 96, 120, 144)
FEATURES = ("h0m", "topology", "tda")
RANKINGS: tuple[Ranking, ...] = ("correlation", "l1")


def run_heads(
    setting: Setting, corpus: Corpus, work: Path, load: Callable[[], Scope], tell: Tell
) -> dict[str, Any]:
    """MCC of judges that look at the best 1, 2, 3, ... heads; what is done already is kept."""
    place = work / "heads.json"
    done: dict[str, Any] = json.loads(place.read_text("utf-8")) if place.exists() else {}
    looked = look(setting, corpus, 0, work, load, tell)
    every = looked.size["layers"] * looked.size["heads"]
    for features in FEATURES:
        for ranking in RANKINGS:
            missing = [n for n in COUNTS if n <= every and f"{features} {ranking} {n}" not in done]
            if not missing:
                continue
            evidence = Evidence.parse(features, looked.size["layers"])
            everything = evidence.heads_of(looked.size["layers"], looked.size["heads"])
            table = looked.train.take(evidence.columns(everything, looked.size["width"]))
            order = rank_heads(table, corpus.train.labels, ranking)
            for count in missing:
                tell(f"{features}, {count} heads by {ranking}")
                done[f"{features} {ranking} {count}"] = _few(evidence, order[:count], looked, corpus)
                with whole(place) as file:
                    file.write_text(json.dumps(done), encoding="utf-8")
    return done


def _few(evidence: Evidence, heads: Sequence[Head], looked: Looked, corpus: Corpus) -> dict[str, Any]:
    names = evidence.columns(heads, looked.size["width"])
    parts = evidence.parts(heads, looked.size["width"])
    linear = fit_parts(looked.train.take(names).values, corpus.train.labels, parts, groups=looked.folds)
    found: dict[str, Any] = {"heads": [list(head) for head in heads], "cv": linear.cv_mcc}
    for part, table, data in (("dev", looked.dev, corpus.dev), ("test", looked.test, corpus.test)):
        verdicts = linear.verdicts(table.take(names).values)
        found[part] = estimate(matthews, data.labels, verdicts).to_dict()
    return found


def page(done: Mapping[str, Any], setting: Setting, picture: str) -> str:
    """The numbers as Markdown."""
    text = [
        "# How many heads does it take?\n",
        f"{setting.model}, frozen, on CoLA. Heads are ranked on the train part only: by the largest "
        "|correlation| of any of their features with the label, as in the paper, or by the order in which "
        "a sparse (l1) regression lets them in. For each number of heads C and threshold are chosen anew "
        "by cross-validation on train. MCC in domain / out of domain; written by "
        "`toposcope reproduce heads`.\n",
        f"![MCC against the number of heads]({picture})\n",
    ]
    header = ["heads", *(f"{f}, by {r}" for f in FEATURES for r in RANKINGS)]
    text += ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    for count in COUNTS:
        cells = [_cell(done.get(f"{f} {r} {count}")) for f in FEATURES for r in RANKINGS]
        if any(cells):
            text.append("| " + " | ".join([str(count), *cells]) + " |")
    return "\n".join([*text, "", _says(done)]) + "\n"


def _cell(found: Mapping[str, Any] | None) -> str:
    return f"{found['dev']['value']:.3f} / {found['test']['value']:.3f}" if found else ""


def _says(done: Mapping[str, Any]) -> str:
    """How few heads keep most of what all give, by cross-validation."""
    said = []
    for features in FEATURES:
        curves = {
            r: {n: done[f"{features} {r} {n}"]["cv"] for n in COUNTS if f"{features} {r} {n}" in done}
            for r in RANKINGS
        }
        most = max(value for curve in curves.values() for value in curve.values())
        few = {
            r: min(n for n, v in curve.items() if v >= 0.95 * most)
            for r, curve in curves.items()
            if max(curve.values()) >= 0.95 * most
        }
        ways = ", ".join(f"{n} heads by {r}" for r, n in few.items())
        said.append(f"{features}: 95 % of the best cross-validated MCC ({most:.3f}) with {ways}.")
    return " ".join(said)


def draw(done: Mapping[str, Any], path: Path) -> None:
    """MCC against the number of heads, one panel a set, intervals as bands."""
    panels: dict[str, list[Curve]] = {}
    for part, title in (("dev", "in domain"), ("test", "out of domain")):
        panels[title] = []
        for hue, features in enumerate(FEATURES):
            for ranking, style in zip(RANKINGS, ("-", "--"), strict=True):
                counts = [n for n in COUNTS if f"{features} {ranking} {n}" in done]
                found = [Estimate.from_dict(done[f"{features} {ranking} {n}"][part]) for n in counts]
                y, low, high = zip(*((e.value, e.low, e.high) for e in found), strict=True)
                curve = Curve(f"{features}, {ranking}", counts, y, low, high, hue, style)
                panels[title].append(curve if ranking == RANKINGS[0] else curve._replace(low=None))
    save(curve_panels(panels, "number of heads", "MCC", columns=2, ticks=(1, 3, 12, 48, 144)), path)
