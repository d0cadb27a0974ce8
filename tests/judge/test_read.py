"""Reading once: a table from one pass of the model, and verdicts from the table alone."""

from dataclasses import asdict, replace

import numpy as np
import pytest

import toposcope as ts
from tests.models.watch import asked
from toposcope.features.table import Table
from toposcope.judge.blame import find_blame
from toposcope.judge.evidence import Evidence
from toposcope.judge.judge import Judge
from toposcope.judge.read import observe
from toposcope.judge.recipe import Recipe
from toposcope.judge.train import train_judge
from toposcope.models.reader import Settings
from toposcope.models.scope import Scope
from toposcope.models.tuning.tuning import Tuning

SOME = ["the cat sleeps.", "the very old dog is barking!", "he is old.", "a zebra is old."]


@pytest.fixture(scope="module")
def by_words(scope, toy):
    """A judge of heads alone, on a model that was tuned word by word."""
    tuning = Tuning("lora", epochs=2, rate=1e-2, rank=4, head="words")
    return train_judge(scope, toy, Recipe(Evidence.parse("h0m", 3), tuning))


def test_every_sentence_is_cut_and_read_once(frozen, monkeypatch):
    """The notes and the length are told from the same tokens."""
    with asked(frozen.scope, monkeypatch) as found:
        frozen(SOME)
    assert found.texts == SOME
    assert len(found.passes) == len(SOME)


def test_length_takes_no_second_cut(scope, monkeypatch):
    with asked(scope, monkeypatch) as found:
        table = observe(scope, SOME, Evidence.parse("h0m+length", 3))
    assert found.texts == SOME
    np.testing.assert_array_equal(table["length"], scope.token_counts(SOME))


def test_who_is_to_blame_takes_no_second_pass_of_the_sentence(frozen, by_words, monkeypatch):
    for judge, more in ((frozen, 6), (by_words, 0)):
        with asked(judge.scope, monkeypatch) as found:
            (verdict,) = judge.decide(judge.read([SOME[1]], words=True))
            find_blame(judge, verdict)
        assert found.texts[0] == SOME[1]
        assert SOME[1] not in found.texts[1:]
        assert len(found.passes) == len(set(found.passes)) == 1 + more  # each of six words is hidden


def test_a_table_becomes_verdicts_without_the_model(frozen, by_words, tmp_path):
    for judge in (frozen, by_words):
        table = judge.read(SOME, words=True)
        table.to_parquet(tmp_path / "table.parquet")
        judge.save(tmp_path / "judge")
        without_model = Judge.load(tmp_path / "judge")
        again = without_model.decide(Table.from_parquet(tmp_path / "table.parquet"))
        assert [asdict(v) for v in again] == [asdict(v) for v in judge.decide(table)]
        assert [replace(v, words=()) for v in again] == judge(SOME)
        assert without_model.base is None


def test_rows_may_come_in_any_order(frozen):
    table = frozen.read(SOME)
    backwards = frozen.decide(table.rows(np.arange(len(SOME))[::-1]))
    assert backwards == frozen.decide(table)[::-1]
    assert [v.notes for v in backwards[::-1]] == [(), (), (), ()]


def test_a_table_of_another_judge_is_refused(frozen, tuned, scope):
    for table in (tuned.read(SOME), observe(scope, SOME, frozen.evidence)):
        with pytest.raises(ts.InputError, match="was not read by this judge: take what"):
            frozen.decide(table)


def test_a_table_that_was_altered_is_refused(by_words):
    table = by_words.read(SOME, words=True)
    lists = np.fromiter(([0.5], [2.0], [0.1], None), object, 4)
    names = ("text", "notes", "words", "wrong")
    carried = [{n: v for n, v in table.carried.items() if n != name} for name in names]
    carried += [{**table.carried, name: lists} for name in ("words", "wrong")]
    carried += [{**table.carried, "notes": np.zeros(4)}]
    altered = [replace(table, carried=one) for one in carried]
    altered += [replace(table, values=table.values[:, 1:], columns=table.columns[1:])]
    altered += [replace(table, values=np.full_like(table.values, np.nan))]
    for one in altered:
        with pytest.raises(
            ts.InputError, match=r"was altered|finds no number|no probability|notes is 0\.0: needed is"
        ):
            by_words.decide(one)


def test_words_of_all_windows(by_words, scope):
    """A word at the end of a window, cut there, is whole in the next one."""
    long = Scope(scope.engine.model, scope.tokenizer, name="tiny", settings=Settings(long="windows"))
    judge = by_words.on(long)
    text = "the very old dog is barking! " * 12
    (verdict,) = judge.decide(judge.read([text], words=True))
    assert len(judge.scope.pieces([text])) > 2
    assert [word for word, _ in verdict.words] == ["the", "very", "old", "dog", "is", "barking", "!"] * 12
    assert judge.blame(text) == list(verdict.words)
    (first,) = judge.decide(judge.read([SOME[1]], words=True))
    pieces, blame = judge.scope.pieces([SOME[1]]), judge.scope.states([SOME[1]]).blame
    dog = [wrong for token, wrong in zip(pieces[0].tokens(), blame[0], strict=True) if token == "dog"]
    assert dict(first.words)["dog"] == pytest.approx(1 / (1 + np.exp(-max(dog))), abs=1e-6)
