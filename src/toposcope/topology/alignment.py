"""Which token of one sentence corresponds to which of the other, for graphs with the same vertices."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from toposcope.errors import InputError


def align_tokens(
    a: Sequence[str], b: Sequence[str], method: Literal["align", "head", "tail"] = "align"
) -> tuple[np.ndarray, np.ndarray]:
    """Positions in a and in b, of equal number and ascending, that correspond to each other.

    Parameters
    ----------
    a, b : token sequences
    method : "align", "head" or "tail"
        ``align`` (ours): the tokens of a longest common subsequence, and between two of them the
        tokens that replace each other, paired in order. ``head`` and ``tail``: the first or the
        last min(len(a), len(b)) tokens of both, as in the paper's text and in its notebooks.

    Returns
    -------
    two integer arrays of equal length

    Notes
    -----
    ``align_tokens(b, a)`` is ``align_tokens(a, b)`` with the two results swapped.

    >>> a = ["Who", "has", "left", "?"]
    >>> [list(map(int, side)) for side in align_tokens(a, ["Who", "left", "?"])]
    [[0, 2, 3], [0, 1, 2]]
    """
    shorter = min(len(a), len(b))
    if method == "head":
        return np.arange(shorter), np.arange(shorter)
    if method == "tail":
        return np.arange(len(a) - shorter, len(a)), np.arange(len(b) - shorter, len(b))
    if method != "align":
        raise InputError(f"method={method!r}: accepted are 'align', 'head' and 'tail'.")
    first, second = (a, b) if list(a) <= list(b) else (b, a)  # one order, so that swapping swaps
    pairs = _best_pairs(first, second)
    left, right = (np.array(side, int) for side in (pairs[:, 0], pairs[:, 1]))
    return (left, right) if first is a else (right, left)


def _best_pairs(a: Sequence[str], b: Sequence[str]) -> np.ndarray:
    """Pairs (i, j), ascending, with the most equal tokens, and among those the most pairs.

    What both begin with is paired at once, and so is all the rest if one token replaces another. Otherwise
    ``score[i][j]`` is the best for a[i:] and b[j:]: a pair of equal tokens counts more than any number of
    pairs of different ones.
    """
    same = next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    if len(a) == len(b) and a[same + 1 :] == b[same + 1 :]:
        same = len(a)
    pairs = [(k, k) for k in range(same)]
    equal_counts = min(len(a), len(b)) + 1
    score = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in reversed(range(same, len(a))):
        row, below = score[i], score[i + 1]
        for j in reversed(range(same, len(b))):
            paired = below[j + 1] + (equal_counts if a[i] == b[j] else 1)
            row[j] = max(paired, below[j], row[j + 1])
    i = j = same
    while i < len(a) and j < len(b):
        if score[i][j] == score[i + 1][j + 1] + (equal_counts if a[i] == b[j] else 1):
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif score[i][j] == score[i + 1][j]:
            i += 1
        else:
            j += 1
    return np.array(pairs, int).reshape(-1, 2)
