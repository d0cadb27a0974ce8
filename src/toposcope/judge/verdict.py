"""A verdict, and how evidence becomes one: a weighted sum, so that it can be told who spoke for what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from toposcope.errors import InputError
from toposcope.facts import Facts
from toposcope.features.column import Column
from toposcope.features.table import Table
from toposcope.judge.linear import Linear, standardised
from toposcope.judge.notebook import verdict_html
from toposcope.judge.read import WORDS, WRONG
from toposcope.stats.ridge import sigmoid

STATES = "hidden states"
OWNERS = {"cls": STATES, "mean": STATES, "pooler": STATES, "lm": "language model", "length": "length"}
TEXT, NOTES = "text", "notes"


@dataclass(frozen=True)
class Verdict:
    """What a judge says of one sentence: acceptable if the probability is at least ``threshold``.

    ``reasons`` tells who spoke for it (positive) and against it (negative), in log-odds: heads by
    name, hidden states, the tuned language model. They add up, with the bias, to the log-odds. ``notes``
    tells what to keep in mind: that the model does not know the words, or read the text through windows.
    ``words`` are those of the sentence, each with how probably it is wrong, if they were read.
    """

    text: str
    acceptable: bool
    probability: float
    threshold: float = field(repr=False)
    reasons: Mapping[str, float] = field(default_factory=dict, repr=False)
    notes: tuple[str, ...] = ()
    words: tuple[tuple[str, float], ...] = field(default=(), repr=False)

    def loudest(self, count: int = 5) -> list[tuple[str, float]]:
        """The reasons that weigh most."""
        return sorted(self.reasons.items(), key=lambda reason: -abs(reason[1]))[:count]

    def _repr_html_(self) -> str:
        return verdict_html(self)


def decide(table: Table, linear: Linear) -> list[Verdict]:
    """The verdicts of a linear judge on the rows of a table that carries their text and their notes."""
    carried = Facts({name: table.carried[name].tolist() for name in (TEXT, NOTES)})
    texts, notes = carried.texts(TEXT), [Facts({NOTES: row}).texts(NOTES) for row in carried[NOTES]]
    parts = standardised(table.values, linear.mean, linear.scale) * linear.weights
    log_odds = parts.sum(1, dtype=np.float64) + linear.bias
    if not np.isfinite(log_odds).all():
        text = texts[int(np.argmin(np.isfinite(log_odds)))]
        raise InputError(f"This judge finds no number for {text!r}.")
    probabilities = sigmoid(log_odds)
    reasons = {name: parts[:, where].sum(1) for name, where in table.columns.grouped(_speaker).items()}
    nothing = [()] * len(table)
    words, wrong = (table.carried.get(name, nothing) for name in (WORDS, WRONG))
    return [
        Verdict(
            text,
            bool(p >= linear.threshold),
            float(p),
            linear.threshold,
            {name: float(values[row]) for name, values in reasons.items()},
            notes[row],
            tuple((str(word), _share(p)) for word, p in zip(words[row], wrong[row], strict=True)),
        )
        for row, (text, p) in enumerate(zip(texts, probabilities, strict=True))
    ]


def _share(value: float) -> float:
    """A probability, refused if it is none."""
    if not 0 <= value <= 1:
        raise InputError(f"{value!r} is no probability of a word to be wrong.")
    return float(value)


def _speaker(column: Column) -> str:
    """Whose reason a column is: a head's, or that of what has none."""
    return str(column.head or OWNERS[column.family])
