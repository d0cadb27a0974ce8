"""Barcodes as values: statistics, equality, pictures."""

import numpy as np
import pytest

import toposcope as ts
from tests import cases
from tests.cases import A, B
from toposcope.figures.palette import ANYWHERE, LIGHT


@pytest.fixture
def bars():
    return ts.Barcode(np.array([0.5, 0.0, 0.2, 0.2, 0.1]), np.array([0.9, 0.4, 0.2, 0.8, np.inf]), 1)


def test_only_bars_are_kept_and_sorted(bars):
    assert list(bars.births) == [0.0, 0.2, 0.5]
    assert list(bars.deaths) == [0.4, 0.8, 0.9]
    assert list(bars.endless) == [0.1]
    assert len(bars) == bars.count() == 3


def test_statistics(bars):
    lengths = np.array([0.4, 0.6, 0.4])
    shares = lengths / lengths.sum()
    assert bars.sum() == pytest.approx(1.4)
    assert bars.mean() == pytest.approx(1.4 / 3)
    assert bars.std() == pytest.approx(lengths.std())
    assert bars.variance() == pytest.approx(lengths.var())
    assert bars.entropy() == pytest.approx(-(shares * np.log(shares)).sum())
    assert bars.max_death() == 0.9
    assert bars.birth_of_longest() == 0.2
    assert (bars.births_ge(0.2), bars.births_le(0.2)) == (2, 2)
    assert (bars.deaths_ge(0.8), bars.deaths_le(0.8)) == (2, 2)


def test_counts_compare_in_the_precision_of_the_map():
    bars = ts.Barcode(np.zeros(1, np.float32), np.array([0.7], np.float32), 0)
    assert bars.deaths_ge(0.7) == bars.deaths_le(0.7) == 1


def test_no_bars_give_zeros():
    none = ts.barcode(A, 1)
    statistics = (none.sum, none.mean, none.std, none.variance, none.entropy, none.max_death)
    assert {statistic() for statistic in (*statistics, none.birth_of_longest, none.count)} == {0}


def test_values_are_frozen(bars):
    with pytest.raises(ValueError, match="read-only"):
        bars.births[0] = 1
    with pytest.raises(AttributeError):
        bars.dimension = 0


def test_equality(bars):
    assert bars == ts.Barcode(bars.births, bars.deaths, 1, endless=bars.endless)
    assert bars != ts.Barcode(bars.births, bars.deaths, 1)
    assert bars != ts.Barcode(bars.births, bars.deaths, 0, endless=bars.endless)
    assert bars != "bars"
    assert ts.barcode(A) != ts.barcode(B)


def test_every_graph_has_one_endless_component():
    assert list(ts.barcode(A).endless) == [0]
    assert list(ts.barcode(A, 1).endless) == []


def test_text(bars):
    assert repr(bars) == "Barcode(H1: [0, 0.4), [0.2, 0.8), [0.5, 0.9))"
    assert repr(ts.barcode(A, 1)) == "Barcode(H1: no bars)"
    many = ts.Barcode(np.zeros(20), np.arange(1, 21), 0)
    assert repr(many).endswith("and 12 more)")


def test_html_draws_every_bar(bars):
    html = bars._repr_html_()
    assert html.count("<rect") == 3
    assert ANYWHERE.blue in html
    assert "H1: 3 bars, sum 1.4" in html
    assert "the first 60 drawn" in ts.Barcode(np.zeros(99), np.ones(99), 0)._repr_html_()


def test_pictures_have_the_papers_colours():
    from matplotlib.colors import to_hex

    ax = ts.plot_barcodes([ts.barcode(B, 0), ts.barcode(B, 1)])
    colours = [to_hex(patch.get_facecolor()).upper() for patch in ax.patches]
    assert colours == [LIGHT.gold] * 4 + [LIGHT.blue]
    widths = [patch.get_width() for patch in ax.patches]
    assert widths[:4] == sorted(widths[:4])
    ax = ts.rtd_barcode(A, B).plot()
    assert to_hex(ax.patches[0].get_facecolor()).upper() == LIGHT.orange


def test_pandas(bars):
    table = bars.to_pandas()
    assert list(table.columns) == ["birth", "death", "length"]
    assert len(table) == 3


STATISTICS = {
    "count": (),
    "sum": (),
    "mean": (),
    "std": (),
    "variance": (),
    "entropy": (),
    "max_death": (),
    "birth_of_longest": (),
    "births_ge": (0.25,),
    "births_le": (0.7,),
    "deaths_ge": (0.5,),
    "deaths_le": (0.25,),
}


@pytest.mark.parametrize("dimension", [0, 1])
@pytest.mark.parametrize("name", STATISTICS)
def test_many_at_once_equal_one_by_one(name, dimension):
    rng = np.random.default_rng(dimension)
    maps = np.stack([cases.weights(rng, 12) for _ in range(30)]).reshape(5, 3, 2, 12, 12)
    bars = ts.barcodes(maps, dimension)
    values = getattr(bars, name)(*STATISTICS[name])
    assert values.shape == bars.shape == (5, 3, 2)
    for place in np.ndindex(5, 3, 2):
        alone = getattr(ts.barcode(maps[place], dimension), name)(*STATISTICS[name])
        assert values[place] == pytest.approx(alone, abs=1e-12)


def test_barcodes_are_indexed_like_the_maps():
    rng = np.random.default_rng(3)
    maps = np.stack([cases.weights(rng, 9) for _ in range(6)]).reshape(2, 3, 9, 9)
    for dimension in (0, 1):
        bars = ts.barcodes(maps, dimension)
        assert bars[1, 2] == ts.barcode(maps[1, 2], dimension)
        assert bars[:, 1:] == ts.barcodes(maps[:, 1:], dimension)
        assert [list(row) for row in bars] == [[ts.barcode(m, dimension) for m in row] for row in maps]
        assert bars != ts.barcodes(maps[:1], dimension)
        assert bars != ts.barcodes(maps[::-1], dimension)
        assert bars[:0].size == 0
    assert (len(bars), bars.size) == (2, 6)
    assert repr(bars).startswith("Barcodes(H1: ")


def test_statistics_leave_out_the_endless():
    apart = np.array([[0, 1, np.inf], [1, 0, np.inf], [np.inf, np.inf, 0]])
    bars = ts.barcodes(np.stack([apart, np.where(np.isinf(apart), 2, apart)]), 0, kind="distance")
    assert list(bars.sum()) == [1, 3]
    assert [list(b.endless) for b in bars] == [[0, 0], [0]]
