"""Results: rows for programs, tables for people, files that are either whole or not there."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from toposcope.files import whole

REACHED, MISSED, DISAGREES = "reached", "missed", "disagrees"


@dataclass(frozen=True)
class Row:
    """One measurement.

    ``ratio`` is how many times longer a peer takes than we do (in our own row: the peer that the
    target names), or the speed-up where threads are compared.
    """

    job: str
    n: int | None
    tool: str
    microseconds: float | None = None
    ratio: float | None = None
    target: str | None = None
    verdict: str | None = None
    threads: int | None = None
    maps: int | None = None
    bytes_per_entry: float | None = None
    note: str | None = None


@dataclass(frozen=True)
class Section:
    """A table with its title and what to know before reading it."""

    title: str
    remark: str
    header: Sequence[str]
    cells: Sequence[Sequence[str]]
    rows: Sequence[Row]
    notes: Sequence[str] = field(default_factory=list)


def verdict(reached: bool) -> str:
    """In a word."""
    return REACHED if reached else MISSED


def number(value: float | None, digits: int = 3) -> str:
    """Short and readable: three digits, thousands apart; a dash for nothing."""
    if value is None:
        return "-"
    decimals = max(0, digits - len(str(int(abs(value)))))
    return f"{value:,.{decimals}f}"


def as_text(section: Section) -> str:
    """For the terminal."""
    table = [section.header, *section.cells]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join(cell.rjust(w) for cell, w in zip(line, widths, strict=True)) for line in table]
    lines.insert(1, "  ".join("-" * w for w in widths))
    notes = [f"note: {note}" for note in section.notes]
    return "\n".join(["", section.title, section.remark, "", *lines, *notes])


def as_markdown(section: Section, measured: str) -> str:
    """For a page."""
    table = [section.header, ["---:"] * len(section.header), *section.cells]
    lines = [f"| {' | '.join(line)} |" for line in table]
    notes = ["", *(f"- {note}" for note in section.notes)] if section.notes else []
    remark = f"{section.remark} Measured {measured}."
    return "\n".join([f"## {section.title}", "", remark, "", *lines, *notes, ""])


def write(out: Path, machine: dict[str, Any], sections: Sequence[Section]) -> None:
    """OUT/bench.json, with what was measured now, and OUT/bench.md, where tables of other runs stay."""
    rows = [{k: v for k, v in asdict(row).items() if v is not None} for s in sections for row in s.rows]
    notes = [note for section in sections for note in section.notes]
    document = {"machine": machine, "rows": rows, "notes": notes}
    with whole(out / "bench.json") as path:
        path.write_text(json.dumps(document, indent=1) + "\n")
    tables = _tables(out / "bench.md") | {s.title: as_markdown(s, machine["date"][:10]) for s in sections}
    facts = "\n".join(f"- {name}: {_fact(value)}" for name, value in machine.items())
    page = ["# Benchmarks", "", "Written by `make bench`; the machine and the last run:", "", facts, ""]
    with whole(out / "bench.md") as path:
        path.write_text("\n".join([*page, *tables.values()]))


def _tables(page: Path) -> dict[str, str]:
    """The tables that a page holds, by title."""
    if not page.exists():
        return {}
    _, *tables = re.split(r"^## ", page.read_text(), flags=re.MULTILINE)
    return {table.partition("\n")[0]: f"## {table.rstrip()}\n" for table in tables}


def _fact(value: Any) -> str:
    return ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else str(value)
