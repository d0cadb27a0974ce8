"""Quantifiers: where every, all, most and at least may stand."""

from __future__ import annotations

from toposcope.data.generator.grammar import asked, finite, is_, sentence, was, words
from toposcope.data.generator.nouns import GOODS, PEOPLE
from toposcope.data.generator.paradigm import Phenomenon
from toposcope.data.generator.speaker import Speaker

QUANTIFIERS = Phenomenon("quantifiers", "semantics")
NUMBERS = ("two", "three", "four", "five", "six", "seven", "ten")
WEAK = {False: ("a", "no", "one", "another"), True: ("some", "many", "two", "no", "several", "few")}
STRONG = {False: ("every", "each"), True: ("all", "most")}


def counted_deed(speak: Speaker) -> tuple[str, str, str]:
    """What somebody did, to what, and when: bought, cars, yesterday."""
    verb = speak.event("strict", "plain")
    while "mass_food" in verb.objects or "drink" in verb.objects:
        verb = speak.event("strict", "plain")
    tense = speak.pick(("past", "past", "past", "perfect"))
    noun = speak.noun(*verb.objects)
    return str(finite(verb, False, tense)), noun.plural, speak.setting(tense, noun.kind)


@QUANTIFIERS.paradigm("word")
def weak_quantifier_after_there(speak: Speaker) -> tuple[str, str]:
    """There were many / most dogs in the park."""
    plural = speak.chance()
    noun = speak.noun(*PEOPLE, "animal", *GOODS)
    start = words("there", speak.pick((is_, was))(plural))
    end = words(noun.form(plural), speak.place(noun.kind))
    return sentence(start, speak.pick(WEAK[plural]), end), sentence(start, speak.pick(STRONG[plural]), end)


@QUANTIFIERS.paradigm("phrase")
def strong_quantifier_without_there(speak: Speaker) -> tuple[str, str]:
    """All dogs were in the park / There were all dogs in the park."""
    plural = speak.chance()
    noun = speak.noun(*PEOPLE, "animal", *GOODS)
    subject = words(speak.pick(STRONG[plural]), noun.form(plural))
    be, place = speak.pick((is_, was))(plural), speak.place(noun.kind)
    return sentence(subject, be, place), sentence("there", be, subject, place)


@QUANTIFIERS.paradigm("phrase")
def comparison_below_no(speak: Speaker) -> tuple[str, str]:
    """No girl bought more than / at least two cars."""
    verb, things, when = counted_deed(speak)
    start = words("no", speak.noun(*PEOPLE).singular, verb)
    end = words(speak.pick(NUMBERS), things, when)
    good, bad = speak.pick((("more than", "at least"), ("fewer than", "at most")))
    return sentence(start, good, end), sentence(start, bad, end)


@QUANTIFIERS.paradigm("word")
def superlative_not_below_no(speak: Speaker) -> tuple[str, str]:
    """The / No girl bought at least two cars."""
    verb, things, when = counted_deed(speak)
    rest = words(
        speak.noun(*PEOPLE).singular,
        verb,
        speak.pick(("at least", "at most")),
        speak.pick(NUMBERS),
        things,
        when,
    )
    return sentence(speak.pick(("the", "this", "that")), rest), sentence("no", rest)


@QUANTIFIERS.paradigm("word")
def quantifier_before_of(speak: Speaker) -> tuple[str, str]:
    """Anna bought each / every of the cars."""
    good, bad = speak.pick((("each", "every"), ("one", "every"), ("none", "no")))
    verb, things, when = counted_deed(speak)
    group = words("of", speak.pick(("the", "these", "those")))
    if speak.chance() or good == "none":
        rest = words(group, speak.noun(*PEOPLE).plural, verb, "the", things, when)
        return sentence(good, rest), sentence(bad, rest)
    start = words(speak.person(plural=False), verb)
    return sentence(start, good, group, things, when), sentence(start, bad, group, things, when)


@QUANTIFIERS.paradigm("length")
def of_after_quantifier(speak: Speaker) -> tuple[str, str]:
    """Anna bought most of the cars / most the cars."""
    verb, things, when = counted_deed(speak)
    start = words(
        speak.person(plural=False), verb, speak.pick(("most", "some", "many", "several", "two", "one"))
    )
    end = words(speak.pick(("the", "these", "those")), things, when)
    return sentence(start, "of", end), sentence(start, end)


@QUANTIFIERS.paradigm("word", decisive=True)
def quantifier_after_auxiliary(speak: Speaker) -> tuple[str, str]:
    """The girls have all / every bought the car."""
    subject = speak.thing(*PEOPLE, plural=True, determiner=speak.pick(("the", "these", "those")))
    deed = speak.deed("strict", "plain", "social")
    form = asked(deed.verb, True, speak.pick(("perfect", "past perfect", "will", "should")))
    start, end = words(subject, form.auxiliary), words(form.main, deed.object)
    return sentence(start, speak.pick(("all", "both", "all")), end), sentence(
        start, speak.pick(("every", "some", "no")), end
    )


@QUANTIFIERS.paradigm("word", decisive=True)
def quantifier_after_almost(speak: Speaker) -> tuple[str, str]:
    """Almost all / some girls have bought a car."""
    plural = speak.chance(0.6)
    noun = speak.noun(*PEOPLE).form(plural)
    verb = speak.verb("intransitive")
    tense = speak.pick(("past", "past", "will", "perfect"))
    end = words(noun, finite(verb, plural, tense), speak.setting(tense))
    good = speak.pick(("all", "no") if plural else ("every", "no"))
    bad = speak.pick(("some", "many", "several", "few") if plural else ("some", "each", "another"))
    return sentence("almost", good, end), sentence("almost", bad, end)


@QUANTIFIERS.paradigm("form")
def each_needs_plural(speak: Speaker) -> tuple[str, str]:
    """The girls / girl had each bought a car."""
    noun, deed = speak.noun(*PEOPLE), speak.deed("strict", "plain", "social")
    start = speak.the(noun)
    form = asked(deed.verb, True, speak.pick(("past perfect", "will", "should", "might")))
    rest = words(form.auxiliary, speak.pick(("each", "all", "both")), form.main, deed.object)
    return sentence(start, noun.plural, rest), sentence(start, noun.singular, rest)
