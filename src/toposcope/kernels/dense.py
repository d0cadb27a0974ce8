"""What stands between the matrix products of a Transformer: the activation and the norm of its layers.

Each is one loop over rows, in place, so that a row is read once while it is in the cache; written with
arrays it would be a dozen passes over memory. Sums may be taken in any order, as BLAS does, for they are
otherwise a chain in which every addition waits for the one before it.

The error function is an odd rational function of ``x``, fitted for the least relative error between 0 and
``FLAT``, beyond which it is 1 in single precision. It is right to 4e-7 and, unlike the one of the C
library, runs on a whole vector at a time.
"""

import numpy as np
from numba import njit

from toposcope.kernels.bits import OPTIONS

F = np.float32
FLAT = F(3.925)
HALF, ONE, ROOT_HALF = F(0.5), F(1), F(np.sqrt(0.5))
# numerator and denominator in powers of x * x
P0, P1, P2 = F(1.1283791459974433), F(0.19058221611901954), F(0.05276777539333736)
P3, P4, P5 = F(0.0037720567433832024), F(0.0002848327681875698), F(2.046119700315544e-06)
Q1, Q2, Q3 = F(0.5022318246552212), F(0.11417795446214174), F(0.014982209107502115)
Q4, Q5 = F(0.0011637388053849457), F(3.8048170185278385e-05)


def row_kernel(function):
    """Compile a loop over rows whose sums may be taken in any order; the machine code is kept on disk."""
    options = {**OPTIONS, "fastmath": {"reassoc", "contract"}}
    try:
        return njit(function, **options, cache=True)
    except RuntimeError:  # no folder to write to, not even the user's
        return njit(function, **options)


@row_kernel
def gelu_of(values, bias, lo, hi):
    """Value + bias = x becomes x times the probability of a standard normal number below x, rows lo..hi."""
    for i in range(lo, hi):
        row = values[i]
        for j in range(len(row)):
            x = row[j] + bias[j]
            y = x * ROOT_HALF
            y = FLAT if y > FLAT else y
            y = -FLAT if y < -FLAT else y
            z = y * y
            above = y * (P0 + z * (P1 + z * (P2 + z * (P3 + z * (P4 + z * P5)))))
            below = ONE + z * (Q1 + z * (Q2 + z * (Q3 + z * (Q4 + z * Q5))))
            row[j] = HALF * x * (ONE + above / below)


@row_kernel
def norm_of(values, bias, states, weight, shift, epsilon, lo, hi):
    """States become state + value + bias, from their mean in standard deviations, times weight plus shift.

    That is the layer norm after a residual connection, for rows lo..hi.
    """
    width = F(values.shape[1])
    for i in range(lo, hi):
        row, state = values[i], states[i]
        total = F(0)
        for j in range(len(row)):
            state[j] = state[j] + row[j] + bias[j]
            total += state[j]
        mean = total / width
        spread = F(0)
        for j in range(len(row)):
            far = state[j] - mean
            spread += far * far
        scale = ONE / np.sqrt(spread / width + epsilon)
        for j in range(len(row)):
            state[j] = (state[j] - mean) * scale * weight[j] + shift[j]
