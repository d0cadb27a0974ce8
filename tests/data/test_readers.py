"""Readers of sentences, on made-up files and on the real data sets where they are at hand."""

import json

import pytest

import toposcope as ts
from tests.data.files import COLA, DALAJ, ITACOLA, SHARED, at_hand, read_plain, write
from toposcope.data.readers import Columns, read_sentences, read_texts
from toposcope.data.sentences import shared_texts


def test_cola(tmp_path):
    found = read_sentences(write(tmp_path, "in_domain_train.tsv", COLA))
    assert found.texts == ("The cat sleeps.", "Cat the sleeps.", 'He said "no".')
    assert found.labels.tolist() == [1, 0, 1]
    assert repr(found) == "Sentences(in_domain_train: 3, 66.7% acceptable)"


def test_itacola(tmp_path):
    path = write(tmp_path, "ItaCoLA.tsv", ITACOLA.replace("\n", "\r\n"))
    train = read_sentences(path, "train")
    assert (train.texts, train.labels.tolist()) == (("Piove.", "Essere."), [1, 0])
    assert len(read_sentences(path)) == 3
    with pytest.raises(ts.InputError, match="no rows of the split 'test': it has 'dev', 'train'"):
        read_sentences(path, "test")


def test_dalaj(tmp_path):
    path = write(tmp_path, "dalaj.csv", DALAJ)
    train = read_sentences(path, "train")
    assert train.texts == ("Jag, är hem .", "Jag är hemma .", "Han hem .", "Jag är hemma .")
    assert train.labels.tolist() == [0, 1, 0, 1]
    assert train.pairs.tolist() == [0, 0, 1, 1]
    assert train.take([1, 2]).pairs.tolist() == [0, 1]
    assert train.notes == ("1 sentences stand there more than once.",)


ROWS = [{"no": "7", "text": "It rains.", "ok": "1"}, {"no": "8", "text": "It rain.", "ok": "0"}]


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".tsv", ".parquet"])
def test_any_table(tmp_path, suffix):
    path = tmp_path / f"mine{suffix}"
    if suffix == ".jsonl":
        path.write_text("\n".join(map(json.dumps, ROWS)))
    elif suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist(ROWS), path)
    else:
        separator = {".csv": ",", ".tsv": "\t"}[suffix]
        path.write_text("\n".join(separator.join(r) for r in ([*ROWS[0]], *(r.values() for r in ROWS))))
    found = read_sentences(path, columns=Columns(label="ok", id="no"))
    assert found.texts == ("It rains.", "It rain.")
    assert found.labels.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", "", "holds no rows"),
        ("a.tsv", "sentence\tlabel\n", "holds no rows"),
        ("a.tsv", "sentence\tother\nx\t1\n", "no column of labels: it has 'sentence', 'other'"),
        ("a.tsv", "sentence\tlabel\nx\t1\ny\n", "line 3: it has 1 columns where 2 are expected"),
        ("a.tsv", "sentence\tlabel\nx\tmaybe\n", "line 2: the label is 'maybe'"),
        ("a.tsv", "sentence\tlabel\n \t1\n", "line 2: the sentence is ' '"),
        ("a.tsv", b"sentence\tlabel\ncaf\xe9\t1\n", "a.tsv is not UTF-8: byte 0xe9 at 18, line 2. Convert"),
        ("a.csv", b"\xef\xbb\xbfa,b\rx,y\rcaf\xe9,1\r", "a.csv is not UTF-8: byte 0xe9 at 14, line 3"),
        ("a.csv", "text,label\n".encode("utf-16"), "a.csv is not UTF-8 but UTF-16: convert it first"),
        ("a.csv", "text,label\r\nx,1\r\ny\0,1\r\n", "a.csv, line 3: the sentence holds a NUL"),
        ("a.jsonl", '{"text": "a\\u0000", "label": 1}', "a.jsonl, line 1: the sentence holds a NUL"),
        (
            "a.jsonl",
            '{"text": "a", "label": 1}\n{"text": "\\ud83d"}',
            "line 2: it holds half of",
        ),
        ("a.jsonl", "[" * 200_000, "line 1: it is not JSON"),
        ("a.csv", "sentence,label\nx\n", "line 2: it has 1 columns where 2"),
        ("a.csv", "sentence,label,label\nx,1,0\n", "the column 'label' more than once"),
        ("a.tsv", "sentence\tlabel\tlabel\nx\t1\t0\n", "the column 'label' more than once"),
        ("a.csv", f'sentence,label\n"{"x" * 200_000},1\n', "field larger than .*Is a quote left open"),
        (
            "a.csv",
            'text,label\nx,1\n"y,1\nz,0\n',
            "row that begins in line 3: .*a quote left open",
        ),
        (
            "a.csv",
            'text,label\n"no" he said,1\n',
            "line 2: .*Within quotes a quote is written twice",
        ),
        ("a.jsonl", '{"text": "x", "label": 1}\n{"text": "y"}', "line 2: the label is None"),
        ("a.jsonl", '{"text": "x", "label": 1}\n{"label": 1}', "line 2: the sentence is None"),
        ("a.tsv", "UniqueIndexID\tSentence\tAcceptability\n5\tx\t1\n5\ty\t0\n", "'5' stands in line 2 and"),
        ("a.jsonl", "{oops", "line 1: it is not JSON"),
        ("a.jsonl", "[1]", "line 1: it is no JSON object"),
        ("a.parquet", "nonsense", "is no Parquet file"),
        ("a.txt", "x", "accepted are files that end in .tsv"),
    ],
)
def test_bad_files(tmp_path, name, content, message):
    with pytest.raises(ts.InputError, match=message):
        read_sentences(write(tmp_path, name, content), strict=True)


def test_columns_that_are_not_there_and_ids_that_repeat(tmp_path):
    path = write(tmp_path, "a.tsv", "sentence\tlabel\tid\nx\t1\t5\ny\t0\t5\n")
    with pytest.raises(ts.InputError, match="no column 'words'"):
        read_sentences(path, columns=Columns(text="words"))
    with pytest.raises(ts.InputError, match="the id '5' stands in line 2 and in line 3"):
        read_sentences(path, columns=Columns(id="id"))
    with pytest.raises(ts.InputError, match="there is no file"):
        read_sentences(tmp_path / "b.tsv")
    path = write(tmp_path, "a.jsonl", '{"text": "x", "label": 1, "id": [5]}\n' * 2)
    with pytest.raises(ts.InputError, match=r"the id \[5\] stands in line 1 and in line 2"):
        read_sentences(path, columns=Columns(id="id"))


def test_ids_stay_with_their_sentences(tmp_path):
    train = read_sentences(write(tmp_path, "ItaCoLA.tsv", ITACOLA), "train")
    assert train.ids == ("1", "3")
    assert train.take([1]).ids == ("3",)
    assert read_sentences(write(tmp_path, "cola.tsv", COLA)).ids is None


def test_sentences_with_the_rows_that_they_stand_in(tmp_path):
    path = write(tmp_path, "a.jsonl", '{"n": 7, "text": "x"}\n{"text": "y", "more": [1]}\n')
    found = read_texts(path)
    assert (found.texts, found.rows) == (["x", "y"], [{"n": 7, "text": "x"}, {"text": "y", "more": [1]}])
    found = read_texts(write(tmp_path, "a.txt", "x\n\n y\n"))
    assert (found.texts, found.rows) == (["x", "y"], [{"text": "x"}, {"text": "y"}])
    assert read_texts(path, with_rows=False).rows == []


def test_sentences_of_a_table_without_labels(tmp_path):
    path = write(tmp_path, "a.tsv", "id\tSentence\tother\n1\tIt rains.\tx\n2\tHe left.\ty\n")
    assert read_plain(path) == ["It rains.", "He left."]
    assert read_plain(path, "other") == ["x", "y"]
    rows = [{"text": "A\u2028b\x85c."}, {"text": "d"}]
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    assert read_plain(write(tmp_path, "a.jsonl", lines)) == ["A\u2028b\x85c.", "d"]


@pytest.mark.parametrize(
    ("name", "content", "column", "message"),
    [
        ("a.tsv", "id\tother\n1\tx\n", None, "no column of sentences: it has 'id', 'other'"),
        ("a.tsv", "id\tother\n1\tx\n", "text", "no column 'text'"),
        ("a.csv", "text,id\n", None, "holds no rows"),
        ("a.txt", b"caf\xe9", None, "not UTF-8: byte 0xe9 at 3, line 1"),
        ("a.txt", "", None, "a.txt holds no rows"),
        ("a.txt", "\n \n", None, "a.txt holds no rows"),
        ("a.txt", "x\ny\0\n", None, "a.txt, line 2: the sentence holds a NUL"),
        ("a.jsonl", '{"text": "a"}\n{"text": 3}\n', None, "line 2: the sentence is 3"),
        ("a.doc", "x", None, "accepted are files that end in"),
    ],
)
def test_bad_files_without_labels(tmp_path, name, content, column, message):
    with pytest.raises(ts.InputError, match=message):
        read_texts(write(tmp_path, name, content), column, strict=True)
    with pytest.raises(ts.InputError, match="there is no file"):
        read_plain(tmp_path / "nowhere.txt")


@at_hand
@pytest.mark.parametrize(
    ("file", "split", "count", "acceptable"),
    [
        ("cola/in_domain_train.tsv", None, 8551, 0.704),
        ("cola/in_domain_dev.tsv", None, 527, 0.693),
        ("cola/out_of_domain_dev.tsv", None, 516, 0.686),
        ("itacola/ItaCoLA_dataset.tsv", "train", 7801, 0.845),
        ("itacola/ItaCoLA_dataset.tsv", "dev", 946, 0.845),
        ("itacola/ItaCoLA_dataset.tsv", "test", 975, 0.845),
        ("dalaj/datasetDaLAJsplit.csv", "train", 7682, 0.5),
        ("dalaj/datasetDaLAJsplit.csv", "valid", 890, 0.5),
        ("dalaj/datasetDaLAJsplit.csv", "test", 888, 0.5),
    ],
)
def test_real_data_sets(file, split, count, acceptable):
    found = read_sentences(SHARED / file, split)
    assert len(found) == count
    assert found.labels.mean() == pytest.approx(acceptable, abs=0.02)


@at_hand
def test_eighteen_dev_sentences_of_cola_are_also_in_train():
    train = read_sentences(SHARED / "cola/in_domain_train.tsv")
    shared = [
        text
        for file in ("in_domain_dev", "out_of_domain_dev")
        for text in shared_texts(train, read_sentences(SHARED / f"cola/{file}.tsv"))
    ]
    assert len(shared) == 18
