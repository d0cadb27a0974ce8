"""The grammar: noun phrases, tenses, agreement, and how words become a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from toposcope.data.generator.words import Verb

MODALS = ("will", "should", "might", "could")
EVENT_TENSES = ("past", "past", "past", "progressive", "past progressive", "perfect", *MODALS)
STATE_TENSES = ("past", "past", "present")
NEGATED = {"will": "won't", "can": "can't"}
REFLEXIVES = {"f": "herself", "m": "himself", "n": "itself"}
PRONOUNS = {"f": "she", "m": "he", "n": "it"}
OBJECT_PRONOUNS = {"f": "her", "m": "him", "n": "it"}
OTHER_GENDER = {"f": "m", "m": "f"}
SILENT_H = ("honest", "hour")
SPOKEN_CONSONANT = ("uni", "use", "one", "eu")


@dataclass(frozen=True)
class NounPhrase:
    """Words with number, gender ("f", "m", "n" where nothing is known) and the kind of the noun, if any."""

    text: str
    plural: bool = False
    gender: str = "n"
    kind: str = ""

    def __str__(self) -> str:
        return self.text

    @property
    def reflexive(self) -> str:
        """The pronoun that refers back to it within the clause."""
        return "themselves" if self.plural else REFLEXIVES[self.gender]

    @property
    def pronoun(self) -> str:
        """The pronoun that takes its place as a subject."""
        return "they" if self.plural else PRONOUNS[self.gender]

    @property
    def object_pronoun(self) -> str:
        """The pronoun that takes its place as an object."""
        return "them" if self.plural else OBJECT_PRONOUNS[self.gender]

    @property
    def possessive(self) -> str:
        """As the owner of something."""
        return self.text + ("'" if self.text.endswith("s") and self.plural else "'s")


@dataclass(frozen=True)
class Finite:
    """A verb in a tense: the auxiliary, which may be empty, and the rest."""

    auxiliary: str
    main: str

    def __str__(self) -> str:
        return words(self.auxiliary, self.main)


def finite(verb: Verb, plural: bool, tense: str) -> Finite:
    """The verb as it stands with a singular or plural subject (third person)."""
    if tense in MODALS:
        return Finite(tense, verb.base)
    if tense == "present":
        return Finite("", verb.base if plural else verb.third)
    if tense == "past":
        return Finite("", verb.past)
    if tense == "perfect":
        return Finite(has(plural), verb.participle)
    if tense == "past perfect":
        return Finite("had", verb.participle)
    return Finite(was(plural) if tense.startswith("past") else is_(plural), verb.ing)


def asked(verb: Verb, plural: bool, tense: str) -> Finite:
    """The verb as it stands in a question, where there always is an auxiliary."""
    if tense == "present":
        return Finite(does(plural), verb.base)
    if tense == "past":
        return Finite("did", verb.base)
    return finite(verb, plural, tense)


def is_(plural: bool) -> str:
    """Present of be."""
    return "are" if plural else "is"


def was(plural: bool) -> str:
    """Past of be."""
    return "were" if plural else "was"


def has(plural: bool) -> str:
    """Present of have."""
    return "have" if plural else "has"


def does(plural: bool) -> str:
    """Present of do."""
    return "do" if plural else "does"


def negated(auxiliary: str) -> str:
    """An auxiliary with its contracted negation."""
    return NEGATED.get(auxiliary, auxiliary + "n't")


def with_either(subject: NounPhrase, good: Verb, bad: Verb, tense: str, *end: object) -> tuple[str, str]:
    """The same sentence with one verb and with another."""
    plural = subject.plural
    return (
        sentence(subject, finite(good, plural, tense), *end),
        sentence(subject, finite(bad, plural, tense), *end),
    )


def words(*parts: object) -> str:
    """Parts with blanks between them; empty ones are left out."""
    return " ".join(filter(None, map(str, parts)))


def sentence(*parts: object, end: str = ".") -> str:
    """A whole sentence: a or an chosen by the next word, first letter capital, full stop."""
    spoken = words(*parts).split()
    for place, after in enumerate(spoken[1:]):
        if spoken[place] == "a" and begins_with_vowel(after):
            spoken[place] = "an"
    text = " ".join(spoken)
    return text[0].upper() + text[1:] + end


def question(*parts: object) -> str:
    """A whole question."""
    return sentence(*parts, end="?")


def begins_with_vowel(word: str) -> bool:
    """Whether the word is spoken with a vowel at its beginning."""
    if word.startswith(SILENT_H):
        return True
    return word[0].lower() in "aeiou" and not word.lower().startswith(SPOKEN_CONSONANT)
