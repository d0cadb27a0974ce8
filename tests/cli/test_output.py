"""Which files may be written: found out before the work, the same for every verb."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.verbs import FILES, FRESH, LORA, fails, run
from toposcope.cli.output import check_folder, check_output, one_line
from toposcope.errors import InputError, OutputError
from toposcope.judge.judge import Judge
from toposcope.models.tuning import tune as tuning

TWO = ("the old cat sleeps.", "the old dog sleeps.")
ENDINGS = {
    "judge": ".csv",
    "evaluate": ".jsonl",
    "compare": ".svg",
    "score": ".parquet",
    "score --rejects": ".jsonl",
    "select": ".json",
    "select --rejects": ".jsonl",
    "generate": ".jsonl",
}
VERBS = list(ENDINGS)


def written_by(verb, out, files, toy, tmp_path):
    """The arguments of a verb that writes a file."""
    pairs = [toy / "test.tsv", "-m", toy / "model"]
    heads = ["--heads", toy / "top.json"]
    return {
        "judge": ["judge", *FRESH, "--judge", files / "judge", "-o", out],
        "evaluate": ["evaluate", files / "judge", files / "toy.csv:test", "-o", out],
        "compare": ["compare", *TWO, "-m", toy / "model", *heads, "--draw", out],
        "score": ["pairs", "score", *pairs, *heads, "-o", out],
        "score --rejects": ["pairs", "score", *pairs, *heads, "--rejects", out],
        "select": ["pairs", "select", *pairs, "--method", "top", "-o", out],
        "select --rejects": [
            *["pairs", "select", *pairs, "--method", "top", "-o", tmp_path / "x.json", "--rejects", out]
        ],
        "generate": ["data", "generate", "pairs", "--only", "ellipsis", "--per-paradigm", "1", "-o", out],
    }[verb]


def run_any(arguments):
    """As ``run``, but for verbs without threads too."""
    from typer.testing import CliRunner

    from toposcope.cli import app

    threads = [] if arguments[0] == "data" else ["--threads", "1"]
    result = CliRunner().invoke(app, [*map(str, arguments), *threads])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize("verb", VERBS)
def test_outputs_are_tried_before_the_work(files, toy, tmp_path, monkeypatch, verb):
    monkeypatch.setattr("toposcope.models.load.load", lambda *_, **__: pytest.fail("the model was loaded"))
    there = tmp_path / f"there{ENDINGS[verb]}"
    there.write_text("mine")
    folder = tmp_path / f"folder{ENDINGS[verb]}"
    folder.mkdir()
    away = tmp_path / f"away{ENDINGS[verb]}"
    away.symlink_to(tmp_path / "nowhere")
    for out, message in (
        (there, f"{there} is there already: --force overwrites, or give another name."),
        (away, f"{away} is there already: --force overwrites"),
        (tmp_path / "new" / there.name, f"there is no folder {tmp_path / 'new'} for {there.name}: make it"),
        (Path("/proc") / there.name, f"/proc/{there.name} cannot be written: "),
        (tmp_path / "out.docx", "out.docx: accepted are "),
        (folder, f"{folder} is a folder: give the name of a file"),
    ):
        if verb == "generate" and out == folder:  # a folder is one of the things it can write
            continue
        result = run_any(written_by(verb, out, files, toy, tmp_path))
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"error: {message}")
        assert result.stderr.count("\n") == 1
    assert there.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([there.name, folder.name, away.name])


@pytest.mark.parametrize("verb", VERBS)
def test_a_full_disk_leaves_what_was_there(files, toy, tmp_path, monkeypatch, verb):
    out = tmp_path / f"out{ENDINGS[verb]}"
    out.write_text("mine")
    arguments = [*written_by(verb, out, files, toy, tmp_path), "--force"]
    replace = Path.replace

    def full(place, target):
        if Path(target) != out:
            return replace(place, target)
        assert place.exists()
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        result = run_any(arguments)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == f"error: {out} cannot be written: No space left on device."
    assert out.read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    result = run_any([*arguments, "--force"])
    assert result.exit_code == 0, result.stderr
    assert out.read_bytes() != b"mine"


def test_an_input_is_never_an_output(files, toy, tmp_path):
    data = tmp_path / "data.csv"
    data.write_bytes((files / "toy.csv").read_bytes())
    link, hard = tmp_path / "link.csv", tmp_path / "hard.csv"
    link.symlink_to(data)
    os.link(data, hard)
    pairs = tmp_path / "pairs"
    pairs.mkdir()
    some = pairs / "some.jsonl"
    some.write_bytes((toy / "aux.jsonl").read_bytes())
    model = toy / "model"
    before = data.read_bytes(), some.read_bytes(), (model / "config.json").read_bytes()
    for out in (data, link, hard, tmp_path / "pairs" / ".." / "data.csv"):
        said = fails("judge", "-f", data, "--judge", files / "judge", "-o", out, "--force")
        assert said.startswith(f"error: {out} would overwrite what is read, {data}: give another name.")
        said = fails("evaluate", files / "judge", f"{data}:test", "-o", out, "--force")
        assert f"{out} would overwrite what is read, {data}" in said
    for given in (some, pairs):
        said = fails("pairs", "score", given, "-m", model, "--rejects", some, "--force")
        assert f"{some} would overwrite what is read, {given}" in said
    said = fails("pairs", "select", some, "-m", model, "-o", model / "config.json", "--force")
    assert f"config.json would overwrite what is read, {model}" in said
    assert (data.read_bytes(), some.read_bytes(), (model / "config.json").read_bytes()) == before


def test_a_folder_of_pairs_is_whole_or_as_it_was(tmp_path, monkeypatch):
    out = tmp_path / "out"
    make = ["data", "generate", "pairs", "--per-paradigm", "1", "--only", "ellipsis", "-o", out]
    assert run_any(make).exit_code == 0
    names = sorted(path.name for path in out.iterdir())
    more = rf"\.jsonl and {len(names) - 1} more are there already: --force overwrites"
    assert re.search(more, run_any(make).stderr)
    before = [(out / name).read_bytes() for name in names]
    again = [*make, "--seed", "5", "--force"]
    replace = Path.replace

    def full(place, target):
        if Path(target).name == names[-1]:
            raise OSError(28, "No space left on device")
        return replace(place, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        result = run_any(again)
    assert result.exit_code == 2
    assert f"error: {out / names[-1]} cannot be written: No space left on device.\n" == result.stderr
    assert [(out / name).read_bytes() for name in names] == before
    assert sorted(path.name for path in out.iterdir()) == names
    assert run_any(again).exit_code == 0
    assert sorted(path.name for path in out.iterdir()) == names
    assert [(out / name).read_bytes() for name in names] != before
    assert "there is no folder" in run_any([*make[:-1], tmp_path / "new" / "x"]).stderr


def test_a_judge_is_overwritten_by_force_alone(files, tmp_path, monkeypatch):
    how = ["--model", files / "model", "--features", "length"]
    out = tmp_path / "judge"
    train = ["train", files / "toy.csv", *how, "-o", out]
    assert run(*train).exit_code == 0
    before = (out / "judge.json").read_bytes()
    assert f"{out / 'judge.json'} and 3 more are there already: --force" in fails(*train)
    replace = Path.replace

    def full(place, target):
        if Path(target).name == "judge.json":
            raise OSError(28, "No space left on device")
        return replace(place, target)

    again = ["train", files / "toy.csv:train", *how, "-o", out, "--force"]
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        assert "judge.json cannot be written: No space left on device." in fails(*again)
    assert Judge.load(out).about["trained on"]["sentences"] == 96  # whole
    assert sorted(path.name for path in out.iterdir()) == FILES
    assert run(*again).exit_code == 0
    assert (out / "judge.json").read_bytes() != before
    for name, message in (
        (tmp_path / "a" / "b", f"there is no folder {tmp_path / 'a'} for b"),
        (files / "model", "is the folder of the model"),
    ):
        assert message in fails("train", files / "toy.csv", *how, "-o", name)
    lora = ["--model", files / "model", "--features", "lm", *LORA, "-o", tmp_path / "new"]
    said = fails("train", files / "toy.csv", *lora, "--work", tmp_path / "a" / "b")
    assert f"there is no folder {tmp_path / 'a'} for b" in said


def test_training_that_was_interrupted_goes_on_without_force(files, tmp_path, monkeypatch):
    monkeypatch.setattr(tuning, "SAVE_EVERY", -1.0)
    out = tmp_path / "judge"
    how = ["--model", files / "model", "--features", "lm", *LORA, "-o", out]
    step, steps = tuning._Descent.step, []

    def interrupted(descent, number, batch):
        if len(steps) == 3:
            raise KeyboardInterrupt
        steps.append(number)
        step(descent, number, batch)

    with monkeypatch.context() as patch:
        patch.setattr(tuning._Descent, "step", interrupted)
        assert run("train", files / "toy.csv", *how).exit_code != 0
    assert [path.name for path in out.iterdir()] == ["tuning.part"]
    assert run("train", files / "toy.csv", *how).exit_code == 0
    assert sorted(path.name for path in out.iterdir()) == FILES
    assert "there already" in fails("train", files / "toy.csv", *how)
    (out / "tuning.part").mkdir()  # the end came between the judge and the removal of this
    assert run("train", files / "toy.csv", *how).exit_code == 0


def test_checks_of_names(tmp_path):
    check_output(None)
    check_output(tmp_path / "a.tsv")
    check_folder(tmp_path, ["a"])
    check_folder(tmp_path / "new")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "a").mkdir()
    with pytest.raises(InputError, match="a is a folder, where a file is to be written"):
        check_folder(tmp_path, ["a"], force=True)
    with pytest.raises(OutputError, match="cannot be written"):
        check_folder(Path("/proc"))


def test_texts_stay_in_their_line(files):
    texts = ["a\nb\r\tc", "\x1b[31mred\x1b]0;title\x07", "x\u2028y\x85z", "a\u202eb", "ünï 🙂 \u200dé"]
    said = run("judge", *texts, "--judge", files / "judge", "-v").stdout
    for shown in (
        "a\\nb\\r\\tc",
        "\\x1b[31mred\\x1b]0;title\\x07",
        "x\\u2028y\\x85z",
        "a\\u202eb",
        texts[-1],
    ):
        assert re.search(rf"acceptable +\d\.\d\d  {re.escape(shown)}(  \(.*\))?\n", said)
    assert one_line("[bold] :smile:") == "[bold] :smile:"
    assert "error: there is no file /a\\x1b[2J.csv.\n" in fails("judge", "-f", "/a\x1b[2J.csv")
    assert "there is no file /[/bold].csv" in fails("judge", "-f", "/[/bold].csv")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_behind_stdout():
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "toposcope", "data", "list"],
            check=False, stdout=full, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (2, "error: stdout: No space left on device.\n")


def test_letters_that_stdout_lacks_are_spelled_out(files):
    ask = [sys.executable, "-m", "toposcope", "judge", "ünï 🙂", "--judge", str(files / "judge")]
    shown, told = (
        subprocess.run(
            [*ask, *more],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
        ).stdout
        for more in ([], ["--json"])
    )
    assert r"  \xfcn\xef \U0001f642" in shown
    assert json.loads(told)[0]["text"] == "ünï 🙂"
