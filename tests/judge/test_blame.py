"""Which words are to blame, where a judge says one number for a sentence."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

import toposcope as ts
from tests.models import tiny
from toposcope.judge.blame import (
    DOUBTFUL,
    HELPED,
    HIDING,
    LEAVING_OUT,
    WORD_BY_WORD,
    Blame,
    find_blame,
    word_spans,
)
from toposcope.judge.evidence import Evidence
from toposcope.judge.recipe import Recipe
from toposcope.judge.train import train_judge
from toposcope.judge.verdict import Verdict
from toposcope.models.scope import Scope

BAD = "the red dog is old."


def verdict(text, probability):
    return Verdict(text, probability >= 0.5, probability, 0.5)


@pytest.fixture(scope="module")
def causal(toy):
    """A judge on a model that has no mask token."""
    scope = Scope(tiny.build(tiny.CAUSAL["gpt2"]), tiny.characters(), name="tiny-causal")
    return train_judge(scope, toy, Recipe(Evidence.parse("mean:1-3", scope.layers)))


def test_blame_is_what_hiding_a_word_gains(frozen):
    blame = dict(frozen.blame(BAD))
    assert list(blame) == ["the", "red", "dog", "is", "old"]
    hidden = frozen(BAD.replace("dog", "[MASK]")).probability
    assert blame["dog"] == pytest.approx(hidden - frozen(BAD).probability, abs=1e-5)
    assert frozen.blame(BAD) == frozen.blame(BAD)


def test_the_worst_words_are_named():
    gains = {"the": 0.3, "red": 0.09, "dog": 0.5, "is": 0.11, "old": 0.2}
    probability = {BAD.replace(word, "[MASK]"): 0.2 + gain for word, gain in gains.items()} | {BAD: 0.2}
    judge = SimpleNamespace(
        reads_words=False,
        scope=SimpleNamespace(causal=False, tokenizer=SimpleNamespace(mask_token="[MASK]")),
        verdicts=lambda texts, progress: [verdict(text, probability[text]) for text in texts],
    )
    found = find_blame(judge, verdict(BAD, 0.2))
    assert [word for word, _ in found.words] == ["dog", "the", "old"]
    assert [much for _, much in found.words] == pytest.approx([0.5, 0.3, 0.2])
    assert (found.found, found.remark) == (HIDING, "")
    gains.update(dict.fromkeys(gains, HELPED - 0.001))
    probability.update({BAD.replace(word, "[MASK]"): 0.2 + gain for word, gain in gains.items()})
    told = find_blame(judge, verdict(BAD, 0.2))
    assert told.remark == "no word to blame: hiding any one helps by less than 0.1"


def test_without_a_mask_token_words_are_left_out(causal):
    blame = dict(causal.blame(BAD))
    for word, without in (
        ("the", "red dog is old."),
        ("dog", "the red is old."),
        ("old", "the red dog is."),
    ):
        gained = causal(without).probability - causal(BAD).probability
        assert blame[word] == pytest.approx(gained, abs=1e-5)
    assert find_blame(causal, causal(BAD)).found == LEAVING_OUT


def test_who_goes_word_by_word_is_asked():
    judge, words = SimpleNamespace(reads_words=True), (("the", 0.1), ("dog", DOUBTFUL), ("old", 0.9))
    named = (("old", 0.9), ("dog", DOUBTFUL))
    assert find_blame(judge, replace(verdict(BAD, 0.2), words=words)) == Blame(named, WORD_BY_WORD)
    nobody = find_blame(judge, replace(verdict(BAD, 0.2), words=words[:1]))
    assert nobody == Blame((), WORD_BY_WORD, "no word to blame: none is probably wrong by itself")


def test_where_nobody_is_named_it_says_why(frozen):
    assert frozen.blame("dog.") == []
    assert find_blame(frozen, frozen("dog!")) == Blame((), HIDING, "no word to blame: there is one only")
    among = find_blame(frozen, verdict("dog " * 101, 0.2))
    assert among == Blame((), HIDING, "words to blame are not looked for among 101, 100 at most")
    good = "the red cat is old."
    assert find_blame(frozen, frozen(good)) == Blame(
        (), HIDING, "no word to blame: hiding any one helps by less than 0.1"
    )
    with pytest.raises(ts.InputError, match="has no words"):
        frozen.blame("...")


def test_words_stand_between_blanks():
    def words(text):
        return [text[begin:end] for begin, end in word_spans(text)]

    assert words("“I don't,” (he) said…  well-known — \u200bहिन्दी\u200b!") == [
        "I", "don't", "he", "said", "well-known", "हिन्दी",
    ]  # fmt: skip
    assert words("... !") == []
