"""The published numbers of table 2: accuracy on BLiMP, in percent."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from toposcope.data.minimal_pairs import Pairs


class PairRow(NamedTuple):
    """A published row of BLiMP: accuracy in percent, overall (the mean of paradigms) and by phenomenon.

    ``heads`` are those that the paper names: one, or one for each phenomenon.
    """

    overall: float
    phenomena: dict[str, float]
    heads: tuple[str, ...] = ()


BLIMP_PHENOMENA = (
    "anaphor_agreement", "argument_structure", "binding", "control_raising", "determiner_noun_agreement",
    "ellipsis", "filler_gap_dependency", "irregular_forms", "island_effects", "npi_licensing",
    "quantifiers", "subject_verb_agreement",
)  # fmt: skip


def _pair_row(overall: float, *phenomena: float, heads: str = "") -> PairRow:
    return PairRow(overall, dict(zip(BLIMP_PHENOMENA, phenomena, strict=True)), tuple(heads.split()))


# Warstadt et al. 2020 (5-gram to human), Salazar et al. 2020 (PLL), Cherniavskii et al. 2022 (H0M, RTD).
TABLE2: dict[str, PairRow] = {
    "5-gram": _pair_row(
        61.2, 47.9, 71.9, 64.4, 68.5, 70.0, 36.9, 60.2, 79.5, 57.2, 45.5, 53.5, 60.3,
    ),
    "LSTM": _pair_row(
        69.8, 91.7, 73.2, 73.5, 67.0, 85.4, 67.6, 73.9, 89.1, 46.6, 51.7, 64.5, 80.1,
    ),
    "Transformer-XL": _pair_row(
        69.6, 94.1, 72.2, 74.7, 71.5, 83.0, 77.2, 66.6, 78.2, 48.4, 55.2, 69.3, 76.0,
    ),
    "GPT2-large": _pair_row(
        81.5, 99.6, 78.3, 80.1, 80.5, 93.3, 86.6, 81.3, 84.1, 70.6, 78.9, 71.3, 89.0,
    ),
    "Human": _pair_row(
        88.6, 97.5, 90.0, 87.3, 83.9, 92.2, 85.0, 86.9, 97.0, 84.9, 88.1, 86.6, 90.9,
    ),
    "GPT2-medium, PLL": _pair_row(
        82.6, 99.4, 83.4, 77.8, 83.0, 96.3, 86.3, 81.3, 94.9, 71.7, 74.7, 74.1, 88.3,
    ),
    "BERT-base, PLL": _pair_row(
        84.2, 97.0, 80.0, 82.3, 79.6, 97.6, 89.4, 83.1, 96.5, 73.6, 84.7, 71.2, 92.4,
    ),
    "BERT-large, PLL": _pair_row(
        84.8, 97.2, 80.7, 82.0, 82.7, 97.6, 86.4, 84.3, 92.8, 77.0, 83.4, 72.8, 91.9,
    ),
    "RoBERTa-base, PLL": _pair_row(
        85.4, 97.3, 83.5, 77.8, 81.9, 97.0, 91.4, 90.1, 96.2, 80.7, 81.0, 69.8, 91.9,
    ),
    "RoBERTa-large, PLL": _pair_row(
        86.5, 97.8, 84.6, 79.1, 84.1, 96.8, 90.8, 88.9, 96.8, 83.4, 85.5, 70.2, 91.4,
    ),
    "BERT-base, H0M, phenomenon": _pair_row(
        81.7, 94.9, 75.9, 80.4, 79.2, 96.7, 89.1, 75.9, 93.0, 70.5, 84.6, 81.2, 82.1,
        heads="L8.H8 L8.H0 L7.H0 L8.H0 L7.H0 L7.H11 L9.H7 L6.H1 L11.H7 L8.H9 L3.H7 L8.H0",
    ),
    "BERT-base, H0M, top": _pair_row(
        75.4, 86.8, 75.9, 63.4, 79.2, 83.7, 72.2, 67.3, 90.3, 70.0, 83.1, 63.5, 82.1,
        heads="L8.H0",
    ),
    "BERT-base, H0M, ensemble": _pair_row(
        84.3, 93.3, 79.9, 83.5, 78.6, 96.4, 78.4, 79.5, 93.8, 74.4, 92.5, 81.7, 86.8,
    ),
    "BERT-base, H0M, all": _pair_row(
        64.8, 79.6, 69.1, 63.9, 62.6, 86.2, 70.7, 47.3, 90.7, 49.5, 61.1, 50.0, 72.0,
    ),
    "BERT-base, RTD, phenomenon": _pair_row(
        81.8, 94.5, 75.8, 80.4, 79.2, 96.7, 89.1, 75.0, 93.0, 72.2, 84.4, 81.2, 82.0,
        heads="L8.H3 L8.H0 L7.H0 L8.H0 L7.H0 L7.H11 L9.H7 L6.H1 L9.H7 L8.H9 L3.H7 L8.H0",
    ),
    "BERT-base, RTD, top": _pair_row(
        75.4, 86.8, 75.8, 63.3, 79.2, 83.6, 72.1, 67.3, 90.2, 70.2, 83.1, 63.6, 82.0,
        heads="L8.H0",
    ),
    "BERT-base, RTD, ensemble": _pair_row(
        85.8, 93.9, 82.5, 85.6, 77.0, 96.3, 88.1, 80.7, 95.7, 77.0, 92.5, 83.8, 88.9,
    ),
    "BERT-base, RTD, all": _pair_row(
        65.3, 77.8, 68.5, 63.2, 63.6, 86.0, 73.4, 48.4, 91.0, 51.3, 62.0, 51.2, 72.6,
    ),
    "RoBERTa-base, H0M, phenomenon": _pair_row(
        86.5, 97.6, 79.9, 90.5, 80.7, 91.6, 89.9, 87.1, 95.9, 78.9, 91.1, 83.4, 90.2,
        heads="L9.H5 L9.H8 L9.H5 L9.H6 L9.H0 L8.H4 L11.H10 L9.H6 L3.H5 L11.H5 L11.H3 L8.H9",
    ),
    "RoBERTa-base, H0M, top": _pair_row(
        81.9, 90.1, 66.0, 84.7, 71.7, 91.0, 86.7, 87.1, 89.5, 76.8, 90.7, 78.4, 85.0,
        heads="L11.H10",
    ),
    "RoBERTa-base, H0M, ensemble": _pair_row(
        87.8, 96.3, 79.6, 87.6, 82.6, 93.6, 84.9, 90.4, 94.3, 83.0, 94.6, 80.6, 92.8,
    ),
    "RoBERTa-base, H0M, all": _pair_row(
        74.3, 80.6, 71.2, 78.6, 67.8, 90.6, 89.9, 75.5, 65.1, 73.4, 65.1, 57.0, 75.6,
    ),
    "RoBERTa-base, RTD, phenomenon": _pair_row(
        86.8, 97.6, 80.7, 90.3, 80.7, 91.9, 90.4, 86.8, 95.9, 78.9, 91.3, 82.9, 90.4,
        heads="L9.H5 L9.H8 L9.H5 L9.H6 L9.H0 L8.H4 L11.H10 L2.H9 L3.H5 L10.H2 L11.H3 L9.H5",
    ),
    "RoBERTa-base, RTD, top": _pair_row(
        80.8, 88.8, 63.3, 83.7, 69.8, 90.2, 88.8, 86.8, 89.1, 76.5, 89.0, 78.4, 83.1,
        heads="L11.H10",
    ),
    "RoBERTa-base, RTD, ensemble": _pair_row(
        88.9, 97.0, 83.3, 86.9, 81.6, 93.7, 88.1, 88.8, 95.5, 83.0, 94.2, 84.2, 92.7,
    ),
    "RoBERTa-base, RTD, all": _pair_row(
        74.3, 81.1, 66.6, 76.8, 65.2, 89.9, 91.1, 74.6, 63.3, 74.1, 63.2, 56.9, 74.9,
    ),
}  # fmt: skip
PARADIGMS_A_PHENOMENON = (2, 9, 7, 5, 8, 2, 7, 2, 8, 7, 4, 6)
ROUNDING = 0.1  # of an overall and of the mean of its cells, together; each is rounded to a tenth


def means_of(row: PairRow) -> tuple[float, float]:
    """What the cells of a row give as their mean over paradigms, and over phenomena."""
    cells = [row.phenomena[term] for term in BLIMP_PHENOMENA]
    weighted = sum(n * cell for n, cell in zip(PARADIGMS_A_PHENOMENON, cells, strict=True))
    return weighted / sum(PARADIGMS_A_PHENOMENON), sum(cells) / len(cells)


def follows(row: PairRow) -> bool:
    """Whether the overall of a row is the mean over paradigms of its cells, as far as rounding goes."""
    return abs(row.overall - means_of(row)[0]) <= ROUNDING + 1e-9


def is_blimp(pairs: Pairs) -> bool:
    """Whether pairs have BLiMP's phenomena with as many paradigms each: then the published rows compare."""
    phenomenon_of = dict(zip(pairs.paradigms.tolist(), pairs.phenomena.tolist(), strict=True))
    return Counter(phenomenon_of.values()) == dict(
        zip(BLIMP_PHENOMENA, PARADIGMS_A_PHENOMENON, strict=True)
    )
