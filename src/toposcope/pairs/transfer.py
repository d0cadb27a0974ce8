"""Heads chosen without a phenomenon, or without a paradigm, that they are then asked about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal

import numpy as np

from toposcope.pairs.accuracy import balanced
from toposcope.pairs.choosers import Chooser, Preference, WeightedHeads
from toposcope.pairs.select import FOLDS, Method, choose, paradigm_folds
from toposcope.pairs.table import PairTable
from toposcope.pairs.weighted import STRENGTHS, fit_weights

LeaveOut = Literal["", "phenomenon", "paradigm"]


def groups_of(table: PairTable, left_out: LeaveOut) -> np.ndarray:
    """What is left out together with each pair; nothing at all is one group, "" ."""
    if left_out == "phenomenon":
        return table.pairs.phenomena
    if left_out == "paradigm":
        return table.pairs.paradigms
    return np.full(len(table), "")


def choosers_without(
    table: PairTable, method: Method, columns: tuple[str, ...], profile: str, left_out: LeaveOut
) -> dict[str, Chooser]:
    """A chooser for each group, chosen on auxiliary pairs of the others.

    With nothing left out there is one, "". The strength of weighted heads is chosen by how they do on
    phenomena that are left out in turn, none of them the one that is asked about; where only a paradigm
    is left out, the strength comes from other phenomena than its own.
    """
    if not left_out:
        return {"": choose(table, method, columns, profile)}
    groups = groups_of(table, left_out)
    found: dict[str, Chooser] = {}
    of_others: dict[str, WeightedHeads] = {}
    for group in sorted(set(groups.tolist())):
        rest = table.take(groups != group)
        if method != "weighted":
            found[group] = choose(rest, method, columns, profile)
            continue
        (phenomenon,) = set(table.pairs.phenomena[groups == group].tolist())
        if phenomenon not in of_others:
            others = table.take(table.pairs.phenomena != phenomenon)
            of_others[phenomenon] = _weights(others, columns)
        found[group] = of_others[phenomenon]
        if left_out == "paradigm":
            found[group] = _weights(rest, columns, (of_others[phenomenon].strength,))
    return found


def _weights(
    table: PairTable, columns: tuple[str, ...], strengths: tuple[float, ...] = STRENGTHS
) -> WeightedHeads:
    """Weighted heads whose strength is chosen for phenomena that are not among the pairs."""
    terms, numbers = np.unique(table.pairs.phenomena, return_inverse=True)
    folds = numbers if len(terms) > 1 else paradigm_folds(table.pairs, FOLDS)
    values = table.take_columns(columns)
    return fit_weights(values, folds, balanced(table.pairs), columns, table.heads, strengths)[0]


def prefer_all(
    tables: Iterable[PairTable], choosers: Mapping[str, Chooser], left_out: LeaveOut
) -> Preference:
    """Every pair asked of the chooser that did not see its group."""
    parts: list[Preference] = []
    for table in tables:
        groups = groups_of(table, left_out)
        credits, margins, ties = np.empty(len(table)), np.empty(len(table)), np.empty(len(table), bool)
        for group in set(groups.tolist()):
            rows = groups == group
            asked = choosers[group].prefer(
                replace(table, pairs=table.pairs.take(rows), values=table.values[rows])
            )
            credits[rows], margins[rows], ties[rows] = asked.credits, asked.margins, asked.ties
        parts.append(Preference(credits, margins, ties))
    return Preference(
        *(np.concatenate([getattr(p, n) for p in parts]) for n in ("credits", "margins", "ties"))
    )
