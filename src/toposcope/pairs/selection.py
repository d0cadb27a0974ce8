"""Which heads judge pairs: a JSON file with the choice and all that is needed to trust it."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from toposcope.data.minimal_pairs import Pairs
from toposcope.errors import InputError, ModelError
from toposcope.facts import Facts
from toposcope.files import whole
from toposcope.pairs.choosers import CHOOSERS, Chooser, Preference
from toposcope.pairs.profile import profile_named
from toposcope.pairs.readings import PairSpec
from toposcope.pairs.table import PairTable

FORMAT = "toposcope selection 1"
ACCURACY = "accuracy by cross-validation"
SHIPPED = Path(__file__).parent.parent / "shipped" / "selections"


@dataclass(frozen=True, eq=False)
class Selection:
    """A chooser with its measure and profile, the model it was made for, and the pairs it has seen.

    ``seen`` are hashes of the pairs it was chosen on: it is not to be reported on these. ``about`` tells
    data, seed, accuracy by cross-validation, versions.
    """

    method: str
    measure: str
    profile: str
    chooser: Chooser
    spec: PairSpec = field(repr=False)
    model: str
    fingerprint: str = field(repr=False)
    seen: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64), repr=False)
    about: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        profile_named(self.profile)

    @property
    def name(self) -> str:
        """In short, for tables."""
        return f"{self.measure}, {self.method}"

    @property
    def cv_accuracy(self) -> float | None:
        """Accuracy by cross-validation on the pairs it was chosen on, where that was looked at."""
        accuracy: float | None = self.about.get(ACCURACY)
        return accuracy

    def prefer(self, table: PairTable) -> Preference:
        """Choose in every pair of a table that was read from the right model."""
        self.check_model(str(table.about.get("model", "")), str(table.about.get("fingerprint", "")))
        return self.chooser.prefer(table)

    def check_model(self, name: str, fingerprint: str) -> None:
        """Refuse other weights than those that the heads were chosen for."""
        if fingerprint != self.fingerprint:
            raise ModelError(
                f"These heads were chosen for {self.model} with weights {self.fingerprint[:12]}; those of "
                f"{name} are {fingerprint[:12]}. Choose heads for them: toposcope pairs select."
            )

    def overlap(self, pairs: Pairs) -> int:
        """How many of the pairs it was chosen on."""
        return int(np.isin(pairs.hashes, self.seen).sum())

    def check_unseen(self, pairs: Pairs) -> None:
        """Refuse to be reported on pairs that it was chosen on."""
        if shared := self.overlap(pairs):
            raise InputError(
                f"{shared} of the {len(pairs)} pairs of {pairs.name} are among those that the heads were "
                "chosen on: their accuracy would be no news. --drop-seen leaves them out."
            )

    def save(self, path: str | Path) -> None:
        """Write it as JSON; the file is whole or not there."""
        facts = {
            "format": FORMAT,
            "method": self.method,
            "measure": self.measure,
            "profile": self.profile,
            "model": self.model,
            "fingerprint": self.fingerprint,
            "readings": [reading.name for reading in self.spec.readings],
            "features": json.loads(self.spec.features.to_json()) if self.spec.features else None,
            "about": self.about,
            "chooser": {"kind": _kind(self.chooser), **self.chooser.facts()},
            "seen": base64.b64encode(np.asarray(self.seen, "<i8").tobytes()).decode(),
        }
        with whole(Path(path)) as place:
            place.write_text(json.dumps(facts, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, source: str | Path) -> Selection:
        """Read a file, or a shipped selection such as ``bert-base-cased/weighted``."""
        path = find_selection(source)
        try:
            facts = Facts.parse(path.read_bytes())
            if facts["format"] != FORMAT:
                raise InputError(f"its format is not {FORMAT!r}.")
            return cls._of(facts)
        except (OSError, ValueError, TypeError, ArithmeticError, RecursionError) as error:
            why = str(error) if isinstance(error, InputError) else repr(error)
            raise InputError(f"{path} is no selection of heads: {why}") from error

    @classmethod
    def _of(cls, facts: Facts) -> Selection:
        from toposcope.features.spec import FeatureSpec
        from toposcope.pairs.readings import Reading

        chosen, features = facts.part("chooser"), facts.maybe("features")
        kind, readings = chosen.text("kind"), tuple(map(Reading.parse, facts.texts("readings")))
        if kind not in CHOOSERS:
            raise InputError(f"chooser.kind is {kind!r}: accepted are {', '.join(CHOOSERS)}.")
        chooser = CHOOSERS[kind].of(chosen)
        spec = PairSpec(readings, None if features is None else FeatureSpec.from_dict(features.given))
        if unread := [name for name in chooser.columns if name not in spec.columns]:
            raise InputError(f"the heads look at {unread[0]!r}, which is not read.")
        about = facts.part("about")
        if about.given.get(ACCURACY) is not None:
            about.number(ACCURACY, 0, 1)
        return cls(
            facts.text("method"),
            facts.text("measure"),
            facts.text("profile"),
            chooser,
            spec,
            facts.text("model"),
            facts.text("fingerprint"),
            np.frombuffer(base64.b64decode(facts.text("seen"), validate=True), "<i8"),
            about.given,
        )


def find_selection(source: str | Path) -> Path:
    """The file of a selection: a path, or the name of one that ships."""
    path = Path(source)
    if path.is_file():
        return path
    shipped = SHIPPED / f"{source}.json"
    if path.suffix == "" and shipped.is_file():
        return shipped
    known = ", ".join(shipped_selections()) or "none"
    raise InputError(f"there is no selection {str(source)!r}: accepted are a file, or one of {known}.")


def shipped_selections(model: str = "") -> list[str]:
    """Names of the selections that ship, all or those of a model."""
    names = [str(file.relative_to(SHIPPED).with_suffix("")) for file in SHIPPED.rglob("*.json")]
    return sorted(name for name in names if name.startswith(model))


def _kind(chooser: Chooser) -> str:
    return next(kind for kind, made in CHOOSERS.items() if isinstance(chooser, made))
