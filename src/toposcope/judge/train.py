"""Making a judge from labelled sentences: what is seen of them (crossfit.py), and a regression over it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.data.sentences import Sentences
from toposcope.errors import InputError, ModelError
from toposcope.features.table import Table
from toposcope.judge.crossfit import Observed, observe_training
from toposcope.judge.folds import fold_numbers
from toposcope.judge.judge import Judge
from toposcope.judge.linear import FOLDS, Linear, Parts, fit_parts
from toposcope.judge.ranking import check_count, choose_heads
from toposcope.judge.read import check_pooler
from toposcope.judge.recipe import Recipe
from toposcope.stats.metrics import accuracy, confusion, matthews, reliability

if TYPE_CHECKING:
    from toposcope.models.scope import Scope

Chooser = Callable[[np.ndarray], Parts]


def train_judge(
    scope: Scope,
    train: Sentences,
    recipe: Recipe,
    *,
    work: Path | None = None,
    progress: bool | None = None,
    about: dict[str, Any] | None = None,
) -> Judge:
    """Train a judge of ``train``; strength, heads and threshold are chosen on these sentences alone.

    With ``work``, a folder, tuning is saved there on the way and taken up again after a crash.
    """
    train.need_both_labels()
    evidence = recipe.evidence
    check_pooler(scope, evidence)  # now, not after hours of tuning
    if recipe.heads and evidence.spec is None:
        raise InputError(f"heads={recipe.heads}: the features look at no heads. Add h0m, tda or topology.")
    if recipe.heads:
        check_count(recipe.heads, scope.layers * scope.heads)
    seen = observe_training(scope, train, recipe, work=work, progress=progress)
    table, heads = seen.table, evidence.heads_of(scope.layers, scope.heads)
    parts: Parts | Chooser = evidence.parts(heads, scope.width)
    if recipe.heads:
        parts = _chooser(scope, table, train, recipe)
    within = fold_numbers(train, FOLDS, recipe.seed)
    linear = fit_parts(
        table.values,
        train.labels,
        parts,
        groups=seen.folds,
        within=within,
        class_weight=recipe.class_weight,
    )
    judged = linear if seen.units is None else seen.units.undone(linear)
    check_on_training(judged, seen, train.labels)
    if recipe.heads:
        heads = choose_heads(table, train.labels, recipe.heads, recipe.ranking)
        evidence = evidence.with_heads(heads)
        judged = judged.take(table.places(evidence.columns(heads, scope.width)))
    before = seen.pretrained_on
    known = [train] if before is None else [train, before]
    facts = {
        "trained on": _data_facts(train),
        "pretrained on": None if before is None else _data_facts(before),
        "seed": recipe.seed,
        "class weight": recipe.class_weight,
        "tuning": _tuning_facts(recipe, scope),
        "cross-validation": expected(linear, train.labels),
        "made": datetime.now(UTC).date().isoformat(),
        "versions": {name: version(name) for name in ("toposcope", "torch", "transformers", "numpy")},
        **(about or {}),
    }
    hashes = np.concatenate([sentences.hashes for sentences in known])
    return Judge(
        scope.reference, scope.fingerprint, evidence, judged, seen.adapter, hashes, facts, base=scope
    )


def expected(linear: Linear, labels: np.ndarray) -> dict[str, Any]:
    """What nested cross-validation tells to expect of a judge, with intervals, for JSON."""
    seen = linear.out_of_fold
    assert seen is not None
    found = reliability(labels, seen.probabilities)
    return {
        "acceptable": int(np.sum(labels)),
        "not acceptable": int(np.sum(1 - np.asarray(labels))),
        "finds something": linear.finds_something,
        "mcc": seen.estimate(matthews, labels).to_dict(),
        "accuracy": seen.estimate(accuracy, labels).to_dict(),
        "calibration error": found.error,
        "reliability": found.to_list(),
        "shares": list(linear.shares),
        "strengths": list(linear.strengths),
    }


def check_on_training(linear: Linear, seen: Observed, labels: np.ndarray) -> None:
    """Refuse a judge that is worse on the sentences it learned from than on those it did not see.

    That cannot be if what the last model shows is what the models of the folds showed.
    """
    assert linear.out_of_fold is not None
    low = linear.out_of_fold.estimate(matthews, labels).low
    known = float(matthews(confusion(labels[seen.rows], linear.verdicts(seen.shown.values))))
    if linear.finds_something and known < min(low, linear.cv_mcc):
        raise ModelError(
            f"The judge would be worse on sentences that it learned from (MCC {known:.3f}) than on those "
            f"it did not see ({linear.cv_mcc:.3f}, at least {low:.3f}): the tuned models differ too much. "
            "Only the tuning was saved. Give more sentences, or leave the model as it is (--tune none)."
        )


def _chooser(scope: Scope, table: Table, train: Sentences, recipe: Recipe) -> Chooser:
    """Parts of the heads that matter most, as labels of some of the rows tell."""
    evidence = recipe.evidence

    def choose(rows: np.ndarray) -> Parts:
        known = table.rows(rows)
        heads = choose_heads(known, train.labels[rows], recipe.heads, recipe.ranking)
        places = np.array(table.places(evidence.columns(heads, scope.width)))
        return [places[part] for part in evidence.parts(heads, scope.width)]

    return choose


def _data_facts(sentences: Sentences) -> dict[str, Any]:
    return {"name": sentences.name, "sentences": len(sentences), "sha256": sentences.fingerprint}


def _tuning_facts(recipe: Recipe, scope: Scope) -> dict[str, Any] | None:
    if recipe.tuning is None:
        return None
    settled = asdict(recipe.tuning.settled(scope.device))
    return {
        **settled,
        "seed": recipe.seed,
        "soup": recipe.soup,
        "augment": recipe.augment,
        "average folds": recipe.average_folds,
    }


def halved_if_same(judge: Judge, texts: Sequence[str]) -> Judge:
    """The judge in half precision if it gives the same verdicts on ``texts``, else as it is."""
    half = judge.halved()
    if half is judge:
        return judge
    pairs = zip(judge.verdicts(texts), half.verdicts(texts), strict=True)
    return half if all(a.acceptable == b.acceptable for a, b in pairs) else judge
