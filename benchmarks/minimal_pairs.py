"""A benchmark of minimal pairs: H0M and RTD of all heads, from raw text, and what all of BLiMP takes."""

import sys
from collections.abc import Iterator

import numpy as np
import torch

import toposcope as ts
from benchmarks import machine
from benchmarks.end_to_end import timed
from benchmarks.jobs import OURS
from benchmarks.real import MODEL
from benchmarks.report import Row, Section, verdict
from benchmarks.texts import stretches
from benchmarks.timing import Watch
from toposcope.pairs.measures import pair_spec
from toposcope.pairs.profile import profile_named

COUNT, QUICK_COUNT = 2_250, 90
STRETCH = 90  # pairs of equal length that all of BLiMP gives to one batch, about
BLIMP = 67_000  # pairs
MINUTES, TOPOLOGY_SECONDS = 45, 60


def run(quick: bool, pairs: list[tuple[str, str]]) -> Iterator[Section]:
    """One table: what the votes need, then also what the weighted heads need."""
    torch.set_num_threads(machine.cores())
    scope = ts.load(MODEL)
    lengths = np.array([scope.token_counts(side) for side in zip(*pairs, strict=True)])
    some = stretches(lengths, QUICK_COUNT if quick else COUNT, STRETCH)
    good, bad = zip(*(pairs[place] for place in some), strict=True)
    rows, cells = [], []
    for words, measure in (("H0M and RTD", "h0m+rtd"), ("19 columns a head", "topology")):
        print(f"pairs: {words}", file=sys.stderr, flush=True)
        watch = Watch(pair_spec(measure, profile_named("strict"), scope.causal))
        scope.measure_pairs(good[:20], bad[:20], watch)  # everybody is awake
        watch.seconds = 0
        taken, _ = timed(lambda watch=watch: scope.measure_pairs(good, bad, watch))
        each, topology = taken / len(good), watch.seconds / len(good)
        minutes, seconds = BLIMP * each / 60, BLIMP * topology
        reached = [verdict(minutes <= MINUTES)]
        cell = [
            words,
            f"{1e3 * each:.1f}",
            f"{1e3 * topology:.2f}",
            f"{minutes:.1f} min",
            f"{seconds:.0f} s",
        ]
        targets = f"<= {MINUTES} min"
        if measure == "h0m+rtd":
            reached.append(verdict(seconds <= TOPOLOGY_SECONDS))
            targets += f", topology <= {TOPOLOGY_SECONDS} s"
        judged = reached[0] if len(set(reached)) == 1 else ", ".join(reached)
        rows.append(Row(words, None, OURS, each * 1e6, None, targets, judged))
        cells.append([*cell, targets, judged])
    remark = (
        f"All {scope.layers * scope.heads} heads of {scope.name} on {len(good):,} pairs of BLiMP, float32, "
        f"{torch.get_num_threads()} threads. They are stretches of {STRETCH} out of all pairs sorted by "
        f"length, so batches are as full as in a run over all {BLIMP:,}, whose time is told by theirs."
    )
    header = [
        "what",
        "ms per pair",
        "of it topology",
        "all of BLiMP",
        "of it topology",
        "target",
        "verdict",
    ]
    yield Section("Minimal pairs: text in, readings of all heads out", remark, header, cells, rows)
