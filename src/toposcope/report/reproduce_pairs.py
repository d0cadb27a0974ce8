"""The experiments on minimal pairs end to end: read what is missing, choose heads, write the pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from toposcope.data.minimal_pairs import Pairs
from toposcope.experiments import aux_data, blimp, table2
from toposcope.experiments.blimp import Tell
from toposcope.experiments.likelihoods import likelihood_differences
from toposcope.pairs.score import generated_pairs
from toposcope.report import generator, table2_page
from toposcope.report.pages import write_page
from toposcope.report.reproduce import model_loader

PAIR_MODELS = (
    "bert-base-cased", "bert-base-uncased", "bert-base-multilingual-cased", "all-MiniLM-L6-v2",
    "SmolLM2-135M-Instruct",
)  # fmt: skip
BRIEF = 200  # pairs a paradigm for the other models
LIKELIHOOD = 100  # pairs a paradigm for the language model itself
JUDGED = 20  # generated pairs a paradigm that the language model looks at
GENERATED = 55  # pairs a paradigm of our own, about as many as the auxiliary ones in all


def reproduce_table2(
    data: Path, work: Path, docs: Path, models: Sequence[str], limit: int | None, tell: Tell
) -> Path:
    """Read the pairs, choose heads, ask them, and write the page; sections of other models stay."""
    every, auxiliary = _benchmark(data)
    place = docs / "table2.md"
    for model in models or PAIR_MODELS:
        main = model == PAIR_MODELS[0]
        count = (0 if main else BRIEF) if limit is None else limit
        pairs = every.first(count) if count else every
        for text in _pair_sections(model, pairs, auxiliary, work, main, tell):
            _put(place, table2_page.heading(model), text)
    return place


def _put(place: Path, heading: str, text: str) -> None:
    """Put a section into the page as it is now: another run may have written to it in the meantime."""
    sections = table2_page.kept_sections(place.read_text("utf-8")) if place.exists() else {}
    sections[heading] = text
    order = [table2_page.heading(model) for model in PAIR_MODELS]
    known = [sections[name] for name in order if name in sections]
    known += [text for name, text in sections.items() if name not in order]
    write_page(place, "\n\n".join([table2_page.INTRODUCTION, *known]) + "\n")


def _pair_sections(
    model: str, pairs: Pairs, auxiliary: Pairs, work: Path, main: bool, tell: Tell
) -> Iterator[str]:
    """The section of a model, and again when the likelihoods, which take long, are there too."""
    folder, load = work / model.rsplit("/", 1)[-1], model_loader(model)
    asked = blimp.read_all(pairs, folder / f"blimp-{len(pairs)}", load, tell)
    sources = {"auxiliary": [blimp.read_all(auxiliary, folder / "auxiliary", load, tell)]}
    if main:
        own = generated_pairs(GENERATED).without(pairs.hashes, "it is in BLiMP")
        sources["generated"] = [blimp.read_all(own, folder / f"generated-{len(own)}", load, tell)]
        sources["both"] = [*sources["auxiliary"], *sources["generated"]]
    rows = table2.rows_of(not main, asked.causal)
    place = folder / f"results-{len(pairs)}"
    results = list(zip(rows, table2.run_rows(rows, sources, asked, place, tell), strict=True))
    notes = [_left_out(pairs, auxiliary)]
    todo = [table2_page.NO_LIKELIHOOD.format(model)] if main else []
    yield table2_page.section(model, pairs, results, [], main, place, [*notes, *todo])
    if main:
        likelihood = table2.run_likelihood(pairs, LIKELIHOOD, place, load, tell)
        yield table2_page.section(model, pairs, results, likelihood, main, place, notes)


def _benchmark(data: Path) -> tuple[Pairs, Pairs]:
    """BLiMP, and the auxiliary pairs that are not in it."""
    every = blimp.blimp_of(data)
    return every, blimp.auxiliary_of(data).without(every.hashes, "it is in BLiMP")


def _left_out(pairs: Pairs, auxiliary: Pairs) -> str:
    """What was dropped, with reasons."""

    def told(some: Pairs) -> str:
        reasons = Counter(reject.reason.partition(" stands in")[0] for reject in some.rejects)
        return ", ".join(f"{count} ({reason})" for reason, count in reasons.items()) or "none"

    return (
        f"Left out of BLiMP: {told(pairs)}; of the auxiliary pairs: {told(auxiliary)}; {len(auxiliary):,} "
        "auxiliary pairs remain."
    )


def reproduce_aux_data(data: Path, work: Path, docs: Path, limit: int | None, tell: Tell) -> Path:
    """Effect of the number of auxiliary pairs, with its figure."""
    model = PAIR_MODELS[0]
    every, auxiliary = _benchmark(data)
    count = BRIEF if limit is None else limit
    pairs = every.first(count) if count else every
    folder, load = work / model, model_loader(model)
    asked = blimp.read_all(pairs, folder / f"blimp-{len(pairs)}", load, tell)
    chosen_on = blimp.read_all(auxiliary, folder / "auxiliary", load, tell)
    done = aux_data.run_aux_data(chosen_on, asked, folder / f"aux-data-{len(pairs)}.json", tell)
    docs.mkdir(parents=True, exist_ok=True)
    aux_data.draw(done, docs / "aux-data.svg")
    return write_page(docs / "aux-data.md", aux_data.page(done, asked, "aux-data.svg"))


def reproduce_generator(work: Path, docs: Path, tell: Tell) -> Path:
    """What the language model prefers in our generated pairs."""
    model = PAIR_MODELS[0]
    pairs = generated_pairs(JUDGED)
    differences = likelihood_differences(pairs, work / model, model_loader(model), tell)
    return write_page(docs / "generator.md", generator.generator_page(pairs, differences, model))
