"""Which features, with which options: a value that can be written down and that measures maps."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import numpy as np

from toposcope.errors import InputError
from toposcope.facts import Facts
from toposcope.features.blocks import BLOCKS, PAPER
from toposcope.topology.attention import AttentionBucket
from toposcope.topology.patterns import Normalisation, check_normalisation
from toposcope.topology.thresholds import CYCLE_CAP, THRESHOLDS

MOST_CYCLES = 1_000_000  # to count: graphs have exponentially many, and nobody waits for them
FLOOR = 1e-3  # weights up to this are zero in the barcodes of the paper's classifier


@dataclass(frozen=True)
class FeatureSpec:
    """Blocks of features and their options; by default the 57 columns a head of the paper.

    It is a measure: ``scope.measure(texts, spec)`` gives (texts, layers, heads, columns).
    """

    blocks: tuple[str, ...] = PAPER
    thresholds: tuple[float, ...] = THRESHOLDS
    cycle_cap: int = CYCLE_CAP
    floor: float = FLOOR
    normalisation: Normalisation = "root"

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", tuple(self.blocks))
        object.__setattr__(self, "thresholds", tuple(map(float, self.thresholds)))
        unknown = [block for block in self.blocks if block not in BLOCKS]
        if unknown or not self.blocks or len(set(self.blocks)) < len(self.blocks):
            accepted = ", ".join(BLOCKS)
            raise InputError(f"blocks={list(self.blocks)}: accepted are, each once, {accepted}.")
        if not self.thresholds or len(set(self.thresholds)) < len(self.thresholds):
            raise InputError(f"thresholds={list(self.thresholds)}: needed are some, each once.")
        facts = Facts(asdict(self), "features.")
        facts.array("thresholds", (len(self.thresholds),))
        facts.number("floor", 0, 1)
        if facts.count("cycle_cap") > MOST_CYCLES:
            raise InputError(f"cycle_cap={self.cycle_cap}: accepted are numbers up to {MOST_CYCLES:,}.")
        check_normalisation(self.normalisation)
        if len(set(self.columns)) < len(self.columns):
            raise InputError(
                f"blocks={list(self.blocks)}: shape holds the columns of sides. Leave sides out."
            )

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns of one head, e.g. ``h0_sum``."""
        return tuple(name for block in self.blocks for name in BLOCKS[block].columns(self))

    @cached_property
    def block_of(self) -> Mapping[str, str]:
        """The block of each column."""
        return {name: block for block in self.blocks for name in BLOCKS[block].columns(self)}

    def __call__(self, bucket: AttentionBucket) -> np.ndarray:
        """The features of a bucket: (texts, heads, columns), float32."""
        blocks = [BLOCKS[block].compute(bucket, self) for block in self.blocks]
        return np.concatenate(blocks, axis=-1, dtype=np.float32)

    def to_json(self) -> str:
        """As JSON, sorted, so that equal specs have equal texts."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> FeatureSpec:
        """From what ``to_json`` wrote; unknown keys are errors."""
        try:
            return cls.from_dict(json.loads(text))
        except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise InputError(f"not a feature spec ({error}): {str(text)[:80]}") from error

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> FeatureSpec:
        """From a mapping of options."""
        known = [f.name for f in fields(cls)]
        for key in given:
            if key not in known:
                near = get_close_matches(key, known, n=1)
                hint = f" Did you mean {near[0]!r}?" if near else ""
                raise InputError(
                    f"{key!r} is no option of features: accepted are {', '.join(known)}.{hint}"
                )
        return cls(**given)
