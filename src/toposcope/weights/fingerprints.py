"""Fingerprints of models that were computed before: hashing weights takes longer than a sentence does.

A fingerprint is a function of files, so it stays as long as these look as they did (``seal`` says what that
means and what it catches). It is kept in the cache, in a file for each folder and pattern.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from toposcope.files import whole
from toposcope.weights import cache
from toposcope.weights.seal import Looks, look


class Fingerprint:
    """What is known of the fingerprint of the files of a folder whose names match a pattern."""

    def __init__(self, folder: Path, pattern: str) -> None:
        """E.g. ``*.safetensors``."""
        self.folder, self.pattern = folder.resolve(), pattern
        name = hashlib.sha256(str(self.folder / pattern).encode()).hexdigest()[:32]
        self.file = cache.home() / "fingerprints" / f"{name}.json"

    def __call__(self, compute: Callable[[], str]) -> str:
        """The fingerprint: the known one if the files look as they did then, else computed, and kept."""
        looks = self._looks()
        with suppress(OSError, ValueError, KeyError, TypeError):
            known = json.loads(self.file.read_bytes())
            if known["looks"] == looks and isinstance(known["fingerprint"], str):
                return known["fingerprint"]
        found = compute()
        with suppress(OSError):  # a cache that is only read: computed again next time
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with whole(self.file) as place:
                place.write_text(json.dumps({"looks": looks, "fingerprint": found}), encoding="utf-8")
        return found

    def _looks(self) -> dict[str, Looks]:
        return {file.name: look(file) for file in sorted(self.folder.glob(self.pattern))}
