"""Texts of equal length share a bucket and small buckets a pack, so nothing is ever padded.

How many at once is bounded twice: by memory, and by the number of tokens beyond which more at once are no
faster.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from toposcope.errors import InputError

TOKENS_AT_ONCE = 1024  # matrix products are as fast as they get from here on
UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 2**10, "mi": 2**20, "gi": 2**30}


@dataclass(frozen=True)
class Footprint:
    """What a model needs, in numbers of four bytes, while one text goes through one layer.

    Attention: the weights before and after the softmax, and a copy for the measure. States: the
    widest intermediate result and a handful of copies of the hidden state.
    """

    heads: int
    hidden: int
    widest: int

    def __call__(self, n: int) -> int:
        """Bytes for a text of n tokens."""
        attention = 4 * self.heads * n * n
        states = n * (8 * self.hidden + 3 * self.widest)
        return 4 * (attention + states)


def make_buckets(lengths: Sequence[int], bytes_of: Callable[[int], int], memory: int) -> list[list[int]]:
    """Cut texts into buckets of equal length, each within the memory; longest first.

    Returns the places of the texts of each bucket. A single text over the bound is an error: the
    model could not run it anyway.
    """
    by_length: dict[int, list[int]] = defaultdict(list)
    for place, n in enumerate(lengths):
        by_length[n].append(place)
    buckets = []
    for n in sorted(by_length, reverse=True):
        places = by_length[n]
        room = memory // bytes_of(n)
        if room == 0:
            raise InputError(
                f"A text of {n} tokens needs about {bytes_of(n) / 1e6:.0f} MB, allowed are "
                f"{memory / 1e6:.0f} MB. Load the model with more: load(..., memory='4GB')."
            )
        size = min(room, max(1, TOKENS_AT_ONCE // n))
        count = -(-len(places) // size)
        cuts = [len(places) * k // count for k in range(count + 1)]
        buckets += [places[a:b] for a, b in pairwise(cuts)]
    return buckets


def make_packs(
    buckets: Sequence[list[int]], lengths: Sequence[int], bytes_of: Callable[[int], int], memory: int
) -> list[list[list[int]]]:
    """Put buckets together that are small, in their order, within the memory.

    Linear maps do not care which text a token is from, so they run over all tokens of a pack at once.
    """
    packs: list[list[list[int]]] = []
    tokens = room = 0
    for places in buckets:
        n = lengths[places[0]]
        more, needed = n * len(places), bytes_of(n) * len(places)
        if not packs or tokens + more > TOKENS_AT_ONCE or needed > room:
            packs.append([])
            tokens, room = 0, memory
        packs[-1].append(places)
        tokens, room = tokens + more, room - needed
    return packs


def make_pair_buckets(
    lengths: Sequence[tuple[int, int]], bytes_of: Callable[[int], int], extra: int, memory: int
) -> list[list[int]]:
    """Cut pairs of texts into buckets with equal lengths on both sides; longest first.

    ``extra`` are the bytes that wait for the second text, by square of the length of the first.
    """
    by_lengths: dict[tuple[int, int], list[int]] = defaultdict(list)
    for place, both in enumerate(lengths):
        by_lengths[both].append(place)
    buckets = []
    for (n, m), places in sorted(by_lengths.items(), reverse=True):

        def bytes_of_pair(longer: int, waiting: int = extra * n * n) -> int:
            return bytes_of(longer) + waiting

        cuts = make_buckets([max(n, m)] * len(places), bytes_of_pair, memory)
        buckets += [[places[k] for k in cut] for cut in cuts]
    return buckets


def as_bytes(memory: int | str) -> int:
    """A number of bytes from 500_000_000, "500MB" or "1.5 GiB"."""
    if isinstance(memory, int):
        amount = memory
    else:
        match = re.fullmatch(r"\s*([\d.]+)\s*([kmg]i?)?b?\s*", memory.lower())
        amount = int(float(match[1]) * UNITS[match[2] or ""]) if match else 0
    if amount <= 0:
        raise InputError(f"memory={memory!r}: accepted are bytes, or a text such as '500MB' or '2GB'.")
    return amount
