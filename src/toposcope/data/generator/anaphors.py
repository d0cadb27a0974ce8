"""Anaphor agreement: a reflexive has the gender, number and person of what it refers to."""

from __future__ import annotations

from toposcope.data.generator.grammar import OTHER_GENDER, REFLEXIVES, NounPhrase, finite, sentence, words
from toposcope.data.generator.paradigm import Phenomenon
from toposcope.data.generator.speaker import SEXES, Speaker

ANAPHORS = Phenomenon("anaphor_agreement", "morphology")
PERSONS = {
    "I": "myself", "we": "ourselves", "he": "himself", "she": "herself", "they": "themselves",
}  # fmt: skip


def one_or_many(speak: Speaker) -> tuple[NounPhrase, str, str]:
    """Somebody, or several, with the right reflexive and one of the wrong number."""
    gender = speak.gender()
    if speak.chance():
        subject = speak.woman_or_man(gender)
        return subject, subject.reflexive, "themselves"
    kind = SEXES[gender] if speak.chance() else "person"
    subject = speak.thing(kind, plural=True)
    return subject, subject.reflexive, REFLEXIVES[gender]


@ANAPHORS.paradigm("word", decisive=True)
def anaphor_gender(speak: Speaker) -> tuple[str, str]:
    """Anna blamed herself / himself."""
    gender = speak.gender()
    subject, verb = speak.woman_or_man(gender), speak.event("reflexive")
    tense = speak.tense(verb)
    start, end = words(subject, finite(verb, False, tense)), speak.setting(tense)
    good, bad = REFLEXIVES[gender], REFLEXIVES[OTHER_GENDER[gender]]
    return sentence(start, good, end), sentence(start, bad, end)


@ANAPHORS.paradigm("word", decisive=True)
def anaphor_number(speak: Speaker) -> tuple[str, str]:
    """The girls blamed themselves / herself."""
    subject, good, bad = one_or_many(speak)
    verb = speak.event("reflexive")
    tense = speak.tense(verb)
    start, end = words(subject, finite(verb, subject.plural, tense)), speak.setting(tense)
    return sentence(start, good, end), sentence(start, bad, end)


@ANAPHORS.paradigm("word", decisive=True)
def anaphor_person(speak: Speaker) -> tuple[str, str]:
    """We blamed ourselves / themselves."""
    subject, other = speak.draw(tuple(PERSONS)), speak.draw(tuple(PERSONS))
    verb = speak.event("reflexive")
    tense = speak.pick(("past", "past perfect", "will", "might", "should"))
    start, end = words(subject, finite(verb, True, tense)), speak.setting(tense)
    return sentence(start, PERSONS[subject], end), sentence(start, PERSONS[other], end)


@ANAPHORS.paradigm("word", decisive=True)
def anaphor_gender_receiver(speak: Speaker) -> tuple[str, str]:
    """Anna bought herself / himself a coat."""
    gender = speak.gender()
    subject, verb = speak.woman_or_man(gender), speak.verb("benefit")
    given = speak.thing(*verb.objects, plural=False, determiner="some" if "drink" in verb.objects else "a")
    tense = speak.tense(verb)
    start, end = words(subject, finite(verb, False, tense)), words(given, speak.setting(tense))
    good, bad = REFLEXIVES[gender], REFLEXIVES[OTHER_GENDER[gender]]
    return sentence(start, good, end), sentence(start, bad, end)


@ANAPHORS.paradigm("word", decisive=True)
def anaphor_number_oblique(speak: Speaker) -> tuple[str, str]:
    """The girls laughed at themselves / herself."""
    subject, good, bad = one_or_many(speak)
    base, preposition = speak.phrase("oblique").split()
    auxiliary = speak.pick(("should", "might", "could", "didn't", "will"))
    start = words(subject, auxiliary, base, preposition)
    end = speak.setting("past" if auxiliary == "didn't" else auxiliary)
    return sentence(start, good, end), sentence(start, bad, end)
