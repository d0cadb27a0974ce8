"""Determiner-noun agreement: this car, these cars, many cars, much water."""

from __future__ import annotations

from toposcope.data.generator.grammar import finite, sentence, words
from toposcope.data.generator.nouns import GOODS, PEOPLE, THINGS
from toposcope.data.generator.paradigm import Phenomenon
from toposcope.data.generator.speaker import Speaker
from toposcope.data.generator.words import Noun, Verb

DETERMINERS = Phenomenon("determiner_noun_agreement", "morphology")
OTHER = {"this": "these", "these": "this", "that": "those", "those": "that"}
ONE = ("one", "each", "every", "another")
MANY = ("two", "many", "several", "both", "three")


def verb_with_noun(speak: Speaker, irregular: bool) -> tuple[Verb, Noun]:
    """A deed and what it is done to, which has a regular plural or an irregular one."""
    noun = speak.noun(*PEOPLE, "animal", *THINGS, "building", "food", irregular=irregular)
    frame = "social" if noun.kind in PEOPLE else speak.pick(("strict", "plain"))
    fitting = [v for v in speak.lexicon.verbs[frame] if noun.kind in v.objects and not v.stative]
    return speak.draw(fitting or [v for v in speak.lexicon.verbs["strict"] if noun.kind in v.objects]), noun


def demonstrative(speak: Speaker, irregular: bool, adjective: bool, vary_noun: bool) -> tuple[str, str]:
    """Somebody does something to this or these; the noun or the determiner goes wrong."""
    subject, (verb, noun) = speak.person(), verb_with_noun(speak, irregular)
    plural = speak.chance()
    determiner = speak.pick(("these", "those") if plural else ("this", "that"))
    tense = speak.tense(verb)
    start = words(subject, finite(verb, subject.plural, tense))
    between = speak.adjective(noun.kind) if adjective else ""
    end = "" if adjective else speak.setting(tense, noun.kind)
    good = sentence(start, determiner, between, noun.form(plural), end)
    if vary_noun:
        return good, sentence(start, determiner, between, noun.form(not plural), end)
    return good, sentence(start, OTHER[determiner], between, noun.form(plural), end)


@DETERMINERS.paradigm("form", decisive=True)
def noun_after_demonstrative(speak: Speaker) -> tuple[str, str]:
    """Anna repaired this car / cars."""
    return demonstrative(speak, irregular=False, adjective=False, vary_noun=True)


@DETERMINERS.paradigm("form")
def demonstrative_before_noun(speak: Speaker) -> tuple[str, str]:
    """Anna repaired this / these car."""
    return demonstrative(speak, irregular=False, adjective=False, vary_noun=False)


@DETERMINERS.paradigm("form", decisive=True)
def irregular_noun_after_demonstrative(speak: Speaker) -> tuple[str, str]:
    """Anna thanked this child / children."""
    return demonstrative(speak, irregular=True, adjective=False, vary_noun=True)


@DETERMINERS.paradigm("form")
def demonstrative_before_irregular_noun(speak: Speaker) -> tuple[str, str]:
    """Anna thanked this / these child."""
    return demonstrative(speak, irregular=True, adjective=False, vary_noun=False)


@DETERMINERS.paradigm("form", decisive=True)
def noun_after_demonstrative_and_adjective(speak: Speaker) -> tuple[str, str]:
    """Anna repaired this red car / cars."""
    return demonstrative(speak, irregular=False, adjective=True, vary_noun=True)


@DETERMINERS.paradigm("form")
def demonstrative_before_adjective_and_noun(speak: Speaker) -> tuple[str, str]:
    """Anna repaired this / these red car."""
    return demonstrative(speak, irregular=False, adjective=True, vary_noun=False)


@DETERMINERS.paradigm("form", decisive=True)
def irregular_noun_after_demonstrative_and_adjective(speak: Speaker) -> tuple[str, str]:
    """Anna thanked this happy child / children."""
    return demonstrative(speak, irregular=True, adjective=True, vary_noun=True)


@DETERMINERS.paradigm("form")
def demonstrative_before_adjective_and_irregular_noun(speak: Speaker) -> tuple[str, str]:
    """Anna thanked this / these happy child."""
    return demonstrative(speak, irregular=True, adjective=True, vary_noun=False)


@DETERMINERS.paradigm("form", decisive=True)
def noun_after_number_word(speak: Speaker) -> tuple[str, str]:
    """Anna repaired several cars / car."""
    subject = speak.person()
    verb = speak.event("strict", "plain")
    while "mass_food" in verb.objects or "drink" in verb.objects:
        verb = speak.event("strict", "plain")
    noun, plural = speak.noun(*verb.objects), speak.chance()
    tense = speak.tense(verb)
    start = words(subject, finite(verb, subject.plural, tense), speak.pick(MANY if plural else ONE))
    end = speak.setting(tense, noun.kind)
    return sentence(start, noun.form(plural), end), sentence(start, noun.form(not plural), end)


@DETERMINERS.paradigm("word")
def much_or_many(speak: Speaker) -> tuple[str, str]:
    """There is not much / many milk in the kitchen."""
    mass = speak.chance()
    noun = speak.noun("mass_food", "drink") if mass else speak.noun("food", *GOODS)
    amounts = ("much", "many") if mass else ("many", "much")
    start = words("there", speak.pick(("is", "was") if mass else ("are", "were")))
    degree = speak.pick(("not", "not", "too", "so"))
    end = words(noun.form(not mass), speak.place(noun.kind))
    return sentence(start, degree, amounts[0], end), sentence(start, degree, amounts[1], end)


@DETERMINERS.paradigm("form")
def noun_after_article(speak: Speaker) -> tuple[str, str]:
    """A car / cars was in the park."""
    noun = speak.noun(*PEOPLE, "animal", *THINGS)
    start, end = (
        speak.pick(("a", "another", "every")),
        words(speak.pick(("was", "is")), speak.place(noun.kind)),
    )
    return sentence(start, noun.singular, end), sentence(start, noun.plural, end)
