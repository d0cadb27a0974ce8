"""Processor time per map against the tools people use today: same matrices, same run, one thread each."""

import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from math import ceil

import numpy as np

from benchmarks import ours, peers
from benchmarks.inputs import KINDS, Pairs, Source, awkward, drawn
from benchmarks.jobs import JOBS, OURS, Job
from benchmarks.report import DISAGREES, Row, Section, number, verdict
from benchmarks.timing import Runner, forecast, race, seconds

Past = dict[tuple[str, str], dict[int, float]]  # (job, tool) -> n -> seconds per map


@dataclass(frozen=True)
class Plan:
    """How much to measure. A peer that needs more than ``limit`` seconds for a map is left out."""

    sizes: tuple[int, ...] = (8, 11, 12, 20, 32, 64, 128, 256, 512)
    entries: int = 1_000_000  # of all our maps in one call
    most_maps: int = 4_000
    least_maps: int = 4 * KINDS
    rounds: int = 7
    patience: float = 2.5
    limit: float = 20.0
    per_call: float = 40.0  # seconds; a slow peer gets as many maps as fit in, but one of each kind


QUICK = Plan((8, 11, 32, 64), 200_000, 1_000, KINDS, 3, 0.3, 0.5, 1.0)
PEER_MAPS = 120  # enough for a mean
CALL = 0.003  # seconds; about what our calls take for short texts, see Runner
CLOSE = 1e-5  # relative; others add up in single precision


def run(plan: Plan, source: Source) -> list[Section]:
    """A section for each job."""
    rng = np.random.default_rng(0)
    rows: dict[str, list[Row]] = defaultdict(list)
    past: Past = defaultdict(dict)
    load(rng)
    for n in plan.sizes:
        pairs = source(map_count(plan, n), n, rng)
        for job in JOBS:
            print(f"speed: {job.name}, n = {n}", file=sys.stderr, flush=True)
            rows[job.name] += compare(job, pairs, plan, past)
    return [section(job, rows[job.name]) for job in JOBS]


def load(rng: np.random.Generator) -> None:
    """Let everybody import and compile what it needs, on a map of four tokens."""
    pairs = drawn(KINDS, 4, rng)
    for job in JOBS:
        job.ours(pairs, 1)
        for peer in peers.installed(job.peers).values():
            peer(job.prepare(pairs))


def map_count(plan: Plan, n: int) -> int:
    """Maps for one of our calls, all kinds of heads equally often."""
    count = min(plan.most_maps, max(plan.least_maps, plan.entries // n**2))
    return count // KINDS * KINDS


def compare(job: Job, pairs: Pairs, plan: Plan, past: Past) -> list[Row]:
    """Rows of all tools for one job at one size: first whether they agree, then how long they take."""
    n, matrices = pairs.a.shape[-1], job.prepare(pairs)
    rows = []
    runners = [Runner(OURS, [lambda: job.ours(pairs, 1)], len(pairs.a))]
    for tool, peer in peers.installed(job.peers).items():
        one = seconds_for_one(peer, matrices, past[job.name, tool], plan.limit)
        if one > plan.limit:
            past[job.name, tool][n] = one
            rows.append(Row(job.name, n, tool, note=f"left out, about {one:,.0f} s a map"))
            continue
        cheap = one * PEER_MAPS < plan.patience
        first = _first(pairs, PEER_MAPS if cheap else KINDS)
        agrees, each = check(job, peer, first)
        if cheap and tool == job.reference:
            agrees = agrees and check(job, peer, awkward(_first(pairs, 4 * KINDS)))[0]
        if agrees:
            maps = _peer_maps(plan, each, len(matrices))
            runners.append(_theirs(tool, peer, matrices[:maps], each))
        else:
            rows.append(Row(job.name, n, tool, verdict=DISAGREES, note="other numbers than ours"))
    times = race(runners, plan.rounds, plan.patience, time.process_time)
    own = times[OURS] / job.shared
    rows.append(_our_row(job, n, len(pairs.a), own, times.get(job.reference)))
    for runner in runners[1:]:
        taken = past[job.name, runner.tool][n] = times[runner.tool]
        rows.append(Row(job.name, n, runner.tool, taken * 1e6, taken / own, threads=1, maps=runner.maps))
    return rows


def seconds_for_one(
    peer: peers.Peer, matrices: list[np.ndarray], past: dict[int, float], most: float
) -> float:
    """Seconds a peer needs for a map: foretold if that is more than allowed, else measured."""
    foretold = forecast(past, len(matrices[0]))
    return foretold if foretold > most else seconds(lambda: peer(matrices[:1]))


def check(job: Job, peer: peers.Peer, pairs: Pairs) -> tuple[bool, float]:
    """Whether a peer finds the same numbers as we do, so that a fast wrong answer cannot win.

    Also how many seconds it took for each map, to know how many there is time for.
    """
    matrices = job.prepare(pairs)
    start = time.perf_counter()
    found = peer(matrices)
    each = (time.perf_counter() - start) / len(found)
    theirs = np.array([job.total(bars) for bars in found])
    return np.allclose(ours.totals(job.ours(pairs, 1)), theirs, rtol=CLOSE, atol=CLOSE), each


def section(job: Job, rows: list[Row]) -> Section:
    """The table of one job: a line for each size, a column for each tool."""
    present = {row.tool for row in rows}
    tools = [tool for tool in (OURS, *job.peers) if tool in present]
    at = {(row.n, row.tool): row for row in rows}
    header = ["n", *tools, f"vs {job.reference}", "target", "verdict"]
    cells = []
    for n in dict.fromkeys(row.n for row in rows):
        own, times = at[n, OURS], [_cell(at.get((n, tool))) for tool in tools]
        ratio = "-" if own.ratio is None else f"{own.ratio:.0f}x"
        cells.append([str(n), *times, ratio, own.target or "", own.verdict or ""])
    notes = [f"{row.tool} at n = {row.n}: {row.note}." for row in rows if row.note]
    notes += [f"{tool} is not installed." for tool in peers.missing() if tool in job.peers]
    title = f"{job.name}: microseconds of processor time per map, one thread"
    return Section(title, job.remark, header, cells, rows, notes + job.notes)


def _our_row(job: Job, n: int, maps: int, own: float, reference: float | None) -> Row:
    ratio = None if reference is None else reference / own
    least = job.targets.get(n)
    target = f">= {least}x" if least else None
    judged = None
    if least:
        judged = verdict(ratio >= least) if ratio else "not measured"
    return Row(job.name, n, OURS, own * 1e6, ratio, target, judged, threads=1, maps=maps)


def _first(pairs: Pairs, maps: int) -> Pairs:
    return Pairs(pairs.a[:maps], pairs.b[:maps])


def _peer_maps(plan: Plan, each: float, count: int) -> int:
    maps = int(min(count, PEER_MAPS, plan.per_call / each))
    return max(KINDS, maps // KINDS * KINDS)


def _theirs(tool: str, peer: peers.Peer, matrices: list[np.ndarray], each: float) -> Runner:
    step = ceil(CALL / each)
    parts = [matrices[k : k + step] for k in range(0, len(matrices), step)]
    return Runner(tool, [lambda part=part: peer(part) for part in parts], len(matrices))


def _cell(row: Row | None) -> str:
    if row is None:
        return "-"
    return DISAGREES if row.verdict == DISAGREES else number(row.microseconds)
