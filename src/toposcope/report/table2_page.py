"""The page of table 2: a section for each model, and what it says in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from toposcope.data.minimal_pairs import Pairs
from toposcope.experiments.published import BLIMP_PHENOMENA, TABLE2
from toposcope.experiments.table2 import (
    FEW,
    STATES,
    WITH_STATES,
    PairRow,
    difference,
    header,
    our_line,
    published_line,
)
from toposcope.report.pages import sections_with

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
SAYS = "**What it says.**"
PUBLISHED = (
    "5-gram", "LSTM", "Transformer-XL", "GPT2-large", "GPT2-medium, PLL", "BERT-base, PLL",
    "BERT-large, PLL", "RoBERTa-base, PLL", "RoBERTa-large, PLL", "Human",
)  # fmt: skip
OF_HEADS = tuple(name for name in TABLE2 if name.startswith("BERT-base, ") and "PLL" not in name)
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
NO_LIKELIHOOD = "Its own likelihood was not run yet: `toposcope reproduce table2 --data DIR --model {}`."
LIKELIHOOD = "Beside and with the language model's own likelihood, on the first {} pairs of each paradigm"


def heading(model: str) -> str:
    """The heading of a model."""
    return f"## {model}"


def kept_sections(page: str) -> dict[str, str]:
    """The sections with results of a page that was written before, by their headings."""
    return sections_with(SAYS, page)


def section(
    model: str,
    pairs: Pairs,
    rows: Sequence[tuple[PairRow, Mapping[str, Any]]],
    likelihood: Sequence[tuple[str, Mapping[str, Any]]],
    main: bool,
    work: Path,
    notes: Sequence[str] = (),
) -> str:
    """A model's results as Markdown; the published rows of heads stand beside the ``main`` one."""
    paradigms = len(set(pairs.paradigms))
    text = [heading(model), f"{len(pairs):,} pairs of {paradigms} paradigms.", *notes]
    for name, title in TITLES.items():
        some = [(row.words, facts) for row, facts in rows if row.section == name]
        if not some:
            continue
        beside = list(PUBLISHED if name == "auxiliary" else ())
        beside += OF_HEADS if main and name in BESIDE_HEADS else ()
        text += [f"### {title}", _table(some, beside)]
    if likelihood:
        count = likelihood[0][1]["pairs"] // paradigms
        text += [f"### {LIKELIHOOD.format(count)}", _table(likelihood, ("BERT-base, PLL",))]
    return "\n\n".join([*text, says(dict(rows), pairs, main, work)])


def _table(rows: Sequence[tuple[str, Mapping[str, Any]]], published: Sequence[str]) -> str:
    ours = [our_line(words, facts) for words, facts in rows]
    return "\n".join([*header(), *map(published_line, published), *ours])


def says(rows: Mapping[PairRow, Mapping[str, Any]], pairs: Pairs, main: bool, work: Path) -> str:
    """In plain words: how the ensembles, the weighted heads and the strongest rival compare."""

    def overall(measure: str, method: str, left_out: Any = "") -> float:
        return 100 * rows[PairRow(measure, method, left_out=left_out)]["overall"]["value"]

    said = [SAYS]
    if main:
        for measure in ("h0m", "rtd"):
            published = TABLE2[f"BERT-base, {measure.upper()}, ensemble"].overall
            ours = overall(measure, "ensemble")
            said.append(f"The {measure.upper()} ensemble reaches {ours:.1f}, published {published:.1f}.")
    weighted, ensemble, rival = (
        PairRow("topology", "weighted"),
        PairRow("rtd", "ensemble"),
        PairRow(STATES, "weighted"),
    )
    human = TABLE2["Human"].phenomena
    above = sum(100 * rows[weighted]["phenomena"][term]["value"] > human[term] for term in BLIMP_PHENOMENA)
    new = {row: replace(row, left_out="phenomenon") for row in (weighted, ensemble, rival)}

    def against(a: PairRow, b: PairRow) -> str:
        return f"{difference(a, b, pairs, work).percent:+.1f}"

    said.append(
        f"Weighted heads (19 columns) reach {overall('topology', 'weighted'):.1f}, above the human row "
        f"in {above} of 12 phenomena: {against(weighted, ensemble)} points from the RTD ensemble, and "
        f"{against(weighted, rival)} from the same regression on hidden states, without any topology. On a "
        f"phenomenon that was left out of the auxiliary pairs they reach "
        f"{overall('topology', 'weighted', 'phenomenon'):.1f}: {against(new[weighted], new[ensemble])} "
        f"from the ensemble and {against(new[weighted], new[rival])} from hidden states; the published "
        f"pseudo-log-likelihood of BERT-base, which needs no auxiliary pairs, is "
        f"{TABLE2['BERT-base, PLL'].overall:.1f}."
    )
    return " ".join([*said, *(_more(rows) if main else ())])


def _more(rows: Mapping[PairRow, Mapping[str, Any]]) -> list[str]:
    """What only the main model was asked: our own pairs, fewer heads, calibration."""
    ours = PairRow("topology", "weighted")

    def overall(row: PairRow) -> str:
        return f"{100 * rows[row]['overall']['value']:.1f}"

    own = replace(ours, source="generated")
    both = replace(ours, source="both", left_out="phenomenon")
    enough = {
        share: next((n for n in FEW if 100 * rows[replace(ours, keep=n)]["overall"]["value"] >= share), 0)
        for share in (90, 95)
    }
    heads = [f"{n or 'more than ' + str(FEW[-1])} heads for {share}" for share, n in enough.items()]
    return [
        f"Chosen on pairs of our own generator alone they reach {overall(own)}.",
        f"With our own pairs added and the phenomenon left out of all, they reach {overall(both)}, with "
        f"hidden states beside them {overall(replace(both, measure=WITH_STATES))}.",
        f"It takes {' and '.join(heads)} percent.",
        f"Their log-odds are off by {rows[ours]['calibration error']:.3f} on average (confidence against "
        f"accuracy), on a new phenomenon by "
        f"{rows[replace(ours, left_out='phenomenon')]['calibration error']:.3f}.",
    ]
