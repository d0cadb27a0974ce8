"""Attention of texts: maps with their tokens, and measures of them."""

from functools import partial

import numpy as np
import pytest
import torch

import toposcope as ts
from tests.models import tiny
from tests.models.tiny import SENTENCES
from toposcope.errors import InputError
from toposcope.models.reader import Settings
from toposcope.models.scope import Scope


def test_identical_texts_are_run_once(encoder):
    seen = []

    def count(bucket):
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
    small = Scope(encoder.engine.model, encoder.tokenizer, settings=Settings(memory=60_000))
    np.testing.assert_allclose(small.h0_mean(SENTENCES), expected, atol=1e-6)
    assert (encoder.h0_mean(SENTENCES) == expected).all()


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
    bare = Scope(encoder.engine.model.bert, encoder.tokenizer).fingerprint
    assert with_head == bare
    other = tiny.build(tiny.ENCODERS["bert"])
    with torch.no_grad():
        other.encoder.layer[0].attention.self.query.bias[0] += 1
    assert Scope(other, encoder.tokenizer).fingerprint != with_head


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
