"""The lowest point of a parabola with kinks, one coordinate at a time.

In one coordinate a parabola plus an absolute value is lowest where a formula says: at the parabola's own
lowest point, pulled towards zero by the kink, and at zero where the kink pulls harder. So every coordinate
is put there in turn, again and again (Friedman, Hastie, Tibshirani 2010, doi:10.18637/jss.v033.i01). The
slopes of all are kept up to date, which costs one row of the curvature for each coordinate that moved.
"""

import numpy as np

from toposcope.kernels.bits import batch_kernel


@batch_kernel
def descend(weights, slope, curvature, kinks, stiffer, sweeps):
    """Put every weight at its own lowest point, one after the other, ``sweeps`` times, in place.

    The bend of each weight is taken ``stiffer`` than it is, for weights that do all but the same.
    Invariant: ``slope`` is the gradient of the parabola at ``weights``.
    """
    for _ in range(sweeps):
        for j in range(len(weights)):
            bend = curvature[j, j] * stiffer
            lowest = bend * weights[j] - slope[j]
            value = np.sign(lowest) * max(abs(lowest) - kinks[j], 0.0) / bend
            change = value - weights[j]
            if change != 0:
                weights[j] = value
                for k in range(len(slope)):
                    slope[k] += change * curvature[j, k]
