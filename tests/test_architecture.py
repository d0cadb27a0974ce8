"""docs/architecture.md names what is there, and its sentence gets through."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
SOURCE = ROOT / "src" / "toposcope"


def test_every_file_that_is_named_is_there():
    named = set(re.findall(r"`([a-z_]+(?:/[a-z_]+)*(?:/|\.py))`", PAGE))
    assert len(named) > 20
    assert not [name for name in named if not (SOURCE / name).exists()]


def test_every_folder_and_ground_file_is_on_a_floor():
    floors = PAGE.partition("## Floors")[2].partition("## Long work")[0]
    there = [path.name + "/" for path in SOURCE.iterdir() if (path / "__init__.py").exists()]
    there += [path.name for path in SOURCE.glob("[a-z]*.py")]
    assert not [name for name in there if f"`{name}`" not in floors]


def test_links_lead_somewhere():
    pages = [ROOT / "docs" / "architecture.md", *(ROOT / "docs" / "howto").glob("*.md")]
    for page in pages:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


@pytest.mark.real
def test_one_sentence_on_the_road():
    space = {"__name__": "architecture"}
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 6
    for block in blocks:
        exec(compile(block, "architecture.md", "exec"), space)
