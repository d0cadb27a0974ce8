"""Names of what is read for pairs: ``h0m``, ``rtd``, ``topology``, and several joined by "+"."""

from __future__ import annotations

from difflib import get_close_matches

from toposcope.errors import InputError
from toposcope.features.blocks import BLOCKS, PAPER, SMALL
from toposcope.features.spec import FeatureSpec
from toposcope.pairs.profile import Profile
from toposcope.pairs.readings import PairSpec, Reading

READINGS = ("h0m", "h0s", "rtd")
BLOCK_SETS = {"topology": SMALL, "tda": PAPER, **{name: (name,) for name in BLOCKS if name != "h0m"}}


def pair_spec(measure: str, profile: Profile, causal: bool) -> PairSpec:
    """What a measure reads under a profile.

    ``h0m``, ``h0s`` and ``rtd`` are read as the profile has them; ``h0m.max.whole`` and the like say it
    all themselves; ``topology`` (19 columns a head), ``tda`` (57) and single blocks are features.
    """
    readings: dict[Reading, None] = {}
    blocks: dict[str, None] = {}
    for part in measure.split("+"):
        name = part.strip()
        if name in READINGS:
            readings[profile.reading(name, causal)] = None
        elif name in BLOCK_SETS:
            blocks |= dict.fromkeys(BLOCK_SETS[name])
        elif "." in name:
            readings[Reading.parse(name)] = None
        else:
            raise InputError(_unknown(name))
    features = FeatureSpec(tuple(blocks)) if blocks else None
    return PairSpec(tuple(readings), features)


def _unknown(name: str) -> str:
    known = [*READINGS, *BLOCK_SETS]
    near = get_close_matches(name, known, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"measure {name!r}: accepted are {', '.join(known)}, joined by '+'.{hint}"
