"""The judges that ship: how long they take for a thousand sentences, and how long tuning one takes.

A whole tuning takes long, so some steps of it are timed, on sentences drawn from all lengths.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

import toposcope as ts
from benchmarks import machine
from benchmarks.end_to_end import timed
from benchmarks.jobs import OURS
from benchmarks.real import MODEL
from benchmarks.report import Row, Section, number, verdict
from toposcope.data.corpora import Corpus, read_corpus
from toposcope.judge.crossfit import CROSS_FOLDS
from toposcope.models.tuning.tune import tune
from toposcope.models.tuning.tuning import Tuning

FOLDER = Path(__file__).parents[2] / "shared" / "data"
CORPORA = {
    "english": "cola", "english-frozen": "cola", "italian": "itacola", "swedish": "dalaj",
    "swedish-words": "dalaj",
}  # fmt: skip
SENTENCES, QUICK_SENTENCES = 1_000, 40
STEPS, QUICK_STEPS = 40, 2
JUDGED_IN, TUNED_IN = 30, 40  # seconds, minutes
TUNINGS = {
    "query, key, value of 8 layers": Tuning(epochs=1),
    "all linear maps": Tuning(epochs=1, maps="all", layers=0),
}


def run(quick: bool, folder: Path = FOLDER) -> Iterator[Section]:
    """Two tables."""
    torch.set_num_threads(machine.cores())
    yield judging(QUICK_SENTENCES if quick else SENTENCES, folder)
    yield tuning(QUICK_STEPS if quick else STEPS, read_corpus("cola", folder))


def judging(count: int, folder: Path) -> Section:
    """Every judge on sentences of its own language, after loading."""
    rows, cells = [], []
    for name, corpus in CORPORA.items():
        print(f"judges: {name}", file=sys.stderr, flush=True)
        found = read_corpus(corpus, folder)
        texts = [*found.dev.texts, *found.test.texts][:count]
        judge = ts.Judge.load(name)
        judge(texts[:20])  # awake
        taken, _ = timed(lambda judge=judge, texts=texts: judge(texts))
        reached = verdict(taken <= JUDGED_IN)
        rows.append(Row(name, None, OURS, taken * 1e6, target=f"<= {JUDGED_IN} s", verdict=reached))
        tokens = judge.scope.token_counts(texts).mean()
        cells.append([name, corpus, number(tokens), number(taken), f"<= {JUDGED_IN} s", reached])
    remark = (
        f"{count:,} sentences of the dev and test parts, {torch.get_num_threads()} threads, after loading."
    )
    header = ["judge", "sentences of", "tokens a sentence", "s", "target", "verdict"]
    return Section(f"Judging {count:,} sentences", remark, header, cells, rows)


def tuning(steps: int, corpus: Corpus) -> Section:
    """Some steps of LoRA on CoLA, and what they make for a judge with cross-fitting."""
    scope = ts.load(MODEL, engine="torch", long="truncate")
    rows, cells = [], []
    for name, how in TUNINGS.items():
        print(f"judges: tuning, {name}", file=sys.stderr, flush=True)
        drawn = np.random.default_rng(0).permutation(len(corpus.train))[: steps * how.batch]
        part = corpus.train.take(drawn)
        taken, _ = timed(lambda how=how, part=part: tune(scope, part.texts, part.labels, how))
        # Each half is left out once, then everything is learned: as many sentences as two whole passes.
        passes = Tuning().epochs * CROSS_FOLDS
        all_steps = passes * len(corpus.train) / how.batch
        minutes = taken / steps * all_steps / 60
        reached = verdict(minutes <= TUNED_IN)
        rows.append(
            Row(name, None, OURS, taken / steps * 1e6, target=f"<= {TUNED_IN} min", verdict=reached)
        )
        cells.append([name, number(taken / steps), number(minutes), f"<= {TUNED_IN} min", reached])
    precision = Tuning().settled(scope.device).precision
    remark = (
        f"LoRA beside some linear maps of {MODEL}, {torch.get_num_threads()} threads, {precision}. Timed "
        f"were {steps} steps of 32 sentences of CoLA; 'a judge' is what they make for {Tuning().epochs} "
        f"epochs with {CROSS_FOLDS}-fold cross-fitting, without pretraining or looking at sentences."
    )
    header = ["what is tuned", "s per step", "a judge, min", "target", "verdict"]
    return Section("Tuning a judge of CoLA", remark, header, cells, rows)
