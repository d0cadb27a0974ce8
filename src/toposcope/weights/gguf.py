"""A Llama model in a GGUF file, to a Hugging Face folder in float32.

transformers reads GGUF too, but cannot save what it read, and its tokenizer forgets that SmolLM2
splits numbers into single digits, which changes the tokens of "a  6". So both are made here, from
the tensors and the metadata of the file; torch is not needed.
"""

from pathlib import Path
from typing import Any

import numpy as np

from toposcope.errors import SourceError
from toposcope.weights.folder import write_json

CONTROL = 3  # the type of a token that text never produces
NAMES = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def write_gguf(file: Path, folder: Path) -> None:
    """Write config.json, model.safetensors and the tokenizer's files."""
    from gguf import GGUFReader, dequantize
    from safetensors.numpy import save_file

    try:
        reader = GGUFReader(file)
        facts = {name: field.contents() for name, field in reader.fields.items()}
        tensors = {tensor.name: dequantize(tensor.data, tensor.tensor_type) for tensor in reader.tensors}
    except (ValueError, IndexError, RuntimeError) as error:  # unknown quantisation
        raise SourceError(f"{file.name} is no GGUF file, or is damaged ({error}).") from error
    if facts.get("general.architecture") != "llama":
        raise SourceError(f"the GGUF file holds a {facts.get('general.architecture')}: accepted is llama.")
    config = llama_config(facts, tied="output.weight" not in tensors)
    heads = config["num_attention_heads"], config["num_key_value_heads"]
    weights = hugging_face_weights(tensors, *heads)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    write_json(folder / "config.json", config)
    write_tokenizer(facts, folder)


def hugging_face_weights(
    tensors: dict[str, np.ndarray], heads: int, key_heads: int
) -> dict[str, np.ndarray]:
    """The tensors under the names, and in the order, of Hugging Face.

    GGUF keeps the two numbers that a rotation turns side by side, Hugging Face half a head apart.
    """
    turned = {"attn_q": heads, "attn_k": key_heads}
    weights = {}
    for name, tensor in tensors.items():
        *block, part, kind = name.split(".")
        if part not in NAMES or kind != "weight":
            raise SourceError(f"the GGUF file has a tensor {name!r}, which no Llama model has.")
        ordered = tensor
        if part in turned:
            pairs = tensor.reshape(turned[part], -1, 2, tensor.shape[-1])
            ordered = pairs.swapaxes(1, 2).reshape(tensor.shape)
        layer = f"model.layers.{block[1]}." if block else ""
        weights[f"{layer}{NAMES[part]}.weight"] = np.ascontiguousarray(ordered, np.float32)
    return weights


def llama_config(facts: dict[str, Any], tied: bool) -> dict[str, Any]:
    """The config.json of a Llama model."""
    return {
        "architectures": ["LlamaForCausalLM"],
        "attention_bias": False,
        "attention_dropout": 0.0,
        "bos_token_id": facts["tokenizer.ggml.bos_token_id"],
        "eos_token_id": facts["tokenizer.ggml.eos_token_id"],
        "hidden_act": "silu",
        "hidden_size": facts["llama.embedding_length"],
        "intermediate_size": facts["llama.feed_forward_length"],
        "max_position_embeddings": facts["llama.context_length"],
        "mlp_bias": False,
        "model_type": "llama",
        "num_attention_heads": facts["llama.attention.head_count"],
        "num_hidden_layers": facts["llama.block_count"],
        "num_key_value_heads": facts["llama.attention.head_count_kv"],
        "pad_token_id": facts["tokenizer.ggml.padding_token_id"],
        "rms_norm_eps": float(f"{facts['llama.attention.layer_norm_rms_epsilon']:.6g}"),
        "rope_theta": facts["llama.rope.freq_base"],
        "tie_word_embeddings": tied,
        "use_cache": True,
        "vocab_size": len(facts["tokenizer.ggml.tokens"]),
    }


def write_tokenizer(facts: dict[str, Any], folder: Path) -> None:
    """Write tokenizer.json and tokenizer_config.json: byte-level BPE, digits one by one."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors

    kind = facts.get("tokenizer.ggml.model"), facts.get("tokenizer.ggml.pre")
    if kind != ("gpt2", "smollm"):
        raise SourceError(f"the tokenizer of the GGUF file is {kind}: accepted is ('gpt2', 'smollm').")
    tokens = facts["tokenizer.ggml.tokens"]
    merges = [tuple(merge.split(" ")) for merge in facts["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE({token: number for number, token in enumerate(tokens)}, merges))
    digits = pre_tokenizers.Digits(individual_digits=True)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [digits, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    kinds = facts["tokenizer.ggml.token_type"]
    control = [token for token, kind in zip(tokens, kinds, strict=True) if kind == CONTROL]
    tokenizer.add_special_tokens([AddedToken(token, normalized=False, special=True) for token in control])
    tokenizer.save(str(folder / "tokenizer.json"))
    roles = {"bos": "bos", "eos": "eos", "unk": "unknown", "pad": "padding"}
    names = {
        f"{role}_token": tokens[facts[f"tokenizer.ggml.{key}_token_id"]] for role, key in roles.items()
    }
    options = {
        "chat_template": facts.get("tokenizer.chat_template"),
        "clean_up_tokenization_spaces": False,
        "model_max_length": facts["llama.context_length"],
        "tokenizer_class": "PreTrainedTokenizerFast",
    }
    write_json(folder / "tokenizer_config.json", names | options)
