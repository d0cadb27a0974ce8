"""``toposcope judge``: which sentences, which judge, and where verdicts are written."""

import json

import pytest
from typer.testing import CliRunner

from tests.cli.verbs import BAD, FRESH, SUFFIXES, fails, run, write_table
from tests.models import tiny
from toposcope.cli import app
from toposcope.data.readers import read_sentences, read_texts
from toposcope.judge.judge import Judge


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_files_in_and_out(files, tmp_path, suffix):
    given = write_table(tmp_path / f"in{suffix}", [{"id": k, "text": text} for k, text in enumerate(FRESH)])
    out = tmp_path / "new" / f"out{suffix}"
    out.parent.mkdir()
    said = run("judge", "--file", given, "--judge", files / "judge", "-o", out)
    assert (said.exit_code, said.stdout, said.stderr) == (0, "", "")
    assert read_texts(out).texts == FRESH
    assert [path.name for path in out.parent.iterdir()] == [out.name]
    again = read_sentences(out)  # a table of sentences with labels
    verdicts = Judge.load(files / "judge")(FRESH)
    assert again.labels.tolist() == [int(v.acceptable) for v in verdicts]
    wrong = fails("judge", "--file", given, "--column", "words", "--judge", files / "judge")
    assert "no column 'words': it has 'id', 'text'" in wrong


def test_awkward_texts_come_back_from_every_format(files, tmp_path):
    texts = ['he said "no"', "a,b;c", "A\u2028b", "c\x85d", "'x", "ünïcode 🙂"]
    lines = write_table(tmp_path / "in.jsonl", [{"text": text} for text in texts])
    for suffix in SUFFIXES:
        out = tmp_path / f"out{suffix}"
        assert run("judge", "-f", lines, "--judge", files / "judge", "-o", out).exit_code == 0
        assert read_texts(out).texts == texts, suffix
    tabs = tmp_path / "tabs.tsv"
    run("judge", "a\tb\nc", "--judge", files / "judge", "-o", tabs)
    assert read_texts(tabs).texts == ["a b c"]


def test_lines_of_text_and_of_stdin(files, tmp_path):
    lines = tmp_path / "in.txt"
    lines.write_text("\n".join([FRESH[0], "", f"  {FRESH[1]} ", FRESH[2]]))
    from_file = run("judge", "--file", lines, "--judge", files / "judge", "--json")
    from_stdin = run("judge", "--judge", files / "judge", "--json", stdin=lines.read_text())
    assert from_file.stdout == from_stdin.stdout
    assert [row["text"] for row in json.loads(from_stdin.stdout)] == FRESH


def test_what_cannot_be_judged(files, tmp_path):
    lines = tmp_path / "in.txt"
    lines.write_text(FRESH[0])
    assert "sentences and --file: give one of them" in fails("judge", FRESH[0], "--file", lines)
    assert "there is no sentence" in fails("judge", "--judge", files / "judge", stdin="\n \n")
    assert "stdin is not utf-8" in fails("judge", "--judge", files / "judge", stdin=b"caf\xe9\n")
    assert "is a folder: give a file" in fails("judge", "-f", ".", "--judge", files / "judge")
    assert "'caf\\udce9' holds a NUL, or bytes that are not UTF-8" in fails("judge", "caf\udce9")
    assert "'a\\x00b' holds a NUL" in fails("judge", stdin="a\0b\n")
    assert "no judge 'nowhere'" in fails("judge", FRESH[0], "--judge", "nowhere")
    assert "no judge ships for 'elvish'" in fails("judge", FRESH[0], "--language", "elvish")
    assert "out.txt: accepted are names that end in .tsv, .csv, .jsonl, .parquet" in fails(
        "judge", FRESH[0], "--judge", files / "judge", "-o", tmp_path / "out.txt"
    )
    assert "there is no file" in fails("judge", "--file", tmp_path / "nowhere.txt")


def test_a_judge_for_other_weights_is_refused(files, tmp_path):
    judge = Judge.load(files / "judge")
    folder = tmp_path / "model"
    model = tiny.build(tiny.ENCODERS["bert"])
    with tiny.torch.no_grad():
        next(model.parameters())[0, 0] += 1
    model.save_pretrained(folder)
    tiny.wordpieces().save_pretrained(folder)
    facts = json.loads((judge.save(tmp_path / "judge") / "judge.json").read_text())
    facts["model"]["name"] = str(folder)
    (tmp_path / "judge" / "judge.json").write_text(json.dumps(facts))
    result = run("judge", FRESH[0], "--judge", tmp_path / "judge")
    assert result.exit_code == 1
    assert "Its numbers would mean nothing there" in result.stderr


@pytest.mark.parametrize(
    ("given", "name"), [("sv", "swedish"), ("Italian", "italian"), ("english", "english")]
)
def test_a_language_by_name_or_letters(files, monkeypatch, given, name):
    asked = []
    load = Judge.load
    monkeypatch.setattr(Judge, "load", lambda which, device: asked.append(which) or load(files / "judge"))
    assert run("judge", FRESH[0], "--language", given).exit_code == 0
    assert asked == [name]


def test_a_judge_by_one_name_only(files):
    said = fails("judge", FRESH[0], "--judge", files / "judge", "--language", "sv")
    assert "--judge and --language: give one of them" in said


def test_another_device(files):
    for verb in (
        ["judge", FRESH[0], "--judge", files / "judge"],
        ["evaluate", files / "judge", files / "toy.csv"],
    ):
        assert "device='abacus' cannot be used here" in fails(*verb, "--device", "abacus")


def test_a_column_needs_a_table(files, tmp_path):
    lines = tmp_path / "in.txt"
    lines.write_text(FRESH[0])
    for source in ([FRESH[0]], ["--file", lines]):
        said = fails("judge", *source, "--column", "text", "--judge", files / "judge")
        assert "--column is for a --file that is a table" in said


def test_without_torch_the_message_names_the_fix(monkeypatch):
    monkeypatch.setattr(Judge, "load", raises(ModuleNotFoundError("No module named 'torch'", name="torch")))
    said = run("judge", FRESH[0])
    assert said.exit_code == 1
    assert "this needs torch: pip install 'toposcope[models]'" in said.stderr
    monkeypatch.setattr(Judge, "load", raises(ModuleNotFoundError("No module named 'x'", name="x")))
    with pytest.raises(ModuleNotFoundError):
        CliRunner().invoke(app, ["judge", FRESH[0]], catch_exceptions=False)


def raises(error):
    def fail(*_given):
        raise error

    return fail


def test_rejects_of_what_is_judged(files, tmp_path):
    data, out = write_table(tmp_path / "bad.jsonl", BAD), tmp_path / "no.jsonl"
    given = ["judge", "-f", data, "--judge", files / "judge"]
    assert "1 of 4 sentences rejected (first: bad.jsonl, line 2" in run(*given, "--rejects", out).stderr
    assert json.loads(out.read_text())["place"] == "line 2"
    assert "bad.jsonl, line 2: the sentence is '...'" in fails(*given, "--strict")
    assert "are for the rows of a --file" in fails("judge", FRESH[0], "--strict")
    both = tmp_path / "both.jsonl"
    assert "is both --output and --rejects" in fails(*given, "-o", both, "--rejects", both)
    assert (
        "no verdict on 1 of 2 texts: no words"
        in run("judge", FRESH[0], "?", "--judge", files / "judge").stderr
    )
