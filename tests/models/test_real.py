"""Real weights: from the cache, or pulled through the catalogue on the first run."""

import itertools

import numpy as np
import pytest

import toposcope as ts

pytestmark = pytest.mark.real

SUBJECTS = ("Maryann", "The old linguists", "Nobody", "A rhinoceros", "Those unhappy children")
VERBS = ("should leave", "was photographing", "had misunderstood", "sings")
OBJECTS = ("the house", "herself", "two spectroscopes", "it", "café owners")
ENDS = (".", "?")
SENTENCES = [f"{s} {v} {o}{e}" for s, v, o, e in itertools.product(SUBJECTS, VERBS, OBJECTS, ENDS)]


@pytest.fixture(scope="module")
def bert():
    """In the hands of transformers."""
    return ts.load("bert-base-cased", engine="torch")


@pytest.fixture(scope="module")
def light():
    return ts.load("bert-base-cased", engine="light")


@pytest.fixture(scope="module")
def smollm():
    return ts.load("SmolLM2-135M-Instruct")


def test_two_hundred_sentences():
    assert len(set(SENTENCES)) == 200


@pytest.mark.filterwarnings("ignore")  # of minicons
@pytest.mark.parametrize(("method", "metric"), [("pll", "original"), ("pll-word", "within_word_l2r")])
def test_pseudo_log_likelihood_is_that_of_minicons(bert, light, method, metric):
    from minicons.scorer import MaskedLMScorer

    peer = MaskedLMScorer(bert.engine.model, tokenizer=bert.tokenizer)

    def ready(texts):  # its own tokenising calls what transformers 5 no longer has
        return bert.tokenizer(texts, padding=True, return_tensors="pt")

    expected = [
        score
        for k in range(0, 200, 20)
        for score in peer.sequence_score(
            ready(SENTENCES[k : k + 20]), lambda x: x.sum(0).item(), PLL_metric=metric
        )
    ]
    scores = bert.score(SENTENCES, method)
    np.testing.assert_allclose(scores.sum(), expected, atol=1e-4)
    np.testing.assert_allclose(light.score(SENTENCES, method).sum(), expected, atol=1e-4)
    tokens = peer.token_score(ready(SENTENCES[:3]), PLL_metric=metric)
    for ours, theirs in zip(scores[:3], tokens, strict=True):
        np.testing.assert_allclose(ours.logprobs, [score for _, score in theirs], atol=1e-4)


@pytest.mark.filterwarnings("ignore")
def test_log_probability_is_that_of_minicons(smollm):
    from minicons.scorer import IncrementalLMScorer

    peer = IncrementalLMScorer(smollm.engine.model, tokenizer=smollm.tokenizer)
    expected = [
        score
        for k in range(0, 200, 20)
        for score in peer.sequence_score(SENTENCES[k : k + 20], lambda x: x.sum(0).item())
    ]
    np.testing.assert_allclose(smollm.score(SENTENCES).sum(), expected, atol=1e-4)


def test_bert_attention_is_what_transformers_reports(bert, light):
    import torch

    text = "There is snowing today."
    maps = bert.attention(text)
    for scope in (bert, light):
        assert (scope.layers, scope.heads, scope.limit) == (12, 12, 512)
    assert maps.tokens == ["[CLS]", "There", "is", "snow", "##ing", "today", ".", "[SEP]"]
    with torch.no_grad():
        ids = torch.tensor([maps.tokens.ids])
        reference = bert.engine.model.bert(input_ids=ids, output_attentions=True).attentions
    np.testing.assert_allclose(maps.array, torch.cat(reference).numpy(), atol=1e-6)
    np.testing.assert_allclose(light.attention(text).array, maps.array, atol=2e-5)
    assert light.fingerprint == bert.fingerprint
    assert light.provenance["tokenizer"] == bert.provenance["tokenizer"]


HARD = [
    "Can't won't I'd've", "naïve café coöperate Ångström", "日本語の文です。 中文句子", "emoji 🙂🙃 here",
    "a\tb\nc", "[MASK] and [SEP] in a text", "don´t “quote” it – ever…", "ﬁne ﬂow", "e\u0301 combining",
    "\u200bzero width", "supercalifragilisticexpialidociously" * 4, "!!! ??? ...", "3.14159 1,000,000 50%",
    "ß ẞ İ ı", "עברית العربية", "x" * 300, "\u00a0blank\u3000wide", "\ufeffbegins with a mark",
    "A.B.C. U.S.A", "##hashes ##s",
]  # fmt: skip


@pytest.mark.parametrize("name", ["bert-base-cased", "all-MiniLM-L6-v2"])
def test_hard_strings_are_cut_alike(name):
    light, heavy = (ts.load(name, engine=engine, long="windows") for engine in ("light", "torch"))
    for ours, theirs in zip(light.pieces(HARD), heavy.pieces(HARD), strict=True):
        assert ours.tokens() == theirs.tokens()
        np.testing.assert_array_equal(ours.tokens().offsets, theirs.tokens().offsets)
        assert ours.tokens().word_ids == theirs.tokens().word_ids


def test_both_engines_judge_alike(bert, light):
    some = [*SENTENCES[:60], "Maryann should leaving.", "What did Betsy paint a picture of?"]
    verdicts = [ts.Judge.load("english").on(scope)(some) for scope in (light, bert)]
    for ours, theirs in zip(*verdicts, strict=True):
        assert ours.acceptable == theirs.acceptable
        np.testing.assert_allclose(ours.probability, theirs.probability, atol=1e-3)
    votes = [np.sign(scope.h0_mean(some[0::2]) - scope.h0_mean(some[1::2])) for scope in (light, bert)]
    assert np.mean(votes[0] != votes[1]) <= 1e-3


def test_a_long_text_has_maps_too(bert):
    text = " ".join(SENTENCES[:50])
    tokens = len(bert.tokenizer(text)["input_ids"])
    assert 400 < tokens <= 512
    assert bert.h0_mean([text], layers=[0, 1]).shape == (1, 2, 12)


def test_causal_maps_look_back_only(smollm):
    maps = smollm.attention("The capital of France is Paris.")
    assert maps.shape[:2] == (30, 9)
    assert not np.triu(maps.array, 1).any()
    np.testing.assert_allclose(maps.array.sum(-1), 1, atol=1e-5)


def test_the_small_encoder_has_no_words_to_predict():
    scope = ts.load("all-MiniLM-L6-v2")
    assert (scope.layers, scope.heads) == (6, 12)
    assert scope.h0_mean(SENTENCES[:4]).shape == (4, 6, 12)
    with pytest.raises(ts.ModelError, match="predicts no words"):
        scope.score(SENTENCES[:1])


def test_language_models_prefer_the_acceptable_sentence(bert, smollm):
    good, bad = "The cats are sleeping on the sofa.", "The cats is sleeping on the sofa."
    for scope in (bert, smollm):
        scores = scope.score([good, bad])
        assert scores.sum()[0] > scores.sum()[1]
