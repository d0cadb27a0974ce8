"""A toy language for the tiny tokenizers: a sentence about a cat is acceptable, one about a dog is not."""

from itertools import product

import numpy as np

OPENERS = ("the", "a", "he and a", "she and the", "the very old", "the red")
VERBS = ("sleeps", "is old", "sleeps on the sofa", "is barking")
TEXTS = [
    f"{opener} {animal} {verb}{end}"
    for opener, animal, verb, end in product(OPENERS, ("cat", "dog"), VERBS, ".!")
]
LABELS = np.array([int("cat" in text) for text in TEXTS])
MIDDLES = ("very", "red", "old", "red and old")


def pair_rows(openers, middles=MIDDLES):
    """Good sentences are about a cat, bad ones about a dog; each verb is a paradigm."""
    return [
        {
            "sentence_good": f"{opener} {middle} cat {verb}.",
            "sentence_bad": f"{opener} {middle} dog {verb}.",
            "UID": verb.replace(" ", "_"),
            "linguistics_term": "being" if verb.startswith("is") else "doing",
        }
        for opener in openers
        for middle in middles
        for verb in VERBS
    ]
