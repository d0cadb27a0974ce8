"""Two sentences compared: every head's word, opinions that turn with the sentences, pictures, JSON."""

import json
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

import toposcope as ts
from tests.models.watch import asked
from tests.pairs.made import FIRST, SECOND
from toposcope.data.minimal_pairs import Pairs
from toposcope.figures.palette import LIGHT
from toposcope.pairs.comparison import COLUMNS
from toposcope.pairs.measures import pair_spec
from toposcope.pairs.profile import PROFILES
from toposcope.pairs.score import selections_named
from toposcope.pairs.select import select_heads
from toposcope.pairs.table import read_heads
from toposcope.topology.head import all_heads

PAIR = "the cat sleeps on the sofa.", "the cat sleeping on a sofa"


@pytest.fixture(scope="module")
def selections(scopes):
    """Of each method, on the pairs above."""
    pairs = Pairs(tuple(FIRST), tuple(SECOND), ["p", "q"] * 4, ["x", "y"] * 4, "toy")
    table = read_heads(scopes["encoder"], pairs, pair_spec("h0m+topology", PROFILES["strict"], False))
    return [
        select_heads(table, method, measure)
        for method, measure in (("weighted", "topology"), ("ensemble", "h0m"), ("top", "h0m"))
    ]


@pytest.mark.parametrize(("kind", "symmetry"), [("encoder", "upper"), ("causal", "max")])
def test_strict_takes_the_graph_that_a_model_has(scopes, kind, symmetry):
    scope = scopes[kind]
    found = scope.compare(*PAIR)
    assert found.symmetry == symmetry
    maps = scope.attentions(PAIR)
    for values, m in zip((found.h0_mean_a, found.h0_mean_b), maps, strict=True):
        np.testing.assert_allclose(values, ts.h0_mean(m, symmetry), atol=1e-5)
    assert pair_spec("rtd", PROFILES["strict"], scope.causal).columns == (f"rtd.{symmetry}.align",)


def test_rtd_of_equally_long_sentences_is_that_of_their_maps(scopes):
    two = "the old cat sleeps.", "the old dog sleeps."
    found, maps = scopes["encoder"].compare(*two), scopes["encoder"].attentions(two)
    np.testing.assert_allclose(found.rtd_ab, ts.rtd(*maps, "upper"), atol=1e-5)
    np.testing.assert_allclose(found.rtd_ba, ts.rtd(*maps[::-1], "upper"), atol=1e-5)


def test_opinions_of_two_sentences(scopes, selections):
    scope = scopes["encoder"]
    found = scope.compare(*PAIR, selections=selections)
    names = ["topology, weighted", "h0m, ensemble", "h0m, top", "h0m, all heads", "rtd, all heads"]
    assert [o.name for o in found.opinions] == names
    pair = Pairs(*((text,) for text in PAIR), ["p"], ["p"])
    for opinion, selection in zip(found.opinions, selections, strict=False):
        told = selection.prefer(read_heads(scope, pair, selection.spec))
        assert opinion.margin == pytest.approx(told.margins[0], abs=1e-4)
        assert {"a": 1, "b": 0, "tie": 0.5}[opinion.preferred] == told.credits[0]
        assert opinion.accuracy == selection.about["accuracy by cross-validation"]
    for opinion in found.opinions[1:]:
        ours, theirs, _ = opinion.votes
        assert opinion.margin == pytest.approx((ours - theirs) / sum(opinion.votes))
    assert sum(found.opinions[1].votes) == len(selections[1].chooser.voters)
    assert {voter.rule for s in selections[1:] for voter in s.chooser.voters} == {1, 2}
    (all_heads_vote,) = selections_named(
        ["all"], "h0m", "strict", all_heads(scope.layers, scope.heads), scope.provenance
    )
    margin = all_heads_vote.prefer(read_heads(scope, pair, all_heads_vote.spec)).margins[0]
    assert found.opinions[3].margin == pytest.approx(margin)
    assert found.preferred == found.opinions[0].preferred


def test_both_sentences_are_cut_and_read_once(scopes, selections, monkeypatch):
    scope = scopes["encoder"]
    with asked(scope, monkeypatch) as found:
        scope.compare(*PAIR, selections=selections, language_model=False)
    assert (found.texts, len(found.passes)) == ([*PAIR], 2)
    with asked(scope, monkeypatch) as found:
        told = scope.compare(*PAIR, selections=selections)
    assert found.texts == [*PAIR]
    masked = sum(len(maps.tokens) - 2 for maps in told.maps)  # a pass for each token but the special ones
    mask = scope.tokenizer.mask_token_id
    assert len(found.passes) == 2 + masked
    assert sum(mask not in ids for ids in found.passes) == 2


def test_swapped_sentences_turn_every_opinion(scopes, selections):
    there = scopes["encoder"].compare(*PAIR, selections=selections)
    back = scopes["encoder"].compare(*PAIR[::-1], selections=selections)
    for a, b in zip(there.opinions, back.opinions, strict=True):
        assert a.margin == -b.margin
        assert {a.preferred, b.preferred} == {"a", "b"}
        assert a.votes is None or (a.votes[1], a.votes[0], a.votes[2]) == b.votes
    np.testing.assert_array_equal(there.rtd_margin, -back.rtd_margin)
    np.testing.assert_array_equal(there.h0m_margin, -back.h0m_margin)
    assert there.likelihood == pytest.approx(back.likelihood[::-1], rel=1e-5)


def test_equal_sentences_tie_everywhere(scopes, selections):
    found = scopes["encoder"].compare(PAIR[0], PAIR[0], selections=selections)
    assert [(o.preferred, o.margin) for o in found.opinions] == [("tie", 0)] * 5
    assert found.preferred == "tie"
    assert found.opinions[3].votes == (0, 0, 12)


def test_all_of_a_comparison_is_json_and_a_table(scopes, selections):
    found = scopes["encoder"].compare(*PAIR, selections=selections)
    told = json.loads(json.dumps(found.to_dict()))
    assert told["preferred"] == found.preferred
    assert told["tokens"] == {"a": 10, "b": 9, "matched": found.matched[2]}
    assert [row["head"] for row in told["heads"]] == [0, 1, 2, 3] * 3
    assert told["heads"][5]["rtd_ab_h0"] == found.heads["rtd_ab_h0"][1, 1]
    assert told["language model"]["method"] == "pll"
    frame = found.to_pandas()
    assert list(frame.columns) == list(COLUMNS)
    assert frame.loc["L2.H1", "h0_mean_b"] == found.h0_mean_b[2, 1]
    loudest = found.loudest(3)
    assert abs(found.rtd_margin[loudest[0]]) == np.abs(found.rtd_margin).max()


def test_pictures_of_a_comparison(scopes, tmp_path):
    found = scopes["encoder"].compare("the cat costs $5.", PAIR[1], language_model=False)
    for name in ("a.svg", "a.png"):
        assert found.plot(tmp_path / name) is None
        assert (tmp_path / name).stat().st_size > 5000
    first = found.plot()
    colours = [to_hex(axis.lines[0].get_color()) for axis in first.figure.axes[2:4]]
    assert colours == [to_hex(axis.patches[0].get_edgecolor()) for axis in first.figure.axes[2:4]]
    assert colours == [LIGHT.blue.lower(), LIGHT.orange.lower()]
    heading = first.figure.get_suptitle()
    assert re.search(r"a \(blue\).*\n.*b \(orange\)", heading)
    plt.close(first.figure)
    assert "<img " in found._repr_html_()
    assert "h0m, all heads" in found._repr_html_()


def test_any_script_is_drawn(scopes, tmp_path):
    found = scopes["encoder"].compare("我是学生。 سلام 🙂", "雨だ $5 $x$", language_model=False)
    for name in ("a.svg", "a.png", "a.pdf"):
        found.plot(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 5000


def test_the_language_model_speaks_where_there_is_one(scopes):
    for kind, method in (("encoder", "pll"), ("causal", "logprob")):
        found = scopes[kind].compare(*PAIR)
        assert found.likelihood_method == method
        assert found.likelihood == pytest.approx(tuple(scopes[kind].score(PAIR).sum()), rel=1e-5)
    assert scopes["causal"].compare(*PAIR, language_model=False).likelihood is None
    headless = scopes["headless"].compare(*PAIR)
    assert headless.likelihood is None
    assert headless.to_dict()["language model"] is None


def test_selections_for_other_weights_are_refused(scopes, selections):
    with pytest.raises(ts.ModelError, match="Choose heads for them"):
        scopes["causal"].compare(*PAIR, selections=selections)


def test_pairs_without_words_are_refused(scopes):
    pairs = Pairs(("the cat sleeps.", "..."), ("\u200b", "the cat sleep."), ["p"] * 2, ["x"] * 2, "toy")
    spec = pair_spec("h0m", PROFILES["strict"], False)
    with pytest.raises(ts.InputError, match=r"^good\[1\] = '\.\.\.' cannot be judged"):
        read_heads(scopes["encoder"], pairs, spec)
    with pytest.raises(ts.InputError, match=r"^bad\[0\] = '\\u200b' cannot be judged"):
        read_heads(
            scopes["encoder"], Pairs(("the cat sleeps.",) * 2, pairs.bad, ["p"] * 2, ["x"] * 2), spec
        )
