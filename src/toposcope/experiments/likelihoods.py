"""What a language model itself prefers in pairs; kept by paradigm, so that a new start goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from toposcope.data.minimal_pairs import Pairs
from toposcope.experiments.blimp import Tell
from toposcope.files import whole

if TYPE_CHECKING:
    from toposcope.models.scope import Scope


def likelihood_differences(pairs: Pairs, work: Path, load: Callable[[], Scope], tell: Tell) -> np.ndarray:
    """Log-likelihood of good sentences minus that of bad ones; a masked model needs a pass a token."""
    differences = np.empty(len(pairs))
    names = sorted(set(pairs.paradigms.tolist()))
    for k, name in enumerate(names):
        some = np.flatnonzero(pairs.paradigms == name)
        part = pairs.take(some)
        kept = work / "likelihood" / f"{name}-{part.fingerprint[:12]}.json"
        if not kept.exists():
            scope = load()
            tell(f"{scope.name}: likelihoods of {name}, {k + 1} of {len(names)}")
            good, bad = scope.score([*part.good, *part.bad]).sum().reshape(2, -1).tolist()
            with whole(kept) as place:
                place.write_text(json.dumps({"good": good, "bad": bad}), encoding="utf-8")
        both = json.loads(kept.read_text("utf-8"))
        differences[some] = np.array(both["good"]) - np.array(both["bad"])
    return differences
