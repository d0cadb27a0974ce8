"""How time and memory grow: with the number of tokens, and how time shrinks with threads."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks import figures, machine, memory, ours
from benchmarks.inputs import KINDS, drawn
from benchmarks.jobs import JOBS, OURS
from benchmarks.report import DISAGREES, Row, Section, number
from benchmarks.timing import Runner, race

SIZES = (8, 16, 32, 64, 128, 256, 512, 1024, 2048)
QUICK_SIZES = (8, 32, 128)
THREADED_SIZES = (11, 512)  # a sentence and a long text
QUICK_THREADED_SIZES = (11, 128)
ENTRIES = 1_000_000  # of the maps of one call
LEAST_MAPS = 2 * KINDS  # heads differ: with fewer, the curve would show whom the dice chose
THREADED_ENTRIES = 8_000_000  # more, or the last piece of work would be most of what is measured
ROUNDS = 5
QUIET = 1.2  # load of a machine that runs this benchmark and nothing else
PATIENCE = 4.0  # seconds for each job


def run(quick: bool, out: Path) -> Iterator[Section]:
    """Time against n, time against threads, memory; and the figure of the first two."""
    times = against_size(QUICK_SIZES if quick else SIZES)
    yield times
    speedups = against_threads(QUICK_THREADED_SIZES if quick else THREADED_SIZES)
    yield speedups
    figures.draw_growth(times.rows, speedups.rows, out)
    yield memory.run(quick)


def against_size(sizes: tuple[int, ...]) -> Section:
    """Microseconds per map, one thread."""
    rng = np.random.default_rng(2)
    rows = []
    for n in sizes:
        print(f"growth: n = {n}", file=sys.stderr, flush=True)
        count = max(LEAST_MAPS, min(2_000, ENTRIES // n**2))
        pairs = drawn(count, n, rng)
        runners = [
            Runner(job.name, [lambda job=job, pairs=pairs: job.ours(pairs, 1)], count) for job in JOBS
        ]
        times = race(runners, ROUNDS, PATIENCE, time.process_time)
        rows += [Row(job, n, OURS, taken * 1e6, threads=1, maps=count) for job, taken in times.items()]
    at = {(row.n, row.job): number(row.microseconds) for row in rows}
    cells = [[str(n), *(at[n, job.name] for job in JOBS)] for n in sizes]
    remark = (
        "On drawn maps, since our model takes 512 tokens at most; RTD is both directions."
        "\n\n![Time against length](growth.svg)"
    )
    title = "Growth with the number of tokens: microseconds per map, one thread"
    return Section(title, remark, ["n", *(job.name for job in JOBS)], cells, rows)


def against_threads(sizes: tuple[int, ...]) -> Section:
    """Speed-up over one thread, after a look that every number of threads gives the same result."""
    rng = np.random.default_rng(3)
    threads = range(1, machine.cores() + 1)
    load = machine.load()
    rows = []
    for n in sizes:
        count = max(4 * KINDS, min(20_000, THREADED_ENTRIES // n**2))
        pairs = drawn(count, n, rng)
        for job in JOBS:
            print(f"growth: threads, {job.name}, n = {n}", file=sys.stderr, flush=True)
            work = job.ours
            alone = ours.values(work(pairs, 1))
            same = {t: np.array_equal(alone, ours.values(work(pairs, t)), equal_nan=True) for t in threads}
            runners = [
                Runner(str(t), [lambda t=t, work=work, pairs=pairs: work(pairs, t)], count) for t in threads
            ]
            times = race(runners, ROUNDS, PATIENCE)
            rows += [
                Row(
                    job.name, n, OURS, times[str(t)] * 1e6, times["1"] / times[str(t)],
                    verdict="identical" if same[t] else DISAGREES, threads=t, maps=count,
                )
                for t in threads
            ]  # fmt: skip
    cells = [
        [row.job, str(row.n), str(row.threads), number(row.microseconds), f"{row.ratio:.2f}x", row.verdict]
        for row in rows
    ]
    header = ["job", "n", "threads", "us per map", "speed-up", "results"]
    remark = "Results are compared bit by bit with those of one thread."
    return Section("Growth with threads", remark, header, cells, rows, busy_note(load))


def busy_note(load: float | None) -> list[str]:
    """A warning if others were computing: then there were no free cores to win."""
    if load is None or load < QUIET:
        return []
    return [
        f"{load:.1f} cores were at work on average before this, ours among them; speed-ups may be too low."
    ]
