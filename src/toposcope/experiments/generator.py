"""Are our generated pairs any good? What a language model itself prefers in them, paradigm by paradigm."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from toposcope.data.generator.generate import PARADIGMS
from toposcope.data.minimal_pairs import Pairs
from toposcope.data.named import generated_pairs
from toposcope.experiments.lab import Lab
from toposcope.experiments.likelihoods import likelihood_differences
from toposcope.experiments.records import write_record
from toposcope.experiments.results import GeneratorResult, PreferredParadigm, PreferredPhenomenon, Score
from toposcope.experiments.settings import PAIR_MODELS
from toposcope.pairs.accuracy import pair_accuracy
from toposcope.pairs.choosers import weighed

JUDGED = 20  # generated pairs a paradigm that the language model looks at


def run_generator(lab: Lab, model: str = PAIR_MODELS[0], per_paradigm: int = JUDGED) -> GeneratorResult:
    """Ask the language model, and write the results beside the page."""
    pairs = generated_pairs(per_paradigm)
    folder = lab.work / Path(model).name / f"generated-{len(pairs)}"
    differences = likelihood_differences(model, pairs, folder, lab)
    return write_record(lab.docs / "generator.json", generator_result(model, pairs, differences))


def generator_result(model: str, pairs: Pairs, differences: np.ndarray) -> GeneratorResult:
    """The accuracies of differences, good minus bad, with the first pair of each paradigm."""
    found = pair_accuracy(weighed(differences).credits, pairs)
    words = np.array([[len(text.split()) for text in side] for side in (pairs.good, pairs.bad)])
    first = {str(name): k for k, name in reversed(list(enumerate(pairs.paradigms)))}
    phenomena = Counter(paradigm.phenomenon for paradigm in PARADIGMS.values())
    return GeneratorResult(
        model,
        len(pairs),
        pairs.name,
        Score.of(found.overall),
        float(weighed(words[1] - words[0]).credits.mean()),
        tuple(
            PreferredPhenomenon(term, count, Score.of(found.phenomena[term]))
            for term, count in phenomena.items()
        ),
        tuple(
            PreferredParadigm(
                name, found.paradigms[name].value, pairs.good[first[name]], pairs.bad[first[name]],
                PARADIGMS[name].note or "",
            )
            for name in PARADIGMS
        ),
    )  # fmt: skip
