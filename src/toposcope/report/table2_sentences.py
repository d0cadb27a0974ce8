"""What the page of table 2 says in words: every sentence is made from numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from toposcope.experiments.published_pairs import BLIMP_PHENOMENA, TABLE2, PairRow, follows, means_of
from toposcope.experiments.results import ModelResult, Way, WayResult
from toposcope.experiments.ways import ENSEMBLE, FEW, OURS, STATES, WITH_STATES
from toposcope.report.comparisons import CALLED, SURE, Corrected, corrected, standing
from toposcope.stats.estimate import Estimate

Claims = Mapping[tuple[str, Way, Way], Corrected]
PROFILES = {
    "strict": "sum of bars, alignment of unequal sentences, ties one half",
    "published": "sum, the last tokens of the longer sentence, H0M cropped too, ties lose: what gives the "
    "published cells",
    "paper": "sum, the first tokens of the longer sentence, ties lose",
    "notebook": "mean of bars, the last tokens, H0M cropped too, ties lose under rule 1 and win under 2",
}
SHARES = (90, 95)  # percent that a few heads are asked for


def claims_of(found: Iterable[ModelResult]) -> Claims:
    """All differences of a page of which a p-value is known, corrected for their number."""
    return corrected(
        {
            (model.model, one.ours, one.theirs): one.p
            for model in found
            for one in model.differences
            if one.p is not None
        }
    )


def profiles(found: Iterable[ModelResult]) -> str:
    """The profiles of which the page has rows, as a sentence."""
    there = {one.way.profile for model in found for one in model.ways}
    said = [f"`{name}` ({words})" for name, words in PROFILES.items() if name in there]
    return f"Profiles: {', '.join(said)}." if said else ""


def pairs_words(found: ModelResult) -> str:
    """How many pairs there are, and in how many of them length says nothing."""
    said = f"{found.pairs:,} pairs of {found.paradigms} paradigms"
    if found.equally_long is None:
        return f"{said}."
    share = found.equally_long / found.pairs
    return (
        f"{said}; in {found.equally_long:,} of them ({share:.0%}) both sentences have as many tokens, and "
        "*equally long* is the accuracy on these alone, the mean over their paradigms."
    )


def how_many_claims(found: Iterable[ModelResult], claims: Claims) -> str:
    """How many differences the page speaks of, and what is sure of them, as a sentence."""
    count = sum(len(model.differences) for model in found)
    if not count:
        return ""
    if len(claims) < count:
        return (
            f"The sentences under the tables speak of {count} differences. Each interval is right for one "
            "of them alone and not corrected for their number: where nothing differs, one in twenty "
            "leaves 0 out."
        )
    return (
        f"The sentences under the tables speak of {count} differences. Each interval is for one alone; "
        "the p-values (bootstrap over paradigms and pairs) are corrected for their number (Holm over the "
        f"page), and what is called surely better or surely worse has a corrected one below {SURE}."
    )


def says(found: ModelResult, claims: Claims) -> str:
    """In plain words: how the ensembles, the weighted heads and the strongest rival compare."""
    rows = {one.way: one for one in found.ways}
    said = ["**What it says.**"]
    for measure in ("h0m", "rtd") if found.main else ():
        ours, published = rows[Way(measure, "ensemble")], TABLE2[f"BERT-base, {measure.upper()}, ensemble"]
        said.append(ensemble_reaches(measure, _overall(ours), published.overall))
    said += [
        weighted_heads(rows[OURS]),
        differences(found, "", claims),
        on_a_new_phenomenon(rows[replace(OURS, left_out="phenomenon")]),
        differences(found, "phenomenon", claims),
        f"The published pseudo-log-likelihood of BERT-base, which needs no auxiliary pairs, is "
        f"{TABLE2['BERT-base, PLL'].overall:.1f}.",
    ]
    return " ".join([*said, *(main_only(rows) if found.main else ())])


def _overall(found: WayResult) -> float:
    return 100 * found.scores.overall.value


def ensemble_reaches(measure: str, ours: float, published: float) -> str:
    """An ensemble beside the published one."""
    apart = ours - published
    return f"The {measure.upper()} ensemble reaches {ours:.1f}, published {published:.1f} ({apart:+.1f})."


def weighted_heads(found: WayResult) -> str:
    """What weighted heads reach, and in how many phenomena people are behind."""
    human, reached = TABLE2["Human"].phenomena, found.scores.phenomena
    above = sum(100 * reached[term] > human[term] for term in BLIMP_PHENOMENA)
    return (
        f"Weighted heads (19 columns) reach {_overall(found):.1f}, above the human row in {above} of "
        f"{len(BLIMP_PHENOMENA)} phenomena."
    )


def on_a_new_phenomenon(found: WayResult) -> str:
    """The same where the phenomenon was left out of the auxiliary pairs."""
    return f"On a phenomenon that was left out of the auxiliary pairs they reach {_overall(found):.1f}."


def differences(found: ModelResult, left_out: str, claims: Claims) -> str:
    """Weighted heads against the RTD ensemble and against hidden states."""
    rivals = {
        "the RTD ensemble": ENSEMBLE,
        "the same regression on hidden states, without any topology,": Way(STATES, "weighted"),
    }
    by_rival = {one.theirs: one for one in found.differences if one.ours.left_out == left_out}
    said = []
    for words, rival in rivals.items():
        one = by_rival[replace(rival, left_out=left_out)]
        p = claims.get((found.model, one.ours, one.theirs))
        said.append(f"against {words} {points(one.difference, p)}")
    return f"That is {' and '.join(said)}."


def points(difference: Estimate, p: Corrected | None) -> str:
    """A difference in points, and if its p-value is known, whether it is sure."""
    said = f"{difference.percent:+.1f} points"
    return said if p is None else f"{said} ({p}: {CALLED[standing(difference.value, p)]})"


def main_only(rows: Mapping[Way, WayResult]) -> list[str]:
    """What only the main model was asked: our own pairs, fewer heads, calibration."""

    def reached(way: Way) -> float:
        return _overall(rows[way])

    both = replace(OURS, source="both", left_out="phenomenon")
    known, new = (rows[replace(OURS, left_out=left)].calibration_error for left in ("", "phenomenon"))
    assert known is not None
    assert new is not None
    return [
        own_pairs(
            reached(replace(OURS, source="generated")),
            reached(both),
            reached(replace(both, measure=WITH_STATES)),
        ),
        enough_heads({n: reached(replace(OURS, keep=n)) for n in FEW}),
        calibration(known, new),
    ]


def own_pairs(alone: float, both: float, with_states: float) -> str:
    """What pairs of our own generator are good for."""
    return (
        f"Chosen on pairs of our own generator alone they reach {alone:.1f}. With our own pairs added and "
        f"the phenomenon left out of all, they reach {both:.1f}, with hidden states beside them "
        f"{with_states:.1f}."
    )


def enough_heads(reached: Mapping[int, float], shares: Iterable[int] = SHARES) -> str:
    """How few heads reach so many percent."""
    most = max(reached)
    said = []
    for share in shares:
        enough = [n for n in sorted(reached) if reached[n] >= share]
        count = f"{enough[0]}" if enough else f"more than {most}"
        said.append(f"{count} {'head' if count == '1' else 'heads'} for {share}")
    return f"It takes {' and '.join(said)} percent."


def calibration(known: float, new: float) -> str:
    """How far confidence and accuracy are apart, on known and on new phenomena."""
    return (
        f"Their log-odds are off by {known:.3f} on average (confidence against accuracy), on a new "
        f"phenomenon by {new:.3f}."
    )


def do_not_follow(rows: Mapping[str, PairRow] = TABLE2) -> str:
    """Which published rows have an overall that their own cells do not give, as a sentence."""
    said = []
    for name, row in rows.items():
        if not follows(row):
            paradigms, phenomena = means_of(row)
            said.append(
                f"{name}: {row.overall:.1f}, where its cells give {paradigms:.1f} over paradigms and "
                f"{phenomena:.1f} over phenomena"
            )
    if not said:
        return "The overall of every published row is the mean over paradigms of its own cells."
    return (
        f"Published rows whose overall does not follow from their own cells ({len(said)} of {len(rows)}): "
        f"{'; '.join(said)}. That of the others is the mean over paradigms."
    )
