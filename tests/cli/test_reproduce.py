"""Verbs of experiments: what was asked for is run in the folders given, and its page is written."""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.experiments.toys import pairs_of, write_corpus, write_pairs
from toposcope.cli import app
from toposcope.experiments import aux_data, generator, heads, small_data, table1, table2
from toposcope.experiments.outcomes import Outcome, write_outcomes
from toposcope.experiments.settings import SETTINGS

RESULTS = Path(__file__).parents[2] / "docs" / "results"


@pytest.fixture
def data(tmp_path):
    """The files that the verbs look for before they begin."""
    write_corpus(tmp_path / "data" / "cola")
    write_pairs(pairs_of(1), tmp_path / "data" / "blimp" / "data")
    write_pairs(pairs_of(1, "a"), tmp_path / "data" / "blimp_aux")
    return tmp_path / "data"


@pytest.mark.parametrize(
    ("verb", "options", "module", "asked"),
    [
        ("table1", ["--only", SETTINGS[0].name, "--seed", "1"], table1, ([SETTINGS[0].name], [1])),
        ("heads", [], heads, ()),
        ("small-data", [], small_data, ()),
        ("table2", ["--model", "bert-base-cased", "--limit", "3"], table2, (["bert-base-cased"], 3)),
        ("aux-data", ["--limit", "0"], aux_data, (0,)),
        ("generator", [], generator, ()),
    ],
)
def test_a_verb_runs_its_experiment_and_writes_its_page(
    tmp_path, data, monkeypatch, verb, options, module, asked
):
    called = []

    def run(lab, *arguments, **_):
        called.append((lab, arguments))
        shutil.copytree(RESULTS, lab.docs, ignore=shutil.ignore_patterns("*.md"), dirs_exist_ok=True)
        return [lab.docs]

    monkeypatch.setattr(module, f"run_{verb.replace('-', '_')}", run)
    folders = ["--work", str(tmp_path / "work"), "--docs", str(tmp_path / "docs")]
    if verb != "generator":
        folders += ["--data", str(data)]
    found = CliRunner().invoke(app, ["reproduce", verb, *folders, *options])
    assert found.exit_code == 0, found.output
    ((lab, arguments),) = called
    assert arguments == asked
    assert (lab.work, lab.docs) == (tmp_path / "work", tmp_path / "docs")
    assert (lab.docs / f"{verb}.md").read_bytes() == (RESULTS / f"{verb}.md").read_bytes()
    assert [page.stem for page in lab.docs.glob("*.md")] == [verb]


def test_outcomes_from_elsewhere_become_a_section_without_a_model(tmp_path, data):
    setting = SETTINGS[0]
    dev, test = [0.9] * 18, [0.2] * 9 + [0.8] * 9
    found = [
        Outcome(row, seed, 0.1 * seed, 0.5, dev, test, cv_error=0.02)
        for seed in setting.seeds
        for row in setting.rows
    ]
    write_outcomes(tmp_path / "docs", setting, found)
    folders = ["--data", str(data), "--work", str(tmp_path / "work"), "--docs", str(tmp_path / "docs")]
    run = CliRunner().invoke(app, ["reproduce", "table1", *folders, "--only", setting.name, "--add"])
    assert run.exit_code == 0, run.output
    page = (tmp_path / "docs" / "table1.md").read_text()
    assert "60 / 18 / 18 sentences; seeds 0, 1, 2." in page
    assert "| H0M | 0.100 | 0.020 | " in page
    assert not list((tmp_path / "work").iterdir())
