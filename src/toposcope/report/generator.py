"""The page on our generated pairs: what a language model itself prefers in them, paradigm by paradigm."""

from __future__ import annotations

from collections.abc import Iterable

from toposcope.experiments.results import GeneratorResult, PreferredParadigm, Score
from toposcope.report.markdown import percent, table, words

FIRM = 0.55  # a paradigm in which the model does worse than this needs a word of explanation


def page(found: GeneratorResult) -> str:
    """The accuracies, with the first pair of each paradigm."""
    phenomena = [[words(one.name), str(one.paradigms), percent(one.preferred)] for one in found.phenomena]
    paradigms = [[one.name, f"{100 * one.preferred:.0f}", one.good, one.bad] for one in found.paradigms]
    text = [
        "# Generated minimal pairs under the eyes of a language model",
        f"`toposcope data generate pairs` makes pairs of {len(found.paradigms)} paradigms. How often does "
        f"{found.model} itself, by (pseudo-)log-likelihood, prefer the good sentence? {found.pairs:,} "
        f"pairs: {found.name}. Percent, with 95 % intervals. Written by `toposcope reproduce generator`.",
        overall_words(found.overall, found.shorter),
        table(["phenomenon", "paradigms", "preferred"], phenomena),
        "## Paradigm by paradigm",
        "Good and bad sentence of the first pair. Where the model prefers the good one in less than "
        f"{FIRM:.0%}, a note says why the paradigm stays.",
        table(["paradigm", "preferred", "good", "bad"], paradigms),
        notes(found.paradigms),
    ]
    return "\n\n".join(filter(None, text)) + "\n"


def overall_words(overall: Score, shorter: float) -> str:
    """How often the model is right, and how often the shorter sentence would be."""
    return (
        f"Overall, mean of paradigms: **{percent(overall)}**. The shorter sentence (in words, equal "
        f"lengths half a point) is the good one in {shorter:.1%} of the pairs."
    )


def notes(paradigms: Iterable[PreferredParadigm]) -> str:
    """Why those paradigms stay in which the model does not agree."""
    weak = [one for one in paradigms if one.preferred < FIRM]
    return "\n".join(f"- `{one.name}`: {one.note or '(no note yet)'}" for one in weak)
