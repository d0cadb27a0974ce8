"""From a name to a folder: what is asked, in which order, and what is said if nothing works."""

import json
import os
import subprocess
import sys
import time

import pytest

from tests.weights import hub as hubs
from tests.weights.fakes import one_package
from toposcope.errors import InputError, SourceError
from toposcope.weights import hub
from toposcope.weights import resolve as resolving
from toposcope.weights.resolve import local, resolve

FILES = {
    "config.json": b"{}",
    "model.safetensors": b"weights",
    "tokenizer.json": b"{}",
    "pytorch_model.bin": b"pickle",
    "modeling_tiny.py": b"code",
    "README.md": b"read",
}


@pytest.fixture
def tools(tmp_path, monkeypatch):
    return one_package(tmp_path, monkeypatch)


def model(folder, *names):
    folder.mkdir()
    for name in names:
        (folder / name).write_text("{}")
    return folder


def test_registry_then_cache(tools):
    first = resolve("tiny-bert")
    assert (first.name, first.source) == ("tiny-bert", "registry")
    assert first.note == "maven:com.tiny:tiny-bert:1.0, Apache-2.0"
    tools.mode("fail")
    again = resolve("tiny/tiny-bert")  # its name on the hub
    assert (again.folder, again.name, again.source) == (first.folder, "tiny-bert", "cache")
    assert len(tools.calls) == 1
    assert local("tiny-bert").folder == first.folder


def test_a_folder_comes_first(tools, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = model(tmp_path / "tiny-bert", "config.json", "model.safetensors")
    found = resolve("tiny-bert")
    assert (found.folder, found.source) == (folder, "folder")
    assert resolve(str(folder)) == resolve("./tiny-bert") == found
    assert tools.calls == []


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ((), r"has no config\.json: give the folder"),
        (("config.json",), r"has no weights: model\.safetensors is missing"),
        (("config.json", "pytorch_model.bin"), r"pytorch_model\.bin only.*safe_serialization=True"),
        (("config.json", "model.safetensors.index.json"), r"index\.json cannot be read"),
    ],
)
def test_folders_that_cannot_be_loaded_are_refused_with_the_fix(tools, tmp_path, files, why):
    with pytest.raises(InputError, match=why):
        resolve(str(model(tmp_path / "mine", *files)))


def test_a_folder_must_have_all_its_shards(tools, tmp_path):
    folder = model(tmp_path / "mine", "config.json", "one.safetensors")
    index = {"weight_map": {"a": "one.safetensors", "b": "two.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(InputError, match=r"lacks two\.safetensors"):
        resolve(str(folder))
    (folder / "model.safetensors.index.json").write_text('{"weight_map": {"a": 3}}')
    with pytest.raises(InputError, match=r"index\.json cannot be read"):
        resolve(str(folder))
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    (folder / "two.safetensors").touch()
    assert resolve(str(folder)).folder == folder


@pytest.mark.parametrize("name", ["", "./none", "/none/such", "~/none", "a/b/c", "..", "a\\b"])
def test_a_folder_that_is_not_there(tools, name):
    with pytest.raises(InputError, match=r"there is no folder|config"):
        resolve(name)


def test_if_nothing_works_everything_tried_is_said(tools):
    tools.mode("fail")
    with pytest.raises(SourceError) as error:
        resolve("tiny-bert")
    said = str(error.value)
    for part in (
        "folder: there is no",
        "cache: it is not in",
        "hub: there is no hub",
        "registry: maven:com.tiny",
    ):
        assert f"- {part}" in said
    assert "ERROR: no such host" in said
    assert "What to do: give a folder" in said


def test_near_names_are_offered(tools):
    with pytest.raises(SourceError, match=r"not in the catalogue\nDid you mean tiny-bert\?"):
        resolve("tiny-brt")
    with pytest.raises(SourceError, match=r"In the catalogue: tiny-bert\."):
        resolve("org/zzz")


def test_auto_takes_what_can_be_had(tools, monkeypatch):
    monkeypatch.setattr(resolving, "AUTO", ("tiny-bert", "other"))
    found = resolve("auto")
    assert (found.name, found.note) == ("tiny-bert", "auto is tiny-bert: the paper's model")
    monkeypatch.setattr(resolving, "AUTO", ("bert-base-cased", "tiny-bert"))
    found = resolve("auto")
    assert found.name == "tiny-bert"
    assert "because bert-base-cased cannot be had" in found.note
    assert "hub: there is no hub" in found.note


@pytest.fixture
def hub_at(tmp_path, monkeypatch):
    """Turn the hub's library, which reads its settings once, to another address and an empty disk."""
    from huggingface_hub import constants

    def turn(address):
        monkeypatch.setattr(constants, "ENDPOINT", address)
        monkeypatch.setattr(
            constants, "HUGGINGFACE_CO_URL_TEMPLATE", address + "/{repo_id}/resolve/{revision}/{filename}"
        )

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    hub.unreachable.cache_clear()
    yield turn
    hub.unreachable.cache_clear()


def test_a_hub_that_works(hub_at):
    with hubs.working(FILES) as (address, _):
        hub_at(address)
        assert hub.unreachable() is None
        assert hub.snapshot("org/tiny") is None
        told = []
        folder = hub.download("org/tiny", lambda *step: told.append(step))
        assert told == [("downloading org/tiny (0.0 MB)", 0, 0)]
        assert (folder / "model.safetensors").read_bytes() == b"weights"
        assert hub.snapshot("org/tiny") == folder
        with pytest.raises(SourceError, match="the hub did not give org/none: "):
            hub.download("org/none")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"config.json": b"{}", "pytorch_model.bin": b"pickle"}, "no safetensors of org/tiny, and pickles"),
        ({"model.safetensors": b"w"}, r"has no config\.json"),
    ],
)
def test_a_model_without_what_we_read_is_refused(hub_at, files, said):
    with hubs.working(files) as (address, _):
        hub_at(address)
        with pytest.raises(SourceError, match=said):
            hub.download("org/tiny")


def test_hubs_that_cannot_be_reached(hub_at, monkeypatch):
    from huggingface_hub import constants

    with hubs.silent() as (address, callers):
        hub_at(address)
        monkeypatch.setattr(hub, "PATIENCE", 0.3)
        for _ in range(2):
            with pytest.raises(SourceError, match="cannot be reached"):
                hub.download("org/tiny")
        assert len(callers) == 1
    hub.unreachable.cache_clear()
    assert "cannot be reached" in hub.unreachable()  # nobody listens there now
    hub.unreachable.cache_clear()
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert "HF_HUB_OFFLINE is set" in hub.unreachable()


def python(code, **environment):
    """Run code in a process of its own: the hub's library reads its settings once."""
    keep = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=keep | environment, check=False
    )


RESOLVE = "from toposcope.weights.resolve import resolve; print(resolve('org/tiny'))"


def test_only_harmless_files_come_from_the_hub_then_the_disk_is_enough(tmp_path):
    homes = {"HF_HOME": str(tmp_path / "hub"), "TOPOSCOPE_HOME": str(tmp_path / "home")}
    with hubs.working(FILES) as (address, asked):
        run = python(RESOLVE, HF_ENDPOINT=address, **homes)
        assert "source='hub'" in run.stdout, run.stderr
        files = {path.name for path in (tmp_path / "hub").rglob("snapshots/*/*")}
        assert files == {"config.json", "model.safetensors", "tokenizer.json"}
        assert not [path for path in asked if path.endswith((".bin", ".py"))]
        before = len(asked)
        assert python(RESOLVE, HF_ENDPOINT=address, **homes).stdout == run.stdout
        assert len(asked) == before
    offline = python(RESOLVE, HF_HUB_OFFLINE="1", **homes)
    assert offline.stdout == run.stdout


def test_a_snapshot_without_weights_or_tokenizer_is_not_taken(tmp_path):
    homes = {"HF_HOME": str(tmp_path / "hub"), "TOPOSCOPE_HOME": str(tmp_path / "home")}
    with hubs.working(FILES) as (address, _):
        python(RESOLVE, HF_ENDPOINT=address, **homes)
    (snapshot,) = (tmp_path / "hub").rglob("snapshots/*")
    for lost in ("tokenizer.json", "model.safetensors"):
        (snapshot / lost).unlink()
        run = python(RESOLVE, HF_HUB_OFFLINE="1", **homes)
        assert "hub: HF_HUB_OFFLINE is set" in run.stderr


TWICE = """
import time
from toposcope.errors import SourceError
from toposcope.weights.resolve import resolve
import huggingface_hub.hf_api
for _ in range(2):
    begin = time.monotonic()
    try:
        resolve("org/tiny")
    except SourceError as error:
        print(round(time.monotonic() - begin, 2), "cannot be reached" in str(error))
"""


def test_a_hub_that_never_answers_is_given_up_soon_and_asked_once(tmp_path):
    homes = {"HF_HOME": str(tmp_path / "hub"), "TOPOSCOPE_HOME": str(tmp_path / "home")}
    with hubs.silent() as (address, callers):
        begin = time.monotonic()
        run = python(TWICE, HF_ENDPOINT=address, **homes)
        assert len(callers) == 1
    assert time.monotonic() - begin < 15
    (first, told), (second, told_again) = [line.split() for line in run.stdout.splitlines()]
    assert (told, told_again) == ("True", "True")
    assert 2 < float(first) < 4
    assert float(second) < 0.5
