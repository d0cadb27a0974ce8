"""What the page of table 1 says in words: every sentence is made from numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from toposcope.experiments.published import (
    ACCEPTABLE,
    BASELINE,
    SIZES,
    TABLE1,
    Impossible,
    impossible_cells,
)
from toposcope.experiments.results import EvidenceRow, Gain, Score, SettingResult
from toposcope.experiments.settings import Setting
from toposcope.report.comparisons import SURE, Corrected, corrected, standing, verdict
from toposcope.stats.estimate import Estimate

NAMES = {"cola": "CoLA", "itacola": "ItaCoLA", "dalaj": "DaLAJ"}
WORDS = {
    "length": "length alone",
    "pooler": "probe: pooler",
    "cls:12": "probe: [CLS], layer 12",
    "cls:10-12": "probe: [CLS], layers 10-12",
    "mean:1-12": "probe: mean states, all layers",
    "cls:10-12+mean:9-12": "probe: [CLS] 10-12 + mean 9-12",
    "cls:10-12+mean:1-12": "probe: [CLS] 10-12 + mean, all layers",
    "lm": "tuned LM itself",
    "h0m": "H0M",
    "h0m+sides": "H0M, three symmetries (3 a head)",
    "tda": "TDA (57 a head)",
    "topology": "TDA, ours (19 a head)",
    "topology+spectral": "TDA, ours + spectra (32 a head)",
    "tda+cls:10-12": "TDA + [CLS] 10-12",
    "topology+cls:10-12": "TDA, ours + [CLS] 10-12",
    "topology+cls:10-12+mean:9-12": "TDA, ours + [CLS] 10-12 + mean 9-12",
    "topology+cls:10-12+mean:1-12": "TDA, ours + [CLS] 10-12 + mean, all layers",
    "topology+spectral+cls:10-12+mean:1-12": "TDA, ours + spectra + [CLS] 10-12 + mean, all layers",
    "h0m+lm": "H0M + LM log-odds",
    "h0m+sides+lm": "H0M, three symmetries + LM log-odds",
    "tda+lm": "TDA + LM log-odds",
    "topology+lm": "TDA, ours + LM log-odds",
    "cls:10-12+mean:9-12+lm": "probe: [CLS] 10-12 + mean 9-12 + LM log-odds",
    "topology+cls:10-12+mean:9-12+lm": "TDA, ours + [CLS] 10-12 + mean 9-12 + LM log-odds",
}
FOLLOWS_CODE = (
    "the distance of a map to a pattern is divided by the root of the sum of the squared norms, not by the "
    "sum of the norms",
    "bars of dimension 1 have their standard deviation, not their variance",
    "in the barcodes a weight of 0.001 or less counts as none",
    "attention of a token to itself is an edge, and a cycle, of the threshold graphs",
    "no pattern is attention to [SEP]",
)
THEIRS = {BASELINE: ("pooler", "lm"), "H0M": ("h0m", "h0m"), "TDA": ("tda", "tda")}  # ours: frozen, tuned


class Claim(NamedTuple):
    """What a sentence tests: a row against the strongest baseline, on a set."""

    setting: str
    features: str
    set: str
    test: str = "bootstrap"


Claims = Mapping[Claim, Corrected]


def words_of(features: str) -> str:
    """What a row is called on the page."""
    return WORDS.get(features, features)


def sets_of(corpus: str) -> dict[str, str]:
    """What the two sets are called in a sentence."""
    if corpus == "cola":
        return {"dev": "in domain", "test": "out of domain"}
    return {"dev": "on dev", "test": "on test"}


def gain_of(row: EvidenceRow, on: str) -> Gain | None:
    """The difference of a row to the strongest baseline on a set."""
    return (row.dev if on == "dev" else row.test).gain


def claims_of(found: Iterable[SettingResult]) -> Claims:
    """All tests that the sentences of a page speak of, corrected for their number."""
    p_values: dict[Claim, float | None] = {}
    for result in found:
        for features in (result.best, result.alone):
            for on in ("dev", "test"):
                if gain := gain_of(result.row(features), on):
                    p_values[Claim(result.setting, features, on)] = gain.p
                    if features == result.best:
                        p_values[Claim(result.setting, features, on, "mcnemar")] = gain.mcnemar
    return corrected(p_values)


def how_many_claims(found: Iterable[SettingResult], claims: Claims) -> str:
    """How many p-values there are, and which of them are corrected for that, as a sentence."""
    rows = [row for result in found for row in result.rows]
    shown = sum(gain_of(row, on) is not None for row in rows for on in ("dev", "test"))
    return (
        f"The tables hold {shown:,} p-values as they are: where nothing differs, one in twenty of them is "
        f"below {SURE} all the same. The sentences under the tables make {len(claims):,} tests. Each "
        "p-value of these stands beside the one that is corrected for their number (Holm over the page), "
        f"and what is called surely better or surely worse has a corrected one below {SURE}. Of what was "
        "carried over as p < .001 only that bound is known, so its correction is a bound, too. McNemar's "
        "test counts, with the first seed, the sentences that only one of the two gets right."
    )


def what_topology_adds(found: SettingResult, claims: Claims) -> str:
    """What topology adds to the strongest baseline, what it takes away, and what it is by itself."""
    best = (
        "**What topology adds.** By cross-validation on train the strongest baseline is "
        f"*{words_of(found.baseline)}* and the strongest row with topology *{words_of(found.best)}*. The "
        f"difference of MCC is {_differences(found, found.best, claims)}."
    )
    if found.alone == found.best:
        return best
    return (
        f"{best} Topology by itself (*{words_of(found.alone)}*) differs from the baseline by "
        f"{_differences(found, found.alone, claims)}."
    )


def _differences(found: SettingResult, features: str, claims: Claims) -> str:
    """Differences to the baseline on both sets, and what is sure of them."""
    said, standings = [], {}
    for on, name in sets_of(found.setting.split("/")[1]).items():
        gain = gain_of(found.row(features), on)
        assert gain is not None
        p = claims[Claim(found.setting, features, on)]
        exact = claims.get(Claim(found.setting, features, on, "mcnemar"))
        said.append(f"{_signed(gain.score)} {name} (paired bootstrap {p}{exact_words(gain, exact)})")
        standings[name] = standing(gain.score.value, p)
    return f"{' and '.join(said)}: {verdict(standings)}"


def _signed(score: Score) -> str:
    return f"{score.estimate:+.3f}" if score.estimate else f"{score.value:+.3f}"


def exact_words(gain: Gain, p: Corrected | None) -> str:
    """McNemar's test and its direction, if there was one."""
    if p is None:
        return ""
    if gain.wins is None or gain.losses is None:
        return f"; McNemar {p}, which way was not kept"
    return f"; McNemar {which_way(gain.wins, gain.losses)}, {p}"


def which_way(wins: int, losses: int) -> str:
    """How many sentences only topology gets right, and only the baseline, and whom that is for."""
    side = "" if wins == losses else " for topology" if wins > losses else " for the baseline"
    return f"{wins} to {losses}{side}"


def beside_published(setting: Setting, found: SettingResult) -> str:
    """Ours and the published numbers on the test set, or out of domain: the one column to compare."""
    name = sets_of(setting.corpus)["test"]
    ours = {row.features: row for row in found.rows}
    cells = [
        (method, THEIRS[method][setting.tuned]) for method in TABLE1[setting.corpus, setting.published]
    ]
    said = [
        compared(words_of(features), ours[features].test.mcc, _published(setting, method))
        for method, features in cells
        if features in ours
    ]
    if not said:
        return ""
    model = (
        f" (there of {setting.published}, here of {setting.model})"
        if setting.published != "En-BERT"
        else ""
    )
    return f"**Beside the paper**, by MCC {name}{model}: {'; '.join(said)}."


def _published(setting: Setting, method: str) -> float | None:
    """A published MCC on the test set; none if it cannot be."""
    column = "tuned_test" if setting.tuned else "frozen_test"
    wrong = {(cell.corpus, cell.model, cell.method, cell.column) for cell in impossible_cells()}
    if (setting.corpus, setting.published, method, column) in wrong:
        return None
    return float(getattr(TABLE1[setting.corpus, setting.published][method], column).mcc)


def compared(words: str, ours: Score, published: float | None) -> str:
    """One of ours beside the published one: above or below it, or level as far as our interval goes."""
    if published is None:
        return f"{words} {ours.value:.3f}, not compared: the published cell cannot be"
    where = "" if ours.estimate is None else f", {placed(ours.estimate, published)}"
    return f"{words} {ours.value:.3f}, published {published:.3f} ({ours.value - published:+.3f}{where})"


def placed(ours: Estimate, published: float) -> str:
    """Where ours is, seen from a number of which no interval is known."""
    if published in ours:
        return "level: our interval holds it"
    return "higher" if ours.value > published else "lower"


def impossible(cells: Iterable[Impossible] | None = None) -> str:
    """Which published cells cannot be, as a sentence."""
    said = [
        f"{cell.model} + {cell.method} on {NAMES[cell.corpus]}, {cell.column.replace('_', ', ')} "
        f"(accuracy {cell.score.accuracy:.1f} and MCC {cell.score.mcc:.3f}; where "
        f"{100 * ACCEPTABLE[cell.corpus]:.0f} % are acceptable, that accuracy allows {cell.most:.3f} "
        "at most)"
        for cell in (impossible_cells() if cells is None else cells)
    ]
    cannot = f"Of the published cells {len(said)} cannot be right: {'; '.join(said)}."
    return f"{cannot} Nothing is compared with them."


def splits(sizes: Mapping[str, tuple[int, ...]]) -> str:
    """Which of our train, dev and test sets are those of the paper, a sentence for each corpus."""
    return " ".join(f"{NAMES[corpus]} {split_words(ours, SIZES[corpus])}" for corpus, ours in sizes.items())


def split_words(ours: tuple[int, ...], theirs: tuple[int, ...]) -> str:
    """How a corpus is cut here and in the paper."""
    if ours == theirs:
        return f"is cut as in the paper ({_sizes(ours)})."
    if (ours[0], sum(ours[1:])) == theirs[:2]:
        return (
            f"is cut as in the paper's table: the two sets ({_sizes(ours[1:])}) are the parts of the dev "
            f"set of {theirs[1]:,}; the labels of the test set of {theirs[2]:,} are not public."
        )
    return (
        f"is not cut as in the paper: {_sizes(theirs)} sentences there, {_sizes(ours)} here. The paper's "
        "split cannot be had, so its numbers and ours are of other sentences."
    )


def _sizes(sizes: Iterable[int]) -> str:
    return " / ".join(f"{size:,}" for size in sizes)


def follows_code() -> str:
    """In what the 57 columns of a head follow the authors' code, as a sentence."""
    return (
        f"The 57 columns of a head follow the authors' code, not the paper's text, in {len(FOLLOWS_CODE)} "
        f"details: {'; '.join(FOLLOWS_CODE)}. H0M follows the text: the mean over n - 1 edges, where the "
        "code divides by n."
    )
