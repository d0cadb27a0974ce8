"""Which heads matter most: by correlation with the labels as in the paper, or by a sparse regression."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from toposcope.errors import InputError
from toposcope.features.table import Table
from toposcope.judge.linear import moments, standardised
from toposcope.stats.lasso import lasso
from toposcope.topology.head import Head

Ranking = Literal["correlation", "l1"]
PATH = np.logspace(0.02, 1.5, 20)  # strengths, in units of the one at which the first column comes in


def choose_heads(
    table: Table, labels: np.ndarray, count: int, ranking: Ranking = "correlation"
) -> list[Head]:
    """The ``count`` heads that matter most, in the model's order."""
    if ranking not in get_args(Ranking):
        raise InputError(f"ranking={ranking!r}: accepted are {', '.join(map(repr, get_args(Ranking)))}.")
    heads = rank_heads(table, labels, ranking)
    check_count(count, len(heads))
    return sorted(heads[:count])


def check_count(count: int, most: int) -> None:
    """Refuse a number of heads that cannot be kept."""
    if not 1 <= count <= most:
        raise InputError(f"heads={count}: accepted are 1 to {most}.")


def rank_heads(table: Table, labels: np.ndarray, ranking: Ranking) -> list[Head]:
    """All heads, those that matter most first."""
    return (rank_by_l1 if ranking == "l1" else rank_by_correlation)(table, labels)


def rank_by_correlation(table: Table, labels: np.ndarray) -> list[Head]:
    """Heads by the largest |correlation| of any of their features with the labels (section 4)."""
    places = head_columns(table)
    values = np.concatenate([table.values[:, p] for p in places.values()], axis=1).astype(np.float64)
    values -= values.mean(0)
    y = np.asarray(labels, np.float64) - np.mean(labels)
    norms = np.sqrt((values**2).sum(0) * (y @ y))
    found = np.divide(np.abs(y @ values), norms, out=np.zeros_like(norms), where=norms > 1e-9)
    best, start = {}, 0
    for head, where in places.items():
        best[head] = found[start : start + len(where)].max()
        start += len(where)
    return sorted(best, key=lambda head: -best[head])


def rank_by_l1(table: Table, labels: np.ndarray) -> list[Head]:
    """Heads in the order in which a sparse regression lets them in as it may use more columns.

    Of heads that come in together the one with the larger weights is first; those that never come in
    follow by correlation.
    """
    places = head_columns(table)
    values = np.concatenate([table.values[:, p] for p in places.values()], axis=1)
    owner = np.repeat(np.arange(len(places)), [len(p) for p in places.values()])
    matrix, labels = standardised(values, *moments(values)), np.asarray(labels, int)
    first_in = 1 / np.abs((labels - labels.mean()).astype(np.float32) @ matrix).max()
    weights = lasso(matrix, labels, np.ones((len(matrix), 1)), first_in * PATH)
    size = np.zeros((len(places), len(PATH)))
    np.add.at(size, owner, np.abs(weights[:-1, 0]))
    first = np.where(size.any(1), (size > 0).argmax(1), len(PATH))
    at_first = size[np.arange(len(places)), np.minimum(first, len(PATH) - 1)]
    by_correlation = {head: k for k, head in enumerate(rank_by_correlation(table, labels))}
    heads = list(places)
    return sorted(
        heads, key=lambda h: (first[heads.index(h)], -at_first[heads.index(h)], by_correlation[h])
    )


def head_columns(table: Table) -> dict[Head, list[int]]:
    """Places of the columns of each head."""
    places: dict[Head, list[int]] = {}
    for k, column in enumerate(table.columns):
        if column.head is not None:
            places.setdefault(column.head, []).append(k)
    return places
