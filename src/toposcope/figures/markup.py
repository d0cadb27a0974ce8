"""Values as small pieces of HTML for notebooks: escaped, in the page's own colours, without other files."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from toposcope.figures.palette import ANYWHERE

FOR, AGAINST = ANYWHERE.blue, ANYWHERE.orange
WIDTH, HEIGHT = 120, 10  # of a bar, in pixels
LEFT = ' style="text-align: left"'


@dataclass(frozen=True)
class Bar:
    """A share of one as a bar, maybe with a mark; a negative one has the colour of what is against."""

    share: float
    mark: float | None = None

    def __str__(self) -> str:
        long, colour = WIDTH * min(abs(self.share), 1.0), FOR if self.share >= 0 else AGAINST
        line = ""
        if self.mark is not None:
            at = f"{WIDTH * min(max(self.mark, 0.0), 1.0):.1f}"
            line = f'<line x1="{at}" x2="{at}" y1="0" y2="{HEIGHT}" stroke="currentColor"/>'
        return (
            f'<svg width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{self.share:.2f}">'
            f'<rect width="{long:.1f}" height="{HEIGHT}" fill="{colour}"/>{line}</svg>'
        )


def table(rows: Iterable[Sequence[object]], title: str = "", head: Sequence[str] = ()) -> str:
    """A table of texts and bars; all texts are escaped."""
    caption = f"<caption{LEFT}>{html.escape(title)}</caption>" if title else ""
    lines = [("th", head), *(("td", row) for row in rows)] if head else [("td", row) for row in rows]
    return f"<table>{caption}{''.join(_row(tag, cells) for tag, cells in lines)}</table>"


def _row(tag: str, cells: Sequence[object]) -> str:
    shown = (str(cell) if isinstance(cell, Bar) else html.escape(str(cell)) for cell in cells)
    return f"<tr>{''.join(f'<{tag}{LEFT}>{cell}</{tag}>' for cell in shown)}</tr>"
