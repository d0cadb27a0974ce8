"""Many mutants by hand: ``python -m tests.fuzz [COUNT] [SEED]``."""

import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

from tests.fuzz.mutants import Dice
from tests.fuzz.victims import VICTIMS


def main(count: int, seed: int) -> None:
    """Mutants in turn; the first that ends otherwise than it should is told with its seed."""
    warnings.simplefilter("error")
    begun, outcomes = time.process_time(), Counter()
    with tempfile.TemporaryDirectory() as name:
        for k in range(count):
            victim = list(VICTIMS)[k % len(VICTIMS)]
            try:
                outcomes[victim, VICTIMS[victim](Dice(seed + k), Path(name))] += 1
            except BaseException:
                print(f"{victim}: mutant {seed + k}")
                raise
    for (victim, outcome), times in sorted(outcomes.items()):
        print(f"{victim:<20} {outcome:<15} {times:>6}")
    print(f"{count} mutants from seed {seed} on, {time.process_time() - begun:.0f} s of CPU")


if __name__ == "__main__":
    given = [int(argument) for argument in sys.argv[1:]]
    main(*(given + [10_000, 0][len(given) :]))
