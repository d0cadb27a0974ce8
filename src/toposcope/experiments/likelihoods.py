"""What a language model itself prefers in pairs; kept by paradigm, so that a new start goes on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from toposcope.data.minimal_pairs import Pairs
from toposcope.experiments.lab import Lab
from toposcope.store import Job, run


def likelihood_differences(model: str, pairs: Pairs, folder: Path, lab: Lab) -> np.ndarray:
    """Log-likelihood of good sentences minus that of bad ones; a masked model needs a pass a token."""
    scope = lab.model(model)
    places = {str(name): np.flatnonzero(pairs.paradigms == name) for name in np.unique(pairs.paradigms)}
    key = {"what": f"likelihoods of {pairs.name}", "from": scope.provenance, "pairs": pairs.fingerprint}

    def make(name: str) -> pa.Table:
        part = pairs.take(places[name])
        good, bad = scope.score([*part.good, *part.bad]).sum().reshape(2, -1)
        return pa.table({"good": good, "bad": bad})

    table = run(Job(key, tuple(places), make), folder, lab.tell)
    good, bad = (table.column(name).to_numpy() for name in ("good", "bad"))
    differences = np.empty(len(pairs))
    differences[np.concatenate(list(places.values()))] = good - bad
    return differences
