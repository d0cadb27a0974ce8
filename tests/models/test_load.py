"""Folders become scopes; what is incomplete or unsafe is refused."""

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

import toposcope as ts
from tests.models import tiny
from toposcope.errors import SourceError
from toposcope.models.load import scope_of
from toposcope.models.torch_load import auto_class
from toposcope.weights import cache

ENGINES = ("light", "torch")


@pytest.fixture
def folder(encoder, tmp_path):
    encoder.engine.model.save_pretrained(tmp_path)
    encoder.tokenizer.save_pretrained(tmp_path)
    return tmp_path


@pytest.mark.parametrize("engine", ENGINES)
def test_a_folder(encoder, folder, engine):
    scope = ts.load(folder, engine=engine)
    assert repr(scope).endswith(f"3 layers x 4 heads, float32 on cpu, {engine} engine)")
    assert scope.fingerprint == encoder.fingerprint
    assert (scope.name, scope.reference) == (folder.name, str(folder))
    texts = ["the cat sleeps.", "dogs bark!"]
    precision = 0 if engine == "torch" else 1e-6
    np.testing.assert_allclose(scope.h0_mean(texts), encoder.h0_mean(texts), atol=precision)
    np.testing.assert_allclose(scope.score(texts).sum(), encoder.score(texts).sum(), atol=10 * precision)


@pytest.mark.parametrize(
    ("options", "engine"),
    [
        ({}, "light"),
        ({"engine": "torch"}, "torch"),
        ({"dtype": "float16"}, "torch"),
        ({"device": "cpu:0"}, "torch"),
    ],
)
def test_the_light_engine_is_taken_wherever_it_can(folder, options, engine):
    scope = ts.load(folder, **options)
    assert scope.engine.kind == scope.provenance["engine"] == engine
    assert ("torch" in scope.provenance["versions"]) == (engine == "torch")


def test_a_loaded_model_is_loaded_again_where_it_shall_learn(folder):
    light = ts.load(folder, long="truncate", memory="2MB")
    heavy = scope_of(light, engine="torch")
    assert heavy.engine.kind == "torch"
    assert (heavy.settings, heavy.fingerprint) == (light.settings, light.fingerprint)
    assert scope_of(light, engine="auto") is light
    assert scope_of(heavy, engine="torch") is heavy
    weights = load_file(folder / "model.safetensors")
    weights["bert.embeddings.word_embeddings.weight"][0] += 1
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ts.ModelError, match="has other weights"):
        scope_of(light, engine="torch")


def test_half_precision_is_asked_for(folder):
    scope = ts.load(folder, dtype="bfloat16")
    assert scope.dtype == "bfloat16"
    assert scope.attention("the cat").array.dtype == np.float32


def test_settings_reach_the_scope(folder):
    scope = ts.load(folder, memory="2MB", long="windows", overlap=5)
    assert scope.settings.memory == 2_000_000
    assert scope.overlap == 5
    assert len(scope.attentions(["the cat sleeps. " * 30])) > 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dtype": "int8"}, "dtype='int8': accepted are 'float32'"),
        ({"device": "toaster"}, "device='toaster' cannot be used here"),
        ({"engine": "steam"}, "engine='steam': accepted are 'auto', 'light', 'torch'"),
        ({"engine": "light", "device": "cuda"}, "engine='light' computes in float32 on the cpu, not in"),
        ({"long": "cut"}, "long='cut': accepted are"),
        ({"memory": "much"}, "memory='much'"),
    ],
)
def test_wrong_options(folder, options, message):
    with pytest.raises(ts.InputError, match=message):
        ts.load(folder, **options)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_a_device_that_is_not_there(folder):
    with pytest.raises(ts.InputError, match="device='cuda' cannot be used here"):
        ts.load(folder, device="cuda")


@pytest.mark.parametrize(
    ("architecture", "expected"),
    [
        ("BertForMaskedLM", "AutoModelForMaskedLM"),
        ("XLMRobertaForMaskedLM", "AutoModelForMaskedLM"),
        ("GPT2LMHeadModel", "AutoModelForCausalLM"),
        ("LlamaForCausalLM", "AutoModelForCausalLM"),
        ("BertModel", "AutoModel"),
        ("T5ForConditionalGeneration", "AutoModel"),
        ("ElectraForPreTraining", "AutoModel"),
        (None, "AutoModel"),
    ],
)
def test_classes_by_architecture(tmp_path, architecture, expected):
    config = {"architectures": [architecture]} if architecture else {}
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert auto_class(tmp_path) == expected


def test_an_encoder_decoder_from_a_folder(tmp_path):
    tiny.build(tiny.ENCODERS["t5 with decoder"]).save_pretrained(tmp_path)
    tiny.wordpieces().save_pretrained(tmp_path)
    scope = ts.load(tmp_path)
    assert scope.attention("the cat").shape == (3, 4, 4, 4)
    with pytest.raises(ts.ModelError, match="predicts no words"):
        scope.score(["the cat"])


@pytest.mark.parametrize("engine", ENGINES)
def test_missing_weights_are_no_random_numbers(folder, engine):
    weights = load_file(folder / "model.safetensors")
    lost = next(name for name in weights if "query.weight" in name)
    del weights[lost]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ts.ModelError, match="lacks 1 weights"):
        ts.load(folder, engine=engine)


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        (
            "model.safetensors",
            lambda whole: whole[:-1],
            r"safetensors has \d+ bytes, \d+ were announced: copy",
        ),
        (
            "model.safetensors",
            lambda whole: whole[:100],
            r"safetensors cannot be read, its header is damaged",
        ),
        ("model.safetensors", lambda whole: b"", r"safetensors cannot be read, its header is damaged"),
        (
            "model.safetensors",
            lambda whole: b"\xff" * 100,
            r"safetensors cannot be read, its header is damag",
        ),
        ("other.safetensors", lambda whole: b"more", r"other\.safetensors cannot be read"),
        ("config.json", lambda whole: whole[: len(whole) // 2], r"config\.json cannot be read"),
        (
            "config.json",
            lambda whole: whole.replace(b'size": 32', b'size": 64'),
            r"has the shape \((32|64, 32),?\), config",
        ),
        (
            "config.json",
            lambda whole: whole.replace(b'heads": 4', b'heads": 0'),
            r"cannot be loaded: |num_attention_heads is 0",
        ),
        (
            "config.json",
            lambda whole: whole.replace(b'"bert"', b"null"),
            r"cannot be loaded: .* recognize this",
        ),
        (
            "tokenizer.json",
            lambda whole: whole[: len(whole) // 2],
            r"cannot be loaded: |tokenizer cannot be read: ",
        ),
    ],
)
@pytest.mark.parametrize("engine", ["auto", "torch"])
def test_damaged_folders_are_refused_in_one_line(folder, name, change, said, engine):
    file = folder / name
    file.write_bytes(change(file.read_bytes() if file.exists() else b""))
    with pytest.raises(ts.ModelError, match=said) as refused:
        ts.load(folder, engine=engine)
    assert str(folder) in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_what_was_altered_in_the_cache_is_refused(folder, tmp_path_factory, monkeypatch):
    """By name, and by the path to its place in the cache."""
    monkeypatch.setenv("TOPOSCOPE_HOME", str(tmp_path_factory.mktemp("home")))

    def fill(built, work):
        shutil.copytree(folder, built, dirs_exist_ok=True)

    stored = cache.store("org/tiny", fill, {}, 0)
    assert ts.load("org/tiny").reference == "org/tiny"
    with (stored / "model.safetensors").open("r+b") as file:
        file.seek(-3, os.SEEK_END)
        file.write(b"\x01")
    for name in ("org/tiny", stored):
        with pytest.raises(SourceError, match=r"model\.safetensors.*`toposcope models pull org/tiny`"):
            ts.load(name)


def test_code_of_a_model_is_never_run(folder):
    config = json.loads((folder / "config.json").read_text())
    config |= {
        "model_type": "stranger",
        "auto_map": {"AutoConfig": "evil.Config", "AutoModel": "evil.Model"},
    }
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "evil.py").write_text("raise SystemExit('the code of the model was run')\n")
    with pytest.raises(ts.ModelError, match="cannot be loaded"):
        ts.load(folder)


def test_without_torch_the_message_names_the_fix(folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("albert")
    tiny.build(tiny.ENCODERS["albert"]).save_pretrained(other)
    tiny.wordpieces().save_pretrained(other)
    code = """
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == "torch" else find(name, *more)
sys.modules["torch"] = None
import toposcope as ts
assert ts.load(sys.argv[1]).attention("the cat").shape == (3, 4, 4, 4)
for options in ({"name": sys.argv[2]}, {"name": sys.argv[1], "dtype": "float16"}):
    try:
        ts.load(**options)
    except ts.ModelError as error:
        print(error)
"""
    run = [sys.executable, "-c", code, folder, other]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    install = "and torch is not installed: pip install 'toposcope[models]'."
    assert done.stdout.splitlines() == [
        f"the light engine cannot run {other.name}: it knows no models of the kind 'albert', {install}",
        f"float16 on cpu needs the torch engine, {install}",
    ]


def test_a_stand_in_for_the_papers_model_is_announced(folder, monkeypatch):
    from toposcope.models import load as loading
    from toposcope.weights.resolve import Resolved

    note = "auto is small: because the other cannot be had"
    monkeypatch.setattr(loading, "resolve", lambda *_, **__: Resolved(folder, "small", "registry", note))
    with pytest.warns(UserWarning, match="auto is small: because"):
        scope = ts.load("auto")
    assert (scope.name, scope.note, scope.reference) == ("small", note, "small")
