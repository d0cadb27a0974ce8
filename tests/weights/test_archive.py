"""Archives are read member by member, and trusted with nothing."""

import stat
import zipfile

import pytest

from tests.weights.fakes import zipped
from toposcope.errors import SourceError
from toposcope.weights import archive


def written(folder, members):
    path = folder / "a.zip"
    path.write_bytes(zipped(members))
    return path


def test_a_member_is_written_under_our_name_with_progress(tmp_path):
    content = bytes(range(256)) * 10_000
    seen = []
    with archive.opened(written(tmp_path, {"deep/in/it.bin": content})) as opened:
        target = archive.extract(
            opened, "deep/in/it.bin", tmp_path / "out", lambda *step: seen.append(step)
        )
    assert target.read_bytes() == content
    assert seen[0] == ("unpacking it.bin", archive.CHUNK, len(content))
    assert seen[-1] == ("unpacking it.bin", len(content), len(content))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../evil", "climbs out"),
        ("good/../../evil", "climbs out"),
        ("/etc/evil", "absolute path"),
        ("C:/evil", "names a drive"),
        ("..\\evil", "backslash"),
        ("good\\evil", "backslash"),
    ],
)
def test_one_bad_name_refuses_the_whole_archive(tmp_path, name, why):
    path = written(tmp_path, {"good.txt": b"good", name: b"evil"})
    with pytest.raises(SourceError, match=why), archive.opened(path):
        pytest.fail("it was opened")
    assert [file.name for file in tmp_path.iterdir()] == ["a.zip"]


def test_symbolic_links_are_refused(tmp_path):
    link = zipfile.ZipInfo("link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as out:
        out.writestr(link, "/etc/passwd")
    with pytest.raises(SourceError, match="symbolic link"), archive.opened(tmp_path / "a.zip"):
        pytest.fail("it was opened")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_twice_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as out:
        out.writestr("same", "one")
        out.writestr("same", "two")
    with pytest.raises(SourceError, match="twice"), archive.opened(tmp_path / "a.zip"):
        pytest.fail("it was opened")


def test_a_truncated_archive_is_named(tmp_path):
    path = written(tmp_path, {"a": b"a" * 1000})
    path.write_bytes(path.read_bytes()[:-10])
    with (
        pytest.raises(SourceError, match=r"a\.zip is no zip archive, or is cut short"),
        archive.opened(path),
    ):
        pytest.fail("it was opened")


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_damaged_member_is_named(tmp_path, method):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", method) as out:
        out.writestr("numbers", bytes(range(256)) * 10)
    damaged = bytearray(path.read_bytes())
    damaged[60] ^= 255
    path.write_bytes(damaged)
    with archive.opened(path) as opened, pytest.raises(SourceError, match="'numbers' is damaged"):
        archive.extract(opened, "numbers", tmp_path / "out")


def test_a_missing_member_is_named(tmp_path):
    with (
        archive.opened(written(tmp_path, {"a": b"a"})) as opened,
        pytest.raises(SourceError, match="no member 'b'"),
    ):
        archive.extract(opened, "b", tmp_path / "out")
