"""``toposcope evaluate``: a judge's scores on labelled sentences."""

import json

import numpy as np
import pytest

from tests.cli.verbs import BAD, FILES, FRESH, fails, run, write_table


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


def test_splits(files, tmp_path):
    wrong = fails("evaluate", files / "judge", f"{files / 'toy.csv'}:dev")
    assert "toy.csv has no rows of the split 'dev': it has 'test', 'train'" in wrong
    odd = tmp_path / "a:b.csv"
    odd.write_bytes((files / "toy.csv").read_bytes())
    assert json.loads(run("evaluate", files / "judge", odd, "--json").stdout)["sentences"] == 96
    assert json.loads(run("evaluate", files / "judge", f"{odd}:test", "--json").stdout)["sentences"] == 16
    fails("evaluate", files / "judge", f"{odd}:test", "--split-column", "part")


def test_one_label_only_says_nothing(files, tmp_path):
    data = write_table(tmp_path / "good.tsv", [{"text": text, "label": 1} for text in FRESH])
    said = run("evaluate", files / "judge", data)
    assert said.exit_code == 0
    assert "good: all have the same label, so MCC is 0 and says nothing." in said.stderr


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
