"""Words and their forms: what is regular is computed, what is not stands in the lexicon."""

from __future__ import annotations

from dataclasses import dataclass

DOUBLING = frozenset(("admit", "drop", "forget", "hug", "knit", "let", "plan", "sip", "stop", "upset"))


MOMENTS = frozenset(("find", "discover", "see"))


@dataclass(frozen=True)
class Noun:
    """A noun; ``plural`` is empty where there is none (milk)."""

    singular: str
    plural: str
    kind: str

    @property
    def irregular(self) -> bool:
        """Whether the plural is not formed by the rule."""
        return bool(self.plural) and self.plural not in (add_s(self.singular), self.singular + "es")

    def form(self, plural: bool) -> str:
        """The word itself."""
        return self.plural if plural else self.singular


@dataclass(frozen=True)
class Verb:
    """A verb with the kinds of nouns it takes as an object; a ``stative`` one is no deed."""

    base: str
    third: str
    past: str
    participle: str
    ing: str
    objects: tuple[str, ...] = ()
    stative: bool = False

    @property
    def progressive(self) -> bool:
        """Whether it lasts, so that one can be in the middle of it."""
        return not self.stative and self.base not in MOMENTS

    @property
    def irregular(self) -> bool:
        """Whether past and participle are two different words (ate, eaten)."""
        return self.past != self.participle


@dataclass(frozen=True)
class Adjective:
    """An adjective and the kinds of nouns it goes with."""

    word: str
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class Name:
    """A first name; ``gender`` is "f" or "m"."""

    word: str
    gender: str


def noun(entry: str, kind: str) -> Noun:
    """Read "dog" or "mouse/mice"; nouns of the mass kinds have no plural."""
    singular, _, plural = entry.partition("/")
    if kind in ("mass_food", "drink"):
        return Noun(singular, "", kind)
    return Noun(singular, plural or add_s(singular), kind)


def verb(entry: str, objects: tuple[str, ...] = (), stative: bool = False) -> Verb:
    """Read "walk" or "eat/ate/eaten"."""
    base, *irregular = entry.split("/")
    past, participle = irregular or (add_ed(base), add_ed(base))
    return Verb(base, add_s(base), past, participle, add_ing(base), objects, stative)


def add_s(word: str) -> str:
    """Regular plural of a noun, regular third person of a verb."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def add_ed(base: str) -> str:
    """Regular past."""
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return base + (base[-1] if base in DOUBLING else "") + "ed"


def add_ing(base: str) -> str:
    """Present participle."""
    if base.endswith("e") and not base.endswith("ee"):
        return base[:-1] + "ing"
    return base + (base[-1] if base in DOUBLING else "") + "ing"
