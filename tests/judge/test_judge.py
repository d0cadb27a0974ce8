"""A judge: verdicts and their reasons, and the folder it lives in."""

import hashlib
import json
from dataclasses import asdict, replace

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import toposcope as ts
from tests.models import tiny
from toposcope.judge import judge as judging
from toposcope.judge.judge import Judge, shipped
from toposcope.judge.verdict import Verdict
from toposcope.models.reader import Settings
from toposcope.models.scope import Scope

SOME = ["the cat sleeps.", "the very old dog is barking!", "he is old."]
MATCH = "holds no judge that can be read"


@pytest.fixture(params=["frozen", "tuned", "half"])
def judge(request, frozen, tuned):
    return {"frozen": frozen, "tuned": tuned, "half": tuned.halved()}[request.param]


def test_a_folder_and_back(judge, scope, tmp_path):
    folder = judge.save(tmp_path / "deep" / "mine")
    assert sorted(path.name for path in folder.iterdir()) == ["judge.json", "weights.safetensors"]
    again = Judge.load(folder)
    assert (again.model, again.fingerprint, again.evidence) == (
        judge.model,
        judge.fingerprint,
        judge.evidence,
    )
    assert again.about == judge.about
    for part in ("mean", "scale", "weights"):
        ours, theirs = getattr(judge.linear, part), getattr(again.linear, part)
        assert (ours.dtype, ours.tobytes()) == (theirs.dtype, theirs.tobytes())
    for part in ("bias", "threshold", "cv_mcc"):
        assert getattr(judge.linear, part) == getattr(again.linear, part)
    np.testing.assert_array_equal(again.seen, judge.seen)
    if judge.adapter is not None:
        assert (again.adapter.base, again.adapter.pooled) == (judge.adapter.base, judge.adapter.pooled)
        assert dict(again.adapter.about) == dict(judge.adapter.about)
        assert set(again.adapter.tensors) == set(judge.adapter.tensors)
        for name, values in judge.adapter.tensors.items():
            found = again.adapter.tensors[name]
            assert (found.dtype, found.tobytes()) == (values.dtype, values.tobytes())
    assert again.on(scope)(SOME) == judge(SOME)
    twice = again.save(tmp_path / "again")
    for name in ("judge.json", "weights.safetensors"):
        assert (twice / name).read_bytes() == (folder / name).read_bytes()


def test_saving_again_replaces(frozen, tuned, tmp_path):
    tuned.save(tmp_path)
    frozen.save(tmp_path)
    assert Judge.load(tmp_path).adapter is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["judge.json", "weights.safetensors"]


def test_one_sentence_or_many(judge):
    one, many = judge(SOME[0]), judge(SOME)
    assert isinstance(one, Verdict)
    assert [v.text for v in many] == SOME
    assert one.probability == pytest.approx(many[0].probability, abs=1e-5)
    assert judge(tuple(SOME)) == many
    assert judge([]) == []
    with pytest.raises(ts.InputError, match=r"texts\[1\] is a int"):
        judge(["the cat sleeps.", 3])


def test_reasons_add_up(judge, toy):
    names = {"frozen": {"hidden states", "length"}, "lora": {"language model"}}
    kind = "frozen" if judge.adapter is None else "lora"
    heads = {f"L{layer}.H{head}" for layer in range(3) for head in range(4)}
    for verdict in judge(toy.texts):
        assert set(verdict.reasons) == heads | names[kind]
        total = sum(verdict.reasons.values()) + judge.linear.bias
        assert 1 / (1 + np.exp(-total)) == pytest.approx(verdict.probability, abs=1e-5)
        assert verdict.acceptable == (verdict.probability >= verdict.threshold)
        assert verdict.threshold == judge.linear.threshold
        loudest = verdict.loudest(3)
        assert len(loudest) == 3
        assert abs(loudest[0][1]) == max(map(abs, verdict.reasons.values()))
        assert [abs(w) for _, w in loudest] == sorted((abs(w) for _, w in loudest), reverse=True)


def test_verdicts_do_not_depend_on_the_company(judge, toy):
    together = [v.probability for v in judge(toy.texts)]
    backwards = [v.probability for v in judge(toy.texts[::-1])][::-1]
    np.testing.assert_allclose(together, backwards, atol=1e-5)


def test_other_weights_are_refused(judge, scope):
    model = tiny.build(tiny.ENCODERS["bert"])
    with tiny.torch.no_grad():
        next(model.parameters())[0, 0] += 1
    other = Scope(model, scope.tokenizer, name="other")
    with pytest.raises(ts.ModelError, match=r"made for tiny .* those of other are .* train one"):
        judge.on(other)
    assert judge.on(scope)(SOME) == judge(SOME)


def test_the_model_is_loaded_when_it_is_needed(frozen, scope, tmp_path, monkeypatch):
    from toposcope.models import load

    asked = []
    monkeypatch.setattr(load, "load", lambda name, **options: asked.append(name) or scope)
    judge = Judge.load(frozen.save(tmp_path))
    assert asked == []
    assert judge(SOME) == frozen(SOME)
    assert judge(SOME[:1]) == frozen(SOME[:1])
    assert asked == ["tiny"]


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


def test_names_of_judges_that_ship(frozen, tmp_path, monkeypatch):
    monkeypatch.setattr(judging, "SHIPPED", tmp_path)
    for name in ("italian", "english"):
        replace(frozen, about={"language": name}).save(tmp_path / name)
    assert shipped() == ["english", "italian"]
    assert Judge.load().about == {"language": "english"}
    assert Judge.load("italian").about == {"language": "italian"}
    with pytest.raises(ts.InputError, match=r"no judge 'elvish': .* one of english, italian\."):
        Judge.load("elvish")


def test_half_the_size(frozen, tuned, tmp_path):
    sizes = [
        (one.save(tmp_path / str(k)) / "weights.safetensors").stat().st_size
        for k, one in enumerate((tuned, tuned.halved()))
    ]
    assert sizes[1] < 0.7 * sizes[0]
    assert frozen.halved() is frozen


def test_a_verdict_is_a_plain_value(frozen):
    verdict = frozen(SOME[0])
    assert json.loads(json.dumps(asdict(verdict)))["text"] == SOME[0]
    assert repr(verdict).startswith("Verdict(text='the cat sleeps.', acceptable=")


@pytest.mark.parametrize("given", [5, None, b"he is old.", [5], [None], {"he is old.": 1}])
def test_what_is_no_text_gets_no_verdict(frozen, given):
    with pytest.raises(ts.InputError, match="accepted"):
        frozen(given)


def test_no_words_no_verdict(judge):
    for text in ("", "  ", "\u200b\u200d", "\x07", "...", "🙂"):
        with pytest.raises(ts.InputError, match=r"cannot be judged: it has no words, neither a letter nor"):
            judge(text)
    with pytest.raises(ts.InputError, match=r"^texts\[1\] = '', texts\[2\] = '\?!' cannot be judged"):
        judge([SOME[0], "", "?!"])


def test_notes_on_what_the_model_knows_of_a_text(judge):
    texts = [SOME[0], "雨だ. zebra!", "zebras love the cat.", "zebra, wolf, cat."]
    assert [v.notes for v in judge(texts)] == [
        (),
        ("the model knows none of its words",),
        (),
        ("the model knows only 1 of its 3 words",),
    ]


@pytest.mark.parametrize(
    ("long", "note"), [("windows", "read through 3 windows"), ("truncate", "only its beginning was read")]
)
def test_notes_on_long_texts(frozen, scope, long, note):
    other = Scope(
        scope.model, scope.tokenizer, name="tiny", settings=Settings(long=long), pooler=scope.pooler
    )
    just, longer, longest = frozen.on(other)(["cat " * 38, "cat " * 39, "zebra " * 80])
    assert just.notes == ()
    assert len(longer.notes) == 1
    assert longest.notes == ("the model knows none of its words", f"longer than 40 tokens: {note}")
