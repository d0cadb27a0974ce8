"""Scores of the language model itself, against sums done the slow way and against minicons."""

import numpy as np
import pytest
import torch

from tests.models import tiny
from toposcope.errors import InputError, ModelError
from toposcope.models.reader import Settings
from toposcope.models.scope import Scope

TEXTS = ["the cat sleeps.", "dogs are sleeping, and barking!", "he is old.", "the cat sleeps.", "cats"]


def slow_pll(scope, text, whole_word=False):
    """One masked copy at a time."""
    encoding = scope.tokenizer(text)
    ids, words = encoding["input_ids"], encoding.word_ids()
    scores = []
    for k in range(1, len(ids) - 1):
        masked = list(ids)
        for j in range(k, len(ids) - 1):
            if j == k or (whole_word and words[j] == words[k]):
                masked[j] = scope.tokenizer.mask_token_id
        with torch.no_grad():
            logits = scope.engine.model(input_ids=torch.tensor([masked])).logits[0, k]
        scores.append(float(torch.log_softmax(logits, -1)[ids[k]]))
    return scores


@pytest.mark.parametrize("method", ["pll", "pll-word"])
def test_pseudo_log_likelihood(encoder, method):
    scores = encoder.score(TEXTS, method)
    assert scores.method == method
    for text, score in zip(TEXTS, scores, strict=True):
        expected = slow_pll(encoder, text, method == "pll-word")
        np.testing.assert_allclose(score.logprobs, expected, atol=1e-5)
        assert score.total == pytest.approx(sum(expected), abs=1e-4)
        assert score.count == len(expected)


def test_methods_differ_where_words_have_pieces(encoder):
    plain, by_word = (encoder.score(TEXTS, m).sum() for m in ("pll", "pll-word"))
    pieces = np.array([("##" in " ".join(encoder.attention(t).tokens)) for t in TEXTS])
    assert ((plain != by_word) == pieces).all()
    assert pieces.any()


def test_log_probability(causal):
    scores = causal.score(TEXTS)
    assert scores.method == "logprob"
    for text, score in zip(TEXTS, scores, strict=True):
        ids = torch.tensor([causal.tokenizer(text)["input_ids"]])
        with torch.no_grad():
            logprobs = torch.log_softmax(causal.engine.model(input_ids=ids).logits[0, :-1], -1)
        expected = logprobs[range(ids.shape[1] - 1), ids[0, 1:]].numpy()
        assert np.isnan(score.logprobs[0])
        np.testing.assert_allclose(score.logprobs[1:], expected, atol=1e-5)
        assert score.count == len(expected)


def test_log_probability_with_a_first_token(causal):
    first = causal.tokenizer.bos_token
    scores = causal.score(TEXTS, "logprob-bos")
    for text, score in zip(TEXTS, scores, strict=True):
        expected = causal.score([first + text])[0]
        assert not np.isnan(score.logprobs).any()
        np.testing.assert_allclose(score.logprobs, expected.logprobs[-score.count :], atol=1e-5)


def test_a_single_token_without_a_first_one_has_no_score(causal):
    score = causal.score(["a"])
    assert score[0].count == 0
    assert score.sum().tolist() == score.mean().tolist() == [0]


def test_sums_by_word(encoder):
    score = encoder.score(["the cat sleeps."])[0]
    assert [w for w, _ in score.words()] == ["the", "cat", "sleeps", "."]
    assert score.words()[2][1] == pytest.approx(score.logprobs[2:4].sum())
    assert sum(s for _, s in score.words()) == pytest.approx(score.total)


def test_normalised_scores(encoder):
    scores = encoder.score(TEXTS)
    counts = np.array([len(s.tokens) for s in scores])
    np.testing.assert_allclose(scores.mean(), scores.sum() / counts)
    np.testing.assert_allclose(scores.penlp(), scores.sum() / ((5 + counts) / 6) ** 0.8)
    frequencies = {"the": 8, "cat": 2, ".": 5}
    whole = 15 + 3 + 1
    unigram = sum(np.log(c / whole) for c in (9, 3, 1, 1, 6))  # the cat sleep ##s .
    assert scores.slor(frequencies)[0] == pytest.approx((scores.sum()[0] - unigram) / 5)
    with pytest.raises(InputError, match="counts"):
        scores.slor({})


def test_order_repeats_and_memory_do_not_matter(encoder):
    expected = encoder.score(TEXTS).sum()
    assert expected[0] == expected[3]
    small = Scope(encoder.engine.model, encoder.tokenizer, settings=Settings(memory=40_000))
    np.testing.assert_allclose(small.score(TEXTS[::-1]).sum()[::-1], expected, atol=1e-4)


def test_windows_count_every_token_once(encoder):
    text = " ".join(["the cat sleeps on the sofa."] * 20)
    scope = Scope(encoder.engine.model, encoder.tokenizer, settings=Settings(long="windows", overlap=7))
    score = scope.score([text, "dogs bark."])[0]
    whole = encoder.tokenizer(text, add_special_tokens=False, verbose=False)
    assert list(score.tokens) == whole.tokens()


def test_models_without_a_head_say_so(encoder):
    scope = Scope(encoder.engine.model.bert, encoder.tokenizer)
    with pytest.raises(ModelError, match="predicts no words"):
        scope.score(TEXTS)


def test_methods_of_the_other_kind_are_refused(encoder, causal):
    with pytest.raises(InputError, match="'pll' and 'pll-word'"):
        encoder.score(TEXTS, "logprob")
    with pytest.raises(InputError, match="'logprob' and 'logprob-bos'"):
        causal.score(TEXTS, "pll")
    no_first = tiny.characters()
    no_first.bos_token = None
    with pytest.raises(InputError, match="begins a text"):
        Scope(causal.engine.model, no_first).score(TEXTS, "logprob-bos")


@pytest.mark.parametrize(
    "kind", ["Roberta", "Albert", "DistilBert", "Electra", "MPNet", "DebertaV2", "ModernBert"]
)
def test_the_head_on_one_position_is_the_head(kind):
    hf = tiny.hf
    small = {**tiny.SMALL, "pad_token_id": 0}
    if kind == "DistilBert":
        small = {"vocab_size": 64, "dim": 32, "n_layers": 3, "n_heads": 4, "hidden_dim": 48}
    config = getattr(hf, f"{kind}Config")(**{**small, "attn_implementation": "eager"})
    scope = Scope(tiny.build(lambda: getattr(hf, f"{kind}ForMaskedLM")(config)), tiny.wordpieces(limit=30))
    assert scope.engine._narrows
    np.testing.assert_allclose(scope.score(TEXTS[:2])[1].logprobs, slow_pll(scope, TEXTS[1]), atol=1e-4)
