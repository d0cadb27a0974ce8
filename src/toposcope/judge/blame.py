"""Which words of a sentence are to blame, also where a judge says one number for all of them.

A judge that was tuned word by word tells how probably each word is wrong. With any other one it is found
by hiding: each word in turn is put behind the model's mask token (left out, in models without one), and
what counts is how much more probably the rest is acceptable. That finds a word that does not belong there,
or not in this form; it cannot find one that is missing.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toposcope.data.words import has_words

if TYPE_CHECKING:
    from toposcope.judge.judge import Judge
    from toposcope.judge.verdict import Verdict

WORD_BY_WORD, HIDING, LEAVING_OUT = "word by word", "by hiding it", "by leaving it out"
DOUBTFUL = 0.2  # probability of being wrong from which on a word is named
HELPED = 0.1  # rise of the probability from which on a word is named
MOST = 100  # words of a sentence: each takes a pass of the model over all of them
NAMED = 3


@dataclass(frozen=True)
class Blame:
    """The words to blame, the worst first, each with a number, and how they were ``found``.

    The number is how probably the word is wrong if a judge goes word by word, else how much the probability
    rises without it. ``remark`` tells why nobody is named, or that not everything was looked at.
    """

    words: tuple[tuple[str, float], ...]
    found: str
    remark: str = ""


def find_blame(judge: Judge, verdict: Verdict) -> Blame:
    """Who is to blame that a sentence is not acceptable."""
    if judge.reads_words:
        worst = _worst(words_to_blame(judge, verdict), DOUBTFUL)
        return Blame(
            worst, WORD_BY_WORD, "" if worst else "no word to blame: none is probably wrong by itself"
        )
    found, count = (HIDING if mask_of(judge) else LEAVING_OUT), len(word_spans(verdict.text))
    if count > MOST:
        return Blame((), found, f"words to blame are not looked for among {count}, {MOST} at most")
    if count < 2:
        return Blame((), found, "no word to blame: there is one only")
    worst = _worst(words_to_blame(judge, verdict), HELPED)
    hiding = found.removeprefix("by ").removesuffix(" it")
    nobody = f"no word to blame: {hiding} any one helps by less than {HELPED}"
    return Blame(worst, found, "" if worst else nobody)


def words_to_blame(judge: Judge, verdict: Verdict) -> list[tuple[str, float]]:
    """The words of a sentence and how much each is to blame; see ``Judge.blame``."""
    return list(verdict.words) if judge.reads_words else hidden_words(judge, verdict)


def hidden_words(judge: Judge, verdict: Verdict) -> list[tuple[str, float]]:
    """The words of a sentence, and by how much its probability rises when each is hidden."""
    text, mask = verdict.text, mask_of(judge)
    spans = word_spans(text)
    if len(spans) < 2:
        return []
    others = [
        text[:begin] + mask + text[end:] if mask else (text[:begin].rstrip() + text[end:]).strip()
        for begin, end in spans
    ]
    return [
        (text[begin:end], without.probability - verdict.probability)
        for (begin, end), without in zip(spans, judge.verdicts(others, progress=False), strict=True)
    ]


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where the words of a text begin and end: what stands between blanks, without punctuation around it.

    >>> ["(I don't.)"[a:b] for a, b in word_spans("(I don't.)")]
    ['I', "don't"]
    """
    spans = []
    for match in re.finditer(r"\S+", text):
        if has_words(match[0]):
            inner = [k for k, c in enumerate(match[0]) if unicodedata.category(c)[0] not in "PSC"]
            spans.append((match.start() + inner[0], match.start() + inner[-1] + 1))
    return spans


def mask_of(judge: Judge) -> str:
    """The token that hides a word from the model; empty in models without one."""
    scope = judge.scope
    return "" if scope.causal else scope.tokenizer.mask_token or ""


def _worst(blame: list[tuple[str, float]], least: float) -> tuple[tuple[str, float], ...]:
    return tuple(sorted((one for one in blame if one[1] >= least), key=lambda one: -one[1])[:NAMED])
