"""Sentences that are spoiled on purpose."""

from random import Random

import numpy as np
import pytest

import toposcope as ts
from tests.data.files import SHARED, at_hand
from toposcope.data import augment
from toposcope.data.augment import PIECE, WAYS, Vocabulary, spoiled_sentences
from toposcope.data.corpora import read_corpus
from toposcope.data.sentences import Sentences

TEXTS = (
    "The cat sees the dog.",
    "Anna knows that the cats saw a dog.",
    "A dog is what Anna sees, and the cat is here.",
    "Is the dog seen by Anna?",
    "The cat seen see the.",
)
SOME = Sentences(TEXTS, np.array([1, 1, 1, 1, 0]), "some")
RULE = {"see": {"sees", "seen"}, "cat": {"cats"}, "dog": set()}


def spoiled_by(way, text, seed):
    """What one way makes of a text; nothing if it refuses."""
    vocabulary, pieces = Vocabulary.of(TEXTS), PIECE.findall(text)
    words = [k for k, piece in enumerate(pieces) if piece[0].isalpha()]
    changed = way(pieces, words, vocabulary, Random(seed))
    return PIECE.findall(text), pieces, changed


def words_of(pieces):
    return [word.lower() for piece in pieces for word in piece.split() if word[0].isalpha()]


def test_the_vocabulary_knows_words_that_are_written_small_and_their_forms():
    vocabulary = Vocabulary.of(TEXTS)
    assert {word: set(vocabulary.forms[word]) for word in RULE} == RULE
    assert vocabulary.common[:2] == ("the", "dog")
    assert dict(zip(vocabulary.common, vocabulary.often, strict=True))["the"] == 5
    assert "anna" not in vocabulary.known


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_each_way_does_what_it_says(way):
    made = [spoiled_by(way, TEXTS[2], seed) for seed in range(40)]
    done = [(words_of(before), words_of(after)) for before, after, changed in made if changed]
    assert len(done) > 20
    for old, new in done:
        differ = [(a, b) for a, b in zip(old, new, strict=False) if a != b]
        if way is augment._another_form:
            ((a, b),) = differ
            assert a[:3] == b[:3]
        elif way is augment._another_word:
            assert len(differ) == 1
        elif way is augment._exchange:
            assert len(differ) == 2
            assert sorted(old) == sorted(new)
        else:
            assert len(new) - len(old) == (1 if way is augment._put_in else -1)


def test_spoiled_sentences_come_in_pairs_and_tell_whom_to_blame():
    found = spoiled_sentences(SOME, 3, seed=4)
    rows = list(zip(found.texts, found.labels.tolist(), found.pairs.tolist(), strict=True))
    assert {text for text, label, _ in rows if label} == set(TEXTS[:4])  # acceptable ones only
    assert not {text for text, label, _ in rows if not label} & set(TEXTS)
    assert len(rows) == 2 * len({pair for _, _, pair in rows}) > 16
    for (right, yes, a), (wrong, no, b), spans in zip(
        rows[::2], rows[1::2], found.faults()[1::2], strict=True
    ):
        assert (yes, no) == (1, 0)
        assert a == b
        assert wrong != right
        assert wrong[0].isupper()
        assert spans


def test_the_same_seed_spoils_alike():
    assert spoiled_sentences(SOME, 2, 1).texts == spoiled_sentences(SOME, 2, 1).texts
    assert spoiled_sentences(SOME, 2, 1).texts != spoiled_sentences(SOME, 2, 2).texts


@pytest.mark.parametrize(
    ("texts", "labels"), [(TEXTS, np.zeros(5, int)), (("One.", "?", "Two"), np.ones(3, int))]
)
def test_nothing_to_spoil(texts, labels):
    with pytest.raises(ts.InputError, match="bad: no sentence can be spoiled"):
        spoiled_sentences(Sentences(texts, labels, "bad"))


@at_hand
@pytest.mark.parametrize("name", ["cola", "itacola", "dalaj"])
def test_nearly_every_sentence_of_a_corpus_can_be_spoiled(name):
    train = read_corpus(name, SHARED).train
    right = {text for text, label in zip(train.texts, train.labels, strict=True) if label}
    made = spoiled_sentences(train, 1)
    assert len(made) > 2 * 0.97 * len(right)
