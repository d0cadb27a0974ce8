"""``toposcope train``: from a file of sentences to a judge."""

import json

import numpy as np
import pytest

import toposcope as ts
from tests.cli.verbs import FILES, FRESH, LORA, SUFFIXES, fails, run, write_table
from tests.models.toy import LABELS, TEXTS
from toposcope.cli.data import pretraining_sentences
from toposcope.judge.judge import Judge
from toposcope.models.tuning import tune as tuning


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_training_on_every_format(files, tmp_path, suffix):
    rows = [{"s": text, "ok": int(label)} for text, label in zip(TEXTS, LABELS, strict=True)]
    data = write_table(tmp_path / f"toy{suffix}", [{"s": "?", "ok": 1}, *rows])
    result = run(
        "train", data, "--model", files / "model", "-o", tmp_path / "judge", "--features", "length",
        "--text-column", "s", "--label-column", "ok", "--rejects", tmp_path / "no.jsonl",
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    assert "1 of 97 sentences rejected (first: toy" in result.stderr
    assert json.loads((tmp_path / "no.jsonl").read_text())["texts"] == ["?"]
    assert result.stdout.startswith(f"{tmp_path / 'judge'}: length, MCC")
    assert "nested cross-validation on toy, 48 acceptable sentences and 48 others." in result.stdout
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


def test_augmented_sentences_before_the_data(files, tmp_path):
    train = [
        "train",
        files / "toy.csv:train",
        "--model",
        files / "model",
        "-o",
        tmp_path,
        "--augment",
        "2",
    ]
    result = run(*train, "--features", "lm", "--head", "words", *LORA)
    assert result.exit_code == 0, result.stderr
    judge = Judge.load(tmp_path)
    assert judge.about["tuning"]["augment"] == 2
    assert judge.adapter.about["after"]["epochs"] == 1
    assert "--augment is for a model that learns" in fails(*train)


def test_pretraining_before_the_data(files, tmp_path):
    train = ["train", files / "toy.csv:train", "--model", files / "model", "-o", tmp_path, "--pretrain-on"]
    result = run(*train, "generated:1", "--features", "lm", *LORA)
    assert result.exit_code == 0, result.stderr
    before = Judge.load(tmp_path).about["pretrained on"]
    assert before["name"] == "generated, 1 a paradigm, seed 0"
    assert before["sentences"] > 200
    tuning = ts.Tuning("lora", 8, 16, 0.01, rank=4, layers=2)
    asked = {"model": files / "model", "features": "lm", "tuning": tuning, "pretrain_on": "generated:1"}
    made = ts.make_judge(f"{files / 'toy.csv'}:train", **asked)
    assert made.figures == Judge.load(tmp_path).figures
    assert "--pretrain-on is for a model that learns" in fails(*train, "generated:1")
    others = tmp_path / "others.tsv"
    others.write_text("text\tlabel\tsplit\na dog is\t1\tone\nis dog a\t0\tone\nmore\t1\ttwo\n")
    found = pretraining_sentences([f"{others}:one", "generated:1"])
    assert found.texts[:2] == ("a dog is", "is dog a")
    assert found.labels[:2].tolist() == [1, 0]
    assert len(found) == 2 + before["sentences"]
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"sentence_good": "a dog is", "sentence_bad": "is dog a"}\n')
    assert pretraining_sentences([str(pairs)]).texts == ("a dog is", "is dog a")
    assert "nowhere.jsonl" in fails(*train, tmp_path / "nowhere.jsonl", *LORA, "--force")


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
        (
            "a.csv",
            b"text,label\nx,perhaps\n",
            "a.csv: no sentence can be used, 1 rejected (first: a.csv, line 2: the label is 'perhaps'",
        ),
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
        (["--features", "length", "--seed", "-1"], "--seed"),
        (["--features", "length", "--epochs", "2"], "--epochs is for a model that learns"),
        (["--features", "length", "--maps", "attention"], "--maps is for a model that learns"),
        (["--features", "lm", "--tune", "full", "--rank", "8"], "--rank is for LoRA"),
        (
            ["--features", "h0m", "--rank-heads", "l1"],
            "--rank-heads says how heads are chosen: add --heads N",
        ),
        (["--features", "length", "--device", "abacus"], "device='abacus' cannot be used here"),
    ],
)
def test_bad_options(files, tmp_path, options, message):
    data, output = files / "toy.csv", tmp_path / "judge"
    assert message in fails("train", data, "--model", files / "model", "-o", output, *options)


def test_what_cannot_be_kept_is_refused_before_tuning(files, tmp_path, monkeypatch):
    monkeypatch.setattr(tuning, "tune", lambda *_given, **_options: pytest.fail("it was tuned"))
    train = ["train", files / "toy.csv", "--model", files / "model", *LORA]
    said = fails(*train, "-o", tmp_path / "judge", "--features", "h0m+lm", "--heads", "13")
    assert "heads=13: accepted are 1 to 12" in said
    (tmp_path / "file").write_text("mine")
    assert "is a file: give the name of a folder" in fails(*train, "-o", tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


def test_folders_of_the_user_stay(files, tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "thesis.txt").write_text("mine")
    how = ["--model", files / "model", "-o", tmp_path, "--features", "lm", *LORA]
    assert run("train", files / "toy.csv", *how).exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [*FILES, "work"]
    assert (tmp_path / "work" / "thesis.txt").read_text() == "mine"


def test_ids_that_repeat(files, tmp_path):
    rows = [{"text": text, "label": 1, "no": 7} for text in FRESH]
    data = write_table(tmp_path / "a.jsonl", rows)
    for verb in (["train", data, "-o", tmp_path / "judge"], ["evaluate", files / "judge", data]):
        assert "the no 7 stands in line 1 and in line 2" in fails(*verb, "--id-column", "no")
