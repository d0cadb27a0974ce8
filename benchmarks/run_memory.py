"""Peak memory of whole runs beyond the weights, each in a fresh process."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from benchmarks import machine
from benchmarks.jobs import OURS
from benchmarks.memory import peak
from benchmarks.real import MODEL
from benchmarks.report import Row, Section, number, verdict

GIGABYTE = 10**9
RUNS = {
    "10,000 sentences of 5 to 60 tokens": (10_000, 5, 60, 1.5),
    "one text of 512 tokens": (1, 512, 512, 0.5),
}
QUICK_COUNT = 200
WORDS = ("the", "old", "red", "house", "dog", "cat", "tree", "child", "sees", "likes", "on", "under", "and")


def memory_section(quick: bool) -> Section:
    """Gigabytes beyond what the process holds with the model loaded."""
    rows, cells = [], []
    for name, (count, _, _, most) in RUNS.items():
        print(f"end to end: memory, {name}", file=sys.stderr, flush=True)
        asked = min(count, QUICK_COUNT) if quick else count
        command = [sys.executable, "-m", "benchmarks.run_memory", name, str(asked)]
        root = Path(__file__).parents[1]
        done = subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE, text=True)
        used = json.loads(done.stdout) / GIGABYTE
        reached = verdict(used <= most)
        rows.append(Row(name, None, OURS, target=f"<= {most} GB", verdict=reached, note=f"{used:.3f} GB"))
        cells.append([name, number(used), f"<= {most}", reached])
    remark = f"H0M of all heads of {MODEL}, float32, default settings; above what the process holds before."
    notes = [f"With --quick {QUICK_COUNT} sentences."] if quick else []
    return Section("Memory of a run", remark, ["run", "GB", "target", "verdict"], cells, rows, notes)


def used_by(name: str, count: int) -> int:
    """Bytes: the peak after the run minus the peak before, with the model loaded and awake."""
    import torch

    import toposcope as ts

    torch.set_num_threads(machine.cores())
    _, low, high, _ = RUNS[name]
    scope = ts.load(MODEL)
    scope.h0_mean(["a dog", "the cat"])
    rng = np.random.default_rng(0)
    lengths = rng.integers(low, high + 1, count) - 2  # without [CLS] and [SEP]
    texts = [" ".join(rng.choice(WORDS, n)) for n in lengths]
    before = peak()
    scope.h0_mean(texts)
    return peak() - before


if __name__ == "__main__":
    print(json.dumps(used_by(sys.argv[1], int(sys.argv[2]))))
