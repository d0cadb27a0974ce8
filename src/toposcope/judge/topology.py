"""Features of attention as a step of a scikit-learn pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from toposcope.errors import InputError, ModelError
from toposcope.features.blocks import PAPER
from toposcope.features.column import all_columns
from toposcope.features.spec import FeatureSpec
from toposcope.models.text import check_texts
from toposcope.topology.head import Head, all_heads

if TYPE_CHECKING:
    from sklearn.utils import Tags

    from toposcope.models.scope import Scope


class Left(NamedTuple):
    """What a pickle keeps of a model: what finds it, its fingerprint, the overlap of its windows.

    ``given`` says that the model was given as a Scope, so that fitting again needs those very weights, too.
    """

    reference: str
    fingerprint: str
    overlap: int | None
    given: bool


class AttentionTopology(TransformerMixin, BaseEstimator):
    """Sentences in, topological features of a model's attention out.

    Nothing is learned: ``fit`` loads the model and looks at the input. A pickle holds no weights: they are
    loaded again when they are first needed, and refused with a ModelError if they are others by then. Where
    the model has moved, ``set_params(model=...)`` tells its new place.

    Parameters
    ----------
    model : str or Scope
        What ``ts.load`` takes, or what it gave.
    blocks : names of blocks
        ``threshold``, ``barcode``, ``pattern``, ``h0m`` are the paper's; ``sides``, ``shape``, ``spectral``
        are ours.
    heads : pairs (layer, head)
        Those to measure, all by default. Layers above the last one are not run.
    options : dict
        Other options of ``FeatureSpec``, such as thresholds.
    dtype, device, memory, long :
        As in ``ts.load``.

    Attributes
    ----------
    scope_ : Scope
    spec_ : FeatureSpec
    """

    _scope: Scope | None = None
    _left: Left | None = None

    def __init__(
        self,
        model: str | Scope = "auto",
        blocks: Sequence[str] = PAPER,
        heads: Iterable[tuple[int, int]] | None = None,
        options: dict[str, Any] | None = None,
        dtype: str = "float32",
        device: str = "cpu",
        memory: int | str = "500MB",
        long: str = "error",
    ) -> None:
        """See the class."""
        self.model = model
        self.blocks = blocks
        self.heads = heads
        self.options = options
        self.dtype = dtype
        self.device = device
        self.memory = memory
        self.long = long

    def fit(self, texts: Sequence[str], y: Any = None) -> AttentionTopology:
        """Load the model and check what is asked of it."""
        _as_texts(texts)
        self.spec_ = FeatureSpec.from_dict({"blocks": tuple(self.blocks), **(self.options or {})})
        self._scope = self._load(self._left if self._is_the_given() else None)
        self.heads_ = self._checked_heads(self._scope)
        return self

    @property
    def scope_(self) -> Scope:
        """The model at work."""
        check_is_fitted(self)
        if self._scope is None:  # after unpickling
            self._scope = self._load(self._left)
        return self._scope

    def transform(self, texts: Sequence[str]) -> np.ndarray:
        """Features, (texts, columns); the columns are those of ``get_feature_names_out``."""
        check_is_fitted(self)
        values = self.scope_.measure(_as_texts(texts), self.spec_, heads=self.heads_)
        return values.reshape(len(values), -1).astype(np.float32)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names such as ``h0_sum.L8.H0``."""
        check_is_fitted(self)
        columns = all_columns(self.spec_.columns, self.heads_)
        return np.array([*map(str, columns)], dtype=object)

    def _load(self, left: Left | None) -> Scope:
        """The model by its name, refused if it is not the one that was left."""
        from toposcope.models.load import load
        from toposcope.models.scope import Scope

        if isinstance(self.model, Scope):
            scope = self.model
        else:
            options = {"memory": self.memory, "long": self.long, "overlap": left and left.overlap}
            scope = load(self.model, self.dtype, self.device, **options)  # type: ignore[arg-type]
        if left is not None and scope.fingerprint != left.fingerprint:
            raise ModelError(
                f"AttentionTopology was pickled with weights {left.fingerprint[:12]} of {left.reference}; "
                f"those of {scope.name} in {scope.dtype} are {scope.fingerprint[:12]}. "
                "Its numbers would mean nothing there: set_params(model=...) to where the former are, or "
                "make a new one."
            )
        return scope

    def _is_the_given(self) -> bool:
        """Whether the model is still the one that was given as a Scope before pickling."""
        return self._left is not None and self._left.given and self.model == self._left.reference

    def _checked_heads(self, scope: Scope) -> list[Head]:
        layers, heads = scope.layers, scope.heads
        if self.heads is None:
            return all_heads(layers, heads)
        return [Head(int(layer), int(index)) for layer, index in self.heads]

    def __getstate__(self) -> dict[str, Any]:
        """Without the model, but with what finds it again and tells whether it is the same."""
        from toposcope.models.scope import Scope

        state = super().__getstate__() | {"_scope": None}
        given = isinstance(self.model, Scope)
        scope = self.model if given and self._scope is None else self._scope
        if isinstance(scope, Scope):
            overlap = scope.settings.overlap
            given_once = given or self._is_the_given()
            state["_left"] = Left(scope.reference, scope.fingerprint, overlap, given_once)
            state["model"] = scope.reference
            if given:
                state |= {"dtype": scope.dtype, "device": str(scope.device)}
                state |= {"memory": scope.settings.memory, "long": scope.settings.long}
        return state

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "heads_") and not (self._scope is None and self._left is None)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        return tags


def _as_texts(texts: Any) -> list[str]:
    """A list of strings from a list, a series or a one-dimensional array of them."""
    array = np.asarray(texts, dtype=object)
    if array.ndim != 1:
        raise InputError(f"X has shape {array.shape}: accepted is a list of strings.")
    if not array.size:
        raise InputError("X holds no text: needed is one at least.")
    return check_texts([str(text) if isinstance(text, np.str_) else text for text in array])
