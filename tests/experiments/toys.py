"""A toy corpus, toy settings and toy pairs; a place to run experiments on a tiny model."""

import json
from dataclasses import dataclass

import numpy as np

from tests.models.toy import LABELS, TEXTS
from toposcope.data.corpora import Corpus
from toposcope.data.minimal_pairs import Pairs
from toposcope.data.sentences import Sentences
from toposcope.experiments.lab import Lab
from toposcope.experiments.published_pairs import BLIMP_PHENOMENA
from toposcope.experiments.settings import Setting
from toposcope.judge.evidence import Evidence
from toposcope.judge.recipe import Recipe
from toposcope.models.tuning.tuning import Tuning

SUBJECTS = ("cat", "dog", "house", "sofa", "old cat", "red dog", "very old cat", "very red dog")
FILES = ("in_domain_train.tsv", "in_domain_dev.tsv", "out_of_domain_dev.tsv")


@dataclass(frozen=True)
class Small(Setting):
    """A setting whose rows a tiny model has."""

    rows = ("length", "cls:3", "h0m", "topology+cls:3")
    baselines = ("length", "cls:3")


@dataclass(frozen=True)
class SmallTuned(Setting):
    """The same, tuned."""

    rows = ("length", "lm", "h0m", "topology+lm")
    baselines = ("length", "lm")


SEEN = Recipe(Evidence.parse("tda+shape+cls:3+length", layers=3))
LORA = Recipe(Evidence.parse("tda+shape+lm+length", layers=3), Tuning("lora"))
FROZEN = Small("tiny", "cola", SEEN, (0, 1), "En-BERT")
TUNED = SmallTuned("tiny", "cola", LORA, (0,), "En-BERT")


def toy_corpus():
    order = np.random.default_rng(0).permutation(len(TEXTS))
    every = Sentences(tuple(TEXTS), LABELS, "toy").take(order)
    return Corpus("cola", every.take(range(60)), every.take(range(60, 78)), every.take(range(78, 96)))


def write_corpus(folder):
    """The toy corpus as the files of CoLA."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, part in zip(FILES, toy_corpus().splits, strict=True):
        rows = [f"x\t{y}\t\t{text}" for text, y in zip(part.texts, part.labels, strict=True)]
        (folder / name).write_text("\n".join(rows))
    return folder


def lab_in(folder, scope, tell=lambda _: None, data=None):
    """A lab with folders in one folder, in which every model is the tiny one."""
    return Lab(data or folder / "data", folder / "work", folder / "docs", tell, lambda name: scope)


def no_model(name):
    raise AssertionError(f"{name} is not needed")


class BrokenOff(BaseException):
    """Somebody pulled the plug."""


def broken_off_at(part):
    """What was told, and a function to tell: where a part begins, the work is broken off."""
    told = []

    def tell(message):
        told.append(message)
        if f": {part}, part " in message:
            raise BrokenOff

    return told, tell


def pairs_of(per_phenomenon, article="the"):
    """Pairs of all twelve phenomena, a paradigm each: the wrong number, now and then a word too much."""
    good, bad, terms = [], [], []
    for k in range(per_phenomenon):
        for j, term in enumerate(BLIMP_PHENOMENA):
            subject = f"{article} {SUBJECTS[(k + j) % len(SUBJECTS)]}"
            good.append(f"{subject} is red .")
            bad.append(f"{subject} are red is ." if k % 2 else f"{subject} are red .")
            terms.append(term)
    return Pairs(tuple(good), tuple(bad), np.array(terms), np.array(terms), f"toy, {article}")


def write_pairs(pairs, folder):
    """Pairs as files of the benchmark."""
    folder.mkdir(parents=True)
    for term in BLIMP_PHENOMENA:
        some = pairs.take(pairs.paradigms == term)
        rows = [
            {"sentence_good": good, "sentence_bad": bad, "UID": term, "linguistics_term": term}
            for good, bad in zip(some.good, some.bad, strict=True)
        ]
        (folder / f"{term}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
