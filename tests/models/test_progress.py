"""Bars are seen by people and by nobody else."""

import sys

from toposcope.models.progress import download_bar, progress_bar, silent


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


def test_nothing_is_shown_where_nobody_looks(capsys):
    with download_bar() as progress, progress_bar("reading", 3) as advance:
        progress("downloading it", 50, 100)
        advance(1)
    assert progress is silent
    assert capsys.readouterr().err == ""
