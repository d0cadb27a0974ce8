"""Peak memory of one thread, measured in a fresh process for each size.

The peak is the resident memory of the whole process, because the compiled loops allocate where
Python's own bookkeeping cannot see. A fresh process, because memory once used is seldom given back.
On Linux the peak is read from /proc: the one of getrusage starts from that of the parent process.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.inputs import KINDS, Pairs, drawn
from benchmarks.jobs import H1, OURS, RTD
from benchmarks.report import Row, Section, number

JOBS = {job.name: job for job in (H1, RTD)}
SIZES = (512, 1024, 2048)
QUICK_SIZES = (512,)
STATUS = Path("/proc/self/status")


def run(quick: bool) -> Section:
    """Bytes above what the process held before the call, for one map of each kind, one after the other."""
    rng = np.random.default_rng(4)
    rows, cells = [], []
    with tempfile.TemporaryDirectory() as folder:
        for n in QUICK_SIZES if quick else SIZES:
            maps = Path(folder) / "maps.npy"
            np.save(maps, np.stack(drawn(KINDS, n, rng)))
            for name in JOBS:
                print(f"growth: memory, {name}, n = {n}", file=sys.stderr, flush=True)
                used = in_fresh_process(name, maps)
                rows.append(Row(name, n, OURS, threads=1, maps=KINDS, bytes_per_entry=used / n**2))
                cells.append([name, str(n), number(used / 2**20), number(used / n**2)])
    remark = (
        "Above what the process holds with its input; one map of each kind of head, one after the other."
    )
    return Section("Peak memory, one thread", remark, ["job", "n", "MiB", "bytes per n^2"], cells, rows)


def in_fresh_process(job: str, maps: Path) -> int:
    """Bytes, as ``python -m benchmarks.memory`` says."""
    command = [sys.executable, "-m", "benchmarks.memory", job, str(maps)]
    root = Path(__file__).parents[1]
    done = subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE, text=True)
    return int(json.loads(done.stdout))


def of_one_call(job: str, maps: Path) -> int:
    """Peak after the call minus peak before; a small map goes first, to load the compiled code."""
    work = JOBS[job].ours
    small = np.full((1, 70, 70), 1 / 70, np.float32)
    work(Pairs(small, small), 1)
    a, b = np.load(maps)
    before = peak()
    work(Pairs(a, b), 1)
    return peak() - before


def peak() -> int:
    """Largest resident memory of this process so far, in bytes."""
    if STATUS.exists():
        line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    import resource

    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest if sys.platform == "darwin" else largest * 1024


if __name__ == "__main__":
    print(json.dumps(of_one_call(sys.argv[1], Path(sys.argv[2]))))
