"""Control and raising: who may be the subject of an infinitive."""

from __future__ import annotations

from toposcope.data.generator.grammar import finite, is_, sentence, was, with_either, words
from toposcope.data.generator.nouns import GOODS, PEOPLE
from toposcope.data.generator.paradigm import Phenomenon
from toposcope.data.generator.speaker import Speaker

CONTROL = Phenomenon("control_raising", "syntax_semantics")


def something_somewhere(speak: Speaker) -> tuple[str, bool]:
    """What there may be, and whether it is many: a dog in the park."""
    plural = speak.chance(0.4)
    determiner = speak.pick(("two", "three", "many", "some") if plural else ("a", "a", "no", "another"))
    what = speak.thing(*PEOPLE, "animal", *GOODS, plural=plural, determiner=determiner)
    return words(what, speak.place(what.kind)), plural


@CONTROL.paradigm("word")
def there_with_raising_verb(speak: Speaker) -> tuple[str, str]:
    """There seemed / tried to be a dog in the park."""
    what, plural = something_somewhere(speak)
    good, bad = speak.verb("raising"), speak.verb("control")
    tense = speak.pick(("past", "present", "past"))
    return (
        sentence("there", finite(good, plural, tense), "to be", what),
        sentence("there", finite(bad, plural, tense), "to be", what),
    )


@CONTROL.paradigm("word")
def there_with_raising_adjective(speak: Speaker) -> tuple[str, str]:
    """There is likely / eager to be a dog in the park."""
    what, plural = something_somewhere(speak)
    start = words("there", speak.pick((is_, is_, was))(plural))
    good, bad = speak.phrase("raising"), speak.phrase("control")
    return sentence(start, good, "to be", what), sentence(start, bad, "to be", what)


@CONTROL.paradigm("word")
def there_as_raised_object(speak: Speaker) -> tuple[str, str]:
    """Anna expected / persuaded there to be a dog in the park."""
    subject, (what, _) = speak.person(), something_somewhere(speak)
    tense = speak.pick(("past", "past", "past", "past perfect"))
    good, bad = speak.verb("object_raising"), speak.verb("object_control")
    end = words("there to be", what)
    return with_either(subject, good, bad, tense, end)


@CONTROL.paradigm("word")
def weather_with_raising_adjective(speak: Speaker) -> tuple[str, str]:
    """Tom said that it was likely / eager to rain in the park."""
    if speak.chance(0.2):
        start = "it is"
    else:
        one = speak.person()
        start = words(one, finite(speak.event("say"), one.plural, "past"), "that it was")
    where = speak.phrase(speak.pick(("outdoors", "future")))
    end = words("to", speak.verb("weather").base, where)
    good, bad = speak.phrase("raising"), speak.phrase("control")
    return sentence(start, good, end), sentence(start, bad, end)


@CONTROL.paradigm("word")
def weather_as_raised_object(speak: Speaker) -> tuple[str, str]:
    """Anna expected / persuaded it to be raining in the park."""
    subject = speak.person()
    end = words("it to be", speak.verb("weather").ing, speak.phrase("outdoors"))
    tense = speak.pick(("past", "past", "past perfect"))
    good, bad = speak.verb("object_raising"), speak.verb("object_control")
    return with_either(subject, good, bad, tense, end)


@CONTROL.paradigm("word")
def thing_with_raising_verb(speak: Speaker) -> tuple[str, str]:
    """The lamp seemed / hoped to be expensive."""
    subject = speak.thing(*GOODS, "food", determiner=speak.pick(("the", "his", "her", "their")))
    good, bad = speak.verb("raising"), speak.verb("control")
    tense = speak.pick(("past", "present"))
    end = words("to be", speak.adjective(subject.kind))
    return with_either(subject, good, bad, tense, end)


@CONTROL.paradigm("word")
def tough_adjective(speak: Speaker) -> tuple[str, str]:
    """The car is hard / likely to repair."""
    verb = speak.verb("needy", "tool")
    determiner = speak.pick(("the", "my", "our", "your", "her", "his"))
    subject = speak.thing(*verb.objects, "openable", "artwork", determiner=determiner)
    start = words(subject, speak.pick((is_, was))(subject.plural))
    end = words("to", verb.base)
    good, bad = speak.phrase("tough"), speak.phrase("raising")
    return sentence(start, good, end), sentence(start, bad, end)


@CONTROL.paradigm("word")
def raising_adjective(speak: Speaker) -> tuple[str, str]:
    """Anna is likely / hard to repair this car."""
    subject, deed = speak.person(), speak.deed("strict", "plain", "social")
    start = words(subject, speak.pick((is_, was))(subject.plural))
    end = words("to", deed.verb.base, deed.object)
    good, bad = speak.phrase("raising"), speak.phrase("tough")
    return sentence(start, good, end), sentence(start, bad, end)


@CONTROL.paradigm("word")
def object_of_control_verb(speak: Speaker) -> tuple[str, str]:
    """Anna persuaded / hoped Tom to repair the car."""
    subject, other, deed = speak.person(), speak.person(), speak.deed()
    good, bad = speak.verb("object_control"), speak.verb("to_infinitive")
    tense = speak.pick(("past", "past", "perfect", "might", "will"))
    end = words(other, "to", deed.verb.base, deed.object)
    return with_either(subject, good, bad, tense, end)


@CONTROL.paradigm("word")
def bare_infinitive(speak: Speaker) -> tuple[str, str]:
    """Anna made / forced Tom repair the car."""
    subject, other, deed = speak.person(), speak.person(), speak.deed()
    good, bad = speak.verb("bare"), speak.verb("object_control")
    tense = speak.pick(("past", "past", "will", "might"))
    end = words(other, deed.verb.base, deed.object)
    return with_either(subject, good, bad, tense, end)
