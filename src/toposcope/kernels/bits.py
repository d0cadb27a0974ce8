"""Sets of small integers as the bits of 64-bit words, and the compiler switch of every kernel.

A set of vertices below 64 is one word; intersection, union and difference are one instruction,
and the members are visited by clearing the lowest bit again and again::

    while rest != ZERO:
        v = lowest(rest)
        rest &= rest - ONE

Larger sets are rows of words: member v is bit ``v & 63`` of word ``v >> 6``.

Every scalar here is an unsigned 64-bit integer on purpose. The compiler adds code for negative
indices to signed ones, and it turns ``uint64 + int`` into a float.
"""

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

OPTIONS = {"nogil": True, "boundscheck": False, "error_model": "numpy", "no_cfunc_wrapper": True}
#: Compiles a function that only other kernels call. It borrows its arrays, makes none and returns none, so
#: nobody has to count who holds them, which took up to half of the time; the compiler refuses new arrays.
kernel = njit(**OPTIONS, no_cpython_wrapper=True, _nrt=False)
#: The same for a function that makes or returns arrays.
allocating_kernel = njit(**OPTIONS, no_cpython_wrapper=True, _nrt=True)


def batch_kernel(function):
    """Compile a loop over many graphs, called from Python; the machine code is kept on disk."""
    try:
        return njit(function, **OPTIONS, cache=True)
    except RuntimeError:  # no folder to write to, not even the user's
        return njit(function, **OPTIONS)


U = np.uint64
ZERO = U(0)
ONE = U(1)
FULL = U(0xFFFFFFFFFFFFFFFF)
WORD = U(6)  # v >> WORD is the word that holds bit v
BIT = U(63)  # v & BIT is its place in that word


@intrinsic
def lowest(_typing, word):
    """Smallest member of a non-empty set (count of trailing zeros)."""

    def generate(_context, builder, _signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def leading_zeros(_typing, word):
    """Number of zero bits above the largest member of a non-empty set."""

    def generate(_context, builder, _signature, args):
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def population(_typing, word):
    """Number of members of a set."""

    def generate(_context, builder, _signature, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate


@kernel
def highest(word):
    """Largest member of a non-empty set."""
    return BIT - leading_zeros(word)


@kernel
def above(v):
    """All numbers from v + 1 to 63, for v below 64."""
    return (FULL << v) << ONE


@kernel
def first(n):
    """All numbers below n, for n from 1 to 64."""
    return FULL >> (U(64) - U(n))


@kernel
def contains(row, v):
    """Whether v is a member of the set that a row of words holds."""
    return (row[v >> WORD] >> (v & BIT)) & ONE != ZERO


@kernel
def insert(row, v):
    """Add v to a row."""
    row[v >> WORD] |= ONE << (v & BIT)


@kernel
def remove(row, v):
    """Take v out of a row."""
    row[v >> WORD] &= ~(ONE << (v & BIT))


@kernel
def clear(row):
    """Take everything out of a row."""
    for a in range(len(row)):
        row[a] = ZERO


@kernel
def is_empty(row):
    """Whether a row of words has no member."""
    members = ZERO
    for a in range(len(row)):
        members |= row[a]
    return members == ZERO


@kernel
def extent(row):
    """From which to below which word a row has its members; nothing for an empty one."""
    start = ZERO
    stop = U(len(row))
    while start < stop and row[start] == ZERO:
        start += ONE
    while stop > start and row[stop - ONE] == ZERO:
        stop -= ONE
    return start, stop


@kernel
def meets(row, other):
    """Whether two rows of words share a member."""
    members = ZERO
    for a in range(len(row)):
        members |= row[a] & other[a]
    return members != ZERO
