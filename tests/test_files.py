"""Files that are whole or not there."""

import pytest

from toposcope.files import whole


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
