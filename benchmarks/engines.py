"""The two engines beside each other: what differs between them, and how long each takes."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch

import toposcope as ts
from benchmarks import machine
from benchmarks.end_to_end import timed
from benchmarks.features import FOLDER, read_texts
from benchmarks.real import MODEL
from benchmarks.report import DISAGREES, Row, Section, verdict

SENTENCES, PAIRS, LIKELIHOODS = 1_043, 1_000, 200
QUICK = 40
CLOSE, CLOSE_LIKELIHOOD = 2e-5, 1e-4
PIPELINE_TEXTS, BATCH, PIPELINE_RATIO = 250, 32, 1.1
DEV = ("in_domain_dev.tsv", "out_of_domain_dev.tsv")


def run(quick: bool, pairs: Sequence[tuple[str, str]]) -> Iterator[Section]:
    """Two tables."""
    torch.set_num_threads(machine.cores())
    engines = {kind: ts.load(MODEL, engine=kind, long="windows") for kind in ("light", "torch")}
    texts = read_texts(FOLDER)
    dev = texts[-(QUICK if quick else SENTENCES) :]
    yield sameness(engines, dev, pairs[: QUICK if quick else PAIRS], QUICK if quick else LIKELIHOODS)
    rng = np.random.default_rng(0)
    chosen = rng.permutation(len(texts))[: QUICK if quick else PIPELINE_TEXTS]
    yield against_pipeline(engines["light"], [texts[place] for place in chosen])


def sameness(
    engines: dict[str, ts.Scope], dev: Sequence[str], pairs: Sequence[tuple[str, str]], few: int
) -> Section:
    """Verdicts, votes, maps and likelihoods by both engines."""
    verdicts, votes, maps, scores, taken = {}, {}, {}, {}, {}
    good, bad = ([pair[side] for pair in pairs] for side in (0, 1))
    for kind, scope in engines.items():
        print(f"engines: {kind}", file=sys.stderr, flush=True)
        judge = ts.Judge.load("english").on(scope)
        judge(list(dev[:5]))  # awake
        taken[kind], verdicts[kind] = timed(lambda judge=judge: judge(list(dev)))
        votes[kind] = np.sign(scope.h0_mean(good) - scope.h0_mean(bad))
        maps[kind] = scope.attentions(list(dev[:few]))
        scores[kind] = scope.score(list(dev[:few])).sum()
    a, b = (verdicts[kind] for kind in engines)
    other_verdicts = sum(x.acceptable != y.acceptable for x, y in zip(a, b, strict=True))
    probability = max(abs(x.probability - y.probability) for x, y in zip(a, b, strict=True))
    other_votes = int((votes["light"] != votes["torch"]).sum())
    far = max(float(np.abs(x.array - y.array).max()) for x, y in zip(*maps.values(), strict=True))
    likelihood = float(np.abs(scores["light"] - scores["torch"]).max())
    found = [
        (f"verdicts of {len(dev):,} sentences", f"{other_verdicts} differ", "0", not other_verdicts),
        ("their probabilities", f"up to {probability:.1e} apart", "", None),
        (
            f"votes of all heads on {len(pairs):,} pairs",
            f"{other_votes} of {votes['light'].size:,} differ", "", None,
        ),
        (f"attention on {few} sentences", f"up to {far:.1e} apart", f"<= {CLOSE:g}", far <= CLOSE),
        (
            f"pseudo-log-likelihoods of {few} sentences", f"up to {likelihood:.1e} apart",
            f"<= {CLOSE_LIKELIHOOD:g}", likelihood <= CLOSE_LIKELIHOOD,
        ),
        ("seconds for the verdicts, light", f"{taken['light']:.1f}", "", None),
        ("seconds for the verdicts, torch", f"{taken['torch']:.1f}", "", None),
    ]  # fmt: skip
    cells, rows = [], []
    for what, said, target, reached in found:
        judged = "" if reached is None else verdict(reached) if reached else DISAGREES
        cells.append([what, said, target, judged])
        rows.append(
            Row(what, None, "light and torch", target=target or None, verdict=judged or None, note=said)
        )
    remark = (
        f"The English judge and {MODEL} in both engines: sentences of CoLA's dev parts, pairs of BLiMP. A "
        "vote is which sentence of a pair a head prefers by H0M; two numbers that are equal but for the "
        "last bits may tip it."
    )
    return Section("Two engines, one answer", remark, ["what", "found", "target", "verdict"], cells, rows)


def against_pipeline(scope: ts.Scope, texts: Sequence[str]) -> Section:
    """The English judge against a pipeline of transformers on sentences sorted by length."""
    from transformers import AutoModelForSequenceClassification, pipeline
    from transformers.utils import logging

    from toposcope.weights.resolve import resolve

    logging.set_verbosity_error()
    folder = resolve(MODEL).folder
    model = AutoModelForSequenceClassification.from_pretrained(folder, num_labels=2, local_files_only=True)
    peer = pipeline("text-classification", model, tokenizer=str(folder), device="cpu")
    judge = ts.Judge.load("english").on(scope)
    by_length = sorted(texts, key=len)
    times: dict[str, list[float]] = {"ours": [], "theirs": []}
    for turn in range(4):
        ours, _ = timed(lambda: judge(list(texts)))
        theirs, _ = timed(lambda: peer(by_length, batch_size=BATCH))
        if turn:
            times["ours"].append(ours)
            times["theirs"].append(theirs)
    ours, theirs = min(times["ours"]), min(times["theirs"])
    ratio = theirs / ours
    judged = verdict(ratio >= PIPELINE_RATIO)
    target = f">= {PIPELINE_RATIO}x"
    rows = [
        Row("judge", None, "toposcope", ours / len(texts) * 1e6),
        Row("classify", None, "transformers", theirs / len(texts) * 1e6, ratio, target, judged),
    ]
    cells = [
        ["toposcope judge", f"{ours:.2f}", "", "", ""],
        ["transformers pipeline", f"{theirs:.2f}", f"{ratio:.2f}x", target, judged],
    ]
    remark = (
        f"{len(texts)} sentences of CoLA drawn at random, after loading; best of three, in turn, "
        f"{torch.get_num_threads()} threads. The pipeline is text-classification with the same weights and "
        f"an untrained head, sentences sorted by length, in batches of {BATCH}; ours reads 19 columns of "
        "every head and the tuned model's word."
    )
    header = ["what", "s", "ratio", "target", "verdict"]
    return Section("Some hundred sentences against a pipeline", remark, header, cells, rows)


def ready(folder: Path = FOLDER) -> bool:
    """Whether the sentences are there."""
    return bool(read_texts(folder))
