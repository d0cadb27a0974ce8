"""The catalogue, and the models on this machine."""

import errno
import json
import os
import re
import shutil
from pathlib import Path

import pytest

from toposcope.errors import InputError, SourceError
from toposcope.weights import cache, catalogue
from toposcope.weights.catalogue import CATALOGUE


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("TOPOSCOPE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def fill(folder, work):
    (folder / "config.json").write_text("{}")
    (folder / "deep").mkdir()
    (folder / "deep" / "weights").write_bytes(b"numbers")
    (work / "download").write_bytes(b"not kept")


def stored(name="tiny", fill=fill, room=0):
    return cache.store(name, fill, {"source": "here", "licence": "MIT"}, room)


@pytest.mark.parametrize("package", CATALOGUE, ids=lambda package: package.name)
def test_entries_are_whole(package):
    assert re.fullmatch("[0-9a-f]{64}", package.sha256)
    assert package.room > 2 * package.size > 1e8
    assert package.licence == "Apache-2.0"
    assert catalogue.find(package.name) is catalogue.find(package.hub_id) is package
    assert cache.place(package.name).name == package.name


def test_nothing_is_found_under_another_name():
    assert catalogue.find("roberta-base") is None
    assert catalogue.near("HuggingfaceTB/smollm2-135m") == ["SmolLM2-135M-Instruct"]
    assert catalogue.near("zzz") == []


def test_home(monkeypatch, tmp_path):
    assert cache.home() == tmp_path / "home"
    monkeypatch.delenv("TOPOSCOPE_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert cache.home() == Path("/caches/toposcope")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache.home() == Path.home() / ".cache" / "toposcope"


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../x",
        "a/..",
        "/abs",
        "a/b/c",
        "a\\b",
        "a/",
        ".hidden",
        "a b",
        "a\n",
        "a--b",
        "a..b",
        "C:x",
    ],
)
def test_names_that_are_paths_are_refused(name):
    for function in (cache.place, cache.find, cache.verify, cache.remove):
        with pytest.raises(InputError, match="model name"):
            function(name)


def test_stored_once_then_found(home):
    folder = stored("org/tiny")
    assert folder == home / "models" / "org--tiny" == cache.find("org/tiny")
    assert cache.names() == ["org/tiny"]
    record = json.loads((folder / "toposcope.json").read_text())
    assert record["name"] == "org/tiny"
    assert record["source"] == "here"
    assert record["licence"] == "MIT"
    assert record["toposcope"]
    assert set(record["files"]) == {"config.json", "deep/weights"}
    assert stored("org/tiny", fill=lambda *_: pytest.fail("it was there")) == folder
    assert sorted(os.listdir(home / "models")) == [".org--tiny.lock", "org--tiny"]


def test_what_fails_leaves_nothing(home):
    def broken(folder, work):
        fill(folder, work)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stored(fill=broken)
    assert cache.find("tiny") is None
    assert os.listdir(home / "models") == [".tiny.lock"]


def test_only_the_own_stale_staging_is_removed(home):
    (home / "models" / ".tiny+killed" / "model").mkdir(parents=True)
    (home / "models" / ".tiny-two+alive").mkdir()
    stored()
    assert sorted(os.listdir(home / "models")) == [".tiny-two+alive", ".tiny.lock", "tiny"]


def test_a_folder_without_a_record_is_replaced(home):
    (home / "models" / "tiny").mkdir(parents=True)
    assert cache.find("tiny") is None
    assert cache.find("tiny") is None
    assert cache.verify(stored().name).intact


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_said_with_the_way_out(home, number):
    def full(folder, work):
        raise OSError(number, "full")

    with pytest.raises(SourceError, match=r"no room .*5 MB are needed.*TOPOSCOPE_HOME"):
        stored(fill=full, room=5_000_000)
    assert os.listdir(home / "models") == [".tiny.lock"]


def test_too_little_room_is_said_beforehand(monkeypatch, tmp_path):
    usage = shutil.disk_usage(tmp_path)._replace(free=4_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(SourceError, match="5 MB are needed, 4 MB are free"):
        stored(fill=lambda *_: pytest.fail("there is no room"), room=5_000_000)


def test_a_home_that_cannot_be_written(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("TOPOSCOPE_HOME", str(tmp_path / "file"))
    with pytest.raises(SourceError, match=r"cannot be written.*set TOPOSCOPE_HOME"):
        stored()


def test_verify_names_each_file():
    folder = stored()
    assert cache.verify("tiny").intact
    (folder / "config.json").write_text("{ }")
    (folder / "deep" / "weights").rename(folder / "deep" / "moved")
    result = cache.verify("tiny")
    assert not result.intact
    assert result.altered == ("config.json",)
    assert result.missing == ("deep/weights",)
    assert result.additional == ("deep/moved",)
    with pytest.raises(SourceError, match=r"lacks deep/weights: `toposcope models remove tiny`"):
        cache.find("tiny")


def test_verify_of_what_is_not_there():
    with pytest.raises(SourceError, match=r"tiny is not in .*`toposcope models pull tiny` gets it"):
        cache.verify("tiny")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"files": 3}'])
def test_a_damaged_record_is_named(text):
    (stored() / "toposcope.json").write_text(text)
    for function in (cache.verify, cache.find):
        with pytest.raises(SourceError, match=r"toposcope\.json cannot be read"):
            function("tiny")
    cache.remove("tiny")


def test_removed_is_gone(home):
    stored()
    cache.remove("tiny")
    assert cache.find("tiny") is None
    assert os.listdir(home / "models") == [".tiny.lock"]
    with pytest.raises(SourceError, match="nothing was removed"):
        cache.remove("tiny")
