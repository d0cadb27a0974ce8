"""The how-tos do what they say: their Python runs, top to bottom, and what they add goes again."""

import re
from pathlib import Path

import pytest

from toposcope.cli import app
from toposcope.features.blocks import BLOCKS
from toposcope.judge.evidence import SETS
from toposcope.pairs.choosers import CHOOSERS

PLACE = Path(__file__).parents[1] / "docs" / "howto"


def pieces(page):
    return re.findall(r"```python\n(.*?)```", (PLACE / page).read_text("utf-8"), re.DOTALL)


@pytest.fixture
def registries(monkeypatch):
    """What pages register is gone afterwards."""
    for registry in (BLOCKS, SETS, CHOOSERS):
        for name in {"diagonal", "loudest"} - set(registry):
            monkeypatch.setitem(registry, name, None)
            del registry[name]


def run_page(page, space):
    found = pieces(page)
    assert len(found) >= 3
    for piece in found:
        exec(compile(piece, page, "exec"), space)
    return space


@pytest.mark.parametrize("page", ["block.md", "chooser.md"])
def test_a_page_runs(page, registries):
    run_page(page, {"__name__": "howto"})


@pytest.mark.real
def test_a_job(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    run_page("job.md", {"__name__": "howto"})


@pytest.mark.real
def test_a_verb():
    verbs = list(app.registered_commands)
    try:
        run_page("verb.md", {"__name__": "howto"})
    finally:
        app.registered_commands[:] = verbs
