"""Filler-gap dependencies: a question word needs a gap, and a gap needs a question word."""

from __future__ import annotations

from toposcope.data.generator.grammar import NounPhrase, asked, finite, question, sentence, was, words
from toposcope.data.generator.paradigm import Phenomenon
from toposcope.data.generator.speaker import Deed, Speaker
from toposcope.data.generator.words import Verb

FILLERS = Phenomenon("filler_gap_dependency", "syntax")
PAST = ("past", "past", "might", "should", "past perfect")


def knower(speak: Speaker, frame: str = "know") -> str:
    """Somebody knows: the beginning of the sentence."""
    subject, verb = speak.person(), speak.verb(frame)
    tense = speak.pick(("past", "present") if verb.stative else ("past", "past", "perfect", "past perfect"))
    return words(subject, finite(verb, subject.plural, tense))


def wh(verb: Verb) -> str:
    """The question word for the object of a verb."""
    return "who" if "person" in verb.objects else "what"


def doer(speak: Speaker, long: bool) -> NounPhrase:
    """A person, or one with a relative clause."""
    if not long:
        return speak.person()
    head = speak.person(names=False)
    relative = speak.deed("social")
    return NounPhrase(words(head, "who", relative.verb.past, speak.named()), head.plural)


def no_gap(speak: Speaker, long: bool) -> tuple[str, str]:
    """A complete clause after "that" or after a question word."""
    start, deed = knower(speak), speak.deed("strict", "social")
    subject = doer(speak, long)
    end = words(subject, finite(deed.verb, subject.plural, speak.pick(PAST)), deed.object)
    return sentence(start, "that", end), sentence(start, wh(deed.verb), end)


def with_gap(speak: Speaker, long: bool) -> tuple[str, str]:
    """A clause without its object after a question word or after "that"."""
    start, verb = knower(speak), speak.verb("needy", "tool") if long else speak.verb("needy")
    subject, tense = doer(speak, long), speak.pick(PAST)
    end = words(subject, finite(verb, subject.plural, tense), speak.setting(tense))
    return sentence(start, wh(verb), end), sentence(start, "that", end)


@FILLERS.paradigm("word")
def that_clause_without_gap(speak: Speaker) -> tuple[str, str]:
    """Tom knows that / what Anna repaired the car."""
    return no_gap(speak, long=False)


@FILLERS.paradigm("word")
def that_clause_without_gap_long(speak: Speaker) -> tuple[str, str]:
    """Tom knows that / what the girl who thanked Paul repaired the car."""
    return no_gap(speak, long=True)


@FILLERS.paradigm("word")
def question_clause_with_gap(speak: Speaker) -> tuple[str, str]:
    """Tom knows what / that Anna repaired."""
    return with_gap(speak, long=False)


@FILLERS.paradigm("word")
def question_clause_with_gap_long(speak: Speaker) -> tuple[str, str]:
    """Tom knows what / that the girl who thanked Paul repaired."""
    return with_gap(speak, long=True)


@FILLERS.paradigm("phrase")
def relative_clause_on_object(speak: Speaker) -> tuple[str, str]:
    """Tom remembered the car that Anna repaired / what Anna repaired the car."""
    start, verb, other = knower(speak, "recall"), speak.event("strict"), speak.person()
    deed = Deed(verb, speak.thing(*verb.objects, determiner="the"))
    inner = words(other, finite(deed.verb, other.plural, speak.pick(PAST)))
    return sentence(start, deed.object, "that", inner), sentence(start, wh(deed.verb), inner, deed.object)


@FILLERS.paradigm("order")
def relative_clause_on_subject(speak: Speaker) -> tuple[str, str]:
    """Tom remembered the girl who repaired the car / who the girl repaired the car."""
    start, head, deed = knower(speak, "recall"), speak.person(names=False), speak.deed("strict", "social")
    inner = words(finite(deed.verb, head.plural, speak.pick(PAST)), deed.object)
    return sentence(start, head, "who", inner), sentence(start, "who", head, inner)


@FILLERS.paradigm("length")
def question_with_object(speak: Speaker) -> tuple[str, str]:
    """Did Anna repair the car yesterday / What did Anna repair the car yesterday."""
    subject, deed = speak.person(), speak.deed("strict", "social")
    tense = speak.tense(deed.verb, ("past", "past", "perfect", "will", "should", "past progressive"))
    form = asked(deed.verb, subject.plural, tense)
    rest = words(form.auxiliary, subject, form.main, deed.object, speak.setting(tense, deed.object.kind))
    return question(rest), question(wh(deed.verb), rest)


@FILLERS.paradigm("length")
def far_question_with_pronoun(speak: Speaker) -> tuple[str, str]:
    """What did Tom say that Anna repaired / What did Tom say that Anna repaired it."""
    one, other, deed = speak.person(), speak.person(), speak.deed("strict")
    said, tense = speak.event("say"), speak.pick(("past", "perfect"))
    form = asked(said, one.plural, tense)
    start = words("what", form.auxiliary, one, form.main, "that", other)
    start = words(start, finite(deed.verb, other.plural, speak.pick(PAST)))
    return question(start), question(start, deed.object.object_pronoun)


@FILLERS.paradigm("length")
def relative_clause_with_pronoun(speak: Speaker) -> tuple[str, str]:
    """The car that Anna repaired was new / The car that Anna repaired it was new."""
    verb = speak.draw([v for v in speak.lexicon.verbs["strict"] if "tool" in v.objects and not v.stative])
    head = speak.thing(*verb.objects, determiner="the")
    subject = speak.person()
    start = words(head, "that", subject, finite(verb, subject.plural, speak.pick(("past", "past perfect"))))
    end = words(was(head.plural), speak.place(head.kind))
    return sentence(start, end), sentence(start, head.object_pronoun, end)


@FILLERS.paradigm("length")
def cleft_with_pronoun(speak: Speaker) -> tuple[str, str]:
    """It was the car that Anna repaired / It was the car that Anna repaired it."""
    deed, subject, tense = speak.deed("strict"), speak.person(), speak.pick(PAST)
    start = words("it was", deed.object, "that", subject, finite(deed.verb, subject.plural, tense))
    end = speak.setting(tense, deed.object.kind) if speak.chance() else ""
    return sentence(start, end), sentence(start, deed.object.object_pronoun, end)
