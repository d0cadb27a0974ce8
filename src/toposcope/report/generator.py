"""Are our generated pairs any good? What a language model itself prefers in them, paradigm by paradigm."""

from __future__ import annotations

import numpy as np

from toposcope.data.generator.generate import PARADIGMS
from toposcope.data.minimal_pairs import Pairs
from toposcope.pairs.accuracy import Accuracy, pair_accuracy

FIRM = 0.55  # a paradigm in which the model does worse than this needs a word of explanation
LENGTHS = (
    "The shorter sentence (in words, equal lengths half a point) is the good one in {:.1%} of the pairs."
)


def generator_page(pairs: Pairs, differences: np.ndarray, model: str) -> str:
    """The accuracies as Markdown, with the first pair of each paradigm; ``differences`` good minus bad."""
    right = 0.5 * (differences > 0) + 0.5 * (differences >= 0)
    found = pair_accuracy(right, pairs)
    words = np.array([[len(text.split()) for text in side] for side in (pairs.good, pairs.bad)])
    shorter = 0.5 * (words[0] < words[1]) + 0.5 * (words[0] <= words[1])
    text = [
        "# Generated minimal pairs under the eyes of a language model\n",
        f"`toposcope data generate pairs` makes pairs of {len(PARADIGMS)} paradigms. How often does "
        f"{model} itself, by (pseudo-)log-likelihood, prefer the good sentence? {len(pairs):,} pairs: "
        f"{pairs.name}. Percent, with 95 % intervals. Written by "
        "`toposcope reproduce generator`.\n",
        f"Overall, mean of paradigms: **{_percent(found, None)}**. {LENGTHS.format(shorter.mean())}\n",
        "| phenomenon | paradigms | preferred |",
        "|---|---|---|",
    ]
    terms = dict.fromkeys(p.phenomenon for p in PARADIGMS.values())
    for term in terms:
        number = sum(p.phenomenon == term for p in PARADIGMS.values())
        text.append(f"| {term.replace('_', ' ')} | {number} | {_percent(found, term)} |")
    text += [
        "",
        "## Paradigm by paradigm\n",
        f"Good and bad sentence of the first pair. Where the model prefers the good one in less than "
        f"{FIRM:.0%}, a note says why the paradigm stays.\n",
        "| paradigm | preferred | good | bad |",
        "|---|---|---|---|",
    ]
    first = {str(name): k for k, name in reversed(list(enumerate(pairs.paradigms)))}
    for name in PARADIGMS:
        k = first[name]
        text.append(
            f"| {name} | {100 * found.paradigms[name].value:.0f} | {pairs.good[k]} | {pairs.bad[k]} |"
        )
    weak = [name for name in PARADIGMS if found.paradigms[name].value < FIRM]
    text += ["", *(f"- `{name}`: {PARADIGMS[name].note or '(no note yet)'}" for name in weak)]
    return "\n".join(text).rstrip() + "\n"


def _percent(found: Accuracy, term: str | None) -> str:
    e = found.phenomena[term] if term else found.overall
    return f"{e.percent:.1f}"
