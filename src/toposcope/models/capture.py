"""Reading the attention of a model while it runs, one layer at a time.

Where does a model compute its attention? We do not go by names. At loading we run it once on a few
tokens, ask transformers for all attention weights, and look which module handed out each of them:
that module is tapped from then on. Models that use one set of weights for all layers (ALBERT) are
no special case, since layers are counted by calls.

When a tapped module is done, its weights go to whoever asked and are taken out of the module's
result, so that nobody collects them; after the last layer that was asked for, the run is ended.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import nn

from toposcope.errors import ModelError

PROBE = 5  # tokens of the trial run


@dataclass(frozen=True)
class Place:
    """One layer's attention: item ``item`` of what ``module`` returns."""

    module: nn.Module
    item: int


@dataclass(frozen=True)
class Tap:
    """Where a model's attention can be read, one place a layer.

    ``ask`` says that the model must be told to compute the weights; most do so anyway. ``causal`` says
    that in the trial run no token saw a later one.
    """

    model: nn.Module
    places: tuple[Place, ...]
    heads: int
    ask: bool
    causal: bool = False

    def read(
        self,
        ids: torch.Tensor,
        layers: Collection[int],
        receive: Callable[[int, torch.Tensor], None],
        receive_states: Callable[[Sequence[torch.Tensor]], None] | None = None,
    ) -> None:
        """Run the model on ids (texts, n) and hand the weights (texts, heads, n, n) of each wanted layer
        to ``receive(layer, weights)`` as soon as they are there.

        With ``receive_states`` the run goes to its end, and the hidden states of all layers go there.
        """
        wanted, last, calls = set(layers), max(layers, default=-1), iter(range(len(self.places)))

        def tapped(module: nn.Module, _: Any, output: Any) -> Any:
            layer = next(calls)
            place = self.places[layer]
            if module is not place.module:
                raise ModelError("The layers of the model ran in another order than in the trial run.")
            if layer in wanted:
                receive(layer, output[place.item])
            if layer == last and receive_states is None:
                raise _EnoughError
            return _without(output, place.item) if self.ask else output

        hooks = [m.register_forward_hook(tapped) for m in {p.module for p in self.places}]
        try:
            output = run(self.model, ids, self.ask, states=receive_states is not None)
            if receive_states is not None:
                receive_states(output.hidden_states)
        except _EnoughError:
            pass
        finally:
            for hook in hooks:
                hook.remove()


class _EnoughError(Exception):
    """The last wanted layer is done."""


def run(model: nn.Module, ids: torch.Tensor, ask: bool, states: bool = False) -> Any:
    """The model on token numbers (texts, n), without gradients; ask for attention, for hidden states."""
    options = {"output_attentions": ask, "output_hidden_states": states}
    with torch.inference_mode():
        return model(input_ids=ids, **{name: True for name, asked in options.items() if asked})


def find_tap(model: nn.Module, device: torch.device) -> Tap:
    """Find where a model computes its attention, or say why that cannot be read."""
    kind = type(model).__name__
    ids = torch.arange(1, PROBE + 1, device=device)[None] % model.config.vocab_size
    reference, seen = _trial(model, ids, kind)
    places = []
    for layer, weights in enumerate(reference):
        if weights is None or weights.ndim != 4 or tuple(weights.shape[-2:]) != (PROBE, PROBE):
            shape = None if weights is None else tuple(weights.shape)
            raise ModelError(
                f"{kind}: attention of layer {layer} has shape {shape}, not (texts, heads, tokens, "
                "tokens). Models that look at parts of the text, or at a shortened one, have no full maps."
            )
        place = next((p for p, w in seen if w is weights), None)
        if place is None:
            raise ModelError(f"{kind}: no module hands out the attention of layer {layer}.")
        places.append(place)
    heads = {w.shape[1] for w in reference}
    if len(heads) > 1:
        raise ModelError(f"{kind}: layers have different numbers of heads, {sorted(heads)}.")
    causal = all(not weights.triu(1).any() for weights in reference)
    tap = Tap(model, tuple(places), heads.pop(), ask=False, causal=causal)
    if not _agrees(tap, ids, reference):
        tap = replace(tap, ask=True)
        if not _agrees(tap, ids, reference):
            raise ModelError(f"{kind}: the weights read from its layers are not those that it reports.")
    return tap


def _trial(model: nn.Module, ids: torch.Tensor, kind: str) -> tuple[Sequence[Any], list[tuple[Place, Any]]]:
    """Attention as transformers reports it, and every tensor that a module handed out and that could be
    it, innermost modules first.
    """
    seen: list[tuple[Place, Any]] = []

    def note(module: nn.Module, _: Any, output: Any) -> None:
        if isinstance(output, tuple):
            for item, value in enumerate(output):
                if isinstance(value, torch.Tensor) and value.ndim == 4:
                    seen.append((Place(module, item), value))

    hooks = [module.register_forward_hook(note) for module in model.modules()]
    try:
        output = run(model, ids, ask=True)
    except (TypeError, ValueError, RuntimeError) as error:
        raise ModelError(f"{kind} cannot report its attention: {error}") from error
    finally:
        for hook in hooks:
            hook.remove()
    reference = getattr(output, "attentions", None)
    if not reference:
        raise ModelError(
            f"{kind} reports no attention. Either it has none (state-space, Fourier or convolution "
            "models), or it was loaded with a fused kernel: load it with attn_implementation='eager'."
        )
    return tuple(reference), seen


def _agrees(tap: Tap, ids: torch.Tensor, reference: Sequence[torch.Tensor]) -> bool:
    """Whether the tap reads what transformers reports."""
    read: dict[int, torch.Tensor] = {}

    def keep(layer: int, weights: Any) -> None:
        if isinstance(weights, torch.Tensor):
            read[layer] = weights.clone()

    try:
        tap.read(ids, range(len(reference)), keep)
    except IndexError:  # without asking, some modules return fewer things
        return False
    return len(read) == len(reference) and all(torch.equal(read[i], w) for i, w in enumerate(reference))


def _without(output: tuple[Any, ...], item: int) -> tuple[Any, ...]:
    """A module's output with the weights replaced by nothing to speak of."""
    blank = output[item].new_empty(0)
    return tuple(blank if i == item else value for i, value in enumerate(output))
