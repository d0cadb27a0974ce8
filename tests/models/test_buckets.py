"""Buckets of texts of one length, and the memory that they may take."""

from itertools import chain

import numpy as np
import pytest

from toposcope.errors import InputError
from toposcope.models import buckets


def test_buckets_have_one_length_and_fit_the_memory(encoder):
    lengths = np.random.default_rng(0).integers(2, 38, 500).tolist()
    bytes_of = encoder.engine.footprint
    for memory in (bytes_of(37), 300_000, 10**9):
        made = buckets.make_buckets(lengths, bytes_of, memory)
        assert sorted(chain.from_iterable(made)) == list(range(500))
        for places in made:
            (n,) = {lengths[p] for p in places}
            assert len(places) * bytes_of(n) <= memory
            assert len(places) * n <= buckets.TOKENS_AT_ONCE
    with pytest.raises(InputError, match="load\\(\\.\\.\\., memory="):
        buckets.make_buckets([400], bytes_of, 1000)


@pytest.mark.parametrize(
    ("given", "expected"), [(5, 5), ("2GB", 2 * 10**9), ("1.5 MiB", 1572864), ("7", 7)]
)
def test_memory_bounds_are_read(given, expected):
    assert buckets.as_bytes(given) == expected


@pytest.mark.parametrize("given", ["lots", "-1GB", 0, ""])
def test_bad_memory_bounds_are_refused(given):
    with pytest.raises(InputError, match="memory="):
        buckets.as_bytes(given)
