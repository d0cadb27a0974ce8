"""Which heads matter: made-up tables in which we know."""

import numpy as np
import pytest

import toposcope as ts
from toposcope.features.table import Table
from toposcope.judge.ranking import choose_heads, head_columns, rank_by_correlation, rank_by_l1


def table_of(columns):
    return Table(np.stack(list(columns.values()), 1).astype(np.float32), tuple(columns))


@pytest.fixture
def made_up():
    """Head 1 of layer 0 knows the label, head 0 of layer 1 a bit of it, the copy of a head nothing new."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 400)
    noise = rng.standard_normal((5, 400))
    columns = {
        "a.L0.H0": noise[0],
        "b.L0.H0": noise[1],
        "a.L0.H1": labels + 0.5 * noise[2],
        "b.L0.H1": np.zeros(400),
        "a.L1.H0": labels + 2 * noise[3],
        "a.L1.H1": labels + 0.5 * noise[2] + 0.3 * noise[4],
        "cls.L2.7": labels,
    }
    return table_of(columns), labels


def test_correlation_takes_the_best_feature_of_a_head(made_up):
    table, labels = made_up
    assert rank_by_correlation(table, labels) == [(0, 1), (1, 1), (1, 0), (0, 0)]


def test_correlation_equals_numpy(made_up):
    table, labels = made_up
    strength = {
        head: max(
            abs(np.corrcoef(table.values[:, k], labels)[0, 1]) if table.values[:, k].std() else 0
            for k in places
        )
        for head, places in head_columns(table).items()
    }
    assert rank_by_correlation(table, labels) == sorted(strength, key=lambda head: -strength[head])


def test_l1_lets_in_what_says_something_new(made_up):
    table, labels = made_up
    assert rank_by_l1(table, labels)[:2] == [(0, 1), (1, 0)]
    assert sorted(rank_by_l1(table, labels)) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_states_are_no_heads(made_up):
    assert list(head_columns(made_up[0])) == [(0, 0), (0, 1), (1, 0), (1, 1)]


@pytest.mark.parametrize("ranking", ["correlation", "l1"])
def test_chosen_heads_are_in_the_models_order(made_up, ranking):
    chosen = choose_heads(*made_up, 2, ranking)
    assert chosen == sorted(chosen)
    assert (0, 1) in chosen
    assert len(chosen) == 2


def test_bad_wishes(made_up):
    with pytest.raises(ts.InputError, match="heads=5: accepted are 1 to 4"):
        choose_heads(*made_up, 5)
    with pytest.raises(ts.InputError, match="'correlation', 'l1'"):
        choose_heads(*made_up, 1, "luck")
