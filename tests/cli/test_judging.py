"""``toposcope judge`` and ``evaluate``: from sentences to verdicts."""

import json
import re

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.cli.verbs import FILES, FRESH, LORA, SUFFIXES, fails, read_rows, run, write_table
from tests.models import tiny
from tests.models.toy import TEXTS
from toposcope.cli import app
from toposcope.data.readers import read_sentences, read_texts
from toposcope.judge import blame
from toposcope.judge.judge import Judge


def test_a_judge_is_trained_and_scored(files):
    said = json.loads((files / "trained.json").read_text())
    assert said["judge"] == str(files / "judge")
    assert sorted(path.name for path in (files / "judge").iterdir()) == FILES
    facts = json.loads((files / "judge" / "judge.json").read_text())
    assert facts["about"]["scores"] == said["scores"]
    assert (facts["about"]["language"], facts["about"]["features"]) == ("toy", "h0m+cls")
    assert facts["about"]["trained on"]["sentences"] == 80
    assert facts["cv_mcc"] == said["cv_mcc"]
    (scores,) = said["scores"]
    assert (scores["data"], scores["sentences"], scores["also in training"]) == ("toy, test", 16, 0)
    assert scores["chosen threshold"]["accuracy"]["value"] > 0.6


def test_evaluating_gives_the_scores_of_training(files, tmp_path):
    result = run(
        "evaluate", files / "judge", files / "toy.csv:test", "--json", "-o", tmp_path / "all.jsonl"
    )
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert found == json.loads((files / "trained.json").read_text())["scores"][0]
    rows = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    right = np.mean([row["acceptable"] == bool(row["label"]) for row in rows])
    assert right == pytest.approx(found["chosen threshold"]["accuracy"]["value"])
    shown = run("evaluate", files / "judge", files / "toy.csv:train")
    for part in ("toy, train, 80 sentences", "chosen threshold", "MCC"):
        assert part in shown.stdout
    assert shown.stderr == "80 of them were in the training data.\n"


def test_judging_in_words_and_in_json(files):
    judge = Judge.load(files / "judge")
    said = run("judge", *FRESH, "--judge", files / "judge")
    assert said.stderr == ""
    lines = said.stdout.splitlines()
    found = json.loads(run("judge", *FRESH, "--judge", files / "judge", "--json").stdout)
    for text, line, row, verdict in zip(FRESH, lines, found, judge(FRESH), strict=True):
        word = "acceptable    " if verdict.acceptable else "not acceptable"
        assert line == f"{word}  {verdict.probability:.2f}  {text}"
        assert (row["text"], row["acceptable"]) == (text, verdict.acceptable)
        assert row["probability"] == pytest.approx(verdict.probability, abs=1e-5)
        assert row["threshold"] == verdict.threshold
        assert len(row["reasons"]) == 5


def test_which_heads_spoke(files):
    said = run("judge", FRESH[0], "--judge", files / "judge", "--verbose")
    verdict = Judge.load(files / "judge")(FRESH[0])
    lines = said.stdout.splitlines()
    assert len(lines) == 6
    for line, (name, weight) in zip(lines[1:], verdict.loudest(5), strict=True):
        side = "for it" if weight > 0 else "against it"
        assert line.split(maxsplit=1)[0] in (name, name.split()[0])
        assert line.endswith(f"{weight:+.2f} {side}")
    assert any(".H" in line for line in lines)
    assert f"Acceptable from probability {verdict.threshold:.2f} on." in said.stderr


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


def test_words_to_blame(files, tmp_path):
    """A model that learned from corrections that dogs are wrong names the dog."""
    wrong = [text for text in TEXTS if "dog" in text]
    rows = [",".join((text, text.replace("dog", "cat"), "train")) for text in wrong]
    (tmp_path / "made.csv").write_text("\n".join(["original sentence,corrected sentence,split", *rows]))
    how = [*LORA, "--epochs", "20", "--head", "words", "--maps", "all", "--features", "lm"]
    run("train", tmp_path / "made.csv", "--model", files / "model", *how, "-o", tmp_path / "judge")
    said = run("judge", "the dog is old", "the cat is old", "-v", "--judge", tmp_path / "judge").stdout
    bad, good = said.split("the cat is old")
    assert re.search(r"dog +\d\.\d\d to blame", bad)
    (row,) = json.loads(
        run("judge", "the dog is old", "-v", "--json", "--judge", tmp_path / "judge").stdout
    )
    assert row["to blame"][0][0] == "dog"
    assert "to blame" not in good


def test_splits(files, tmp_path):
    wrong = fails("evaluate", files / "judge", f"{files / 'toy.csv'}:dev")
    assert "toy.csv has no rows of the split 'dev': it has 'test', 'train'" in wrong
    odd = tmp_path / "a:b.csv"
    odd.write_bytes((files / "toy.csv").read_bytes())
    assert json.loads(run("evaluate", files / "judge", odd, "--json").stdout)["sentences"] == 96
    assert json.loads(run("evaluate", files / "judge", f"{odd}:test", "--json").stdout)["sentences"] == 16
    fails("evaluate", files / "judge", f"{odd}:test", "--split-column", "part")


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


def test_what_is_written_may_be_shown_too(files, tmp_path):
    out = tmp_path / "out.tsv"
    said = run("judge", *FRESH, "--judge", files / "judge", "-o", out, "--json")
    assert [row["text"] for row in json.loads(said.stdout)] == read_texts(out).texts == FRESH
    more = ["--judge", files / "judge", "-o", out, "--force"]
    assert "for it" in run("judge", *FRESH, *more, "-v").stdout


def test_one_label_only_says_nothing(files, tmp_path):
    data = write_table(tmp_path / "good.tsv", [{"text": text, "label": 1} for text in FRESH])
    said = run("evaluate", files / "judge", data)
    assert said.exit_code == 0
    assert "good: all have the same label, so MCC is 0 and says nothing." in said.stderr


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


def test_lines_without_words_get_no_verdict_and_stop_nothing(files, tmp_path):
    texts = [FRESH[0], "...", FRESH[1], "\u200b", "雨"]
    lines = write_table(tmp_path / "in.jsonl", [{"text": text} for text in [*texts, None]])
    given = ["judge", "--file", lines, "--judge", files / "judge"]
    said = run(*given)
    assert said.exit_code == 0
    assert said.stderr == (
        "3 of 6 sentences rejected (first: in.jsonl, line 2: the sentence is '...': no words, neither a "
        "letter nor a digit).\n"
    )
    shown = said.stdout.splitlines()
    assert shown[1] == "no verdict         -  '...'  (no words, neither a letter nor a digit)"
    assert shown[3].startswith(r"no verdict         -  '\u200b'  (no words")
    assert shown[4].endswith("  雨  (the model knows none of its words)")
    rows = json.loads(run(*given, "--json", "-v").stdout)
    assert [row["text"] for row in rows] == [*texts, ""]
    assert [row["acceptable"] is None for row in rows] == [False, True, False, True, False, True]
    assert rows[1] | {"threshold": 0} == {
        "text": "...",
        "acceptable": None,
        "probability": None,
        "notes": ["no words, neither a letter nor a digit"],
        "threshold": 0,
        "reasons": {},
    }
    assert (rows[0]["notes"], rows[4]["notes"]) == ([], ["the model knows none of its words"])
    verdicts = Judge.load(files / "judge")([FRESH[0], FRESH[1], "雨"])
    assert [row["probability"] for row in rows if row["probability"]] == pytest.approx(
        [v.probability for v in verdicts], abs=1e-5
    )
    for suffix in SUFFIXES:
        out = tmp_path / f"out{suffix}"
        assert run(*given, "-o", out).exit_code == 0
        written = read_rows(out)
        assert [row["acceptable"] in (None, "") for row in written] == [
            row["acceptable"] is None for row in rows
        ]
        assert [row["notes"] for row in written] == ["; ".join(row["notes"]) for row in rows]


BAD = [
    {"text": FRESH[0], "label": 1}, {"text": "...", "label": 1}, {"text": FRESH[1], "label": "no"},
    {"text": FRESH[2], "label": 0},
]  # fmt: skip


def test_rejects_of_labelled_sentences(files, tmp_path):
    data = write_table(tmp_path / "bad.csv", BAD)
    told = "2 of 4 sentences rejected (first: bad.csv, line 3: the sentence is '...': no words, neither"
    out = tmp_path / "no.jsonl"
    said = run("evaluate", files / "judge", data, "--rejects", out, "--json")
    assert told in said.stderr
    assert json.loads(said.stdout)["sentences"] == 2
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(row["file"], row["place"], row["texts"]) for row in rows] == [
        ("bad.csv", "line 3", ["..."]),
        ("bad.csv", "line 4", [FRESH[1]]),
    ]
    assert rows[1]["reason"] == "the label is 'no'; accepted are 1 (acceptable) and 0"
    assert "--force overwrites" in fails("evaluate", files / "judge", data, "--rejects", out)
    for verb in (["evaluate", files / "judge", data], ["train", data, "-o", tmp_path / "judge"]):
        assert "bad.csv, line 3: the sentence is '...'" in fails(*verb, "--strict")


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


def test_no_words_at_all(files):
    judge = ["--judge", files / "judge"]
    for text in ("", " ", "\u200b\u200d", "\x07", "...", "🙂"):
        said = fails("judge", text, *judge)
        assert f"there is nothing to judge: {text!r} has no words, neither a letter nor a digit." in said
    assert "all 2 texts have no words" in fails("judge", "?", "!", *judge)


def test_long_texts_say_so(files):
    said = run("judge", "the cat " * 40, "--judge", files / "judge")
    assert said.stdout.endswith("  (longer than 40 tokens: read through 3 windows)\n")


def test_words_to_blame_by_hiding_them(files, monkeypatch):
    """Only of what is not acceptable, with how they were found."""
    blamed = []

    def words(judge, verdict):
        blamed.append(verdict.text)
        return [("the", -0.1), ("dog", 0.31), ("old", 0.5)] if "dog" in verdict.text else [("old", 0.05)]

    monkeypatch.setattr(blame, "words_to_blame", words)
    texts = ["the dog is old", "the cat is old"]
    by = ["--judge", files / "judge"]
    verdicts = Judge.load(files / "judge")(texts)
    assert [v.acceptable for v in verdicts] == [False, True]
    said = run("judge", *texts, "-v", *by).stdout
    assert [" ".join(line.split()) for line in said.splitlines() if "blame" in line] == [
        "old +0.50 to blame, found by hiding it",
        "dog +0.31 to blame, found by hiding it",
    ]
    bad, good = json.loads(run("judge", *texts, "-v", "--json", *by).stdout)
    assert (bad["to blame"], bad["blame found"]) == ([["old", 0.5], ["dog", 0.31]], "by hiding it")
    assert good["to blame"] == []
    assert "blame remark" not in bad
    assert set(blamed) == {"the dog is old"}
    one = run("judge", "dog", "-v", *by)
    assert one.stdout.endswith("                no word to blame: there is one only\n")
    (row,) = json.loads(run("judge", "dog", "-v", "--json", *by).stdout)
    assert row["blame remark"] == "no word to blame: there is one only"
