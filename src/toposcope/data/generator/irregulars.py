"""Irregular forms: broke or broken, and neither breaked nor childs."""

from __future__ import annotations

from toposcope.data.generator.grammar import finite, has, is_, sentence, was, words
from toposcope.data.generator.paradigm import Phenomenon
from toposcope.data.generator.speaker import Deed, Speaker
from toposcope.data.generator.words import Verb, add_ed, add_s

IRREGULARS = Phenomenon("irregular_forms", "morphology")
FRAMES = ("strict", "plain", "optional", "causative", "give")


def irregular_deed(speak: Speaker) -> Deed:
    """A deed whose verb has two forms to be confused (ate, eaten)."""
    verb = speak.draw([v for frame in FRAMES for v in speak.lexicon.verbs[frame] if v.irregular])
    return Deed(verb, speak.object(verb))


@IRREGULARS.paradigm("form", decisive=True)
def past_not_participle(speak: Speaker) -> tuple[str, str]:
    """Anna wrote / written the letter."""
    subject, deed = speak.person(), irregular_deed(speak)
    end = words(deed.object, speak.setting("past", deed.object.kind))
    return sentence(subject, deed.verb.past, end), sentence(subject, deed.verb.participle, end)


@IRREGULARS.paradigm("form", decisive=True)
def participle_after_have(speak: Speaker) -> tuple[str, str]:
    """Anna has written / wrote the letter."""
    subject, deed = speak.person(), irregular_deed(speak)
    have = speak.pick((has(subject.plural), "had", "might have", "should have"))
    start, end = (
        words(subject, have),
        words(deed.object, speak.setting("perfect", deed.object.kind) if speak.chance() else ""),
    )
    return sentence(start, deed.verb.participle, end), sentence(start, deed.verb.past, end)


@IRREGULARS.paradigm("form", decisive=True)
def participle_in_passive(speak: Speaker) -> tuple[str, str]:
    """The letter was written / wrote by Anna."""
    deed, agent = irregular_deed(speak), speak.person()
    plural = deed.object.plural
    be = speak.pick((was(plural), words(is_(plural), "being"), words(has(plural), "been"), "will be"))
    start = words(deed.object, be)
    return sentence(start, deed.verb.participle, "by", agent), sentence(start, deed.verb.past, "by", agent)


@IRREGULARS.paradigm("form")
def participle_as_adjective(speak: Speaker) -> tuple[str, str]:
    """The broken / broke vase was in the kitchen."""
    verb = speak.verb("participle")
    noun, plural = speak.noun(*verb.objects), speak.chance(0.4)
    determiner = speak.pick(("the", "these", "some") if plural else ("the", "a", "this"))
    if speak.chance():
        end = words(noun.form(plural), speak.pick((is_, was))(plural), speak.place(noun.kind))
        return sentence(determiner, verb.participle, end), sentence(determiner, verb.past, end)
    subject, getting = speak.person(), [v for v in speak.lexicon.verbs["strict"] if "artwork" in v.objects]
    got = speak.draw([v for v in getting if not v.stative and v.base not in (verb.base, "borrow")])
    start = words(subject, got.past, determiner)
    end = words(noun.form(plural), speak.phrase("past"))
    return sentence(start, verb.participle, end), sentence(start, verb.past, end)


@IRREGULARS.paradigm("form", decisive=True)
def past_not_regular(speak: Speaker) -> tuple[str, str]:
    """Anna wrote / writed the letter."""

    def irregular(verb: Verb) -> bool:
        return verb.past not in (add_ed(verb.base), verb.base) and verb.base != "see"  # seed is a word

    subject = speak.person()
    verb = speak.draw([v for frame in FRAMES for v in speak.lexicon.verbs[frame] if irregular(v)])
    thing = speak.object(verb)
    end = words(thing, speak.setting("past", thing.kind))
    return sentence(subject, verb.past, end), sentence(subject, add_ed(verb.base), end)


@IRREGULARS.paradigm("form")
def plural_not_regular(speak: Speaker) -> tuple[str, str]:
    """Two children / childs were in the park."""
    noun = speak.noun("person", "woman", "man", "animal", irregular=True)
    while noun.plural == "people":  # persons is a word
        noun = speak.noun("person", "woman", "man", "animal", irregular=True)
    determiner = speak.pick(("the", "these", "two", "three", "several", "many", "some", "all"))
    verb = speak.verb("intransitive") if noun.kind != "animal" else speak.verb("vanish")
    tense = speak.tense(verb)
    end = words(finite(verb, True, tense), speak.setting(tense))
    return sentence(determiner, noun.plural, end), sentence(determiner, add_s(noun.singular), end)
