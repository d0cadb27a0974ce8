"""Our minimal pairs: the same everywhere, different from each other, minimal, and what they claim to be."""

import hashlib
import json
import re
from collections import Counter
from difflib import SequenceMatcher
from itertools import pairwise

import pytest

from toposcope.data.generator import PARADIGMS, PHENOMENA, generate_pairs, write_pairs
from toposcope.data.generator.generate import line, named
from toposcope.data.generator.grammar import finite, negated, question, sentence
from toposcope.data.generator.lexicon import SPLITS, lexicon
from toposcope.data.generator.words import noun, verb
from toposcope.errors import InputError

BLIMP = {
    "anaphor_agreement", "argument_structure", "binding", "control_raising", "determiner_noun_agreement",
    "ellipsis", "filler_gap_dependency", "irregular_forms", "island_effects", "npi_licensing",
    "quantifiers", "subject_verb_agreement",
}  # fmt: skip
ALL = {name: generate_pairs(name, 60, seed=3) for name in PARADIGMS}
every_paradigm = pytest.mark.parametrize("name", PARADIGMS)
GRAMMAR = """
a about after ago all almost always an and another any anything are aren't at be because been before
behind being beside both but by certainly clearly could did didn't do does doesn't don't each even
ever every everybody everyone few fewer five for four from had hadn't has hasn't have haven't he her
hers herself him himself his i in is isn't it itself last least many might mine more most much my
myself near next no nobody none not of often on one only other our ours ourselves probably really
seven several she should six so some somebody something sometimes ten than that the their theirs
them themselves there these they this those three to too two usually was wasn't we were weren't what
when where whether which who whose why will with without would yet your yours
"""  # words that the two halves may share


def spoken(text):
    return re.sub(r"[.?,]", "", text.lower()).split()


def test_twelve_phenomena_and_many_paradigms():
    assert {phenomenon.name for phenomenon in PHENOMENA} == BLIMP
    assert len(PARADIGMS) == sum(len(phenomenon.paradigms) for phenomenon in PHENOMENA) >= 40
    assert all(len(phenomenon.paradigms) >= 3 for phenomenon in PHENOMENA)
    assert all(" / " in paradigm.summary for paradigm in PARADIGMS.values())


def test_a_seed_gives_the_same_bytes_everywhere():
    lines = "".join(line(pair) for name in PARADIGMS for pair in generate_pairs(name, 5, seed=1))
    digest = "2992f8dbd4cd1adc3090befa179f2e4e9758b0e6ed98c8c00bdaf8fc8047e384"
    assert hashlib.sha256(lines.encode()).hexdigest() == digest


@every_paradigm
def test_more_pairs_begin_with_the_fewer(name):
    assert generate_pairs(name, 20, seed=3) == ALL[name][:20]
    assert generate_pairs(name, 20, seed=4) != ALL[name][:20]
    assert generate_pairs(name, 20, seed=3, split="train") != ALL[name][:20]


@every_paradigm
def test_pairs_are_different_sentences(name):
    assert len({(pair.good, pair.bad) for pair in ALL[name]}) == 60
    for pair in ALL[name]:
        assert pair.good != pair.bad
        for text in (pair.good, pair.bad):
            assert re.fullmatch(r"[A-Z][A-Za-z',]*( [A-Za-z',]+)*[.?]", text), text
            assert 5 <= len(text.split()) <= 15, text


@every_paradigm
def test_good_and_bad_are_as_alike_as_the_paradigm_says(name):
    for pair in ALL[name]:
        good, bad = spoken(pair.good), spoken(pair.bad)
        edits = [
            o for o in SequenceMatcher(None, good, bad, autojunk=False).get_opcodes() if o[0] != "equal"
        ]
        contrast = PARADIGMS[name].contrast
        if contrast in ("form", "word"):
            assert len(good) == len(bad)
            assert sum(a != b for a, b in zip(good, bad, strict=True)) == 1, pair
        elif contrast == "order":
            assert Counter(good) == Counter(bad), pair
        elif contrast == "length":
            assert len(edits) == 1, pair
            assert abs(len(good) - len(bad)) <= 4, pair
        else:
            assert sum(max(b - a, d - c) for _, a, b, c, d in edits) <= 6, pair


@every_paradigm
def test_a_and_an(name):
    for pair in ALL[name]:
        for text in (pair.good, pair.bad):
            plain = text.lower().replace("an honest", "a good")
            assert not re.search(r"\b(a [aeiou]|an [^aeiou]|a honest)", plain), text


def test_halves_share_no_open_class_word():
    train, test = (
        {
            word
            for name in PARADIGMS
            for pair in generate_pairs(name, 60, split=split)
            for word in spoken(f"{pair.good} {pair.bad}")
        }
        for split in ("train", "test")
    )
    assert train & test <= set(GRAMMAR.split())
    assert len(train - test) > 300
    assert len(test - train) > 300


def subject_number(words):
    """Number of a subject that begins a sentence, as far as its first words tell."""
    if words[0] in ("these", "those", "two", "several", "some", "many"):
        return "plural"
    if words[0] in ("this", "that", "a", "an", "every", "each"):
        return "singular"
    return None


def test_auxiliaries_agree_with_subjects():
    checked = 0
    for name in ("auxiliary_after_subject", "verb_after_irregular_subject", "verb_after_subject"):
        for pair in ALL[name]:
            words = spoken(pair.good)
            number, auxiliary = subject_number(words), words[2].removesuffix("n't")
            if number and auxiliary in ("is", "was", "has", "does", "are", "were", "have", "do"):
                checked += 1
                assert (auxiliary in ("are", "were", "have", "do")) == (number == "plural"), pair.good
    assert checked > 30


def test_demonstratives_agree_with_nouns():
    plurals = {n.plural: n.singular for group in lexicon().nouns.values() for n in group if n.plural}
    singulars = set(plurals.values())
    checked = 0
    for pairs in ALL.values():
        for pair in pairs:
            words = spoken(pair.good)
            for determiner, word in pairwise(words):
                if determiner in ("these", "those", "two", "several"):
                    checked += word in plurals
                    assert word not in singulars, pair.good
                elif determiner in ("this", "every", "each", "another", "a", "an"):
                    checked += word in singulars
                    assert word not in plurals, pair.good
    assert checked > 1000


def test_reflexives_agree_with_names():
    genders = {name.word.lower(): gender for gender, names in lexicon().names.items() for name in names}
    for pair in ALL["anaphor_gender"]:
        gender = genders.get(spoken(pair.good)[0])
        if gender:
            assert {"f": "herself", "m": "himself"}[gender] in spoken(pair.good)
            assert {"f": "himself", "m": "herself"}[gender] in spoken(pair.bad)


def test_a_form_belongs_to_one_half():
    forms = {}
    for split in ("train", "test"):
        words = lexicon(split)
        verbs = {
            f for frame in words.verbs.values() for v in frame for f in (v.base, v.third, v.past, v.ing)
        }
        nouns = {f for group in words.nouns.values() for n in group for f in (n.singular, n.plural)}
        names = {name.word for group in words.names.values() for name in group}
        forms[split] = verbs | nouns | names | {a.word for a in words.adjectives}
    assert forms["train"] & forms["test"] <= {""}


def test_every_word_has_company():
    for split in SPLITS:
        words = lexicon(split)
        kinds = set(words.nouns)
        assert all(words.verbs.values())
        assert all(words.phrases.values())
        assert all(set(v.objects) <= kinds for frame in words.verbs.values() for v in frame)
        assert all(set(a.kinds) <= kinds for a in words.adjectives)


@pytest.mark.parametrize(
    ("base", "forms"),
    [
        ("carry", "carries carried carried carrying"),
        ("stop", "stops stopped stopped stopping"),
        ("smash", "smashes smashed smashed smashing"),
        ("play", "plays played played playing"),
        ("hire", "hires hired hired hiring"),
        ("eat/ate/eaten", "eats ate eaten eating"),
    ],
)
def test_forms_of_verbs(base, forms):
    found = verb(base)
    assert [found.third, found.past, found.participle, found.ing] == forms.split()


def test_forms_of_nouns():
    assert [noun(n, "tool").plural for n in ("box", "diary", "toy", "knife/knives")] == [
        "boxes", "diaries", "toys", "knives",
    ]  # fmt: skip
    assert noun("milk", "drink").plural == ""
    assert [noun(n, "tool").irregular for n in ("box", "potato/potatoes", "mouse/mice")] == [
        False,
        False,
        True,
    ]


def test_tenses_and_sentences():
    eat = verb("eat/ate/eaten")
    tenses = ("present", "past", "perfect", "past perfect", "progressive", "past progressive", "might")
    assert [str(finite(eat, False, tense)) for tense in tenses] == [
        "eats", "ate", "has eaten", "had eaten", "is eating", "was eating", "might eat",
    ]  # fmt: skip
    assert str(finite(eat, True, "present")) == "eat"
    assert sentence("a", "", "old man eats a honest egg") == "An old man eats an honest egg."
    assert question("did a", "uniform", "tear") == "Did a uniform tear?"
    assert [negated(a) for a in ("will", "has")] == ["won't", "hasn't"]


def test_rows_are_blimps():
    row = generate_pairs("anaphor_gender", 3)[2].row()
    assert row["linguistics_term"] == "anaphor_agreement"
    assert (row["field"], row["UID"], row["pairID"]) == ("morphology", "anaphor_gender", "2")
    assert [row[f"{m}_method"] for m in ("simple_LM", "one_prefix", "two_prefix")] == [True, True, False]
    good = f"{row['one_prefix_prefix']} {row['one_prefix_word_good']}"
    assert row["sentence_good"].startswith(good)
    assert "one_prefix_prefix" not in generate_pairs("adjunct_island", 1)[0].row()
    assert generate_pairs("adjunct_island", 1)[0].row()["lexically_identical"] is True


def test_written_by_paradigm_or_at_once(tmp_path):
    pairs = [p for name in ("anaphor_gender", "adjunct_island") for p in generate_pairs(name, 4)]
    files = write_pairs(pairs, tmp_path / "pairs")
    assert [f.name for f in files] == ["anaphor_gender.jsonl", "adjunct_island.jsonl"]
    assert write_pairs(pairs, tmp_path / "all.jsonl") == [tmp_path / "all.jsonl"]
    apart = "".join(f.read_text() for f in files)
    assert (tmp_path / "all.jsonl").read_text() == apart
    assert [json.loads(text)["sentence_good"] for text in apart.splitlines()] == [p.good for p in pairs]
    with pytest.raises(InputError, match=r"pairs.tsv: accepted are a folder or a name that ends in .jsonl"):
        write_pairs(pairs, tmp_path / "pairs.tsv")
    (tmp_path / "taken").write_text("")
    with pytest.raises(InputError, match="is a file"):
        write_pairs(pairs, tmp_path / "taken")


def test_names_of_paradigms_and_phenomena():
    assert named(None) == list(PARADIGMS)
    assert named(["binding", "reflexive_as_subject"]) == [p.name for p in PHENOMENA[2].paradigms]
    with pytest.raises(InputError, match="'syntax' is neither a phenomenon nor a paradigm: accepted are"):
        named(["syntax"])


def test_what_cannot_be_made():
    with pytest.raises(InputError, match="paradigm 'x': accepted are anaphor_gender,"):
        generate_pairs("x", 1)
    with pytest.raises(InputError, match="split 'dev': accepted are all, train, test"):
        generate_pairs("anaphor_gender", 1, split="dev")
    with pytest.raises(InputError, match="count=-1"):
        generate_pairs("anaphor_gender", -1)
    with pytest.raises(InputError, match=r"anaphor_person: found \d+ different pairs of the split 'test'"):
        generate_pairs("anaphor_person", 100_000, split="test")
