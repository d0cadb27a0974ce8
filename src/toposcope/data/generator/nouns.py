"""Our nouns, names and adjectives, in two halves: words for training and words for testing.

A noun has one kind, which verbs and adjectives select (one eats food and wears garments).
An irregular plural stands behind a slash. No word of one half is in the other.
"""

from __future__ import annotations

PEOPLE = ("person", "woman", "man")
GOODS = ("garment", "furniture", "tool", "breakable", "vehicle", "instrument")
THINGS = (*GOODS, "text", "artwork")

NOUNS = {
    "person": (
        "doctor teacher lawyer farmer student dentist painter neighbor pilot gardener tourist professor "
        "manager sailor dancer librarian carpenter customer reporter musician "
        "child/children policeman/policemen",
        "nurse driver singer writer guest plumber engineer scientist clerk soldier officer tailor visitor "
        "passenger patient baker editor artist person/people fireman/firemen thief/thieves",
    ),
    "woman": (
        "woman/women girl actress",
        "lady waitress policewoman/policewomen businesswoman/businesswomen",
    ),
    "man": ("man/men boy gentleman/gentlemen", "waiter salesman/salesmen businessman/businessmen"),
    "kinswoman": ("sister mother aunt", "daughter niece grandmother"),
    "kinsman": ("brother father uncle", "son nephew grandfather"),
    "animal": (
        "dog horse rabbit goat monkey elephant fox parrot mouse/mice wolf/wolves",
        "cat cow pig duck lion bear tiger kitten goose/geese calf/calves",
    ),
    "food": (
        "apple cake sandwich pizza egg muffin pancake potato/potatoes",
        "pie cookie orange carrot banana burger pear tomato/tomatoes",
    ),
    "mass_food": ("bread cheese rice soup butter", "meat pasta chocolate jam honey"),
    "drink": ("water coffee juice lemonade", "milk tea wine beer"),
    "text": (
        "book letter novel article report magazine poem",
        "story essay newspaper diary postcard biography document",
    ),
    "vehicle": ("car truck bicycle scooter tractor", "van motorcycle taxi jeep bus"),
    "garment": (
        "shirt coat hat sweater jacket scarf/scarves",
        "skirt dress glove sock blouse mitten",
    ),
    "furniture": (
        "lamp chair desk carpet shelf/shelves",
        "table sofa clock bench bookshelf/bookshelves",
    ),
    "tool": ("hammer ladder bucket camera suitcase", "shovel basket umbrella phone backpack knife/knives"),
    "breakable": ("vase plate cup mirror", "bottle mug bowl teapot"),
    "openable": ("door box gate", "window drawer cabinet"),
    "building": (
        "house museum school station castle hotel",
        "church library hospital tower restaurant theater",
    ),
    "artwork": ("painting photo statue", "picture portrait sculpture"),
    "instrument": ("piano guitar drum", "violin flute trumpet"),
    "event": ("noise storm joke accident rumor", "explosion question decision delay mistake"),
}

NAMES = {
    "f": (
        "Anna Julia Laura Alice Helen Lucy Sophie Hannah Martha Sarah Jane Emily Molly Rachel Lisa Susan "
        "Barbara Caroline Linda Karen Monica Teresa Angela Victoria",
        "Maria Emma Clara Nina Olivia Ellen Ruth Eva Kate Charlotte Amelia Nora Margaret Elizabeth "
        "Jennifer Patricia Christine Rebecca Sandra Amanda Nancy Louise Catherine Stella",
    ),
    "m": (
        "Tom Paul Daniel Oliver Henry Arthur Leo Adam Hugo Oscar Samuel Edward Robert Charles Harry Noah "
        "James Michael Kevin Brian Eric Steven Andrew Matthew",
        "Peter David Simon George Martin Max Jacob Felix Ben Victor Thomas Philip Richard Walter Luke "
        "Ethan John William Joseph Anthony Gary Roger Patrick Kenneth",
    ),
}

ADJECTIVES = (
    ((*PEOPLE, "animal"), "young happy hungry nervous", "tired angry quiet thirsty"),
    (PEOPLE, "clever friendly famous polite", "rich honest lazy cheerful"),
    ((*THINGS, "openable", "building"), "new big expensive beautiful", "old small cheap ugly"),
    (("food", "mass_food"), "fresh warm delicious", "cold tasty sweet"),
    (("garment", "furniture", "tool", "vehicle", "openable"), "red green black", "blue white yellow"),
)

OUTDOORS = (
    ("in the park", "near the river", "on the farm", "at the market"),
    ("in the garden", "near the lake", "on the beach", "in the village"),
)
PLACES = (
    (*OUTDOORS[0], "in the kitchen", "at the office", "in the classroom"),
    (*OUTDOORS[1], "at the airport", "at the factory", "in the hallway"),
)
PAST_TIMES = (
    ("yesterday", "last week", "on Monday", "a week ago"),
    ("last night", "this morning", "on Friday", "a month ago"),
)
HABITS = (("every day", "on Mondays", "every week"), ("every morning", "on Fridays", "every month"))
FUTURE_TIMES = (("tomorrow", "next week", "next Monday"), ("tonight", "next month", "next Friday"))
