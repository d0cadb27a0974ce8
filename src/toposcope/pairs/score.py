"""Scoring a benchmark of minimal pairs with selections of heads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toposcope.data.minimal_pairs import PairColumns, Pairs
from toposcope.data.named import pairs_named
from toposcope.errors import InputError
from toposcope.pairs.accuracy import Accuracy, pair_accuracy
from toposcope.pairs.choosers import Committee, Preference, Voter
from toposcope.pairs.measures import pair_spec
from toposcope.pairs.profile import profile_named
from toposcope.pairs.readings import joined
from toposcope.pairs.selection import Selection, shipped_selections
from toposcope.pairs.table import PairTable, is_pair_table, read_and_keep
from toposcope.store import Tell
from toposcope.topology.head import NAME, Head, all_heads

if TYPE_CHECKING:
    from toposcope.models.scope import Scope

Given = Pairs | PairTable | str | Path | Sequence[str | Path]

SCORED_SEED = 1  # of generated pairs that are scored; heads are chosen on those of seed 0


@dataclass(frozen=True, eq=False)
class Scored:
    """What a selection reaches on pairs that it has not seen."""

    selection: Selection
    accuracy: Accuracy
    preference: Preference = field(repr=False)

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        s = self.selection
        chosen = {"method": s.method, "measure": s.measure, "profile": s.profile, "about": s.about}
        return {"selection": chosen, **self.accuracy.facts()}


@dataclass(frozen=True, eq=False)
class Benchmark:
    """What selections reach on the pairs of a table."""

    table: PairTable
    scored: tuple[Scored, ...]

    def facts(self) -> list[dict[str, Any]]:
        """For JSON."""
        return [one.facts() for one in self.scored]

    def to_parquet(self, path: str | Path) -> None:
        """Write every pair with its readings, and what each selection says of it."""
        more = {
            f"{what}: {k}. {one.selection.name}": getattr(one.preference, f"{what}s")
            for k, one in enumerate(self.scored, start=1)
            for what in ("credit", "margin")
        }
        self.table.to_parquet(path, **more)


def score_benchmark(
    data: Given,
    model: str | Path | Scope = "bert-base-cased",
    *,
    heads: Sequence[str | Selection] | None = None,
    measure: str = "h0m",
    profile: str = "strict",
    drop_seen: bool = False,
    everything: bool = False,
    work: Path | None = None,
    tell: Tell = lambda _: None,
) -> Benchmark:
    """How often heads prefer the good sentence of minimal pairs: what ``toposcope pairs score`` does.

    Parameters
    ----------
    data : Pairs, a PairTable, or names
        Files, folders, ``generated:50``. A table was read already and needs no model.
    model : str or Scope
        What ``ts.load`` takes, or what it gave.
    heads : Selections, or names
        Files, selections that ship, ``all``, or a head such as ``L8.H0``; by default what ships.
    measure, profile : str
        For ``all`` and single heads: h0m, h0s or rtd; strict, published, paper or notebook.
    drop_seen : bool
        Leave out the pairs that the heads were chosen on; they are refused else.
    everything : bool
        Read all heads, not only those that the selections need.
    work : folder
        Where readings are kept, so that a run that is started again goes on.
    tell : function
        Gets a message for each part that is read and kept.

    Examples
    --------
    >>> found = score_benchmark("blimp/data", heads=["bert-base-cased/weighted", "L8.H0"])  # doctest: +SKIP
    >>> found.scored[0].accuracy.overall  # doctest: +SKIP
    """
    table = given_pairs(data, seed=SCORED_SEED)
    if isinstance(table, PairTable):
        selections = selections_named(heads, measure, profile, table.heads, table.about)
    else:
        from toposcope.models.load import scope_of

        scope = scope_of(model)
        places = all_heads(scope.layers, scope.heads)
        selections = selections_named(heads, measure, profile, places, scope.provenance)
        needed = None if everything else sorted({head for s in selections for head in s.chooser.heads()})
        spec = joined(s.spec for s in selections)
        table = read_and_keep(scope, table, spec, needed, work=work, tell=tell)
    for selection in selections if drop_seen else ():
        table = table.without(selection.seen, "the heads were chosen on it")
    return Benchmark(table, tuple(score_pairs(table, selection) for selection in selections))


def given_pairs(
    data: Given, columns: PairColumns | None = None, seed: int = 0, *, strict: bool = False
) -> Pairs | PairTable:
    """Pairs as they are, those of names as in ``pairs_named``, or a table of pairs read before."""
    if isinstance(data, Pairs | PairTable):
        return data
    names = [data] if isinstance(data, str | Path) else list(data)
    if len(names) == 1 and is_pair_table(names[0]):
        return PairTable.from_parquet(names[0])
    return pairs_named(names, columns, seed, strict=strict)


def selections_named(
    names: Sequence[str | Selection] | None,
    measure: str,
    profile: str,
    heads: Sequence[Head],
    about: Mapping[str, Any],
) -> list[Selection]:
    """Selections as they are, files, shipped ones, ``all``, or heads such as ``L8.H0``, for a model.

    By default those that ship for its weights, else all heads. ``heads`` and ``about`` are the model's,
    as a table of pairs has them.
    """
    if not names:
        shipped = [Selection.load(name) for name in shipped_selections(f"{about['model']}/")]
        if fitting := [s for s in shipped if s.fingerprint == about["fingerprint"]]:
            return fitting
    chosen = [
        name
        if isinstance(name, Selection)
        else _plain(name, measure, profile, heads, about) or Selection.load(name)
        for name in names or ["all"]
    ]
    for selection in chosen:
        selection.check_model(about["model"], about["fingerprint"])
    return chosen


def _plain(
    name: str, measure: str, profile: str, heads: Sequence[Head], about: Mapping[str, Any]
) -> Selection | None:
    """All heads, or a single one, without any choice."""
    single = Head.parse(name) if NAME.fullmatch(name) else None
    if name != "all" and single is None:
        return None
    voters = tuple(Voter(head) for head in heads)
    if single is not None:
        voters = tuple(voter for voter in voters if voter.head == single)
        if not voters:
            raise InputError(f"head {name}: the model has none such, its last is {heads[-1]}.")
    spec = pair_spec(measure, profile_named(profile), bool(about["causal"]))
    if len(spec.columns) > 1:
        raise InputError(f"measure {measure!r}: heads vote on one reading, e.g. h0m or rtd.")
    committee = Committee(spec.columns[0], voters, profile_named(profile).ties)
    return Selection(name, measure, profile, committee, spec, about["model"], about["fingerprint"])


def score_pairs(table: PairTable, selection: Selection) -> Scored:
    """What a selection reaches on a table of pairs, none of which it was chosen on."""
    if not len(table):
        raise InputError(f"{table.pairs.name}: no pairs are left to score.")
    selection.check_unseen(table.pairs)
    preference = selection.prefer(table)
    return Scored(selection, pair_accuracy(preference.credits, table.pairs, preference.ties), preference)
