"""Where pictures are drawn and how they are kept: figures in a theme, files that come out the same."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toposcope.errors import told_if_missing
from toposcope.figures.lettering import lettering
from toposcope.figures.palette import Palette, Theme, palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SMALL = 8  # points; no text is smaller
# parts are not named by chance, and texts stay texts
SAME_TWICE = {"svg.hashsalt": "toposcope", "svg.fonttype": "none"}
WITHOUT_DATE = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
PIXELS_PER_INCH = 90  # in notebooks


def check_drawing() -> None:
    """Say how to get what draws, if it is not there."""
    with told_if_missing():
        import matplotlib  # noqa: F401, it will be needed


def sheet(width: float, height: float, theme: Theme = "light", shown: bool = False) -> Figure:
    """An empty figure, in inches.

    ``shown`` asks pyplot for it, so that notebooks and windows show it without being told to. Other
    figures belong to nobody but the caller, and threads can draw them.
    """
    check_drawing()
    colour = palette(theme).background
    if shown:
        import matplotlib.pyplot as plt

        return plt.figure(figsize=(width, height), layout="constrained", facecolor=colour)
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained", facecolor=colour)


def axes(width: float, height: float, theme: Theme = "light") -> Axes:
    """The axes of a figure that is shown."""
    return sheet(width, height, theme, shown=True).subplots()


def dress(axis: Axes, theme: Theme = "light", spines: Sequence[str] = ("left", "bottom")) -> Palette:
    """Give axes the colours of a theme and only some of their four lines; return the colours."""
    colours = palette(theme)
    axis.set_facecolor(colours.background)
    axis.tick_params(color=colours.muted, labelcolor=colours.ink)
    for text in (axis.title, axis.xaxis.label, axis.yaxis.label):
        text.set_color(colours.ink)
    axis.spines[:].set_visible(False)
    for name in spines:
        axis.spines[name].set(visible=True, color=colours.muted)
    return colours


def scale(image: Any, theme: Theme, **options: Any) -> None:
    """The scale of an image's colours beside it."""
    bar = image.axes.figure.colorbar(image, ax=image.axes, fraction=0.046, **options)
    dress(bar.ax, theme, spines=())
    bar.outline.set_visible(False)


def legend(axis: Axes, theme: Theme, **options: Any) -> None:
    """A legend without a frame."""
    axis.legend(frameon=False, labelcolor=palette(theme).ink, **options)


def title(axis: Axes, text: str, **options: Any) -> None:
    """A title in any script."""
    (drawable,), family = lettering([text])
    axis.set_title(drawable, family=family, **options)


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure to a file, the same bytes for the same picture, and close it."""
    import matplotlib
    import matplotlib.pyplot as plt

    with matplotlib.rc_context(SAME_TWICE):
        figure.savefig(path, metadata=WITHOUT_DATE.get(Path(path).suffix))
    plt.close(figure)


def html_picture(draw: Callable[[], Axes]) -> str:
    """What ``draw`` draws as an HTML image, without leaving a figure open; or how to get what draws."""
    try:
        check_drawing()
    except ModuleNotFoundError as error:
        return f"<small>A picture: {error}</small>"
    import matplotlib.pyplot as plt

    figure = draw().get_figure(root=True)
    assert figure is not None
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=PIXELS_PER_INCH)
    plt.close(figure)
    return f'<img src="data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"/>'
