"""A judge: verdicts and their reasons, and the folder it lives in."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

import toposcope as ts
from tests.models import tiny
from toposcope.judge import judge as judging
from toposcope.judge.judge import Judge, shipped
from toposcope.judge.verdict import Verdict
from toposcope.models.reader import Settings
from toposcope.models.scope import Scope

SOME = ["the cat sleeps.", "the very old dog is barking!", "he is old."]


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
        scope.engine.model, scope.tokenizer, name="tiny", settings=Settings(long=long), pooler=scope.pooler
    )
    just, longer, longest = frozen.on(other)(["cat " * 38, "cat " * 39, "zebra " * 80])
    assert just.notes == ()
    assert len(longer.notes) == 1
    assert longest.notes == ("the model knows none of its words", f"longer than 40 tokens: {note}")
