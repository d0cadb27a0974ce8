"""Our verbs by frame, in two halves like the nouns.

A row: the kinds of nouns that may be the object, words for training, words for testing. Irregular verbs
stand as base/past/participle. Verbs of states have rows of their own, in ``STATIVE``.
"""

from __future__ import annotations

from toposcope.data.generator.nouns import GOODS, PEOPLE, THINGS

Rows = tuple[tuple[tuple[str, ...], str, str], ...]
PORTABLE = ("tool", "breakable", "text", "garment")

VERBS: dict[str, Rows] = {
    # Never with an object; the subject is a person.
    "intransitive": (
        (
            (),
            "smile laugh sneeze cough giggle faint sleep/slept/slept complain",
            "yawn snore blush shiver weep/wept/wept hesitate apologize wait",
        ),
    ),
    # Never with an object; the subject is anybody or anything.
    "vanish": (((), "vanish fall/fell/fallen arrive", "disappear remain emerge"),),
    # The vase broke, somebody broke the vase.
    "causative": (
        (("breakable",), "break/broke/broken crack", "shatter smash"),
        (("openable",), "open", "close"),
        (("vehicle",), "stop", "start"),
        (("garment",), "tear/tore/torn", "dry"),
        (("food",), "burn", "freeze/froze/frozen"),
    ),
    # Fine with and without an object.
    "optional": (
        (("food", "mass_food"), "eat/ate/eaten", "cook"),
        (("text",), "read/read/read", "write/wrote/written"),
        (("drink",), "", "drink/drank/drunk"),
        (("vehicle",), "drive/drove/driven", ""),
        (("furniture", "building"), "paint", ""),
        (("instrument",), "play", "practice"),
        (("animal",), "", "draw/drew/drawn"),
    ),
    # Hardly ever without an object.
    "strict": (
        (GOODS, "repair damage inspect", "fix ruin examine"),
        (
            THINGS,
            "find/found/found buy/bought/bought borrow",
            "discover steal/stole/stolen take/took/taken",
        ),
        (("garment",), "wear/wore/worn", "mend"),
        (("food", "mass_food"), "devour", "swallow"),
        (("food",), "slice", ""),
        (("building",), "demolish", "renovate"),
        (("animal",), "chase", "rescue"),
    ),
    # Not even in the shortest talk without an object.
    "needy": (
        (GOODS, "find/found/found damage describe", "fix ruin take/took/taken"),
        (PEOPLE, "thank blame", "praise welcome rescue"),
    ),
    # With an object; without one some people would say it.
    "plain": (
        (("text",), "publish translate", "edit print"),
        (("vehicle",), "park rent", "sell/sold/sold wash"),
        (("building",), "visit build/built/built", "enter design"),
        (("instrument",), "carry", "tune"),
        (("drink",), "pour", "sip"),
        (("food", "mass_food"), "order", "serve"),
        (
            PORTABLE,
            "hide/hid/hidden carry choose/chose/chosen drop",
            "hold/held/held throw/threw/thrown clean",
        ),
    ),
    # Done again and again, with any of its kind.
    "routine": (
        (("food",), "eat/ate/eaten order", "cook serve"),
        (("text",), "read/read/read publish translate", "write/wrote/written edit print"),
        (("vehicle",), "drive/drove/driven repair rent", "fix sell/sold/sold wash"),
        (("furniture",), "repair build/built/built paint", "fix sell/sold/sold design"),
        (("instrument",), "carry repair", "tune clean"),
        (("animal",), "feed/fed/fed", "draw/drew/drawn"),
        (("drink",), "pour", "drink/drank/drunk"),
        (PEOPLE, "thank greet interview", "praise welcome criticize"),
    ),
    # From person to person, hardly ever without an object.
    "social": (
        (
            PEOPLE,
            "thank invite greet blame interview describe",
            "praise hire criticize welcome defend",
        ),
    ),
    # What one may do to oneself.
    "reflexive": (
        (
            PEOPLE,
            "blame hurt/hurt/hurt introduce describe embarrass",
            "praise criticize defend protect help",
        ),
    ),
    # Events, things and persons do it to persons.
    "psych": (
        (PEOPLE, "surprise annoy amuse upset/upset/upset scare", "please shock bore frighten confuse"),
    ),
    "give": (
        (THINGS, "give/gave/given send/sent/sent show/showed/shown", "lend/lent/lent offer sell/sold/sold"),
    ),
    # buy somebody something.
    "benefit": (
        (("food",), "order", "cook"),
        (("garment",), "buy/bought/bought", "knit"),
        (("drink",), "pour", "fetch"),
    ),
    # Like give, but only with "to".
    "donate": ((THINGS, "donate describe return", "display mention reveal"),),
    # Takes a that-clause.
    "say": (((), "say/said/said claim admit", "suspect insist argue"),),
    # Takes a that-clause or a wh-clause.
    "know": (
        ((), "remember realize announce", "notice discover reveal forget/forgot/forgotten learn explain"),
    ),
    # seem to, try to; never "there tries to be".
    "raising": (((), "seem happen", "appear"),),
    "control": (((), "try hope refuse", "decide plan attempt"),),
    # expect there to be, persuade somebody to.
    "object_raising": (((), "expect believe", "want assume"),),
    "object_control": (((), "persuade force invite tell/told/told", "convince encourage remind"),),
    # make somebody go.
    "bare": (((), "make/made/made watch", "let/let/let see/saw/seen"),),
    # hope to go, enjoy going; never "hope somebody to go".
    "to_infinitive": (((), "hope refuse", "decide plan"),),
    "gerund": (((), "enjoy finish", "avoid keep/kept/kept"),),
    # Without its infinitive it still needs "to".
    "wants_to": (((), "expect intend", "want need"),),
    # remember a thing, remember what it was.
    "recall": (((), "remember", "notice discover forget/forgot/forgotten"),),
    # Known to one who says what, not what it is.
    "sluice": (((), "remember know/knew/known", "explain reveal"),),
    # imagine oneself doing.
    "imagine": (((), "imagine", "picture"),),
    "weather": (((), "rain", "snow"),),
    # The participle is an adjective too: a broken vase.
    "participle": (
        (("breakable",), "break/broke/broken", ""),
        (PORTABLE, "hide/hid/hidden", ""),
        (("garment",), "tear/tore/torn", ""),
        (("vehicle", "tool"), "", "steal/stole/stolen"),
        (("food",), "", "freeze/froze/frozen"),
        (("text",), "", "forget/forgot/forgotten"),
    ),
    "leave": (((), "leave/left/left", "escape"),),
    # A clause below it may have an "ever".
    "doubt": (((), "doubt", "deny"),),
}

STATIVE: dict[str, Rows] = {
    "social": ((PEOPLE, "trust admire", "respect like"),),
    "reflexive": ((PEOPLE, "admire", "respect"),),
    "strict": ((THINGS, "own", "need"),),
    "say": (((), "believe", "think/thought/thought"),),
    "know": (((), "know/knew/known", ""),),
    "recall": (((), "know/knew/known", ""),),
    "routine": ((PEOPLE, "trust admire", "respect like"),),
}

# Verbs that need their preposition; the object is a person.
OBLIQUE = (("listen to", "look at", "laugh at"), ("rely on", "talk to", "point at"))

# Adjectives with an infinitive: likely to be there, eager to be there, easy to read.
RAISING_ADJECTIVES = (("likely", "sure"), ("certain", "bound"))
CONTROL_ADJECTIVES = (("eager", "willing"), ("keen", "reluctant"))
TOUGH_ADJECTIVES = (("easy", "hard"), ("difficult", "impossible"))

# A noun that takes a clause, after a verb that could have taken the clause itself.
CLAIMS = (("believe the rumor", "hear the rumor"), ("discover the secret", "mention the secret"))
