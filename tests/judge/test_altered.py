"""A judge's folder that somebody altered, or that holds no judge: it is refused, and why."""

import hashlib
import json

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import toposcope as ts
from toposcope.judge.judge import Judge

SOME = ["the cat sleeps.", "the very old dog is barking!", "he is old."]

MATCH = "holds no judge that can be read"


def damaged(folder, change):
    facts = json.loads((folder / "judge.json").read_text())
    change(facts)
    (folder / "judge.json").write_text(json.dumps(facts))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda f: (f / "judge.json").write_text("{oops"), MATCH),
        (lambda f: (f / "judge.json").write_text("[1]"), MATCH),
        (lambda f: (f / "judge.json").write_bytes(b"\xff\xfe"), MATCH),
        (lambda f: (f / "judge.json").unlink(), "no judge .* a folder with judge.json"),
        (lambda f: (f / "weights.safetensors").unlink(), MATCH),
        (lambda f: (f / "weights.safetensors").write_bytes(b"nonsense"), "is not the file that judge.json"),
        (lambda f: (f / "weights.safetensors").write_bytes(b""), "is not the file that judge.json"),
        (lambda f: damaged(f, lambda facts: facts.pop("evidence")), MATCH),
        (lambda f: damaged(f, lambda facts: facts.update(evidence=3)), MATCH),
        (
            lambda f: damaged(f, lambda facts: facts.update(format="toposcope judge 9")),
            r"read: format 'toposcope judge 9', this version reads 'toposcope judge 1'\.$",
        ),
    ],
)
def test_folders_that_hold_no_judge(frozen, tmp_path, damage, message):
    folder = frozen.save(tmp_path / "mine")
    damage(folder)
    with pytest.raises(ts.InputError, match=message):
        Judge.load(folder)


def rewritten(folder, change):
    """The arrays are others, and judge.json knows it."""
    arrays = load_file(folder / "weights.safetensors")
    change(arrays)
    save_file(arrays, folder / "weights.safetensors")
    digest = hashlib.sha256((folder / "weights.safetensors").read_bytes()).hexdigest()
    damaged(folder, lambda facts: facts.update(weights={"sha256": digest}))


TAMPERED = {
    "bias": ({"bias": float("nan")}, "it holds NaN, which is no finite number"),
    "bias 1e999": ({"bias": "1e999"}, "bias is '1e999': needed is a number"),
    "threshold": ({"threshold": 1.5}, "threshold is 1.5: needed is a number from 0 to 1"),
    "threshold below": ({"threshold": -0.1}, "threshold is -0.1"),
    "threshold true": ({"threshold": True}, "threshold is True"),
    "cv_mcc": ({"cv_mcc": 7}, "cv_mcc is 7: needed is a number from -1 to 1"),
    "model": ({"model": "tiny"}, "model is 'tiny': needed is an object"),
    "name": ({"model": {"name": 3, "fingerprint": "a"}}, "model.name is 3: needed is a text"),
    "about": ({"about": None}, "about is None: needed is an object"),
    "adapter": ({"adapter": {"about": {}, "pooled": "last"}}, "pooled='last': accepted are first, mean"),
    "deep": ({"about": "deep"}, "it is nested too deeply"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_facts_that_somebody_altered(frozen, tmp_path, what):
    change, message = TAMPERED[what]
    folder = frozen.save(tmp_path / "mine")
    damaged(folder, lambda facts: facts.update(change))
    text = (folder / "judge.json").read_text().replace('"deep"', "[" * 100_000)
    (folder / "judge.json").write_text(text)
    with pytest.raises(ts.InputError, match=f"mine {MATCH}: {message}") as error:
        Judge.load(folder)
    assert "\n" not in str(error.value)


EVIDENCE = {
    "heads": ([[99, 0]], "heads or layers that tiny lacks"),
    "cls": ([0, 0], "evidence.cls is .*: needed is a list of different whole numbers"),
    "mean": ([99], "heads or layers that tiny lacks"),
    "pooler": ("yes", "evidence.pooler is 'yes': needed is true or false"),
    "length": (False, "weighs 109 columns, its evidence has 108 in tiny"),
    "spec": ({"blocks": ["h0m"], "cycle_cap": 10**9}, "cycle_cap=1000000000: accepted are numbers up to"),
}


@pytest.mark.parametrize("name", EVIDENCE)
def test_evidence_that_somebody_altered(frozen, scope, tmp_path, name):
    value, message = EVIDENCE[name]
    folder = frozen.save(tmp_path / "mine")
    damaged(folder, lambda facts: facts["evidence"].update({name: value}))
    with pytest.raises(ts.InputError, match=message):
        Judge.load(folder).on(scope)


ARRAYS = {
    "a NaN": (lambda a: a["weights"].__setitem__(3, np.nan), "weights holds what is no number from"),
    "infinite": (lambda a: a["mean"].__setitem__(3, np.inf), "mean holds what is no number from"),
    "too large": (lambda a: a["weights"].__setitem__(3, 1e38), "weights holds what is no number from"),
    "no scale": (lambda a: a["scale"].__setitem__(3, 0), "scale holds what is no number from 1e-15"),
    "shorter": (lambda a: a.update(mean=a["mean"][:-1]), r"mean \(108,\), scale \(109,\)"),
    "square": (lambda a: a.update({k: a[k][None] for k in ("mean", "scale", "weights")}), r"\(1, 109\)"),
    "whole": (lambda a: a.update(weights=a["weights"].astype(int)), "weights holds int64"),
    "lost": (lambda a: a.pop("scale"), "KeyError"),
    "seen": (lambda a: a.update(seen=a["seen"].astype(np.float32)), "seen is no list of whole numbers"),
}


@pytest.mark.parametrize("what", ARRAYS)
def test_weights_that_somebody_altered(frozen, tmp_path, what):
    change, message = ARRAYS[what]
    folder = frozen.save(tmp_path / "mine")
    rewritten(folder, change)
    with pytest.raises(ts.InputError, match=f"mine {MATCH}: .*{message}"):
        Judge.load(folder)


MISFIT, HEAD = "does not fit tiny", "adapter.head.out"
ADAPTERS = {
    "a NaN": (lambda a, k: a[k].__setitem__((0, 0), np.nan), "holds what is no number from"),
    "no such matrix": (lambda a, k: a.update({k.replace("layer.", "storey."): a.pop(k)}), MISFIT),
    "another shape": (lambda a, k: a.update({k: np.ascontiguousarray(a[k][:, :-1])}), MISFIT),
    "one column for all": (lambda a, k: a.update({k: a[k][:, :1].copy()}), "has the shape .* for"),
    "no head": (lambda a, _: a.pop(f"{HEAD}.weight"), f"{MISFIT}: 'head.out.weight'"),
    "another head": (lambda a, _: a.update({f"{HEAD}.bias": np.zeros(2, np.float32)}), r"\(2,\) for"),
    "overflow": (lambda a, _: [v.fill(1e15) for k, v in a.items() if ".lora_" in k], "is no number"),
}


@pytest.mark.parametrize("what", ADAPTERS)
def test_adapters_that_somebody_altered(tuned, scope, tmp_path, what):
    change, message = ADAPTERS[what]
    folder = tuned.save(tmp_path / "mine")
    rewritten(folder, lambda arrays: change(arrays, min(k for k in arrays if k.endswith("lora_A"))))
    with pytest.raises(ts.InputError, match=message):
        Judge.load(folder).on(scope)(SOME)
