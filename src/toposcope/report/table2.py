"""The page of table 2: a section for each model, and what it says in plain words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from toposcope.experiments.published_pairs import BLIMP_PHENOMENA, TABLE2, means_of
from toposcope.experiments.results import LikelihoodResult, ModelResult, PairScores, Way
from toposcope.experiments.ways import LENGTH, STATES, SYMMETRIES, WITH_STATES
from toposcope.report.markdown import percent, table
from toposcope.report.table2_sentences import (
    Claims,
    claims_of,
    do_not_follow,
    how_many_claims,
    pairs_words,
    profiles,
    says,
)

INTRODUCTION = """# Table 2: the good sentence of a minimal pair

Written by `toposcope reproduce table2`. Accuracy in percent; 50 is chance. Heads, rules and weights are
chosen on auxiliary pairs (those of the paper's authors, disjoint from BLiMP: pairs that are in both, and
pairs with two equal sentences, are left out), never on what is reported. *Overall* is the mean over
paradigms, as in the published table, with the mean over phenomena beside it; in brackets the 95 %
interval of a bootstrap over paradigms (phenomena) and pairs. A tie counts one half except where the
profile says otherwise.

Where two opinions are added up (ours + hidden states, ours + likelihood), each is first divided by its
usual size on the pairs that are asked about; no label is looked at for that.

The published rows of heads are the best of five restarts, and the released search stopped on test
accuracy.
"""
TITLES = {
    "auxiliary": "Chosen on the auxiliary pairs",
    "auxiliary published": "The same under the profile `published`",
    "auxiliary paper": "The same under the profile `paper`",
    "auxiliary notebook": "The same under the profile `notebook`",
    "auxiliary phenomenon": "With the phenomenon left out of the auxiliary pairs",
    "auxiliary paradigm": "With the paradigm left out of the auxiliary pairs",
    "generated": "Chosen on pairs of our own generator alone",
    "both": "Chosen on the auxiliary pairs and our own together",
    "both phenomenon": "The same with the phenomenon left out of both",
    "fewer": "Weighted: ours (19 a head), with fewer heads or layers",
}
BESIDE_HEADS = ("auxiliary", "auxiliary published", "auxiliary paper", "auxiliary notebook")
PUBLISHED = (
    "5-gram", "LSTM", "Transformer-XL", "GPT2-large", "GPT2-medium, PLL", "BERT-base, PLL",
    "BERT-large, PLL", "RoBERTa-base, PLL", "RoBERTa-large, PLL", "Human",
)  # fmt: skip
BERT, ROBERTA = "BERT-base", "RoBERTa-base"
NOT_AT_HAND = {"FacebookAI/roberta-base": ROBERTA}  # models of the paper whose weights no registry has
NOT_RUN = "Not run: no weights. No registry has them and no hub was reached. Where one is: `{}`."
COMMAND = "toposcope reproduce table2 --data DIR --model {}"
NO_LIKELIHOOD = "Its own likelihood was not run yet: `{}`."
LIKELIHOOD = "Beside and with the language model's own likelihood, on the first {} pairs of each paradigm"
SHORT = {
    "anaphor_agreement": "anaph.", "argument_structure": "arg.", "binding": "bind.",
    "control_raising": "contr.", "determiner_noun_agreement": "det-n.", "ellipsis": "ell.",
    "filler_gap_dependency": "gap", "irregular_forms": "irreg.", "island_effects": "isl.",
    "npi_licensing": "NPI", "quantifiers": "quant.", "subject_verb_agreement": "s-v",
}  # fmt: skip
MEASURES = {
    "h0m": "H0M", "rtd": "RTD", "pattern": "patterns (6 a head)", "topology": "ours (19 a head)",
    SYMMETRIES: "H0M, H0S, RTD (6 a head)", f"topology+{SYMMETRIES}": "ours, H0S and RTD (25 a head)",
    STATES: "mean hidden states, no topology", WITH_STATES: "ours + mean hidden states",
}  # fmt: skip
METHODS = {
    "top": "top head", "phenomenon": "phenomenon heads", "ensemble": "head ensemble", "all": "all heads",
    "weighted": "weighted", "L8.H0": "head [8;0]",
}  # fmt: skip

Row = tuple[str, PairScores, str]  # what it is called, its accuracies, who was chosen


def page(found: Iterable[ModelResult]) -> str:
    """The whole page, a section for each model, also for those of the paper that were not run."""
    found = list(found)
    claims = claims_of(found)
    run = {Path(one.model).name for one in found}
    missing = [model for model in NOT_AT_HAND if Path(model).name not in run]
    parts = [INTRODUCTION.rstrip(), profiles(found), how_many_claims(found, claims), do_not_follow()]
    parts += [*(section(one, claims) for one in found), *map(not_run, missing)]
    return "\n\n".join(filter(None, parts)) + "\n"


def not_run(model: str) -> str:
    """A model of the paper without results: its published rows, and how to run it."""
    rows = _table((), published_of(NOT_AT_HAND[model]))
    return "\n\n".join([f"## {model}", NOT_RUN.format(COMMAND.format(model)), rows])


def published_of(model: str) -> list[str]:
    """The published rows of a model's heads."""
    return [name for name in TABLE2 if name.startswith(f"{model}, ") and "PLL" not in name]


def beside(found: ModelResult) -> list[str]:
    """The published rows that stand beside the heads of a model: those of the same one, or none."""
    if found.main:
        return published_of(BERT)
    theirs = {Path(model).name: name for model, name in NOT_AT_HAND.items()}
    return published_of(theirs[Path(found.model).name]) if Path(found.model).name in theirs else []


def section(found: ModelResult, claims: Claims) -> str:
    """A model's results, the published rows of its heads beside them; ``claims`` are the whole page's."""
    text = [f"## {found.model}", pairs_words(found), found.left_out]
    if found.main and not found.likelihood:
        text.append(NO_LIKELIHOOD.format(COMMAND.format(found.model)))
    for name, title in TITLES.items():
        rows = [
            (way_words(one.way), one.scores, one.chosen) for one in found.ways if place_of(one.way) == name
        ]
        if rows:
            published = list(PUBLISHED if name == "auxiliary" else ())
            published += beside(found) if name in BESIDE_HEADS else []
            text += [f"### {title}", _table(rows, published)]
    if found.likelihood:
        count = found.likelihood[0].scores.pairs // found.paradigms
        rows = [(likelihood_words(one), one.scores, "") for one in found.likelihood]
        text += [f"### {LIKELIHOOD.format(count)}", _table(rows, ("BERT-base, PLL",))]
    return "\n\n".join([*text, says(found, claims)])


def place_of(way: Way) -> str:
    """Where on the page a way stands."""
    if way.keep or way.layers:
        return "fewer"
    parts = (way.source, "" if way.profile == "strict" else way.profile, way.left_out)
    return " ".join(part for part in parts if part)


def way_words(way: Way) -> str:
    """What a way is called on the page."""
    if way.keep:
        return f"{way.keep} heads" if way.keep > 1 else "1 head"
    if way.layers:
        return f"all heads of layers 1 to {way.layers}"
    if way.measure == LENGTH:
        return "length alone: fewer or more tokens"
    return f"{METHODS[way.method]}: {MEASURES[way.measure]}"


def likelihood_words(found: LikelihoodResult) -> str:
    """What is called what beside the likelihood."""
    if found.way is None:
        return "its own likelihood"
    left_out = f", {found.way.left_out} left out" if found.way.left_out else ""
    return way_words(found.way) + left_out + (", + likelihood" if found.together else "")


def _line(row: Row, equal: bool) -> list[str]:
    """A row of ours: overall and mean of phenomena with intervals, the twelve phenomena, and the rest."""
    words, scores, chosen = row
    cells = [percent(scores.overall), percent(scores.mean_of_phenomena)]
    cells += [f"{100 * scores.phenomena[term]:.1f}" for term in BLIMP_PHENOMENA]
    cells += [percent(scores.equal) if scores.equal else ""] if equal else []
    return [words, *cells, f"{100 * scores.ties:.2f}", chosen]


def _published_line(name: str, equal: bool) -> list[str]:
    row = TABLE2[name]
    _, mean = means_of(row)
    cells = [f"{row.phenomena[term]:.1f}" for term in BLIMP_PHENOMENA]
    rest = ["", *([""] if equal else []), ", ".join(row.heads)]
    return [f"*published: {name}*", f"*{row.overall:.1f}*", f"*{mean:.1f}*", *cells, *rest]


def _table(rows: Sequence[Row], published: Sequence[str]) -> str:
    """The column of equally long pairs is there if anything is known of them."""
    equal = any(scores.equal is not None for _, scores, _ in rows)
    header = ["", "overall", "mean of phenomena", *SHORT.values()]
    header += [*(["equally long"] if equal else []), "ties %", "chosen"]
    lines = [_published_line(name, equal) for name in published]
    return table(header, [*lines, *(_line(row, equal) for row in rows)])
