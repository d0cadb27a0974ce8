"""What can be known to be wrong before torch, which takes seconds to come, is asked for anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from toposcope.errors import InputError

if TYPE_CHECKING:
    from toposcope.judge.evidence import Evidence
    from toposcope.pairs.readings import PairSpec
    from toposcope.pairs.selection import Selection

LAYERS = 1000  # of a model that is not known yet


def given_on_the_command_line(ctx: typer.Context, names: Sequence[str]) -> str | None:
    """The first of some options that was given, as it is written there."""
    sources = {name: ctx.get_parameter_source(name) for name in names}
    given = (name for name, source in sources.items() if source and source.name == "COMMANDLINE")
    return next((f"--{name.replace('_', '-')}" for name in given), None)


def check_model(name: str) -> None:
    """Refuse a name that no model can have, and a folder that holds none."""
    from toposcope.weights.resolve import local

    if name != "auto":
        local(name)


def reference_of(model: str) -> str:
    """What a table calls a model of this name: the folder, if it is one."""
    from toposcope.weights.resolve import local

    here = local(model)
    return model if here is None else here.reference


def check_match(match: str) -> None:
    """Refuse a way of matching tokens that is not known."""
    from toposcope.pairs.readings import MATCHES

    accepted = MATCHES[1:]  # RTD needs graphs of one size
    if match not in accepted:
        raise InputError(f"match={match!r}: accepted are {', '.join(accepted)}.")


def check_measure(measure: str, profile: str, *, votes: bool) -> PairSpec:
    """What a measure reads; refused if it is not known, or several columns where heads vote on one."""
    from toposcope.pairs.measures import pair_spec
    from toposcope.pairs.profile import profile_named

    spec = pair_spec(measure, profile_named(profile), False)
    if votes and len(spec.columns) > 1:
        raise InputError(f"measure {measure!r}: heads vote on one reading, e.g. h0m or rtd.")
    return spec


def check_heads(
    ctx: typer.Context, heads: Sequence[str] | None, measure: str, profile: str
) -> list[Selection]:
    """The selections among names of heads; --measure and --profile are refused where they say nothing."""
    from toposcope.pairs.selection import Selection
    from toposcope.topology.head import NAME

    check_measure(measure, profile, votes=True)
    named = [name for name in heads or [] if name != "all" and not NAME.fullmatch(name)]
    if len(named) == len(heads or []) and (idle := given_on_the_command_line(ctx, ("measure", "profile"))):
        raise InputError(
            f"{idle} is for `all` and single heads, a selection has its own: add --heads all or a head."
        )
    return [Selection.load(name) for name in named]


def check_features(features: str, *, tuned: bool, heads: int) -> Evidence:
    """Words for evidence; the layers that they name are not looked at before the model is there."""
    from toposcope.judge.evidence import Evidence

    evidence = Evidence.parse(features, LAYERS)
    if evidence.lm and not tuned:
        raise InputError("lm is the word of a tuned model: add --tune lora, or leave lm out.")
    if heads and evidence.spec is None:
        raise InputError(f"heads={heads}: the features look at no heads. Add h0m, tda or topology.")
    return evidence
