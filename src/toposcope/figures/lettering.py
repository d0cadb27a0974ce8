"""Texts of any script in pictures: with the fonts that are there, else by their numbers in Unicode.

matplotlib draws with the fonts of its settings (DejaVu Sans unless changed), which know no Chinese, for
example. What they lack is looked for among all other fonts that matplotlib finds on the machine.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

NO_LETTERS = re.compile(r"cm\w+10|STIX(NonUnicode|Size)|Last ?Resort|.*Color")  # symbols, or no outlines
USUAL_WEIGHT = 400


class Lettering(NamedTuple):
    """Texts as they can be drawn, and the families of fonts that this takes."""

    texts: list[str]
    family: list[str]


def lettering(texts: Sequence[str]) -> Lettering:
    """Texts without what matplotlib would read as markup or could not draw, and fonts for them.

    Characters that no font has are written as [U+6211], several in a row as [U+6211 662F].
    """
    import matplotlib

    lines = ["".join(_one_line(c) for c in text) for text in texts]
    own = matplotlib.rcParams["font.family"]
    more, missing = _other_families(frozenset("".join(lines)) - _drawn_by(own))
    return Lettering([_numbered(line, missing).replace("$", r"\$") for line in lines], [*own, *more])


def _one_line(c: str) -> str:
    return c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}"


def _numbered(line: str, missing: frozenset[str]) -> str:
    """The line with runs of missing characters written as numbers."""
    if not missing.intersection(line):
        return line
    runs = f"[{''.join(map(re.escape, sorted(missing)))}]+"
    return re.sub(runs, lambda run: f"[U+{' '.join(f'{ord(c):04X}' for c in run[0])}]", line)


def _drawn_by(families: Sequence[str]) -> frozenset[str]:
    """Characters that are in one of these families, as matplotlib will find them."""
    from matplotlib.font_manager import FontProperties, findfont

    paths = []
    for family in families:
        try:
            paths.append(findfont(FontProperties(family=family), fallback_to_default=False))
        except ValueError:  # not on this machine; matplotlib takes the next
            continue
    paths = paths or [findfont(FontProperties(family=list(families)))]
    return frozenset().union(*map(_characters, paths))


@lru_cache(64)
def _other_families(missing: frozenset[str]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Families that have some of the missing characters, those of Noto first, and what none has."""
    from matplotlib.font_manager import fontManager

    if not missing:
        return (), missing
    usual: dict[str, tuple[tuple[bool, float], str]] = {}
    for font in fontManager.ttflist:
        rank = (font.style != "normal", abs(float(font.weight) - USUAL_WEIGHT))
        if not NO_LETTERS.match(font.name) and (font.name not in usual or rank < usual[font.name][0]):
            usual[font.name] = rank, font.fname
    chosen: list[str] = []
    for family in sorted(usual, key=lambda name: (not name.startswith("Noto"), name)):
        if missing & _characters(usual[family][1]) and (found := missing & _drawn_by([family])):
            chosen.append(family)
            missing -= found
    return tuple(chosen), missing


@lru_cache(64)
def _characters(path: str) -> frozenset[str]:
    """The characters of a font; none if the file cannot be read."""
    from matplotlib.font_manager import get_font

    try:
        return frozenset(map(chr, get_font(path).get_charmap()))
    except (OSError, RuntimeError):
        return frozenset()
