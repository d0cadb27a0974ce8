"""Licensing of negative polarity items: ever, any and yet need a negation, a question or an "only"."""

from __future__ import annotations

from toposcope.data.generator.grammar import (
    NounPhrase,
    finite,
    has,
    negated,
    question,
    sentence,
    with_either,
    words,
)
from toposcope.data.generator.nouns import PEOPLE
from toposcope.data.generator.paradigm import Phenomenon
from toposcope.data.generator.speaker import Speaker
from toposcope.data.generator.words import Verb

POLARITY = Phenomenon("npi_licensing", "semantics")
SURELY = ("probably", "certainly", "really", "clearly")
ADVERBS = ("often", "really", "probably", "always", "sometimes", "certainly", "usually")


def experience(speak: Speaker) -> str:
    """What somebody has or had done: bought this car."""
    verb = speak.event("strict", "plain", "social")
    if verb.objects == PEOPLE and speak.chance():
        return words(verb.participle, speak.named())
    noun, plural = speak.noun(*verb.objects), speak.chance(0.4)
    if not noun.plural:
        return words(verb.participle, "the", noun.singular)
    determiner = speak.pick(("the", "these", "those") if plural else ("the", "this", "that"))
    return words(verb.participle, determiner, noun.form(plural))


def countable(speak: Speaker) -> tuple[Verb, NounPhrase]:
    """A verb and the plural, or the mass, of what it is done to."""
    verb = speak.event("strict", "plain")
    noun = speak.noun(*verb.objects)
    return verb, NounPhrase(noun.plural or noun.singular, bool(noun.plural), kind=noun.kind)


@POLARITY.paradigm("word")
def ever_after_not(speak: Speaker) -> tuple[str, str]:
    """Anna has not / probably ever bought this car."""
    subject, end = speak.person(), experience(speak)
    start = words(subject, speak.pick((has(subject.plural), "had")))
    return sentence(start, "not ever", end), sentence(start, speak.pick(SURELY), "ever", end)


@POLARITY.paradigm("order")
def ever_outside_negation(speak: Speaker) -> tuple[str, str]:
    """The girl who has seen Tom has not ever smiled / The girl who has not seen Tom has ever smiled."""
    head, other = speak.person(names=False), speak.person()
    have = speak.pick((has(head.plural), "had"))
    inner, outer = words(speak.verb("social").participle, other), speak.verb("intransitive").participle
    end = words("ever", outer, speak.phrase("place"))
    start = words(head, "who", have)
    return sentence(start, inner, have, "not", end), sentence(start, "not", inner, have, end)


@POLARITY.paradigm("word")
def ever_after_only(speak: Speaker) -> tuple[str, str]:
    """Only / Even Anna has ever bought this car."""
    subject, end = speak.person(), experience(speak)
    rest = words(subject, speak.pick((has(subject.plural), "had", "would have")), "ever", end)
    return sentence("only", rest), sentence("even", rest)


@POLARITY.paradigm("order")
def ever_outside_only(speak: Speaker) -> tuple[str, str]:
    """Only the girl who Tom thanked has ever smiled / The girl who only Tom thanked has ever smiled."""
    head = speak.thing(*PEOPLE, plural=speak.chance(0.4), determiner="the")
    inner = words(speak.person(), speak.verb("social").past)
    have = speak.pick((has(head.plural), "had"))
    end = words(inner, have, "ever", speak.verb("intransitive").participle, speak.phrase("place"))
    return sentence("only", head, "who", end), sentence(head, "who only", end)


@POLARITY.paradigm("order")
def ever_in_question(speak: Speaker) -> tuple[str, str]:
    """Has Anna ever bought this car / Anna has ever bought this car."""
    subject, end = speak.person(), experience(speak)
    have = speak.pick((has(subject.plural), has(subject.plural), "had"))
    return question(have, subject, "ever", end), sentence(subject, have, "ever", end)


@POLARITY.paradigm("word", decisive=True)
def ever_without_licence(speak: Speaker) -> tuple[str, str]:
    """Anna has often / ever bought this car."""
    subject, end = speak.person(), experience(speak)
    start = words("even" if speak.chance(0.3) else "", subject, speak.pick((has(subject.plural), "had")))
    return sentence(start, speak.pick(ADVERBS), end), sentence(start, "ever", end)


@POLARITY.paradigm("word")
def ever_after_nobody(speak: Speaker) -> tuple[str, str]:
    """No / Every girl has ever bought this car."""
    end = words(speak.pick(("has", "had")), "ever", experience(speak))
    if speak.chance(0.4):
        return sentence("nobody", end), sentence(speak.pick(("everybody", "somebody")), end)
    noun = speak.noun(*PEOPLE).singular
    return sentence("no", noun, end), sentence(speak.pick(("every", "some", "this")), noun, end)


@POLARITY.paradigm("word", decisive=True)
def any_without_licence(speak: Speaker) -> tuple[str, str]:
    """Anna bought some / any cars yesterday."""
    subject, (verb, things) = speak.person(), countable(speak)
    tense = speak.tense(verb, ("past", "past", "perfect", "past progressive", "progressive"))
    start, end = (
        words(subject, finite(verb, subject.plural, tense)),
        words(things, speak.setting(tense, things.kind)),
    )
    return sentence(start, "some", end), sentence(start, "any", end)


@POLARITY.paradigm("word")
def any_after_negation(speak: Speaker) -> tuple[str, str]:
    """Anna hasn't / has bought any cars."""
    subject, (verb, things) = speak.person(), countable(speak)
    lasting = ("progressive", "past progressive") if verb.progressive else ()
    tense = speak.pick(("perfect", "past perfect", *lasting))
    form, end = finite(verb, subject.plural, tense), words("any", things, speak.setting(tense, things.kind))
    return (
        sentence(subject, negated(form.auxiliary), form.main, end),
        sentence(subject, form, end),
    )


@POLARITY.paradigm("word")
def any_after_nobody(speak: Speaker) -> tuple[str, str]:
    """Nobody / Everybody bought anything in the park."""
    noun, verb = speak.noun(*PEOPLE).singular, speak.event("strict")
    tense = speak.pick(("past", "past", "perfect", "past perfect"))
    end = words(finite(verb, False, tense), "anything", speak.setting(tense))
    if speak.chance():
        return sentence("nobody", end), sentence(speak.pick(("everybody", "somebody")), end)
    return sentence("no", noun, end), sentence(speak.pick(("every", "some", "that")), noun, end)


@POLARITY.paradigm("word")
def yet_after_negation(speak: Speaker) -> tuple[str, str]:
    """Anna hasn't / has bought this car yet."""
    subject, end = speak.person(), experience(speak)
    have = speak.pick((has(subject.plural), has(subject.plural), "had"))
    rest = words(end, "yet")
    return sentence(subject, negated(have), rest), sentence(subject, have, rest)


@POLARITY.paradigm("word")
def anything_after_without(speak: Speaker) -> tuple[str, str]:
    """Anna left without / after buying anything."""
    subject, leave, verb = speak.person(), speak.verb("leave"), speak.event("strict")
    tense = speak.pick(("past", "past", "perfect", "will", "might"))
    start = words(subject, finite(leave, subject.plural, tense))
    end = words(verb.ing, "anything")
    return sentence(start, "without", end), sentence(start, "after", end)


@POLARITY.paradigm("word")
def ever_below_doubt(speak: Speaker) -> tuple[str, str]:
    """Tom doubts / says that Anna has ever bought this car."""
    one, other, end = speak.person(), speak.person(), experience(speak)
    good, bad = speak.verb("doubt"), speak.event("say")
    tense = speak.pick(("past", "past", "present"))
    have = "had" if tense == "past" else has(other.plural)
    rest = words("that", other, have, "ever", end)
    return with_either(one, good, bad, tense, rest)
