"""Cutting sentences into folds, with equal shares of the labels, and no sentence in two of them."""

from collections.abc import Sequence

import numpy as np
from sklearn.model_selection import StratifiedGroupKFold

from toposcope.errors import InputError


def fold_numbers(texts: Sequence[str], labels: np.ndarray, folds: int, seed: int = 0) -> np.ndarray:
    """A fold for each sentence. Repeated sentences stay together: else one fold would tell the other."""
    _, same = np.unique([" ".join(text.split()) for text in texts], return_inverse=True)
    labels = np.asarray(labels, int)
    different = [len(np.unique(same[labels == kind])) for kind in (0, 1)]
    if min(different) < folds:
        raise InputError(
            f"{folds} folds need at least {folds} different sentences of each kind: there are "
            f"{different[1]} acceptable ones and {different[0]} others."
        )
    splitter = StratifiedGroupKFold(folds, shuffle=True, random_state=seed)
    numbers = np.empty(len(texts), int)
    for number, (_, left_out) in enumerate(splitter.split(same, labels, same)):
        numbers[left_out] = number
    return numbers
