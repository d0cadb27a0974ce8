"""``toposcope train``, ``evaluate`` and ``judge``: from a file of sentences to verdicts."""

import csv
import json
import re

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.models import tiny
from tests.models.toy import LABELS, TEXTS
from toposcope.cli import app
from toposcope.cli.data import lesson_sentences
from toposcope.data.readers import read_plain, read_sentences
from toposcope.judge.judge import Judge
from toposcope.models import tuning

FRESH = ["the old cat sleeps.", "a red dog is barking!", 'he said "the cat is very old", and sleeps.']
FILES = ["card.md", "judge.json", "weights.safetensors"]
SUFFIXES = [".tsv", ".csv", ".jsonl", ".parquet"]
LORA = [
    "--tune",
    "lora",
    "--epochs",
    "8",
    "--batch",
    "16",
    "--rate",
    "0.01",
    "--rank",
    "4",
    "--layers",
    "2",
]


def run(*arguments, stdin=None):
    given = [*map(str, arguments), *(["--threads", "1"] if "--help" not in arguments else [])]
    result = CliRunner().invoke(app, given, input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def fails(*arguments, stdin=None):
    """The message of a run that refuses its input."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 2, result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


def write_table(path, rows):
    """A file of rows in the format of its suffix."""
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif path.suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".tsv":
        path.write_text(
            "".join("\t".join(map(str, row)) + "\n" for row in [rows[0], *map(dict.values, rows)])
        )
    else:
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A model, its training and test sentences, and a judge that was trained on them."""
    folder = tmp_path_factory.mktemp("judging")
    tiny.build(tiny.ENCODERS["bert"]).save_pretrained(folder / "model")
    tiny.wordpieces().save_pretrained(folder / "model")
    rows = [
        {"text": text, "label": int(label), "split": "test" if k % 6 == 0 else "train"}
        for k, (text, label) in enumerate(zip(TEXTS, LABELS, strict=True))
    ]
    write_table(folder / "toy.csv", rows)
    trained = run(
        "train", folder / "toy.csv:train", "--model", folder / "model", "-o", folder / "judge",
        "--features", "h0m+cls", "--test", folder / "toy.csv:test", "--language", "toy", "--json",
    )  # fmt: skip
    assert trained.exit_code == 0, trained.stderr
    (folder / "trained.json").write_text(trained.stdout)
    return folder


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
    assert shown.stdout == ""
    for part in ("toy, train, 80 sentences", "chosen threshold", "MCC", "80 of them were in the training"):
        assert part in shown.stderr


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
    said = run(
        "judge", "--file", given, "--judge", files / "judge", "-o", tmp_path / "new" / f"out{suffix}"
    )
    assert (said.exit_code, said.stdout, said.stderr) == (0, "", "")
    out = tmp_path / "new" / f"out{suffix}"
    assert read_plain(out) == FRESH
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
        assert read_plain(out) == texts, suffix
    tabs = tmp_path / "tabs.tsv"
    run("judge", "a\tb\nc", "--judge", files / "judge", "-o", tabs)
    assert read_plain(tabs) == ["a b c"]


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
    assert "no judge 'nowhere'" in fails("judge", FRESH[0], "--judge", "nowhere")
    assert "no judge ships for 'elvish'" in fails("judge", FRESH[0], "--language", "elvish")
    assert "out.txt: accepted are names that end in .tsv, .csv, .jsonl, .parquet" in fails(
        "judge", FRESH[0], "--judge", files / "judge", "-o", tmp_path / "out.txt"
    )
    assert "there is no file" in fails("judge", "--file", tmp_path / "nowhere.txt")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_training_on_every_format(files, tmp_path, suffix):
    rows = [{"s": text, "ok": int(label)} for text, label in zip(TEXTS, LABELS, strict=True)]
    data = write_table(tmp_path / f"toy{suffix}", rows)
    result = run(
        "train", data, "--model", files / "model", "-o", tmp_path / "judge", "--features", "length",
        "--text-column", "s", "--label-column", "ok",
    )  # fmt: skip
    assert (result.exit_code, result.stdout) == (0, "")
    assert f"{tmp_path / 'judge'}: length, MCC" in result.stderr
    assert "by cross-validation on toy." in result.stderr
    assert Judge.load(tmp_path / "judge").about["trained on"]["sentences"] == 96


def test_a_tuned_judge_of_few_heads(files, tmp_path, monkeypatch):
    monkeypatch.setattr(tuning, "SAVE_EVERY", -1.0)
    result = run(
        "train", files / "toy.csv:train", "--model", files / "model", "-o", tmp_path, "--test",
        files / "toy.csv:test", "--heads", "2", "--features", "h0m+lm", "--balanced", "--seed", "3", *LORA,
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == FILES
    judge = Judge.load(tmp_path)
    assert len(judge.evidence.heads) == 2
    assert judge.evidence.lm
    assert judge.about["tuning"]["seed"] == 3
    assert judge.about["class weight"] == "balanced"
    assert {values.dtype.name for values in judge.adapter.tensors.values()} <= {"float16", "float32"}
    assert judge.about["scores"][0]["chosen threshold"]["accuracy"]["value"] > 0.8
    verdicts = json.loads(run("judge", *TEXTS, "--judge", tmp_path, "--json").stdout)
    assert (
        np.mean([v["acceptable"] == bool(label) for v, label in zip(verdicts, LABELS, strict=True)]) > 0.9
    )


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
    assert "to blame" not in good


def test_exercises_before_the_data(files, tmp_path):
    train = [
        "train",
        files / "toy.csv:train",
        "--model",
        files / "model",
        "-o",
        tmp_path,
        "--exercises",
        "2",
    ]
    result = run(*train, "--features", "lm", "--head", "words", *LORA)
    assert result.exit_code == 0, result.stderr
    judge = Judge.load(tmp_path)
    assert judge.about["tuning"]["exercises"] == 2
    assert judge.adapter.about["after"]["epochs"] == 1
    assert "--exercises is for a model that learns" in fails(*train)


def test_lessons_before_the_data(files, tmp_path):
    train = ["train", files / "toy.csv:train", "--model", files / "model", "-o", tmp_path, "--lessons"]
    result = run(*train, "generated:1", "--features", "lm", *LORA)
    assert result.exit_code == 0, result.stderr
    lessons = Judge.load(tmp_path).about["lessons"]
    assert lessons["name"] == "generated, 1 a paradigm, seed 0"
    assert lessons["sentences"] > 200
    assert "--lessons is for a model that learns" in fails(*train, "generated:1")
    others = tmp_path / "others.tsv"
    others.write_text("text\tlabel\tsplit\na dog is\t1\tone\nis dog a\t0\tone\nmore\t1\ttwo\n")
    found = lesson_sentences([f"{others}:one", "generated:1"])
    assert found.texts[:2] == ("a dog is", "is dog a")
    assert found.labels[:2].tolist() == [1, 0]
    assert len(found) == 2 + lessons["sentences"]
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"sentence_good": "a dog is", "sentence_bad": "is dog a"}\n')
    assert lesson_sentences([str(pairs)]).texts == ("a dog is", "is dog a")
    assert "nowhere.jsonl" in fails(*train, tmp_path / "nowhere.jsonl", *LORA)


def test_sentences_in_training_and_test_are_reported(files, tmp_path):
    rows = [{"text": text, "label": k % 2} for k, text in enumerate([*TEXTS[:3], *FRESH])]
    other = write_table(tmp_path / "other.tsv", rows)
    result = run(
        "train", files / "toy.csv", "--model", files / "model", "-o", tmp_path / "judge", "--features",
        "length", "--test", other, "--test", files / "toy.csv:test",
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    assert "other: 3 of its sentences are also in toy." in result.stderr
    assert "toy, test: 16 of its sentences are also in toy." in result.stderr
    assert "3 of them were in the training data." in result.stderr
    assert [s["also in training"] for s in Judge.load(tmp_path / "judge").about["scores"]] == [3, 16]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", b"", "a.tsv holds no rows"),
        ("a.tsv", b"text\tlabel\nx\t1\ny\t1\n", "a: all 2 sentences are acceptable; needed are both kinds"),
        ("a.tsv", b"text\tlabel\nx\t1\ny\t0\n", "5 folds need at least 5 different sentences of each kind"),
        ("a.tsv", b"text\tother\nx\t1\n", "a.tsv has no column of labels: it has 'text', 'other'"),
        ("a.csv", b"label,other\n1,x\n", "a.csv has no column of sentences: it has 'label', 'other'"),
        ("a.csv", b"text,label\ncaf\xe9,1\n", "a.csv is not UTF-8: byte 0xe9 at 14"),
        ("a.csv", b"text,label\nx,perhaps\n", "a.csv, row 1: the label is 'perhaps'"),
        ("a.xlsx", b"x", "a.xlsx: accepted are files that end in .tsv, .csv, .jsonl, .parquet"),
    ],
)
def test_bad_data(files, tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    said = fails("train", tmp_path / name, "--model", files / "model", "-o", tmp_path / "judge")
    assert f"error: {message}" in said
    assert not (tmp_path / "judge").exists()
    if "folds" not in message and "both kinds" not in message:
        assert message in fails("evaluate", files / "judge", tmp_path / name)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--features", "topologie"], "Did you mean 'topology'"),
        (["--features", "h0m+lm"], "lm is the word of a tuned model"),
        (["--features", "h0m", "--heads", "13"], "heads=13: accepted are 1 to 12"),
        (["--features", "length", "--tune", "everything"], "--tune"),
        (["--features", "length", "--epochs", "0"], "--epochs"),
        (["--features", "length", "--device", "abacus"], "device='abacus' cannot be used here"),
    ],
)
def test_bad_options(files, tmp_path, options, message):
    data, output = files / "toy.csv", tmp_path / "judge"
    assert message in fails("train", data, "--model", files / "model", "-o", output, *options)


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
    monkeypatch.setattr(Judge, "load", lambda which: asked.append(which) or load(files / "judge"))
    assert run("judge", FRESH[0], "--language", given).exit_code == 0
    assert asked == [name]
