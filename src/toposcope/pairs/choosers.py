"""Who prefers a sentence: a committee of heads that vote, a head for each phenomenon, or weighted heads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

from toposcope.errors import InputError
from toposcope.facts import LARGEST, Facts, checked_numbers
from toposcope.pairs.profile import CREDITS, Rule, Ties, credits_of
from toposcope.pairs.table import PairTable
from toposcope.topology.head import Head

CLIP = 6.0  # times the usual size of a difference; more says no more
DIGITS = 5  # of weights in a file


@dataclass(frozen=True)
class Voter:
    """A head and its rule: 1 prefers the sentence with the smaller score, 2 the one with the larger."""

    head: Head
    rule: Rule = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "head", Head(*self.head))

    def __str__(self) -> str:
        return str(self.head) + ("" if self.rule == 1 else " (larger)")

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        return {"layer": self.head.layer, "head": self.head.index, "rule": self.rule}

    @classmethod
    def of(cls, facts: Facts) -> Voter:
        """From JSON."""
        rule = facts.count("rule")
        if rule not in (1, 2):
            raise InputError(f"rule {rule}: accepted are 1 and 2.")
        return cls(Head(facts.count("layer"), facts.count("head")), 1 if rule == 1 else 2)


@dataclass(frozen=True, eq=False)
class Preference:
    """For each pair: what the good sentence gets (1, 0, 1/2), by how much, and whether nobody could tell.

    ``margins`` are positive for the good sentence: the share of votes above one half, twice, or log-odds.
    """

    credits: np.ndarray = field(repr=False)
    margins: np.ndarray = field(repr=False)
    ties: np.ndarray = field(repr=False)


def together(preferences: Sequence[Preference]) -> Preference:
    """Several opinions added up, each over its usual size on these pairs; no label is looked at."""
    sizes = [np.sqrt(np.mean(p.margins**2)) for p in preferences]
    margins = sum(p.margins / (size or 1.0) for p, size in zip(preferences, sizes, strict=True))
    return weighed(np.asarray(margins, np.float64))


def weighed(margins: np.ndarray) -> Preference:
    """A positive margin prefers the good sentence, none is a tie."""
    return Preference(0.5 * (margins > 0) + 0.5 * (margins >= 0), margins, margins == 0)


class Chooser(Protocol):
    """What all ways to choose have in common."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of the table that are looked at."""
        ...

    def heads(self) -> list[Head]:
        """Heads that are looked at."""
        ...

    def prefer(self, table: PairTable) -> Preference:
        """Choose in every pair."""
        ...

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        ...


@dataclass(frozen=True)
class Committee:
    """The sentence with more than half of the votes is preferred."""

    column: str
    voters: tuple[Voter, ...]
    ties: Ties = "half"

    @property
    def columns(self) -> tuple[str, ...]:
        """The one column."""
        return (self.column,)

    def heads(self) -> list[Head]:
        """Heads of the voters."""
        return [voter.head for voter in self.voters]

    def prefer(self, table: PairTable) -> Preference:
        """Count the votes."""
        votes = votes_of(table, self.column, self.voters, self.ties)
        share = votes.mean(1)
        credits = 0.5 * (share > 0.5) + 0.5 * (share >= 0.5)
        undecided = (table.column(self.column)[:, _places(table, self.heads())] == 0).all(1)
        return Preference(credits, (2 * votes - 1).mean(1), (share == 0.5) | undecided)

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "column": self.column,
            "ties": self.ties,
            "voters": [voter.facts() for voter in self.voters],
        }

    @classmethod
    def of(cls, facts: Facts) -> Committee:
        """From JSON."""
        voters = tuple(map(Voter.of, facts.parts("voters")))
        if not voters:
            raise InputError("a committee needs a voter.")
        return cls(facts.text("column"), voters, _ties(facts))


@dataclass(frozen=True)
class PhenomenonHeads:
    """Each phenomenon has a head of its own; others are judged by ``otherwise``."""

    column: str
    by_phenomenon: Mapping[str, Voter]
    otherwise: Voter
    ties: Ties = "half"

    @property
    def columns(self) -> tuple[str, ...]:
        """The one column."""
        return (self.column,)

    def heads(self) -> list[Head]:
        """Heads of all phenomena."""
        voters = (*self.by_phenomenon.values(), self.otherwise)
        return list(dict.fromkeys(voter.head for voter in voters))

    def prefer(self, table: PairTable) -> Preference:
        """Ask the head of the pair's phenomenon."""
        voters = [self.by_phenomenon.get(term, self.otherwise) for term in table.pairs.phenomena.tolist()]
        places = _places(table, [voter.head for voter in voters])
        differences = table.column(self.column)[np.arange(len(table)), places]
        rules = np.array([voter.rule for voter in voters], int)
        both = np.stack([credits_of(differences, rule, self.ties) for rule in (1, 2)])
        credits = both[rules - 1, np.arange(len(table))]
        return Preference(credits, 2 * credits - 1, differences == 0)

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        voters = {term: voter.facts() for term, voter in self.by_phenomenon.items()}
        return {
            "column": self.column,
            "ties": self.ties,
            "phenomena": voters,
            "otherwise": self.otherwise.facts(),
        }

    @classmethod
    def of(cls, facts: Facts) -> PhenomenonHeads:
        """From JSON."""
        phenomena = facts.part("phenomena")
        voters = {term: Voter.of(phenomena.part(term)) for term in phenomena.given}
        return cls(facts.text("column"), voters, Voter.of(facts.part("otherwise")), _ties(facts))


@dataclass(frozen=True, eq=False)
class WeightedHeads:
    """Differences over their usual size, times a weight each: the sum is the log-odds of the good one.

    ``scale`` and ``weights`` are (heads, columns). Without an intercept the answer turns around when the
    sentences do, and equal sentences tie.
    """

    columns: tuple[str, ...]
    places: tuple[Head, ...] = field(repr=False)
    scale: np.ndarray = field(repr=False)
    weights: np.ndarray = field(repr=False)
    strength: float = 0.0

    def heads(self) -> list[Head]:
        """All of them."""
        return list(self.places)

    def prefer(self, table: PairTable) -> Preference:
        """Add up."""
        return weighed(self.parts(table).sum((1, 2), dtype=np.float64))

    def parts(self, table: PairTable) -> np.ndarray:
        """What each head and column says in each pair, (pairs, heads, columns), in log-odds."""
        values = table.take_columns(self.columns)[:, _places(table, self.places)]
        return scaled(values, self.scale) * self.weights

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "columns": self.columns,
            "strength": self.strength,
            "heads": self.places,
            "scale": _rounded(self.scale).tolist(),
            "weights": _rounded(self.weights).tolist(),
        }

    @classmethod
    def of(cls, facts: Facts) -> WeightedHeads:
        """From JSON."""
        columns, places = facts.texts("columns"), tuple(Head(*place) for place in facts.places("heads"))
        scale, weights = (facts.array(name, (len(places), len(columns))) for name in ("scale", "weights"))
        checked_numbers(scale, "scale", least=1 / LARGEST)
        return cls(columns, places, scale, weights, facts.number("strength"))

    def rounded(self) -> WeightedHeads:
        """As it is read back from a file."""
        return WeightedHeads.of(Facts(self.facts()))


def _ties(facts: Facts) -> Ties:
    """What a tie counts, by a name that is known."""
    ties: Any = facts.text("ties")
    if ties not in CREDITS:
        raise InputError(f"ties={ties!r}: accepted are {', '.join(CREDITS)}.")
    return ties


def scaled(values: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Differences over their usual size, those far out pulled in."""
    return np.clip(values / scale, -CLIP, CLIP)


def votes_of(table: PairTable, column: str, voters: Sequence[Voter], ties: Ties) -> np.ndarray:
    """What each voter gives the good sentence, (pairs, voters)."""
    differences = table.column(column)[:, _places(table, [voter.head for voter in voters])]
    signs = np.sign(differences).astype(int)
    votes = [credits_of(signs[:, k], voter.rule, ties) for k, voter in enumerate(voters)]
    return np.stack(votes, axis=1)


def _places(table: PairTable, heads: Sequence[Head]) -> list[int]:
    where = {head: k for k, head in enumerate(table.heads)}
    missing = [head for head in heads if head not in where]
    if missing:
        raise InputError(f"the pairs were not read for head {missing[0]}.")
    return [where[head] for head in heads]


def _rounded(values: np.ndarray) -> np.ndarray:
    """To a few significant digits."""
    return np.array([float(f"{value:.{DIGITS}g}") for value in values.ravel()]).reshape(values.shape)


CHOOSERS: dict[Literal["votes", "phenomena", "weights"], Any] = {
    "votes": Committee, "phenomena": PhenomenonHeads, "weights": WeightedHeads,
}  # fmt: skip
