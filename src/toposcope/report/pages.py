"""Pages that are written piece by piece, on different days and machines."""

import re
from pathlib import Path

from toposcope.files import whole


def write_page(path: Path, text: str) -> Path:
    """Write a page, whole or not at all."""
    with whole(path) as place:
        place.write_text(text, encoding="utf-8")
    return path


def sections_with(mark: str, page: str) -> dict[str, str]:
    """The sections of a page that hold a mark, by their headings."""
    parts = [part.strip() for part in re.split(r"^(?=## )", page, flags=re.MULTILINE)]
    return {part.partition("\n")[0]: part for part in parts if mark in part}
