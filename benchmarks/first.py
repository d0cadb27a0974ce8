"""The first sentence, cold: what a newcomer waits for; and the second one, warm.

Cold means a process of its own, from the start of Python to the answer, with everything on the disk
already: weights, compiled kernels, byte code. All tools take turns, so that a noisy moment hits all alike.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.jobs import OURS
from benchmarks.real import MODEL
from benchmarks.report import Row, Section, verdict
from benchmarks.timing import seconds

RUNS, QUICK_RUNS = 7, 2
SENTENCE = "Maryann should leaving."
OTHERS = (
    "What did Betsy paint a picture of?",
    "The cats sleeps on the sofa.",
    "There is snowing today.",
    "Who do you think that left?",
)
IMPORT_TORCH = "import torch"
PIPELINE = "transformers pipeline, fill-mask"
COLD_RATIO, PIPELINE_RATIO, GIGABYTES, WARM_MS = 0.8, 4.0, 0.7, 70.0

JUDGE = f"from toposcope.cli import app; app(['judge', {SENTENCE!r}], standalone_mode=False)"
PEERS = {
    IMPORT_TORCH: "import torch",
    PIPELINE: (
        "import sys; from transformers import pipeline; from transformers.utils import logging; "
        "logging.set_verbosity_error(); "
        "pipeline('fill-mask', sys.argv[1])('Maryann should [MASK].')"
    ),
}
MEMORY = "; from benchmarks.memory import peak; print(peak())"
WARM = f"""
import json, sys, time
import toposcope as ts
judge, taken = ts.Judge.load("english"), []
for text in {(SENTENCE, *OTHERS)!r}:
    start = time.perf_counter()
    judge(text)
    taken.append(time.perf_counter() - start)
print(json.dumps(taken))
"""


def run(quick: bool) -> Section:
    """One table."""
    from toposcope.weights.resolve import resolve

    runs, folder = QUICK_RUNS if quick else RUNS, str(resolve(MODEL).folder)
    codes = {OURS: JUDGE, **PEERS}
    taken: dict[str, list[float]] = {tool: [] for tool in codes}
    for turn in range(runs + 1):
        for tool, code in codes.items():
            print(f"first: {tool}, round {turn}", file=sys.stderr, flush=True)
            spent = seconds(lambda code=code: _output(code, folder))
            if turn:  # before that everything came from the disk
                taken[tool].append(spent)
    best = {tool: min(times) for tool, times in taken.items()}
    cold, against = best[OURS], best[IMPORT_TORCH]
    ratio, times = cold / against, best[PIPELINE] / cold
    memory = int(_output(JUDGE + MEMORY, folder).splitlines()[-1])
    warm = [second for _ in range(runs) for second in json.loads(_output(WARM, folder))[1:]]
    rows = [
        Row(
            "judge, cold", None, OURS, cold * 1e6, ratio, f"<= {COLD_RATIO}x", verdict(ratio <= COLD_RATIO)
        ),
        Row("import, cold", None, IMPORT_TORCH, against * 1e6, 1.0),
        Row(
            "a sentence, cold", None, PIPELINE, best[PIPELINE] * 1e6, times, f">= {PIPELINE_RATIO:g}x ours",
            verdict(times >= PIPELINE_RATIO),
        ),
        Row(
            "judge, next sentences, warm", None, OURS, median(warm) * 1e6, None, f"<= {WARM_MS:g} ms",
            verdict(median(warm) * 1e3 <= WARM_MS),
        ),
        Row(
            "judge, cold: memory", None, OURS, None, None, f"<= {GIGABYTES} GB",
            verdict(memory <= GIGABYTES * 1e9), note=f"{memory / 1e9:.3f} GB",
        ),
    ]  # fmt: skip
    cells = [
        ["judge, cold", OURS, _seconds(taken[OURS]), f"{ratio:.2f}x import torch", *_judged(rows[0])],
        ["import torch, cold", "torch", _seconds(taken[IMPORT_TORCH]), "", "", ""],
        ["a sentence, cold", PIPELINE, _seconds(taken[PIPELINE]), f"{times:.1f}x ours", *_judged(rows[2])],
        [
            "judge, next sentence, warm",
            OURS,
            f"{min(warm) * 1e3:.0f} / {median(warm) * 1e3:.0f} ms",
            "",
            *_judged(rows[3]),
        ],
        ["judge, cold: peak memory", OURS, f"{memory / 1e9:.2f} GB", "", *_judged(rows[4])],
    ]
    remark = (
        f"`toposcope judge {SENTENCE!r}` with {MODEL}, from the start of the process to its end, best and "
        f"median of {runs}; all tools in turn, on all cores. transformers answers another question, it has "
        "no judge: its pipeline fills a mask with the same weights."
    )
    header = ["what", "tool", "best / median", "ratio", "target", "verdict"]
    return Section("The first sentence", remark, header, cells, rows)


def _output(code: str, folder: str) -> str:
    """What a process of its own prints."""
    command = [sys.executable, "-c", code, folder]
    environment = os.environ | {"HF_HUB_OFFLINE": "1"}
    root = Path(__file__).parents[1]
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=root,
        env=environment,
    )  # fmt: skip
    return done.stdout


def _seconds(taken: Sequence[float]) -> str:
    return f"{min(taken):.2f} / {median(taken):.2f} s"


def _judged(row: Row) -> tuple[str, str]:
    return row.target or "", row.verdict or ""
