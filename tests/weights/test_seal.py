"""What was published is what is loaded: altered files are found, cheaply where nothing changed."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

import pytest

from toposcope.errors import SourceError
from toposcope.weights import cache, seal

LARGE = bytes(range(256)) * 40  # 10,240 bytes: with small blocks it is sampled


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TOPOSCOPE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(seal, "BLOCK", 16)

    def fill(folder, work):
        (folder / "config.json").write_text("{}")
        (folder / "deep").mkdir()
        (folder / "deep" / "weights").write_bytes(LARGE)

    return cache.store("tiny", fill, {"source": "here"}, 0)


@pytest.fixture
def hashed(monkeypatch):
    """Names of the files that were hashed in full."""
    names, real = [], seal.sha256
    monkeypatch.setattr(seal, "sha256", lambda file: names.append(file.name) or real(file))
    return names


def flip(file, place):
    """Change one byte where it is."""
    with file.open("r+b") as stream:
        stream.seek(place)
        byte = stream.read(1)[0]
        stream.seek(place)
        stream.write(bytes([byte ^ 1]))


def record(folder):
    return json.loads((folder / "toposcope.json").read_text())


def rewrite(folder, facts):
    (folder / "toposcope.json").write_text(json.dumps(facts))


REFUSED = r"deep/weights altered.*`toposcope models remove tiny`, then `toposcope models pull tiny`\."


@pytest.mark.parametrize("place", [0, 100, 200, len(LARGE) - 1])
@pytest.mark.parametrize("time_set_back", [False, True])
def test_one_byte_anywhere_is_found(folder, place, time_set_back):
    weights = folder / "deep" / "weights"
    before = weights.stat()
    flip(weights, place)
    if time_set_back:
        os.utime(weights, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert weights.stat().st_mtime_ns == before.st_mtime_ns
    for _ in range(2):
        with pytest.raises(SourceError, match=REFUSED):
            cache.find("tiny")


@pytest.mark.parametrize("content", [b"", LARGE[:-1], LARGE + b"\0"])
def test_other_lengths_are_found(folder, content):
    (folder / "deep" / "weights").write_bytes(content)
    with pytest.raises(SourceError, match=REFUSED):
        cache.find("tiny")


def test_what_changes_on_the_disk_alone_is_found_where_the_sample_is(folder):
    """Bytes change and no time does: as if the record had been written after it."""
    weights = folder / "deep" / "weights"

    def found_after(place):
        flip(weights, place)
        facts, now = record(folder), seal.look(weights)
        facts["looks"]["deep/weights"] |= {k: now[k] for k in ("written_ns", "changed_ns")}
        rewrite(folder, facts)
        try:
            return cache.find("tiny") is None
        except SourceError:
            return True
        finally:
            flip(weights, place)

    assert found_after(0)
    assert found_after(len(LARGE) - 1)
    assert not found_after(100)  # between two blocks; that is left to ``verify``
    flip(weights, 100)
    assert cache.verify("tiny").altered == ("deep/weights",)


def test_what_looks_as_it_did_is_not_hashed(folder, hashed):
    assert cache.find("tiny") == folder
    assert hashed == []


def test_new_times_cost_one_hash(folder, hashed):
    os.utime(folder / "deep" / "weights", ns=(1, 1))
    before = record(folder)
    assert cache.find("tiny") == cache.find("tiny") == folder
    assert hashed == ["weights"]
    after = record(folder)
    assert after["looks"]["deep/weights"]["written_ns"] == 1
    assert after | {"looks": 0} == before | {"looks": 0}
    assert cache.verify("tiny").intact
    assert (folder / "toposcope.json").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("looks", [None, 3, {"config.json": 3}, {"gone": {}}])
def test_a_record_of_an_older_version_is_hashed_once_and_brought_up_to_date(folder, hashed, looks):
    facts = record(folder)
    now = facts.pop("looks")
    rewrite(folder, facts if looks is None else facts | {"looks": looks})
    assert cache.find("tiny") == cache.find("tiny") == folder
    assert sorted(hashed) == ["config.json", "weights"]
    assert record(folder) == facts | {"looks": now}


def test_an_older_record_finds_what_was_altered_before(folder):
    facts = record(folder)
    del facts["looks"]
    rewrite(folder, facts)
    flip(folder / "deep" / "weights", 100)
    with pytest.raises(SourceError, match=REFUSED):
        cache.find("tiny")


def test_a_copied_cache_is_hashed_once(folder, hashed, tmp_path, monkeypatch):
    shutil.copytree(tmp_path / "home", tmp_path / "copy")
    monkeypatch.setenv("TOPOSCOPE_HOME", str(tmp_path / "copy"))
    assert cache.find("tiny") == cache.find("tiny")
    assert sorted(hashed) == ["config.json", "weights"]


def test_a_cache_that_cannot_be_written_is_still_read(folder, hashed, monkeypatch):
    def refuse(**_):
        raise PermissionError("read-only")

    os.utime(folder / "config.json", ns=(1, 1))
    before = record(folder)
    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    assert cache.find("tiny") == cache.find("tiny") == folder
    assert hashed == ["config.json"] * 2
    assert record(folder) == before


def test_a_record_that_cannot_take_its_place_leaves_nothing(folder, monkeypatch):
    def refuse(*_):
        raise OSError("busy")

    os.utime(folder / "config.json", ns=(1, 1))
    monkeypatch.setattr(os, "replace", refuse)
    assert cache.find("tiny") == folder
    assert sorted(os.listdir(folder)) == ["config.json", "deep", "toposcope.json"]


def test_files_that_nobody_published_are_refused_hidden_ones_are_not(folder):
    (folder / ".DS_Store").touch()
    (folder / "deep" / ".DS_Store").touch()
    assert cache.find("tiny") == folder
    (folder / "adapter_config.json").write_text("{}")
    with pytest.raises(SourceError, match=r"has adapter_config\.json, which nobody published there: `topo"):
        cache.find("tiny")


def test_a_record_on_its_way_is_no_part_of_the_model(folder):
    (folder / ".toposcope.json1234").touch()
    assert cache.verify("tiny").intact


def test_files_that_cannot_be_read_are_named(folder, monkeypatch):
    def refuse(file):
        raise PermissionError(13, "Permission denied", str(file))

    monkeypatch.setattr(seal, "look", refuse)
    with pytest.raises(
        SourceError, match=r"cannot be read .*Permission denied.*config\.json.*remove tiny`"
    ):
        cache.find("tiny")


def test_an_altered_model_is_not_pulled_over(folder):
    flip(folder / "deep" / "weights", 100)
    with pytest.raises(SourceError, match=REFUSED):
        cache.store("tiny", lambda *_: pytest.fail("it is there"), {}, 0)


def test_names_of_folders_in_the_cache(folder, tmp_path):
    assert cache.name_of(folder) == "tiny"
    assert cache.name_of(folder / "deep") is None
    assert cache.name_of(tmp_path) is None
    (tmp_path / "link").symlink_to(folder)
    assert cache.name_of(tmp_path / "link") == "tiny"


def test_the_check_needs_no_torch():
    code = (
        "import sys, toposcope.weights.cache; print(sorted({'torch', 'numpy', 'numba'} & set(sys.modules)))"
    )
    light = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert light.stdout == "[]\n"
