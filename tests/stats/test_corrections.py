"""Holm's correction against the procedure carried out step by step."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import holm_rejected
from toposcope.errors import InputError
from toposcope.stats.corrections import holm

P_VALUES = st.lists(st.floats(0, 1) | st.sampled_from([0.0, 0.01, 0.05, 1.0]), max_size=8)


def test_values_of_holms_procedure():
    found = holm([0.01, 0.04, 0.03, 0.005])
    np.testing.assert_allclose(found, [0.03, 0.06, 0.06, 0.02])
    assert holm([]).shape == (0,)
    assert holm([0.3]).tolist() == [0.3]
    assert holm([0.6, 0.6]).tolist() == [1, 1]


@given(P_VALUES, st.floats(0.001, 0.999))
def test_below_a_level_is_what_the_procedure_rejects(p, level):
    corrected = holm(p)
    clear = np.abs(corrected - level) > 1e-9
    np.testing.assert_array_equal((corrected <= level)[clear], holm_rejected(p, level)[clear])


@given(P_VALUES, st.integers(0, 7), st.floats(0, 1))
def test_bounds_give_bounds(p, place, less):
    smaller = np.array(p)
    if len(p):
        smaller[place % len(p)] *= less
    assert (holm(smaller) <= holm(p)).all()
    assert (holm(p) >= np.array(p)).all()


@pytest.mark.parametrize("wrong", [[0.5, 1.5], [-0.1], [np.nan], [[0.5]], 0.5])
def test_what_is_no_p_value_is_refused(wrong):
    with pytest.raises(InputError, match="accepted is a list of numbers from 0 to 1"):
        holm(wrong)
