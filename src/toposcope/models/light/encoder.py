"""The forward pass of BERT and its relatives over packed tokens.

The tokens of many texts stand one under another, so that every linear map is one large product whatever the
lengths of the texts are; only attention is computed text by text, for all texts of one length at once. No
token is padding.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from toposcope.kernels.run import add_and_norm, gelu
from toposcope.models.engine import A, B
from toposcope.models.light.layout import Layout, Sizes

Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Linear:
    """A linear map W + B A, where ``down`` is A and ``up`` is B.

    What LoRA learned stays beside the weights, which lie in a file: that takes 4 % longer, and adding it up
    would take more than a second and a copy of them all.
    """

    weight: np.ndarray
    bias: np.ndarray
    down: np.ndarray | None = None
    up: np.ndarray | None = None

    @classmethod
    def of(cls, arrays: Arrays, name: str) -> Linear:
        """The map of a name."""
        return cls(
            arrays[f"{name}.weight"], arrays[f"{name}.bias"], arrays.get(name + A), arrays.get(name + B)
        )

    def product(self, rows: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """The map of rows (tokens, width), without its bias."""
        result = np.matmul(rows, self.weight.T, out=out)
        if self.down is not None and self.up is not None:
            result += (rows @ self.down.T) @ self.up.T
        return result

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """The map of rows (tokens, width)."""
        result = self.product(rows)
        result += self.bias
        return result


@dataclass(frozen=True, eq=False)
class Norm:
    """A layer norm: mean 0, standard deviation 1, then times ``weight`` plus ``shift``."""

    weight: np.ndarray
    shift: np.ndarray
    epsilon: float

    @classmethod
    def of(cls, arrays: Arrays, name: str, epsilon: float) -> Norm:
        """The norm of a name."""
        return cls(arrays[f"{name}.weight"], arrays[f"{name}.bias"], epsilon)

    def after(self, linear: Linear, rows: np.ndarray, states: np.ndarray, out: np.ndarray) -> None:
        """States become the norm of states + linear(rows)."""
        product = linear.product(rows, out)
        add_and_norm(product, linear.bias, states, self.weight, self.shift, self.epsilon)

    def alone(self, states: np.ndarray) -> np.ndarray:
        """The norm of states, in place."""
        nothing = np.zeros(states.shape[1], np.float32)
        add_and_norm(np.zeros_like(states), nothing, states, self.weight, self.shift, self.epsilon)
        return states


@dataclass(frozen=True, eq=False)
class Layer:
    """The parts of a layer."""

    query: Linear
    key: Linear
    value: Linear
    attended: Linear
    attended_norm: Norm
    inner: Linear
    outer: Linear
    outer_norm: Norm

    @classmethod
    def of(cls, arrays: Arrays, layout: Layout, number: int, epsilon: float) -> Layer:
        """A layer by its number."""
        place, names = f"{layout.layer}.{number}.", layout.names

        def linear(name: str) -> Linear:
            return Linear.of(arrays, place + name)

        return cls(
            linear(names.query),
            linear(names.key),
            linear(names.value),
            linear(names.attended),
            Norm.of(arrays, place + names.attended_norm, epsilon),
            linear(names.inner),
            linear(names.outer),
            Norm.of(arrays, place + names.outer_norm, epsilon),
        )


class Pack:
    """The tokens of several buckets (texts, n), one under another."""

    def __init__(self, buckets: Sequence[np.ndarray]) -> None:
        """``buckets`` hold token numbers."""
        self.shapes = [bucket.shape for bucket in buckets]
        self.ids = np.concatenate([bucket.reshape(-1) for bucket in buckets])
        ends = np.cumsum([0, *(bucket.size for bucket in buckets)])
        self.rows = [slice(int(a), int(b)) for a, b in pairwise(ends)]

    def split(self, packed: np.ndarray) -> list[np.ndarray]:
        """Rows (tokens, width) as (texts, n, width) of each bucket."""
        return [
            packed[rows].reshape(*shape, -1) for rows, shape in zip(self.rows, self.shapes, strict=True)
        ]


class Encoder:
    """Weights of a Transformer, and what runs through them."""

    def __init__(self, arrays: Arrays, layout: Layout, sizes: Sizes) -> None:
        """``arrays`` have the names of ``shapes_of``, and beside them those of LoRA's changes."""
        self.arrays, self.layout, self.sizes = arrays, layout, sizes
        self.layers = [Layer.of(arrays, layout, k, sizes.epsilon) for k in range(sizes.layers)]

    def embed(self, pack: Pack) -> np.ndarray:
        """Embeddings of tokens: of the word, of its place, and of the first of two texts."""
        arrays = self.arrays
        states = arrays["embeddings.word_embeddings.weight"][pack.ids]
        places = np.concatenate([np.tile(np.arange(n), b) for b, n in pack.shapes])
        if self.layout.counts_on:
            places = self._places_counted_on(pack)
        states += arrays["embeddings.position_embeddings.weight"][places]
        if self.layout.types:
            states += arrays["embeddings.token_type_embeddings.weight"][0]
        Norm.of(arrays, "embeddings.LayerNorm", self.sizes.epsilon).alone(states)
        if self.sizes.embedding != self.sizes.width:
            states = Linear.of(arrays, "embeddings_project")(states)
        return states

    def _places_counted_on(self, pack: Pack) -> np.ndarray:
        """Places that begin behind the number of the padding token, and pass over such tokens."""
        padding, places = self.sizes.padding, []
        for rows, shape in zip(pack.rows, pack.shapes, strict=True):
            real = (pack.ids[rows] != padding).reshape(shape)
            places.append((np.cumsum(real, axis=1) * real + padding).reshape(-1))
        return np.concatenate(places)

    def run(
        self,
        pack: Pack,
        wanted: Collection[int],
        receive: Callable[[int, int, np.ndarray], None],
        *,
        through: bool,
    ) -> list[np.ndarray]:
        """Hand over the maps of the wanted layers as they come; states of all layers if ``through``.

        Otherwise the run ends at the last wanted layer.
        """
        states = self.embed(pack)
        kept = [states.copy()] if through else []
        last = len(self.layers) - 1 if through else max(wanted, default=-1)
        tokens, sizes = len(states), self.sizes
        wide, inner = np.empty_like(states), np.empty((tokens, sizes.inner), np.float32)
        query, key, value = (np.empty_like(states) for _ in range(3))
        for number, layer in enumerate(self.layers[: last + 1]):
            for part, out in ((layer.query, query), (layer.key, key), (layer.value, value)):
                np.add(part.product(states, out), part.bias, out=out)
            query *= np.float32((sizes.width // sizes.heads) ** -0.5)
            for k, rows in enumerate(pack.rows):
                maps = attention(*(self._by_head(x[rows], pack.shapes[k]) for x in (query, key)))
                if number in wanted:
                    receive(k, number, maps)
                mixed = self._by_head(wide[rows], pack.shapes[k])
                np.matmul(maps, self._by_head(value[rows], pack.shapes[k]), out=mixed)
            if number == last and not through:
                break
            layer.attended_norm.after(layer.attended, wide, states, query)
            layer.inner.product(states, inner)
            gelu(inner, layer.inner.bias)
            layer.outer_norm.after(layer.outer, inner, states, query)
            if through:
                kept.append(states.copy())
        return kept

    def _by_head(self, rows: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
        """A view (texts, heads, n, width of a head) of the rows of a bucket."""
        return rows.reshape(*shape, self.sizes.heads, -1).transpose(0, 2, 1, 3)


def attention(query: np.ndarray, key: np.ndarray) -> np.ndarray:
    """Maps (texts, heads, n, n): softmax of the products of queries and keys, row by row."""
    maps: np.ndarray = query @ key.transpose(0, 1, 3, 2)
    maps -= maps.max(-1, keepdims=True)
    np.exp(maps, out=maps)
    maps /= maps.sum(-1, keepdims=True)
    return maps
