"""What a verb does, a library call does: the same numbers, as the verb prints them in JSON."""

import ast
import doctest
import inspect
import json
import re

import pytest

import toposcope as ts
from tests.cli.verbs import FILES, FRESH, run
from toposcope.judge.card import write_card

CALLS = (
    ts.judge_texts, ts.make_judge, ts.evaluate_judge, ts.compare_pair, ts.score_benchmark, ts.select_heads,
)  # fmt: skip
BAD = "the red dog is old."


def told(*arguments):
    """The JSON of a verb."""
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def as_json(value):
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("blame", [False, True])
def test_judge(files, blame):
    texts = [*FRESH, BAD, "..."]
    answers = ts.judge_texts(texts, files / "judge", blame=blame)
    verb = told("judge", *texts, "--judge", files / "judge", *(["-v"] if blame else []))
    assert verb == as_json([answer.to_dict(blame=blame) for answer in answers])
    assert [answer.verdict is None for answer in answers] == [False] * 4 + [True]
    assert ts.judge_texts(["?"], files / "judge")[0].notes == ("no words, neither a letter nor a digit",)


def test_train(files, tmp_path):
    judge = ts.make_judge(
        f"{files / 'toy.csv'}:train",
        model=files / "model",
        features="h0m+cls",
        tests=[f"{files / 'toy.csv'}:test"],
        language="toy",
    )
    verb = json.loads((files / "trained.json").read_text())
    assert verb == as_json({"judge": str(files / "judge"), **judge.figures})
    judge.save(tmp_path)
    weights = [folder / "weights.safetensors" for folder in (tmp_path, files / "judge")]
    assert weights[0].read_bytes() == weights[1].read_bytes()
    write_card(judge, str(tmp_path))
    assert {file.name for file in tmp_path.iterdir()} == {*FILES}


def test_evaluate(files):
    test = f"{files / 'toy.csv'}:test"
    assert told("evaluate", files / "judge", test) == as_json(
        ts.evaluate_judge(files / "judge", test).to_dict()
    )


def test_compare(toy):
    heads = [toy / "weighted.json", toy / "ensemble.json"]
    found = ts.compare_pair(FRESH[0], BAD, toy / "model", selections=heads)
    given = [part for name in heads for part in ("--heads", name)]
    assert told("compare", FRESH[0], BAD, "-m", toy / "model", *given) == as_json(found.to_dict())


def test_score(toy):
    for data in ([toy / "test.tsv"], toy / "test.tsv", ts.read_pairs(toy / "test.tsv")):
        found = ts.score_benchmark(data, toy / "model", heads=["all", str(toy / "top.json")])
    assert found.table.pairs.good == ts.read_pairs(toy / "test.tsv").good
    heads = ["--heads", "all", "--heads", toy / "top.json"]
    assert told("pairs", "score", toy / "test.tsv", "-m", toy / "model", *heads) == as_json(found.facts())
    selections = [one.selection for one in found.scored]
    assert ts.score_benchmark(found.table, heads=selections).facts() == found.facts()


def test_select(toy, tmp_path):
    for method, measure in (("weighted", ""), ("ensemble", "h0m"), ("top", "rtd")):
        chosen = ts.select_heads(toy / "aux.jsonl", method, measure, model=toy / "model")
        chosen.save(tmp_path / "called.json")
        assert (tmp_path / "called.json").read_bytes() == (toy / f"{method}.json").read_bytes()


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
def test_calls_tell_what_they_take(call):
    words = set(re.findall(r"\w+", inspect.getdoc(call)))
    assert set(inspect.signature(call).parameters) <= words


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
def test_examples_of_calls_can_be_made(call):
    examples = doctest.DocTestParser().get_examples(inspect.getdoc(call))
    nodes = [node for one in examples for node in ast.walk(ast.parse(one.source))]
    made = [n for n in nodes if isinstance(n, ast.Call) and getattr(n.func, "id", "") == call.__name__]
    assert made
    for one in made:
        inspect.signature(call).bind(*one.args, **{word.arg: word.value for word in one.keywords})
