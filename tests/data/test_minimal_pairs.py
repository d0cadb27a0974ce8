"""Readers of minimal pairs, on made-up files and on BLiMP where it is at hand."""

import json
from collections import Counter

import numpy as np
import pytest

import toposcope as ts
from tests.cli.verbs import write_table
from tests.data.files import SHARED, at_hand, write
from toposcope.data.minimal_pairs import PairColumns, Pairs, holds_pairs, places_in_group, read_pairs
from toposcope.data.rejects import Reject

BLIMP = [
    {
        "sentence_good": f"A man hugs {who}.",
        "sentence_bad": f"A man hug {who}.",
        "UID": "agreement",
        "linguistics_term": term,
    }
    for who, term in (("him", "s-v"), ("her", "s-v"), ("us", "s-selection"))
]
SUFFIXES = [".jsonl", ".tsv", ".csv", ".parquet"]


def jsonl(path, *rows):
    return write_table(path, [dict(zip(("good", "bad", "paradigm"), row, strict=False)) for row in rows])


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_format(tmp_path, suffix):
    found = read_pairs(write_table(tmp_path / f"some{suffix}", BLIMP))
    assert found.good == ("A man hugs him.", "A man hugs her.", "A man hugs us.")
    assert found.bad == ("A man hug him.", "A man hug her.", "A man hug us.")
    assert found.paradigms.tolist() == ["agreement"] * 3
    assert found.phenomena.tolist() == ["s-v", "s-v", "argument_structure"]  # s-selection is part of it
    assert (found.name, found.rejects) == ("some", ())
    assert repr(found) == "Pairs(some: 3 of 1 paradigms, 2 phenomena)"


def test_lines_may_end_as_in_windows(tmp_path):
    lines = "".join(json.dumps(row) + "\r\n" for row in BLIMP)
    assert read_pairs(write(tmp_path, "a.jsonl", lines)).good == tuple(
        row["sentence_good"] for row in BLIMP
    )
    found = read_pairs(write(tmp_path, "a.tsv", "good\tbad\r\nIt rains.\tIt rain.\r\n"))
    assert (found.good, found.bad) == (("It rains.",), ("It rain.",))


def test_folders_and_many_files(tmp_path):
    folder = tmp_path / "pairs"
    folder.mkdir()
    jsonl(folder / "b.jsonl", ("g1", "b1"))
    jsonl(folder / "a.tsv", ("g2", "b2"))
    (folder / "notes.txt").write_text("not read")
    other = jsonl(tmp_path / "c.csv", ("g3", "b3"))
    found = read_pairs([folder, str(other)])
    assert found.good == ("g2", "g1", "g3")  # by name within the folder
    assert found.paradigms.tolist() == found.phenomena.tolist() == ["a", "b", "c"]
    assert found.name == "pairs, c"
    (tmp_path / "empty").mkdir()
    with pytest.raises(ts.InputError, match=r"empty holds no files that end in \.tsv"):
        read_pairs(tmp_path / "empty")


def test_columns_by_name(tmp_path):
    path = write(tmp_path, "a.csv", "yes,no,kind,field\nIt rains.,It rain.,k,f\n")
    found = read_pairs(path, PairColumns("yes", "no", "kind", "field"))
    assert (found.good, found.bad) == (("It rains.",), ("It rain.",))
    assert (found.paradigms.tolist(), found.phenomena.tolist()) == (["k"], ["f"])
    swapped = read_pairs(path, PairColumns("no", "yes"))
    assert (swapped.good, swapped.paradigms.tolist()) == (("It rain.",), ["a"])
    with pytest.raises(ts.InputError, match=r"a\.csv has no column 'maybe': it has 'yes', 'no'"):
        read_pairs(path, PairColumns("yes", "maybe"))
    with pytest.raises(ts.InputError, match=r"a\.csv has no column of bad sentences: it has 'yes'"):
        read_pairs(path, PairColumns("yes"))


def test_without_a_phenomenon_the_paradigm_is_taken_and_without_that_the_file(tmp_path):
    assert read_pairs(jsonl(tmp_path / "f.jsonl", ("g", "b", "p"))).phenomena.tolist() == ["p"]
    some = read_pairs(jsonl(tmp_path / "g.jsonl", ("g", "b", "p"), ("g2", "b2"), ("g3", "b3", None)))
    assert some.paradigms.tolist() == some.phenomena.tolist() == ["p", "g", "g"]


def test_what_is_rejected_and_why(tmp_path):
    path = jsonl(
        tmp_path / "f.jsonl",
        ("one", "two", "p"), ("same", " same", "p"), ("", "two", "p"), ("one", None, "p"),
        ("one", "two", "p"), ("one", "two", "q"), ("two", "one", "p"), (["one"], "two", "p"),
        (3, "two", "p"), ("one", "...", "p"), ("\u200b", "two", "p"),
    )  # fmt: skip
    found = read_pairs(path)
    assert list(zip(found.good, found.bad, found.paradigms, strict=True)) == [
        ("one", "two", "p"), ("one", "two", "q"), ("two", "one", "p"),
    ]  # fmt: skip
    assert [(r.file, r.place, r.reason) for r in found.rejects] == [
        ("f.jsonl", "line 2", "both sentences are the same"),
        ("f.jsonl", "line 3", "the good sentence is ''"),
        ("f.jsonl", "line 4", "the bad sentence is None"),
        ("f.jsonl", "line 5", "the same pair stands in f.jsonl, line 1"),
        ("f.jsonl", "line 8", "the good sentence is ['one']"),
        ("f.jsonl", "line 9", "the good sentence is 3"),
        ("f.jsonl", "line 10", "the bad sentence is '...': no words, neither a letter nor a digit"),
        ("f.jsonl", "line 11", r"the good sentence is '\u200b': no words, neither a letter nor a digit"),
    ]
    assert found.rejects[0].texts == ("same", " same")


def test_a_pair_in_two_files_of_a_paradigm_is_one(tmp_path):
    files = [jsonl(tmp_path / name, ("g", "b", "p")) for name in ("a.jsonl", "b.jsonl")]
    (reject,) = read_pairs(files).rejects
    assert (reject.file, reject.reason) == ("b.jsonl", "the same pair stands in a.jsonl, line 1")


def test_a_pair_with_a_nul_is_left_out(tmp_path):
    found = read_pairs(jsonl(tmp_path / "a.jsonl", ("g", "b", "p"), ("g\0", "b", "p"), ("g", "b\0", "p")))
    assert [r.reason for r in found.rejects] == [
        "the good sentence holds a NUL",
        "the bad sentence holds a NUL",
    ]


def test_a_strict_reader_stops_at_the_first_reject(tmp_path):
    path = jsonl(tmp_path / "a.jsonl", ("g", "b", "p"), ("g", "...", "p"))
    with pytest.raises(ts.InputError, match=r"a\.jsonl, line 2: the bad sentence is '\.\.\.': no words"):
        read_pairs(path, strict=True)


def test_whether_a_file_holds_pairs_is_seen_in_its_first_row(tmp_path):
    path = write(tmp_path, "a.csv", b"good,bad\nIt rains.,It rain.\ncaf\xe9,x\n")
    assert holds_pairs(path)
    assert holds_pairs(tmp_path)
    assert not holds_pairs(write(tmp_path, "b.jsonl", '{oops\n{"text": "x"}\n'))
    assert not holds_pairs(write(tmp_path, "c.tsv", ""))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", "", r"a\.jsonl holds no rows"),
        ("a.tsv", "good\tbad\n", r"a\.tsv holds no rows"),
        ("a.tsv", "good\tother\nx\ty\n", r"a\.tsv has no column of bad sentences"),
        (
            "a.tsv",
            "good\tbad\nx\tx\n",
            r"a\.tsv: no pair can be used, 1 rejected \(first: a\.tsv, line 2: both",
        ),
        ("a.txt", "x", r"a\.txt: accepted are files that end in"),
        ("a.jsonl", "{", r"no pair can be used, 1 rejected \(first: a\.jsonl, line 1: it is not JSON"),
    ],
)
def test_what_cannot_be_read(tmp_path, name, content, message):
    with pytest.raises(ts.InputError, match=message):
        read_pairs(write(tmp_path, name, content))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ts.InputError, match="there is no file"):
        read_pairs(tmp_path / "a.jsonl")


@pytest.fixture
def six():
    names = ["p", "q", "p", "p", "q", "r"]
    return Pairs(tuple("abcdef"), tuple("uvwxyz"), names, [n.upper() for n in names], "six")


def test_some_of_the_pairs(six):
    for places in ([4, 0], np.array([4, 0])):
        assert six.take(places).good == ("e", "a")
        assert six.take(places).phenomena.tolist() == ["Q", "P"]
    mask = six.paradigms == "q"
    assert six.take(mask).bad == ("v", "y")
    assert six.first(2).good == ("a", "b", "c", "e", "f")
    assert six.first(1).paradigms.tolist() == ["p", "q", "r"]
    assert places_in_group(six.paradigms).tolist() == [0, 0, 1, 2, 1, 0]
    with pytest.raises(ts.InputError, match=r"pairs of \[1, 2\] sentences"):
        Pairs(("a",), ("b", "c"), ["p"], ["P"])


def test_the_sentences_of_pairs_with_labels():
    pairs = Pairs(("a", "b", "a", "d"), ("x", "d", "y", "x"), ["p"] * 4, ["P"] * 4, "four")
    found = pairs.sentences()
    assert found.texts == ("a", "b", "x", "y")  # each once; d is good here and bad there
    assert found.labels.tolist() == [1, 1, 0, 0]
    assert found.pairs.tolist() == [0, 1, 0, 0]  # x was made from a first, then from d
    assert found.name == "four"


def test_without_those_that_are_elsewhere_too(six):
    other = Pairs((" b", "u", "c"), ("v ", "a", "z"), ["x"] * 3, ["x"] * 3)  # b swapped, c with another
    left = six.without(other.hashes, "known")
    assert left.good == ("a", "c", "d", "e", "f")
    (gone,) = left.rejects
    assert gone == Reject("six", "pair 2", "known", ("b", "v"))


def test_hashes_and_fingerprints_know_every_part(six):
    assert len(set(six.hashes.tolist())) == 6
    swapped = Pairs(six.bad, six.good, six.paradigms, six.phenomena)
    assert not np.isin(swapped.hashes, six.hashes).any()
    renamed = Pairs(six.good, six.bad, ["p"] * 6, six.phenomena)
    np.testing.assert_array_equal(renamed.hashes, six.hashes)
    prints = {p.fingerprint for p in (six, swapped, renamed, six.take(range(5)))}
    assert len(prints) == 4
    assert six.take(range(6)).fingerprint == six.fingerprint


@at_hand
def test_blimp_and_its_auxiliary_pairs():
    blimp = read_pairs(SHARED / "blimp" / "data")
    assert (len(blimp), len(set(blimp.paradigms)), len(set(blimp.phenomena))) == (66_993, 67, 12)
    same = "both sentences are the same"
    assert Counter((r.file, r.reason) for r in blimp.rejects) == {
        ("passive_1.jsonl", same): 2,
        ("principle_A_case_2.jsonl", same): 5,
    }
    auxiliary = read_pairs(SHARED / "blimp_aux")
    assert len(auxiliary) + len(auxiliary.rejects) == 6718
    reasons = Counter(r.reason.split(",")[0] for r in auxiliary.rejects)
    assert sorted(reasons.values()) == [1, 5]
    assert reasons[same] == 5
    assert len(auxiliary) - len(auxiliary.without(blimp.hashes, "in BLiMP")) == 12
