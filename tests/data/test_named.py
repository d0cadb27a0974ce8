"""Data by name: pairs of our own beside files, labelled sentences of either."""

import numpy as np
import pytest

import toposcope as ts
from toposcope.data.named import labelled_sentences, pairs_named, pairs_or_sentences
from toposcope.data.readers import read_sentences


def test_generated_pairs_by_name():
    found = pairs_named(["generated:2"])
    assert set(np.unique(found.paradigms, return_counts=True)[1]) == {2}
    assert len(set(found.phenomena)) == 12
    assert len(pairs_named(["generated"]).first(1)) * 2 == len(found)


def test_generated_pairs_beside_a_file(tmp_path):
    (tmp_path / "my.tsv").write_text("good\tbad\tparadigm\nI am.\tI is.\tmine\nHe.\tHe.\tmine\n")
    found = pairs_named([tmp_path / "my.tsv", "generated:1"])
    assert found.good[0] == "I am."
    assert len(found) == 1 + len(pairs_named(["generated:1"]))
    assert found.name == "my + generated, 1 a paradigm, seed 0"
    assert [reject.texts for reject in found.rejects] == [("He.", "He.")]


def test_labelled_sentences_of_whatever_has_a_name(tmp_path):
    table, pairs = tmp_path / "others.tsv", tmp_path / "pairs.jsonl"
    table.write_text("text\tlabel\tsplit\na dog is\t1\tone\nis dog a\t0\tone\nmore\t1\ttwo\n")
    pairs.write_text('{"sentence_good": "a dog is", "sentence_bad": "is dog a"}\n')
    for given in (f"{table}:one", pairs, ts.read_pairs(pairs), read_sentences(table, "one")):
        found = labelled_sentences(given)
        assert (found.texts, found.labels.tolist()) == (("a dog is", "is dog a"), [1, 0])
    made = pairs_named(["generated:1"])
    assert labelled_sentences("generated:1").texts == made.sentences().texts
    assert isinstance(pairs_or_sentences(pairs), ts.Pairs)
    with pytest.raises(ts.InputError, match="there is no file"):
        labelled_sentences(tmp_path / "nowhere.jsonl")
