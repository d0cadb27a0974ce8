"""Rows that cannot be used: what is told of them, and that the others are read."""

import pytest

import toposcope as ts
from tests.data.files import DALAJ, write
from toposcope.data.readers import read_sentences, read_texts
from toposcope.data.sentences import joined_sentences

LINES = (
    '{"text": "It rains.", "label": 1}\n\n{"text": null, "label": 1}\n{"text": "...", "label": 0}\n{oops\n'
    '{"text": "a\\u0000", "label": 1}\n{"text": "He left.", "label": 2}\n{"text": "It rain.", "label": 0}\n'
)


def test_what_is_rejected_and_why(tmp_path):
    found = read_sentences(write(tmp_path, "a.jsonl", LINES))
    assert (found.texts, found.labels.tolist()) == (("It rains.", "It rain."), [1, 0])
    reasons = [
        ("line 3", "the sentence is None", ("",)),
        ("line 4", "the sentence is '...': no words, neither a letter nor a digit", ("...",)),
        ("line 6", "the sentence holds a NUL", ("a\0",)),
        ("line 7", "the label is 2; accepted are 1 (acceptable) and 0", ("He left.",)),
    ]
    told = [(r.place, r.reason, r.texts) for r in found.rejects]
    assert [one for one in told if one[0] != "line 5"] == reasons
    assert told[2][0] == "line 5"
    assert told[2][1].startswith("it is not JSON: Expecting property name")
    assert {r.file for r in found.rejects} == {"a.jsonl"}
    assert found.take([1]).rejects == found.rejects
    assert joined_sentences([found, found]).rejects == 2 * found.rejects


def test_rows_that_are_only_judged_stay_where_they_are(tmp_path):
    found = read_texts(write(tmp_path, "a.jsonl", LINES))
    assert found.texts == ["It rains.", "", "...", "", "He left.", "It rain."]
    assert [row.get("label") for row in found.rows] == [1, 1, 0, 1, 2, 0]
    assert [r.place for r in found.rejects] == ["line 3", "line 4", "line 5", "line 6"]


def test_where_nothing_is_left(tmp_path):
    path = write(tmp_path, "a.csv", "text,label\n...,1\nx,y\n")
    with pytest.raises(
        ts.InputError, match=r"no sentence can be used, 2 rejected \(first: a\.csv, line 2: the"
    ):
        read_sentences(path)
    with pytest.raises(ts.InputError, match=r"^a\.txt: no sentence can be used, 1 rejected .*holds a NUL"):
        read_texts(write(tmp_path, "a.txt", "\0\n"))


def test_one_version_of_dalaj_may_be_left_alone(tmp_path):
    path = write(tmp_path, "dalaj.csv", f"{DALAJ}3,...,Det regnar .,train\n4,x,train\n5,a,b,train\n")
    train = read_sentences(path, "train")
    assert train.texts[4:] == ("Det regnar .", "a", "b")
    assert train.pairs.tolist() == [0, 0, 1, 1, -1, 3, 3]
    assert [r.place for r in train.rejects] == ["line 5", "line 6"]
