"""A speaker: a lexicon and dice. Draws words and builds phrases that make sense.

Only ``Random.random`` is used, the one method whose sequence Python promises for all versions, and no set
is ever walked through: the same seed gives the same words everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from toposcope.data.generator.grammar import EVENT_TENSES, MODALS, STATE_TENSES, NounPhrase, words
from toposcope.data.generator.lexicon import Lexicon
from toposcope.data.generator.nouns import PEOPLE, THINGS
from toposcope.data.generator.words import Noun, Verb

Word = TypeVar("Word")
GENDERS = {"woman": "f", "kinswoman": "f", "man": "m", "kinsman": "m"}
SINGULAR = ("the", "the", "the", "a", "a", "this", "that")
PLURAL = ("the", "the", "the", "some", "these", "those", "two", "several")
OWNED = frozenset((*THINGS, "animal"))
ROOMLESS = ("vehicle", "animal", "building")
KIN = {"f": "kinswoman", "m": "kinsman"}
SEXES = {"f": "woman", "m": "man"}


@dataclass(frozen=True)
class Deed:
    """What somebody does to something: a verb and its object."""

    verb: Verb
    object: NounPhrase


class Speaker:
    """Draws words of a lexicon, none twice in a sentence."""

    def __init__(self, lexicon: Lexicon, seed: str) -> None:
        """Begin with nothing said."""
        self.lexicon = lexicon
        self._random = Random(seed)
        self._said: set[object] = set()

    def begin(self) -> None:
        """Forget what was said: a new sentence."""
        self._said.clear()

    def chance(self, probability: float = 0.5) -> bool:
        """Heads or tails."""
        return self._random.random() < probability

    def pick(self, options: Sequence[Word]) -> Word:
        """Any of the options."""
        return options[int(self._random.random() * len(options))]

    def draw(self, options: Sequence[Word]) -> Word:
        """An option that was not drawn in this sentence before, as long as there is one."""
        option = self.pick(options)
        for _ in range(30):
            if option not in self._said:
                break
            option = self.pick(options)
        self._said.add(option)
        return option

    def phrase(self, use: str) -> str:
        """A fixed phrase: a place, a time, an adjective with an infinitive."""
        return self.draw(self.lexicon.phrases[use])

    def setting(self, tense: str, kind: str = "") -> str:
        """Where or when something happens, as the tense and what it happens to allow."""
        if tense == "past" and self.chance(0.75):
            return self.phrase("past")
        if tense == "present":
            return self.phrase("habit")
        if tense in MODALS and self.chance(0.6):
            return self.phrase("future")
        return self.place(kind)

    def place(self, kind: str) -> str:
        """Where such a thing may be: no bus stands in the kitchen."""
        return self.phrase("outdoors" if kind in ROOMLESS else "place")

    # Verbs

    def verb(self, frame: str, objects: str | None = None) -> Verb:
        """A verb of a frame, one that takes such objects."""
        found = self.lexicon.verbs[frame]
        return self.draw(found if objects is None else [v for v in found if objects in v.objects])

    def event(self, *frames: str) -> Verb:
        """A verb of one of the frames that is no state."""
        return self.draw([v for v in self.lexicon.verbs[self.pick(frames)] if not v.stative])

    def tense(self, verb: Verb, among: Sequence[str] = EVENT_TENSES) -> str:
        """A tense that suits the verb."""
        if verb.stative:
            return self.pick(STATE_TENSES)
        tense = self.pick(among)
        return tense if verb.progressive or "progressive" not in tense else "past"

    def deed(self, *frames: str) -> Deed:
        """A verb of one of the frames and an object that suits it; by default something done to a thing."""
        verb = self.event(*(frames or ("strict", "plain")))
        return Deed(verb, self.object(verb))

    def object(self, verb: Verb) -> NounPhrase:
        """An object that suits the verb."""
        return self.person() if verb.objects == PEOPLE else self.thing(*verb.objects)

    # Nouns

    def noun(self, *kinds: str, irregular: bool | None = None) -> Noun:
        """A noun of one of the kinds."""
        found = self.lexicon.nouns[kinds[0]] if len(kinds) == 1 else self._nouns(kinds)
        if irregular is not None:
            found = tuple(n for n in found if n.irregular == irregular)
        return self.draw(found)

    def _nouns(self, kinds: tuple[str, ...]) -> tuple[Noun, ...]:
        return tuple(n for kind in kinds for n in self.lexicon.nouns[kind])

    def the(self, noun: Noun) -> str:
        """What stands before a noun in the singular and in the plural: the, or the happy."""
        return words("the", self.adjective(noun.kind) if self.chance() else "")

    def adjective(self, kind: str) -> str:
        """An adjective that suits such a noun."""
        return self.draw([a for a in self.lexicon.adjectives if kind in a.kinds]).word

    def thing(self, *kinds: str, plural: bool | None = None, determiner: str = "") -> NounPhrase:
        """A determiner and a noun of one of the kinds."""
        noun = self.noun(*kinds)
        if not noun.plural:
            return NounPhrase(
                words(determiner or self.pick(("the", "the", "some")), noun.singular), kind=noun.kind
            )
        if plural is None:
            plural = self.chance(0.35)
        chosen = determiner or self.pick(PLURAL if plural else SINGULAR)
        if not determiner and noun.kind in OWNED and self.chance(0.15):
            chosen = self.pick(("my", "our", "your"))
        return NounPhrase(words(chosen, noun.form(plural)), plural, GENDERS.get(noun.kind, "n"), noun.kind)

    def person(self, plural: bool | None = None, names: bool = True) -> NounPhrase:
        """A person by name or by trade, or several."""
        if plural is None:
            plural = self.chance(0.35)
        if names and not plural and self.chance(0.55):
            return self.named()
        return self.thing(*PEOPLE, plural=plural)

    def named(self, gender: str = "") -> NounPhrase:
        """A person by name."""
        name = self.draw(self.lexicon.names[gender or self.gender()])
        return NounPhrase(name.word, gender=name.gender)

    def gender(self) -> str:
        """One of two."""
        return self.pick("fm")

    def woman_or_man(self, gender: str) -> NounPhrase:
        """One person whose gender is told by the words."""
        style = self.pick(("name", "name", "noun", "kin"))
        if style == "name":
            return self.named(gender)
        if style == "noun":
            return self.thing(SEXES[gender], plural=False, determiner=self.pick(("the", "this", "that")))
        owner = self.pick(("my", "your", "our")) if self.chance() else self.named().possessive
        return self.thing(KIN[gender], plural=False, determiner=owner)
