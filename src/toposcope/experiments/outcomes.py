"""Outcomes of table 1: what every row says of every sentence, from which any number can be computed again.

In the working folder each row and seed is a small JSON file. Beside the page all outcomes of a setting lie
in one Parquet file, so that seeds may be added on another day or another machine.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from toposcope.experiments.settings import Setting
from toposcope.files import whole

PACKED = pa.schema({
    "features": pa.string(), "seed": pa.int64(), "precision": pa.string(), "cv_mcc": pa.float64(),
    "threshold": pa.float64(), "dev": pa.list_(pa.float32()), "test": pa.list_(pa.float32()),
    "cv_error": pa.float64(),
})  # fmt: skip


@dataclass(frozen=True, eq=False)
class Outcome:
    """One row with one seed: what cross-validation chose, and probabilities of dev and test sentences.

    ``precision`` is the one that the model was tuned in, if it was. ``cv_error`` is the calibration error
    out of fold; outcomes of before probabilities were calibrated have none.
    """

    features: str
    seed: int
    cv_mcc: float
    threshold: float
    dev: np.ndarray = field(repr=False)
    test: np.ndarray = field(repr=False)
    precision: str = ""
    cv_error: float | None = None

    @property
    def calibrated(self) -> bool:
        """Whether it was fitted with nested cross-validation and calibration."""
        return self.cv_error is not None

    def save(self, path: Path) -> None:
        """Write it down; the file is whole or not there."""
        facts = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in asdict(self).items()}
        with whole(path) as place:
            place.write_text(json.dumps(facts), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Outcome:
        """Read what ``save`` wrote."""
        facts: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return cls(**{**facts, "dev": np.array(facts["dev"]), "test": np.array(facts["test"])})


def outcomes(setting: Setting, work: Path) -> list[Outcome]:
    """What is there of a setting."""
    files = sorted((work / setting.name).glob("seed-*/rows/*.json"))
    return [Outcome.load(file) for file in files]


def is_complete(setting: Setting, work: Path) -> bool:
    """Whether all rows of all seeds are there."""
    folders = [work / setting.name / f"seed-{seed}" for seed in setting.seeds]
    return all(place_of(folder, row).exists() for folder in folders for row in setting.rows)


def place_of(folder: Path, row: str) -> Path:
    """The file of a row in the folder of a seed."""
    return folder / "rows" / f"{row.replace(':', '_')}.json"


def pack_outcomes(setting: Setting, work: Path, docs: Path) -> None:
    """Write what there is of a setting into its file beside the page."""
    found = outcomes(setting, work)
    table = pa.table([[getattr(one, name) for one in found] for name in PACKED.names], PACKED)
    with whole(_packed(setting, docs)) as place:
        pq.write_table(table, place, compression="zstd")


def unpack_outcomes(setting: Setting, docs: Path, work: Path) -> None:
    """Take what the file beside the page has of a setting, and the working folder has not."""
    if not _packed(setting, docs).exists():
        return
    for row in packed_outcomes(setting, docs):
        outcome = Outcome(**{**row, "dev": np.array(row["dev"]), "test": np.array(row["test"])})
        place = place_of(work / setting.name / f"seed-{outcome.seed}", outcome.features)
        if not place.exists():
            outcome.save(place)


def packed_outcomes(setting: Setting, docs: Path) -> list[dict[str, Any]]:
    """The rows of the file beside the page, as they stand there."""
    file = pq.ParquetFile(_packed(setting, docs))
    there = [name for name in PACKED.names if name in file.schema_arrow.names]
    return file.read(there).to_pylist()


def _packed(setting: Setting, docs: Path) -> Path:
    return docs / "table1" / f"{setting.name}.parquet"
