"""TensorFlow bundles, read as they were written; bad ones are named."""

import numpy as np
import pytest

from tests.weights import fakes
from toposcope.errors import SourceError
from toposcope.weights.tensor_bundle import read_bundle


def written_bundle(folder, index, data=b""):
    (folder / "index").write_bytes(index)
    (folder / "data").write_bytes(data)
    return folder / "index", folder / "data"


def test_a_bundle_is_read_as_it_was_written(tmp_path):
    tensors = fakes.bert_tensors() | {"scalar": np.array(3, "<f4"), "none": np.zeros((0, 4), "<f4")}
    tensors = dict(sorted(tensors.items()))
    back = read_bundle(*written_bundle(tmp_path, *fakes.bundle_files(tensors)))
    assert list(back) == list(tensors)
    for name, tensor in tensors.items():
        np.testing.assert_array_equal(back[name], tensor)


def index_of(value, **options):
    return fakes.bundle_index([(b"", b""), (b"w", value)], **options)


GOOD = fakes.entry(1, (2, 3), 0, 24)


@pytest.mark.parametrize(
    ("index", "why"),
    [
        (b"", "no index of a tensor bundle"),
        (index_of(GOOD, magic=1), "no index of a tensor bundle"),
        (index_of(GOOD, compressed=True), "compressed"),
        (index_of(fakes.entry(2, (3,), 0, 24)), "'w' has TensorFlow type 2: accepted is 1"),
        (index_of(fakes.entry(1, (2, 3), 8, 24)), "'w' ends at byte 32 of data, which has 24"),
        (index_of(fakes.entry(1, (2, 2), 0, 24)), r"'w' has shape \(2, 2\) but 24 bytes"),
        (index_of(fakes.entry(1, (2, 3), 0, 24, shard=1)), "several data files"),
        (index_of(GOOD)[40:], "damaged"),
        (index_of(b"\x0b"), "damaged"),
        (index_of(b"\x08"), "damaged or cut short"),
        (index_of(b"\x08" + b"\xff" * 12), "more than 64 bits"),
    ],
)
def test_a_bad_bundle_is_named(tmp_path, index, why):
    with pytest.raises(SourceError, match=why):
        read_bundle(*written_bundle(tmp_path, index, bytes(24)))
