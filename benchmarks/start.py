"""How long a newcomer waits: importing, the first call, and the one compilation per machine."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.jobs import OURS
from benchmarks.report import Row, Section, verdict
from benchmarks.timing import seconds

RUNS = 9
QUICK_RUNS = 3
IMPORT_SECONDS = 0.3
COMPILE_SECONDS = 40.0

CLOCK = "import time; start = time.perf_counter(); {}; print(time.perf_counter() - start)"
IMPORT = CLOCK.format("import toposcope")
FIRST_CALL = CLOCK.format(
    "import numpy, toposcope; toposcope.h0_mean(numpy.full((144, 11, 11), 1 / 11, numpy.float32))"
)


def run(quick: bool, _out: Path) -> list[Section]:
    """Seconds in fresh processes."""
    runs = QUICK_RUNS if quick else RUNS
    print("start: import and first call", file=sys.stderr, flush=True)
    in_fresh_process(FIRST_CALL)  # from here on the compiled code is on disk
    measured = [
        ("import toposcope", [in_fresh_process(IMPORT) for _ in range(runs)], IMPORT_SECONDS),
        ("import and first h0_mean, warm cache", [in_fresh_process(FIRST_CALL) for _ in range(runs)], None),
    ]
    if not quick:
        print("start: compiling everything", file=sys.stderr, flush=True)
        measured.append(("compile all kernels, empty cache", [compile_all()], COMPILE_SECONDS))
    rows, cells = [], []
    for job, times, most in measured:
        best, middle = min(times), median(times)
        target = f"< {most:g} s" if most else None
        judged = verdict(middle < most) if most else None
        note = f"best of {len(times)}, median {middle:.3f} s"
        rows.append(Row(job, None, OURS, best * 1e6, target=target, verdict=judged, note=note))
        cells.append([job, f"{best:.3f}", f"{middle:.3f}", str(len(times)), target or "", judged or ""])
    header = ["what", "best, s", "median, s", "runs", "target", "verdict"]
    remark = (
        "In fresh processes; the verdict is on the median. 'import toposcope' loads no library, each "
        "part comes when it is first used: the second line holds numpy, numba and a call for 144 heads."
    )
    notes = ["With --quick nothing is compiled afresh."] if quick else []
    return [Section("Start: seconds", remark, header, cells, rows, notes)]


def in_fresh_process(code: str) -> float:
    """What the code prints, a number of seconds."""
    return float(subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE).stdout)


def compile_all() -> float:
    """Seconds from the command line until every kernel is compiled."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder}
        command = [sys.executable, "-m", "toposcope.kernels"]
        return seconds(lambda: subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment))
