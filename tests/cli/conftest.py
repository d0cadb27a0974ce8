import pytest

from tests.cli.verbs import run, write_table
from tests.models import tiny
from tests.models.toy import LABELS, OPENERS, TEXTS, pair_rows

METHODS_AND_MEASURES = {
    "weighted": "topology",
    "top": "rtd",
    "phenomenon": "h0s",
    "ensemble": "h0m",
    "all": "h0m",
}


@pytest.fixture(scope="session")
def toy(tmp_path_factory):
    """A model, pairs to choose heads on and to score, and a selection of each method."""
    folder = tmp_path_factory.mktemp("pairs")
    tiny.build(tiny.ENCODERS["bert"]).save_pretrained(folder / "model")
    tiny.wordpieces().save_pretrained(folder / "model")
    write_table(folder / "aux.jsonl", pair_rows(OPENERS[:3]))
    write_table(folder / "test.tsv", pair_rows(OPENERS[3:]))
    for method, measure in METHODS_AND_MEASURES.items():
        made = run(
            "pairs", "select", folder / "aux.jsonl", "-o", folder / f"{method}.json", "--method", method,
            "--measure", measure, "--model", folder / "model",
        )  # fmt: skip
        assert (made.exit_code, made.stdout) == (0, ""), made.stderr
        assert "by cross-validation on 48 pairs; wrote" in made.stderr
    return folder


@pytest.fixture(scope="session")
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
