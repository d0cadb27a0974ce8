"""Where the results of each experiment lie beside the pages."""

from __future__ import annotations

from pathlib import Path

from toposcope.experiments.records import read_record
from toposcope.experiments.results import ModelResult, SettingResult
from toposcope.experiments.settings import PAIR_MODELS


def setting_place(docs: Path, setting: str) -> Path:
    """The file of a section of table 1."""
    return docs / "table1" / f"{setting}.json"


def setting_results(docs: Path) -> dict[str, SettingResult]:
    """The sections of table 1 that there are, by the names of their settings."""
    found = [read_record(file, SettingResult) for file in sorted((docs / "table1").rglob("*.json"))]
    return {one.setting: one for one in found}


def model_place(docs: Path, model: str) -> Path:
    """The file of a section of table 2."""
    return docs / "table2" / f"{Path(model).name}.json"


def model_results(docs: Path) -> list[ModelResult]:
    """The sections of table 2 that there are, the models of the paper's kind first."""
    found = [read_record(file, ModelResult) for file in sorted((docs / "table2").glob("*.json"))]
    order = {model: k for k, model in enumerate(PAIR_MODELS)}
    return sorted(found, key=lambda one: order.get(one.model, len(order)))
