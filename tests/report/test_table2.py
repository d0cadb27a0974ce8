"""Table 2 from end to end on a tiny model and a few pairs; what is done is not done again."""

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import toposcope as ts
from tests.models import tiny
from toposcope.cli import app
from toposcope.data.minimal_pairs import Pairs
from toposcope.experiments import aux_data, blimp, table2
from toposcope.experiments.published import BLIMP_PHENOMENA, PARADIGMS_A_PHENOMENON, TABLE2, is_blimp
from toposcope.experiments.table2 import STATES, PairRow, rows_of
from toposcope.models.scope import Scope
from toposcope.pairs.choosers import together, weighed
from toposcope.pairs.score import generated_pairs
from toposcope.pairs.transfer import choosers_without, prefer_all
from toposcope.report import reproduce_pairs, table2_page

SUBJECTS = ("cat", "dog", "house", "sofa", "old cat", "red dog", "very old cat", "very red dog")


def pairs_of(per_phenomenon, article="the"):
    """Pairs of all twelve phenomena, a paradigm each: the wrong number, now and then a word too much."""
    good, bad, terms = [], [], []
    for k in range(per_phenomenon):
        for j, term in enumerate(BLIMP_PHENOMENA):
            subject = f"{article} {SUBJECTS[(k + j) % len(SUBJECTS)]}"
            good.append(f"{subject} is red .")
            bad.append(f"{subject} are red is ." if k % 2 else f"{subject} are red .")
            terms.append(term)
    return Pairs(tuple(good), tuple(bad), np.array(terms), np.array(terms), f"toy, {article}")


@pytest.fixture(scope="module")
def scope():
    return Scope(tiny.build(tiny.ENCODERS["bert"]), tiny.wordpieces(), name="tiny")


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    return tmp_path_factory.mktemp("work")


@pytest.fixture(scope="module")
def kept(work, scope):
    def read(pairs, name):
        return blimp.read_all(pairs, work / name, lambda: scope, lambda _: None)

    return {"asked": read(pairs_of(6), "asked"), "auxiliary": read(pairs_of(8, "a"), "auxiliary")}


def test_what_was_read_is_not_read_again(work, kept, monkeypatch):
    def no_model():
        raise AssertionError("everything was read already")

    pairs = kept["asked"].pairs
    again = blimp.read_all(pairs, work / "asked", no_model, lambda _: None)
    assert len(blimp.joined_table(again.heads())) == len(pairs)
    with pytest.raises(ts.InputError, match="for other pairs"):
        blimp.read_all(pairs.take(range(5)), work / "asked", no_model, lambda _: None)


def test_a_reading_broken_off_goes_on(tmp_path, scope, kept, monkeypatch):
    monkeypatch.setattr(blimp, "SHARD", 30)
    pairs, told = kept["asked"].pairs, []

    def breaks_off(message):
        told.append(message)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        blimp.read_all(pairs, tmp_path / "x", lambda: scope, breaks_off)
    rest = []
    found = blimp.read_all(pairs, tmp_path / "x", lambda: scope, rest.append)
    assert len(told) == 2
    assert [message.partition("part ")[2] for message in rest] == ["2 of 3", "3 of 3"]
    once = blimp.joined_table(kept["asked"].heads())
    np.testing.assert_allclose(blimp.joined_table(found.heads()).values, once.values, atol=1e-5)


def test_every_row_of_the_table_can_be_run(kept, tmp_path):
    sources = {name: [kept["auxiliary"]] for name in ("auxiliary", "generated", "both")}
    rows = [row for row in rows_of(brief=False) if row.method != "L8.H0"]
    for row, facts in zip(
        rows, table2.run_rows(rows, sources, kept["asked"], tmp_path, lambda _: None), strict=True
    ):
        assert 0 <= facts["overall"]["value"] <= 1, row
        assert set(facts["phenomena"]) == set(BLIMP_PHENOMENA)
        assert row.words in table2.our_line(row.words, facts)
    assert len({row.name for row in rows}) == len(rows)


def test_other_models_have_the_rows_that_compare_them():
    every, brief = set(rows_of(False)), set(rows_of(True))
    assert brief < every
    assert {row.profile for row in brief} == {"strict", "paper", "notebook"}
    assert {row.left_out for row in brief} == {"", "phenomenon", "paradigm"}
    assert {row.profile for row in rows_of(True, causal=True)} == {"strict"}


def test_rows_that_are_done_are_not_done_again(tmp_path, kept, monkeypatch):
    rows = [PairRow("h0m", "top"), PairRow("h0m", "all")]
    sources = {"auxiliary": [kept["auxiliary"]]}
    first = table2.run_rows(rows, sources, kept["asked"], tmp_path, lambda _: None)
    apart = table2.difference(*rows, kept["asked"].pairs, tmp_path)
    assert apart.value == pytest.approx(np.subtract(*(facts["overall"]["value"] for facts in first)))
    assert apart.low <= apart.value <= apart.high
    monkeypatch.setattr(table2, "run_row", None)
    assert table2.run_rows(rows, sources, kept["asked"], tmp_path, lambda _: None) == first


@pytest.mark.parametrize("method", ["top", "ensemble", "weighted"])
def test_what_is_left_out_has_no_say(kept, method):
    """Turn the auxiliary pairs of a phenomenon around: who judges that phenomenon stays the same."""
    table = blimp.joined_table(kept["auxiliary"].heads())
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


def test_hidden_states_are_a_rival_without_heads(kept):
    table = blimp.joined_table(kept["auxiliary"].states())
    assert table.values.shape[1:] == (3, 32)
    sources = {"auxiliary": [kept["auxiliary"]]}
    facts, preference = table2.run_row(PairRow(STATES, "weighted"), sources, kept["asked"], None)
    assert facts["chosen"].startswith("C = ")
    assert facts["overall"]["value"] == pytest.approx(preference.credits.mean())


def test_the_published_rows_agree_with_themselves():
    """Overall is the mean of paradigms: the phenomena weighted by their number of paradigms."""
    assert sum(PARADIGMS_A_PHENOMENON) == 67
    for name, row in TABLE2.items():
        mean = np.average(list(row.phenomena.values()), weights=PARADIGMS_A_PHENOMENON)
        assert mean == pytest.approx(row.overall, abs=0.7), name


def test_published_rows_stand_beside_blimp_only():
    terms = np.repeat(BLIMP_PHENOMENA, PARADIGMS_A_PHENOMENON)
    names = np.array([f"paradigm {k}" for k in range(len(terms))])
    texts = tuple(names.tolist())
    blimp_like = Pairs(texts, texts, names, terms)
    assert is_blimp(blimp_like)
    assert not is_blimp(blimp_like.take(range(66)))
    assert not is_blimp(generated_pairs(1))


def test_the_pages_by_the_commands(tmp_path, scope, monkeypatch):
    monkeypatch.setattr(reproduce_pairs, "PAIR_MODELS", ("tiny",))
    monkeypatch.setattr(reproduce_pairs, "model_loader", lambda model: lambda: scope)
    monkeypatch.setattr(reproduce_pairs, "generated_pairs", lambda count: pairs_of(4, "he and a"))
    wanted = [row for row in rows_of(brief=False) if row.method not in ("L8.H0", "all")]
    monkeypatch.setattr(table2, "rows_of", lambda brief, causal: wanted)
    monkeypatch.setattr(table2, "run_likelihood", lambda *_: [])
    monkeypatch.setattr(aux_data, "COUNTS", (1, 2))
    monkeypatch.setattr(aux_data, "DRAWS", 2)
    for folder, pairs in (("blimp/data", pairs_of(5)), ("blimp_aux", pairs_of(6, "a"))):
        write_pairs(pairs, tmp_path / folder)
    options = ["--data", str(tmp_path), "--work", str(tmp_path / "work"), "--docs", str(tmp_path / "docs")]
    for verb in ("table2", "aux-data"):
        run = CliRunner().invoke(app, ["reproduce", verb, *options])
        assert run.exit_code == 0, run.output
    page = (tmp_path / "docs" / "table2.md").read_text()
    assert page.startswith(table2_page.INTRODUCTION)
    assert page.count(table2_page.SAYS) == 1
    assert "| *published: BERT-base, H0M, ensemble* | *84.3* |" in page
    assert all(f"### {title}" in page for title in table2_page.TITLES.values())
    assert list(table2_page.kept_sections(page)) == ["## tiny"]
    assert (tmp_path / "docs" / "aux-data.svg").stat().st_size > 5000
    assert "| 2 | " in (tmp_path / "docs" / "aux-data.md").read_text()
    no_data = CliRunner().invoke(app, ["reproduce", "table2", "--data", str(tmp_path / "docs")])
    assert no_data.exit_code == 2


def write_pairs(pairs, folder):
    folder.mkdir(parents=True)
    for term in BLIMP_PHENOMENA:
        some = pairs.take(pairs.paradigms == term)
        rows = [
            {"sentence_good": good, "sentence_bad": bad, "UID": term, "linguistics_term": term}
            for good, bad in zip(some.good, some.bad, strict=True)
        ]
        (folder / f"{term}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_likelihoods_are_kept_by_paradigm_and_added_to_ours(tmp_path, kept):
    model = Scope(tiny.build(tiny.CAUSAL["gpt2"]), tiny.wordpieces(), name="tiny causal")
    pairs = kept["asked"].pairs
    rows = [PairRow("topology", "weighted"), PairRow("topology", "weighted", left_out="phenomenon")]
    table2.run_rows(rows, {"auxiliary": [kept["auxiliary"]]}, kept["asked"], tmp_path, lambda _: None)
    found = table2.run_likelihood(pairs, 2, tmp_path, lambda: model, lambda _: None)
    some = pairs.first(2)
    a, b = model.score(some.good).sum(), model.score(some.bad).sum()
    assert found[0][1]["overall"]["value"] == pytest.approx(np.mean(0.5 * (a > b) + 0.5 * (a >= b)))
    assert [words.endswith("+ likelihood") for words, _ in found] == [False, False, True, False, True]
    assert all(facts["pairs"] == len(some) for _, facts in found)
    assert table2.run_likelihood(pairs, 2, tmp_path, None, lambda _: None) == found
    lines = table2_page._table(found, ("BERT-base, PLL",)).splitlines()
    assert len(lines) == 2 + 1 + 5


def test_opinions_are_added_over_their_usual_size():
    loud, quiet = np.array([100.0, -100.0, 100.0]), np.array([0.1, 0.3, -0.2])
    added = together([weighed(loud), weighed(quiet)])
    assert (added.margins > 0).tolist() == [True, True, True]
    assert not together([weighed(np.zeros(3))] * 2).margins.any()


def test_generated_pairs_have_the_phenomena_of_blimp():
    pairs = generated_pairs(1)
    assert set(pairs.phenomena) == set(BLIMP_PHENOMENA)
