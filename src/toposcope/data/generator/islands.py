"""Island effects: places from which nothing can be asked for."""

from __future__ import annotations

from toposcope.data.generator.grammar import asked, finite, question, words
from toposcope.data.generator.nouns import GOODS
from toposcope.data.generator.paradigm import Phenomenon
from toposcope.data.generator.speaker import Speaker
from toposcope.data.generator.words import Verb

ISLANDS = Phenomenon("island_effects", "syntax")
ASKED = ("past", "past", "perfect", "will", "should")


def handling(speak: Speaker) -> Verb:
    """A verb that is said of any thing and needs its object."""
    return speak.draw([v for v in speak.lexicon.verbs["strict"] if not v.stative and "tool" in v.objects])


@ISLANDS.paradigm("order")
def adjunct_island(speak: Speaker) -> tuple[str, str]:
    """What did Anna buy before repairing the car / What did Anna buy the car before repairing."""
    subject, first, second = speak.person(), handling(speak), handling(speak)
    form, thing = asked(first, subject.plural, speak.pick(ASKED)), speak.object(second)
    start = words("what", form.auxiliary, subject, form.main)
    when = words(speak.pick(("before", "after")), second.ing)
    return question(start, when, thing), question(start, thing, when)


@ISLANDS.paradigm("order")
def relative_clause_island(speak: Speaker) -> tuple[str, str]:
    """What has the girl who thanked Tom bought / What has Tom thanked the girl who bought."""
    head, other = speak.person(plural=False, names=False), speak.named()
    plain = [v for v in speak.lexicon.verbs["social"] if not v.stative]
    inner = speak.draw(plain).past
    bought = speak.draw(
        [v for v in speak.lexicon.verbs["strict"] if not (v.irregular or v.stative)]
    ).participle
    start = words("what", speak.pick(("has", "had")))
    return question(start, head, "who", inner, other, bought), question(
        start, other, inner, head, "who", bought
    )


@ISLANDS.paradigm("length")
def claim_island(speak: Speaker) -> tuple[str, str]:
    """What did Tom believe that Anna bought / What did Tom believe the rumor that Anna bought."""
    one, other, verb = speak.person(), speak.person(), speak.event("strict")
    base, *noun = speak.phrase("claim").split()
    start = words("what", speak.pick(("did", "did", "could")), one, base)
    end = words(
        "that", other, finite(verb, other.plural, speak.pick(("past", "past", "past perfect", "might")))
    )
    return question(start, end), question(start, *noun, end)


@ISLANDS.paradigm("order")
def coordinated_subject_island(speak: Speaker) -> tuple[str, str]:
    """What did Tom and Anna buy yesterday / What did Tom buy and Anna yesterday."""
    one, other, verb = speak.person(), speak.person(), speak.event("strict")
    tense = speak.pick(("past", "past", "will", "should", "might"))
    form, end = asked(verb, True, tense), speak.setting(tense) if speak.chance() else ""
    start = words("what", form.auxiliary, one)
    return question(start, "and", other, form.main, end), question(start, form.main, "and", other, end)


@ISLANDS.paradigm("word")
def coordinated_object_island(speak: Speaker) -> tuple[str, str]:
    """What did Anna eat with / and the rice."""
    meals = [v for frame in ("strict", "plain", "optional") for v in speak.lexicon.verbs[frame]]
    subject, verb = speak.person(), speak.draw([v for v in meals if "mass_food" in v.objects])
    tense = speak.pick(ASKED)
    form, food = asked(verb, subject.plural, tense), speak.thing("food", "mass_food", determiner="the")
    start, end = (
        words("what", form.auxiliary, subject, form.main),
        words(food, speak.setting(tense) if speak.chance() else ""),
    )
    return question(start, "with", end), question(start, "and", end)


@ISLANDS.paradigm("length")
def one_gap_of_two(speak: Speaker) -> tuple[str, str]:
    """What did Tom find and Anna buy / What did Tom find and Anna buy the car."""
    one, other, first, second = speak.person(), speak.person(), handling(speak), handling(speak)
    tense = speak.pick(("past", "past", "will", "should"))
    form, thing = asked(first, True, tense), speak.thing(*GOODS)
    start = words("what", form.auxiliary, one, form.main, "and", other, second.base)
    return question(start), question(start, thing)


def left_branch(speak: Speaker, word: str) -> tuple[str, str, str, str]:
    """Question word, noun, and the two parts of a question about it: whose, cars, did Anna repair, end."""
    subject, verb = speak.person(), speak.event("strict", "plain")
    tense = speak.pick(ASKED)
    form, noun = asked(verb, subject.plural, tense), speak.noun(*verb.objects)
    plural = bool(noun.plural) and speak.chance(0.4)
    end = speak.setting(tense, noun.kind) if speak.chance() else ""
    return word, noun.form(plural), words(form.auxiliary, subject, form.main), end


@ISLANDS.paradigm("order")
def owner_without_noun_in_question(speak: Speaker) -> tuple[str, str]:
    """Whose car did Anna repair / Whose did Anna repair car."""
    whose, noun, rest, end = left_branch(speak, "whose")
    return question(whose, noun, rest, end), question(whose, rest, noun, end)


@ISLANDS.paradigm("order")
def which_without_noun_in_question(speak: Speaker) -> tuple[str, str]:
    """Which car did Anna repair / Which did Anna repair car."""
    which, noun, rest, end = left_branch(speak, speak.pick(("which", "which", "what")))
    return question(which, noun, rest, end), question(which, rest, noun, end)


@ISLANDS.paradigm("order")
def owner_in_echo_question(speak: Speaker) -> tuple[str, str]:
    """Anna should repair whose car / Whose should Anna repair car.

    An echo question, which people ask aloud and hardly ever write: a language model finds any question
    that begins with its question word more likely. BLiMP has the same contrast, and models fail there too.
    """
    subject, verb = speak.person(), speak.event("strict", "plain")
    tense = speak.pick(("perfect", "will", "should", "might", "past perfect"))
    form, noun = finite(verb, subject.plural, tense), speak.noun(*verb.objects)
    thing = noun.form(bool(noun.plural) and speak.chance(0.4))
    return question(subject, form, "whose", thing), question(
        "whose", form.auxiliary, subject, form.main, thing
    )


@ISLANDS.paradigm("order")
def left_branch_of_two_questions(speak: Speaker) -> tuple[str, str]:
    """Which cars did Anna find and Tom buy / Which did Anna find cars and Tom buy."""
    one, other, first, second = speak.person(), speak.person(), handling(speak), handling(speak)
    form = asked(first, True, speak.pick(("past", "past", "will", "should")))
    noun = speak.noun(*GOODS).form(speak.chance(0.6))
    which, end = speak.pick(("which", "whose")), words("and", other, second.base)
    start = words(form.auxiliary, one, form.main)
    return question(which, noun, start, end), question(which, start, noun, end)


@ISLANDS.paradigm("word", decisive=True)
def question_clause_island(speak: Speaker) -> tuple[str, str]:
    """What did Tom remember he / who bought."""
    one = speak.person(plural=True) if speak.chance(0.4) else speak.woman_or_man(speak.gender())
    verb, known = speak.event("strict"), speak.event("say")
    start = words("what", speak.pick(("did", "did", "might")), one, known.base)
    end = finite(verb, False, speak.pick(("past", "past", "should", "might", "past perfect")))
    return question(start, one.pronoun, end), question(start, "who", end)


@ISLANDS.paradigm("word", decisive=True)
def reason_clause_island(speak: Speaker) -> tuple[str, str]:
    """What did Tom remember that / why Anna bought."""
    one, other, verb, known = speak.person(), speak.person(), speak.event("strict"), speak.event("know")
    start = words("what", speak.pick(("did", "did", "might", "could")), one, known.base)
    end = words(other, finite(verb, other.plural, speak.pick(("past", "past", "should", "past perfect"))))
    return question(start, "that", end), question(start, "why", end)


@ISLANDS.paradigm("order")
def subject_island(speak: Speaker) -> tuple[str, str]:
    """Who did the book about Anna surprise / Who did the book about surprise Anna."""
    thing, who = speak.thing("text", "artwork", determiner="the"), speak.person()
    tense = speak.pick(("past", "past", "will", "might", "could"))
    form = asked(speak.verb("psych"), thing.plural, tense)
    start = words("who", form.auxiliary, thing, "about" if thing.kind == "text" else "of")
    return question(start, who, form.main), question(start, form.main, who)


@ISLANDS.paradigm("order")
def sentential_subject_island(speak: Speaker) -> tuple[str, str]:
    """Who did Tom's thanking Anna surprise / Who did Tom's thanking surprise Anna."""
    one, other = speak.person(plural=False), speak.person()
    form = asked(speak.verb("psych"), False, speak.pick(("past", "past", "will", "might", "could")))
    start = words("who", form.auxiliary, one.possessive, speak.event("social").ing)
    return question(start, other, form.main), question(start, form.main, other)
