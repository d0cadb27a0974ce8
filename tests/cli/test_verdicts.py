"""What ``toposcope judge`` says: verdicts, the heads that spoke, words to blame and notes."""

import json
import re

import pytest

from tests.cli.verbs import FRESH, LORA, SUFFIXES, fails, read_rows, run, write_table
from tests.models.toy import TEXTS
from toposcope.data.readers import read_texts
from toposcope.judge import blame
from toposcope.judge.judge import Judge


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


def test_what_is_written_may_be_shown_too(files, tmp_path):
    out = tmp_path / "out.tsv"
    said = run("judge", *FRESH, "--judge", files / "judge", "-o", out, "--json")
    assert [row["text"] for row in json.loads(said.stdout)] == read_texts(out).texts == FRESH
    more = ["--judge", files / "judge", "-o", out, "--force"]
    assert "for it" in run("judge", *FRESH, *more, "-v").stdout


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


def test_no_words_at_all(files):
    judge = ["--judge", files / "judge"]
    for text in ("", " ", "\u200b\u200d", "\x07", "...", "🙂"):
        said = fails("judge", text, *judge)
        assert f"there is nothing to judge: {text!r} has no words, neither a letter nor a digit." in said
    assert "all 2 texts have no words" in fails("judge", "?", "!", *judge)


def test_a_file_without_words_is_told_of_once(files, tmp_path):
    (tmp_path / "a.txt").write_text("\0\n")
    said = fails("judge", "-f", tmp_path / "a.txt", "--judge", files / "judge")
    first = "a.txt, line 1: the sentence holds a NUL"
    assert said == f"error: a.txt: no sentence can be used, 1 rejected (first: {first}).\n"


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
