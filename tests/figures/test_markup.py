"""Values in notebooks: small, escaped, without resources, and not in colours of their own paper."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

import toposcope as ts
from tests.models import tiny
from tests.models.toy import LABELS, TEXTS
from toposcope.data.sentences import Sentences
from toposcope.figures.markup import AGAINST, FOR, Bar, table
from toposcope.judge.evidence import Evidence
from toposcope.judge.recipe import Recipe
from toposcope.judge.train import train_judge
from toposcope.judge.verdict import Verdict
from toposcope.models.scope import Scope
from toposcope.topology.barcode import Barcode

EVIL = "<script>alert('a & \"b\"')</script>"
VOID = {"img", "rect", "line"}


class Page(HTMLParser):
    """Tags are closed in order; what is there besides them is text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.said, self.attributes = [], [], "", []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.said += data


@pytest.fixture(scope="module")
def scope():
    model = tiny.build(lambda: tiny.hf.BertForMaskedLM(tiny.hf.BertConfig(**tiny.SMALL)))
    return Scope(model, tiny.wordpieces(), name=EVIL, note=EVIL)


@pytest.fixture(scope="module")
def judge(scope):
    about = {"language": EVIL, "features": EVIL}
    toy = Sentences(tuple(TEXTS), LABELS, EVIL)
    return train_judge(scope, toy, Recipe(Evidence.parse("h0m", scope.layers)), about=about)


@pytest.fixture(scope="module")
def values(scope, judge):
    maps = scope.attention("the cat sleeps.")
    return {
        "verdict": judge(f"the cat {EVIL}"),
        "judge": judge,
        "scope": scope,
        "scores": scope.score([EVIL, "the cat sleeps."]),
        "barcode": Barcode([0.0], [1.0], 0, name=EVIL),
        "barcodes": replace(ts.barcodes(maps), name=EVIL),
        "maps": replace(maps, name=EVIL),
        "comparison": scope.compare(f"the cat {EVIL}", "the dog.", language_model=False),
    }


NAMES = ["verdict", "judge", "scope", "scores", "barcode", "barcodes", "maps", "comparison"]


@pytest.mark.parametrize("name", NAMES)
def test_every_value_shows_itself_without_harm(values, name):
    text = values[name]._repr_html_()
    page = Page(text)
    assert "script" not in page.tags
    assert len(page.tags) > 1
    if name != "comparison":  # that one has the sentences in its picture only
        assert EVIL in page.said
    for attribute, value in page.attributes:
        assert attribute not in ("href", "class", "id", "onload")
        assert attribute != "src" or value.startswith("data:image/png;base64,")
    assert not re.search(r"background|http|<style", text)


def test_what_a_verdict_shows():
    verdict = Verdict("It <rains>.", False, 0.25, 0.5, {"L1.H2": -1.0, "length": 0.5}, ("a & b",))
    text = verdict._repr_html_()
    page = Page(text)
    for part in ("It <rains>.", "not acceptable", "0.25", "0.50", "L1.H2", "-1.00", "+0.50", "a & b"):
        assert part in page.said
    assert str(Bar(0.25, 0.5)) in text
    assert str(Bar(-1.0)) in text
    assert "acceptable" in Page(Verdict("x", True, 0.9, 0.5)._repr_html_()).said


def test_what_a_judge_shows(judge):
    scores = [{"data": "d & d", "chosen threshold": {"mcc": {"value": 0.51234, "low": 0.4, "high": 0.6}}}]
    text = Page(replace(judge, about={**judge.about, "scores": scores})._repr_html_()).said
    for part in ("as it is", judge.fingerprint[:12], "12 columns", "96 sentences", "on d & d"):
        assert part in text
    assert "MCC 0.512 [0.400, 0.600]" in text
    assert "no language told" in Page(replace(judge, about={})._repr_html_()).said


def test_what_scopes_and_scores_show(scope, values):
    said = Page(scope._repr_html_()).said
    for part in ("3 layers x 4 heads", "looks both ways", "up to 40 tokens", "float32 on cpu"):
        assert part in said
    scores = values["scores"]
    said = Page(scores._repr_html_()).said
    for number in (*scores.sum(), *scores.mean(), *scores.penlp()):
        assert f"{number:.2f}" in said
    many = scope.score(["the cat."] * 11)._repr_html_()
    assert many.count("the cat.") == 10
    assert "pll of 11 texts, the first 10 shown" in many
    assert "pll of 2 texts<" in scores._repr_html_()


def test_what_barcodes_show(values):
    bars = values["barcodes"]
    said = Page(bars._repr_html_()).said
    assert repr(bars) in said
    for values_of_graphs in (bars.counts, bars.sum()):
        for pick in (np.min, np.mean, np.max):
            assert f"{pick(values_of_graphs):.4g}" in said
    Page(ts.barcodes(np.zeros((0, 4, 4)))._repr_html_())


def test_a_table_and_its_bars():
    assert table([("a", "<b>")], "t&t", ("x", "y")) == (
        '<table><caption style="text-align: left">t&amp;t</caption>'
        '<tr><th style="text-align: left">x</th><th style="text-align: left">y</th></tr>'
        '<tr><td style="text-align: left">a</td><td style="text-align: left">&lt;b&gt;</td></tr></table>'
    )
    assert f'width="60.0" height="10" fill="{FOR}"' in str(Bar(0.5))
    assert f'width="120.0" height="10" fill="{AGAINST}"' in str(Bar(-3))
    assert "<line" not in str(Bar(0.5))
    assert 'x1="30.0"' in str(Bar(0.5, 0.25))
