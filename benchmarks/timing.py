"""Clocks: the best of several runs, taken in turns."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log
from typing import Any

Clock = Callable[[], float]

TURN = 0.05  # seconds


@dataclass(frozen=True)
class Runner:
    """A tool at the start line: calls that together treat ``maps`` maps.

    The best time is kept for each call, so calls of different tools should be about equally long:
    a disturbance always finds its way into a long one, and the best of it is still too slow.
    """

    tool: str
    calls: list[Callable[[], Any]]
    maps: int


@dataclass
class Watch:
    """A measure of maps that remembers how long it took."""

    measure: Callable[..., Any]
    seconds: float = 0.0

    def __call__(self, *buckets: Any) -> Any:
        """The measure itself."""
        start = time.perf_counter()
        values = self.measure(*buckets)
        self.seconds += time.perf_counter() - start
        return values


def seconds(work: Callable[[], Any], clock: Clock = time.perf_counter) -> float:
    """How long one call takes."""
    start = clock()
    work()
    return clock() - start


def race(
    runners: list[Runner], rounds: int, patience: float, clock: Clock = time.perf_counter
) -> dict[str, float]:
    """Best seconds per map of each tool.

    All have a turn in each round, so that a noisy moment on the machine hits all alike, and quick
    calls are repeated within a turn. A tool that has used up its patience (seconds) sits out the
    other rounds. With ``time.process_time`` as the clock, waiting for a busy core does not count,
    and the work of secret threads does: the fair clock where everybody has one thread.
    """
    best = {runner.tool: [inf] * len(runner.calls) for runner in runners}
    spent = dict.fromkeys(best, 0.0)
    for _ in range(rounds):
        for runner in runners:
            if spent[runner.tool] < patience:
                spent[runner.tool] += _turn(runner, best[runner.tool], clock)
    return {runner.tool: sum(best[runner.tool]) / runner.maps for runner in runners}


def _turn(runner: Runner, best: list[float], clock: Clock) -> float:
    """Make all calls, again if they are quick; note the best of each and return what was spent."""
    spent = 0.0
    while spent < TURN:
        for k, call in enumerate(runner.calls):
            taken = seconds(call, clock)
            best[k] = min(best[k], taken)
            spent += taken
    return spent


def forecast(past: dict[int, float], n: int) -> float:
    """Seconds per map to expect at n from those at smaller sizes, so that hopeless calls are not made.

    The growth of the last step goes on, taken to be between n^2 and n^4.
    """
    if not past:
        return 0.0
    *before, last = sorted(past)
    power = 2.0
    if before:
        power = min(4.0, max(power, log(past[last] / past[before[-1]]) / log(last / before[-1])))
    return past[last] * (n / last) ** power
