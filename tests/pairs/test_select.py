"""Choosing heads: what is chosen, written down, read back, and never reported on what it has seen."""

import json

import numpy as np
import pytest

import toposcope as ts
from tests.pairs.made import ABOUT, COLUMN, table, tied_differences
from toposcope.features.spec import FeatureSpec
from toposcope.pairs.measures import pair_spec
from toposcope.pairs.profile import PROFILES
from toposcope.pairs.score import pairs_named, score_pairs, selections_named
from toposcope.pairs.select import METHODS, choose, paradigm_folds, select_heads
from toposcope.pairs.selection import Selection
from toposcope.pairs.table import PairTable

NAMES = np.array(["x1", "x2", "y1"] * 30)
TERMS = np.array(["x", "x", "y"] * 30)
MEASURES = {method: "h0m+h0s" if method == "weighted" else "h0m" for method in METHODS}
every_method = pytest.mark.parametrize("method", METHODS)


def readings(seed=0, prefix="", fingerprint=ABOUT["fingerprint"]):
    """Two columns; head 1 tells the good sentence of x, head 2 (by the larger score) that of y."""
    rng = np.random.default_rng(seed)
    values = np.stack([tied_differences(rng, 90, 6), rng.standard_normal((90, 6))], axis=-1)
    values[TERMS == "x", 1] = np.where(rng.random((60, 1)) < 0.9, -1, 1)
    values[TERMS == "y", 2] = 1
    columns = pair_spec("h0m+h0s", PROFILES["strict"], False).columns
    return table(values, NAMES, TERMS, prefix, columns, fingerprint=fingerprint)


@pytest.fixture(scope="module")
def chosen():
    return {method: select_heads(readings(), method, MEASURES[method]) for method in METHODS}


def test_top_and_phenomenon_heads(chosen):
    (top,) = chosen["top"].chooser.voters
    assert (top.head, top.rule) == ((0, 1), 1)
    heads = chosen["phenomenon"].chooser
    assert {term: (v.head, v.rule) for term, v in heads.by_phenomenon.items()} == {
        "x": ((0, 1), 1),
        "y": ((0, 2), 2),
    }
    assert heads.otherwise == top


def test_all_heads_vote_by_rule_1(chosen):
    assert [(v.head, v.rule) for v in chosen["all"].chooser.voters] == [(h, 1) for h in readings().heads]


def test_paradigms_weigh_the_same_whatever_their_size():
    """Head 0 is right in the large paradigm, head 1 in both small ones."""
    names = ["large"] * 80 + ["small"] * 5 + ["tiny"] * 5
    signs = np.zeros((90, 2))
    signs[:80, 0] = signs[80:, 1] = -1
    chooser = select_heads(table(signs, names), "top", "h0m", "paper", validate=False).chooser
    assert [v.head for v in chooser.voters] == [(0, 1)]


@every_method
def test_accuracy_by_cross_validation_is_recorded(chosen, method):
    accuracy = chosen[method].about["accuracy by cross-validation"]
    assert accuracy > (0.5 if method == "all" else 0.65)
    assert chosen[method].about["chosen on"]["pairs"] == 90
    assert chosen[method].about["chosen on"]["sha256"] == readings().pairs.fingerprint


@every_method
def test_a_file_holds_all_of_a_selection(chosen, tmp_path, method):
    made = chosen[method]
    made.save(tmp_path / "heads.json")
    again = Selection.load(tmp_path / "heads.json")
    there, back = (s.prefer(readings(1)) for s in (made, again))
    for part in ("credits", "margins", "ties"):
        np.testing.assert_array_equal(getattr(there, part), getattr(back, part))
    assert again.spec == made.spec
    np.testing.assert_array_equal(again.seen, made.seen)
    for part in ("method", "measure", "profile", "model", "fingerprint", "name"):
        assert getattr(again, part) == getattr(made, part)
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "heads.json").read_bytes()


def test_a_file_holds_features_with_their_options(chosen, tmp_path):
    spec = pair_spec("tda+rtd", PROFILES["strict"], False)
    Selection("weighted", "tda+rtd", "strict", chosen["weighted"].chooser, spec, "m", "f").save(tmp_path / "a.json")
    again = Selection.load(tmp_path / "a.json").spec
    assert again == spec
    assert isinstance(again.features, FeatureSpec)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: "[1, 2", "is no selection of heads: JSONDecodeError"),
        (lambda text: "[1, 2]", "is no selection of heads"),
        (lambda text: text.replace("selection 1", "selection 9"), "is no selection of heads: its format is not 'toposcope selection 1'"),
        (lambda text: text.replace('"votes"', '"dice"'), "is no selection of heads: KeyError"),
        (lambda text: text.replace('"strict"', '"lax"'), "heads: profile 'lax': accepted are"),
        (lambda text: text.replace('"rule": 1', '"rule": 3'), "heads: rule 3: accepted are 1 and 2"),
        (lambda text: text.replace("h0m.upper", "h0m.sideways"), "heads: reading 'h0m.sideways.whole'"),
    ],
)
def test_files_that_are_no_selections(chosen, tmp_path, change, message):
    path = tmp_path / "heads.json"
    chosen["top"].save(path)
    path.write_text(change(path.read_text()))
    with pytest.raises(ts.InputError, match=message) as error:
        Selection.load(path)
    assert "InputError" not in str(error.value)  # said once, in words


def test_names_that_are_no_selections(tmp_path):
    for name in ("bert-base-cased/nothing", str(tmp_path / "none.json"), "L99"):
        with pytest.raises(ts.InputError, match="there is no selection .*: accepted are a file, or one of"):
            Selection.load(name)


def test_other_weights_are_refused(chosen):
    other = readings(1, prefix="new ", fingerprint="e" * 64)
    with pytest.raises(ts.ModelError, match="weights ffffffffffff; those of tiny are eeeeeeeeeeee"):
        score_pairs(other, chosen["top"])
    with pytest.raises(ts.ModelError, match="Choose heads for them"):
        chosen["weighted"].prefer(other)


@every_method
def test_pairs_that_were_chosen_on_are_not_reported(chosen, method):
    with pytest.raises(ts.InputError, match="90 of the 90 pairs of made up are among those"):
        score_pairs(readings(), chosen[method])
    new = readings(1, prefix="new ")
    one = PairTable(
        new.pairs.take([*range(10)]), new.values[:10], new.heads, new.columns, new.about
    )
    assert score_pairs(one, chosen[method]).accuracy.pairs == 10
    mixed = readings().take([3]).pairs
    old = PairTable(mixed, new.values[:1], new.heads, new.columns, new.about)
    with pytest.raises(ts.InputError, match="1 of the 1 pairs"):
        score_pairs(old, chosen[method])


def test_scores_are_those_of_the_preferences(chosen):
    new = readings(1, prefix="new ")
    scored = score_pairs(new, chosen["phenomenon"])
    credits = scored.preference.credits
    assert scored.accuracy.paradigms["y1"].value == 1
    assert scored.accuracy.overall.value == pytest.approx(
        np.mean([credits[NAMES == name].mean() for name in ("x1", "x2", "y1")])
    )
    assert json.loads(json.dumps(scored.facts()))["selection"]["method"] == "phenomenon"


def noise(seed, count=400, heads=40):
    rng = np.random.default_rng(seed)
    return table(rng.standard_normal((count, heads)), ["p", "q"] * (count // 2))


@pytest.mark.parametrize("method", ["top", "phenomenon", "ensemble", "weighted"])
def test_cross_validation_sees_that_noise_is_noise(method):
    made = noise(0)
    found = select_heads(made, method, "h0m")
    assert found.about["accuracy by cross-validation"] == pytest.approx(0.5, abs=0.08)
    assert found.chooser.prefer(made).credits.mean() > (0.6 if method == "ensemble" else 0.55)


@pytest.mark.parametrize("method", ["top", "phenomenon", "ensemble", "all"])
def test_the_order_of_the_pairs_decides_nothing(method):
    made = readings()
    order = np.random.default_rng(5).permutation(len(made))
    one, other = (choose(t, method, (COLUMN,), "strict") for t in (made, made.take(order)))
    assert one == other


def test_folds_hold_a_share_of_every_paradigm():
    pairs = readings().pairs
    folds = paradigm_folds(pairs, 5)
    for name in np.unique(NAMES):
        assert np.bincount(folds[name == NAMES]).tolist() == [6] * 5
    assert (folds != paradigm_folds(pairs, 5, seed=1)).any()


@every_method
def test_few_pairs_of_many_paradigms(method):
    """One pair of each paradigm, as of a benchmark that names none: there are folds all the same."""
    rng = np.random.default_rng(0)
    made = table(rng.standard_normal((30, 4)), [f"p{k}" for k in range(30)])
    assert np.bincount(paradigm_folds(made.pairs, 5)).tolist() == [6] * 5
    assert 0 <= select_heads(made, method, "h0m").about["accuracy by cross-validation"] <= 1


def test_what_cannot_be_chosen():
    with pytest.raises(ts.InputError, match="method 'best': accepted are top, phenomenon, ensemble"):
        select_heads(readings(), "best", "h0m")
    with pytest.raises(ts.InputError, match=r"measure 'h0m\+h0s' with 'top': heads vote on one reading"):
        select_heads(readings(), "top", "h0m+h0s")
    with pytest.raises(ts.InputError, match="profile 'lax'"):
        select_heads(readings(), "top", "h0m", "lax")
    with pytest.raises(ts.InputError, match="4 pairs: to choose heads takes at least 5"):
        select_heads(readings().take(range(4)), "top", "h0m")
    with pytest.raises(ts.InputError, match="not read for 'rtd"):
        select_heads(readings(), "top", "rtd")


def test_selections_by_name(chosen, tmp_path):
    made = readings()
    chosen["top"].save(tmp_path / "top.json")
    names = ["all", "L0.H3", str(tmp_path / "top.json")]
    all_heads, one, top = selections_named(names, "h0m", "paper", made.heads, made.about)
    assert (len(all_heads.chooser.voters), all_heads.chooser.ties) == (6, "lose")
    assert [str(v) for v in one.chooser.voters] == ["L0.H3"]
    assert (top.method, top.profile) == ("top", "strict")
    (default,) = selections_named(None, "h0m", "strict", made.heads, made.about)
    assert default.name == "h0m, all"
    for name, message in (("L2.H0", r"its last is L1\.H1"), ("some", "there is no selection 'some'")):
        with pytest.raises(ts.InputError, match=message):
            selections_named([name], "h0m", "strict", made.heads, made.about)
    with pytest.raises(ts.InputError, match="heads vote on one reading"):
        selections_named(["all"], "topology", "strict", made.heads, made.about)
    with pytest.raises(ts.ModelError, match="Choose heads for them"):
        selections_named(names, "h0m", "strict", made.heads, {**made.about, "fingerprint": "e" * 64})


def test_generated_pairs_by_name():
    found = pairs_named(["generated:2"])
    assert set(np.unique(found.paradigms, return_counts=True)[1]) == {2}
    assert len(set(found.phenomena)) == 12
    assert len(pairs_named(["generated"]).first(1)) * 2 == len(found)


def test_a_table_comes_back_from_parquet(tmp_path):
    made = readings()
    made.to_parquet(tmp_path / "t.parquet", credit=np.ones(90))
    again = PairTable.from_parquet(tmp_path / "t.parquet")
    np.testing.assert_array_equal(again.values, made.values)
    assert (again.heads, again.columns, again.about) == (made.heads, made.columns, made.about)
    assert again.pairs.fingerprint == made.pairs.fingerprint
    assert again.pairs.phenomena.tolist() == made.pairs.phenomena.tolist()
    with pytest.raises(ts.InputError, match=r"expected are \(pairs, heads, columns\) \(90, 5, 2\)"):
        PairTable(made.pairs, made.values, made.heads[:5], made.columns)
    (tmp_path / "bad.parquet").write_text("nothing")
    with pytest.raises(ts.InputError, match="cannot be read as a table of pairs"):
        PairTable.from_parquet(tmp_path / "bad.parquet")
