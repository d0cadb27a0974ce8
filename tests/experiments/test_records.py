"""Results as JSON and back."""

import json
from dataclasses import dataclass

import pytest

from toposcope.errors import InputError
from toposcope.experiments.records import plain, read_record, write_record
from toposcope.experiments.results import Gain, Score
from toposcope.stats.estimate import Estimate


@dataclass(frozen=True)
class Everything:
    a_number: float
    some: tuple[int, ...]
    both: tuple[str, bool]
    by_name: dict[str, tuple[Score, ...]]
    missing: Gain | None = None
    sure: Estimate | None = None


VALUE = Everything(
    -0.0, (1, 2), ("ä", True), {"x y": (Score(0.5, spread=0.1),)}, None, Estimate(1.0, 0.0, 2.0)
)


def test_values_come_back(tmp_path):
    place = tmp_path / "new" / "a.json"
    assert write_record(place, VALUE) is VALUE
    found = read_record(place, Everything)
    assert found == VALUE
    assert str(found.a_number) == "-0.0"
    facts = json.loads(place.read_text("utf-8"))
    assert list(facts) == ["a number", "some", "both", "by name", "sure"]
    assert facts["by name"] == {"x y": [{"value": 0.5, "spread": 0.1}]}
    write_record(place, (VALUE, VALUE))
    assert read_record(place, tuple[Everything, ...]) == (VALUE, VALUE)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"a number": "1"}, "'1' stands where a float should"),
        ({"a number": True}, "True stands where a float should"),
        ({"some": [1.5]}, "1.5 stands where a int should"),
        ({"both": ["x"]}, "longer"),
        ({"what": 1}, "Everything: 'what' is unknown or missing"),
        ({"sure": {"value": 1, "low": 0}}, "Estimate: 'high' is unknown or missing"),
        ({"sure": 3}, "3 stands where a Estimate should"),
    ],
)
def test_what_is_no_result_is_told(tmp_path, change, why):
    place = tmp_path / "a.json"
    place.write_text(json.dumps(plain(VALUE) | change))
    with pytest.raises(InputError, match=f"a.json holds no results of this version: .*{why}"):
        read_record(place, Everything)


def test_half_a_file_and_none_are_told(tmp_path):
    for text in ("{", None):
        if text:
            (tmp_path / "a.json").write_text(text)
        with pytest.raises(InputError, match=r"a\.json holds no results"):
            read_record(tmp_path / "a.json", Everything)
        (tmp_path / "a.json").unlink(missing_ok=True)
