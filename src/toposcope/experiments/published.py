"""The published numbers of table 1: accuracy in percent and MCC."""

from __future__ import annotations

from typing import NamedTuple

from toposcope.stats.metrics import greatest_matthews


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
