"""Wrong options and files are told before torch, numba or scikit-learn come, which takes seconds."""

import json
import os
import subprocess
import sys

import pytest

from tests.cli.verbs import write_table
from tests.models.toy import LABELS, TEXTS

ASK = """
import contextlib, io, json, sys
from toposcope.cli import app

HEAVY = {"torch", "transformers", "numba", "scipy", "sklearn"}

def ended(arguments):
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            app(arguments)
        except SystemExit as end:
            return end.code, sorted(HEAVY.intersection(sys.modules)), said.getvalue()

print(json.dumps([ended(arguments) for arguments in json.load(sys.stdin)]))
"""
DATA, PAIRS, OUT = "toy.csv", "pairs.jsonl", "out"
TRAIN = ["train", DATA, "-o", OUT]
SELECT = ["pairs", "select", PAIRS, "-o", "out.json"]
WRONG = [
    (["judge", "x", "--device", "abacus"], "device='abacus' cannot be used here"),
    (["judge", "x", "--device", "cuda:one"], "device='cuda:one' cannot be used here"),
    (["judge", "x", "--judge", "nobody"], "no judge 'nobody'"),
    (["judge", "x", "-l", "elvish"], "no judge ships for 'elvish'"),
    (["judge", "-f", "no.csv"], "there is no file no.csv"),
    (["judge", "-f", DATA, "--column", "no"], "toy.csv has no column 'no'"),
    (["judge", "x", "-o", "out.doc"], "out.doc: accepted are"),
    (["judge", "-f", "verdicts.csv", "-o", "out.csv"], "verdicts.csv has a column 'acceptable'"),
    (["judge", "x", "--colour"], "No such option"),
    (["evaluate", "english", "no.csv"], "there is no file no.csv"),
    (["evaluate", "nobody", DATA], "no judge 'nobody'"),
    (["evaluate", "english", "x" * 300], f"{'x' * 300}: File name too long."),
    (["evaluate", "english", DATA, "--device", "abacus"], "device='abacus'"),
    (["evaluate", "english", DATA, "-o", DATA], "toy.csv would overwrite what is read"),
    (["evaluate", "english", f"{DATA}:dev"], "no column of splits"),
    (["compare", "a", "b", "--match", "lax"], "match='lax': accepted are align"),
    (["compare", "a", "b", "--heads", "none"], "there is no selection 'none'"),
    (["compare", "a", "b", "--draw", "a.bmp"], "a.bmp: accepted are"),
    (["compare", "a", "b", "-m", "../nowhere"], "there is no folder '../nowhere'"),
    (["compare", "a", "b", "-m", "a--b"], "model name 'a--b'"),
    (["compare", "a", "b", "-m", "empty"], "empty has no config.json"),
    (["pairs", "score", PAIRS, "--profile", "zz"], "profile 'zz': accepted are strict"),
    (["pairs", "score", PAIRS, "--measure", "h1"], "measure 'h1': accepted are h0m"),
    (["pairs", "score", PAIRS, "--heads", "none"], "there is no selection 'none'"),
    (["pairs", "score", PAIRS, "--profile", "paper"], "--profile is for `all` and single heads"),
    (["pairs", "score", PAIRS, "-m", "a b"], "model name 'a b'"),
    (["pairs", "score", PAIRS, "--rejects", "out.txt"], "out.txt: accepted are"),
    (["pairs", "score", "no.jsonl"], "there is no file no.jsonl"),
    (["pairs", "score", PAIRS, "--good", "no"], "no column 'no'"),
    ([*SELECT, "--method", "best"], "method 'best': accepted are"),
    ([*SELECT, "--profile", "zz"], "profile 'zz': accepted are strict"),
    ([*SELECT, "--measure", "h1"], "measure 'h1': accepted are h0m"),
    ([*SELECT, "--method", "top", "--measure", "tda"], "heads vote on one reading"),
    ([*SELECT, "--without", "no.csv"], "there is no file no.csv"),
    ([*SELECT, "--method", "top", "--keep", "3"], "--keep 3 is for weighted heads"),
    ([*SELECT, "-m", "../nowhere"], "there is no folder '../nowhere'"),
    (["pairs", "select", PAIRS, "-o", "no/out.json"], "there is no folder no for out.json"),
    ([*TRAIN, "--features", "topologie"], "Did you mean 'topology'"),
    ([*TRAIN, "--features", "cls:9-x"], "layers '9-x'"),
    ([*TRAIN, "--features", "h0m+lm"], "lm is the word of a tuned model"),
    ([*TRAIN, "--features", "length", "--heads", "2"], "the features look at no heads"),
    ([*TRAIN, "--rank-heads", "l1"], "--rank-heads says how heads are chosen"),
    ([*TRAIN, "--rank-heads", "best"], "--rank-heads"),
    ([*TRAIN, "--device", "abacus"], "device='abacus'"),
    ([*TRAIN, "--model", "../nowhere"], "there is no folder '../nowhere'"),
    ([*TRAIN, "--test", "no.csv"], "there is no file no.csv"),
    ([*TRAIN, "--tune", "lora", "--pretrain-on", "no.csv"], "there is no file no.csv"),
    ([*TRAIN, "--tune", "lora", "--average-folds", "1"], "average_folds=1: accepted are"),
    ([*TRAIN, "--tune", "lora", "--work", "no/work"], "there is no folder no for work"),
    (["train", "few.csv", "-o", OUT], "5 folds need at least 5"),
    (["train", "one.csv", "-o", OUT], "needed are both kinds"),
    (["train", "no.csv", "-o", OUT], "there is no file no.csv"),
    (["data", "generate", "pairs", "--only", "syntax"], "neither a phenomenon nor a paradigm"),
    (["models", "pull", "../../etc"], "there is no folder '../../etc'"),
    (["reproduce", "table1", "--data", ".", "--only", "gpt-9"], "setting 'gpt-9': accepted are"),
    (["reproduce", "table1", "--data", "no"], "no holds no "),
    (["reproduce", "heads", "--data", "no"], "no holds no "),
    (["reproduce", "table2", "--data", "no"], "no holds no folder blimp/data"),
    (["reproduce", "aux-data", "--data", "no"], "no holds no folder blimp/data"),
    (["reproduce", "generator", "--docs", "toy.csv/docs"], "toy.csv/docs: Not a directory"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("light")
    rows = [{"text": text, "label": int(label)} for text, label in zip(TEXTS, LABELS, strict=True)]
    write_table(folder / DATA, rows)
    write_table(folder / "few.csv", [{"text": "a", "label": 1}, {"text": "b", "label": 0}])
    write_table(folder / "one.csv", [{"text": "a", "label": 1}, {"text": "b", "label": 1}])
    write_table(folder / "verdicts.csv", [{"text": "a", "acceptable": True}])
    write_table(
        folder / PAIRS, [{"sentence_good": f"a cat {k}.", "sentence_bad": f"cat a {k}."} for k in "ab"]
    )
    (folder / "empty").mkdir()
    return folder


@pytest.fixture(scope="module")
def told(folder):
    """How each of the wrong ones ended, what was imported, and what was said; all in one process."""
    given = json.dumps([arguments for arguments, _ in WRONG])
    ended = subprocess.run(
        [sys.executable, "-c", ASK], input=given, capture_output=True, text=True, check=True, cwd=folder,
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
    )  # fmt: skip
    return json.loads(ended.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    "number", range(len(WRONG)), ids=[" ".join(arguments)[:60] for arguments, _ in WRONG]
)
def test_wrong_ones_are_told_before_anything_heavy_comes(told, number):
    code, heavy, said = told[number]
    assert WRONG[number][1] in said
    assert (code, heavy) == (2, [])


def test_the_command_starts_with_next_to_nothing():
    late = ["numpy", "rich", "numba", "matplotlib", "toposcope.judge.judge", "toposcope.weights.cache"]
    code = f"import sys; import toposcope.cli; print([name for name in {late} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "[]\n"


def test_nothing_was_written(told, folder):
    names = {DATA, PAIRS, "few.csv", "one.csv", "verdicts.csv", "empty"}
    assert {path.name for path in folder.iterdir()} <= {*names, "out"}
    assert not list((folder / "out").glob("**/*.*"))


COMPLETE = """
import atexit, sys
from toposcope.cli import app
atexit.register(lambda: print("torch" in sys.modules, file=sys.stderr))
app(prog_name="toposcope")
"""


def completed(words):
    """What a shell is offered after some words, and whether torch was imported for it."""
    ask = {
        "_TOPOSCOPE_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    ended = subprocess.run(
        [sys.executable, "-c", COMPLETE],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **ask},
    )
    return ended.stdout.split(), ended.stderr.split()[-1]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("toposcope ju", ["judge"]),
        ("toposcope pairs s", ["score", "select"]),
        ("toposcope train --tu", ["--tune"]),
        ("toposcope train --tune l", ["lora"]),
    ],
)
def test_shells_complete_without_torch(words, offered):
    assert completed(words) == (offered, "False")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_are_shown_how_to_complete(shell):
    known = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    shown = subprocess.run(
        [sys.executable, "-m", "toposcope", "--show-completion", shell],
        capture_output=True, text=True, check=True, env=known,
    )  # fmt: skip
    assert "_TOPOSCOPE_COMPLETE=" in shown.stdout
