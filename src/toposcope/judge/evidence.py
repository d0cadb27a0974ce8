"""What a judge looks at in a sentence: features of heads, hidden states, the tuned model's own word.

Evidence is written as parts joined by "+", each with layers if wanted: ``topology+cls:10-12``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.errors import InputError
from toposcope.facts import Facts
from toposcope.features.blocks import BLOCKS, PAPER, SMALL
from toposcope.features.column import Column, Columns, all_columns
from toposcope.features.spec import FeatureSpec
from toposcope.topology.head import Head, all_heads

if TYPE_CHECKING:
    from toposcope.models.scope import Scope

SETS = {"tda": PAPER, "topology": SMALL} | {block: (block,) for block in BLOCKS}
STATES = ("cls", "mean")
WHOLE = ("pooler", "lm", "length")


@dataclass(frozen=True)
class Evidence:
    """``spec`` of which ``heads`` (all if None), states of the layers in ``cls`` and ``mean`` (layer 0 is
    the embeddings), the pooler's output, the log-odds of the tuned model, the length.
    """

    spec: FeatureSpec | None = None
    heads: tuple[Head, ...] | None = None
    cls: tuple[int, ...] = ()
    mean: tuple[int, ...] = ()
    pooler: bool = False
    lm: bool = False
    length: bool = False

    @classmethod
    def parse(cls, text: str, layers: int) -> Evidence:
        """Evidence from words such as ``topology+cls``, for a model with so many layers."""
        blocks: list[str] = []
        found: dict[str, Any] = {}
        for part in text.split("+"):
            name, _, where = part.strip().partition(":")
            if name in SETS and not where:
                blocks += [block for block in SETS[name] if block not in blocks]
            elif name in STATES:
                usual = range(layers - 2 if name == "cls" else 1, layers + 1)
                found[name] = _layers(where, layers) if where else tuple(k for k in usual if k > 0)
            elif name in WHOLE and not where:
                found[name] = True
            else:
                raise InputError(_unknown(part.strip()))
        return cls(FeatureSpec(tuple(blocks)) if blocks else None, **found)

    def with_heads(self, heads: Sequence[Head]) -> Evidence:
        """The same of some heads only."""
        return replace(self, heads=tuple(Head(*head) for head in heads))

    @property
    def needs_states(self) -> bool:
        """Whether hidden states have to be read."""
        return bool(self.cls or self.mean or self.pooler or self.lm)

    def heads_of(self, layers: int, heads: int) -> list[Head]:
        """The heads that are looked at in a model of this size."""
        if self.spec is None:
            return []
        if self.heads is not None:
            return list(self.heads)
        return all_heads(layers, heads)

    def columns_in(self, scope: Scope) -> int:
        """How many columns it has in a model; refused if that lacks a layer or a head of it."""
        heads, layers = self.heads_of(scope.layers, scope.heads), (*self.cls, *self.mean)
        if (
            max((head.layer for head in heads), default=0) >= scope.layers
            or max((head.index for head in heads), default=0) >= scope.heads
            or max(layers, default=0) > scope.layers
        ):
            raise InputError(
                f"The evidence has heads or layers that {scope.name} lacks, with {scope.layers} layers of "
                f"{scope.heads} heads."
            )
        columns = len(heads) * len(self.spec.columns if self.spec else ())
        return columns + scope.width * (len(layers) + self.pooler) + self.lm + self.length

    def columns(self, heads: Sequence[Head], width: int) -> Columns:
        """The columns in order, such as ``h0m.L8.H0``, ``cls.L12.5``, ``pooler.5``, ``lm``."""
        return self._columns(tuple(heads), width)

    @lru_cache(maxsize=4)  # noqa: B019, evidence is small
    def _columns(self, heads: tuple[Head, ...], width: int) -> Columns:
        states = [f"{kind}.L{layer}" for kind in STATES for layer in getattr(self, kind)]
        states += ["pooler"] if self.pooler else []
        alone = [f"{state}.{k}" for state in states for k in range(width)]
        alone += [name for name in ("lm", "length") if getattr(self, name)]
        return Columns([*all_columns(self.spec.columns if self.spec else (), heads), *map(Column, alone)])

    def parts(self, heads: Sequence[Head], width: int) -> list[np.ndarray]:
        """Places of the columns of each part: blocks of features, kinds of states, lm, length."""
        blocks = self.spec.block_of if self.spec else {}
        kinds: dict[str, list[int]] = {}
        for place, column in enumerate(self.columns(heads, width)):
            kind = blocks[column.feature] if column.head else column.family
            kinds.setdefault(kind, []).append(place)
        return [np.array(places) for places in kinds.values()]

    def to_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Evidence:
        """From what ``to_dict`` gave, through JSON or not."""
        facts = Facts(given, "evidence.")
        spec, heads = facts.maybe("spec"), facts["heads"]
        return cls(
            spec=None if spec is None else FeatureSpec.from_dict(spec.given),
            heads=None if heads is None else tuple(Head(*place) for place in facts.places("heads")),
            cls=facts.counts("cls"),
            mean=facts.counts("mean"),
            pooler=facts.flag("pooler"),
            lm=facts.flag("lm"),
            length=facts.flag("length"),
        )


def _layers(text: str, most: int) -> tuple[int, ...]:
    """Layers of "12", "9-12" or "3,6,9"."""
    chosen: list[int] = []
    for piece in text.split(","):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", piece.strip())
        if not match:
            raise InputError(f"layers {text!r}: accepted are numbers and ranges such as 9-12 or 3,6.")
        low, high = int(match[1]), int(match[2] or match[1])
        if not 0 <= low <= high <= most:
            raise InputError(f"layers {text!r}: accepted are 0 (the embeddings) to {most}.")
        chosen += range(low, high + 1)
    return tuple(dict.fromkeys(chosen))


def _unknown(part: str) -> str:
    known = [*SETS, *STATES, *WHOLE]
    near = get_close_matches(part.partition(":")[0], known, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"features {part!r}: accepted are {', '.join(known)}, joined by '+'.{hint}"
