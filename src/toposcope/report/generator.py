"""The page on our generated pairs: what a language model itself prefers in them, paradigm by paradigm."""

from __future__ import annotations

from toposcope.experiments.results import GeneratorResult
from toposcope.report.markdown import percent, table, words

FIRM = 0.55  # a paradigm in which the model does worse than this needs a word of explanation


def page(found: GeneratorResult) -> str:
    """The accuracies, with the first pair of each paradigm."""
    phenomena = [[words(one.name), str(one.paradigms), percent(one.preferred)] for one in found.phenomena]
    paradigms = [[one.name, f"{100 * one.preferred:.0f}", one.good, one.bad] for one in found.paradigms]
    notes = [
        f"- `{one.name}`: {one.note or '(no note yet)'}" for one in found.paradigms if one.preferred < FIRM
    ]
    text = [
        "# Generated minimal pairs under the eyes of a language model",
        f"`toposcope data generate pairs` makes pairs of {len(found.paradigms)} paradigms. How often does "
        f"{found.model} itself, by (pseudo-)log-likelihood, prefer the good sentence? {found.pairs:,} "
        f"pairs: {found.name}. Percent, with 95 % intervals. Written by `toposcope reproduce generator`.",
        f"Overall, mean of paradigms: **{percent(found.overall)}**. The shorter sentence (in words, equal "
        f"lengths half a point) is the good one in {found.shorter:.1%} of the pairs.",
        table(["phenomenon", "paradigms", "preferred"], phenomena),
        "## Paradigm by paradigm",
        "Good and bad sentence of the first pair. Where the model prefers the good one in less than "
        f"{FIRM:.0%}, a note says why the paradigm stays.",
        table(["paradigm", "preferred", "good", "bad"], paradigms),
        *(["\n".join(notes)] if notes else []),
    ]
    return "\n\n".join(text) + "\n"
