"""Argument structure: which company a verb keeps, and of what kind it is."""

from __future__ import annotations

from toposcope.data.generator.grammar import NounPhrase, finite, has, is_, sentence, was, with_either, words
from toposcope.data.generator.nouns import GOODS, PEOPLE, THINGS
from toposcope.data.generator.paradigm import Phenomenon
from toposcope.data.generator.speaker import Speaker
from toposcope.data.generator.words import Verb

ARGUMENTS = Phenomenon("argument_structure", "syntax")


def two_verbs(
    speak: Speaker, good: Verb, bad: Verb, subject: NounPhrase, *objects: NounPhrase
) -> tuple[str, str]:
    """The same sentence with one verb and with another, in a tense that suits both."""
    tense = speak.tense(good)
    if not bad.progressive and "progressive" in tense:
        tense = "past"
    place = speak.setting(tense, objects[-1].kind if objects else subject.kind)
    return with_either(subject, good, bad, tense, *objects, place)


@ARGUMENTS.paradigm("word")
def transitive_verb(speak: Speaker) -> tuple[str, str]:
    """The doctor repaired / smiled the car."""
    subject, deed = speak.person(), speak.deed("strict", "plain", "social")
    bad = speak.verb("intransitive")
    return two_verbs(speak, deed.verb, bad, subject, deed.object)


@ARGUMENTS.paradigm("word")
def intransitive_verb(speak: Speaker) -> tuple[str, str]:
    """The doctor smiled / repaired in the park."""
    subject = speak.person()
    good, bad = speak.verb("intransitive"), speak.verb("needy")
    return two_verbs(speak, good, bad, subject)


@ARGUMENTS.paradigm("word")
def dropped_object(speak: Speaker) -> tuple[str, str]:
    """The doctor was reading / repairing in the park."""
    subject = speak.person()
    good, bad = speak.verb("optional"), speak.verb("needy")
    return two_verbs(speak, good, bad, subject)


@ARGUMENTS.paradigm("word")
def inchoative_verb(speak: Speaker) -> tuple[str, str]:
    """The vase broke / repaired yesterday."""
    good, bad = speak.verb("causative"), speak.verb("needy", "tool")
    subject = speak.thing(*good.objects)
    return two_verbs(speak, good, bad, subject)


@ARGUMENTS.paradigm("word")
def causative_verb(speak: Speaker) -> tuple[str, str]:
    """The girl broke / vanished the vase."""
    subject, deed, bad = speak.person(), speak.deed("causative"), speak.verb("vanish")
    return two_verbs(speak, deed.verb, bad, subject, deed.object)


@ARGUMENTS.paradigm("word")
def passive_with_agent(speak: Speaker) -> tuple[str, str]:
    """The car was repaired / smiled by the doctor."""
    deed, agent = speak.deed("strict", "plain", "social"), speak.person()
    plural = deed.object.plural
    now = words(is_(plural), "being") if deed.verb.progressive else was(plural)
    start = words(deed.object, speak.pick((was(plural), now, words(has(plural), "been"), "will be")))
    bad = speak.verb(speak.pick(("intransitive", "vanish")))
    return (
        sentence(start, deed.verb.participle, "by", agent),
        sentence(start, bad.participle, "by", agent),
    )


@ARGUMENTS.paradigm("word")
def passive_without_agent(speak: Speaker) -> tuple[str, str]:
    """The car was repaired / smiled yesterday."""
    deed, bad = speak.deed("strict", "plain", "social"), speak.verb("intransitive")
    start, end = words(deed.object, was(deed.object.plural)), speak.setting("past", deed.object.kind)
    return sentence(start, deed.verb.participle, end), sentence(start, bad.participle, end)


@ARGUMENTS.paradigm("word")
def double_object(speak: Speaker) -> tuple[str, str]:
    """Tom gave / donated the girl a book."""
    subject, receiver = speak.person(), speak.person()
    good, bad = speak.verb("give"), speak.verb("donate")
    given = speak.thing(*good.objects, plural=False, determiner=speak.pick(("a", "the", "this")))
    return two_verbs(speak, good, bad, subject, receiver, given)


@ARGUMENTS.paradigm("word")
def clause_as_object(speak: Speaker) -> tuple[str, str]:
    """Tom said / repaired that Anna was in the park."""
    subject, other = speak.person(), speak.person()
    good = speak.event("say", "know")
    bad = speak.draw([v for v in speak.lexicon.verbs["strict"] if v.objects != THINGS])
    end = words("that", other, was(other.plural), speak.phrase("place"))
    tense = speak.pick(("past", "past", "perfect", "past perfect"))
    return with_either(subject, good, bad, tense, end)


@ARGUMENTS.paradigm("length")
def infinitive_or_gerund(speak: Speaker) -> tuple[str, str]:
    """Tom enjoyed reading / to read; Tom hoped to read / reading."""
    subject, inner = speak.person(), speak.verb("optional")
    to, gerund = words("to", inner.base), inner.ing
    wants_to = speak.chance()
    verb = speak.verb("to_infinitive" if wants_to else "gerund")
    tense = speak.pick(("past", "past", "past perfect", "perfect"))
    start, end = words(subject, finite(verb, subject.plural, tense)), speak.phrase("outdoors")
    good, bad = (to, gerund) if wants_to else (gerund, to)
    return sentence(start, good, end), sentence(start, bad, end)


@ARGUMENTS.paradigm("length")
def needed_preposition(speak: Speaker) -> tuple[str, str]:
    """Tom listened to / listened the teacher."""
    subject, other = speak.person(), speak.person()
    base, preposition = speak.phrase("oblique").split()
    auxiliary = speak.pick(("should", "might", "could", "didn't", "will"))
    end = words(other, speak.setting("past" if auxiliary == "didn't" else auxiliary))
    start = words(subject, auxiliary, base)
    return sentence(start, preposition, end), sentence(start, end)


@ARGUMENTS.paradigm("word")
def animate_subject(speak: Speaker) -> tuple[str, str]:
    """The doctor / hammer thanked Anna."""
    plural, determiner = speak.chance(0.4), "the"
    good, bad = speak.noun(*PEOPLE), speak.noun(*GOODS)
    verb = speak.event("social")
    tense = speak.tense(verb)
    end = words(finite(verb, plural, tense), speak.person(), speak.setting(tense))
    return sentence(determiner, good.form(plural), end), sentence(determiner, bad.form(plural), end)


@ARGUMENTS.paradigm("word", decisive=True)
def animate_agent(speak: Speaker) -> tuple[str, str]:
    """Anna was thanked by the doctor / hammer."""
    subject, verb = speak.person(), speak.verb("social")
    plural, determiner = speak.chance(0.4), "the"
    start = words(subject, was(subject.plural), verb.participle, "by", determiner)
    good, bad = speak.noun(*PEOPLE).form(plural), speak.noun(*GOODS).form(plural)
    return sentence(start, good), sentence(start, bad)


@ARGUMENTS.paradigm("word", decisive=True)
def animate_experiencer(speak: Speaker) -> tuple[str, str]:
    """The noise surprised the doctor / hammer."""
    cause, verb = speak.thing("event", determiner="the"), speak.verb("psych")
    plural, determiner = speak.chance(0.4), "the"
    tense = speak.pick(("past", "past", "perfect", "might", "could"))
    start = words(cause, finite(verb, cause.plural, tense), determiner)
    end = speak.setting(tense)
    good, bad = speak.noun(*PEOPLE).form(plural), speak.noun(*GOODS).form(plural)
    return sentence(start, good, end), sentence(start, bad, end)
