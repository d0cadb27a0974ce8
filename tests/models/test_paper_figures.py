"""The paper's figures 1 and 2 on real weights: their chain and star, their cycle, their bar of RTD."""

import networkx as nx
import numpy as np
import pytest

import toposcope as ts

pytestmark = pytest.mark.real

# figure 2; the paper rounds its bar to .47 and .65
GOOD, BAD = "Cheryl had trained Tara.", "Cheryl had murmured Tara."


@pytest.fixture(scope="module")
def bert():
    return ts.load("bert-base-cased")


def graph_of(weights, least):
    """Tokens, joined where attention of one to the other is at least so large."""
    both = np.maximum(weights, weights.T) >= least
    graph = nx.from_numpy_array(both)
    graph.remove_edges_from(nx.selfloop_edges(graph))
    return graph


def spanning_tree(weights):
    graph = nx.from_numpy_array(np.maximum(weights, weights.T).astype(float))
    graph.remove_edges_from(nx.selfloop_edges(graph))
    return nx.maximum_spanning_tree(graph)


def test_figure_1_a_chain_with_one_cycle(bert):
    """[1; 11] looks at the next token: a chain at .1, at .05 a cycle that is one bar of dimension 1."""
    head = bert.attention("There is snowing today.")[1, 11]
    assert sorted(d for _, d in spanning_tree(head.array).degree()) == [1, 1, 2, 2, 2, 2, 2, 2]
    assert nx.utils.graphs_equal(graph_of(head.array, 0.1), graph_of(head.array, 0.96))
    assert nx.is_tree(graph_of(head.array, 0.1))
    bars = head.barcode(1)
    np.testing.assert_allclose([bars.births, bars.deaths], [[0.93912], [0.98452]], atol=1e-4)
    assert bars.births[0] < 1 - 0.05 < bars.deaths[0]  # there at .05
    assert bars.births[0] > 1 - 0.1  # and not yet at .1
    assert np.isfinite(head.barcode(0).deaths).sum() == 7  # one less than tokens


def test_figure_1_a_star_without_cycles(bert):
    """[9; 9] looks at [SEP]."""
    head = bert.attention("There is snowing today.")[9, 9]
    tree = spanning_tree(head.array)
    assert dict(tree.degree()) == {**dict.fromkeys(range(7), 1), 7: 7}
    assert head.tokens[7] == "[SEP]"
    assert len(head.barcode(1)) == 0
    assert set(graph_of(head.array, 0.5).edges) == set(tree.edges) - {(1, 7)}
    assert np.isfinite(head.barcode(0).deaths).sum() == 7


@pytest.mark.parametrize("symmetry", ["max", "upper"])
def test_figure_2_has_the_bar_of_the_paper(bert, symmetry):
    """RTD of head [7; 3]: "birth at .47", "death at .65" (section 3.3)."""
    a, b = (bert.attention(text)[7, 3].array for text in (GOOD, BAD))
    bars = ts.rtd_barcode(a, b, symmetry=symmetry)
    apart = np.abs(bars.births - 0.46886) + np.abs(bars.deaths - 0.64501)
    assert apart.min() < 2e-4
    nearest = int(np.argmin(apart))
    assert (round(float(bars.births[nearest]), 2), round(float(bars.deaths[nearest]), 2)) == (0.47, 0.65)


def test_figure_2_joins_the_components_that_the_paper_names(bert):
    """At .47 an edge of the bad sentence joins its verb to [SEP], [CLS], "." and "Tara"; at .65 both do."""
    a, b = bert.attention(GOOD), bert.attention(BAD)
    assert a.tokens.pieces == ("[CLS]", "Cheryl", "had", "trained", "Tara", ".", "[SEP]")
    good, bad = a[7, 3].array, b[7, 3].array
    both = np.minimum(np.maximum(good, good.T), np.maximum(bad, bad.T))  # attention that both have
    verb, others = frozenset({3}), frozenset({0, 4, 5, 6})

    def parts(weights, distance):
        return {frozenset(part) for part in nx.connected_components(graph_of(weights, 1 - distance))}

    assert {verb, others} <= parts(both, 0.47)
    before, after = graph_of(bad, 1 - 0.465), graph_of(bad, 1 - 0.47)
    (edge,) = set(after.edges) - set(before.edges)
    assert len(verb & set(edge)) == len(others & set(edge)) == 1
    assert not any(verb | others <= part for part in parts(both, 0.644))
    assert any(verb | others <= part for part in parts(both, 0.646))
