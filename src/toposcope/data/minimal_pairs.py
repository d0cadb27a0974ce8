"""Minimal pairs: an acceptable sentence and one that is not, as alike as can be, in BLiMP's layout."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from toposcope.data.rejects import Reject, Rejects, why_not
from toposcope.data.rows import SUFFIXES, column_name, open_rows, rows_of
from toposcope.data.sentences import Sentences, text_hashes
from toposcope.errors import InputError

GOOD_NAMES = ("sentence_good", "good")
BAD_NAMES = ("sentence_bad", "bad")
PARADIGM_NAMES = ("uid", "paradigm")
PHENOMENON_NAMES = ("linguistics_term", "phenomenon")
COUNTED_AS = {"s-selection": "argument_structure"}  # the paper's twelve phenomena are BLiMP's thirteen


@dataclass(frozen=True)
class PairColumns:
    """Names of the columns of a table of pairs; None takes the usual ones."""

    good: str | None = None
    bad: str | None = None
    paradigm: str | None = None
    phenomenon: str | None = None


@dataclass(frozen=True, eq=False)
class Pairs:
    """Sentences ``good`` and ``bad``, with the paradigm and the phenomenon of each pair.

    ``rejects`` are the pairs that were left out.
    """

    good: tuple[str, ...] = field(repr=False)
    bad: tuple[str, ...] = field(repr=False)
    paradigms: np.ndarray = field(repr=False)
    phenomena: np.ndarray = field(repr=False)
    name: str = ""
    rejects: tuple[Reject, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "paradigms", np.asarray(self.paradigms, str))
        object.__setattr__(self, "phenomena", np.asarray(self.phenomena, str))
        counts = {len(self.good), len(self.bad), len(self.paradigms), len(self.phenomena)}
        if len(counts) > 1:
            raise InputError(f"pairs of {sorted(counts)} sentences, paradigms and phenomena.")

    def __len__(self) -> int:
        return len(self.good)

    def __repr__(self) -> str:
        paradigms, phenomena = len(set(self.paradigms)), len(set(self.phenomena))
        return f"Pairs({self.name}: {len(self)} of {paradigms} paradigms, {phenomena} phenomena)"

    def take(self, places: Sequence[int] | np.ndarray) -> Pairs:
        """Those at some places, or where a mask is true."""
        chosen = np.arange(len(self))[np.asarray(places)]
        good, bad = (tuple(side[k] for k in chosen) for side in (self.good, self.bad))
        return Pairs(good, bad, self.paradigms[chosen], self.phenomena[chosen], self.name, self.rejects)

    def first(self, count: int) -> Pairs:
        """The first ``count`` pairs of each paradigm."""
        return self.take(places_in_group(self.paradigms) < count)

    @property
    def hashes(self) -> np.ndarray:
        """A number for each pair, to find it again without keeping it; blanks do not matter."""
        return text_hashes([f"{good}\t|\t{bad}" for good, bad in zip(self.good, self.bad, strict=True)])

    @property
    def fingerprint(self) -> str:
        """SHA-256 of all pairs, to say what something was chosen on."""
        digest = hashlib.sha256()
        for row in zip(self.paradigms, self.good, self.bad, strict=True):
            digest.update("\t".join(row).encode() + b"\n")
        return digest.hexdigest()

    def sentences(self) -> Sentences:
        """The sentences with labels, each once; one that is good here and bad there is left out.

        Bad ones that were made from the same good one are in one pair with it.
        """
        good = {text: number for number, text in enumerate(dict.fromkeys(self.good))}
        bad = {wrong: good[right] for right, wrong in reversed(list(zip(self.good, self.bad, strict=True)))}
        texts = [text for text in [*good, *dict.fromkeys(self.bad)] if not (text in good and text in bad)]
        labels = np.array([text in good for text in texts], int)
        pairs = np.array([good[text] if text in good else bad[text] for text in texts])
        return Sentences(tuple(texts), labels, self.name, pairs=pairs, rejects=self.rejects)

    def without(self, hashes: np.ndarray, reason: str) -> Pairs:
        """Without the pairs of these hashes, which become rejects."""
        known = np.isin(self.hashes, hashes)
        gone = [
            Reject(self.name, f"pair {k + 1}", reason, (self.good[k], self.bad[k]))
            for k in np.flatnonzero(known).tolist()
        ]
        left = self.take(~known)
        return Pairs(left.good, left.bad, left.paradigms, left.phenomena, self.name, (*self.rejects, *gone))


def joined_pairs(parts: Sequence[Pairs]) -> Pairs:
    """Several as one; what they rejected is told once."""
    return Pairs(
        sum((part.good for part in parts), ()),
        sum((part.bad for part in parts), ()),
        np.concatenate([part.paradigms for part in parts]),
        np.concatenate([part.phenomena for part in parts]),
        " + ".join(dict.fromkeys(part.name for part in parts)),
        tuple(dict.fromkeys(reject for part in parts for reject in part.rejects)),
    )


def places_in_group(groups: np.ndarray) -> np.ndarray:
    """How many of the same group stand before each place."""
    _, numbers = np.unique(groups, return_inverse=True)
    order = np.argsort(numbers, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(numbers))])
    places = np.empty(len(numbers), int)
    places[order] = np.arange(len(numbers)) - starts[numbers[order]]
    return places


def read_pairs(
    paths: str | Path | Iterable[str | Path], columns: PairColumns | None = None, *, strict: bool = False
) -> Pairs:
    """Minimal pairs of files, or of all files of folders.

    Parameters
    ----------
    paths : .jsonl, .tsv, .csv or .parquet files, or folders of such
    columns : PairColumns
        Names of the columns where they are not BLiMP's: sentence_good, sentence_bad, UID and
        linguistics_term. Without a paradigm the name of the file is taken, without a phenomenon the
        paradigm.
    strict : bool
        The first pair that cannot be used is an InputError.

    Returns
    -------
    Pairs
        Sentences without words, equal ones, and pairs that their paradigm has already become rejects.
    """
    given = [paths] if isinstance(paths, str | Path) else list(paths)
    files = [file for path in given for file in _files(Path(path))]
    rows: list[tuple[str, str, str, str]] = []
    rejects = Rejects(strict)
    seen: dict[tuple[str, str, str], str] = {}
    for file in files:
        for place, row in _pair_rows(file, columns or PairColumns(), rejects):
            good, bad, paradigm, _ = row
            why = _why_no_pair(good, bad) or _said_before(seen.get((good, bad, paradigm)))
            if why:
                rejects.add(file.name, place, why, good, bad)
            else:
                seen[good, bad, paradigm] = f"{file.name}, {place}"
                rows.append(row)
    if not rows:
        raise rejects.nothing_left(", ".join(map(str, given)), "pair")
    good, bad, paradigms, phenomena = zip(*rows, strict=True)
    name = ", ".join(Path(path).stem for path in given)
    return Pairs(good, bad, np.array(paradigms), np.array(phenomena), name, tuple(rejects.found))


def holds_pairs(path: Path) -> bool:
    """Whether a file has a column of good sentences, or a folder is given."""
    if path.is_dir():
        return True
    first = next((row for row in rows_of(path) if not row.fault), None)
    return first is not None and any(name.lower() in GOOD_NAMES for name in first.values)


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.iterdir() if file.suffix in SUFFIXES)
    if not found:
        raise InputError(f"{path} holds no files that end in {', '.join(SUFFIXES)}.")
    return found


def _pair_rows(
    file: Path, columns: PairColumns, rejects: Rejects
) -> Iterator[tuple[str, tuple[Any, Any, str, str]]]:
    header, rows = open_rows(file, rejects, "pair")
    good = column_name(header, columns.good, GOOD_NAMES, "good sentences", file.name)
    bad = column_name(header, columns.bad, BAD_NAMES, "bad sentences", file.name)
    paradigm = _if_there(header, columns.paradigm, PARADIGM_NAMES, "paradigms", file.name)
    phenomenon = _if_there(header, columns.phenomenon, PHENOMENON_NAMES, "phenomena", file.name)
    for place, row, _ in rows:
        uid = _value(row, paradigm, file.stem)
        term = _value(row, phenomenon, uid)
        yield place, (row.get(good), row.get(bad), uid, COUNTED_AS.get(term, term))


def _value(row: Mapping[str, Any], column: str | None, otherwise: str) -> str:
    """What stands in a column, if it is there and something does."""
    value = None if column is None else row.get(column)
    return otherwise if value is None else str(value)


def _if_there(
    header: Mapping[str, Any], asked: str | None, usual: tuple[str, ...], what: str, file: str
) -> str | None:
    """Name of a column that a table may lack."""
    there = asked is not None or any(name.lower() in usual for name in header)
    return column_name(header, asked, usual, what, file) if there else None


def _why_no_pair(good: Any, bad: Any) -> str:
    if why := why_not(good, "good sentence") or why_not(bad, "bad sentence"):
        return why
    if " ".join(good.split()) == " ".join(bad.split()):
        return "both sentences are the same"
    return ""


def _said_before(earlier: str | None) -> str:
    return f"the same pair stands in {earlier}" if earlier else ""
