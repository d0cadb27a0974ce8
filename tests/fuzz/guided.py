"""Mutants that go where code was not yet: ``pip install atheris``, ``python -m tests.fuzz.guided``.

Its options are those of libFuzzer, such as ``-max_total_time=120`` or ``-runs=10000``.
"""

import importlib
import pkgutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from toposcope import kernels

WATCHED = (
    "facts", "data.rows", "data.readers", "data.minimal_pairs", "features.spec", "features.table",
    "judge.evidence", "judge.judge", "pairs.choosers", "pairs.readings", "pairs.selection", "pairs.table",
)  # fmt: skip

TOLD = 1000  # mutants between two lines


class Bytes:
    """Chance of atheris."""

    def __init__(self, provider) -> None:
        self.provider = provider

    def number(self, most: int) -> int:
        return self.provider.ConsumeIntInRange(0, most)


def main() -> None:
    """Until an option or Ctrl-C ends it; an outcome that should not be is told with its bytes."""
    import atheris

    for kernel in pkgutil.iter_modules(kernels.__path__, "toposcope.kernels."):
        importlib.import_module(kernel.name)  # before: what is compiled cannot be watched
    with atheris.instrument_imports(include=[f"toposcope.{name}" for name in WATCHED]):
        victims = importlib.import_module("tests.fuzz.victims").VICTIMS
    folder, outcomes = Path(tempfile.mkdtemp()), Counter()

    def one(content: bytes) -> None:
        choices = Bytes(atheris.FuzzedDataProvider(content))
        name = list(victims)[choices.number(len(victims) - 1)]
        outcomes[victims[name](choices, folder)] += 1
        if outcomes.total() % TOLD == 0:
            print(dict(outcomes), flush=True)

    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
