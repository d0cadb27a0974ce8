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
