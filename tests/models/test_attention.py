"""Attention against transformers' own output_attentions, on every kind of model."""

import gc
import weakref
from functools import partial
from itertools import chain

import numpy as np
import pytest
import torch
import transformers as hf

import toposcope as ts
from tests.models import tiny
from toposcope.errors import InputError, ModelError
from toposcope.models import buckets
from toposcope.models.reader import Settings
from toposcope.models.scope import Scope

SENTENCES = [
    "the cat sleeps on the red sofa.",
    "dogs bark!",
    "",
    "he is very old, and she is very, very old.",
    "the cat sleeps on the red sofa.",
    "cats are red?",
    "dogs bark?",
]


def reported(model, ids):
    """Attention of one text as transformers reports it: (layers, heads, n, n)."""
    with torch.no_grad():
        inner = model.get_encoder() if model.config.is_encoder_decoder else model
        output = inner(input_ids=torch.tensor([ids]), output_attentions=True)
    return np.stack([layer[0].numpy() for layer in output.attentions])


@pytest.mark.parametrize("name", tiny.ENCODERS)
def test_encoder_attention_is_what_transformers_reports(name):
    model = tiny.build(tiny.ENCODERS[name])
    scope = Scope(model, tiny.wordpieces(limit=30))
    check_against_transformers(scope, model, SENTENCES)


@pytest.mark.parametrize("name", tiny.CAUSAL)
def test_causal_attention_is_what_transformers_reports(name):
    model = tiny.build(tiny.CAUSAL[name])
    scope = Scope(model, tiny.characters())
    maps = check_against_transformers(scope, model, [s for s in SENTENCES if s])
    assert all(not np.triu(m.array, 1).any() for m in maps)


def check_against_transformers(scope, model, texts):
    assert (scope.layers, scope.heads) == (3, 4)
    maps = scope.attentions(texts)
    for text, one in zip(texts, maps, strict=True):
        expected = reported(model, list(one.tokens.ids))
        assert expected.std() > 1e-3 or len(one.tokens) < 3  # else nothing is compared
        np.testing.assert_allclose(one.array, expected, atol=2e-6, err_msg=text)
    measured = scope.measure(texts, ts.h0_mean)
    np.testing.assert_allclose(measured, [ts.h0_mean(m) for m in maps], atol=2e-6)
    return maps


def test_layers_above_the_last_wanted_one_are_not_run():
    model = tiny.build(tiny.ENCODERS["bert"])
    scope = Scope(model, tiny.wordpieces())
    ran = []
    for number, layer in enumerate(model.encoder.layer):
        layer.register_forward_hook(lambda *_, number=number: ran.append(number))
    some = scope.h0_mean(SENTENCES, layers=[1, 0])
    assert set(ran) == {0}  # layer 1 is left as soon as its attention is known
    np.testing.assert_array_equal(some, scope.h0_mean(SENTENCES)[:, [1, 0]])


@pytest.mark.parametrize("name", ["bert", "deberta-v2", "mpnet", "albert"])
def test_no_more_than_one_layer_is_held(name):
    scope = Scope(tiny.build(tiny.ENCODERS[name]), tiny.wordpieces(limit=30))
    alive, held = [], []

    def count(layer, weights):
        gc.collect()
        held.append(sum(ref() is not None for ref in alive))
        alive.append(weakref.ref(weights))

    scope._tap.read(torch.arange(1, 21).reshape(2, 10), range(3), count)
    assert max(held) <= 1, "weights of earlier layers are still alive"


def test_identical_texts_are_run_once(encoder):
    seen = []

    def count(bucket):
        if bucket.layer == 0:
            seen.append(len(bucket.array))
        return ts.h0_mean(bucket)

    result = encoder.measure(["dogs bark!"] * 50 + ["the cat", "dogs bark!"], count)
    assert sum(seen) == 2
    assert (result[:50] == result[-1]).all()
    assert (result[50] != result[0]).any()


def test_order_and_bucket_size_do_not_matter(encoder):
    expected = encoder.h0_mean(SENTENCES)
    order = np.random.default_rng(0).permutation(len(SENTENCES))
    np.testing.assert_allclose(encoder.h0_mean([SENTENCES[i] for i in order]), expected[order], atol=1e-6)
    small = Scope(encoder.model, encoder.tokenizer, settings=Settings(memory=60_000))
    np.testing.assert_allclose(small.h0_mean(SENTENCES), expected, atol=1e-6)
    assert (encoder.h0_mean(SENTENCES) == expected).all()


def test_buckets_have_one_length_and_fit_the_memory(encoder):
    lengths = np.random.default_rng(0).integers(2, 38, 500).tolist()
    bytes_of = encoder._bytes_of
    for memory in (bytes_of(37), 300_000, 10**9):
        made = buckets.make_buckets(lengths, bytes_of, memory)
        assert sorted(chain.from_iterable(made)) == list(range(500))
        for places in made:
            (n,) = {lengths[p] for p in places}
            assert len(places) * bytes_of(n) <= memory
            assert len(places) * n <= buckets.TOKENS_AT_ONCE
    with pytest.raises(InputError, match="load\\(\\.\\.\\., memory="):
        buckets.make_buckets([400], bytes_of, 1000)


@pytest.mark.parametrize(
    ("given", "expected"), [(5, 5), ("2GB", 2 * 10**9), ("1.5 MiB", 1572864), ("7", 7)]
)
def test_memory_bounds_are_read(given, expected):
    assert buckets.as_bytes(given) == expected


@pytest.mark.parametrize("given", ["lots", "-1GB", 0, ""])
def test_bad_memory_bounds_are_refused(given):
    with pytest.raises(InputError, match="memory="):
        buckets.as_bytes(given)


def test_maps_of_one_text(encoder):
    maps = encoder.attention("the cat sleeps.")
    assert maps.tokens == ["[CLS]", "the", "cat", "sleep", "##s", ".", "[SEP]"]
    assert maps.shape == maps.array.shape == (3, 4, 7, 7)
    assert maps[1, 2].name == "L1.H2"
    assert maps[-1, -1].name == "L2.H3"
    np.testing.assert_array_equal(np.asarray(maps[1, 2]), maps.array[1, 2])
    assert maps[1].shape == (4, 7, 7)
    assert ts.h0_mean(maps).shape == (3, 4)
    assert ts.rtd(maps[0, 0], maps[1, 0]) >= 0
    assert maps[1, 2].barcode() == ts.barcode(maps.array[1, 2])
    assert maps.barcode(1).shape == (3, 4)
    assert [len(m) for m in maps] == [4, 4, 4]
    with pytest.raises(IndexError, match="3 x 4"):
        maps[5, 0]
    with pytest.raises(InputError, match=r"maps\[layer, head\]"):
        maps[0, 0, 0]
    with pytest.raises(TypeError, match="tokens"):
        len(maps[0, 0])


def test_tokens_travel_with_the_maps(encoder):
    text = "The cat sleeps."
    tokens = encoder.attention(text).tokens
    assert [text[a:b] for a, b in tokens.offsets] == ["", "The", "cat", "sleep", "s", ".", ""]
    assert tokens.word_ids == (None, 0, 1, 2, 2, 3, None)
    assert tokens.special.tolist() == [True, False, False, False, False, False, True]
    assert tokens.ids[0] == encoder.tokenizer.cls_token_id
    assert tokens[1:3] == ("the", "cat")
    assert tokens != "The cat"
    assert tokens == encoder.attention(text).tokens
    assert hash(tokens) == hash(encoder.attention(text).tokens)


def test_words_of_maps(encoder):
    maps = encoder.attention("The cat sleeps.").words()
    assert maps.tokens == ["[CLS]", "The", "cat", "sleeps", ".", "[SEP]"]
    assert maps.shape == (3, 4, 6, 6)
    np.testing.assert_allclose(maps.array.sum(-1), 1, atol=1e-6)
    assert maps.words().tokens == maps.tokens


def test_measures_see_the_tokens(encoder):
    def with_tokens(bucket):
        assert all(len(t) == bucket.shape[-1] for t in bucket.tokens)
        distances = ts.pattern_distances(
            bucket, [list(t) for t in bucket.tokens], patterns=("comma", "sep")
        )
        return np.stack(list(distances.values()), -1)

    result = encoder.measure(SENTENCES, with_tokens)
    assert result.shape == (len(SENTENCES), 3, 4, 2)
    assert (result[1, ..., 0] == 1).all()  # no comma
    assert (result[3, ..., 0] < 1).all()


def test_a_measure_of_the_wrong_shape_is_refused(encoder):
    with pytest.raises(InputError, match="first two axes"):
        encoder.measure(SENTENCES, lambda bucket: np.zeros(3))


def test_nothing_in_nothing_out(encoder):
    assert encoder.h0_mean([]).shape == (0, 3, 4)
    assert encoder.attentions([]) == []


def test_default_symmetry_is_the_papers(encoder):
    maps = encoder.attention(SENTENCES[0])
    np.testing.assert_allclose(encoder.h0_mean(SENTENCES[:1])[0], ts.h0_mean(maps, "upper"), atol=1e-6)


@pytest.mark.parametrize("layers", [[3], [-1], [], [0, 0]])
def test_wrong_layers_are_refused(encoder, layers):
    with pytest.raises(InputError, match="from 0 to 2"):
        encoder.h0_mean(SENTENCES, layers=layers)


def test_single_heads(encoder):
    everything = encoder.h0_mean(SENTENCES)
    heads = [(2, 1), (0, 3), (2, 0), (0, 0)]
    some = encoder.measure(SENTENCES, partial(ts.h0_mean, symmetry="upper"), heads=heads)
    assert some.shape == (len(SENTENCES), 4)
    np.testing.assert_array_equal(some, np.stack([everything[:, i, k] for i, k in heads], axis=1))
    assert encoder.measure([], ts.h0_mean, heads=heads).shape == (0, 4)


@pytest.mark.parametrize("heads", [[(3, 0)], [(0, 4)], [(-1, 0)], [], [(0, 0), (0, 0)]])
def test_wrong_heads_are_refused(encoder, heads):
    with pytest.raises(InputError, match="3 layers and 4 heads"):
        encoder.measure(SENTENCES, ts.h0_mean, heads=heads)


def test_half_precision(encoder):
    for dtype in (torch.bfloat16, torch.float16):
        scope = Scope(tiny.build(tiny.ENCODERS["bert"]).to(dtype), encoder.tokenizer)
        maps = scope.attention(SENTENCES[0])
        assert maps.array.dtype == np.float32
        assert scope.dtype == str(dtype).removeprefix("torch.")
        reference = Scope(tiny.build(tiny.ENCODERS["bert"]), encoder.tokenizer).h0_mean(SENTENCES)
        np.testing.assert_allclose(scope.h0_mean(SENTENCES), reference, atol=0.1)


def test_fingerprint_is_of_the_transformer_alone(encoder):
    with_head = encoder.fingerprint
    bare = Scope(encoder.model.bert, encoder.tokenizer).fingerprint
    assert with_head == bare
    other = tiny.build(tiny.ENCODERS["bert"])
    with torch.no_grad():
        other.encoder.layer[0].attention.self.query.bias[0] += 1
    assert Scope(other, encoder.tokenizer).fingerprint != with_head


class TestModelsThatCannotBeRead:
    def test_fused_attention(self):
        config = hf.BertConfig(**{**tiny.SMALL, "attn_implementation": "sdpa"})
        with pytest.raises(ModelError, match="attn_implementation='eager'"):
            Scope(hf.BertModel(config), tiny.wordpieces())

    def test_no_attention_at_all(self):
        config = hf.FNetConfig(vocab_size=64, hidden_size=32, num_hidden_layers=2, intermediate_size=48)
        with pytest.raises(ModelError, match=r"FNetModel .*attention"):
            Scope(hf.FNetModel(config), tiny.wordpieces())

    def test_state_space(self):
        config = hf.MambaConfig(vocab_size=64, hidden_size=32, num_hidden_layers=2, state_size=4)
        with pytest.raises(ModelError, match=r"MambaModel .*attention"):
            Scope(hf.MambaModel(config), tiny.wordpieces())

    def test_windowed_attention(self):
        config = hf.LongformerConfig(**tiny.SMALL, attention_window=4)
        with pytest.raises(ModelError, match="LongformerModel"):
            Scope(hf.LongformerModel(config), tiny.wordpieces())

    def test_slow_tokenizer(self, encoder):
        class Slow:
            is_fast = False

        with pytest.raises(ModelError, match="tokenizer"):
            Scope(encoder.model, Slow())


def test_pictures(encoder, tmp_path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    maps = encoder.attention("the cat sleeps.")
    one = maps[1, 2].plot()
    assert [t.get_text() for t in one.get_xticklabels()] == list(maps.tokens)
    grid = maps.plot()
    assert len(grid.get_yticklabels()) == 3
    assert len(grid.get_xticklabels()) == 4
    assert "data:image/png" in maps._repr_html_()
    plt.close("all")
    row = maps[0].plot()
    assert len(row.get_yticklabels()) == 1
    plt.close("all")


def test_a_bar_can_be_shown(encoder, capsys):
    encoder.measure(SENTENCES, partial(ts.h0_sum, symmetry="lower"), progress=True)
    assert "reading attention" in capsys.readouterr().err
