"""The regressions of judges and pairs beside scikit-learn and skglm: the same problems, the same optimum.

What is not at least three times faster than a library has no right to be ours.
"""

import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from time import process_time

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.jobs import OURS
from benchmarks.report import DISAGREES, Row, Section, number, verdict
from benchmarks.timing import Runner, race
from toposcope.judge.parts import STRENGTHS
from toposcope.judge.ranking import PATH
from toposcope.pairs.weighted import STRENGTHS as PAIR_STRENGTHS
from toposcope.stats.lasso import TOLERANCE, lasso
from toposcope.stats.ridge import ridge

FASTER = 3
ROUNDS = 5
PATIENCE = 30.0  # seconds for each tool
AGREE = 1e-4  # of the objective
FACTORS = 20  # that columns share: heads say much the same
FEW_COLUMNS = 500  # up to which Newton's matrix of second derivatives is an option


@dataclass(frozen=True, eq=False)
class Problem:
    """Minimise penalty(w) + C sum_i s_i log(1 + exp(-y_i (x_i w + b))) for every sample s and every C."""

    name: str
    values: np.ndarray
    labels: np.ndarray
    importance: np.ndarray = field(repr=False)  # (rows, samples), 0 and 1
    strengths: np.ndarray
    kinked: bool = False  # |w|_1 instead of |w|^2 / 2
    bias: bool = True

    def objectives(self, weights: np.ndarray) -> np.ndarray:
        """Of weights (columns + 1, samples, strengths)."""
        weights = weights.astype(np.float64)
        logits = np.tensordot(self.values.astype(np.float64), weights[:-1], 1) + weights[-1]
        losses = np.logaddexp(0, logits) - self.labels[:, None, None] * logits
        lost = self.strengths * np.einsum("is,isk->sk", self.importance, losses)
        return lost + (np.abs(weights[:-1]).sum(0) if self.kinked else (weights[:-1] ** 2).sum(0) / 2)


Solver = Callable[[Problem], np.ndarray]


def problems(quick: bool) -> Iterator[Problem]:
    """What the package asks for, at its sizes."""
    size = 8 if quick else 1
    values, labels = drawn(2000 // size, 1500 // size)
    fold = np.arange(len(labels)) % 5
    left_out = [(a, b) for a in range(5) for b in range(a + 1)]  # one fold, and any two: nested
    importance = np.stack([(fold != a) & (fold != b) for a, b in left_out], axis=1).astype(float)
    yield Problem("ridge of a judge", values, labels, importance, STRENGTHS)

    values, labels = drawn(1000 // size, 400 // size)
    folds = np.stack([np.arange(len(labels)) % 5 != k for k in range(5)], axis=1).astype(float)
    yield Problem("ridge of pairs", values, labels, folds, np.array(PAIR_STRENGTHS), bias=False)

    for rows, columns in ((1000, 144), (2000, 432)):
        values, labels = drawn(rows // size, columns // size)
        first_in = 1 / np.abs((labels - labels.mean()).astype(np.float32) @ values).max()
        everything = np.ones((len(labels), 1))
        yield Problem("lasso path of heads", values, labels, everything, first_in * PATH, kinked=True)


def drawn(rows: int, columns: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Standardised columns that share some factors, and labels that hang on a few of them."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((rows, FACTORS)) @ rng.standard_normal((FACTORS, columns)) / 2
    values += rng.standard_normal((rows, columns))
    logits = values[:, :5].sum(1) / 10 + 0.8 + rng.logistic(size=rows)
    return ((values - values.mean(0)) / values.std(0)).astype(np.float32), (logits > 0).astype(int)


def ours(problem: Problem) -> np.ndarray:
    """All at once, or along the path."""
    solve = lasso if problem.kinked else partial(ridge, bias=problem.bias)
    return solve(problem.values, problem.labels, problem.importance, problem.strengths)


def scikit_learn(solver: str, problem: Problem, **options: float) -> np.ndarray:
    """One after the other, each from where the weaker strength ended."""
    from sklearn.linear_model import LogisticRegression

    def path(values: np.ndarray, labels: np.ndarray) -> Iterator[np.ndarray]:
        model = LogisticRegression(
            solver=solver, l1_ratio=float(problem.kinked), fit_intercept=problem.bias, warm_start=True,
            max_iter=1000, **options,
        )  # fmt: skip
        for strength in problem.strengths:
            model.C = strength
            model.fit(values, labels)
            yield np.append(model.coef_.ravel(), model.intercept_)

    return _each_sample(problem, path)


def skglm(problem: Problem) -> np.ndarray:
    """One strength after the other, at our tolerance in its units."""
    from skglm import SparseLogisticRegression

    def path(values: np.ndarray, labels: np.ndarray) -> Iterator[np.ndarray]:
        columns = np.asfortranarray(values)  # as it wants them
        model = SparseLogisticRegression(warm_start=True, fit_intercept=problem.bias, max_iter=50)
        for strength in problem.strengths:
            model.alpha = 1 / (strength * len(values))
            model.tol = TOLERANCE * model.alpha
            model.fit(columns, labels)
            yield np.append(model.coef_.ravel(), model.intercept_)

    return _each_sample(problem, path)


def _each_sample(
    problem: Problem, path: Callable[[np.ndarray, np.ndarray], Iterator[np.ndarray]]
) -> np.ndarray:
    samples = problem.importance.T > 0
    found = [list(path(problem.values[rows], 2 * problem.labels[rows] - 1)) for rows in samples]
    return np.moveaxis(np.array(found), -1, 0)


def peers(problem: Problem) -> dict[str, Solver]:
    """Who solves the same problem."""
    if problem.kinked:
        # Its liblinear penalises the bias as well; of a large constant that is next to nothing.
        liblinear = partial(scikit_learn, "liblinear", intercept_scaling=100)
        return {"skglm": skglm, "scikit-learn liblinear": liblinear}
    found: dict[str, Solver] = {"scikit-learn lbfgs": partial(scikit_learn, "lbfgs")}
    if problem.values.shape[1] <= FEW_COLUMNS:
        found["scikit-learn newton"] = partial(scikit_learn, "newton-cholesky")
    return found


def run(quick: bool) -> Iterator[Section]:
    """One table."""
    rows, cells, notes = [], [], []
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of those that stop before their tolerance; the objective tells
        for problem in problems(quick):
            shape = " x ".join(f"{n:,}" for n in problem.values.shape)
            print(f"regressions: {problem.name}, {shape}", file=sys.stderr, flush=True)
            found = measure(problem, 1 if quick else ROUNDS)
            rows += found
            cells += [_cells(row, shape, problem) for row in found]
            notes += [f"{row.job}, {shape}: {row.tool} {row.note}" for row in found if row.note]
    remark = (
        "Columns that share factors, as heads do; a sample is what is left of the rows without a fold or "
        "two. Ours solves all samples and strengths together (ridge) or goes along the path (lasso); the "
        "libraries start each strength where the last ended, and skglm has no ridge. One thread, compiled "
        "before."
    )
    header = ["job", "rows x columns", "samples x strengths", "tool", "ms", "ratio", "target", "verdict"]
    yield Section("Regressions: milliseconds of processor time", remark, header, cells, rows, notes)


def measure(problem: Problem, rounds: int) -> list[Row]:
    """Ours and the others, and whether they found the same."""
    tools: dict[str, Solver] = {OURS: ours, **peers(problem)}
    some = replace(problem, values=problem.values[:, :10])
    solved: dict[str, np.ndarray] = {}

    def solve(tool: str) -> None:
        solved[tool] = tools[tool](problem)

    for solver in tools.values():
        solver(some)  # compiled
    times = race(
        [Runner(tool, [partial(solve, tool)], 1) for tool in tools], rounds, PATIENCE, process_time
    )
    reached = {tool: problem.objectives(weights) for tool, weights in solved.items()}
    best = np.min(list(reached.values()), axis=0)
    off = {tool: float((found / best - 1).max()) for tool, found in reached.items()}
    nearest = min(times[tool] for tool in tools if tool != OURS) / times[OURS]
    rows = []
    for tool, taken in times.items():
        target, said, ratio = None, None, taken / times[OURS]
        if tool == OURS:
            target, said, ratio = f">= {FASTER}x", verdict(nearest >= FASTER), nearest
        note = None if off[tool] <= AGREE else f"ends {off[tool]:.1e} of the objective above the best"
        said = said if note is None else DISAGREES
        rows.append(
            Row(problem.name, len(problem.values), tool, taken * 1e6, ratio, target, said, 1, note=note)
        )
    return rows


def _cells(row: Row, shape: str, problem: Problem) -> list[str]:
    many = f"{problem.importance.shape[1]} x {len(problem.strengths)}"
    return [
        row.job, shape, many, row.tool, number(row.microseconds / 1e3), f"{row.ratio:.1f}x",
        row.target or "", row.verdict or "",
    ]  # fmt: skip
