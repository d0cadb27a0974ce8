"""Google's BERT, from a TensorFlow bundle to a Hugging Face folder."""

import json
from pathlib import Path

import numpy as np

from toposcope.errors import SourceError
from toposcope.weights.folder import write_json
from toposcope.weights.tensor_bundle import read_bundle

SPECIAL = {"unk": "[UNK]", "sep": "[SEP]", "pad": "[PAD]", "cls": "[CLS]", "mask": "[MASK]"}
MAX_TOKENS = 512
HEAD_SIZE = 64  # of every BERT that Google released


def write_bert(bundle: Path, folder: Path) -> None:
    """Write config.json, model.safetensors, vocab.txt and the tokenizer's files.

    Parameters
    ----------
    bundle : folder of a SavedModel
        With assets/model.json, assets/vocab.txt and variables/variables.*.
    folder : where the Hugging Face files go
    """
    from safetensors.numpy import save_file

    variables = bundle / "variables"
    tensors = read_bundle(variables / "variables.index", variables / "variables.data-00000-of-00001")
    weights = hugging_face_weights(tensors)
    vocabulary = (bundle / "assets" / "vocab.txt").read_bytes()
    lower = bool(json.loads((bundle / "assets" / "model.json").read_bytes())["doLowerCase"])
    config = bert_config(weights)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    write_json(folder / "config.json", config)
    (folder / "vocab.txt").write_bytes(vocabulary)
    write_tokenizer(vocabulary.decode("utf-8"), lower, config["vocab_size"], folder)


def hugging_face_weights(tensors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The tensors under the names, and with the orientation, of Hugging Face.

    TensorFlow keeps the matrix of a dense layer as (in, out), torch as (out, in). The decoder of the
    masked-word head is the table of word embeddings and is not stored a second time.
    """
    weights = {}
    for name, tensor in tensors.items():
        parts = name.removeprefix("module/").split("/")
        oriented = tensor.T if parts[-1] == "kernel" else tensor
        weights[".".join(_renamed(part) for part in parts)] = np.ascontiguousarray(oriented)
    for embeddings in ("word", "position", "token_type"):
        key = f"bert.embeddings.{embeddings}_embeddings"
        if key not in weights:
            raise SourceError(f"the package holds no BERT: the tensor {key} is missing.")
        weights[f"{key}.weight"] = weights.pop(key)
    return weights


def _renamed(part: str) -> str:
    """One step of a TensorFlow name in Hugging Face's words."""
    if part.startswith("layer_"):
        return part.replace("_", ".")
    return {"kernel": "weight", "gamma": "weight", "beta": "bias", "output_bias": "bias"}.get(part, part)


def bert_config(weights: dict[str, np.ndarray]) -> dict:
    """The config.json that people know, with the sizes that the weights have."""
    words, hidden = weights["bert.embeddings.word_embeddings.weight"].shape
    layers = {name.split(".")[3] for name in weights if name.startswith("bert.encoder.layer.")}
    return {
        "architectures": ["BertForMaskedLM"],
        "attention_probs_dropout_prob": 0.1,
        "hidden_act": "gelu",
        "hidden_dropout_prob": 0.1,
        "hidden_size": hidden,
        "initializer_range": 0.02,
        "intermediate_size": len(weights["bert.encoder.layer.0.intermediate.dense.bias"]),
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": len(weights["bert.embeddings.position_embeddings.weight"]),
        "model_type": "bert",
        "num_attention_heads": max(hidden // HEAD_SIZE, 1),
        "num_hidden_layers": len(layers),
        "pad_token_id": 0,
        "position_embedding_type": "absolute",
        # Without it, transformers takes a large vocabulary for a faulty one of another family.
        "transformers_version": "5.0.0",
        "type_vocab_size": len(weights["bert.embeddings.token_type_embeddings.weight"]),
        "use_cache": True,
        "vocab_size": words,
    }


def write_tokenizer(text: str, lower: bool, size: int, folder: Path) -> None:
    """Write tokenizer.json and tokenizer_config.json for the vocabulary ``text``, a word a line."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    words = text.removesuffix("\n").split("\n")  # some words are what splitlines() would split at
    ids = {word: number for number, word in enumerate(words)}
    missing = set(SPECIAL.values()) - set(ids)
    if missing or not len(ids) == len(words) == size:
        raise SourceError(
            f"the vocabulary has {len(ids)} words in {len(words)} lines for {size} embeddings"
            f"{', and lacks ' + ', '.join(sorted(missing)) if missing else ''}: the package is damaged."
        )
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token="[UNK]", max_input_chars_per_word=100))
    # strip_accents=None: accents go where case goes, and stay where it stays.
    tokenizer.normalizer = normalizers.BertNormalizer(
        clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=lower
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(prefix="##", cleanup=True)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(token, ids[token]) for token in ("[CLS]", "[SEP]")],
    )
    tokenizer.add_special_tokens(sorted(SPECIAL.values(), key=ids.__getitem__))
    tokenizer.save(str(folder / "tokenizer.json"))
    options = {f"{role}_token": token for role, token in SPECIAL.items()} | {
        "do_lower_case": lower,
        "model_max_length": MAX_TOKENS,
        "strip_accents": None,
        "tokenize_chinese_chars": True,
        "tokenizer_class": "BertTokenizer",
    }
    write_json(folder / "tokenizer_config.json", options)
