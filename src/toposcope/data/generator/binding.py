"""Binding: a reflexive refers to the subject of its own clause, and to nobody else."""

from __future__ import annotations

from toposcope.data.generator.grammar import OTHER_GENDER, NounPhrase, finite, sentence, words
from toposcope.data.generator.paradigm import Phenomenon
from toposcope.data.generator.speaker import KIN, SEXES, Speaker

BINDING = Phenomenon("binding", "syntax_semantics")


def reported(speak: Speaker, subject: NounPhrase) -> str:
    """Somebody says something: the beginning of the sentence."""
    verb = speak.verb(speak.pick(("say", "say", "know")))
    tense = speak.pick(("past", "present") if verb.stative else ("past", "past", "perfect", "past perfect"))
    bare = verb.base in ("say", "think", "believe") and speak.chance()
    return words(subject, finite(verb, subject.plural, tense), "" if bare else "that")


def done(speak: Speaker) -> str:
    """What one does to oneself or to somebody."""
    verb = speak.verb("reflexive")
    tense = "past" if verb.stative else speak.pick(("past", "past", "past", "will", "might"))
    return str(finite(verb, False, tense))


def two_people(speak: Speaker) -> tuple[NounPhrase, NounPhrase]:
    """A woman and a man, or a man and a woman."""
    gender = speak.gender()
    return speak.woman_or_man(gender), speak.woman_or_man(OTHER_GENDER[gender])


@BINDING.paradigm("word", decisive=True)
def pronoun_for_far_subject(speak: Speaker) -> tuple[str, str]:
    """Anna said that Tom blamed her / herself."""
    far, near = two_people(speak)
    start = words(reported(speak, far), near, done(speak))
    return sentence(start, far.object_pronoun), sentence(start, far.reflexive)


@BINDING.paradigm("word", decisive=True)
def reflexive_for_near_subject(speak: Speaker) -> tuple[str, str]:
    """Anna said that Tom blamed himself / herself."""
    far, near = two_people(speak)
    start = words(reported(speak, far), near, done(speak))
    return sentence(start, near.reflexive), sentence(start, far.reflexive)


@BINDING.paradigm("order")
def reflexive_in_right_clause(speak: Speaker) -> tuple[str, str]:
    """Tom said Anna blamed herself / Anna said Tom blamed herself."""
    far, near = two_people(speak)
    verb = speak.verb(speak.pick(("say", "know")))
    said, deed = words(finite(verb, False, "past"), "that"), done(speak)
    return sentence(far, said, near, deed, near.reflexive), sentence(near, said, far, deed, near.reflexive)


@BINDING.paradigm("word", decisive=True)
def reflexive_after_relative_clause(speak: Speaker) -> tuple[str, str]:
    """The girl who thanked Tom blamed herself / himself."""
    gender = speak.gender()
    head = speak.thing(SEXES[gender], plural=False, determiner=speak.pick(("the", "that", "this")))
    other = speak.woman_or_man(OTHER_GENDER[gender])
    relative = words("who", speak.verb("social").past, other)
    start = words(head, relative, done(speak))
    return sentence(start, head.reflexive), sentence(start, other.reflexive)


@BINDING.paradigm("word", decisive=True)
def reflexive_after_possessor(speak: Speaker) -> tuple[str, str]:
    """Anna's brother blamed himself / herself yesterday."""
    owner = speak.named()
    kin = speak.thing(KIN[OTHER_GENDER[owner.gender]], plural=False, determiner=owner.possessive)
    verb = speak.event("reflexive")
    tense = speak.tense(verb)
    start, end = words(kin, finite(verb, False, tense)), speak.setting(tense)
    return sentence(start, kin.reflexive, end), sentence(start, owner.reflexive, end)


@BINDING.paradigm("word", decisive=True)
def reflexive_as_subject(speak: Speaker) -> tuple[str, str]:
    """Anna said that she / herself repaired the car."""
    subject = speak.woman_or_man(speak.gender()) if speak.chance(0.6) else speak.person(plural=True)
    verb = speak.event("say")
    deed = speak.deed()
    start = words(
        subject, finite(verb, subject.plural, speak.pick(("past", "perfect", "past perfect"))), "that"
    )
    end = words(
        finite(deed.verb, subject.plural, speak.pick(("past", "past", "might", "should"))), deed.object
    )
    return sentence(start, subject.pronoun, end), sentence(start, subject.reflexive, end)


@BINDING.paradigm("form", decisive=True)
def reflexive_with_participle(speak: Speaker) -> tuple[str, str]:
    """Anna imagined herself driving / drove the car."""
    subject = speak.woman_or_man(speak.gender()) if speak.chance(0.7) else speak.person(plural=True)
    deed = speak.deed("strict", "optional")
    seen = finite(speak.verb("imagine"), subject.plural, speak.pick(("past", "past", "perfect", "might")))
    start = words(subject, seen, subject.reflexive)
    return sentence(start, deed.verb.ing, deed.object), sentence(start, deed.verb.past, deed.object)


@BINDING.paradigm("order")
def reflexive_in_cleft(speak: Speaker) -> tuple[str, str]:
    """It was herself that Anna blamed / It was herself that blamed Anna.

    Both sentences have the same words, and the reflexive stands before what it refers to, which is rare
    in either order. BLiMP has the same contrast, and models are near chance there too.
    """
    subject = speak.woman_or_man(speak.gender())
    deed = speak.verb("reflexive").past
    start = words("it", speak.pick(("is", "was")), subject.reflexive, "that")
    return sentence(start, subject, deed), sentence(start, deed, subject)


@BINDING.paradigm("form")
def reciprocal_needs_plural(speak: Speaker) -> tuple[str, str]:
    """The girls / girl thanked each other."""
    noun = speak.noun("person", "woman", "man")
    start = speak.the(noun)
    verb = speak.event("social", "reflexive")
    tense = speak.pick(("past", "past", "will", "might", "past perfect"))
    end = words(finite(verb, True, tense), "each other", speak.setting(tense))
    return sentence(start, noun.plural, end), sentence(start, noun.singular, end)


@BINDING.paradigm("order")
def reciprocal_in_right_clause(speak: Speaker) -> tuple[str, str]:
    """Tom said that the girls thanked each other / The girls said that Tom thanked each other."""
    one, many = speak.person(plural=False), speak.person(plural=True)
    said = words(finite(speak.verb(speak.pick(("say", "know"))), False, "past"), "that")
    verb = speak.verb("social")
    deed = words(
        finite(verb, True, "past" if verb.stative else speak.pick(("past", "should", "might"))),
        "each other",
    )
    return sentence(one, said, many, deed), sentence(many, said, one, deed)
