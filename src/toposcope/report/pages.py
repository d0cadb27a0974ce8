"""All pages of results, written from the data beside them and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from toposcope.errors import InputError
from toposcope.experiments.data import model_results, setting_results
from toposcope.experiments.records import read_record
from toposcope.experiments.results import AuxiliaryResult, GeneratorResult, HeadsResult, SmallJudge
from toposcope.experiments.settings import SETTINGS, SMALL_FEATURES
from toposcope.files import whole
from toposcope.report import aux_data, generator, heads, small_data, table1, table2

NAMES = ("table1", "table2", "heads", "aux-data", "small-data", "generator")


def write_pages(docs: Path) -> list[Path]:
    """Write every page of which there are data in a folder; no model and no corpus is looked at."""
    written = [write_page(docs, name) for name in NAMES if has_data(docs, name)]
    if not written:
        raise InputError(
            f"{docs} holds no results: `toposcope reproduce table1` and the others write them."
        )
    return written


def has_data(docs: Path, name: str) -> bool:
    """Whether there are data of a page."""
    return (docs / f"{name}.json").exists() or any((docs / name).rglob("*.json"))


def write_page(docs: Path, name: str) -> Path:
    """Write one page, and its picture where it has one."""
    text = PAGES[name](docs)
    with whole(docs / f"{name}.md") as place:
        place.write_text(text, encoding="utf-8")
    return docs / f"{name}.md"


def _table1(docs: Path) -> str:
    return table1.page(setting_results(docs))


def _table2(docs: Path) -> str:
    return table2.page(model_results(docs))


def _heads(docs: Path) -> str:
    found = read_record(docs / "heads.json", HeadsResult)
    if all(point.dev.low is not None for point in found.points):  # else the old picture says more
        heads.draw(found, docs / "heads.svg")
    return heads.page(found, "heads.svg")


def _aux_data(docs: Path) -> str:
    found = read_record(docs / "aux-data.json", AuxiliaryResult)
    aux_data.draw(found, docs / "aux-data.svg")
    return aux_data.page(found, "aux-data.svg")


def _small_data(docs: Path) -> str:
    found = read_record(docs / "small-data.json", tuple[SmallJudge, ...])
    small_data.draw(found, docs / "small-data.svg")
    return small_data.page(found, SETTINGS[0].model, SMALL_FEATURES, "small-data.svg")


def _generator(docs: Path) -> str:
    return generator.page(read_record(docs / "generator.json", GeneratorResult))


PAGES: dict[str, Callable[[Path], str]] = {
    "table1": _table1,
    "table2": _table2,
    "heads": _heads,
    "aux-data": _aux_data,
    "small-data": _small_data,
    "generator": _generator,
}
