"""``python -m benchmarks``: measure, print tables, write OUT/bench.json, OUT/bench.md and figures."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks import growth, heads, machine, speed, start
from benchmarks.report import DISAGREES, Section, as_text, write


def main() -> int:
    """Run what was asked for; the result is 1 if any two tools disagree about a number."""
    options = arguments()
    facts = machine.facts() | {"maps": MAPS}
    sections: list[Section] = []
    for name, measure in SUITES.items():
        if options.only in (None, name):
            for section in measure(options.quick, options.out):
                sections.append(section)
                print(as_text(section), flush=True)
                write(options.out, facts, sections)  # now, or a failure would take it along
    print(f"\nwritten: {options.out / 'bench.json'}, {options.out / 'bench.md'}")
    return int(any(row.verdict == DISAGREES for section in sections for row in section.rows))


def arguments() -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, few repetitions: a minute")
    parser.add_argument("--out", type=Path, default=Path("out/bench"), help="folder of the results")
    parser.add_argument("--only", choices=list(SUITES), help="one part instead of all")
    return parser.parse_args()


def _speed(quick: bool, _out: Path) -> Iterator[Section]:
    yield from speed.run(speed.QUICK if quick else speed.Plan())
    yield heads.run(quick)


MAPS = "drawn to look like the heads of an encoder (inputs.py); the targets were set on real attention"
SUITES = {"speed": _speed, "growth": growth.run, "start": start.run}

if __name__ == "__main__":
    sys.exit(main())
