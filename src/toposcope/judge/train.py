"""Making a judge from labelled sentences: what is seen of them (crossfit.py), and a regression over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.data.sentences import Sentences
from toposcope.errors import InputError, ModelError
from toposcope.judge.crossfit import Observed, observe_training
from toposcope.judge.fit import Size, fit
from toposcope.judge.judge import Judge
from toposcope.judge.linear import Linear
from toposcope.judge.ranking import check_count
from toposcope.judge.read import check_pooler
from toposcope.judge.recipe import Recipe
from toposcope.stats.metrics import confusion, matthews

if TYPE_CHECKING:
    from toposcope.models.scope import Scope


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
    size = Size(scope.layers, scope.heads, scope.width)
    fitted = fit(
        seen.table,
        train,
        evidence,
        size,
        seen.folds,
        seed=recipe.seed,
        count=recipe.heads,
        ranking=recipe.ranking,
        class_weight=recipe.class_weight,
    )
    judged = fitted.linear if seen.units is None else seen.units.undone(fitted.linear)
    check_on_training(judged, seen, train.labels)
    before = seen.pretrained_on
    known = [train] if before is None else [train, before]
    facts = {
        "trained on": _data_facts(train),
        "pretrained on": None if before is None else _data_facts(before),
        "seed": recipe.seed,
        "class weight": recipe.class_weight,
        "tuning": _tuning_facts(recipe, scope),
        "cross-validation": fitted.expected(train.labels),
        "made": datetime.now(UTC).date().isoformat(),
        "versions": {**scope.provenance["versions"], **_tuned_with(recipe)},
        **(about or {}),
    }
    hashes = np.concatenate([sentences.hashes for sentences in known])
    return Judge(
        scope.reference,
        scope.fingerprint,
        fitted.evidence,
        judged.take(fitted.places),
        seen.adapter,
        hashes,
        facts,
        base=scope,
    )


def _tuned_with(recipe: Recipe) -> dict[str, str]:
    """Versions of what tuned the model, whatever looked at it afterwards."""
    if recipe.tuning is None:
        return {}
    return {name: version(name) for name in ("torch", "transformers")}


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
