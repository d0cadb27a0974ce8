"""What is measured: our function, the other tools that do the same, and the speed to reach."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks import ours, peers
from benchmarks.inputs import Pairs, distance_matrices, joint_matrices

OURS = "toposcope"


@dataclass(frozen=True)
class Job:
    """One job. ``prepare`` makes the peers' input, ``total`` the number to compare from their output.

    ``shared`` is by how much our time is divided, because we do more than the others.
    """

    name: str
    ours: Callable[[Pairs, int], Any]
    peers: dict[str, peers.Peer]
    reference: str
    prepare: Callable[[Pairs], list[np.ndarray]]
    total: Callable[[Any], Any]
    targets: dict[int, int]
    remark: str
    shared: int = 1
    notes: list[str] = field(default_factory=list)


def _maps(pairs: Pairs) -> list[np.ndarray]:
    return list(pairs.a)


def _distances(pairs: Pairs) -> list[np.ndarray]:
    return distance_matrices(pairs.a)


H0 = Job(
    name="H0",
    ours=ours.h0,
    peers={
        "ripser.py": peers.ripser_h0,
        "giotto-ph": peers.giotto_h0,
        "gudhi": peers.gudhi_h0,
        "scipy linkage": peers.scipy_linkage,
        "scipy MST": peers.scipy_tree,
        "networkx": peers.networkx_tree,
    },
    reference="ripser.py",
    prepare=_distances,
    total=peers.bar_total,
    targets={11: 100, 512: 35},
    remark="Bars of dimension 0. Ours starts from raw attention, the others from ready distances.",
)
H1 = Job(
    name="H1",
    ours=ours.h1,
    peers={"ripser.py": peers.ripser_h1, "giotto-ph": peers.giotto_h1, "gudhi": peers.gudhi_h1},
    reference="ripser.py",
    prepare=_distances,
    total=peers.bar_total,
    targets={11: 50, 512: 45},
    remark=(
        "Bars of dimension 1. Ours starts from raw attention, the others from ready distances. "
        "gudhi with edge collapse."
    ),
    notes=["scipy and networkx have no H1 bars."],
)
RTD = Job(
    name="RTD",
    ours=ours.rtd,
    peers={"ripser.py": peers.ripser_h1, "giotto-ph": peers.giotto_h1, "gudhi": peers.gudhi_h1},
    reference="ripser.py",
    prepare=joint_matrices,
    total=peers.bar_total,
    targets={11: 110, 512: 250},
    remark=(
        "One direction. Ours computes both from raw attention, so its time is halved; the others get "
        "the ready matrix of the graph with 2n vertices. gudhi with edge collapse."
    ),
    shared=2,
    notes=["scipy and networkx have no H1 bars, so no RTD."],
)
COUNTS = Job(
    name="counts",
    ours=ours.counts,
    peers={"networkx": peers.networkx_counts, "networkx lean": peers.networkx_lean_counts},
    reference="networkx",
    prepare=_maps,
    total=np.asarray,
    targets={8: 700, 11: 700, 12: 700, 20: 700, 512: 75},
    remark=(
        "Six statistics at six thresholds, cycles up to 500. All start from raw attention. 'networkx' is "
        "our re-implementation of the way of the paper's authors, 'lean' the same without their detours."
    ),
    notes=[
        "The target was set against the way of the authors. Against lean networkx, divide the columns: "
        "there 700x is missed at most sizes.",
        "ripser.py, giotto-ph, gudhi and scipy count no directed cycles.",
    ],
)
JOBS = (H0, H1, RTD, COUNTS)
