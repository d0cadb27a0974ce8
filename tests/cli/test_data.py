"""``toposcope data``: pairs to a folder, to a file, to stdout."""

import json

from typer.testing import CliRunner

from toposcope.cli import app
from toposcope.data.generator import PARADIGMS, generate_pairs


def run(*arguments):
    result = CliRunner().invoke(app, ["data", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_a_folder_of_pairs(tmp_path):
    result = run(
        "generate", "pairs", "--per-paradigm", 3, "--seed", 7, "--split", "test", "-o", tmp_path / "out"
    )
    assert result.exit_code == 0
    assert result.stdout == ""
    assert f"{3 * len(PARADIGMS)} pairs of {len(PARADIGMS)} paradigms" in result.stderr
    assert sorted(f.stem for f in (tmp_path / "out").iterdir()) == sorted(PARADIGMS)
    rows = [
        json.loads(text)
        for text in (tmp_path / "out" / "yet_after_negation.jsonl").read_text().splitlines()
    ]
    expected = generate_pairs("yet_after_negation", 3, seed=7, split="test")
    assert [row["sentence_bad"] for row in rows] == [pair.bad for pair in expected]


def test_one_file_of_pairs(tmp_path):
    target = tmp_path / "pairs.jsonl"
    result = run("generate", "pairs", "--per-paradigm", 2, "--only", "ellipsis", "--output", target)
    assert result.exit_code == 0
    assert str(target) in result.stderr
    rows = [json.loads(text) for text in target.read_text().splitlines()]
    assert {row["linguistics_term"] for row in rows} == {"ellipsis"}


def test_pairs_to_stdout():
    result = run("generate", "pairs", "--per-paradigm", 2, "--only", "anaphor_gender")
    assert result.stderr == ""
    assert [json.loads(text)["pairID"] for text in result.stdout.splitlines()] == ["0", "1"]


def test_input_that_cannot_be_used(tmp_path):
    for arguments, message in [
        (["--split", "dev"], "split 'dev': accepted are all, train, test."),
        (["--only", "syntax"], "'syntax' is neither a phenomenon nor a paradigm"),
        (["--output", tmp_path / "pairs.csv"], "pairs.csv: accepted are a folder"),
    ]:
        result = run("generate", "pairs", *arguments)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert message in result.stderr


def test_list_of_paradigms():
    shown = run("list")
    assert shown.stderr == ""
    assert "npi_licensing, 13 paradigms\n" in shown.stdout
    assert "\n  anaphor_gender: Anna blamed herself / himself.\n" in shown.stdout
    rows = json.loads(run("list", "--json").stdout)
    assert [row["paradigm"] for row in rows] == list(PARADIGMS)
    assert rows[0]["example"] == "Anna blamed herself / himself."
