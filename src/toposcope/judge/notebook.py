"""Judges and verdicts as notebooks show them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from toposcope.facts import Facts
from toposcope.figures.markup import Bar, table
from toposcope.stats.estimate import Estimate

if TYPE_CHECKING:
    from toposcope.judge.judge import Judge
    from toposcope.judge.verdict import Verdict

UNTOLD: dict[str, Any] = {"tuning": None, "trained on": None, "features": None, "scores": []}


def verdict_html(verdict: Verdict) -> str:
    """What was said, how probably, and by whom; the mark in the bar is the threshold."""
    word = "acceptable" if verdict.acceptable else "not acceptable"
    rows: list[tuple[object, ...]] = [
        (word, f"{verdict.probability:.2f}", Bar(verdict.probability, verdict.threshold)),
        ("acceptable from", f"{verdict.threshold:.2f}", ""),
    ]
    loudest = verdict.loudest()
    most = max((abs(weight) for _, weight in loudest), default=0.0) or 1.0
    rows += [(name, f"{weight:+.2f}", Bar(weight / most)) for name, weight in loudest]
    return table([*rows, *(("note", "", note) for note in verdict.notes)], verdict.text)


def judge_html(judge: Judge) -> str:
    """What the judge is, what it learned from, and how good it is."""
    return table(_facts(judge), f"Judge: {judge.about.get('language') or 'no language told'}")


def _facts(judge: Judge) -> Iterator[tuple[str, str]]:
    about = Facts({**UNTOLD, **judge.about}, "about.")
    tuning, learned = about.maybe("tuning"), about.maybe("trained on")
    method = tuning.given.get("method") if tuning else None
    how = "as it is" if judge.adapter is None else f"tuned with {method or 'an adapter'}"
    yield "model", f"{judge.model} ({how}), weights {judge.fingerprint[:12]}"
    yield "looks at", f"{about['features'] or 'features'}, {judge.linear.weights.size:,} columns"
    if learned:
        yield "learned from", f"{learned.text('name')}, {learned.count('sentences'):,} sentences"
    yield "acceptable from", f"probability {judge.linear.threshold:.2f} on"
    yield "by cross-validation", f"MCC {judge.linear.cv_mcc:.3f}"
    for found in about.parts("scores"):
        mcc = found.part("chosen threshold").part("mcc")
        estimate = Estimate(*(mcc.number(name, -1, 1) for name in ("value", "low", "high")))
        yield f"on {found.text('data')}", f"MCC {estimate}"
