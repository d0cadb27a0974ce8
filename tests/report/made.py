"""Results made by hand, for the sentences that pages make of them."""

from toposcope.experiments.results import EvidenceRow, Gain, OnSet, Score, SettingResult


def on_set(mcc=0.5, gain=None):
    low_and_high = (mcc - 0.05, mcc + 0.05)
    return OnSet(Score(0.8, 0.75, 0.85), Score(mcc, *low_and_high), Score(mcc), None, gain)


def row(features, mcc=0.5, gains=(None, None)):
    return EvidenceRow(features, 0.4, *(on_set(mcc, gain) for gain in gains))


def gain(value, p=0.5, mcnemar=None, wins=None, losses=None):
    return Gain(Score(value, value - 0.02, value + 0.02), p, mcnemar, wins, losses)


def result(best, alone=None, setting="bert-base-cased/cola/frozen", baseline="pooler", mcc=0.5):
    """A section with a baseline and gains over it of "topology" and, if given, of "h0m", (dev, test)."""
    rows = [row(baseline, mcc), row("topology", mcc, best)]
    rows += [row("h0m", mcc, alone)] if alone else []
    return SettingResult(
        setting, (8551, 527, 516), (0, 0), (0,), (), tuple(rows),
        baseline, "topology", "h0m" if alone else "topology",
    )  # fmt: skip
