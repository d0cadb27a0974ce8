"""Files that are whole or not there, whatever goes wrong."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from toposcope.errors import InputError, OutputError
from toposcope.files import try_to_write, whole, whole_folder


def write_and_fail(make, path, error, name=None):
    with make(path) as place:
        (place if name is None else place / name).write_text("half")
        raise error


def test_the_file_appears_when_all_is_written(tmp_path):
    path = tmp_path / "new" / "folder" / "file.txt"
    with whole(path) as place:
        place.write_text("half")
        assert not path.exists()
    assert path.read_text() == "half"
    assert list(path.parent.iterdir()) == [path]


def test_after_an_error_the_old_file_is_there(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("old")

    def write_half():
        with whole(path) as place:
            place.write_text("ne")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.ENOSPC, "Error writing bytes to file. Detail: [errno 28] No space left on device"),
        ValueError("Error while serializing: I/O error: No space left on device (os error 28)"),
    ],
)
def test_a_full_disk_is_told_in_a_line(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("one")
    with pytest.raises(OutputError) as told:
        write_and_fail(whole, path, error)
    assert str(told.value) == f"{path} cannot be written: No space left on device."
    assert [file.read_text() for file in tmp_path.iterdir()] == ["one"]


def test_what_is_no_fault_of_the_disk_is_not_told_as_one(tmp_path):
    with pytest.raises(ValueError, match=r"^else$"):
        write_and_fail(whole, tmp_path / "a", ValueError("else"))
    with pytest.raises(OutputError, match="100 requested and 8 written"):  # of numpy, without a number
        write_and_fail(whole, tmp_path / "a", OSError("100 requested and 8 written"))


def test_files_of_a_folder_come_together_or_not_at_all(tmp_path):
    folder = tmp_path / "made" / "here"
    with pytest.raises(OutputError, match="here cannot be written"):
        write_and_fail(whole_folder, folder, OSError(errno.EDQUOT, "full"), "a")
    assert not folder.exists()
    for content in ("one", "two"):
        with whole_folder(folder) as place:
            (place / "a").write_text(content)
            (place / "b").write_text(content)
    with pytest.raises(InputError):
        write_and_fail(whole_folder, folder, InputError("no"), "a")
    assert {file.name: file.read_text() for file in folder.iterdir()} == {"a": "two", "b": "two"}


def test_whether_a_file_can_be_written_is_found_out_by_trying(tmp_path):
    path = tmp_path / "a.npy"
    np.save(path, np.zeros(1))
    before = path.read_bytes()
    try_to_write(path)
    assert (path.read_bytes(), os.listdir(tmp_path)) == (before, ["a.npy"])
    with pytest.raises(OutputError, match="File name too long"):
        try_to_write(tmp_path / ("a" * 254))
    with pytest.raises(OutputError, match="/proc/a cannot be written: No such file"):
        try_to_write(Path("/proc/a"))
