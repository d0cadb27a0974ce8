"""Statistics of directed attention: what is lost when a map becomes an undirected graph."""

import numpy as np
from numpy.typing import ArrayLike

from toposcope.kernels import run
from toposcope.topology.graphs import as_graphs
from toposcope.topology.threads import checked_threads

DIRECTED = (
    "asymmetry", "row_entropy", "column_entropy", "mass_below", "mass_diagonal", "row_peak", "column_peak",
    "best_backward", "best_forward",
)  # fmt: skip


def directed_statistics(maps: ArrayLike, *, threads: int | None = None) -> dict[str, np.ndarray]:
    """Nine statistics of attention maps A; ours, not the paper's.

    Parameters
    ----------
    maps : array, shape (..., n, n)
        Attention weights, rows = queries.

    Returns
    -------
    dict from name to array, shape (...)
        ``asymmetry`` |A - A^T| / |A|; ``row_entropy`` mean entropy of the rows; ``column_entropy`` of the
        mean row; ``mass_below`` and ``mass_diagonal`` the mean weight a row has there; ``row_peak`` and
        ``column_peak`` the mean largest weight of a row and of a column off the diagonal;
        ``best_backward`` and ``best_forward`` the mean largest weight of a row before and after it.
    """
    graphs = as_graphs(maps)
    values = run.aligned(graphs.values.astype(np.float32, copy=False))
    statistics = run.directed_statistics(values, checked_threads(threads))
    return {name: graphs.shaped(statistics[:, k]) for k, name in enumerate(DIRECTED)}
