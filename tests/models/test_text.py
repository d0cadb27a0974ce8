"""What happens to texts on their way in."""

from itertools import pairwise

import numpy as np
import pytest
import transformers as hf

from tests.models import tiny
from toposcope.errors import InputError
from toposcope.models.reader import Settings
from toposcope.models.scope import Scope
from toposcope.models.text import check_texts, make_pieces

LONG_TEXT = " ".join(["the cat sleeps on the sofa."] * 20)


def scope_with(encoder, **settings):
    return Scope(encoder.engine.model, encoder.tokenizer, settings=Settings(**settings))


@pytest.mark.parametrize(
    "text", ["", " ", "\t\n ", "\x00\x01\x7f", "\u200b\u200e", "\ufeff", "\N{COMBINING ACUTE ACCENT}"]
)
def test_texts_without_visible_characters_have_maps(encoder, text):
    maps = encoder.attention(text)
    assert maps.tokens[0] == "[CLS]"
    assert maps.tokens[-1] == "[SEP]"
    np.testing.assert_allclose(maps.array.sum(-1), 1, atol=1e-5)
    assert np.isfinite(encoder.h0_mean([text])).all()


@pytest.mark.parametrize(
    "text", ["🙂🙂", "日本語", "naïve café", "a" * 5000, "[MASK] [PAD]", "\r\n.", "<s>$1"]
)
def test_odd_texts_have_maps(encoder, text):
    assert np.isfinite(encoder.h0_mean([text])).all()


def test_a_text_without_any_token_is_refused(causal):
    with pytest.raises(InputError, match=r"texts\[1\] = '' gives no token"):
        causal.h0_mean(["the cat", ""])


def test_half_characters_are_refused_by_place(encoder):
    with pytest.raises(InputError, match=r"texts\[1\].*U\+D800.*position 4"):
        encoder.h0_mean(["fine", "the \ud800 cat"])


def test_what_is_no_text_is_refused(encoder):
    with pytest.raises(InputError, match=r"texts\[2\] is a float"):
        encoder.h0_mean(["a", "b", float("nan")])
    with pytest.raises(InputError, match="one string"):
        encoder.h0_mean("the cat")
    with pytest.raises(InputError, match="text is a list"):
        encoder.attention(["the cat"])
    for wrong in (5, None, b"the cat", {"the cat": 1}):
        with pytest.raises(InputError, match=f"texts is a {type(wrong).__name__}: accepted is a list"):
            check_texts(wrong)
    assert check_texts(("a", "b")) == ["a", "b"]


def test_long_texts_are_refused_by_default(encoder):
    with pytest.raises(InputError, match=r"162 tokens, the model takes 40.*truncate.*windows"):
        encoder.attention(LONG_TEXT)


def test_a_line_of_100000_characters(encoder):
    line = "the cat sleeps. " * 6250
    assert len(line) == 100_000
    with pytest.raises(InputError, match="model takes 40"):
        encoder.h0_mean([line])
    assert scope_with(encoder, long="truncate").h0_mean([line]).shape == (1, 3, 4)
    assert scope_with(encoder, long="windows").h0_mean([line]).shape == (1, 3, 4)


def test_truncated_texts_keep_their_special_tokens(encoder):
    maps = scope_with(encoder, long="truncate").attention(LONG_TEXT)
    assert len(maps.tokens) == 40
    assert (maps.tokens[0], maps.tokens[-1]) == ("[CLS]", "[SEP]")


def test_windows_cover_the_text_and_overlap(encoder):
    scope = scope_with(encoder, long="windows", overlap=6)
    windows = scope.attentions([LONG_TEXT, "dogs bark."])
    assert [len(w.tokens) for w in windows[:-1]][:-1] == [40] * (len(windows) - 2)
    assert windows[-1].tokens.text == "dogs bark."
    inside = [w.tokens.offsets[~w.tokens.special] for w in windows[:-1]]
    covered = {tuple(span) for spans in inside for span in spans.tolist()}
    whole = encoder.tokenizer(
        LONG_TEXT, add_special_tokens=False, return_offsets_mapping=True, verbose=False
    )
    assert covered == set(whole["offset_mapping"])
    for before, after in pairwise(inside):
        assert before[-6:].tolist() == after[:6].tolist()
    with pytest.raises(InputError, match=r"attentions\(\[text\]\)"):
        scope.attention(LONG_TEXT)


def test_a_text_in_windows_is_measured_by_their_mean(encoder):
    scope = scope_with(encoder, long="windows")
    texts = ["dogs bark.", LONG_TEXT, "he is old", LONG_TEXT + " dogs"]
    windows = scope.attentions([LONG_TEXT])
    measured = scope.h0_mean(texts)
    assert measured.shape == (4, 3, 4)
    from toposcope import h0_mean

    np.testing.assert_allclose(
        measured[1], np.mean([h0_mean(w, "upper") for w in windows], axis=0), atol=1e-6
    )
    np.testing.assert_allclose(measured[[0, 2]], encoder.h0_mean([texts[0], texts[2]]), atol=1e-6)


@pytest.mark.parametrize(
    ("settings", "message"), [({"long": "cut"}, "'truncate'"), ({"overlap": 20}, "0 to 19")]
)
def test_wrong_settings_are_refused(encoder, settings, message):
    with pytest.raises(InputError, match=message):
        scope_with(encoder, **settings)


def test_models_that_count_positions_from_the_padding_have_less_room():
    tokenizer = tiny.wordpieces(limit=10**30)
    bert = tiny.build(tiny.ENCODERS["bert"])
    roberta = tiny.build(tiny.ENCODERS["roberta"])
    assert Scope(bert, tokenizer).limit == 40
    scope = Scope(roberta, tokenizer, settings=Settings(long="truncate"))
    assert scope.limit == 38
    assert scope.attention(LONG_TEXT).shape[-1] == 38


def test_words_from_blanks_where_the_tokenizer_knows_none():
    from tokenizers import Tokenizer, models, normalizers

    letters = {c: i for i, c in enumerate("▁abcdefghijklmnopqrstuvwxyz.")}
    backend = Tokenizer(models.BPE(letters, []))
    backend.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer = hf.PreTrainedTokenizerFast(tokenizer_object=backend)
    (piece,) = make_pieces(tokenizer, ["a cat."], limit=99, long="error", overlap=0)
    tokens = piece.tokens()
    assert tokens.words() == ["a", "cat."]
    assert len(set(tokens.word_ids)) == 2
