"""The published numbers: table 1 (accuracy in percent and MCC) and table 2 (accuracy on BLiMP)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from toposcope.stats.metrics import greatest_matthews

if TYPE_CHECKING:
    from toposcope.data.minimal_pairs import Pairs


class Score(NamedTuple):
    """Accuracy in percent and Matthews correlation."""

    accuracy: float
    mcc: float


class Row(NamedTuple):
    """A published row: the same method with the frozen and with the fine-tuned model."""

    frozen_dev: Score
    frozen_test: Score
    tuned_dev: Score
    tuned_test: Score


def _row(*numbers: float) -> Row:
    return Row(*(Score(numbers[k], numbers[k + 1]) for k in range(0, 8, 2)))


BASELINE = "baseline"  # the probe of the frozen model, or the fine-tuned model itself

TABLE1: dict[tuple[str, str], dict[str, Row]] = {
    ("cola", "En-BERT"): {
        BASELINE: _row(69.6, 0.037, 69.0, 0.082, 83.1, 0.580, 81.0, 0.536),
        "H0M": _row(75.0, 0.338, 75.2, 0.372, 85.2, 0.635, 81.2, 0.542),
        "TDA": _row(77.2, 0.420, 76.7, 0.420, 88.6, 0.725, 82.1, 0.565),
    },
    ("cola", "XLM-R"): {
        BASELINE: _row(68.9, 0.041, 68.6, 0.072, 80.8, 0.517, 79.3, 0.489),
        "H0M": _row(71.3, 0.209, 69.8, 0.187, 81.2, 0.532, 77.7, 0.445),
        "TDA": _row(73.0, 0.336, 70.3, 0.297, 86.9, 0.683, 80.4, 0.522),
    },
    ("itacola", "It-BERT"): {
        BASELINE: _row(81.1, 0.032, 82.1, 0.140, 87.4, 0.351, 86.8, 0.382),
        "H0M": _row(85.0, 0.124, 83.6, 0.055, 87.0, 0.361, 85.7, 0.370),
        "TDA": _row(89.2, 0.478, 85.8, 0.352, 91.1, 0.597, 86.4, 0.424),
    },
    ("itacola", "XLM-R"): {
        BASELINE: _row(85.4, 0.000, 84.2, 0.000, 85.7, 0.397, 85.6, 0.434),
        "H0M": _row(84.7, 0.095, 83.3, 0.072, 86.9, 0.370, 86.6, 0.397),
        "TDA": _row(88.3, 0.411, 84.4, 0.208, 92.8, 0.683, 86.1, 0.398),
    },
    ("dalaj", "Sw-BERT"): {
        BASELINE: _row(58.3, 0.183, 59.0, 0.188, 71.9, 0.462, 74.2, 0.500),
        "H0M": _row(69.3, 0.387, 58.4, 0.169, 76.9, 0.542, 68.7, 0.375),
        "TDA": _row(62.1, 0.243, 64.4, 0.289, 71.8, 0.442, 73.4, 0.478),
    },
    ("dalaj", "XLM-R"): {
        BASELINE: _row(52.2, 0.069, 51.5, 0.038, 60.6, 0.243, 62.8, 0.297),
        "H0M": _row(61.1, 0.224, 61.8, 0.237, 62.5, 0.256, 64.5, 0.295),
        "TDA": _row(51.1, 0.227, 54.1, 0.218, 62.5, 0.255, 65.5, 0.322),
    },
}


ACCEPTABLE = {"cola": 0.705, "itacola": 0.845, "dalaj": 0.5}  # share of the sentences, as the paper has it
SIZES = {  # of train, dev and test, as the paper has them
    "cola": (8551, 1043, 1063),
    "itacola": (7801, 946, 975),
    "dalaj": (6870, 892, 952),
}
ROUNDING = Score(0.05, 0.0005)


class Impossible(NamedTuple):
    """A published cell whose two numbers cannot both be right: its accuracy allows at most ``most`` MCC."""

    corpus: str
    model: str
    method: str
    column: str
    score: Score
    most: float


def impossible_cells() -> list[Impossible]:
    """All of them, with the benefit of rounding."""
    found = []
    for (corpus, model), rows in TABLE1.items():
        for method, row in rows.items():
            for column, score in row._asdict().items():
                best = (score.accuracy + ROUNDING.accuracy) / 100
                most = greatest_matthews(best, ACCEPTABLE[corpus])
                if score.mcc - ROUNDING.mcc > most:
                    found.append(Impossible(corpus, model, method, column, score, most))
    return found


class PairRow(NamedTuple):
    """A published row of BLiMP: accuracy in percent, overall (the mean of paradigms) and by phenomenon."""

    overall: float
    phenomena: dict[str, float]


BLIMP_PHENOMENA = (
    "anaphor_agreement", "argument_structure", "binding", "control_raising", "determiner_noun_agreement",
    "ellipsis", "filler_gap_dependency", "irregular_forms", "island_effects", "npi_licensing",
    "quantifiers", "subject_verb_agreement",
)  # fmt: skip


def _pair_row(overall: float, *phenomena: float) -> PairRow:
    return PairRow(overall, dict(zip(BLIMP_PHENOMENA, phenomena, strict=True)))


# Warstadt et al. 2020 (5-gram to human), Salazar et al. 2020 (PLL), Cherniavskii et al. 2022 (H0M, RTD).
TABLE2: dict[str, PairRow] = {
    "5-gram": _pair_row(61.2, 47.9, 71.9, 64.4, 68.5, 70.0, 36.9, 60.2, 79.5, 57.2, 45.5, 53.5, 60.3),
    "LSTM": _pair_row(69.8, 91.7, 73.2, 73.5, 67.0, 85.4, 67.6, 73.9, 89.1, 46.6, 51.7, 64.5, 80.1),
    "Transformer-XL": _pair_row(
        69.6, 94.1, 72.2, 74.7, 71.5, 83.0, 77.2, 66.6, 78.2, 48.4, 55.2, 69.3, 76.0
    ),
    "GPT2-large": _pair_row(81.5, 99.6, 78.3, 80.1, 80.5, 93.3, 86.6, 81.3, 84.1, 70.6, 78.9, 71.3, 89.0),
    "Human": _pair_row(88.6, 97.5, 90.0, 87.3, 83.9, 92.2, 85.0, 86.9, 97.0, 84.9, 88.1, 86.6, 90.9),
    "GPT2-medium, PLL": _pair_row(
        82.6, 99.4, 83.4, 77.8, 83.0, 96.3, 86.3, 81.3, 94.9, 71.7, 74.7, 74.1, 88.3
    ),
    "BERT-base, PLL": _pair_row(
        84.2, 97.0, 80.0, 82.3, 79.6, 97.6, 89.4, 83.1, 96.5, 73.6, 84.7, 71.2, 92.4
    ),
    "BERT-large, PLL": _pair_row(
        84.8, 97.2, 80.7, 82.0, 82.7, 97.6, 86.4, 84.3, 92.8, 77.0, 83.4, 72.8, 91.9
    ),
    "RoBERTa-base, PLL": _pair_row(
        85.4, 97.3, 83.5, 77.8, 81.9, 97.0, 91.4, 90.1, 96.2, 80.7, 81.0, 69.8, 91.9
    ),
    "RoBERTa-large, PLL": _pair_row(
        86.5, 97.8, 84.6, 79.1, 84.1, 96.8, 90.8, 88.9, 96.8, 83.4, 85.5, 70.2, 91.4
    ),
    "BERT-base, H0M, phenomenon": _pair_row(
        81.7, 94.9, 75.9, 80.4, 79.2, 96.7, 89.1, 75.9, 93.0, 70.5, 84.6, 81.2, 82.1
    ),
    "BERT-base, H0M, top": _pair_row(
        75.4, 86.8, 75.9, 63.4, 79.2, 83.7, 72.2, 67.3, 90.3, 70.0, 83.1, 63.5, 82.1
    ),
    "BERT-base, H0M, ensemble": _pair_row(
        84.3, 93.3, 79.9, 83.5, 78.6, 96.4, 78.4, 79.5, 93.8, 74.4, 92.5, 81.7, 86.8
    ),
    "BERT-base, H0M, all": _pair_row(
        64.8, 79.6, 69.1, 63.9, 62.6, 86.2, 70.7, 47.3, 90.7, 49.5, 61.1, 50.0, 72.0
    ),
    "BERT-base, RTD, phenomenon": _pair_row(
        81.8, 94.5, 75.8, 80.4, 79.2, 96.7, 89.1, 75.0, 93.0, 72.2, 84.4, 81.2, 82.0
    ),
    "BERT-base, RTD, top": _pair_row(
        75.4, 86.8, 75.8, 63.3, 79.2, 83.6, 72.1, 67.3, 90.2, 70.2, 83.1, 63.6, 82.0
    ),
    "BERT-base, RTD, ensemble": _pair_row(
        85.8, 93.9, 82.5, 85.6, 77.0, 96.3, 88.1, 80.7, 95.7, 77.0, 92.5, 83.8, 88.9
    ),
    "BERT-base, RTD, all": _pair_row(
        65.3, 77.8, 68.5, 63.2, 63.6, 86.0, 73.4, 48.4, 91.0, 51.3, 62.0, 51.2, 72.6
    ),
    "RoBERTa-base, H0M, ensemble": _pair_row(
        87.8, 96.3, 79.6, 87.6, 82.6, 93.6, 84.9, 90.4, 94.3, 83.0, 94.6, 80.6, 92.8
    ),
    "RoBERTa-base, RTD, ensemble": _pair_row(
        88.9, 97.0, 83.3, 86.9, 81.6, 93.7, 88.1, 88.8, 95.5, 83.0, 94.2, 84.2, 92.7
    ),
}
PARADIGMS_A_PHENOMENON = (2, 9, 7, 5, 8, 2, 7, 2, 8, 7, 4, 6)


def is_blimp(pairs: Pairs) -> bool:
    """Whether pairs have BLiMP's phenomena with as many paradigms each: then the published rows compare."""
    phenomenon_of = dict(zip(pairs.paradigms.tolist(), pairs.phenomena.tolist(), strict=True))
    return Counter(phenomenon_of.values()) == dict(
        zip(BLIMP_PHENOMENA, PARADIGMS_A_PHENOMENON, strict=True)
    )
