"""The page of table 2: a section for each model, and what it says in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from toposcope.data.minimal_pairs import Pairs
from toposcope.report.pages import sections_with
from toposcope.report.published import BLIMP_PHENOMENA, TABLE2
from toposcope.report.table2 import STATES, PairRow, difference, header, our_line, published_line

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
    ("strict", "", "auxiliary"): "Chosen on the auxiliary pairs",
    ("paper", "", "auxiliary"): "The same under the profile `paper`",
    ("notebook", "", "auxiliary"): "The same under the profile `notebook`",
    ("strict", "phenomenon", "auxiliary"): "With the phenomenon left out of the auxiliary pairs",
    ("strict", "paradigm", "auxiliary"): "With the paradigm left out of the auxiliary pairs",
    ("strict", "", "generated"): "Chosen on pairs of our own generator alone",
}


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
    likelihood: Mapping[str, Any] | None,
    heads_published: bool,
    work: Path,
    notes: Sequence[str] = (),
) -> str:
    """A model's results as Markdown."""
    text = [heading(model), f"{len(pairs):,} pairs of {len(set(pairs.paradigms))} paradigms."]
    text += notes
    for (profile, left_out, source), title in TITLES.items():
        some = [
            (row, facts)
            for row, facts in rows
            if (row.profile, row.left_out, row.source) == (profile, left_out, source)
        ]
        if not some:
            continue
        lines = header()
        if title == TITLES["strict", "", "auxiliary"]:
            lines += [published_line(name) for name in PUBLISHED]
        if heads_published and not left_out and source == "auxiliary":
            lines += [published_line(name) for name in OF_HEADS]
        lines += [our_line(row.words, facts) for row, facts in some]
        if likelihood is not None and title == TITLES["strict", "", "auxiliary"]:
            words = f"its own likelihood ({likelihood['pairs']:,} pairs)"
            lines.append(our_line(words, likelihood))
        text += [f"### {title}", "\n".join(lines)]
    return "\n\n".join([*text, says(dict(rows), pairs, heads_published, work)])


def says(rows: Mapping[PairRow, Mapping[str, Any]], pairs: Pairs, heads_published: bool, work: Path) -> str:
    """In plain words: how the ensembles, the weighted heads and the strongest rival compare."""

    def overall(measure: str, method: str, left_out: Any = "") -> float:
        return 100 * rows[PairRow(measure, method, left_out=left_out)]["overall"]["accuracy"]

    said = [SAYS]
    if heads_published:
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
    above = sum(
        100 * rows[weighted]["phenomena"][term]["accuracy"] > human[term] for term in BLIMP_PHENOMENA
    )
    new = {row: replace(row, left_out="phenomenon") for row in (weighted, ensemble, rival)}

    def against(a: PairRow, b: PairRow) -> str:
        found = difference(a, b, pairs, work)
        return f"{100 * found.value:+.1f} [{100 * found.low:+.1f}, {100 * found.high:+.1f}]"

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
    return " ".join(said)
