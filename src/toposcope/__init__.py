"""The topology of attention: judge sentences by the shape of a Transformer's attention maps.

>>> import numpy as np
>>> import toposcope as ts
>>> uniform = np.full((4, 4), 0.25)
>>> float(ts.h0_mean(uniform))
0.75
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

_HOMES = {
    "AttentionMaps": "topology.attention",
    "AttentionTopology": "judge.topology",
    "Barcode": "topology.barcode",
    "Barcodes": "topology.barcode",
    "Comparison": "pairs.comparison",
    "Divergence": "topology.divergence",
    "FeatureSpec": "features.spec",
    "Filtration": "topology.filtration",
    "Head": "topology.head",
    "InputError": "errors",
    "Judge": "judge.judge",
    "ModelError": "errors",
    "PairTable": "pairs.table",
    "Pairs": "data.minimal_pairs",
    "Scope": "models.scope",
    "Scores": "models.scores",
    "Selection": "pairs.selection",
    "Table": "features.table",
    "ThresholdCurves": "topology.curves",
    "Tokens": "topology.attention",
    "ToposcopeError": "errors",
    "Tuning": "models.tuning.tuning",
    "Verdict": "judge.verdict",
    "align_tokens": "topology.alignment",
    "barcode": "topology.persistence",
    "barcodes": "topology.persistence",
    "check_rows": "topology.graphs",
    "compare_pair": "pairs.compare",
    "directed_statistics": "topology.directed",
    "drop_tokens": "topology.words",
    "evaluate_judge": "judge.evaluate",
    "filtration": "topology.filtration",
    "h0_mean": "topology.h0",
    "h0_sum": "topology.h0",
    "judge_texts": "judge.answer",
    "load": "models.load",
    "make_judge": "judge.make",
    "pattern_distances": "topology.patterns",
    "plot_barcodes": "topology.barcode",
    "pool_words": "topology.words",
    "read_pairs": "data.minimal_pairs",
    "rtd": "topology.divergence",
    "rtd_barcode": "topology.divergence",
    "rtd_both": "topology.divergence",
    "score_benchmark": "pairs.score",
    "select_heads": "pairs.select",
    "spectral_statistics": "topology.spectral",
    "threshold_counts": "topology.thresholds",
    "threshold_curves": "topology.curves",
}

__all__ = ["__version__", *_HOMES]  # noqa: PLE0604

if TYPE_CHECKING:
    from toposcope.data.minimal_pairs import Pairs, read_pairs
    from toposcope.errors import InputError, ModelError, ToposcopeError
    from toposcope.features.spec import FeatureSpec
    from toposcope.features.table import Table
    from toposcope.judge.answer import judge_texts
    from toposcope.judge.evaluate import evaluate_judge
    from toposcope.judge.judge import Judge
    from toposcope.judge.make import make_judge
    from toposcope.judge.topology import AttentionTopology
    from toposcope.judge.verdict import Verdict
    from toposcope.models.load import load
    from toposcope.models.scope import Scope
    from toposcope.models.scores import Scores
    from toposcope.models.tuning.tuning import Tuning
    from toposcope.pairs.compare import compare_pair
    from toposcope.pairs.comparison import Comparison
    from toposcope.pairs.score import score_benchmark
    from toposcope.pairs.select import select_heads
    from toposcope.pairs.selection import Selection
    from toposcope.pairs.table import PairTable
    from toposcope.topology.alignment import align_tokens
    from toposcope.topology.attention import AttentionMaps, Tokens
    from toposcope.topology.barcode import Barcode, Barcodes, plot_barcodes
    from toposcope.topology.curves import ThresholdCurves, threshold_curves
    from toposcope.topology.directed import directed_statistics
    from toposcope.topology.divergence import Divergence, rtd, rtd_barcode, rtd_both
    from toposcope.topology.filtration import Filtration, filtration
    from toposcope.topology.graphs import check_rows
    from toposcope.topology.h0 import h0_mean, h0_sum
    from toposcope.topology.head import Head
    from toposcope.topology.patterns import pattern_distances
    from toposcope.topology.persistence import barcode, barcodes
    from toposcope.topology.spectral import spectral_statistics
    from toposcope.topology.thresholds import threshold_counts
    from toposcope.topology.words import drop_tokens, pool_words


def __getattr__(name: str) -> object:
    """Load a part of the package when it is first asked for, so that importing it costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'toposcope' has no attribute {name!r}")
    try:
        value = getattr(import_module(f"toposcope.{_HOMES[name]}"), name)
    except ModuleNotFoundError as error:
        from toposcope.errors import how_to_install

        if (fix := how_to_install(error)) is None:
            raise
        raise ImportError(f"toposcope.{name} needs {error.name}: {fix}") from error
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
