"""Fingerprints that were computed before are believed as long as the files look the same."""

import os

import pytest

from toposcope.weights.fingerprints import Fingerprint


@pytest.fixture
def known(tmp_path, monkeypatch):
    monkeypatch.setenv("TOPOSCOPE_HOME", str(tmp_path / "home"))
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"weights")
    return Fingerprint(folder, "*.safetensors")


def never():
    raise AssertionError("it is known")


def test_it_is_computed_once(known):
    assert known(lambda: "abc") == "abc"
    assert known(never) == "abc"
    assert Fingerprint(known.folder, "*.safetensors")(never) == "abc"
    assert Fingerprint(known.folder, "tokenizer.json")(lambda: "other") == "other"


def test_an_altered_file_is_seen_even_with_its_time_set_back(known):
    known(lambda: "abc")
    file = known.folder / "model.safetensors"
    times = file.stat()
    file.write_bytes(b"Weights")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert known(lambda: "def") == "def"


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"looks": {}, "fingerprint": 3}'])
def test_a_damaged_record_is_made_anew(known, content):
    known(lambda: "abc")
    known.file.write_bytes(content)
    assert known(lambda: "def") == "def"
    assert known(never) == "def"
