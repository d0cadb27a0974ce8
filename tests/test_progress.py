"""Bars are seen by people; files and pipes get a line now and then."""

import sys
import time

import pytest

from toposcope import progress as module
from toposcope.progress import download_bar, progress_bar, slow


@pytest.fixture
def clock(monkeypatch):
    """A clock that is set by hand: ``clock[0]``."""
    seconds = [1000.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: seconds[0])
    return seconds


def test_steps_of_a_download_are_shown_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with download_bar() as progress:
        progress("downloading it", 50, 100)
        progress("unpacking it", 1, 0)
        progress("unpacking it", 2, 0)
    shown = capsys.readouterr()
    assert "downloading it" in shown.err
    assert "unpacking it" in shown.err
    assert shown.out == ""


def test_steps_of_a_download_are_lines_in_a_pipe(clock, capsys):
    with download_bar() as progress:
        for k in range(150):  # half a minute, five times a second
            progress("downloading it", 2_000_000 * k, 664_000_000)
            clock[0] += 0.2
        progress("unpacking vocab.txt", 0, 200_000)
        progress("unpacking weights", 0, 700_000_000)
        clock[0] += 1
        progress("unpacking weights", 700_000_000, 700_000_000)
        progress("converting", 0, 0)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.splitlines() == [
        "toposcope: downloading it (664 MB) ...",
        "toposcope: downloading it: 100 of 664 MB",
        "toposcope: downloading it: 200 of 664 MB",
        "toposcope: unpacking weights (700 MB) ...",
        "toposcope: converting ...",
    ]


def test_a_small_download_is_one_line(capsys):
    with download_bar() as progress:
        progress("downloading it", 0, 400_000)
        progress("downloading it", 400_000, 400_000)
        progress("unpacking it", 0, 400_000)
    assert capsys.readouterr().err == "toposcope: downloading it (0.4 MB) ...\n"


def test_long_work_says_ever_more_rarely_how_far_it_is(clock, capsys):
    with progress_bar("reading", 960) as advance:
        for _ in range(480):  # four minutes
            clock[0] += 0.5
            advance(2)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.splitlines() == [
        f"toposcope: reading: {share} %" for share in (2, 6, 14, 31, 56, 81)
    ]  # after 5, 15, 35, 75, 135 and 195 seconds


def test_short_and_hidden_work_says_nothing(clock, capsys):
    with download_bar(), progress_bar("reading", 3) as advance:
        clock[0] += 4
        advance(2)
        clock[0] += 4
        advance(1)  # late, but now it is done
    with progress_bar("reading", 3, show=False) as advance:
        clock[0] += 100
        advance(1)
    assert capsys.readouterr().err == ""


def test_slow_work_is_named(capsys, monkeypatch):
    monkeypatch.setattr(module, "SOON", 0.01)
    with slow("loading it"):
        time.sleep(0.2)
    assert capsys.readouterr().err == "toposcope: loading it ...\n"
    monkeypatch.setattr(module, "SOON", 60)
    with pytest.raises(KeyError), slow("loading it"):
        raise KeyError
    assert capsys.readouterr().err == ""


def test_nothing_breaks_without_an_error_stream(clock, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with download_bar() as progress, progress_bar("reading", 3) as advance:
        progress("downloading it", 0, 0)
        clock[0] += 100
        advance(1)
    assert capsys.readouterr().out == ""
