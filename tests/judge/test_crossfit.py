"""Cross-fitting: above all, that no model is asked about a sentence whose label it was told."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import toposcope as ts
from tests.judge.recipes import LM, SHORT
from tests.models import tiny
from toposcope.data.sentences import Sentences
from toposcope.features.table import Table
from toposcope.judge import crossfit
from toposcope.judge.crossfit import FOLDS_OF_FEW, observe_training
from toposcope.judge.parts import fit_parts
from toposcope.judge.recipe import Recipe
from toposcope.models.tuning import tune as tuning
from toposcope.models.tuning.adapter import Adapter
from toposcope.models.tuning.tuning import Tuning


def plain(text):
    return " ".join(text.split())


def accuracy(logits, labels):
    return ((logits > 0) == labels).mean()


@pytest.fixture
def spies(monkeypatch):
    """Tuning and observing that only note who learned what, from where on, and who was asked what."""
    learned, starts, asked = [], [], []

    def tune(scope, texts, labels, how, start=None, **options):
        learned.append((list(texts), list(labels), how))
        starts.append(start)
        adapter = SimpleNamespace(knows=frozenset(map(plain, texts)))
        adapter.apply = lambda scope: adapter
        return adapter

    def observe(scope, texts, evidence, **options):
        asked.append((list(texts), scope.knows))
        return Table(np.array([[len(text)] for text in texts], np.float32), ("lm",))

    monkeypatch.setattr(tuning, "tune", tune)
    monkeypatch.setattr(crossfit, "observe", observe)
    return SimpleNamespace(learned=learned, starts=starts, asked=asked)


@pytest.fixture
def soups(monkeypatch):
    """The average of several such models, which knows what any of them knows."""

    def soup(many, rank):
        knows = frozenset().union(*(one.knows for one in many))
        adapter = SimpleNamespace(knows=knows, of=len(many), rank=rank)
        adapter.apply = lambda scope: adapter
        return adapter

    monkeypatch.setattr(Adapter, "mean", soup)


@pytest.mark.parametrize("seed", range(4))
def test_no_model_sees_a_sentence_that_it_was_tuned_on(spies, seed):
    rng = np.random.default_rng(seed)
    count = rng.integers(0, 80, 300)  # most sentences stand there several times, with other blanks too
    texts = tuple(f"word{' ' * rng.integers(1, 4)}{'x' * k} {k}" for k in count)
    train = Sentences(texts, rng.integers(0, 2, 300), "random")
    seen = observe_training("frozen model", train, Recipe(LM, SHORT, seed=seed))
    *folds, (units, _) = spies.asked
    assert sorted(text for asked, _ in folds for text in asked) == sorted(texts)
    for asked, known in folds:
        assert asked
        assert not known & set(map(plain, asked))
    assert [len(texts) for texts, _, _ in spies.learned] == [
        *(np.sum(seen.folds != fold) for fold in range(FOLDS_OF_FEW)),
        300,
    ]
    assert seen.adapter.knows == set(map(plain, texts))  # the one that goes into the judge
    assert seen.adapter.knows not in [known for _, known in folds]
    assert set(units) <= set(texts)  # of it only mean and spread are taken
    np.testing.assert_array_equal(seen.table["lm"], [len(text) for text in texts])  # in their order
    assert {how.seed for _, _, how in spies.learned} == {seed}


def test_a_soup_of_several_runs_knows_no_more(spies, soups):
    """With three runs a sentence is seen by a soup of three models, none of which was tuned on it."""
    texts = tuple(f"sentence {k}" for k in range(200))
    train = Sentences(texts, np.arange(200) % 2, "numbers")
    seen = observe_training("frozen model", train, Recipe(LM, SHORT, seed=5, soup=3))
    *groups, _ = spies.asked
    assert len(groups) == len(np.unique(seen.folds)) == 8
    assert sorted(text for asked, _ in groups for text in asked) == sorted(texts)
    assert all(not known & set(asked) for asked, known in groups)
    assert min(len(known) for _, known in groups) > 150  # together they know nearly everything else
    assert (seen.adapter.of, seen.adapter.rank) == (3, 2 * SHORT.rank)
    assert seen.adapter.knows == set(texts)
    np.testing.assert_array_equal(seen.table["lm"], [len(text) for text in texts])
    assert [how.seed for _, _, how in spies.learned] == [5, 5, 6, 6, 7, 7, 5, 6, 7]


def test_the_average_of_the_folds(spies, soups):
    """No model is tuned on everything; the judge gets the average of those that looked at the folds."""
    texts = tuple(f"sentence {k}" for k in range(90))
    train = Sentences(texts, np.arange(90) % 2, "numbers")
    seen = observe_training("frozen model", train, Recipe(LM, SHORT, seed=5, average_folds=3))
    *folds, _ = spies.asked
    assert [len(learned) for learned, _, _ in spies.learned] == [60, 60, 60]
    assert sorted(text for asked, _ in folds for text in asked) == sorted(texts)
    assert all(not known & set(asked) for asked, known in folds)
    assert (seen.adapter.of, len(np.unique(seen.folds))) == (3, 3)
    assert seen.adapter.rank == SHORT.rank  # no larger than one of them
    with pytest.raises(ts.InputError, match="average_folds=1: accepted are 0 and numbers from 2"):
        Recipe(LM, SHORT, average_folds=1)


def test_pretraining_comes_first_and_holds_no_training_sentence(spies):
    texts = tuple(f"sentence {k}" for k in range(40))
    train = Sentences(texts, np.arange(40) % 2, "numbers")
    before = Sentences(("before 1", "sentence  7", "before 2"), np.array([1, 1, 0]), "before")
    observe_training("frozen model", train, Recipe(LM, SHORT, seed=3, pretrain_on=before))
    (taught, labels, how), *tunings = spies.learned
    assert (taught, labels) == (["before 1", "before 2"], [1, 0])
    assert how.seed == crossfit.PRETRAINING_SEED
    assert {how.seed for _, _, how in tunings} == {3}
    assert len(tunings) == FOLDS_OF_FEW + 1
    first, *others = spies.starts
    assert first is None
    assert all(start.knows == {"before 1", "before 2"} for start in others)
    assert all(set(texts) >= set(tuned) for tuned, _, _ in tunings)


def test_augmented_sentences_come_before_the_data_and_from_the_same_sentences(spies):
    """Nothing is made of a fold for the model that will look at it."""
    names = [f"{a}{b}" for a in "bcdfg" for b in ("a", "e", "i", "o")]
    texts = tuple(f"the {name} is here with {name}" for name in names for _ in range(2))
    train = Sentences(texts, np.ones(40, int), "names")
    train.labels[::5] = 0
    observe_training("frozen model", train, Recipe(LM, SHORT, seed=3, augment=2))
    assert len(spies.learned) == 2 * (FOLDS_OF_FEW + 1)
    tunings = list(zip(spies.learned, spies.starts, strict=True))
    for (made, before), (part, after) in zip(tunings[::2], tunings[1::2], strict=True):
        assert before is None
        assert made[2] == replace(SHORT, seed=3, epochs=1)
        assert part[2] == replace(SHORT, seed=3)
        assert after.knows == set(map(plain, made[0]))
        good = {text for text, label in zip(*part[:2], strict=True) if label}
        assert {text for text, label in zip(*made[:2], strict=True) if label} <= good
        words = {word for text in part[0] for word in text.split()}
        spoiled = [text for text, label in zip(*made[:2], strict=True) if not label]
        assert spoiled
        assert {word.lower() for text in spoiled for word in text.split()} <= words


def test_faults_are_those_of_the_same_fold(spies, monkeypatch):
    told = []
    tune = tuning.tune

    def noted(scope, texts, *given, faults, **options):
        told.append((texts, faults))
        return tune(scope, texts, *given, **options)

    monkeypatch.setattr(tuning, "tune", noted)
    texts = tuple(f"number {k} {word}" for k in range(40) for word in ("bad", "good"))
    train = Sentences(texts, np.arange(80) % 2, "pairs", pairs=np.arange(80) // 2)
    observe_training("frozen model", train, Recipe(LM, replace(SHORT, head="words")))
    assert [len(texts) for texts, _ in told] == [64, 64, 64, 64, 64, 80]
    for texts, faults in told:
        for text, spans in zip(texts, faults, strict=True):
            assert [text[a:b] for a, b in spans] == (["bad"] if text.endswith("bad") else [])
    told.clear()
    observe_training("frozen model", train, Recipe(LM, SHORT))
    assert all(faults is None for _, faults in told)


def test_models_are_counted_in_their_own_units(monkeypatch, toy):
    """Models tuned apart show a feature from another zero, on another scale: nothing is left of it."""
    drift = iter([(10, 3), (-5, 0.5), (7, 2), (0, 9), (2, 0.1), (100, 20)])
    truth = {text: np.random.default_rng(k).standard_normal() for k, text in enumerate(toy.texts)}

    def tune(*_, **__):
        adapter = SimpleNamespace(drift=next(drift))
        adapter.apply = lambda scope: adapter
        return adapter

    def observe(scope, texts, evidence, **options):
        zero, one = scope.drift
        shown = [[zero + one * truth[text], 7, truth[text]] for text in texts]
        return Table(np.array(shown, np.float32), ("h0m.L0.H0", "h0m.L0.H1", "lm"))

    monkeypatch.setattr(tuning, "tune", tune)
    monkeypatch.setattr(crossfit, "observe", observe)
    seen = observe_training("frozen model", toy, Recipe(LM, SHORT))
    for fold in range(FOLDS_OF_FEW):
        column = seen.table["h0m.L0.H0"][seen.folds == fold]
        assert column.mean() == pytest.approx(0, abs=1e-5)
        assert column.std() == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(seen.table["lm"], [truth[text] for text in toy.texts], atol=1e-6)
    last = observe(seen.adapter, toy.texts, None)
    counted = seen.units.counted(last)
    linear = fit_parts(seen.table.values, toy.labels, [np.arange(3)], groups=np.arange(96) % 5)
    undone = seen.units.undone(linear)
    np.testing.assert_allclose(undone.logits(last.values), linear.logits(counted.values), atol=1e-4)
    assert counted["h0m.L0.H0"].mean() == pytest.approx(0, abs=1e-4)


def test_many_sentences_are_cut_in_halves(spies):
    """Half of many teaches nearly as much as all, and each further fold is hours of tuning."""
    train = Sentences(
        tuple(f"sentence {k}" for k in range(crossfit.FEW)), np.arange(crossfit.FEW) % 2, "many"
    )
    observe_training("frozen model", train, Recipe(LM, SHORT))
    assert [len(texts) for texts, _, _ in spies.learned] == [crossfit.FEW // 2] * 2 + [crossfit.FEW]


def test_labels_go_with_their_sentences(spies, toy):
    observe_training("frozen model", toy, Recipe(LM, SHORT))
    assert len(spies.learned) == FOLDS_OF_FEW + 1
    for texts, labels, _ in spies.learned:
        assert labels == [int("cat" in text) for text in texts]


def test_what_was_learned_by_heart_is_of_no_use(scope):
    """Words and labels are random and the model learns them by heart: out of fold it must know nothing."""
    rng = np.random.default_rng(0)
    words = [piece for piece in tiny.PIECES if piece.isalpha()]
    texts = tuple(" ".join(rng.choice(words, 5)) for _ in range(64))
    labels = rng.permutation(np.arange(64) % 2)
    how = Tuning("lora", epochs=25, batch=16, rate=5e-3, rank=8, layers=3)
    seen = observe_training(scope, Sentences(texts, labels, "noise"), Recipe(LM, how))
    by_heart = seen.adapter.apply(scope).states(texts).log_odds
    assert accuracy(by_heart, labels) > 0.9
    believed = fit_parts(by_heart[:, None], labels, [np.zeros(1, int)], groups=np.arange(64) // 2 % 5)
    assert believed.cv_mcc > 0.8  # what a judge would believe
    assert 0.3 < accuracy(seen.table["lm"], labels) < 0.7
    assert fit_parts(seen.table.values, labels, [np.zeros(1, int)], groups=seen.folds).cv_mcc < 0.4


def test_finished_tuning_is_taken_up_again(scope, toy, tmp_path, monkeypatch):
    whole = observe_training(scope, toy, Recipe(LM, SHORT))
    first = observe_training(scope, toy, Recipe(LM, SHORT), work=tmp_path / "work")
    np.testing.assert_array_equal(first.table.values, whole.table.values)

    def step(*_):
        raise AssertionError("tuned again")

    monkeypatch.setattr(tuning._Descent, "step", step)
    again = observe_training(scope, toy, Recipe(LM, SHORT), work=tmp_path / "work")
    np.testing.assert_array_equal(again.table.values, whole.table.values)
    with pytest.raises(AssertionError, match="tuned again"):  # other folds are other data
        observe_training(scope, toy, Recipe(LM, SHORT, seed=1), work=tmp_path / "work")
