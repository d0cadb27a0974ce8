"""Sentences with labels: what is the same, what is shared, and what is written down of them."""

import numpy as np
import pytest

import toposcope as ts
from toposcope.data.faults import blamed_words
from toposcope.data.sentences import ALONE, Sentences, joined_sentences, shared_texts, text_hashes

RAINS = -8263151793175308177


def sentences(*texts, labels=None, name="some"):
    return Sentences(texts, np.array(labels or [1] * len(texts), np.int8), name)


def test_what_two_sets_share():
    a, b = sentences("It rains.", "He left."), sentences("It  rains. ", "She left.")
    assert shared_texts(a, b) == ["It  rains. "]
    assert b.without(a.texts).texts == ("She left.",)


def test_one_kind_only():
    with pytest.raises(ts.InputError, match="all 2 sentences are acceptable"):
        sentences("a", "b").need_both_labels()
    assert len(sentences("a", "b", labels=[0, 1]).need_both_labels()) == 2
    with pytest.raises(ts.InputError, match="2 texts with 1 labels"):
        sentences("a", "b", labels=[1])


def test_fingerprints_tell_data_apart():
    prints = {
        sentences("a", "b").fingerprint,
        sentences("b", "a").fingerprint,
        sentences("a", "b", labels=[1, 0]).fingerprint,
    }
    assert len(prints) == 3
    assert sentences("a").fingerprint == sentences("a").fingerprint


def test_hashes_find_a_text_again_whatever_its_blanks():
    some = sentences("It rains.", " It \t rains.", "It rain.", "it rains.")
    hashes = some.hashes
    assert hashes.dtype == np.int64
    assert hashes[0] == hashes[1]
    assert len(set(hashes.tolist())) == 3
    np.testing.assert_array_equal(text_hashes(["It rain."]), hashes[2:3])
    assert len(text_hashes([])) == 0
    assert text_hashes(["It rains."]).tolist() == [RAINS]  # judges on disk depend on it


def test_some_of_them():
    some = sentences("a", "b", "c", labels=[1, 0, 1])
    chosen = some.take([2, 0])
    assert (chosen.texts, chosen.labels.tolist(), chosen.name) == (("c", "a"), [1, 1], "some")


@pytest.mark.parametrize(
    ("wrong", "right", "blamed"),
    [
        ("Det samma gäller .", "Detsamma gäller .", ["Det", "samma"]),
        ("Han har bil .", "Han har en bil .", ["bil"]),
        ("Han kommer", "Han kommer nu", ["kommer"]),
        ("Han han kommer .", "Han kommer .", ["han"]),
        ("Hon  är  gladt .", "Hon är glad .", ["gladt"]),
        ("Hon är glad .", "Hon är glad .", []),
    ],
)
def test_words_to_blame(wrong, right, blamed):
    assert [wrong[a:b] for a, b in blamed_words(wrong, right)] == blamed


def test_faults_are_known_where_a_good_version_is():
    texts = ("He have it .", "He has it .", "Have he it .", "She is .")
    pairs = np.array([4, 4, 7, 9])
    labels = np.array([0, 1, 0, 1])
    assert Sentences(texts, labels, pairs=pairs).faults() == [((3, 7),), (), None, ()]
    assert Sentences(texts, labels).faults() == [None] * 4
    assert Sentences(texts, labels, pairs=pairs).take([0, 2]).faults() == [None, None]


def test_pairs_stay_pairs_when_sentences_are_joined():
    two = Sentences(("he go", "he goes"), np.array([0, 1]), "two", pairs=np.array([3, 3]))
    lone = Sentences(("a cat", "cat a"), np.array([1, 0]), "lone")
    joined = joined_sentences([lone, two, two])
    assert joined.pairs.tolist() == [ALONE, ALONE, 3, 3, 7, 7]
    assert joined.faults() == [None, None, ((3, 5),), (), ((3, 5),), ()]
