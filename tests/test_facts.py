"""Facts of a file: kinds, ranges, finite numbers."""

import json

import numpy as np
import pytest

from toposcope.errors import InputError
from toposcope.facts import Facts, checked_numbers

GIVEN = {
    "text": "a", "flag": True, "number": 0.5, "count": 3, "counts": [2, 0], "texts": ["a", ""],
    "places": [[0, 1], [1, 0]], "array": [[1, 2.5]], "part": {"text": "b"}, "parts": [{"text": "c"}],
}  # fmt: skip
ASK = {"array": lambda facts: facts.array("array", (1, 2))}
WRONG = {
    "text": [None, 1, ["a"]],
    "flag": [None, 1, "true"],
    "number": [None, True, "1", [1], 1e16, -1e16, 10**400],
    "count": [None, True, -1, 1.0, "1", 10**400],
    "counts": [None, 3, [-1], [1, 1], [True], [1.5], "12"],
    "texts": [None, "a", [1], [None]],
    "places": [None, [[0]], [[0, 1, 2]], [[0, -1]], [[0, 1], [0, 1]], [0, 1], ["ab"]],
    "array": [
        None,
        [1, 2.5],
        [[1]],
        [[1], [2, 3]],
        [["a", "b"]],
        [[True, False]],
        [[1e300, 0]],
        [[10**400, 0]],
    ],
    "part": [None, [], "b"],
    "parts": [None, {}, [None], [[]]],
}


def ask(facts, name):
    return ASK[name](facts) if name in ASK else getattr(facts, name)(name)


def test_what_is_right_comes_back():
    facts = Facts.parse(json.dumps(GIVEN).encode())
    assert [ask(facts, name) for name in ("text", "flag", "number", "count")] == ["a", True, 0.5, 3]
    assert (facts.counts("counts"), facts.texts("texts")) == ((2, 0), ("a", ""))
    assert facts.places("places") == ((0, 1), (1, 0))
    assert facts.array("array", (1, 2)).tolist() == [[1, 2.5]]
    assert facts.part("part").text("text") == "b"
    assert [part.text("text") for part in facts.parts("parts")] == ["c"]
    assert facts.maybe("part") == facts.part("part")
    assert Facts({"part": None}).maybe("part") is None


@pytest.mark.parametrize(("name", "value"), [(name, v) for name, values in WRONG.items() for v in values])
def test_what_is_wrong_is_named(name, value):
    with pytest.raises(InputError, match=rf"^here\.{name}"):
        ask(Facts({**GIVEN, name: value}, "here."), name)


@pytest.mark.parametrize("name", GIVEN)
def test_what_is_missing_is_named(name):
    with pytest.raises(InputError, match=rf"^here\.{name} is missing\.$"):
        ask(Facts({}, "here."), name)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it is not JSON: "),
        (b"\xff\xfe{", "it is not JSON: "),
        (b"[1]", "it is no JSON object"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b'{"a": NaN}', "it holds NaN, which is no finite number"),
        (b'{"a": -Infinity}', "it holds -Infinity"),
        (b'{"a": 1e999}', "it holds 1e999"),
        (b'{"a": ' + b"9" * 5000 + b"}", "it is not JSON: "),
    ],
)
def test_what_is_no_object(content, message):
    with pytest.raises(InputError, match=f"^{message}"):
        Facts.parse(content)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_numbers_to_compute_with(kind):
    values = np.array([[0.5, -2.0]], kind)
    assert checked_numbers(values, "x") is values
    assert checked_numbers(values[:0], "x").size == 0
    for bad in (np.nan, np.inf, -np.inf):
        with pytest.raises(InputError, match=r"^x holds what is no number"):
            checked_numbers(np.array([0.5, bad], kind), "x")
    with pytest.raises(InputError, match=r"^x holds what is no number from 1e-15"):
        checked_numbers(values, "x", least=1e-15)
    with pytest.raises(InputError, match=r"^x holds int64"):
        checked_numbers(np.arange(3), "x")
