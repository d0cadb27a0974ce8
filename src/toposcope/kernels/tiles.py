"""Turning a square tile of a matrix on its diagonal, in vector registers.

A symmetric matrix from one that is not needs every entry beside its mirror image. Walking down
columns misses the cache at each step, and the compiler does not find the vector form of a transposed
copy by itself; so here it is spelled out. Rows of the tile are loaded as vectors; then, for distances
d = 1, 2, 4, the rows r and r + d swap those lanes that lie on the wrong side of the diagonal of their
2d x 2d blocks. After the last distance every row holds what was a column.
"""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

SIDE = 8


@intrinsic
def turn_tile(_typing, source, row, column, target, to_row, to_column):
    """Set target[to_row + k, to_column + m] to source[row + m, column + k] for k, m < SIDE."""
    signature = types.void(source, types.uint64, types.uint64, target, types.uint64, types.uint64)

    def generate(context, builder, sig, args):
        lane = context.get_value_type(source.dtype)
        size = lane.width // 8
        vector = ir.VectorType(lane, SIDE)
        step = ir.IntType(64)

        def pointers(array_type, array, first, left):
            view = context.make_array(array_type)(context, builder, array)
            base = builder.ptrtoint(view.data, step)
            stride = builder.extract_value(view.strides, 0)
            at = builder.add(base, builder.mul(left, ir.Constant(step, size)))
            at = builder.add(at, builder.mul(first, stride))
            for _ in range(SIDE):
                yield builder.inttoptr(at, vector.as_pointer())
                at = builder.add(at, stride)

        def lanes(a, b, chosen):
            mask = ir.Constant(ir.VectorType(ir.IntType(32), SIDE), chosen)
            return builder.shuffle_vector(a, b, mask)

        rows = [builder.load(p, align=size) for p in pointers(source, args[0], args[1], args[2])]
        for d in (1, 2, 4):
            for r in (r for r in range(SIDE) if not r & d):
                a, b = rows[r], rows[r + d]
                rows[r] = lanes(a, b, [c if not c & d else SIDE + c - d for c in range(SIDE)])
                rows[r + d] = lanes(a, b, [c + d if not c & d else SIDE + c for c in range(SIDE)])
        for vector_row, p in zip(rows, pointers(target, args[3], args[4], args[5]), strict=True):
            builder.store(vector_row, p, align=size)
        return context.get_dummy_value()

    return signature, generate
