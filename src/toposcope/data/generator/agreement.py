"""Subject-verb agreement: in number, across whatever stands between."""

from __future__ import annotations

from collections.abc import Callable

from toposcope.data.generator.grammar import (
    NounPhrase,
    does,
    finite,
    has,
    is_,
    negated,
    question,
    sentence,
    was,
    words,
)
from toposcope.data.generator.nouns import GOODS, PEOPLE
from toposcope.data.generator.paradigm import Phenomenon
from toposcope.data.generator.speaker import Speaker
from toposcope.data.generator.words import Verb

AGREEMENT = Phenomenon("subject_verb_agreement", "morphology")
BETWEEN = ("near", "behind", "next to", "beside")


def routine(speak: Speaker) -> tuple[Verb, str]:
    """What somebody does again and again: repair, cars every week."""
    verb = speak.verb(speak.pick(("routine", "routine", "routine", "intransitive")))
    if verb.objects == PEOPLE:
        return verb, words(speak.person(), "" if verb.stative else speak.phrase("habit"))
    noun = speak.noun(*verb.objects) if verb.objects else None
    return verb, words((noun.plural or noun.singular) if noun else "", speak.phrase("habit"))


def habit(speak: Speaker, plural: bool) -> tuple[str, str, str]:
    """What somebody does again and again: the right verb, the one of the wrong number, the rest."""
    verb, end = routine(speak)
    return str(finite(verb, plural, "present")), str(finite(verb, not plural, "present")), end


def predicate(speak: Speaker, plural: bool, negation: bool = True) -> tuple[str, str]:
    """Something said of a person or of several, rightly and with the wrong number."""
    style = speak.pick(("habit", "being", "having", "doing") if negation else ("habit", "being", "having"))
    if style == "habit":
        good, bad, end = habit(speak, plural)
        return words(good, end), words(bad, end)
    if style == "doing":
        verb, end = routine(speak)
        rest = words(verb.base, end)
        return words(negated(does(plural)), rest), words(negated(does(not plural)), rest)
    deed = speak.deed("strict", "plain", "social")
    if style == "having" or not deed.verb.progressive:
        rest = words(deed.verb.participle, deed.object)
        return words(has(plural), rest), words(has(not plural), rest)
    be, rest = speak.pick((is_, was)), words(deed.verb.ing, deed.object)
    return words(be(plural), rest), words(be(not plural), rest)


def auxiliaries(verb: Verb) -> list[tuple[Callable[[bool], str], str]]:
    """Auxiliaries that show number, each with the form of the verb that follows."""
    being = [(is_, verb.ing), (was, verb.ing)] if verb.progressive else []
    return [*being, (has, verb.participle)]


def with_distractor(speak: Speaker, head: NounPhrase, between: str) -> tuple[str, str]:
    """Subject, a phrase with a noun of the other number, and the predicate."""
    good, bad = predicate(speak, head.plural)
    return sentence(head, between, good), sentence(head, between, bad)


@AGREEMENT.paradigm("form", decisive=True)
def verb_after_subject(speak: Speaker) -> tuple[str, str]:
    """The doctor repairs / repair cars every day."""
    subject = speak.person() if speak.chance() else speak.thing("person", plural=speak.chance())
    good, bad, end = habit(speak, subject.plural)
    return sentence(subject, good, end), sentence(subject, bad, end)


@AGREEMENT.paradigm("form")
def subject_before_verb(speak: Speaker) -> tuple[str, str]:
    """The doctor / doctors repairs cars every day."""
    noun, plural = speak.noun(*PEOPLE, irregular=False), speak.chance()
    start, (good, _, end) = speak.the(noun), habit(speak, plural)
    return sentence(start, noun.form(plural), good, end), sentence(start, noun.form(not plural), good, end)


@AGREEMENT.paradigm("form", decisive=True)
def verb_after_irregular_subject(speak: Speaker) -> tuple[str, str]:
    """The children repair / repairs cars every day."""
    noun, plural = speak.noun(*PEOPLE, irregular=True), speak.chance(0.6)
    determiner = speak.pick(("the", "some", "those") if plural else ("the", "a", "that"))
    subject = NounPhrase(words(determiner, noun.form(plural)), plural, kind=noun.kind)
    good, bad = predicate(speak, subject.plural)
    return sentence(subject, good), sentence(subject, bad)


@AGREEMENT.paradigm("form")
def irregular_subject_before_verb(speak: Speaker) -> tuple[str, str]:
    """The children / child repair cars every day."""
    noun, plural = speak.noun(*PEOPLE, irregular=True), speak.chance()
    start, (good, _, end) = speak.the(noun), habit(speak, plural)
    return sentence(start, noun.form(plural), good, end), sentence(start, noun.form(not plural), good, end)


@AGREEMENT.paradigm("form", decisive=True)
def auxiliary_after_subject(speak: Speaker) -> tuple[str, str]:
    """The doctors are / is repairing a car."""
    subject, deed = speak.person(), speak.deed("strict", "plain", "social")
    auxiliary, form = speak.pick(auxiliaries(deed.verb))
    good, bad = auxiliary(subject.plural), auxiliary(not subject.plural)
    if speak.chance(0.3):
        good, bad = negated(good), negated(bad)
    return sentence(subject, good, form, deed.object), sentence(subject, bad, form, deed.object)


@AGREEMENT.paradigm("form", decisive=True)
def verb_after_relation(speak: Speaker) -> tuple[str, str]:
    """The sister of the doctors repairs / repair cars every day."""
    plural = speak.chance()
    kin = speak.noun("kinswoman", "kinsman")
    while plural and kin.singular.endswith(("mother", "father")):  # one has not several
        kin = speak.noun("kinswoman", "kinsman")
    other = speak.thing(
        *PEOPLE, plural=not plural, determiner="the" if plural else speak.pick(("the", "these"))
    )
    head = NounPhrase(
        words(speak.pick(("the", "some") if plural else ("the", "a")), kin.form(plural)), plural
    )
    return with_distractor(speak, head, words("of", other))


@AGREEMENT.paradigm("form", decisive=True)
def verb_after_place(speak: Speaker) -> tuple[str, str]:
    """The lamp near the doors was / were in the kitchen."""
    plural = speak.chance()
    head = speak.thing(
        *GOODS, plural=plural, determiner=speak.pick(("the", "those") if plural else ("the", "that"))
    )
    other = speak.thing(*GOODS, "openable", "building", plural=not plural, determiner="the")
    be = speak.pick((is_, was))
    start, end = words(head, speak.pick(BETWEEN), other), speak.adjective(head.kind)
    return sentence(start, be(plural), end), sentence(start, be(not plural), end)


@AGREEMENT.paradigm("form", decisive=True)
def verb_after_relative_clause(speak: Speaker) -> tuple[str, str]:
    """The girl who thanked the doctors repairs / repair cars every day."""
    plural = speak.chance()
    head = speak.thing(
        *PEOPLE, plural=plural, determiner=speak.pick(("the", "some", "those") if plural else ("the", "a"))
    )
    other = speak.person(plural=False) if plural else speak.thing(*PEOPLE, plural=True)
    return with_distractor(speak, head, words("who", speak.verb("social").past, other))


@AGREEMENT.paradigm("form", decisive=True)
def verb_after_two_subjects(speak: Speaker) -> tuple[str, str]:
    """Tom and Anna are / is repairing a car."""
    one, other = speak.person(plural=False), speak.person(plural=False)
    subject = NounPhrase(words(one, "and", other), plural=True)
    good, bad = predicate(speak, subject.plural)
    return sentence(subject, good), sentence(subject, bad)


@AGREEMENT.paradigm("form")
def auxiliary_before_subject(speak: Speaker) -> tuple[str, str]:
    """Is / Are the girl repairing a car."""
    subject, deed = speak.person(), speak.deed("strict", "plain", "social")
    auxiliary, form = speak.pick(auxiliaries(deed.verb))
    start = speak.pick(("", "", "why"))
    end = words(subject, form, deed.object)
    good, bad = auxiliary(subject.plural), auxiliary(not subject.plural)
    return question(start, good, end), question(start, bad, end)


@AGREEMENT.paradigm("form")
def verb_after_there(speak: Speaker) -> tuple[str, str]:
    """There is / are a dog in the park."""
    plural = speak.chance()
    determiner = speak.pick(("two", "many", "some", "several") if plural else ("a", "another", "one"))
    what = speak.thing(*PEOPLE, "animal", *GOODS, plural=plural, determiner=determiner)
    end = words(what, speak.place(what.kind))
    be = speak.pick((is_, was))
    return sentence("there", be(plural), end), sentence("there", be(not plural), end)


@AGREEMENT.paradigm("form", decisive=True)
def verb_after_everybody(speak: Speaker) -> tuple[str, str]:
    """Everybody in the park repairs / repair cars."""
    subject = NounPhrase(speak.pick(("everybody", "nobody", "everyone", "somebody")))
    between = speak.phrase("place")
    good, bad = predicate(speak, subject.plural, negation=False)
    return sentence(subject, between, good), sentence(subject, between, bad)
