"""Results of the experiments as values: what lies as JSON beside the pages, and all that pages know.

Of results that were carried over from a page only what was printed there is known; the rest is None.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from toposcope.stats.estimate import Estimate

NOT_KEPT = "not kept"


@dataclass(frozen=True)
class Score:
    """A number, its 95 % interval, and where it is a mean over seeds or draws, their standard deviation."""

    value: float
    low: float | None = None
    high: float | None = None
    spread: float | None = None

    @classmethod
    def of(cls, estimate: Estimate, spread: float | None = None) -> Score:
        """From an estimate."""
        return cls(estimate.value, estimate.low, estimate.high, spread)

    @property
    def estimate(self) -> Estimate | None:
        """With its interval, if that is known."""
        return None if self.low is None or self.high is None else Estimate(self.value, self.low, self.high)


@dataclass(frozen=True)
class Gain:
    """Difference of MCC to the strongest baseline. ``p`` of a paired bootstrap, ``mcnemar`` of the first
    seed; a p that is None was printed as "< .001". ``wins`` and ``losses``: how many sentences only the
    row, and only the baseline, gets right with the first seed.
    """

    score: Score
    p: float | None = None
    mcnemar: float | None = None
    wins: int | None = None
    losses: int | None = None


@dataclass(frozen=True)
class OnSet:
    """A row of table 1 on one set, at the chosen threshold and at .5; ``gain`` is None for the baseline."""

    accuracy: Score
    mcc: Score
    half_mcc: Score
    half_accuracy: Score | None = None
    gain: Gain | None = None


@dataclass(frozen=True)
class EvidenceRow:
    """A row of table 1: a kind of evidence, what cross-validation on train says, and both sets."""

    features: str
    cv_mcc: float
    dev: OnSet
    test: OnSet
    cv_error: float | None = None


@dataclass(frozen=True)
class SettingResult:
    """A section of table 1. ``sizes`` of train, dev and test; ``shared``: how many of dev and test are in
    train.

    ``baseline``, ``best`` and ``alone`` are the rows that cross-validation on train likes best: without
    topology, with it, and of topology alone. ``outcomes`` is the file of what every row says of every
    sentence.
    """

    setting: str
    sizes: tuple[int, ...]
    shared: tuple[int, ...]
    seeds: tuple[int, ...]
    precisions: tuple[str, ...]
    rows: tuple[EvidenceRow, ...]
    baseline: str
    best: str
    alone: str
    outcomes: str = NOT_KEPT

    def row(self, features: str) -> EvidenceRow:
        """The row of some evidence."""
        return next(row for row in self.rows if row.features == features)


@dataclass(frozen=True)
class Way:
    """A way of choosing heads. ``left_out`` is what the pairs they are chosen on lack, ``source`` where
    these come from; ``keep`` is the number of heads, ``layers`` that of the first layers, 0 is all.
    """

    measure: str
    method: str
    profile: str = "strict"
    left_out: str = ""
    source: str = "auxiliary"
    keep: int = 0
    layers: int = 0


@dataclass(frozen=True)
class PairScores:
    """Accuracy on pairs as shares: mean over paradigms, mean over phenomena, each phenomenon, ties.

    ``equal`` is the mean over paradigms of the pairs alone whose sentences have as many tokens.
    """

    pairs: int
    overall: Score
    mean_of_phenomena: Score
    phenomena: dict[str, float]
    ties: float
    equal: Score | None = None


@dataclass(frozen=True)
class WayResult:
    """What a way reaches, who was chosen, and how far the confidence of weighted heads is off."""

    way: Way
    scores: PairScores
    chosen: str = ""
    calibration_error: float | None = None


@dataclass(frozen=True)
class WayDifference:
    """Accuracy of one way minus that of another on the same pairs; ``p`` of the same bootstrap."""

    ours: Way
    theirs: Way
    difference: Estimate
    p: float | None = None


@dataclass(frozen=True)
class LikelihoodResult:
    """The language model's own choice, or that of heads beside it (``way``), or both together."""

    scores: PairScores
    way: Way | None = None
    together: bool = False


@dataclass(frozen=True)
class ModelResult:
    """A section of table 2. The published rows of heads stand beside the ``main`` model.

    ``equally_long`` is how many pairs have sentences of as many tokens.
    """

    model: str
    main: bool
    pairs: int
    paradigms: int
    left_out: str
    ways: tuple[WayResult, ...]
    differences: tuple[WayDifference, ...]
    likelihood: tuple[LikelihoodResult, ...] = ()
    equally_long: int | None = None


@dataclass(frozen=True)
class HeadCount:
    """MCC of a judge that looks at the best ``count`` heads of a ranking."""

    features: str
    ranking: str
    count: int
    dev: Score
    test: Score
    cv_mcc: float | None = None
    heads: tuple[str, ...] = ()


@dataclass(frozen=True)
class EnoughHeads:
    """How few heads, by ranking, have 95 % of the best cross-validated MCC of some features."""

    features: str
    best: float
    counts: dict[str, int]


@dataclass(frozen=True)
class HeadsResult:
    """MCC against the number of heads."""

    model: str
    points: tuple[HeadCount, ...]
    enough: tuple[EnoughHeads, ...]


@dataclass(frozen=True)
class AuxiliaryResult:
    """Accuracy in percent against the number of auxiliary pairs, by measure, overall and by phenomenon."""

    model: str
    pairs: int
    draws: int
    counts: tuple[int, ...]
    curves: dict[str, dict[str, tuple[Score, ...]]]


@dataclass(frozen=True)
class SmallJudge:
    """A judge from few sentences: the MCC that it announces, and what comes true on the others."""

    labels: str
    sentences: int
    draw: int
    announced: Estimate
    finds_something: bool
    came_true: float
    calibration_error: float | None = None


@dataclass(frozen=True)
class PreferredPhenomenon:
    """How often a language model prefers the good sentence in the pairs of a phenomenon."""

    name: str
    paradigms: int
    preferred: Score


@dataclass(frozen=True)
class PreferredParadigm:
    """The same of a paradigm, with its first pair, and why it stays if the model does not agree."""

    name: str
    preferred: float
    good: str = field(repr=False)
    bad: str = field(repr=False)
    note: str = field(default="", repr=False)


@dataclass(frozen=True)
class GeneratorResult:
    """What a language model prefers in generated pairs; ``shorter``: how often the shorter one is good."""

    model: str
    pairs: int
    name: str
    overall: Score
    shorter: float
    phenomena: tuple[PreferredPhenomenon, ...]
    paradigms: tuple[PreferredParadigm, ...]
