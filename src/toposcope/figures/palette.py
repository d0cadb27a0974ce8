"""The colours of every picture, on white and on a dark page.

Marks can be told from the background (contrast 3 and more, texts 4.5) and from each other, also by those
who see no difference between red and green: blue against orange is the pair for two sides, and what is
alike in hue (orange and gold, say) differs in lightness. tests/figures/test_palette.py measures it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from toposcope.errors import InputError

if TYPE_CHECKING:
    from matplotlib.colors import Colormap

Theme = Literal["light", "dark"]


@dataclass(frozen=True)
class Marks:
    """Colours of what is drawn, as #RRGGBB."""

    muted: str  # axes, second texts, what is there to compare with
    blue: str
    orange: str
    green: str
    purple: str
    gold: str

    @property
    def accents(self) -> tuple[str, ...]:
        """Colours for things side by side, in the order in which they are given out."""
        return self.blue, self.orange, self.green, self.purple, self.gold

    def bar(self, name: str) -> str:
        """Colour of the bars of a barcode: H0 yellow, H1 blue, RTD orange, as in the paper."""
        return {"H0": self.gold, "H1": self.blue, "RTD": self.orange}.get(name, self.muted)


@dataclass(frozen=True)
class Palette(Marks):
    """All colours of a page; maps go from least to most."""

    background: str
    ink: str  # texts
    faint: str  # what only separates
    sequential: tuple[str, ...]
    diverging: tuple[str, ...]

    @property
    def strength(self) -> Colormap:
        """Colour map from nothing (the background) to all."""
        return _blended("strength", self.sequential)

    @property
    def sides(self) -> Colormap:
        """Colour map from orange (b) over nothing to blue (a)."""
        return _blended("sides", self.diverging)


LIGHT = Palette(
    background="#FFFFFF",
    ink="#1B1F24",
    faint="#E1E6EB",
    muted="#59636E",
    blue="#0072B2",
    orange="#A84300",
    green="#00664B",
    purple="#B565A0",
    gold="#B88B00",
    sequential=("#FFFFFF", "#B7D7EA", "#5BA3CF", "#0072B2", "#0A3357"),
    diverging=("#A84300", "#E0A883", "#F7F7F7", "#86B9D9", "#0072B2"),
)
DARK = Palette(
    background="#14171A",
    ink="#E6EAEE",
    faint="#2B3238",
    muted="#A6B0BA",
    blue="#4AA3E0",
    orange="#E8652A",
    green="#5FD9B5",
    purple="#C77DB5",
    gold="#F0D24A",
    sequential=("#14171A", "#173A57", "#22699C", "#4AA3E0", "#CDE7FA"),
    diverging=("#E8652A", "#7D4128", "#262A2E", "#2B587A", "#4AA3E0"),
)
PALETTES: dict[Theme, Palette] = {"light": LIGHT, "dark": DARK}


def palette(theme: Theme) -> Palette:
    """The colours of a theme."""
    if theme not in PALETTES:
        raise InputError(f"theme={theme!r}: accepted are 'light' and 'dark'.")
    return PALETTES[theme]


#: For pieces of HTML that do not know what page they will stand on: to be seen on white and on dark.
ANYWHERE = Marks(
    muted="#7A828A", blue="#2A6FBB", orange="#C2501F", green="#1F8A63", purple="#A35C93", gold="#9A7A14"
)


def _blended(name: str, colours: tuple[str, ...]) -> Colormap:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list(name, colours)
