"""Identical texts run once; what is found for them goes to every place where they stand."""

from collections.abc import Sequence

import numpy as np

from toposcope.models.text import Piece


class Distinct:
    """The different pieces among many, and the way back."""

    def __init__(self, pieces: Sequence[Piece], texts: int) -> None:
        """``texts`` is how many texts the pieces come from: fewer than pieces if there are windows."""
        by_ids = {piece.ids: piece for piece in pieces}
        row_of = {ids: row for row, ids in enumerate(by_ids)}
        self.pieces = list(by_ids.values())
        self.rows = [row_of[piece.ids] for piece in pieces]
        self.owners = [piece.index for piece in pieces]
        self.texts = texts

    def spread(self, values: np.ndarray) -> np.ndarray:
        """Values of the different pieces (pieces, ...) to values of the texts; windows are averaged."""
        rows = values[self.rows]
        if len(rows) == self.texts:
            return rows
        starts = np.flatnonzero(np.diff(self.owners, prepend=-1))
        counts = np.diff([*starts, len(self.owners)])
        sums = np.add.reduceat(rows, starts, axis=0, dtype=np.result_type(rows, np.float32))
        return sums / counts.reshape(-1, *[1] * (rows.ndim - 1))
