"""Cutting sentences into folds, with equal shares of the labels, and no sentence in two of them."""

import numpy as np

from toposcope.data.sentences import ALONE, Sentences
from toposcope.errors import InputError
from toposcope.stats.folds import joined_groups, stratified_folds


def fold_numbers(sentences: Sentences, folds: int, seed: int = 0) -> np.ndarray:
    """A fold for each sentence; what would tell on each other stays together."""
    return stratified_folds(np.asarray(sentences.labels, int), groups_for(sentences, folds), folds, seed)


def groups_for(sentences: Sentences, folds: int) -> np.ndarray:
    """A group for each sentence, which stays in one fold; refused where these are too few for all folds.

    Together stay repeated sentences, and the two of a pair: with nearly the same words and opposite labels,
    one of them in another fold would teach the opposite of what is true.
    """
    _, same = np.unique([" ".join(text.split()) for text in sentences.texts], return_inverse=True)
    if sentences.pairs is not None:
        alone = sentences.pairs == ALONE
        own = sentences.pairs.max() + 1 + np.arange(len(same))
        same = joined_groups(same, np.where(alone, own, sentences.pairs))
    labels = np.asarray(sentences.labels, int)
    different = [len(np.unique(same[labels == kind])) for kind in (0, 1)]
    if min(different) < folds:
        raise InputError(
            f"{folds} folds need at least {folds} different sentences of each kind: there are "
            f"{different[1]} acceptable ones and {different[0]} others."
        )
    return same
