"""Choosing heads on auxiliary pairs, never on the pairs that are reported (section 4.2)."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from toposcope.data.minimal_pairs import Pairs
from toposcope.errors import InputError
from toposcope.pairs.accuracy import balanced
from toposcope.pairs.choosers import Chooser, Committee, PhenomenonHeads, Voter
from toposcope.pairs.ensemble import head_ensemble, single_accuracies
from toposcope.pairs.measures import pair_spec
from toposcope.pairs.profile import profile_named
from toposcope.pairs.score import Given, given_pairs
from toposcope.pairs.selection import ACCURACY, Selection
from toposcope.pairs.table import PairTable, read_and_keep
from toposcope.pairs.weighted import fit_few
from toposcope.store import Tell

if TYPE_CHECKING:
    from toposcope.models.scope import Scope

Method = Literal["top", "phenomenon", "ensemble", "all", "weighted"]
METHODS: tuple[Method, ...] = get_args(Method)
FOLDS = 5


def select_heads(
    data: Given,
    method: Method = "weighted",
    measure: str = "",
    profile: str = "strict",
    *,
    model: str | Path | Scope = "bert-base-cased",
    keep: int = 0,
    seed: int = 0,
    validate: bool = True,
    work: Path | None = None,
    tell: Tell = lambda _: None,
) -> Selection:
    """Choose heads on auxiliary pairs: what ``toposcope pairs select`` does.

    Parameters
    ----------
    data : Pairs, a PairTable, or names
        Files, folders, ``generated:50``. A table holds readings of all heads and needs no model.
    method : "top", "phenomenon", "ensemble", "all" or "weighted"
    measure : str
        What is read, e.g. "h0m" or "rtd"; weighted heads take several, e.g. "topology+rtd". By default
        "topology" for these, else "h0m".
    profile : "strict", "published", "paper" or "notebook"
    model : str or Scope
        What ``ts.load`` takes, or what it gave.
    keep : int
        How many heads are weighted; all by default.
    seed : int
        Of the folds of cross-validation.
    validate : bool
        Choose again without each fifth of the pairs and see how that does there; the accuracy goes into
        the selection.
    work : folder
        Where readings are kept, so that a run that is started again goes on.
    tell : function
        Gets a message now and then.

    Examples
    --------
    >>> chosen = select_heads(["aux/", "generated:55"], "ensemble", "rtd")  # doctest: +SKIP
    >>> chosen.save("rtd.json")  # doctest: +SKIP
    """
    if method not in METHODS:
        raise InputError(f"method {method!r}: accepted are {', '.join(METHODS)}.")
    measure = measure or usual_measure(method)
    table = _read(given_pairs(data), model, measure, profile, work, tell)
    spec = pair_spec(measure, profile_named(profile), bool(table.about.get("causal")))
    if method != "weighted" and len(spec.columns) > 1:
        raise InputError(
            f"measure {measure!r} with {method!r}: heads vote on one reading, e.g. h0m or rtd."
        )
    if keep and (method != "weighted" or not 0 < keep <= len(table.heads)):
        raise InputError(f"{keep} heads: weighted heads can be fewer, 1 to {len(table.heads)}.")
    if len(table) < FOLDS:
        raise InputError(f"{len(table)} pairs: to choose heads takes at least {FOLDS}.")
    folds = paradigm_folds(table.pairs, FOLDS, seed)
    chooser, accuracy = _choose(table, method, spec.columns, profile, folds, tell, keep)
    if validate and accuracy is None:
        accuracy = _validated(table, method, spec.columns, profile, folds, tell)
    about: dict[str, Any] = {
        "chosen on": {
            "name": table.pairs.name,
            "pairs": len(table.pairs),
            "paradigms": len(set(table.pairs.paradigms)),
            "sha256": table.pairs.fingerprint,
        },
        "seed": seed,
        ACCURACY: None if accuracy is None else round(accuracy, 4),
        "made": datetime.now(UTC).date().isoformat(),
        "versions": {name: version(name) for name in ("toposcope", "numpy")},
    }
    return Selection(
        method, measure, profile, chooser, spec, str(table.about.get("model", "")),
        str(table.about.get("fingerprint", "")), table.pairs.hashes, about,
    )  # fmt: skip


def usual_measure(method: str) -> str:
    """What is read unless something else is asked for."""
    return "topology" if method == "weighted" else "h0m"


def _read(
    given: Pairs | PairTable,
    model: str | Path | Scope,
    measure: str,
    profile: str,
    work: Path | None,
    tell: Tell,
) -> PairTable:
    """The readings of pairs, from the model unless they are there."""
    if isinstance(given, PairTable):
        return given
    from toposcope.models.load import scope_of

    scope = scope_of(model)
    spec = pair_spec(measure, profile_named(profile), scope.causal)
    return read_and_keep(scope, given, spec, work=work, tell=tell)


def paradigm_folds(pairs: Pairs, folds: int, seed: int = 0) -> np.ndarray:
    """A fold for each pair, every paradigm dealt out evenly to all of them."""
    shuffled = np.random.default_rng(seed).permutation(len(pairs))
    order = shuffled[np.argsort(pairs.paradigms[shuffled], kind="stable")]
    numbers = np.empty(len(pairs), int)
    numbers[order] = np.arange(len(pairs)) % folds
    return numbers


def choose(
    table: PairTable,
    method: Method,
    columns: tuple[str, ...],
    profile: str,
    seed: int = 0,
    keep: int = 0,
) -> Chooser:
    """The choice alone, without what a file needs."""
    return _choose(table, method, columns, profile, paradigm_folds(table.pairs, FOLDS, seed), keep=keep)[0]


def _choose(
    table: PairTable,
    method: Method,
    columns: tuple[str, ...],
    profile: str,
    folds: np.ndarray,
    tell: Tell = lambda _: None,
    keep: int = 0,
) -> tuple[Chooser, float | None]:
    """A chooser, and its accuracy by cross-validation where choosing needs that anyway."""
    importance, ties = balanced(table.pairs), profile_named(profile).ties
    if method == "weighted":
        values = table.take_columns(columns)
        return fit_few(values, folds, importance, columns, table.heads, keep or len(table.heads))
    (column,) = columns
    if method == "all":
        return Committee(column, tuple(Voter(head) for head in table.heads), ties), None
    differences = table.column(column)
    if method == "ensemble":
        members = head_ensemble(
            differences, importance, ties=ties, step=lambda size, best: tell(f"{size} heads: {best:.2%}")
        ).members
        return Committee(column, tuple(_voter(table, *member) for member in members), ties), None
    top = _best_voter(table, differences, importance, ties)
    if method == "top":
        return Committee(column, (top,), ties), None
    by_phenomenon = {}
    for term in sorted(set(table.pairs.phenomena.tolist())):
        rows = table.pairs.phenomena == term
        by_phenomenon[term] = _best_voter(table, differences[rows], importance[rows], ties)
    return PhenomenonHeads(column, by_phenomenon, top, ties), None


def _best_voter(table: PairTable, differences: np.ndarray, importance: np.ndarray, ties: Any) -> Voter:
    best = int(np.argmax(single_accuracies(differences, importance, ties)))
    return _voter(table, best // 2, best % 2 + 1)


def _voter(table: PairTable, place: int, rule: int) -> Voter:
    return Voter(table.heads[place], 1 if rule == 1 else 2)


def _validated(
    table: PairTable, method: Method, columns: tuple[str, ...], profile: str, folds: np.ndarray, tell: Tell
) -> float:
    """Accuracy on each fold of what is chosen without it; all paradigms weigh the same."""
    credits = np.empty(len(table))
    for fold in range(FOLDS):
        tell(f"choosing without fold {fold + 1} of {FOLDS}")
        left_out = folds == fold
        rest = table.take(~left_out)
        chooser, _ = _choose(rest, method, columns, profile, folds[~left_out])
        credits[left_out] = chooser.prefer(table.take(left_out)).credits
    importance = balanced(table.pairs)
    return float(importance @ credits / importance.sum())
