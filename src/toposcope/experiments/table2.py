"""Table 2: which sentence of a minimal pair is the good one, by all ways of choosing heads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa

from toposcope.data.minimal_pairs import Pairs, places_in_group
from toposcope.data.named import generated_pairs
from toposcope.experiments.data import model_place
from toposcope.experiments.lab import Lab
from toposcope.experiments.likelihoods import likelihood_differences
from toposcope.experiments.published_pairs import BLIMP_PHENOMENA
from toposcope.experiments.readings import PairReadings, benchmark, joined_table, read_model
from toposcope.experiments.records import write_record
from toposcope.experiments.results import (
    LikelihoodResult,
    ModelResult,
    PairScores,
    Score,
    Way,
    WayDifference,
    WayResult,
)
from toposcope.experiments.settings import PAIR_MODELS
from toposcope.experiments.ways import AND, ENSEMBLE, LENGTH, OURS, SINGLE, STATES, name_of, ways_of
from toposcope.pairs.accuracy import calibration_error, pair_accuracy, pair_difference
from toposcope.pairs.choosers import (
    Chooser,
    Committee,
    PhenomenonHeads,
    Preference,
    Voter,
    WeightedHeads,
    together,
    weighed,
)
from toposcope.pairs.measures import pair_spec
from toposcope.pairs.profile import profile_named
from toposcope.pairs.select import choose
from toposcope.pairs.transfer import choosers_without, prefer_all
from toposcope.store import Job, run
from toposcope.topology.head import Head

BRIEF = 200  # pairs a paradigm for the other models
LIKELIHOOD = 100  # pairs a paradigm for the language model itself
GENERATED = 55  # pairs a paradigm of our own, about as many as the auxiliary ones in all
Sources = Mapping[str, Sequence[PairReadings]]


def run_table2(lab: Lab, models: Sequence[str] = (), limit: int | None = None) -> Iterator[ModelResult]:
    """Read the pairs, choose heads, ask them, and write the results of each model beside the page.

    Those of the main model are written again when its likelihoods, which take long, are there too.
    """
    every, auxiliary = benchmark(lab.data)
    for model in models or PAIR_MODELS:
        main = model == PAIR_MODELS[0]
        count = (0 if main else BRIEF) if limit is None else limit
        pairs = every.first(count) if count else every
        own = generated_pairs(GENERATED) if main else None
        for result in run_model(model, pairs, auxiliary, lab, own):
            yield write_record(model_place(lab.docs, model), result)


def run_model(
    model: str,
    pairs: Pairs,
    auxiliary: Pairs,
    lab: Lab,
    own: Pairs | None = None,
    ways: Sequence[Way] | None = None,
    likelihood: int = LIKELIHOOD,
) -> Iterator[ModelResult]:
    """The results of a model; with pairs of our ``own`` it is the main one, which is asked more."""
    folder = lab.work / Path(model).name
    asked = read_model(model, pairs, folder / f"blimp-{len(pairs)}", lab)
    sources = {"auxiliary": [read_model(model, auxiliary, folder / "auxiliary", lab)]}
    if own is not None:
        own = own.without(pairs.hashes, "it is in BLiMP")
        sources["generated"] = [read_model(model, own, folder / f"generated-{len(own)}", lab)]
        sources["both"] = [*sources["auxiliary"], *sources["generated"]]
    wanted = ways_of(own is None, asked.causal) if ways is None else ways
    done = run_ways(wanted, sources, asked, folder / f"ways-{len(pairs)}", lab)
    result = ModelResult(
        model, own is not None, len(pairs), len(set(pairs.paradigms)), left_out(pairs, auxiliary),
        tuple(one.result for one in done.values()), tuple(compared(done, pairs)),
        equally_long=int(asked.equally_long.sum()),
    )  # fmt: skip
    yield result
    if own is not None:
        some = places_in_group(pairs.paradigms) < likelihood
        own_choice = likelihood_differences(
            model, pairs.take(some), folder / f"likelihood-{len(pairs)}", lab
        )
        yield replace(result, likelihood=tuple(with_likelihood(done, asked, some, own_choice)))


@dataclass(frozen=True, eq=False)
class Done:
    """A way that was asked: its result, and of every pair the credit and the margin."""

    result: WayResult
    credits: np.ndarray
    margins: np.ndarray


def run_ways(
    ways: Sequence[Way], sources: Sources, asked: PairReadings, folder: Path, lab: Lab
) -> dict[Way, Done]:
    """Ask all ways about the pairs; choosing takes long and is kept, adding opinions up is done anew."""
    apart = {name_of(way): way for way in ways if AND not in way.measure}
    added = [way for way in ways if AND in way.measure]
    for way in chain.from_iterable(map(_parts, added)):
        apart[name_of(way)] = way
    key = {
        "what": f"ways of choosing heads of {asked.model}", "asked": asked.key, "ways": sorted(apart),
        "sources": {name: [one.key for one in some] for name, some in sources.items()},
    }  # fmt: skip

    def make(name: str) -> pa.Table:
        chosen = chosen_by(apart[name], sources[apart[name].source])
        found = prefer_all(asked.parts_of(apart[name].measure), chosen, apart[name].left_out)  # type: ignore[arg-type]
        columns = {"credits": found.credits, "margins": found.margins, "ties": found.ties}
        return pa.table({"chosen": [who(chosen)], **{name: [values] for name, values in columns.items()}})

    table = run(Job(key, tuple(apart), make), folder, lab.tell)
    done = {}
    for k, way in enumerate(apart.values()):
        credits, margins, ties = (
            table.column(name)[k].values.to_numpy(zero_copy_only=False)
            for name in ("credits", "margins", "ties")
        )
        chosen = table.column("chosen")[k].as_py()
        done[way] = _done(way, Preference(credits, margins, ties), asked, chosen)
    for way in added:
        opinions = together([weighed(done[part].margins) for part in _parts(way)])
        done[way] = _done(way, opinions, asked, "")
    return {way: done[way] for way in ways}


def _parts(way: Way) -> list[Way]:
    """The ways whose opinions are added up."""
    return [replace(way, measure=measure) for measure in way.measure.split(AND)]


def _done(way: Way, found: Preference, asked: PairReadings, chosen: str) -> Done:
    sure = calibration_error(found.margins) if way.method == "weighted" and AND not in way.measure else None
    scores = pair_scores(found, asked.pairs, asked.equally_long)
    return Done(WayResult(way, scores, chosen, sure), found.credits, found.margins)


def pair_scores(opinions: Preference, pairs: Pairs, equally_long: np.ndarray) -> PairScores:
    """What a result says of opinions, of all pairs and of those that are equally long alone."""
    found, equal = pair_accuracy(opinions.credits, pairs, opinions.ties), None
    if equally_long.any():
        equal = Score.of(pair_accuracy(opinions.credits[equally_long], pairs.take(equally_long)).overall)
    return PairScores(
        found.pairs,
        Score.of(found.overall),
        Score.of(found.mean_of_phenomena),
        {term: found.phenomena[term].value for term in BLIMP_PHENOMENA},
        found.ties,
        equal,
    )


def chosen_by(way: Way, source: Sequence[PairReadings]) -> dict[str, Chooser]:
    """Who a way chooses on pairs of some sources: for each group that was left out, or for all."""
    if way.measure in (STATES, LENGTH):
        table = joined_table(chain.from_iterable(one.parts_of(way.measure) for one in source))
        return choosers_without(table, way.method, table.columns, way.profile, way.left_out)  # type: ignore[arg-type]
    profile = profile_named(way.profile)
    columns = pair_spec(way.measure, profile, source[0].causal).columns
    if way.method == SINGLE:
        return {"": Committee(columns[0], (Voter(Head.parse(SINGLE)),), profile.ties)}
    parts = chain.from_iterable(one.heads() for one in source)
    table = joined_table(part.only(columns) for part in parts)
    if way.layers:
        table = table.only_heads([k for k, head in enumerate(table.heads) if head.layer < way.layers])
    if way.keep:
        return {"": choose(table, way.method, columns, way.profile, keep=way.keep)}  # type: ignore[arg-type]
    return choosers_without(table, way.method, columns, way.profile, way.left_out)  # type: ignore[arg-type]


def who(chosen: Mapping[str, Chooser]) -> str:
    """In short, who was chosen."""
    if len(chosen) > 1:
        return ""
    (chooser,) = chosen.values()
    if isinstance(chooser, Committee) and chooser.column == LENGTH:
        return "fewer tokens" if chooser.voters[0].rule == 1 else "more tokens"
    if isinstance(chooser, Committee):
        return str(chooser.voters[0]) if len(chooser.voters) == 1 else f"{len(chooser.voters)} heads"
    if isinstance(chooser, PhenomenonHeads):
        return ", ".join(
            str(chooser.by_phenomenon[t]) for t in BLIMP_PHENOMENA if t in chooser.by_phenomenon
        )
    assert isinstance(chooser, WeightedHeads)
    return f"C = {chooser.strength:.0e}"


def compared(done: Mapping[Way, Done], pairs: Pairs) -> Iterator[WayDifference]:
    """Weighted heads against the ensemble and against hidden states, on known and on new phenomena."""
    for left_out in ("", "phenomenon"):
        for rival in (ENSEMBLE, Way(STATES, "weighted")):
            ours, theirs = (replace(way, left_out=left_out) for way in (OURS, rival))
            yield WayDifference(
                ours, theirs, *pair_difference(done[ours].credits, done[theirs].credits, pairs)
            )


def with_likelihood(
    done: Mapping[Way, Done], asked: PairReadings, some: np.ndarray, own_choice: np.ndarray
) -> Iterator[LikelihoodResult]:
    """The language model's own choice in some pairs, beside weighted heads and together with them."""
    pairs, equally_long, own = asked.pairs.take(some), asked.equally_long[some], weighed(own_choice)
    yield LikelihoodResult(pair_scores(own, pairs, equally_long))
    for way in (OURS, replace(OURS, left_out="phenomenon")):
        ours = weighed(done[way].margins[some])
        for found, added in ((ours, False), (together([ours, own]), True)):
            yield LikelihoodResult(pair_scores(found, pairs, equally_long), way, added)


def left_out(pairs: Pairs, auxiliary: Pairs) -> str:
    """What was dropped, with reasons."""

    def told(some: Pairs) -> str:
        reasons = Counter(reject.reason.partition(" stands in")[0] for reject in some.rejects)
        return ", ".join(f"{count} ({reason})" for reason, count in reasons.items()) or "none"

    return (
        f"Left out of BLiMP: {told(pairs)}; of the auxiliary pairs: {told(auxiliary)}; {len(auxiliary):,} "
        "auxiliary pairs remain."
    )
