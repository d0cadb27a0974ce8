"""Text in, numbers out: H0M of all heads of bert-base-cased, against the ways of today.

The same weights, sentences and threads for everybody, in one run. Times are those of the wall, since
all may use all cores; loading is not counted.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from ripser import ripser

import toposcope as ts
from benchmarks import machine
from benchmarks.jobs import OURS
from benchmarks.real import MODEL, peer
from benchmarks.report import DISAGREES, Row, Section, number, verdict
from benchmarks.run_memory import memory_section
from benchmarks.timing import Watch

SENTENCES, QUICK_SENTENCES = 1_000, 60
PADDED_TO = 64
PADDED_BATCH = 32
CLOSE = 1e-4
LOOP_RATIO, PADDED_RATIO, MINICONS_RATIO, HALF_RATIO = 4, 5, 8, 1.7
TOPOLOGY_SHARE = 0.03
HALF_FLAGS = ("avx512_bf16", "amx_bf16", "bf16")


def run(quick: bool, pairs: list[tuple[str, str]], rounds: int = 2) -> Iterator[Section]:
    """Time, then memory."""
    count = QUICK_SENTENCES if quick else SENTENCES
    texts = [text for pair in pairs[: count // 2] for text in pair]
    torch.set_num_threads(machine.cores())
    scope = ts.load(MODEL)
    yield h0m_section(scope, texts, 1 if quick else rounds)
    yield half_section(scope, texts[: count // 5])
    yield memory_section(quick)


def h0m_section(scope: ts.Scope, texts: Sequence[str], rounds: int) -> Section:
    """All tools on all texts, in turns."""
    watch = Watch(ts.h0_mean)
    tools: dict[str, Callable[[], np.ndarray]] = {
        OURS: lambda: scope.measure(texts, watch),
        "plain loop": lambda: plain_loop(texts),
        f"padded to {PADDED_TO}": lambda: padded(texts),
    }
    for work in (partial(scope.measure, texts[:20], ts.h0_mean), lambda: plain_loop(texts[:5])):
        work()  # everybody is awake
    times, results, topology = {}, {}, 0.0
    for turn in range(rounds):
        for tool, work in tools.items():
            print(f"end to end: {tool}, round {turn + 1}", file=sys.stderr, flush=True)
            watch.seconds = 0
            taken, results[tool] = timed(work)
            if taken < times.get(tool, np.inf):
                times[tool] = taken
                topology = watch.seconds if tool == OURS else topology
    rows = [Row("H0M", None, OURS, times[OURS] / len(texts) * 1e6)]
    targets = {"plain loop": LOOP_RATIO, f"padded to {PADDED_TO}": PADDED_RATIO}
    for tool, least in targets.items():
        agrees = np.abs(results[tool] - results[OURS]).max() < CLOSE
        ratio = times[tool] / times[OURS]
        judged = verdict(ratio >= least) if agrees else DISAGREES
        rows.append(Row("H0M", None, tool, times[tool] / len(texts) * 1e6, ratio, f">= {least}x", judged))
    share = topology / times[OURS]
    rows.append(
        Row(
            "topology's share", None, OURS, topology / len(texts) * 1e6, share,
            f"<= {TOPOLOGY_SHARE:.0%}", verdict(share <= TOPOLOGY_SHARE),
        )
    )  # fmt: skip
    rows += language_model_rows(scope, texts, times[OURS])
    cells = [cells_of(row) for row in rows]
    lengths = [len(ids) for ids in scope.tokenizer(list(texts))["input_ids"]]
    remark = (
        f"H0M of all {scope.layers * scope.heads} heads of {scope.name} for {len(texts):,} sentences of "
        f"BLiMP ({np.mean(lengths):.1f} tokens on average), float32, {torch.get_num_threads()} threads. "
        "'Plain loop' is transformers with eager attention on one sentence after the other and ripser.py "
        f"on each head, 'padded' the same in batches of {PADDED_BATCH} filled up to {PADDED_TO} tokens and "
        "cut back. Ratios are to the first line; for the share of topology it is that share. minicons gets "
        "ready token numbers, since its own tokenising calls what transformers 5 no longer has."
    )
    header = ["what", "tool", "ms per sentence", "ratio", "target", "verdict"]
    return Section("End to end: text in, numbers out", remark, header, cells, rows)


def language_model_rows(scope: ts.Scope, texts: Sequence[str], ours: float) -> list[Row]:
    """Pseudo-log-likelihood by minicons and by us, against our one pass of H0M."""
    print("end to end: pseudo-log-likelihood", file=sys.stderr, flush=True)
    theirs, expected = timed(lambda: minicons_scores(texts))
    own, scores = timed(lambda: scope.score(texts).sum())
    agrees = np.abs(scores - expected).max() < CLOSE * 10
    ratio, name = theirs / ours, "pseudo-log-likelihood"
    each = 1e6 / len(texts)
    judged = verdict(ratio >= MINICONS_RATIO) if agrees else DISAGREES
    return [
        Row(name, None, "minicons", theirs * each, ratio, f">= {MINICONS_RATIO}x", judged),
        Row(name, None, OURS, own * each, own / ours),
    ]


def half_section(scope: ts.Scope, texts: Sequence[str]) -> Section:
    """bfloat16 against float32, and what it changes: which sentence of a pair a head prefers."""
    print("end to end: bfloat16", file=sys.stderr, flush=True)
    half = ts.load(MODEL, dtype="bfloat16")
    half.h0_mean(texts[:4])
    full_time, full = timed(lambda: scope.h0_mean(texts))
    half_time, rough = timed(lambda: half.h0_mean(texts))
    changed = np.mean(_votes(full) != _votes(rough))
    ratio, able = full_time / half_time, can_half()
    judged = verdict(ratio >= HALF_RATIO) if able else "not for this CPU"
    each = 1e6 / len(texts)
    rows = [
        Row("H0M", None, "float32", full_time * each),
        Row("H0M", None, "bfloat16", half_time * each, ratio, f">= {HALF_RATIO}x", judged),
    ]
    notes = [f"{changed:.2%} of the decisions (head x pair, which sentence has the smaller H0M) change."]
    if not able:
        notes.append("This CPU has no arithmetic for bfloat16 and imitates it, so the ratio says nothing.")
    remark = f"{len(texts)} sentences, in pairs. Speed-up over float32."
    header = ["what", "tool", "ms per sentence", "ratio", "target", "verdict"]
    return Section("bfloat16", remark, header, [cells_of(row) for row in rows], rows, notes)


def can_half() -> bool:
    """Whether the CPU multiplies bfloat16 by itself."""
    flags = machine.cpu_flags()
    return any(flag in flags for flag in HALF_FLAGS)


def plain_loop(texts: Sequence[str]) -> np.ndarray:
    """What people write today: one sentence at a time, one head at a time."""
    model, tokenizer = peer().engine.model.base_model, peer().tokenizer
    results = []
    with torch.no_grad():
        for text in texts:
            output = model(**tokenizer(text, return_tensors="pt"), output_attentions=True)
            results.append(_by_head(torch.cat(output.attentions).numpy()))
    return np.array(results)


def padded(texts: Sequence[str]) -> np.ndarray:
    """The way of the paper's authors: batches padded to one length, then cut back."""
    return np.array([_by_head(maps) for maps, _ in padded_maps(texts)])


def padded_maps(texts: Sequence[str]) -> Iterator[tuple[np.ndarray, list[str]]]:
    """Maps (layers, heads, n, n) and tokens of each text, run in batches padded to one length."""
    model, tokenizer = peer().engine.model.base_model, peer().tokenizer
    with torch.no_grad():
        for k in range(0, len(texts), PADDED_BATCH):
            batch = tokenizer(
                list(texts[k : k + PADDED_BATCH]),
                padding="max_length",
                max_length=PADDED_TO,
                return_tensors="pt",
            )
            maps = torch.stack(model(**batch, output_attentions=True).attentions, 1).numpy()
            for one, ids, mask in zip(maps, batch["input_ids"], batch["attention_mask"], strict=True):
                n = int(mask.sum())
                yield one[:, :, :n, :n], tokenizer.convert_ids_to_tokens(ids[:n])


def _by_head(maps: np.ndarray) -> list[list[float]]:
    """H0M of maps (layers, heads, n, n) by ripser.py."""
    return [[_ripser_h0m(head) for head in layer] for layer in maps]


def _ripser_h0m(attention: np.ndarray) -> float:
    distances = 1 - np.maximum(attention, attention.T)
    np.fill_diagonal(distances, 0)
    deaths = ripser(distances, maxdim=0, distance_matrix=True)["dgms"][0][:, 1]
    return float(deaths[np.isfinite(deaths)].sum() / (len(attention) - 1))  # it leaves out bars of length 0


def minicons_scores(texts: Sequence[str], batch: int = 10) -> np.ndarray:
    """Pseudo-log-likelihoods by minicons, sentences of like length together."""
    from minicons.scorer import MaskedLMScorer

    tokenizer = peer().tokenizer
    scorer = MaskedLMScorer(peer().engine.model, tokenizer=tokenizer)
    order = sorted(range(len(texts)), key=lambda k: len(texts[k]))
    scores = np.empty(len(texts))
    for k in range(0, len(order), batch):
        part = order[k : k + batch]
        ready = tokenizer([texts[i] for i in part], padding=True, return_tensors="pt")
        scores[part] = scorer.sequence_score(ready, lambda x: x.sum(0).item())
    return scores


def _votes(values: np.ndarray) -> np.ndarray:
    return np.sign(values[0::2] - values[1::2])


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of the wall, and the result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def cells_of(row: Row) -> list[str]:
    """A row of the table."""
    if row.job.startswith("topology"):
        ratio = f"{row.ratio:.2%}"
    else:
        ratio = "" if row.ratio is None else f"{row.ratio:.1f}x"
    return [
        row.job, row.tool, number(row.microseconds / 1e3), ratio, row.target or "", row.verdict or ""
    ]  # fmt: skip
