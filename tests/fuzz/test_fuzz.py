"""Judges, selections and tables that somebody altered: an answer in finite numbers, or an InputError.

``TOPOSCOPE_FUZZ=10000`` tries so many of each kind, other ones each time; ``python -m tests.fuzz`` is a
quicker way to as many, and ``python -m tests.fuzz.guided`` goes where code was not yet.
"""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.mutants import Drawn
from tests.fuzz.things import saved_judge, saved_selections, saved_tables
from tests.fuzz.victims import ANSWERED, OTHER_MODEL, REFUSED, USES, VICTIMS, use_judge, use_selection
from toposcope.judge.judge import Judge
from toposcope.pairs.selection import Selection

ASKED = os.environ.get("TOPOSCOPE_FUZZ")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


def test_what_nobody_altered_is_used(folder):
    for tuned in (False, True):
        use_judge(Judge.load(saved_judge(tuned, folder)))
    for content in saved_selections(folder):
        (folder / "heads.json").write_bytes(content)
        use_selection(Selection.load(folder / "heads.json"))
    for name, place in saved_tables(folder).items():
        USES[name](place)


@pytest.mark.parametrize("victim", VICTIMS)
@settings(max_examples=int(ASKED or 100), derandomize=not ASKED, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_an_answer_or_an_input_error(victim, folder, data):
    assert VICTIMS[victim](Drawn(data), folder) in (ANSWERED, OTHER_MODEL, REFUSED)
