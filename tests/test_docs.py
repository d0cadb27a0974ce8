"""The commands that the pages show can be given, and the options that they name are there."""

import re
import shlex
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from toposcope.cli import app

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```[a-z]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`(toposcope [^`]+)`")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]")
MADE_IN_A_HOWTO = {"shape"}  # a verb that is there only while the page is read
OF_OTHERS = {"--install-completion", "--help"}


def commands_of(block):
    """Command lines of ``toposcope`` in a block, as lists of words, without what stands before them."""
    for line in block.replace("\\\n", " ").splitlines():
        if re.match(r"(\S* \S* \| )?(\.venv/bin/)?toposcope\b", line):
            words = shlex.split(line.rpartition("| ")[2], comments=True)
            if words[1] not in MADE_IN_A_HOWTO:
                yield words[1:]


def followed(words):
    """The verb that words begin with, and the words that are left for it."""
    found, context = get_command(app), None
    while isinstance(found, TyperGroup):
        context = found.context_class(found, parent=context, info_name="toposcope")
        _, found, words = found.resolve_command(context, words)
    return found, words


def options_of(command):
    return {name for param in command.params for name in (*param.opts, *param.secondary_opts)} | {"--help"}


def all_options(command=None):
    found = command or get_command(app)
    below = found.commands.values() if isinstance(found, TyperGroup) else ()
    return options_of(found).union(*map(all_options, below))


SHOWN = [
    (page.name, words)
    for page in PAGES
    for block in BLOCK.findall(page.read_text(encoding="utf-8"))
    for words in commands_of(block)
]
NAMED = [
    (page.name, shlex.split(span)[1:])
    for page in PAGES
    for span in INLINE.findall(" ".join(page.read_text(encoding="utf-8").split()))
]


@pytest.mark.parametrize(("page", "words"), SHOWN, ids=str)
def test_a_command_that_is_shown_can_be_given(page, words):
    command, rest = followed(words)
    command.make_context(words[0], rest)  # which reads the words and runs nothing


@pytest.mark.parametrize(("page", "words"), NAMED, ids=str)
def test_a_command_that_is_named_has_its_options(page, words):
    if words[0] in MADE_IN_A_HOWTO | OF_OTHERS:
        return
    command, rest = followed(words)
    assert {word for word in rest if word.startswith("-")} <= options_of(command)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_that_are_named_are_there(page):
    assert set(OPTION.findall(page.read_text(encoding="utf-8"))) <= all_options() | OF_OTHERS


def test_what_is_not_there_is_found():
    assert len(SHOWN) > 25
    assert len(NAMED) > 10
    command, rest = followed(["judge", "A sentence.", "--lessons", "generated:30"])
    with pytest.raises(Exception, match="No such option: --lessons"):
        command.make_context("judge", rest)
    assert "--lessons" not in all_options()
