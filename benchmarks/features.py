"""All features of all heads: text in, 57 columns a head out, against the way of the paper's authors.

Their way: batches padded to 64 tokens, then for every head networkx at six thresholds, ripser.py for the
bars, numpy for the patterns. It would take hours on the corpus, so both get the same sentences, drawn from
it at random. Ours also runs on the whole corpus, where batches of equal length are fuller. The fewer the
sentences, the emptier our batches: with 300 of them it was 43.6x and 48.7x, before there were 1,000.
"""

import sys
import time
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
from benchmarks.timing import Watch
from toposcope.topology.patterns import pattern_distances
from toposcope.topology.thresholds import STATISTICS, THRESHOLDS

FOLDER = Path(__file__).parents[2] / "shared" / "data" / "cola"
FILES = ("in_domain_train.tsv", "in_domain_dev.tsv", "out_of_domain_dev.tsv")
THEIRS, QUICK_THEIRS, QUICK_OURS = 1_000, 4, 200
RATIO, SHARE = 50, 0.15
CLOSE, STRAYS = 1e-4, 1e-5  # the last bits of a padded pass are others: a count may tip, one in 100,000
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
    drawn = np.sort(np.random.default_rng(0).permutation(len(every))[: QUICK_THEIRS if quick else THEIRS])
    some = [every[place] for place in drawn]
    watch = Watch(ts.FeatureSpec())
    scope.measure(some, watch)  # everybody is awake
    print("features: the authors' way", file=sys.stderr, flush=True)
    theirs, expected = their_way(some)
    print("features: ours, the same sentences", file=sys.stderr, flush=True)
    alone, _ = timed(lambda: scope.measure(some, watch))
    print("features: ours, the corpus", file=sys.stderr, flush=True)
    watch.seconds = 0
    whole, found = timed(lambda: scope.measure(every, watch))
    stray = np.abs(_comparable(found[drawn]) - expected) > CLOSE
    share = watch.seconds / (whole - watch.seconds)
    slow, error = theirs.mean(), theirs.std() / np.sqrt(len(theirs))
    ratio = slow * len(some) / alone
    judged = verdict(ratio >= RATIO) if stray.mean() <= STRAYS else DISAGREES
    rows = [
        Row("all features, drawn", None, OURS, alone / len(some) * 1e6),
        Row("all features, drawn", None, THEIR_WAY, slow * 1e6, ratio, f">= {RATIO}x", judged),
        Row("all features, the corpus", None, OURS, whole / len(every) * 1e6),
        Row(
            "topology over the forward pass", None, OURS, watch.seconds / len(every) * 1e6, share,
            f"<= {SHARE:.0%}", verdict(share <= SHARE),
        ),
    ]  # fmt: skip
    remark = (
        f"The paper's 57 columns of all {scope.layers * scope.heads} heads of {scope.name}, float32, "
        f"{torch.get_num_threads()} threads. 'The corpus' is CoLA, all {len(every):,} sentences. "
        f"'{THEIR_WAY}' is our re-implementation of the way of the authors: padded to {PADDED_TO} tokens "
        "and cut back, a multigraph "
        "of networkx for every threshold, ripser.py for the bars, numpy for the patterns, head by head; on "
        f"{len(some):,} sentences drawn from the corpus at random, the same for both. Their mean time is "
        f"that of the corpus within a standard error of {error * 1e3:.0f} ms; ours on the corpus, where "
        f"batches of equal length are fuller, makes {slow / (whole / len(every)):.1f}x. Of {stray.size:,} "
        f"numbers of these sentences {stray.sum()} differ: the last bits of a padded pass are others, and "
        "a count may tip. Topology is compared with the rest of the run over the corpus."
    )
    header = ["what", "tool", "ms per sentence", "ratio", "target", "verdict"]
    cells = [cells_of(row) for row in rows]
    yield Section("Features: text in, 57 columns a head out", remark, header, cells, rows)


def their_way(texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Seconds of each text; counts at thresholds, sum of H0 bars and number of H1 bars of every head.

    (texts,) and (texts, layers, heads, 38). The statistics of the bars and the patterns are computed too,
    as part of the work, but not compared. The first text of a batch pays for its forward pass.
    """
    seconds, results = [], []
    start = time.perf_counter()
    for maps, tokens in padded_maps(texts):
        heads = [_their_head(head, tokens) for layer in maps for head in layer]
        results.append(np.reshape(heads, (*maps.shape[:2], -1)))
        seconds.append(time.perf_counter() - start)
    return np.diff(seconds, prepend=0), np.array(results)


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
