"""The published cells, typed a second time in the layout of the paper, and compared exactly."""

import numpy as np
import pytest

from toposcope.experiments.published import (
    ACCEPTABLE,
    BASELINE,
    SIZES,
    TABLE1,
    Row,
    Score,
    impossible_cells,
)
from toposcope.experiments.published_pairs import (
    BLIMP_PHENOMENA,
    PARADIGMS_A_PHENOMENON,
    TABLE2,
    PairRow,
    follows,
    means_of,
)
from toposcope.stats.metrics import greatest_matthews

# Accuracy and MCC: frozen dev, frozen test, tuned dev, tuned test (IDD and OODD of CoLA).
CLASSIFICATION = """
# CoLA
En-BERT 69.6 0.037 69.0 0.082 83.1 0.580 81.0 0.536
En-BERT + H0M 75.0 0.338 75.2 0.372 85.2 0.635 81.2 0.542
En-BERT + TDA 77.2 0.420 76.7 0.420 88.6 0.725 82.1 0.565
XLM-R 68.9 0.041 68.6 0.072 80.8 0.517 79.3 0.489
XLM-R + H0M 71.3 0.209 69.8 0.187 81.2 0.532 77.7 0.445
XLM-R + TDA 73.0 0.336 70.3 0.297 86.9 0.683 80.4 0.522
# ItaCoLA
It-BERT 81.1 0.032 82.1 0.140 87.4 0.351 86.8 0.382
It-BERT + H0M 85.0 0.124 83.6 0.055 87.0 0.361 85.7 0.370
It-BERT + TDA 89.2 0.478 85.8 0.352 91.1 0.597 86.4 0.424
XLM-R 85.4 0.000 84.2 0.000 85.7 0.397 85.6 0.434
XLM-R + H0M 84.7 0.095 83.3 0.072 86.9 0.370 86.6 0.397
XLM-R + TDA 88.3 0.411 84.4 0.208 92.8 0.683 86.1 0.398
# DaLAJ
Sw-BERT 58.3 0.183 59.0 0.188 71.9 0.462 74.2 0.500
Sw-BERT + H0M 69.3 0.387 58.4 0.169 76.9 0.542 68.7 0.375
Sw-BERT + TDA 62.1 0.243 64.4 0.289 71.8 0.442 73.4 0.478
XLM-R 52.2 0.069 51.5 0.038 60.6 0.243 62.8 0.297
XLM-R + H0M 61.1 0.224 61.8 0.237 62.5 0.256 64.5 0.295
XLM-R + TDA 51.1 0.227 54.1 0.218 62.5 0.255 65.5 0.322
"""
# Overall, anaphor agr, argument structure, binding, control/raising, D-N agr, ellipsis, filler-gap,
# irregular, island, NPI, quantifiers, S-V agr.
PAIRS = """
# Warstadt et al. 2020
5-gram 61.2 47.9 71.9 64.4 68.5 70.0 36.9 60.2 79.5 57.2 45.5 53.5 60.3
LSTM 69.8 91.7 73.2 73.5 67.0 85.4 67.6 73.9 89.1 46.6 51.7 64.5 80.1
Transformer-XL 69.6 94.1 72.2 74.7 71.5 83.0 77.2 66.6 78.2 48.4 55.2 69.3 76.0
GPT2-large 81.5 99.6 78.3 80.1 80.5 93.3 86.6 81.3 84.1 70.6 78.9 71.3 89.0
Human Baseline 88.6 97.5 90.0 87.3 83.9 92.2 85.0 86.9 97.0 84.9 88.1 86.6 90.9
# Salazar et al. 2020
GPT2-medium 82.6 99.4 83.4 77.8 83.0 96.3 86.3 81.3 94.9 71.7 74.7 74.1 88.3
BERT-base 84.2 97.0 80.0 82.3 79.6 97.6 89.4 83.1 96.5 73.6 84.7 71.2 92.4
BERT-large 84.8 97.2 80.7 82.0 82.7 97.6 86.4 84.3 92.8 77.0 83.4 72.8 91.9
RoBERTa-base 85.4 97.3 83.5 77.8 81.9 97.0 91.4 90.1 96.2 80.7 81.0 69.8 91.9
RoBERTa-large 86.5 97.8 84.6 79.1 84.1 96.8 90.8 88.9 96.8 83.4 85.5 70.2 91.4
# BERT-base + H0M
[Layer; Head] - [8;8] [8;0] [7;0] [8;0] [7;0] [7;11] [9;7] [6;1] [11;7] [8;9] [3;7] [8;0]
Phenomenon Head 81.7 94.9 75.9 80.4 79.2 96.7 89.1 75.9 93.0 70.5 84.6 81.2 82.1
Top Head [8;0] 75.4 86.8 75.9 63.4 79.2 83.7 72.2 67.3 90.3 70.0 83.1 63.5 82.1
Head Ensemble 84.3 93.3 79.9 83.5 78.6 96.4 78.4 79.5 93.8 74.4 92.5 81.7 86.8
All Heads 64.8 79.6 69.1 63.9 62.6 86.2 70.7 47.3 90.7 49.5 61.1 50.0 72.0
# BERT-base + RTD
[Layer; Head] - [8;3] [8;0] [7;0] [8;0] [7;0] [7;11] [9;7] [6;1] [9;7] [8;9] [3;7] [8;0]
Phenomenon Head 81.8 94.5 75.8 80.4 79.2 96.7 89.1 75.0 93.0 72.2 84.4 81.2 82.0
Top Head [8;0] 75.4 86.8 75.8 63.3 79.2 83.6 72.1 67.3 90.2 70.2 83.1 63.6 82.0
Head Ensemble 85.8 93.9 82.5 85.6 77.0 96.3 88.1 80.7 95.7 77.0 92.5 83.8 88.9
All Heads 65.3 77.8 68.5 63.2 63.6 86.0 73.4 48.4 91.0 51.3 62.0 51.2 72.6
# RoBERTa-base + H0M
[Layer; Head] - [9;5] [9;8] [9;5] [9;6] [9;0] [8;4] [11;10] [9;6] [3;5] [11;5] [11;3] [8;9]
Phenomenon Head 86.5 97.6 79.9 90.5 80.7 91.6 89.9 87.1 95.9 78.9 91.1 83.4 90.2
Top Head [11;10] 81.9 90.1 66.0 84.7 71.7 91.0 86.7 87.1 89.5 76.8 90.7 78.4 85.0
Head Ensemble 87.8 96.3 79.6 87.6 82.6 93.6 84.9 90.4 94.3 83.0 94.6 80.6 92.8
All Heads 74.3 80.6 71.2 78.6 67.8 90.6 89.9 75.5 65.1 73.4 65.1 57.0 75.6
# RoBERTa-base + RTD
[Layer; Head] - [9;5] [9;8] [9;5] [9;6] [9;0] [8;4] [11;10] [2;9] [3;5] [10;2] [11;3] [9;5]
Phenomenon Head 86.8 97.6 80.7 90.3 80.7 91.9 90.4 86.8 95.9 78.9 91.3 82.9 90.4
Top Head [11;10] 80.8 88.8 63.3 83.7 69.8 90.2 88.8 86.8 89.1 76.5 89.0 78.4 83.1
Head Ensemble 88.9 97.0 83.3 86.9 81.6 93.7 88.1 88.8 95.5 83.0 94.2 84.2 92.7
All Heads 74.3 81.1 66.6 76.8 65.2 89.9 91.1 74.6 63.3 74.1 63.2 56.9 74.9
"""
STATISTICS = """
Train 8,551 7,801 6,870
Dev 1,043 946 892
Test 1,063 975 952
% 70.5 84.5 50.0
"""
OURS = {"Phenomenon Head": "phenomenon", "Top Head": "top", "Head Ensemble": "ensemble", "All Heads": "all"}


def lines_of(text):
    """Each line with the heading above it, its words apart from its numbers."""
    heading = ""
    for line in text.strip().splitlines():
        if line.startswith("# "):
            heading = line[2:]
        else:
            words = line.split()
            yield heading, words


def test_table_1_is_what_the_paper_prints():
    typed = {}
    for corpus, words in lines_of(CLASSIFICATION):
        model, _, method = " ".join(words[:-8]).partition(" + ")
        rows = typed.setdefault((corpus.lower(), model), {})
        rows[method or BASELINE] = tuple(map(float, words[-8:]))
    copied = {
        key: {method: tuple(n for score in row for n in score) for method, row in rows.items()}
        for key, rows in TABLE1.items()
    }
    assert copied == typed
    assert sum(len(row) for rows in typed.values() for row in rows.values()) == 144


def test_table_2_is_what_the_paper_prints():
    typed, heads = {}, {}
    for heading, words in lines_of(PAIRS):
        system, numbers = " ".join(words[:-13]), words[-13:]
        if system == "[Layer; Head]":
            heads[heading] = [f"L{layer}.H{head}" for layer, head in map(parsed_head, numbers[1:])]
            continue
        name, own = {"Human Baseline": "Human"}.get(system, system), ()
        if heading == "Salazar et al. 2020":
            name += ", PLL"
        if " + " in heading:
            configuration, _, head = system.partition(" [")
            name = f"{heading.replace(' + ', ', ')}, {OURS[configuration]}"
            own = {"phenomenon": tuple(heads[heading])}.get(OURS[configuration], ())
            own = own or (("L{}.H{}".format(*parsed_head("[" + head)),) if head else ())
        overall, *phenomena = map(float, numbers)
        typed[name] = PairRow(overall, dict(zip(BLIMP_PHENOMENA, phenomena, strict=True)), own)
    assert typed == TABLE2
    assert sum(1 + len(row.phenomena) for row in typed.values()) == 26 * 13
    assert sum(len(row.heads) for row in typed.values()) == 4 * 13


def parsed_head(cell):
    layer, head = cell.strip("[]").split(";")
    return int(layer), int(head)


def test_cells_are_impossible_only_beyond_what_rounding_explains(monkeypatch):
    """Half are acceptable; a cell is printed with one digit of accuracy and three of MCC."""
    most = greatest_matthews(0.6005, 0.5)

    def found(mcc):
        row = Row(Score(60.0, mcc), Score(60.0, 0.0), Score(60.0, 0.1), Score(60.0, -0.9))
        monkeypatch.setitem(TABLE1, ("dalaj", "made up"), {"H0M": row})
        return [cell for cell in impossible_cells() if cell.model == "made up"]

    assert found(most + 0.0004) == []
    (cell,) = found(most + 0.0006)
    assert (cell.corpus, cell.method, cell.column) == ("dalaj", "H0M", "frozen_dev")
    assert cell.most == pytest.approx(most, abs=1e-12)
    assert cell.score.accuracy == 60.0
    monkeypatch.delitem(TABLE1, ("dalaj", "made up"))
    assert len(impossible_cells()) == 2


def test_the_statistics_of_the_corpora_are_what_the_paper_prints():
    names, rows = ("cola", "itacola", "dalaj"), [words for _, words in lines_of(STATISTICS)]
    sizes = [tuple(int(n.replace(",", "")) for n in words[1:]) for words in rows[:3]]
    assert dict(zip(names, zip(*sizes, strict=True), strict=True)) == SIZES
    shares = [float(share) / 100 for share in rows[3][1:]]
    assert dict(zip(names, shares, strict=True)) == pytest.approx(ACCEPTABLE)


def test_overall_is_the_mean_of_paradigms_but_in_three_rows():
    assert sum(PARADIGMS_A_PHENOMENON) == 67
    wrong = {}
    for name, row in TABLE2.items():
        cells = list(row.phenomena.values())
        expected = np.repeat(cells, PARADIGMS_A_PHENOMENON).mean(), np.mean(cells)
        assert means_of(row) == pytest.approx(expected)
        near = abs(expected[0] - row.overall) < 0.1
        assert follows(row) == near, name
        if not near:
            wrong[name] = (row.overall, *np.round(expected, 1).tolist())
    assert wrong == {
        "RoBERTa-base, H0M, phenomenon": (86.5, 86.7, 88.1),
        "RoBERTa-base, RTD, ensemble": (88.9, 88.3, 89.1),
        "RoBERTa-base, RTD, all": (74.3, 72.9, 73.1),
    }


@pytest.mark.parametrize(
    ("overall", "expected"),
    [(60.3, True), (60.4, True), (60.2, False), (60.5, False), (61.0, False)],
)
def test_rounding_is_allowed_for(overall, expected):
    """Cells with a mean of 60.36 over paradigms (two of 67 have 72) and of 61 over phenomena."""
    row = PairRow(overall, dict.fromkeys(BLIMP_PHENOMENA, 60.0) | {"anaphor_agreement": 72.0})
    assert means_of(row) == pytest.approx((60 + 12 * 2 / 67, 61))
    assert follows(row) is expected


@pytest.mark.parametrize(
    ("overall", "expected"), [(60.1, True), (59.9, True), (60.2, False), (59.8, False)]
)
def test_a_tenth_apart_may_be_rounding(overall, expected):
    assert follows(PairRow(overall, dict.fromkeys(BLIMP_PHENOMENA, 60.0))) is expected
