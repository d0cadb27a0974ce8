"""Where BERT and its relatives keep their weights: the same Transformer under different names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toposcope.errors import ModelError

Shape = tuple[int, ...]
CAUSAL = re.compile("CausalLM|LMHead")


@dataclass(frozen=True)
class LayerNames:
    """The linear maps and norms of a layer, by their names within it."""

    query: str = "attention.self.query"
    key: str = "attention.self.key"
    value: str = "attention.self.value"
    attended: str = "attention.output.dense"
    attended_norm: str = "attention.output.LayerNorm"
    inner: str = "intermediate.dense"
    outer: str = "output.dense"
    outer_norm: str = "output.LayerNorm"


@dataclass(frozen=True)
class WordsHead:
    """What predicts words from states: a layer, a norm, and the words' vectors once more."""

    architecture: str
    dense: str
    norm: str
    decoder: str
    bias: str


@dataclass(frozen=True)
class Layout:
    """One kind of model, by the ``model_type`` of its config.json.

    ``prefix`` stands before the names of the Transformer in models that have a head on top. ``counts_on``
    says that positions are counted from the number of the padding token on.
    """

    prefix: str
    head: WordsHead
    layer: str = "encoder.layer"
    names: LayerNames = LayerNames()
    types: bool = True  # an embedding of the first and second text
    counts_on: bool = False


def _lm_head(kind: str) -> WordsHead:
    dense, norm = "lm_head.dense", "lm_head.layer_norm"
    return WordsHead(f"{kind}ForMaskedLM", dense, norm, "lm_head.decoder.weight", "lm_head.bias")


LAYOUTS: Mapping[str, Layout] = {
    "bert": Layout(
        "bert.",
        WordsHead(
            "BertForMaskedLM",
            "cls.predictions.transform.dense",
            "cls.predictions.transform.LayerNorm",
            "cls.predictions.decoder.weight",
            "cls.predictions.bias",
        ),
    ),
    "roberta": Layout("roberta.", _lm_head("Roberta"), counts_on=True),
    "xlm-roberta": Layout("roberta.", _lm_head("XLMRoberta"), counts_on=True),
    "camembert": Layout("roberta.", _lm_head("Camembert"), counts_on=True),
    "electra": Layout(
        "electra.",
        WordsHead(
            "ElectraForMaskedLM",
            "generator_predictions.dense",
            "generator_predictions.LayerNorm",
            "generator_lm_head.weight",
            "generator_lm_head.bias",
        ),
    ),
    "distilbert": Layout(
        "distilbert.",
        WordsHead(
            "DistilBertForMaskedLM",
            "vocab_transform",
            "vocab_layer_norm",
            "vocab_projector.weight",
            "vocab_projector.bias",
        ),
        "transformer.layer",
        LayerNames(
            "attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin",
            "sa_layer_norm", "ffn.lin1", "ffn.lin2", "output_layer_norm",
        ),
        types=False,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Sizes:
    """What config.json says of a model that the light engine can run."""

    layers: int
    heads: int
    width: int
    inner: int
    embedding: int
    vocabulary: int
    positions: int
    types: int
    epsilon: float
    padding: int
    predicts_words: bool


class NotLightError(ModelError):
    """The light engine cannot run this model; the reason follows "the light engine cannot run NAME: "."""


def layout_of(config: Mapping[str, Any]) -> Layout:
    """The layout of a model by its config.json, or a NotLightError that tells what the engine lacks."""
    kind = str(config.get("model_type"))
    layout = LAYOUTS.get(kind)
    if layout is None:
        raise NotLightError(f"it knows no models of the kind {kind!r}")
    act = config.get("activation" if kind == "distilbert" else "hidden_act", "gelu")
    way = config.get("position_embedding_type", "absolute")
    if act != "gelu":
        raise NotLightError(f"its activation is {act!r}, not 'gelu'")
    if way != "absolute":
        raise NotLightError(f"its positions are {way!r}, not 'absolute'")
    architecture = _architecture(config)
    if config.get("is_decoder") or config.get("add_cross_attention") or CAUSAL.search(architecture):
        raise NotLightError("it is used as a causal model")
    return layout


def sizes_of(config: Mapping[str, Any]) -> Sizes:
    """The sizes of a model; what config.json leaves out is as in transformers."""
    kind = str(config["model_type"])
    distilled = kind == "distilbert"
    width = "dim" if distilled else "hidden_size"
    small = {"hidden_size": 256, "num_attention_heads": 4, "intermediate_size": 1024}  # of ELECTRA
    usual: dict[str, Any] = {
        "dim": 768, "hidden_size": 768, "n_layers": 6, "num_hidden_layers": 12, "n_heads": 12,
        "num_attention_heads": 12, "hidden_dim": 3072, "intermediate_size": 3072, "embedding_size": 128,
        "max_position_embeddings": 512, "type_vocab_size": 2, "layer_norm_eps": 1e-12,
        "vocab_size": 50265 if kind == "roberta" else 30522,
        "pad_token_id": 1 if LAYOUTS[kind].counts_on else 0,
    } | (small if kind == "electra" else {})  # fmt: skip

    def size(name: str) -> int:
        value = config.get(name, usual[name])
        if not isinstance(value, int) or not 0 < value < 2**31:
            raise ValueError(f"{name} is {value!r}, needed is a whole number above 0")
        return value

    layers, heads, inner = (
        ("n_layers", "n_heads", "hidden_dim")
        if distilled
        else ("num_hidden_layers", "num_attention_heads", "intermediate_size")
    )
    if size(width) % size(heads):
        raise ValueError(f"{size(heads)} heads cannot share {size(width)} numbers")
    return Sizes(
        layers=size(layers),
        heads=size(heads),
        width=size(width),
        inner=size(inner),
        embedding=size("embedding_size") if kind == "electra" else size(width),
        vocabulary=size("vocab_size"),
        positions=size("max_position_embeddings"),
        types=size("type_vocab_size") if LAYOUTS[kind].types else 0,
        epsilon=1e-12 if distilled else float(config.get("layer_norm_eps", usual["layer_norm_eps"])),
        padding=int(config.get("pad_token_id", usual["pad_token_id"]) or 0),
        predicts_words=_architecture(config) == LAYOUTS[kind].head.architecture,
    )


def shapes_of(layout: Layout, sizes: Sizes) -> dict[str, Shape]:
    """The weights of the Transformer by their names in it, without a pooler."""
    width, small = sizes.width, sizes.embedding
    shapes: dict[str, Shape] = {
        "embeddings.word_embeddings.weight": (sizes.vocabulary, small),
        "embeddings.position_embeddings.weight": (sizes.positions, small),
        **norm_shapes("embeddings.LayerNorm", small),
    }
    if layout.types:
        shapes["embeddings.token_type_embeddings.weight"] = (sizes.types, small)
    if small != width:
        shapes |= linear_shapes("embeddings_project", width, small)
    names = layout.names
    for k in range(sizes.layers):
        place = f"{layout.layer}.{k}."
        for name in (names.query, names.key, names.value, names.attended):
            shapes |= linear_shapes(place + name, width, width)
        shapes |= linear_shapes(place + names.inner, sizes.inner, width)
        shapes |= linear_shapes(place + names.outer, width, sizes.inner)
        shapes |= norm_shapes(place + names.attended_norm, width)
        shapes |= norm_shapes(place + names.outer_norm, width)
    return shapes


def head_shapes(layout: Layout, sizes: Sizes) -> dict[str, Shape]:
    """The weights of the head that predicts words, without the words' vectors."""
    head, small = layout.head, sizes.embedding
    return {
        **linear_shapes(head.dense, small, sizes.width),
        **norm_shapes(head.norm, small),
        head.bias: (sizes.vocabulary,),
    }


def linear_shapes(name: str, out: int, into: int) -> dict[str, Shape]:
    """Weights and biases of a linear map."""
    return {f"{name}.weight": (out, into), f"{name}.bias": (out,)}


def norm_shapes(name: str, width: int) -> dict[str, Shape]:
    """Weights and shifts of a norm."""
    return {f"{name}.weight": (width,), f"{name}.bias": (width,)}


def _architecture(config: Mapping[str, Any]) -> str:
    """The class that a model was saved from."""
    return str((config.get("architectures") or [""])[0])
