"""``toposcope judge -o``: what stands in the input stands in the output."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.verbs import FRESH, SUFFIXES, fails, read_rows, run, write_table
from toposcope.judge.judge import Judge


@pytest.mark.parametrize("given", SUFFIXES)
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_columns_of_the_input_stay(files, tmp_path, given, suffix):
    rows = [{"no": f"{k:03}", "Sentence": text, "by": "=me"} for k, text in enumerate(FRESH)]
    out = tmp_path / f"out{suffix}"
    data = write_table(tmp_path / f"in{given}", rows)
    said = run("judge", "--file", data, "--judge", files / "judge", "-o", out)
    assert (said.exit_code, said.stderr) == (0, "")
    found = read_rows(out)
    verdicts = Judge.load(files / "judge")(FRESH)
    by = "=me" if suffix in (".jsonl", ".parquet") else "'=me"
    for row, before, verdict in zip(found, rows, verdicts, strict=True):
        assert list(row) == ["no", "Sentence", "by", "acceptable", "probability", "notes"]
        assert {name: row[name] for name in before} == {**before, "by": by}
        assert str(row["acceptable"]) == str(verdict.acceptable)
        assert float(row["probability"]) == pytest.approx(verdict.probability, abs=1e-5)


def test_types_of_parquet_stay(files, tmp_path):
    schema = pa.schema(
        [
            ("text", pa.large_string()),
            ("n", pa.int8()),
            ("when", pa.timestamp("us", "UTC")),
            ("kind", pa.dictionary(pa.int8(), pa.string())),
            ("much", pa.float32()),
        ]
    )
    given = pa.table(
        {"text": FRESH, "n": [1, None, 3], "when": [0, 1, 2], "kind": list("aba"), "much": [0.1, 0.2, 0.3]}
    ).cast(schema)
    pq.write_table(given, tmp_path / "in.parquet")
    out = tmp_path / "out.parquet"
    common = ["judge", "-f", tmp_path / "in.parquet", "--judge", files / "judge"]
    assert run(*common, "-o", out).exit_code == 0
    found = pq.read_table(out)
    assert found.select(schema.names).equals(given)
    assert found.schema.names == [*schema.names, "acceptable", "probability", "notes"]
    assert [found.schema.field(name).type for name in ("acceptable", "probability")] == [
        pa.bool_(),
        pa.float64(),
    ]
    assert run(*common, "-o", tmp_path / "out.jsonl").exit_code == 0
    assert [row["n"] for row in read_rows(tmp_path / "out.jsonl")] == [1, None, 3]


def test_values_of_json_stay(files, tmp_path):
    lines = ['{"id": 7, "text": "the cat is old."}', '{"text": "a dog!", "more": {"a": [1.5, null]}}']
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    out = tmp_path / "out.jsonl"
    run("judge", "-f", tmp_path / "in.jsonl", "--judge", files / "judge", "-o", out)
    for before, row in zip(map(json.loads, lines), read_rows(out), strict=True):
        assert {name: row[name] for name in before} == before
        assert list(row) == [*before, "acceptable", "probability", "notes"]
    run("judge", "-f", tmp_path / "in.jsonl", "--judge", files / "judge", "-o", tmp_path / "out.csv")
    assert list(read_rows(tmp_path / "out.csv")[0]) == [
        "id",
        "text",
        "more",
        "acceptable",
        "probability",
        "notes",
    ]


def test_columns_that_have_no_room(files, tmp_path, monkeypatch):
    monkeypatch.setattr("toposcope.models.load.load", lambda *_, **__: pytest.fail("the model was loaded"))
    judge = ["--judge", files / "judge", "-o", tmp_path / "out.parquet"]
    labelled = write_table(tmp_path / "in.csv", [{"text": FRESH[0], "acceptable": 1}])
    said = fails("judge", "-f", labelled, *judge)
    assert "in.csv has a column 'acceptable', and one of this name is to be added: rename it" in said
    mixed = write_table(tmp_path / "in.jsonl", [{"text": FRESH[0], "n": 1}, {"text": FRESH[1], "n": "x"}])
    assert "in.jsonl has a column that Parquet cannot hold" in fails("judge", "-f", mixed, *judge)
    assert not (tmp_path / "out.parquet").exists()


def test_ids_of_the_data_stay(files, tmp_path):
    rows = [{"no": f"s{k}", "text": text, "label": k % 2} for k, text in enumerate(FRESH)]
    data = write_table(tmp_path / "in.tsv", rows)
    run("evaluate", files / "judge", data, "--id-column", "no", "-o", tmp_path / "out.csv")
    found = read_rows(tmp_path / "out.csv")
    assert list(found[0]) == ["id", "text", "label", "acceptable", "probability"]
    assert [row["id"] for row in found] == ["s0", "s1", "s2"]
