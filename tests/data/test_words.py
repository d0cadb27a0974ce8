"""What has words, in any script, and what only looks as if."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toposcope as ts
from toposcope.data.words import check_words, has_words


@pytest.mark.parametrize("text", ["a", "雨", "سلام", "नमस्ते", "한", "5", "½", "٣", "...x", "\u200bé\u200b"])
def test_words_of_any_script(text):
    assert has_words(text)


@pytest.mark.parametrize(
    "text",
    ["", " ", "\t\n", "\x00\x07", "\u200b\u200d\ufeff", "\u202e", "...", "!?", "—", "$ +", "🙂🙃", "👩‍🚀",
     "\u0301", "\u3164", "\u115f\u1160\uffa0", "\u2800", "\ufffd"],
)  # fmt: skip
def test_no_words(text):
    assert not has_words(text)
    with pytest.raises(ts.InputError, match=r"cannot be judged: it has no words"):
        check_words([text])


@given(st.text(st.characters(categories=["Z", "C", "P", "S", "M"])))
def test_only_letters_and_digits_make_words(text):
    assert not has_words(text)
    assert has_words(text + "a")


def test_every_letter_and_digit_counts():
    seen = [chr(k) for k in range(0x30000) if unicodedata.category(chr(k))[0] in "LN"]
    assert [c for c in seen if not has_words(c)] == ["\u115f", "\u1160", "\u3164", "\uffa0"]


def test_all_places_are_named_up_to_five():
    check_words(["a", "b"])
    with pytest.raises(ts.InputError, match=r"^texts\[1\] = '', texts\[3\] = '\?' cannot be judged"):
        check_words(["a", "", "b", "?"])
    with pytest.raises(ts.InputError, match=r"^bad\[0\] = .* bad\[4\] = '\.' and 3 more cannot"):
        check_words(["."] * 8, "bad")
