"""How many auxiliary pairs does it take? Heads chosen on ever more of them (appendix of the paper)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa

from toposcope.data.minimal_pairs import places_in_group
from toposcope.experiments.lab import Lab
from toposcope.experiments.published_pairs import BLIMP_PHENOMENA
from toposcope.experiments.readings import PairReadings, benchmark, joined_table, read_model
from toposcope.experiments.records import write_record
from toposcope.experiments.results import AuxiliaryResult, Score
from toposcope.experiments.settings import PAIR_MODELS
from toposcope.experiments.table2 import BRIEF
from toposcope.pairs.accuracy import pair_accuracy
from toposcope.pairs.measures import pair_spec
from toposcope.pairs.profile import profile_named
from toposcope.pairs.select import Method, choose
from toposcope.pairs.table import PairTable
from toposcope.store import Job, run

COUNTS = (1, 5, *range(10, 101, 10))
DRAWS = 10
METHODS: dict[str, Method] = {"h0m": "ensemble", "rtd": "ensemble", "topology": "weighted"}
OVERALL = "overall"


def run_aux_data(
    lab: Lab,
    limit: int | None = None,
    model: str = PAIR_MODELS[0],
    counts: Sequence[int] = COUNTS,
    draws: int = DRAWS,
) -> AuxiliaryResult:
    """Read the pairs, choose heads on ever more of them, and write the results beside the page."""
    every, auxiliary = benchmark(lab.data)
    count = BRIEF if limit is None else limit
    pairs = every.first(count) if count else every
    folder = lab.work / Path(model).name
    asked = read_model(model, pairs, folder / f"blimp-{len(pairs)}", lab)
    chosen_on = read_model(model, auxiliary, folder / "auxiliary", lab)
    result = auxiliary_result(chosen_on, asked, folder / f"aux-data-{len(pairs)}", lab, counts, draws)
    return write_record(lab.docs / "aux-data.json", result)


def auxiliary_result(
    auxiliary: PairReadings,
    asked: PairReadings,
    folder: Path,
    lab: Lab,
    counts: Sequence[int] = COUNTS,
    draws: int = DRAWS,
) -> AuxiliaryResult:
    """Accuracy by measure, number of pairs a paradigm and draw; what is done is kept."""
    parts = {f"{measure}, {count} a paradigm": (measure, count) for measure in METHODS for count in counts}

    @cache
    def tables(measure: str) -> tuple[PairTable, PairTable]:
        columns = pair_spec(measure, profile_named("strict"), asked.causal).columns
        chosen_on, all_asked = (
            joined_table(part.only(columns) for part in one.heads()) for one in (auxiliary, asked)
        )
        return chosen_on, all_asked

    def make(name: str) -> pa.Table:
        measure, count = parts[name]
        return pa.Table.from_pylist(
            [_draw(measure, count, draw, *tables(measure)) for draw in range(draws)]
        )

    key = {
        "what": "how many auxiliary pairs it takes", "asked": asked.key, "auxiliary": auxiliary.key,
        "parts": sorted(parts), "draws": draws,
    }  # fmt: skip
    table = run(Job(key, tuple(parts), make), folder, lab.tell)
    curves: dict[str, dict[str, tuple[Score, ...]]] = {}
    for k, measure in enumerate(METHODS):
        own = table.slice(k * len(counts) * draws, len(counts) * draws)
        curves[measure] = {
            what: tuple(_mean(own.column(what).to_numpy().reshape(len(counts), draws)))
            for what in (OVERALL, *BLIMP_PHENOMENA)
        }
    return AuxiliaryResult(asked.model, len(asked), draws, tuple(counts), curves)


def _draw(measure: str, count: int, draw: int, chosen_on: PairTable, asked: PairTable) -> dict[str, float]:
    """What heads reach that were chosen on some of the auxiliary pairs."""
    some = chosen_on.take(drawn(chosen_on, count, draw))
    chooser = choose(some, METHODS[measure], chosen_on.columns, "strict", seed=draw)
    found = pair_accuracy(chooser.prefer(asked).credits, asked.pairs)
    return {OVERALL: found.overall.value} | {term: found.phenomena[term].value for term in BLIMP_PHENOMENA}


def drawn(table: PairTable, count: int, draw: int) -> np.ndarray:
    """Places of ``count`` pairs of each paradigm, drawn at random; all of a paradigm that has fewer."""
    order = np.random.default_rng([count, draw]).permutation(len(table))
    return np.sort(order[places_in_group(table.pairs.paradigms[order]) < count])


def _mean(values: np.ndarray) -> list[Score]:
    """Mean and standard deviation over the draws, in percent."""
    means, spreads = 100 * np.mean(values, axis=1), 100 * np.std(values, axis=1, ddof=1)
    return [Score(m, spread=s) for m, s in zip(means.tolist(), spreads.tolist(), strict=True)]
