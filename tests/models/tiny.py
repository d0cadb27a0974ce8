"""Tiny random models of many architectures, and tokenizers for them. No downloads."""

import torch
import transformers as hf
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

PIECES = [
    "the", "a", "cat", "cats", "dog", "sleep", "##s", "##ing", "bark", "on", "sofa", "red", ",", ".", "!",
    "?", "he", "she", "is", "are", "very", "old", "house", "and",
]  # fmt: skip
SENTENCES = [
    "the cat sleeps on the red sofa.",
    "dogs bark!",
    "",
    "he is very old, and she is very, very old.",
    "the cat sleeps on the red sofa.",
    "cats are red?",
    "dogs bark?",
]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
VOCABULARY = [*SPECIAL, *PIECES]
SMALL = {
    "vocab_size": 64,
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": 40,
    "attn_implementation": "eager",
}
SMALL_T5 = {
    "vocab_size": 64, "d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 3, "num_heads": 4,
    "attn_implementation": "eager",
}  # fmt: skip

ENCODERS = {
    "bert": lambda: hf.BertModel(hf.BertConfig(**SMALL)),
    "roberta": lambda: hf.RobertaModel(hf.RobertaConfig(**SMALL)),
    "xlm-roberta": lambda: hf.XLMRobertaModel(hf.XLMRobertaConfig(**SMALL)),
    "camembert": lambda: hf.CamembertModel(hf.CamembertConfig(**SMALL)),
    "distilbert": lambda: hf.DistilBertModel(
        hf.DistilBertConfig(
            vocab_size=64, dim=32, n_layers=3, n_heads=4, hidden_dim=48, attn_implementation="eager"
        )
    ),
    "albert": lambda: hf.AlbertModel(hf.AlbertConfig(**SMALL, embedding_size=16)),
    "electra": lambda: hf.ElectraModel(hf.ElectraConfig(**SMALL, embedding_size=16)),
    "mpnet": lambda: hf.MPNetModel(hf.MPNetConfig(**SMALL)),
    "deberta-v2": lambda: hf.DebertaV2Model(
        hf.DebertaV2Config(**SMALL, relative_attention=True, pos_att_type=["p2c", "c2p"])
    ),
    "modernbert": lambda: hf.ModernBertModel(
        hf.ModernBertConfig(**SMALL, pad_token_id=0, local_attention=4, global_attn_every_n_layers=3)
    ),
    "t5": lambda: hf.T5EncoderModel(hf.T5Config(**SMALL_T5)),
    "t5 with decoder": lambda: hf.T5Model(hf.T5Config(**SMALL_T5)),
}
CAUSAL = {
    "gpt2": lambda: hf.GPT2LMHeadModel(
        hf.GPT2Config(
            vocab_size=64, n_embd=32, n_layer=3, n_head=4, n_positions=40, attn_implementation="eager"
        )
    ),
    "llama, grouped queries": lambda: hf.LlamaForCausalLM(hf.LlamaConfig(**SMALL, num_key_value_heads=2)),
    "gemma": lambda: hf.GemmaForCausalLM(hf.GemmaConfig(**SMALL, num_key_value_heads=1, head_dim=8)),
}


def build(make):
    """A model with fixed random weights, spread enough that attention is not uniform."""
    torch.manual_seed(0)
    model = make().eval()
    with torch.no_grad():
        for weights in model.parameters():
            if weights.ndim == 2:
                weights.mul_(2 if "T5" in type(model).__name__ else 6)  # T5 does not divide its products
    return model


def wordpieces(limit=40):
    """A tokenizer of BERT's kind: [CLS], pieces of lower-cased words, [SEP]."""
    backend = Tokenizer(models.WordPiece({t: i for i, t in enumerate(VOCABULARY)}, unk_token="[UNK]"))
    backend.normalizer = normalizers.BertNormalizer(lowercase=True)
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
    return hf.PreTrainedTokenizerFast(
        tokenizer_object=backend, model_max_length=limit, **{f"{k}_token": v for k, v in names.items()}
    )


def characters(limit=40):
    """A tokenizer of GPT-2's kind: no special tokens around a text, a blank is part of the next piece."""
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)]
    vocabulary = {t: i for i, t in enumerate(["<|endoftext|>", "Ġ", ".", ",", "!", "?", *letters])}
    merges = [("Ġ", "t"), ("h", "e"), ("Ġt", "he"), ("c", "a"), ("ca", "t")]
    for pair in merges:
        vocabulary.setdefault("".join(pair), len(vocabulary))
    backend = Tokenizer(models.BPE(vocabulary, merges))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    end = "<|endoftext|>"
    return hf.PreTrainedTokenizerFast(
        tokenizer_object=backend, model_max_length=limit, bos_token=end, eos_token=end
    )
