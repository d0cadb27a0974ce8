"""Files are the same for the same picture, texts in them are texts, and no figure stays open."""

import base64
import re
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from toposcope import figures
from toposcope.errors import InputError
from toposcope.figures.canvas import axes, dress, html_picture, legend, save, sheet
from toposcope.figures.palette import DARK


def picture(shown=False):
    figure = sheet(3, 2, "dark", shown)
    axis = figure.subplots()
    dress(axis, "dark")
    axis.plot([0, 1], [1, 0], label="a curve")
    axis.set_title("what it shows")
    legend(axis, "dark")
    return figure


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_the_same_bytes(tmp_path, kind):
    for name in ("one", "two"):
        save(picture(), tmp_path / f"{name}.{kind}")
    first = (tmp_path / f"one.{kind}").read_bytes()
    assert first == (tmp_path / f"two.{kind}").read_bytes()
    assert len(first) > 1000


def test_texts_of_an_svg_can_be_read(tmp_path):
    save(picture(), tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    assert {"what it shows", "a curve"} <= set(re.findall(r"<text[^>]*>([^<]+)</text>", text))
    assert DARK.background.lower() in text
    assert DARK.ink.lower() in text
    assert "<dc:date>" not in text


def test_no_figure_stays_open(tmp_path):
    before = plt.get_fignums()
    picture()
    assert plt.get_fignums() == before
    save(picture(shown=True), tmp_path / "a.png")
    image = html_picture(lambda: axes(1, 1))
    assert plt.get_fignums() == before
    data = re.fullmatch(r'<img src="data:image/png;base64,(.+)"/>', image)[1]
    assert base64.b64decode(data).startswith(b"\x89PNG")


def test_themes_are_two():
    with pytest.raises(InputError, match="theme='sepia': accepted are 'light' and 'dark'"):
        sheet(1, 1, "sepia")


def test_matplotlib_waits_until_something_is_drawn():
    names = sorted(path.stem for path in Path(figures.__file__).parent.glob("*.py"))
    modules = ", ".join(f"toposcope.figures.{name}" for name in names if name != "__init__")
    program = f"import sys, {modules}; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_only_the_lines_that_were_asked_for():
    axis = sheet(2, 2).subplots()
    dress(axis, "dark", spines=("bottom",))
    assert [name for name, line in axis.spines.items() if line.get_visible()] == ["bottom"]
