"""How a pair is scored, in one switch: which reading, and what a tie counts.

``strict`` is ours. ``published`` is the reading that gives the published numbers, ``paper`` follows the
paper's text, ``notebook`` the authors' released code; they differ in the bars of RTD (sum or mean), in how
sentences of unequal length are made equal, and in ties.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from toposcope.errors import InputError
from toposcope.pairs.readings import H0, Match, Reading
from toposcope.topology.graphs import Symmetry

Ties = Literal["half", "lose", "second"]
Rule = Literal[1, 2]

# What the first sentence gets, by rule and by the sign of the difference: -, 0, +. Rule 1 prefers the
# smaller score, rule 2 the larger.
CREDITS: dict[Ties, np.ndarray] = {
    "half": np.array([[1, 0.5, 0], [0, 0.5, 1]]),
    "lose": np.array([[1, 0, 0], [0, 0, 1]]),
    "second": np.array([[1, 0, 0], [0, 1, 1]]),  # rule 2 is the complement of rule 1
}


@dataclass(frozen=True)
class Profile:
    """A way of scoring. ``h0m`` and ``rtd`` are quantities; a match other than whole crops."""

    name: str
    h0m: str
    h0m_match: Match
    rtd: str
    rtd_match: Match
    ties: Ties
    encoder: Symmetry = "upper"
    causal: Symmetry = "upper"

    def reading(self, measure: str, causal: bool) -> Reading:
        """What is read for ``h0m``, ``h0s`` or ``rtd``."""
        symmetry = self.causal if causal else self.encoder
        if measure == "h0m":
            return Reading(self.h0m, symmetry, self.h0m_match)
        if measure in H0:
            return Reading(measure, symmetry, self.h0m_match)
        if measure == "rtd":
            return Reading(self.rtd, symmetry, self.rtd_match)
        raise InputError(f"measure {measure!r}: accepted are h0m, h0s and rtd.")


PROFILES = {
    "strict": Profile("strict", "h0m", "whole", "rtd", "align", "half", causal="max"),
    "published": Profile("published", "h0m", "tail", "rtd", "tail", "lose"),
    "paper": Profile("paper", "h0m", "whole", "rtd", "head", "lose"),
    "notebook": Profile("notebook", "h0m_bars", "tail", "rtd_mean", "tail", "second"),
}


def profile_named(name: str) -> Profile:
    """A profile, or an error that names them all."""
    if name not in PROFILES:
        raise InputError(f"profile {name!r}: accepted are {', '.join(PROFILES)}.")
    return PROFILES[name]


def credits_of(differences: np.ndarray, rule: Rule, ties: Ties) -> np.ndarray:
    """What the first sentence gets for each difference: 1, 0, or 1/2."""
    return CREDITS[ties][rule - 1][np.sign(differences).astype(int) + 1]
