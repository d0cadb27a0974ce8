"""What a judge looks at: words, names, columns, and golden features through the whole road."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn

import toposcope as ts
from tests import cases
from tests.models import tiny
from toposcope.data.sentences import text_hashes
from toposcope.features.blocks import BLOCKS, PAPER, SMALL
from toposcope.features.spec import FeatureSpec
from toposcope.judge.evidence import SETS, STATES, WHOLE, Evidence
from toposcope.judge.read import observe
from toposcope.models.scope import Scope
from toposcope.models.text import tokenizer_fingerprint
from toposcope.models.tuning.adapter import Adapter

TEXTS = ["the cat sleeps on the sofa.", "he is old.", "dogs bark!", "he is old."]
HEAD = {"dense.weight": (32, 32), "dense.bias": (32,), "out.weight": (1, 32), "out.bias": (1,)}
ALL = "h0m+pattern+cls:1,3+mean:0+pooler+lm+length"


@pytest.fixture(scope="module")
def adapter(scope):
    rng = np.random.default_rng(0)
    head = {f"head.{name}": rng.normal(size=shape).astype(np.float32) for name, shape in HEAD.items()}
    return Adapter(head, scope.fingerprint)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("h0m", {"spec": FeatureSpec(("h0m",))}),
        ("tda", {"spec": FeatureSpec(PAPER)}),
        ("topology", {"spec": FeatureSpec(SMALL)}),
        ("threshold + shape", {"spec": FeatureSpec(("threshold", "shape"))}),
        ("h0m+topology", {"spec": FeatureSpec(("h0m", *(b for b in SMALL if b != "h0m")))}),
        ("cls", {"cls": (10, 11, 12)}),
        ("cls:", {"cls": (10, 11, 12)}),
        ("cls:12", {"cls": (12,)}),
        ("mean", {"mean": tuple(range(1, 13))}),
        ("mean:9-12", {"mean": (9, 10, 11, 12)}),
        ("mean:3, 6,0-1,6", {"mean": (3, 6, 0, 1)}),
        ("pooler+lm+length", {"pooler": True, "lm": True, "length": True}),
    ],
)
def test_words(words, expected):
    found = Evidence.parse(words, 12)
    assert found == Evidence(**expected)
    assert found.needs_states == ("spec" not in expected)


def test_every_word_is_known():
    for name in (*SETS, *STATES, *WHOLE):
        Evidence.parse(name, 2)
    assert Evidence.parse("cls", 2).cls == (1, 2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("topologie", "Did you mean 'topology'"),
        ("h0m+treshold", "features 'treshold': accepted are .*Did you mean 'threshold'"),
        ("", "features ''"),
        ("h0m+", "features ''"),
        ("h0m:3", "features 'h0m:3'.*Did you mean 'h0m'"),
        ("lm:1", "features 'lm:1'"),
        ("cls:13", "layers '13': accepted are 0 .the embeddings. to 12"),
        ("cls:9-7", "layers '9-7'"),
        ("cls:last", "layers 'last': accepted are numbers and ranges"),
        ("mean:1,,2", "layers '1,,2'"),
    ],
)
def test_unknown_words(words, message):
    with pytest.raises(ts.InputError, match=message):
        Evidence.parse(words, 12)


@pytest.mark.parametrize("words", ["tda", "topology+cls:0,2", ALL, "length"])
def test_json_and_back(words):
    evidence = Evidence.parse(words, 3)
    for one in (evidence, evidence.with_heads([(2, 1), (0, 3)])):
        assert Evidence.from_dict(json.loads(json.dumps(one.to_dict()))) == one


def test_columns_are_what_their_names_say(scope, adapter):
    evidence = Evidence.parse(ALL, scope.layers)
    plain, scope = scope, adapter.apply(scope)
    table = observe(scope, TEXTS, evidence)
    assert table.columns == evidence.columns(evidence.heads_of(3, 4), 32)
    assert len(set(table.columns)) == table.values.shape[1] == 12 * 7 + 2 * 32 + 32 + 32 + 1 + 1
    assert table.values.dtype == np.float32
    states = scope.states(TEXTS)
    spec = FeatureSpec(("h0m", "pattern"))
    values = scope.measure(TEXTS, spec)
    expected = {
        f"{column}.L{layer}.H{head}": values[:, layer, head, k]
        for layer in range(3)
        for head in range(4)
        for k, column in enumerate(spec.columns)
    }
    expected |= {f"cls.L{layer}.{k}": states.first[:, layer, k] for layer in (1, 3) for k in range(32)}
    expected |= {f"mean.L0.{k}": states.mean[:, 0, k] for k in range(32)}
    with torch.no_grad():
        ids = [torch.tensor([scope.tokenizer(text)["input_ids"]]) for text in TEXTS]
        first = [plain.engine.model(i).last_hidden_state[:, 0].numpy() for i in ids]
    pooled = np.tanh(np.concatenate(first) @ scope.pooler[0].T + scope.pooler[1])
    expected |= {f"pooler.{k}": pooled[:, k] for k in range(32)}
    last = plain.states(TEXTS).first[:, -1]
    weights, bias, out, shift = (adapter.tensors[f"head.{name}"] for name in HEAD)
    said = np.tanh(last @ weights.T + bias) @ out[0] + shift
    expected |= {"lm": said, "length": np.array([i.shape[1] for i in ids])}
    assert list(table.names) == list(expected)
    for name, column in expected.items():
        np.testing.assert_allclose(table[name], column, atol=1e-4, err_msg=name)


def test_a_table_says_where_it_comes_from(scope, adapter):
    table = observe(scope, TEXTS, Evidence.parse("h0m+length", 3))
    assert table.about["fingerprint"] == scope.fingerprint
    assert FeatureSpec.from_json(table.about["spec"]) == FeatureSpec(("h0m",))
    assert {*table.about["versions"]} == {"toposcope", "torch", "transformers", "numpy"}
    np.testing.assert_array_equal(table.carried["hash"], text_hashes(TEXTS))
    tuned = observe(adapter.apply(scope), TEXTS, Evidence.parse("lm", 3)).about
    assert tuned == scope.provenance | {"adapter": adapter.fingerprint}
    twice = {name: 2 * values for name, values in adapter.tensors.items()}
    assert replace(adapter, tensors=twice).fingerprint != adapter.fingerprint
    tokenizer = table.about["tokenizer"]
    scope.tokenizer(TEXTS, truncation=True, max_length=4, padding=True)
    assert tokenizer_fingerprint(scope.tokenizer) == tokenizer
    assert tokenizer_fingerprint(tiny.wordpieces(limit=5)) == tokenizer
    assert tokenizer_fingerprint(tiny.characters()) != tokenizer


def test_one_part_alone_is_the_same(scope):
    whole = observe(scope, TEXTS, Evidence.parse("h0m+cls:3+length", 3))
    for part in ("h0m", "cls:3", "length"):
        alone = observe(scope, TEXTS, Evidence.parse(part, 3))
        np.testing.assert_allclose(alone.values, whole.take(alone.columns).values, atol=1e-5)


@pytest.fixture
def measured(monkeypatch):
    """All heads that are measured."""
    seen = set()
    measure = FeatureSpec.__call__

    def noted(spec, bucket):
        seen.update(bucket.heads)
        return measure(spec, bucket)

    monkeypatch.setattr(FeatureSpec, "__call__", noted)
    return seen


@pytest.mark.parametrize(("words", "layers_run"), [("pattern", {0, 1}), ("pattern+cls:1", {0, 1, 2})])
def test_only_the_wanted_heads_are_measured(scope, measured, words, layers_run):
    ran = set()
    hooks = [
        layer.register_forward_pre_hook(lambda _, __, k=k: ran.add(k))
        for k, layer in enumerate(scope.engine.model.encoder.layer)
    ]
    heads = [(1, 3), (0, 2), (1, 0)]
    try:
        table = observe(scope, TEXTS, Evidence.parse(words, 3).with_heads(heads))
    finally:
        for hook in hooks:
            hook.remove()
    assert ran == layers_run
    assert measured == {*heads}
    whole = observe(scope, TEXTS, Evidence.parse(words, 3))
    assert [name for name in table.names if name.startswith("pattern_self")] == [
        f"pattern_self.L{layer}.H{head}" for layer, head in heads
    ]
    np.testing.assert_allclose(table.values, whole.take(table.columns).values, atol=1e-5)


def test_what_is_missing_is_said_before_the_model_runs(scope, measured):
    bare = Scope(scope.engine.model, scope.tokenizer, name="bare")
    with pytest.raises(ts.InputError, match="bare has no pooler: its weights hold none"):
        observe(bare, TEXTS, Evidence.parse("h0m+pooler", 3))
    with pytest.raises(ts.InputError, match="lm is the word of a tuned model: add --tune lora"):
        observe(scope, TEXTS, Evidence.parse("h0m+lm", 3))
    assert not measured


class Given(nn.Module):
    """Attention that was given by hand."""

    def __init__(self, maps):
        super().__init__()
        self.maps = torch.tensor(np.array(maps), dtype=torch.float32)

    def forward(self, states):
        return states, self.maps.expand(len(states), -1, -1, -1)


class HandMade(nn.Module):
    """A model of two layers with two heads: A and B of method.md, then B and A."""

    def __init__(self):
        super().__init__()
        options = {"vocab_size": 64, "hidden_size": 8, "max_position_embeddings": 5}
        self.config = SimpleNamespace(_attn_implementation="eager", is_encoder_decoder=False, **options)
        self.words, self.out = nn.Embedding(64, 8), nn.Linear(8, 8)
        self.layers = nn.ModuleList([Given([cases.A, cases.B]), Given([cases.B, cases.A])])

    def forward(self, input_ids, output_attentions=False, output_hidden_states=False):
        states, maps = [self.words(input_ids)], []
        for layer in self.layers:
            state, weights = layer(states[-1])
            states.append(state)
            maps.append(weights)
        return SimpleNamespace(attentions=tuple(maps), hidden_states=tuple(states))


def golden_columns(name):
    """The 57 features of method.md's matrix by name."""
    golden, spec = cases.GOLDEN[name], FeatureSpec()
    found = {
        f"{statistic}_{tau:g}": value
        for tau, values in golden["threshold"].items()
        for statistic, value in zip(
            ("scc", "edges", "degree", "cycles", "betti0", "betti1"), values, strict=True
        )
    }
    for block in ("barcode", "pattern"):
        found |= dict(zip(BLOCKS[block].columns(spec), golden[block], strict=True))
    return found | {"h0m": golden["h0m"]}


@pytest.mark.parametrize("words", ["tda", "tda+cls:2"])
def test_golden_features_from_text_to_table(words):
    torch.manual_seed(0)
    scope = Scope(HandMade(), tiny.wordpieces(limit=5), name="hand-made")
    assert scope.attention("he is.").tokens == ["[CLS]", "he", "is", ".", "[SEP]"]
    table = observe(scope, ["he is.", "she is."], Evidence.parse(words, scope.layers))
    expected = {
        f"{column}.L{layer}.H{head}": value
        for (layer, head), name in {(0, 0): "A", (0, 1): "B", (1, 0): "B", (1, 1): "A"}.items()
        for column, value in golden_columns(name).items()
    }
    assert len(expected) == 4 * 57
    assert set(expected) == {name for name in table.names if not name.startswith("cls")}
    for name, value in expected.items():
        np.testing.assert_allclose(table[name], [value] * 2, atol=2e-6, err_msg=name)


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("h0m", ["h0m"]),
        ("tda+cls:1,2+lm", ["threshold", "barcode", "pattern", "h0m", "cls", "lm"]),
        ("pooler+length", ["pooler", "length"]),
        ("mean+lm+length+topology", ["pattern", "h0m", "shape", "mean", "lm", "length"]),
    ],
)
def test_parts_are_blocks_and_kinds_of_states(words, kinds):
    evidence = Evidence.parse(words, 3)
    heads = evidence.heads_of(3, 4)
    names = np.array([*map(str, evidence.columns(heads, 8))])
    parts = evidence.parts(heads, 8)
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(names)))
    block_of = {column: block for block in BLOCKS for column in FeatureSpec((block,)).columns}
    found = []
    for part in parts:
        (kind,) = {block_of.get(name.rsplit(".L", 1)[0], name.partition(".")[0]) for name in names[part]}
        found.append(kind)
    assert found == kinds
