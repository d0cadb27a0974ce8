"""The converted models are those that people know; with real weights."""

import unicodedata

import pytest

from tests.real import model_folder
from tests.weights.fakes import HARD


def slow_wordpiece(text, words):
    """BERT's cased tokenizer, character by character: clean, space out Chinese, split, longest match."""
    clean = []
    for letter in text:
        kind = unicodedata.category(letter)
        if letter in "\t\n\r" or kind == "Zs":
            clean.append(" ")
        elif letter in "\0\ufffd" or kind.startswith("C"):
            continue
        elif is_chinese(letter) or is_punctuation(letter):
            clean += [" ", letter, " "]
        else:
            clean.append(letter)
    return [token for word in "".join(clean).split() for token in longest_matches(word, words)]


CHINESE = [(0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F)]
CHINESE += [(0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)]


def is_chinese(letter):
    return any(low <= ord(letter) <= high for low, high in CHINESE)


def is_punctuation(letter):
    ascii_marks = (33, 47), (58, 64), (91, 96), (123, 126)
    return (
        any(low <= ord(letter) <= high for low, high in ascii_marks)
        or unicodedata.category(letter)[0] == "P"
    )


def longest_matches(word, words):
    if len(word) > 100:
        return ["[UNK]"]
    found, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = [end for end in range(len(word), start, -1) if mark + word[start:end] in words]
        if not ends:
            return ["[UNK]"]
        found.append(mark + word[start : ends[0]])
        start = ends[0]
    return found


@pytest.mark.real
@pytest.mark.parametrize("text", HARD)
def test_bert_base_cased_has_the_tokens_of_the_algorithm(text):
    from transformers import AutoTokenizer

    folder = model_folder("bert-base-cased")
    words = set((folder / "vocab.txt").read_text(encoding="utf-8").split("\n"))
    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert tokenizer.tokenize(text) == slow_wordpiece(text, words)


@pytest.mark.real
@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Émile's naïve café", ["É", "##mile", "'", "s", "na", "##ï", "##ve", "café"]),
        ("日本 kanji", ["日", "本", "ka", "##nji"]),
        ("🙂 ok", ["[UNK]", "ok"]),
        ("x" * 101, ["[UNK]"]),
        ("a\x00b\u200bc", ["a", "##b", "##c"]),
        ("Paris is [MASK].", ["Paris", "is", "[MASK]", "."]),
        ("", []),
    ],
)
def test_bert_base_cased_has_these_tokens(text, tokens):
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model_folder("bert-base-cased"))
    assert tokenizer.convert_ids_to_tokens(tokenizer(text).input_ids) == ["[CLS]", *tokens, "[SEP]"]
    assert len(tokenizer) == 28996


@pytest.mark.real
def test_bert_base_cased_fills_in_words():
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    folder = model_folder("bert-base-cased")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForMaskedLM.from_pretrained(folder).eval()
    prompts = {
        "Paris is the capital of [MASK].": {"France": 0.970},
        "The cats [MASK] sleeping on the sofa.": {"were": 0.717, "are": 0.248},
    }
    for prompt, expected in prompts.items():
        inputs = tokenizer(prompt, return_tensors="pt")
        with torch.no_grad():
            logits = model(**inputs).logits[inputs.input_ids == tokenizer.mask_token_id]
        chances = logits.softmax(-1)[0]
        for word, chance in expected.items():
            assert float(chances[tokenizer.convert_tokens_to_ids(word)]) == pytest.approx(chance, abs=0.005)


@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "layers", "heads"), [("bert-base-cased", 12, 12), ("all-MiniLM-L6-v2", 6, 12)]
)
def test_encoders_load_with_their_pooler(name, layers, heads):
    from transformers import AutoModel

    model, report = AutoModel.from_pretrained(model_folder(name), output_loading_info=True)
    assert not report["missing_keys"]
    assert not report["mismatched_keys"]
    assert (model.config.num_hidden_layers, model.config.num_attention_heads) == (layers, heads)


@pytest.mark.real
def test_smollm2_goes_on():
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = model_folder("SmolLM2-135M-Instruct")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder)
    inputs = tokenizer("The capital of France is", return_tensors="pt")
    ids = model.generate(**inputs, max_new_tokens=2, do_sample=False)
    assert tokenizer.decode(ids[0]) == "The capital of France is Paris."
    assert (tokenizer.bos_token_id, tokenizer.eos_token_id) == (1, 2)
    assert tokenizer.tokenize("a  6 12") == ["a", "ĠĠ", "6", "Ġ", "1", "2"]
    for text in HARD:
        assert tokenizer.decode(tokenizer(text).input_ids) == text
