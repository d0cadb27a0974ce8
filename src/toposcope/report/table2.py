"""The page of table 2: a section for each model, and what it says in plain words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from toposcope.experiments.published import BLIMP_PHENOMENA, TABLE2
from toposcope.experiments.results import LikelihoodResult, ModelResult, PairScores, Way, WayResult
from toposcope.experiments.ways import ENSEMBLE, FEW, OURS, STATES, SYMMETRIES, WITH_STATES
from toposcope.report.markdown import percent, table

INTRODUCTION = """# Table 2: the good sentence of a minimal pair

Written by `toposcope reproduce table2`. Accuracy in percent; 50 is chance. Heads, rules and weights are
chosen on auxiliary pairs (those of the paper's authors, disjoint from BLiMP: pairs that are in both, and
pairs with two equal sentences, are left out), never on what is reported. *Overall* is the mean over
paradigms, as in the published table, with the mean over phenomena beside it; in brackets the 95 %
interval of a bootstrap over paradigms (phenomena) and pairs. A tie counts one half except where the
profile says otherwise.

Profiles: `strict` (sum of bars, alignment of unequal sentences, ties one half), `paper` (sum, the first
tokens of the longer sentence, ties lose), `notebook` (mean of bars, the last tokens, H0M cropped too,
ties lose under rule 1 and win under rule 2).

Where two opinions are added up (ours + hidden states, ours + likelihood), each is first divided by its
usual size on the pairs that are asked about; no label is looked at for that.

The published rows of heads are the best of five restarts, and the released search stopped on test
accuracy.
"""
TITLES = {
    "auxiliary": "Chosen on the auxiliary pairs",
    "auxiliary paper": "The same under the profile `paper`",
    "auxiliary notebook": "The same under the profile `notebook`",
    "auxiliary phenomenon": "With the phenomenon left out of the auxiliary pairs",
    "auxiliary paradigm": "With the paradigm left out of the auxiliary pairs",
    "generated": "Chosen on pairs of our own generator alone",
    "both": "Chosen on the auxiliary pairs and our own together",
    "both phenomenon": "The same with the phenomenon left out of both",
    "fewer": "Weighted: ours (19 a head), with fewer heads or layers",
}
BESIDE_HEADS = ("auxiliary", "auxiliary paper", "auxiliary notebook")
PUBLISHED = (
    "5-gram", "LSTM", "Transformer-XL", "GPT2-large", "GPT2-medium, PLL", "BERT-base, PLL",
    "BERT-large, PLL", "RoBERTa-base, PLL", "RoBERTa-large, PLL", "Human",
)  # fmt: skip
OF_HEADS = tuple(name for name in TABLE2 if name.startswith("BERT-base, ") and "PLL" not in name)
NO_LIKELIHOOD = "Its own likelihood was not run yet: `toposcope reproduce table2 --data DIR --model {}`."
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


def page(found: Iterable[ModelResult]) -> str:
    """The whole page, a section for each model."""
    return "\n\n".join([INTRODUCTION, *map(section, found)]) + "\n"


def section(found: ModelResult) -> str:
    """A model's results; the published rows of heads stand beside the main one."""
    text = [f"## {found.model}", f"{found.pairs:,} pairs of {found.paradigms} paradigms.", found.left_out]
    if found.main and not found.likelihood:
        text.append(NO_LIKELIHOOD.format(found.model))
    for name, title in TITLES.items():
        rows = [our_line(way_words(one.way), one) for one in found.ways if place_of(one.way) == name]
        if rows:
            beside = list(PUBLISHED if name == "auxiliary" else ())
            beside += OF_HEADS if found.main and name in BESIDE_HEADS else ()
            text += [f"### {title}", _table(rows, beside)]
    if found.likelihood:
        count = found.likelihood[0].scores.pairs // found.paradigms
        rows = [_line(likelihood_words(one), one.scores, "") for one in found.likelihood]
        text += [f"### {LIKELIHOOD.format(count)}", _table(rows, ("BERT-base, PLL",))]
    return "\n\n".join([*text, says(found)])


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
    return f"{METHODS[way.method]}: {MEASURES[way.measure]}"


def likelihood_words(found: LikelihoodResult) -> str:
    """What is called what beside the likelihood."""
    if found.way is None:
        return "its own likelihood"
    left_out = f", {found.way.left_out} left out" if found.way.left_out else ""
    return way_words(found.way) + left_out + (", + likelihood" if found.together else "")


def our_line(words: str, found: WayResult) -> list[str]:
    """A row of ours: overall and mean of phenomena with intervals, the twelve phenomena."""
    return _line(words, found.scores, found.chosen)


def _line(words: str, scores: PairScores, chosen: str) -> list[str]:
    cells = [percent(scores.overall), percent(scores.mean_of_phenomena)]
    cells += [f"{100 * scores.phenomena[term]:.1f}" for term in BLIMP_PHENOMENA]
    return [words, *cells, f"{100 * scores.ties:.2f}", chosen]


def _published_line(name: str) -> list[str]:
    row = TABLE2[name]
    mean = sum(row.phenomena.values()) / len(row.phenomena)
    cells = [f"{row.phenomena[term]:.1f}" for term in BLIMP_PHENOMENA]
    return [f"*published: {name}*", f"*{row.overall:.1f}*", f"*{mean:.1f}*", *cells, "", ""]


def _table(rows: Sequence[Sequence[str]], published: Sequence[str]) -> str:
    header = ["", "overall", "mean of phenomena", *SHORT.values(), "ties %", "chosen"]
    return table(header, [*map(_published_line, published), *rows])


def says(found: ModelResult) -> str:
    """In plain words: how the ensembles, the weighted heads and the strongest rival compare."""
    rows = {one.way: one for one in found.ways}
    against = {(d.ours, d.theirs): d.difference for d in found.differences}

    def overall(way: Way) -> str:
        return f"{100 * rows[way].scores.overall.value:.1f}"

    def apart(left_out: str, rival: Way) -> str:
        d = against[replace(OURS, left_out=left_out), replace(rival, left_out=left_out)]
        return f"{d.percent:+.1f}"

    said = ["**What it says.**"]
    for measure in ("h0m", "rtd") if found.main else ():
        published = TABLE2[f"BERT-base, {measure.upper()}, ensemble"].overall
        ours = overall(Way(measure, "ensemble"))
        said.append(f"The {measure.upper()} ensemble reaches {ours}, published {published:.1f}.")
    human, reached = TABLE2["Human"].phenomena, rows[OURS].scores.phenomena
    above = sum(100 * reached[term] > human[term] for term in BLIMP_PHENOMENA)
    rival = Way(STATES, "weighted")
    said.append(
        f"Weighted heads (19 columns) reach {overall(OURS)}, above the human row "
        f"in {above} of 12 phenomena: {apart('', ENSEMBLE)} points from the RTD ensemble, and "
        f"{apart('', rival)} from the same regression on hidden states, without any topology. On a "
        f"phenomenon that was left out of the auxiliary pairs they reach "
        f"{overall(replace(OURS, left_out='phenomenon'))}: {apart('phenomenon', ENSEMBLE)} "
        f"from the ensemble and {apart('phenomenon', rival)} from hidden states; the published "
        f"pseudo-log-likelihood of BERT-base, which needs no auxiliary pairs, is "
        f"{TABLE2['BERT-base, PLL'].overall:.1f}."
    )
    return " ".join([*said, *(_more(rows) if found.main else ())])


def _more(rows: Mapping[Way, WayResult]) -> list[str]:
    """What only the main model was asked: our own pairs, fewer heads, calibration."""

    def reached(way: Way) -> float:
        return 100 * rows[way].scores.overall.value

    own, both = replace(OURS, source="generated"), replace(OURS, source="both", left_out="phenomenon")
    enough = {
        share: next((n for n in FEW if reached(replace(OURS, keep=n)) >= share), 0) for share in (90, 95)
    }
    heads = [f"{n or 'more than ' + str(FEW[-1])} heads for {share}" for share, n in enough.items()]
    known, new = (rows[replace(OURS, left_out=left)].calibration_error for left in ("", "phenomenon"))
    return [
        f"Chosen on pairs of our own generator alone they reach {reached(own):.1f}.",
        f"With our own pairs added and the phenomenon left out of all, they reach {reached(both):.1f}, "
        f"with hidden states beside them {reached(replace(both, measure=WITH_STATES)):.1f}.",
        f"It takes {' and '.join(heads)} percent.",
        f"Their log-odds are off by {known:.3f} on average (confidence against "
        f"accuracy), on a new phenomenon by {new:.3f}.",
    ]
