"""Table 2 from end to end on a tiny model and a few pairs; what is done is not done again."""

from dataclasses import replace

import numpy as np
import pytest

import toposcope as ts
from tests.experiments.toys import BrokenOff, broken_off_at, lab_in, pairs_of, write_pairs
from toposcope.data.minimal_pairs import Pairs
from toposcope.data.named import generated_pairs
from toposcope.experiments.aux_data import auxiliary_result, run_aux_data
from toposcope.experiments.data import model_place
from toposcope.experiments.published_pairs import BLIMP_PHENOMENA, PARADIGMS_A_PHENOMENON, is_blimp
from toposcope.experiments.readings import benchmark, joined_table, read_model
from toposcope.experiments.records import read_record
from toposcope.experiments.results import AuxiliaryResult, ModelResult, Way
from toposcope.experiments.table2 import chosen_by, pair_scores, run_model, run_table2, run_ways
from toposcope.experiments.ways import ENSEMBLE, LENGTH, OURS, SINGLE, STATES, name_of, ways_of
from toposcope.pairs.choosers import together, weighed
from toposcope.pairs.transfer import choosers_without, prefer_all
from toposcope.report import aux_data as aux_page
from toposcope.report import table2 as page


@pytest.fixture(scope="module")
def lab(tmp_path_factory, scope):
    folder = tmp_path_factory.mktemp("pairs")
    write_pairs(pairs_of(5), folder / "data" / "blimp" / "data")
    write_pairs(pairs_of(6, "a"), folder / "data" / "blimp_aux")
    return lab_in(folder, scope)


@pytest.fixture(scope="module")
def asked(lab):
    return read_model("tiny", pairs_of(6), lab.work / "asked", lab)


@pytest.fixture(scope="module")
def auxiliary(lab):
    return read_model("tiny", pairs_of(8, "a"), lab.work / "auxiliary", lab)


@pytest.fixture(scope="module")
def result(lab, scope):
    """All ways of the main model, its likelihood being another's: BERT's tiny one has none."""
    own = pairs_of(4, "he and a")
    wanted = [way for way in ways_of(brief=False) if way.method not in (SINGLE, "all")]
    return next(run_model("tiny", *benchmark(lab.data), lab, own, wanted))


def test_readings_are_those_of_their_pairs_and_model(lab, asked, causal):
    again = read_model("tiny", asked.pairs, lab.work / "asked", replace(lab, tell=pytest.fail))
    assert len(joined_table(again.heads())) == len(asked)
    with pytest.raises(ts.InputError, match=r"differs in pairs \("):
        read_model("tiny", asked.pairs.take(range(5)), lab.work / "asked", lab)
    other = replace(lab, load=lambda name: causal)
    with pytest.raises(ts.InputError, match=r"differs in .*from\.fingerprint"):
        read_model("tiny", asked.pairs, lab.work / "asked", other)


def test_how_pairs_are_cut_stands_in_the_key(tmp_path, lab, asked):
    told = []
    found = read_model("tiny", asked.pairs, tmp_path / "cut", replace(lab, tell=told.append), cut=30)
    assert [message.partition("part ")[2] for message in told] == ["1 of 3", "2 of 3", "3 of 3"]
    assert [len(part) for part in found.heads()] == [30, 30, 12]
    once = joined_table(asked.heads())
    np.testing.assert_allclose(joined_table(found.heads()).values, once.values, atol=1e-5)
    with pytest.raises(ts.InputError, match=r"differs in cut \(30 there, 4000 now\)"):
        read_model("tiny", asked.pairs, tmp_path / "cut", lab)


def test_a_run_broken_off_goes_on_to_the_same_bytes(tmp_path, scope):
    """Once while pairs are read, once while heads are chosen."""

    def work(folder, tell):
        lab = lab_in(tmp_path / folder, scope, tell)
        asked = read_model("tiny", pairs_of(6), lab.work / "asked", lab, cut=20)
        auxiliary = read_model("tiny", pairs_of(8, "a"), lab.work / "auxiliary", lab)
        run_ways([OURS, ENSEMBLE], {"auxiliary": [auxiliary]}, asked, lab.work / "ways", lab)
        return {
            str(file.relative_to(lab.work)): file.read_bytes()
            for file in lab.work.rglob("*")
            if file.is_file() and not file.name.startswith(".")
        }

    for part in ("pairs 001", name_of(ENSEMBLE)):
        told, tell = broken_off_at(part)
        with pytest.raises(BrokenOff):
            work("broken", tell)
        assert told[0].startswith("readings of toy, the: pairs 000") is (part == "pairs 001")
    files = work("broken", lambda _: None)
    assert len(files) == 3 * 2 + 4 + 1 + 2
    assert files == work("undisturbed", lambda _: None)


def test_every_way_can_be_run(result):
    for one in result.ways:
        assert 0 <= one.scores.overall.value <= 1, one.way
        assert set(one.scores.phenomena) == set(BLIMP_PHENOMENA)
    assert len({name_of(one.way) for one in result.ways}) == len(result.ways)
    sure = {one.way.measure for one in result.ways if one.calibration_error is not None}
    assert {"topology", STATES} <= sure
    assert len(result.differences) == 4


def test_the_page_has_every_section_and_stands_beside_the_published_rows(result):
    text = page.page([result])
    assert text.startswith(page.INTRODUCTION.rstrip())
    assert "| *published: BERT-base, H0M, ensemble* | *84.3* |" in text
    assert all(f"### {title}" in text for title in page.TITLES.values())
    assert page.NO_LIKELIHOOD.format(page.COMMAND.format("tiny")) in text
    assert text.count("**What it says.**") == 1
    assert "The RTD ensemble reaches " in text
    assert {one.p is None for one in result.differences} == {False}
    assert text.count(", corrected ") == 4
    brief = page.page([replace(result, main=False)])
    assert "The RTD ensemble reaches" not in brief
    assert "BERT-base, H0M, ensemble" not in brief


def test_the_results_of_a_model_by_the_whole_experiment(tmp_path, lab):
    """A model that is not the main one is asked less, and of the first pairs only."""
    (found,) = run_table2(replace(lab, docs=tmp_path), ["tiny"], 2)
    assert read_record(tmp_path / "table2" / "tiny.json", ModelResult) == found
    assert (found.model, found.main, found.pairs, found.paradigms) == ("tiny", False, 24, 12)
    assert [one.way for one in found.ways] == ways_of(brief=True)
    assert found.left_out.endswith("auxiliary pairs remain.")
    assert found.equally_long == 12
    text = page.section(found, {})
    assert text.startswith("## tiny\n\n24 pairs of 12 paradigms; in 12 of them (50%) both sentences have")
    assert "\n\nLeft out of BLiMP: none;" in text


@pytest.mark.parametrize("model", ["all-x", "owner/all-x", "./folder/all-x/"])
def test_results_of_a_model_lie_under_its_last_name(tmp_path, model):
    assert model_place(tmp_path, model) == tmp_path / "table2" / "all-x.json"


def test_other_models_have_the_ways_that_compare_them():
    every, brief = set(ways_of(False)), set(ways_of(True))
    assert brief < every
    assert {way.profile for way in brief} == {"strict", "published", "paper", "notebook"}
    assert {way.left_out for way in brief} == {"", "phenomenon", "paradigm"}
    assert {way.profile for way in ways_of(True, causal=True)} == {"strict"}


def test_ways_that_are_done_are_not_done_again(tmp_path, lab, asked, auxiliary):
    ways, sources = [Way("h0m", "top"), Way("h0m", "all")], {"auxiliary": [auxiliary]}
    first = run_ways(ways, sources, asked, tmp_path, lab)
    again = run_ways(ways, sources, asked, tmp_path, replace(lab, tell=pytest.fail))
    assert [one.result for one in again.values()] == [one.result for one in first.values()]
    with pytest.raises(ts.InputError, match=r"differs in sources\.auxiliary"):
        run_ways(ways, {"auxiliary": [asked]}, asked, tmp_path, lab)


@pytest.mark.parametrize("method", ["top", "ensemble", "weighted"])
def test_what_is_left_out_has_no_say(auxiliary, method):
    """Turn the auxiliary pairs of a phenomenon around: who judges that phenomenon stays the same."""
    table = joined_table(auxiliary.heads())
    half = np.where(np.arange(len(table)) % 2, "x", "y")
    pairs = replace(table.pairs, paradigms=half, phenomena=half)
    turned = np.where((half == "x")[:, None, None], -table.values, table.values)
    chosen = [
        choosers_without(
            replace(table, pairs=pairs, values=v), method, ("h0m.upper.whole",), "strict", "phenomenon"
        )
        for v in (table.values, turned)
    ]
    assert chosen[0]["x"].facts() == chosen[1]["x"].facts()
    assert chosen[0]["y"].facts() != chosen[1]["y"].facts()
    asked = replace(table, pairs=pairs)
    margins = [prefer_all([asked], c, "phenomenon").margins for c in chosen]
    np.testing.assert_array_equal(*(m[half == "x"] for m in margins))


def test_hidden_states_are_a_rival_without_heads(lab, asked, auxiliary, tmp_path):
    table = joined_table(auxiliary.states())
    assert table.values.shape[1:] == (3, 32)
    way = Way(STATES, "weighted")
    (chooser,) = chosen_by(way, [auxiliary]).values()
    done = run_ways([way], {"auxiliary": [auxiliary]}, asked, tmp_path, lab)[way]
    assert done.result.chosen.startswith("C = ")
    expected = chooser.prefer(joined_table(asked.states())).credits
    np.testing.assert_array_equal(done.credits, expected)


@pytest.mark.parametrize("turned", [False, True])
def test_length_alone_prefers_what_the_auxiliary_pairs_prefer(
    lab, asked, auxiliary, tmp_path, scope, turned
):
    """The bad sentence of every second pair is longer; turned around, the good one."""
    if turned:
        tables = (auxiliary.pairs.bad, auxiliary.pairs.good)
        pairs = replace(auxiliary.pairs, good=tables[0], bad=tables[1])
        auxiliary = replace(auxiliary, pairs=pairs, tokens=auxiliary.tokens[:, ::-1])
    way = Way(LENGTH, "top")
    done = run_ways([way], {"auxiliary": [auxiliary]}, asked, tmp_path, lab)[way]
    good, bad = scope.token_counts(asked.pairs.good), scope.token_counts(asked.pairs.bad)
    fewer = np.where(good < bad, 1, np.where(good > bad, 0, 0.5))
    np.testing.assert_array_equal(done.credits, 1 - fewer if turned else fewer)
    assert done.result.chosen == ("more tokens" if turned else "fewer tokens")
    assert done.result.scores.overall.value == pytest.approx(0.25 if turned else 0.75)
    assert done.result.scores.ties == pytest.approx(np.mean(good == bad)) == pytest.approx(0.5)
    assert done.result.scores.equal.value == 0.5


def test_equally_long_pairs_have_an_accuracy_of_their_own(lab, asked, auxiliary, tmp_path, scope):
    way = Way("h0m", "top")
    done = run_ways([way], {"auxiliary": [auxiliary]}, asked, tmp_path, lab)[way]
    good, bad = scope.token_counts(asked.pairs.good), scope.token_counts(asked.pairs.bad)
    same = good == bad
    np.testing.assert_array_equal(asked.tokens, np.stack([good, bad], axis=1))
    by_hand = [done.credits[same & (asked.pairs.paradigms == p)].mean() for p in BLIMP_PHENOMENA]
    assert done.result.scores.equal.value == pytest.approx(np.mean(by_hand))
    none = replace(asked, tokens=asked.tokens + np.array([0, 100]))
    assert pair_scores(weighed(done.margins), asked.pairs, none.equally_long).equal is None


def test_a_column_is_shown_if_anything_is_known_of_it(result):
    text = page.section(result, {})
    assert "| s-v | equally long | ties % | chosen |" in text
    assert "; in " in text.splitlines()[2]
    assert "| length alone: fewer or more tokens | " in text
    assert {line.count("|") for line in text.splitlines() if line.startswith("|")} == {18 + 1}
    before = [replace(one, scores=replace(one.scores, equal=None)) for one in result.ways]
    older = page.section(replace(result, ways=tuple(before), equally_long=None), {})
    assert "equally long" not in older
    assert older.splitlines()[2] == f"{result.pairs} pairs of {result.paradigms} paradigms."


def test_likelihoods_are_added_to_ours(lab, causal, tmp_path):
    lab = lab_in(tmp_path, causal, data=lab.data)
    pairs, auxiliary = benchmark(lab.data)
    wanted = [way for way in ways_of(brief=True, causal=True) if way.measure in ("topology", "rtd", STATES)]
    first, then = run_model("tiny causal", pairs, auxiliary, lab, pairs_of(3, "he and a"), wanted, 2)
    assert not first.likelihood
    assert then.ways == first.ways
    some = pairs.first(2)
    a, b = causal.score(some.good).sum(), causal.score(some.bad).sum()
    own = then.likelihood[0].scores
    assert own.overall.value == pytest.approx(np.mean(0.5 * (a > b) + 0.5 * (a >= b)))
    assert [one.together for one in then.likelihood] == [False, False, True, False, True]
    assert {one.scores.pairs for one in then.likelihood} == {len(some)}
    words = [page.likelihood_words(one) for one in then.likelihood]
    assert words[0] == "its own likelihood"
    assert words[4] == "weighted: ours (19 a head), phenomenon left out, + likelihood"


def test_how_many_auxiliary_pairs_it_takes(tmp_path, lab, asked, auxiliary):
    result = auxiliary_result(auxiliary, asked, tmp_path / "aux", lab, (1, 2), 2)
    assert result.counts == (1, 2)
    assert set(result.curves["h0m"]) == {"overall", *BLIMP_PHENOMENA}
    for curve in result.curves.values():
        mean = np.mean([curve[term][1].value for term in BLIMP_PHENOMENA])
        assert curve["overall"][1].value == pytest.approx(mean)  # a paradigm each
    text = aux_page.page(result, "aux-data.svg")
    assert "| 2 | " in text
    aux_page.draw(result, tmp_path / "aux-data.svg")
    assert (tmp_path / "aux-data.svg").stat().st_size > 5000


def test_how_many_auxiliary_pairs_it_takes_by_the_whole_experiment(tmp_path, lab):
    found = run_aux_data(replace(lab, docs=tmp_path), 1, "tiny", (2,), 2)
    assert read_record(tmp_path / "aux-data.json", AuxiliaryResult) == found
    assert (found.pairs, found.counts, found.draws) == (12, (2,), 2)


def test_the_benchmark_has_to_be_there(tmp_path, lab):
    with pytest.raises(ts.InputError, match="holds no folder blimp/data with BLiMP"):
        run_aux_data(replace(lab, data=tmp_path))


def test_published_rows_stand_beside_blimp_only():
    terms = np.repeat(BLIMP_PHENOMENA, PARADIGMS_A_PHENOMENON)
    names = np.array([f"paradigm {k}" for k in range(len(terms))])
    texts = tuple(names.tolist())
    blimp_like = Pairs(texts, texts, names, terms)
    assert is_blimp(blimp_like)
    assert not is_blimp(blimp_like.take(range(66)))
    assert not is_blimp(generated_pairs(1))


def test_opinions_are_added_over_their_usual_size():
    loud, quiet = np.array([100.0, -100.0, 100.0]), np.array([0.1, 0.3, -0.2])
    added = together([weighed(loud), weighed(quiet)])
    assert (added.margins > 0).tolist() == [True, True, True]
    assert not together([weighed(np.zeros(3))] * 2).margins.any()


def test_generated_pairs_have_the_phenomena_of_blimp():
    pairs = generated_pairs(1)
    assert set(pairs.phenomena) == set(BLIMP_PHENOMENA)
