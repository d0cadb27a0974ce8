"""All features of all heads: text in, 57 columns a head out, against the way of the paper's authors.

Their way: batches padded to 64 tokens, then for every head networkx at six thresholds, ripser.py for the
bars, numpy for the patterns. It takes seconds a sentence, so it gets few sentences; ours runs on the
same ones, and on the whole corpus for the share of topology in the time.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from ripser import ripser

import toposcope as ts
from benchmarks import machine
from benchmarks.end_to_end import PADDED_TO, cells_of, padded_maps, timed
from benchmarks.jobs import OURS
from benchmarks.peers import networkx_counts
from benchmarks.real import MODEL
from benchmarks.report import DISAGREES, Row, Section, verdict
from benchmarks.texts import stretches
from benchmarks.timing import Watch
from toposcope.topology.patterns import pattern_distances
from toposcope.topology.thresholds import STATISTICS, THRESHOLDS

FOLDER = Path(__file__).parents[2] / "shared" / "data" / "cola"
FILES = ("in_domain_train.tsv", "in_domain_dev.tsv", "out_of_domain_dev.tsv")
THEIRS, QUICK_THEIRS, QUICK_OURS = 240, 4, 200
STRETCH = 60  # sentences of about equal length, so that batches are not nearly empty
RATIO, SHARE = 50, 0.15
CLOSE = 1e-4
THEIR_WAY = "networkx + ripser.py"


def read_texts(folder: Path) -> list[str]:
    """All sentences of CoLA, or none if it is not there."""
    files = [folder / name for name in FILES]
    if not all(file.is_file() for file in files):
        return []
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    return [line.split("\t")[3] for line in lines]


def run(quick: bool, texts: Sequence[str]) -> Iterator[Section]:
    """One table."""
    torch.set_num_threads(machine.cores())
    scope = ts.load(MODEL)
    every = list(texts[:QUICK_OURS]) if quick else list(texts)
    count = QUICK_THEIRS if quick else THEIRS
    few = [every[place] for place in stretches(scope.token_counts(every), count, min(count, STRETCH))]
    watch = Watch(ts.FeatureSpec())
    scope.measure(few, watch)  # everybody is awake
    print("features: the authors' way", file=sys.stderr, flush=True)
    theirs, expected = timed(lambda: their_way(scope, few))
    print("features: ours, the same sentences", file=sys.stderr, flush=True)
    ours, found = timed(lambda: scope.measure(few, watch))
    agrees = np.abs(_comparable(found) - expected).max() < CLOSE
    print("features: ours, the corpus", file=sys.stderr, flush=True)
    watch.seconds = 0
    whole, _ = timed(lambda: scope.measure(every, watch))
    share = watch.seconds / (whole - watch.seconds)
    ratio = theirs / ours
    judged = verdict(ratio >= RATIO) if agrees else DISAGREES
    rows = [
        Row("all features", None, OURS, ours / len(few) * 1e6),
        Row("all features", None, THEIR_WAY, theirs / len(few) * 1e6, ratio, f">= {RATIO}x", judged),
        Row("all features, the corpus", None, OURS, whole / len(every) * 1e6),
        Row(
            "topology over the forward pass", None, OURS, watch.seconds / len(every) * 1e6, share,
            f"<= {SHARE:.0%}", verdict(share <= SHARE),
        ),
    ]  # fmt: skip
    remark = (
        f"The paper's 57 columns of all {scope.layers * scope.heads} heads of {scope.name}, float32, "
        f"{torch.get_num_threads()} threads. '{THEIR_WAY}' is the way of the authors: padded to "
        f"{PADDED_TO} tokens and cut back, a multigraph of networkx for every threshold, ripser.py for "
        f"the bars, numpy for the patterns, head by head; on {len(few)} sentences of CoLA, ours on the "
        f"same ones: stretches of {STRETCH} out of the corpus sorted by length, shortest and longest "
        f"sentences among them. Batches are less full than in the corpus, so ours is slower there. 'The "
        f"corpus' is all {len(every):,} sentences; topology is compared with the rest of that run."
    )
    header = ["what", "tool", "ms per sentence", "ratio", "target", "verdict"]
    cells = [cells_of(row) for row in rows]
    yield Section("Features: text in, 57 columns a head out", remark, header, cells, rows)


def their_way(scope: ts.Scope, texts: Sequence[str]) -> np.ndarray:
    """Counts at thresholds, sum of H0 bars and number of H1 bars of every head: (texts, layers, heads, 38).

    The statistics of the bars and the patterns are computed too, as part of the work, but not compared.
    """
    results = []
    for maps, tokens in padded_maps(scope, texts):
        heads = [_their_head(head, tokens) for layer in maps for head in layer]
        results.append(np.reshape(heads, (*maps.shape[:2], -1)))
    return np.array(results)


def _their_head(attention: np.ndarray, tokens: Sequence[str]) -> np.ndarray:
    (counts,) = networkx_counts([attention])
    weights = np.where(attention > ts.FeatureSpec().floor, attention, 0)
    distances = 1 - np.maximum(weights, weights.T)
    np.fill_diagonal(distances, 0)
    h0, h1 = ripser(distances, maxdim=1, distance_matrix=True)["dgms"]
    for bars in (h0[:-1], h1):
        lengths = bars[:, 1] - bars[:, 0]
        _ = lengths.sum(), lengths.std() if len(lengths) else 0, (bars >= 0.5).sum(0), (bars <= 0.25).sum(0)
    pattern_distances(attention, tokens)
    deaths = h0[np.isfinite(h0[:, 1]), 1]
    return np.array([*counts.T.ravel(), deaths.sum(), len(h1)])


def _comparable(values: np.ndarray) -> np.ndarray:
    """Of our columns those that ``their_way`` returns."""
    columns = list(ts.FeatureSpec().columns)
    counts = len(STATISTICS) * len(THRESHOLDS)
    return values[..., [*range(counts), columns.index("h0_sum"), columns.index("h1_count")]]
