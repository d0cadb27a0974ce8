"""``python -m benchmarks``: measure, print tables, write OUT/bench.json, OUT/bench.md and figures."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks import (
    end_to_end,
    engines,
    features,
    first,
    growth,
    heads,
    judges,
    machine,
    minimal_pairs,
    regressions,
    speed,
    start,
)
from benchmarks.inputs import drawn
from benchmarks.real import RealMaps
from benchmarks.report import DISAGREES, Section, as_text, write
from benchmarks.texts import FOLDER, MISSING, read_pairs

Texts = list[tuple[str, str]]


def main() -> int:
    """Run what was asked for; the result is 1 if any two tools disagree about a number."""
    options = arguments()
    pairs = read_pairs(options.pairs)
    facts = machine.facts() | {"maps": REAL_MAPS if pairs else DRAWN_MAPS}
    if not pairs:
        print(f"no pairs in {options.pairs}: end to end {MISSING}", file=sys.stderr)
    sections: list[Section] = []
    for name, measure in SUITES.items():
        if options.only in (None, name):
            for section in measure(options.quick, options.out, pairs):
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
    parser.add_argument(
        "--pairs", type=Path, default=FOLDER, help="folder of real sentence pairs, as BLiMP"
    )
    parser.add_argument("--only", choices=list(SUITES), help="one part instead of all")
    return parser.parse_args()


def _speed(quick: bool, _out: Path, pairs: Texts) -> Iterator[Section]:
    source = RealMaps(pairs) if pairs else drawn
    yield from speed.run(speed.QUICK if quick else speed.Plan(), source)
    yield heads.run(quick, source)


def _growth(quick: bool, out: Path, _pairs: Texts) -> Iterator[Section]:
    yield from growth.run(quick, out)


def _start(quick: bool, out: Path, _pairs: Texts) -> Iterator[Section]:
    yield from start.run(quick, out)


def _first(quick: bool, _out: Path, _pairs: Texts) -> Iterator[Section]:
    yield first.run(quick)


def _engines(quick: bool, _out: Path, pairs: Texts) -> Iterator[Section]:
    if pairs and engines.ready():
        yield from engines.run(quick, pairs)
    else:
        print("no BLiMP and CoLA: engines are not compared", file=sys.stderr)


def _end_to_end(quick: bool, _out: Path, pairs: Texts) -> Iterator[Section]:
    if pairs:
        yield from end_to_end.run(quick, pairs)


def _pairs(quick: bool, _out: Path, pairs: Texts) -> Iterator[Section]:
    if pairs:
        yield from minimal_pairs.run(quick, pairs)


def _features(quick: bool, _out: Path, _pairs: Texts) -> Iterator[Section]:
    texts = features.read_texts(features.FOLDER)
    if texts:
        yield from features.run(quick, texts)
    else:
        print(f"no CoLA in {features.FOLDER}: features are not measured", file=sys.stderr)


def _judges(quick: bool, _out: Path, _pairs: Texts) -> Iterator[Section]:
    if judges.FOLDER.is_dir():
        yield from judges.run(quick)
    else:
        print(f"no corpora in {judges.FOLDER}: judges are not measured", file=sys.stderr)


def _regressions(quick: bool, _out: Path, _pairs: Texts) -> Iterator[Section]:
    yield from regressions.run(quick)


REAL_MAPS = "heads of bert-base-cased on BLiMP, longer texts made of its sentences; growth on drawn maps"
DRAWN_MAPS = (
    "drawn to look like the heads of an encoder (inputs.py); the targets were set on real attention"
)
SUITES = {
    "first": _first,
    "engines": _engines,
    "end-to-end": _end_to_end,
    "features": _features,
    "judges": _judges,
    "pairs": _pairs,
    "regressions": _regressions,
    "speed": _speed,
    "growth": _growth,
    "start": _start,
}

if __name__ == "__main__":
    sys.exit(main())
