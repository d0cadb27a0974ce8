"""A sentence at once: the 144 heads of a 12 x 12 model in one call, against a call for each head."""

import sys

import numpy as np

from benchmarks import machine, peers
from benchmarks.inputs import Pairs, Source
from benchmarks.jobs import JOBS, OURS, RTD, Job
from benchmarks.report import Row, Section, number, verdict
from benchmarks.timing import Runner, race

HEADS = 144
SIZES = (11, 512)
SHORT = 64  # tokens; on longer texts the other tools would be busy for minutes
RTD_SECONDS = 0.6  # target for all heads of 512 tokens, both directions, one thread
ROUNDS = 7
PATIENCE = 2.0  # seconds for each tool


def run(quick: bool, source: Source) -> Section:
    """Milliseconds for all heads."""
    rng = np.random.default_rng(1)
    rows: list[Row] = []
    for n in SIZES[:1] if quick else SIZES:
        pairs = source(HEADS, n, rng)
        for job in JOBS:
            print(f"speed: {HEADS} heads, {job.name}, n = {n}", file=sys.stderr, flush=True)
            rows += measure(job, pairs)
    remark = (
        "All heads in one call of ours, with what Python costs, against one call for each head of the "
        f"tool to beat (up to n = {SHORT}). RTD is both directions here: the other tool's time is "
        "doubled. Ratios are to one thread of ours. Calls too small to gain from threads use one anyway."
    )
    header = ["job", "n", "tool", "threads", "ms", "ratio", "target", "verdict"]
    title = f"{HEADS} heads at once: milliseconds"
    return Section(title, remark, header, [_cells(row) for row in rows], rows)


def measure(job: Job, pairs: Pairs) -> list[Row]:
    """Ours with one thread and with all, and the tool to beat on short texts."""
    n, name = pairs.a.shape[-1], f"{job.name}, {HEADS} heads"
    runners = [
        Runner(f"{OURS}:{threads}", [lambda threads=threads: job.ours(pairs, threads)], 1)
        for threads in sorted({1, machine.cores()})
    ]
    if n <= SHORT and job.reference in peers.installed(job.peers):
        matrices, peer = job.prepare(pairs), job.peers[job.reference]
        runners.append(Runner(f"{job.reference}:1", [lambda: peer(matrices)], 1))
    times = race(runners, ROUNDS, PATIENCE)
    rows = []
    for runner in runners:
        tool, _, threads = runner.tool.partition(":")
        taken, target, reached, ratio = times[runner.tool], None, None, None
        if tool == job.reference:
            taken *= job.shared
            ratio = taken / times[f"{OURS}:1"]
        elif (job, n, threads) == (RTD, 512, "1"):
            target, reached = f"<= {RTD_SECONDS} s", verdict(taken <= RTD_SECONDS)
        rows.append(Row(name, n, tool, taken * 1e6, ratio, target, reached, int(threads), HEADS))
    return rows


def _cells(row: Row) -> list[str]:
    ratio = "" if row.ratio is None else f"{row.ratio:.0f}x"
    return [
        row.job.partition(",")[0], str(row.n), row.tool, str(row.threads), number(row.microseconds / 1e3),
        ratio, row.target or "", row.verdict or "",
    ]  # fmt: skip
