"""Work in parts: killed at any moment it goes on, and what comes out is the same to the byte."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pyarrow as pa
import pytest

from toposcope.errors import InputError
from toposcope.store import MANIFEST, Job, cut_up, differences, open_store, run

KEY = {"what": "squares", "input": {"sha256": "abc", "texts": 5}, "cut": 3, "weights": "w" * 64}
NAMES = ("train-0", "train-1", "dev:0", "test")
ROWS = 20_000


def squares(name):
    values = np.random.default_rng(len(name)).standard_normal((ROWS, 3)).astype(np.float32)
    columns = [pa.array([name] * ROWS), pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), 3)]
    return pa.table(columns, ["part", "values"])


JOB = Job(KEY, NAMES, squares)
SLOW = """
import sys, time
from pathlib import Path
from tests import test_store
from toposcope.store import Job, run

def slowly(name):
    table = test_store.squares(name)
    print(name, flush=True)
    time.sleep(float(sys.argv[2]))
    return table

run(Job(test_store.KEY, test_store.NAMES, slowly), Path(sys.argv[1]))
"""


def start(folder, seconds):
    command = [sys.executable, "-c", SLOW, str(folder), str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def files_in(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.startswith(".")}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store") / "squares"
    run(JOB, folder)
    return files_in(folder)


def test_every_part_is_made_once(tmp_path):
    told = []
    table = run(JOB, tmp_path, told.append)
    assert told[0] == "squares: train-0, part 1 of 4"
    assert len(told) == len(NAMES)
    assert table.column("part").unique().to_pylist() == list(NAMES)
    assert run(Job(KEY, NAMES, None), tmp_path, told.append).equals(table)
    assert len(told) == len(NAMES)
    lines = [json.loads(line) for line in (tmp_path / MANIFEST).read_text().splitlines()]
    assert [line["name"] for line in lines] == list(NAMES)
    assert {line["rows"] for line in lines} == {ROWS}
    assert all(line["size"] == (tmp_path / "train-0.arrow").stat().st_size for line in lines[:2])


def test_killed_in_the_middle_it_goes_on_to_the_same_bytes(tmp_path, undisturbed):
    folder = tmp_path / "squares"
    with start(folder, 0.3) as process:
        for _ in range(3):  # the third part is being made
            process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    done = (folder / MANIFEST).read_text()
    assert 0 < done.count("\n") < len(NAMES)
    (folder / ".123.test.arrow").write_bytes(b"half of a file")
    with start(folder, 0) as process:
        made = process.stdout.read().split()
    assert process.returncode == 0
    assert made == list(NAMES[done.count("\n") :])
    assert files_in(folder) == undisturbed
    assert not (folder / ".123.test.arrow").exists()


def test_a_second_process_is_refused_while_the_first_works(tmp_path):
    folder = tmp_path / "squares"
    with start(folder, 30) as process:
        process.stdout.readline()
        with pytest.raises(InputError, match=r"squares: another process works here\. Wait for it"):
            run(JOB, folder)
        process.kill()
    time.sleep(0.01)
    run(JOB, folder)


def test_a_part_that_was_tampered_with_is_made_again(tmp_path, undisturbed):
    run(JOB, tmp_path)
    place = tmp_path / "train-1.arrow"
    changed = bytearray(place.read_bytes())
    changed[ROWS] ^= 1
    place.write_bytes(changed)
    (tmp_path / "test.arrow").unlink()
    told = []
    run(JOB, tmp_path, told.append)
    assert told == [
        f"{place} is not what was written there: it is made again.",
        "squares: train-1, part 2 of 4",
        f"{tmp_path / 'test.arrow'} is not what was written there: it is made again.",
        "squares: test, part 4 of 4",
    ]
    again = files_in(tmp_path)
    assert {k: v for k, v in again.items() if k != MANIFEST} == {
        k: v for k, v in undisturbed.items() if k != MANIFEST
    }


@pytest.mark.parametrize("torn", ['{"name":"te', '{"name":"test","rows":1,"sha256":"", "size":3}'])
def test_half_a_line_at_the_end_of_the_manifest_is_no_line(tmp_path, undisturbed, torn):
    run(Job(KEY, NAMES[:3], squares), tmp_path)
    with (tmp_path / MANIFEST).open("a") as stream:
        stream.write(torn)
    run(JOB, tmp_path)
    assert files_in(tmp_path) == undisturbed


NO_LINES = [
    "nonsense",
    "[1]",
    '{"name":"x"}',
    '{"name":["x"],"rows":1,"sha256":"","size":3}',
    "[" * 100_000,
]


@pytest.mark.parametrize("line", NO_LINES)
def test_a_line_in_the_middle_that_nobody_wrote_is_told(tmp_path, line):
    run(JOB, tmp_path)
    place = tmp_path / MANIFEST
    place.write_text(f"{line}\n{place.read_text()}")
    with pytest.raises(InputError, match="has a line that no store wrote: remove"):
        run(JOB, tmp_path)


def test_another_key_is_refused_with_the_fields_that_differ(tmp_path):
    run(JOB, tmp_path)
    other = {**KEY, "input": {**KEY["input"], "sha256": "xyz"}, "weights": "v" * 64, "seed": 1}
    with pytest.raises(InputError) as told:
        run(Job(other, NAMES, squares), tmp_path)
    assert str(told.value).startswith(
        f'{tmp_path} holds other work, it differs in input.sha256 ("abc" there, "xyz" now); '
        f'seed (nothing there, 1 now); weights ("{"w" * 58}'
    )
    assert str(told.value).endswith("give another folder, or remove this one to start anew.")
    for damaged in ("{", "[1]", "[" * 100_000):
        (tmp_path / "key.json").write_text(damaged)
        with pytest.raises(InputError, match=r"key.json cannot be read: remove"):
            run(JOB, tmp_path)


def test_keys_are_the_same_however_they_are_written(tmp_path):
    run(JOB, tmp_path)
    told = []
    run(Job({**dict(reversed(KEY.items())), "cut": 3}, NAMES, None), tmp_path, told.append)
    assert told == []
    assert differences({"a": (1, 2)}, {"a": (1, 2)}) == []
    assert differences({"a": {"b": 1}}, {"a": None}) == ['a ({"b":1} there, nothing now)']


def test_a_folder_of_an_older_version_is_refused(tmp_path):
    (tmp_path / "facts.json").write_text("{}")
    with pytest.raises(InputError, match=r"holds facts.json but no key.json, .* remove this one to start"):
        run(JOB, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["facts.json"]
    with pytest.raises(InputError, match="is a file: needed is a folder"):
        run(JOB, tmp_path / "facts.json")


def test_rows_are_cut_into_parts():
    assert cut_up("x", 7, 3) == {"x 000": range(3), "x 001": range(3, 6), "x 002": range(6, 7)}
    assert cut_up("x", 6, 3) == {"x 000": range(3), "x 001": range(3, 6)}


def test_work_without_parts_is_told(tmp_path):
    with pytest.raises(InputError, match="squares: there is nothing to do"):
        run(Job(KEY, tuple(cut_up("x", 0, 3)), squares), tmp_path)


def test_names_of_parts_are_names_of_files(tmp_path):
    told = pytest.raises(InputError, match=r"part '\.\./x': accepted are letters")
    with open_store(tmp_path, KEY) as store, told:
        store.part("../x", lambda: squares("x"))
