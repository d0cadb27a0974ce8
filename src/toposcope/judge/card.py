"""The card of a judge: what it is, what it learned from, how good it is, where it fails.

As Markdown, with a figure of how far its probabilities can be trusted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from toposcope.figures.canvas import save
from toposcope.figures.lines import Curve, reliability
from toposcope.files import whole
from toposcope.judge.judge import Judge
from toposcope.stats.estimate import Estimate

CARD, FIGURE = "card.md", "reliability.svg"
NOTHING = "**It found nothing** in the sentences it learned from: whatever it is shown, it says the same."
CHANCE = "The interval holds 0: for all that its sentences tell, it may be no better than chance."

LIMITS = """It learned from the sentences named above, one at a time, and inherits their taste: other kinds
of text, longer or more specialised, are outside of what it saw. It does not know whether a sentence is
true, polite or well chosen. Wrong verdicts are common (see the numbers), so use it to look at many
sentences, not to grade one person."""
WEAK, WEAKLY = 0.2, "With an MCC below .2 it is only a little better than chance."


def card(judge: Judge) -> str:
    """The card of a judge."""
    about, learned = judge.about, judge.about["trained on"]
    how = _how(about.get("tuning"))
    looks = about.get("features", "")
    pretrained = about.get("pretrained on")
    before = ""
    if pretrained:
        before = f", pretrained on {pretrained['sentences']:,} sentences of {pretrained['name']}"
    before += ", after augmented ones" if (about.get("tuning") or {}).get("augment") else ""
    lines = [
        f"# Judge: {about.get('language') or learned['name']}{'' if about.get('tuning') else ', frozen'}\n",
        f"- Model: {judge.model} ({how}), weights {judge.fingerprint[:12]}; others are refused.",
        f"- Looks at: `{looks}`, {judge.linear.weights.size:,} columns.",
        f"- Learned from: {learned['name']}, {learned['sentences']:,} sentences "
        f"(SHA-256 of texts and labels {learned['sha256'][:12]}), seed {about['seed']}{before}.",
        f"- Says acceptable from probability {judge.linear.threshold:.3f} on. {_expected(judge)}",
        f"- Made {about['made']} with " + ", ".join(f"{k} {v}" for k, v in about["versions"].items()) + ".",
        "",
        "| data | sentences | also in training | accuracy | MCC | MCC at .5 | calibration error |",
        "|---|---|---|---|---|---|---|",
        *(_line(found) for found in about.get("scores", [])),
        "",
        "Calibration error: of ten groups of sentences with about the same probability, the mean distance "
        "between what was said and how many are acceptable.",
        "",
        f"![How often sentences of a probability are acceptable]({FIGURE})",
        "",
        f"Limits. {LIMITS}{_weakness(about.get('scores', []))}",
    ]
    return "\n".join(lines) + "\n"


def write_card(judge: Judge, folder: str | Path) -> None:
    """The card and its figure, into the judge's folder."""
    folder = Path(folder)
    with whole(folder / CARD) as place:
        place.write_text(card(judge), encoding="utf-8")
    with whole(folder / FIGURE) as place:
        draw_reliability(judge, place)


def draw_reliability(judge: Judge, path: Path) -> None:
    """What was said against what was true, out of fold and on every set that it was tried on."""
    curves = [("training sentences, out of fold", judge.about["cross-validation"])]
    curves += [(found["data"], found) for found in judge.about.get("scores", [])]
    drawn = []
    for name, found in curves:
        said, true, _ = zip(*found["reliability"], strict=True)
        drawn.append(Curve(f"{name}: error {found['calibration error']:.3f}", said, true))
    save(reliability(drawn), path)


def _expected(judge: Judge) -> str:
    """What cross-validation tells to expect."""
    found = judge.about.get("cross-validation")
    if found is None:  # made by an earlier version
        return f"Cross-validation on the training sentences gives MCC {judge.linear.cv_mcc:.3f}."
    good, bad, mcc = found["acceptable"], found["not acceptable"], Estimate.from_dict(found["mcc"])
    half = (
        "one half, since no other was surely better"
        if judge.linear.threshold == 0.5
        else "surely better than one half"
    )
    said = (
        f"That is {half} on the training sentences ({good:,} acceptable, {bad:,} not). Nested "
        f"cross-validation, which repeats every choice, tells to expect MCC {mcc}, calibration "
        f"error {found['calibration error']:.3f}."
    )
    return f"{said} {doubt(found)}".rstrip()


def doubt(found: Mapping[str, Any]) -> str:
    """A sentence where cross-validation found nothing, or nothing that is sure; else nothing."""
    if not found["finds something"]:
        return NOTHING
    return CHANCE if found["mcc"]["low"] <= 0 else ""


def _how(tuning: Mapping[str, Any] | None) -> str:
    """What of the model learned."""
    if tuning is None:
        return "the model as it is"
    how = f"tuned with {tuning['method']}"
    how += " on all linear maps" if tuning.get("maps") == "all" else ""
    how += ", word by word" if tuning.get("head") == "words" else ""
    runs = tuning.get("soup", 1)
    how += f", a soup of {runs} runs" if runs > 1 else ""
    folds = tuning.get("average folds", 0)
    return how + (f", the average of {folds} folds" if folds else "")


def _weakness(scores: Sequence[Mapping[str, Any]]) -> str:
    """A further sentence where the judge is hardly one."""
    weak = any(found["chosen threshold"]["mcc"]["value"] < WEAK for found in scores)
    return f" {WEAKLY}" if weak else ""


def _line(found: Mapping[str, Any]) -> str:
    chosen, plain = found["chosen threshold"], found["threshold 0.5"]
    cells = [
        found["data"],
        f"{found['sentences']:,}",
        str(found["also in training"]),
        str(Estimate.from_dict(chosen["accuracy"])),
        str(Estimate.from_dict(chosen["mcc"])),
        f"{plain['mcc']['value']:.3f}",
        f"{found['calibration error']:.3f}",
    ]
    return "| " + " | ".join(cells) + " |"
