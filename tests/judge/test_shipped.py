"""The judges that come with the package, on real weights."""

import json

import pytest

import toposcope as ts
from tests.judge.sight import BROKEN, ELSEWHERE, EVERYDAY, PAPER
from toposcope.data.faults import blamed_words
from toposcope.judge.card import CARD, FIGURE
from toposcope.judge.judge import JSON, SHIPPED, WEIGHTS, shipped

NAMES = ("english", "english-frozen", "italian", "swedish", "swedish-words")
LARGEST = 3_000_000  # bytes
RIGHT = 0.85
RIGHT_ELSEWHERE = {"italian": 0.75, "swedish": 0.6}


def test_they_are_there_and_small():
    assert tuple(shipped()) == NAMES
    for name in NAMES:
        folder = SHIPPED / name
        told = json.loads((folder / JSON).read_text("utf-8"))["about"]
        pictures = {FIGURE} if "cross-validation" in told else set()  # older ones are not made anew yet
        assert {file.name for file in folder.iterdir()} == {JSON, WEIGHTS, CARD, *pictures}
        assert sum(file.stat().st_size for file in folder.iterdir()) < LARGEST


@pytest.mark.parametrize("name", NAMES)
def test_cards_say_what_the_judge_knows(name):
    facts = json.loads((SHIPPED / name / JSON).read_text("utf-8"))
    text = (SHIPPED / name / "card.md").read_text("utf-8")
    assert facts["model"]["fingerprint"][:12] in text
    assert len(facts["about"]["scores"]) == 2
    for found in facts["about"]["scores"]:
        assert f"{found['chosen threshold']['mcc']['value']:.3f}" in text
    assert "Limits." in text


@pytest.mark.real
def test_sensible_on_sight():
    judge = ts.Judge.load("english")
    right = [v.acceptable for v in judge(EVERYDAY)] + [not v.acceptable for v in judge(BROKEN)]
    assert sum(right) >= RIGHT * len(right)


@pytest.mark.real
@pytest.mark.parametrize("language", list(ELSEWHERE))
def test_sensible_in_other_languages(language):
    good, bad = zip(*ELSEWHERE[language], strict=True)
    judge = ts.Judge.load(language)
    right = [v.acceptable for v in judge(good)] + [not v.acceptable for v in judge(bad)]
    assert sum(right) >= RIGHT_ELSEWHERE[language] * len(right)


@pytest.mark.real
@pytest.mark.parametrize("language", list(PAPER))
def test_the_papers_sentences(language):
    assert [v.acceptable for v in ts.Judge.load(language)(list(PAPER[language]))] == [True, False]


@pytest.mark.real
def test_the_judge_of_the_model_as_it_is_has_the_right_order():
    """It finds both of the paper's sentences acceptable; its card says how often it errs."""
    good, bad = ts.Judge.load("english-frozen")(list(PAPER["english"]))
    assert good.probability > bad.probability


@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("italian", "Questa donna mi hanno colpito.", "hanno"),
        ("swedish-words", "Vi tycker om att lyssnar på musik.", "lyssnar"),
    ],
)
def test_judges_that_go_word_by_word_name_the_word(name, text, word):
    blame = ts.Judge.load(name).blame(text)
    assert max(blame, key=lambda one: one[1])[0] == word


@pytest.mark.real
def test_a_judge_of_whole_sentences_finds_the_word_by_hiding_it():
    """Of sentences that are unacceptable in its eyes, it names first a word that the correction changes."""
    judge = ts.Judge.load("english")
    assert max(judge.blame(PAPER["english"][1]), key=lambda one: one[1])[0] == "leaving"
    right = []
    for good, bad, verdict in zip(EVERYDAY[:20], BROKEN[:20], judge(BROKEN[:20]), strict=True):
        if not verdict.acceptable:
            word = max(judge.blame(bad), key=lambda one: one[1])[0]
            right.append(any(word in bad[a:b] for a, b in blamed_words(bad, good)))
    assert sum(right) >= 0.7 * len(right) > 10  # one drawn by lot is right in 29 %
