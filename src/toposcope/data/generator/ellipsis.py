"""Ellipsis: what may be left unsaid."""

from __future__ import annotations

from toposcope.data.generator.grammar import (
    MODALS,
    NounPhrase,
    asked,
    does,
    finite,
    is_,
    negated,
    sentence,
    was,
    words,
)
from toposcope.data.generator.nouns import GOODS
from toposcope.data.generator.paradigm import Phenomenon
from toposcope.data.generator.speaker import Speaker
from toposcope.data.generator.words import Verb

ELLIPSIS = Phenomenon("ellipsis", "syntax")
POSSESSIVES = (("my", "mine"), ("your", "yours"), ("her", "hers"), ("our", "ours"), ("their", "theirs"))
TENSES = ("past", "past", "past perfect", *MODALS)


def countable_deed(speak: Speaker) -> Verb:
    """A verb of doing whose objects can be counted."""
    return speak.draw(
        [v for v in speak.lexicon.verbs["strict"] if not v.stative and "mass_food" not in v.objects
         and v.objects != ("building",)]
    )  # fmt: skip


def subjects(speak: Speaker) -> tuple[NounPhrase, NounPhrase]:
    """Two people or groups."""
    return speak.person(), speak.person()


@ELLIPSIS.paradigm("order")
def noun_after_number(speak: Speaker) -> tuple[str, str]:
    """Tom bought one red car and Anna bought two / Tom bought one car and Anna bought two red."""
    (one, other), verb = subjects(speak), countable_deed(speak)
    noun, tense = speak.noun(*verb.objects), speak.pick(TENSES)
    adjective = speak.adjective(noun.kind)
    first, second = (
        words(one, finite(verb, one.plural, tense)),
        words(other, finite(verb, other.plural, tense)),
    )
    number = speak.pick(("two", "three", "four", "many"))
    return (
        sentence(first, "one", adjective, noun.singular, "and", second, number),
        sentence(first, "one", noun.singular, "and", second, number, adjective),
    )


@ELLIPSIS.paradigm("length")
def noun_after_adjective(speak: Speaker) -> tuple[str, str]:
    """Tom bought a red car and Anna bought a new one / a new."""
    (one, other), verb = subjects(speak), countable_deed(speak)
    noun, tense = speak.noun(*verb.objects), speak.pick(TENSES)
    start = words(one, finite(verb, one.plural, tense), "a", speak.adjective(noun.kind), noun.singular)
    start = words(start, "and", other, finite(verb, other.plural, tense), "a", speak.adjective(noun.kind))
    return sentence(start, "one"), sentence(start)


@ELLIPSIS.paradigm("word")
def auxiliary_of_missing_verb(speak: Speaker) -> tuple[str, str]:
    """Anna is reading a book and Tom is / does too."""
    (one, other), deed = subjects(speak), speak.deed("plain", "optional", "strict")
    tense = speak.tense(deed.verb)
    start = words(one, finite(deed.verb, one.plural, tense), deed.object, "and", other)
    good = asked(deed.verb, other.plural, tense).auxiliary
    if tense == "progressive":
        bad = "do" if other.plural else "does"
    elif tense == "past progressive":
        bad = "have" if other.plural else "has"
    else:
        bad = (was if tense == "past" else is_)(other.plural)
    return sentence(start, good, "too"), sentence(start, bad, "too")


@ELLIPSIS.paradigm("length")
def infinitive_without_verb(speak: Speaker) -> tuple[str, str]:
    """Anna wanted to read the book, but Tom didn't want to / didn't want."""
    (one, other), deed, verb = subjects(speak), speak.deed(), speak.verb("wants_to")
    start = words(one, verb.past, "to", deed.verb.base, f"{deed.object}, but", other, "didn't", verb.base)
    return sentence(start, "to"), sentence(start)


@ELLIPSIS.paradigm("word")
def gap_only_in_coordination(speak: Speaker) -> tuple[str, str]:
    """Anna repaired the car and / because Tom the lamp."""
    (one, other), verb = subjects(speak), speak.event("strict", "plain", "optional", "social")
    tense = speak.pick(("past", "past", "past perfect"))
    start = words(one, finite(verb, one.plural, tense), speak.object(verb))
    end = words(other, speak.object(verb))
    return sentence(start, "and", end), sentence(start, speak.pick(("because", "when")), end)


@ELLIPSIS.paradigm("word", decisive=True)
def question_word_alone(speak: Speaker) -> tuple[str, str]:
    """Tom repaired something, but Anna doesn't know what / whether."""
    (one, other), verb = subjects(speak), speak.verb("needy")
    person = "person" in verb.objects
    tense = speak.pick(("past", "past", "perfect"))
    start = words(
        one, finite(verb, one.plural, tense), f"{'somebody' if person else 'something'}, but", other
    )
    unknown = words(speak.pick(("didn't", negated(does(other.plural)))), speak.verb("sluice").base)
    return sentence(start, unknown, "who" if person else "what"), sentence(start, unknown, "whether")


@ELLIPSIS.paradigm("word", decisive=True)
def owner_without_noun(speak: Speaker) -> tuple[str, str]:
    """My car is red and yours / your is new."""
    noun, plural = speak.noun(*GOODS), speak.chance(0.35)
    (mine, _), (your, yours) = speak.draw(POSSESSIVES), speak.draw(POSSESSIVES)
    be = speak.pick((is_, was))(plural)
    start = words(mine, noun.form(plural), be, speak.adjective(noun.kind), "and")
    end = words(be, speak.adjective(noun.kind))
    return sentence(start, yours, end), sentence(start, your, end)
