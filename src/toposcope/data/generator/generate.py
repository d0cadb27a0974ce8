"""Minimal pairs by the thousand: seeded, without repetition, written in BLiMP's format."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from toposcope.data.generator.agreement import AGREEMENT
from toposcope.data.generator.anaphors import ANAPHORS
from toposcope.data.generator.arguments import ARGUMENTS
from toposcope.data.generator.binding import BINDING
from toposcope.data.generator.control import CONTROL
from toposcope.data.generator.determiners import DETERMINERS
from toposcope.data.generator.ellipsis import ELLIPSIS
from toposcope.data.generator.fillers import FILLERS
from toposcope.data.generator.irregulars import IRREGULARS
from toposcope.data.generator.islands import ISLANDS
from toposcope.data.generator.lexicon import lexicon
from toposcope.data.generator.paradigm import Pair, Paradigm
from toposcope.data.generator.polarity import POLARITY
from toposcope.data.generator.quantifiers import QUANTIFIERS
from toposcope.data.generator.speaker import Speaker
from toposcope.errors import InputError
from toposcope.files import whole

PHENOMENA = (
    ANAPHORS,
    ARGUMENTS,
    BINDING,
    CONTROL,
    DETERMINERS,
    ELLIPSIS,
    FILLERS,
    IRREGULARS,
    ISLANDS,
    POLARITY,
    QUANTIFIERS,
    AGREEMENT,
)
PARADIGMS: dict[str, Paradigm] = {p.name: p for phenomenon in PHENOMENA for p in phenomenon.paradigms}
SHORTEST, LONGEST = 5, 15
PATIENCE = 2_000


def generate_pairs(paradigm: str, count: int, seed: int = 0, split: str = "all") -> list[Pair]:
    """Different minimal pairs of one paradigm.

    Parameters
    ----------
    paradigm : str
        A name in ``PARADIGMS``.
    count : int
        How many; fewer pairs of the same seed are the first of more.
    seed : int
        The same seed gives the same pairs everywhere.
    split : "all", "train" or "test"
        The pairs of train and test share no noun, verb, adjective or name.
    """
    if paradigm not in PARADIGMS:
        raise InputError(f"paradigm {paradigm!r}: accepted are {', '.join(PARADIGMS)}.")
    if count < 0:
        raise InputError(f"count={count}: accepted are numbers from 0.")
    chosen = PARADIGMS[paradigm]
    speaker = Speaker(lexicon(split), f"{seed} {split} {paradigm}")
    seen: dict[tuple[str, str], None] = {}
    vain = 0
    while len(seen) < count:
        speaker.begin()
        pair = chosen.make(speaker)
        if pair in seen or not _fits(*pair):
            vain += 1
            if vain == PATIENCE:
                raise InputError(
                    f"{paradigm}: found {len(seen)} different pairs of the split {split!r}, not {count}."
                )
            continue
        seen[pair] = None
        vain = 0
    return [Pair(good, bad, chosen, number) for number, (good, bad) in enumerate(seen)]


def _fits(good: str, bad: str) -> bool:
    """Two different sentences, neither very short nor long, that do not stutter ("that that girl")."""
    return good != bad and _speakable(good) and _speakable(bad)


def _speakable(text: str) -> bool:
    spoken = text.lower().split()
    return SHORTEST <= len(spoken) <= LONGEST and all(word != after for word, after in pairwise(spoken))


def named(names: Sequence[str] | None) -> list[str]:
    """The paradigms of these names or of the phenomena of these names; all of them without names."""
    wanted = []
    for name in names or [phenomenon.name for phenomenon in PHENOMENA]:
        found = [p.name for p in PARADIGMS.values() if name in (p.name, p.phenomenon)]
        if not found:
            accepted = ", ".join(phenomenon.name for phenomenon in PHENOMENA)
            raise InputError(
                f"{name!r} is neither a phenomenon nor a paradigm: accepted are {accepted}, and "
                "the paradigms that `toposcope data list` shows."
            )
        wanted += found
    return list(dict.fromkeys(wanted))


def check_target(target: Path) -> None:
    """Refuse a name that ``write_pairs`` cannot write to."""
    if target.suffix not in ("", ".jsonl") and not target.is_dir():
        raise InputError(f"{target.name}: accepted are a folder or a name that ends in .jsonl.")
    if target.is_file() and not target.suffix:
        raise InputError(f"{target} is a file: accepted are a folder or a name that ends in .jsonl.")


def write_pairs(pairs: Sequence[Pair], target: Path) -> list[Path]:
    """Write pairs in BLiMP's format: all into a .jsonl file, or into a folder, one file a paradigm."""
    check_target(target)
    if target.suffix == ".jsonl" and not target.is_dir():
        _write(pairs, target)
        return [target]
    by_name: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_name.setdefault(pair.paradigm.name, []).append(pair)
    files = [target / f"{name}.jsonl" for name in by_name]
    for file, some in zip(files, by_name.values(), strict=True):
        _write(some, file)
    return files


def _write(pairs: Iterable[Pair], file: Path) -> None:
    with whole(file) as place:
        place.write_bytes("".join(map(line, pairs)).encode())


def line(pair: Pair) -> str:
    """A pair as a line of JSON."""
    return json.dumps(pair.row(), ensure_ascii=False) + "\n"
