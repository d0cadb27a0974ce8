"""Teaching a model to tell acceptable sentences from others: LoRA, or all of its weights.

On top of the Transformer sits a small head: the state of the first token (the mean of all tokens in
a causal model) through one tanh layer to one number, the log-odds of being acceptable. That is
BERT's own classifier, and its tanh layer starts from BERT's pooler where the weights have one.

LoRA adds to a weight matrix W a product B A of low rank and learns A and B only; afterwards the
product is added into W, so that a tuned model runs exactly as fast as the one it came from. It is
learned on query, key and value of the upper layers: the lower ones then need no backward pass.
"""

from __future__ import annotations

import copy
import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import torch
from torch import nn

from toposcope.errors import InputError, ModelError
from toposcope.files import whole
from toposcope.models.adapter import HEAD, Adapter
from toposcope.models.progress import progress_bar
from toposcope.models.reader import Maps
from toposcope.models.scope import Scope

Method = Literal["lora", "full"]
Precision = Literal["auto", "float32", "bfloat16"]
PRECISIONS: tuple[Precision, ...] = get_args(Precision)
MAPS: tuple[Maps, ...] = get_args(Maps)
RATES: dict[Method, float] = {"lora": 5e-4, "full": 3e-5}
DROPOUT = 0.1
CLIP = 1.0  # largest norm of a gradient
SAVE_EVERY = 60.0  # seconds between two checkpoints


@dataclass(frozen=True)
class Tuning:
    """How a model is tuned. ``rate`` is the learning rate, 0 for the usual one of the method.

    Of LoRA only are ``rank``, ``layers`` (how many of the upper ones, 0 for all) and ``maps``: beside which
    linear maps it learns, those of ``attention`` or ``all`` of a layer. ``precision`` is that
    of the matrix products while learning; ``auto`` takes bfloat16 where the machine has instructions for
    it, which is about twice as fast. The weights themselves, and every later pass, stay float32.
    """

    method: Method = "lora"
    epochs: int = 3
    batch: int = 32
    rate: float = 0.0
    decay: float = 1e-2
    warmup: float = 0.1
    rank: int = 8
    layers: int = 8
    maps: Maps = "attention"
    seed: int = 0
    precision: Precision = "auto"

    def __post_init__(self) -> None:
        if self.method not in RATES:
            raise InputError(f"method={self.method!r}: accepted are {', '.join(map(repr, RATES))}.")
        for name in ("epochs", "batch", "rank"):
            if getattr(self, name) < 1:
                raise InputError(f"{name}={getattr(self, name)}: accepted are numbers from 1.")
        for name, accepted in (("precision", PRECISIONS), ("maps", MAPS)):
            if getattr(self, name) not in accepted:
                known = ", ".join(map(repr, accepted))
                raise InputError(f"{name}={getattr(self, name)!r}: accepted are {known}.")

    def settled(self, device: torch.device) -> Tuning:
        """The same with the usual learning rate and the best precision of a device in their places."""
        precision = self.precision
        if precision == "auto":
            precision = "bfloat16" if _quick_in_bfloat16(device) else "float32"
        return replace(self, rate=self.rate or RATES[self.method], precision=precision)


def tune(
    scope: Scope,
    texts: Sequence[str],
    labels: np.ndarray,
    tuning: Tuning,
    *,
    start: Adapter | None = None,
    checkpoint: Path | None = None,
    progress: bool | None = None,
    what: str = "tuning",
) -> Adapter:
    """Tune a copy of the scope's model on labelled texts; what it learned comes back as an adapter.

    With ``start``, what another course of the same kind learned, it goes on from there.

    With ``checkpoint``, a file, the run is saved every minute and goes on from there when it is
    started again; the end result is the same. At the end the adapter stands in the file, and a run
    that was done already is not done again.
    """
    labels = np.asarray(labels, np.float32)
    if len(texts) != len(labels) or not len(labels):
        raise InputError(f"{len(texts)} texts with {len(labels)} labels: needed is one each.")
    ids = [piece.ids for piece in scope.pieces(texts)]
    if len(ids) != len(labels):
        raise InputError("Texts cut into windows cannot be tuned on: load(..., long='truncate').")
    student = Student(scope, tuning, _fingerprint(ids, labels), start)
    steps = tuning.epochs * -(-len(ids) // tuning.batch)
    course = _Course(student, steps, checkpoint)
    if checkpoint is not None and (finished := course.finished()):
        return finished
    done = course.resume()
    with progress_bar(what, steps, progress) as advance:
        advance(done)
        for step, rows in enumerate(_batches([len(i) for i in ids], tuning)):
            if step >= done:
                course.step(step, *_padded([ids[k] for k in rows], labels[rows], scope.device))
                advance(1)
    adapter = student.adapter()
    if checkpoint is not None:
        adapter.save(checkpoint)
    return adapter


class Student(nn.Module):
    """A copy of a Transformer with a head on top, of which some weights learn."""

    def __init__(self, scope: Scope, tuning: Tuning, data: str = "", start: Adapter | None = None) -> None:
        """Copy the model and make ready what learns; ``data`` says from what, ``start`` what is known."""
        super().__init__()
        tuning = tuning.settled(scope.device)
        torch.manual_seed(tuning.seed)
        self.tuning, self.scope, self.data, self.start = tuning, scope, data, start
        self.body = copy.deepcopy(scope.transformer).requires_grad_(False)
        if tuning.method == "full":
            for name, weights in self.body.named_parameters():
                weights.requires_grad_(not name.startswith("pooler."))  # the head has a layer in its place
        width = scope.width
        self.dense, self.out = nn.Linear(width, width), nn.Linear(width, 1)
        self.dropout = nn.Dropout(DROPOUT)
        if scope.pooler is not None:
            for target, values in zip((self.dense.weight, self.dense.bias), scope.pooler, strict=True):
                target.data.copy_(torch.from_numpy(values))
        nn.init.normal_(self.out.weight, std=0.02)
        nn.init.zeros_(self.out.bias)
        self.places = scope.linears(tuning.maps, tuning.layers) if tuning.method == "lora" else []
        if self.places:
            _add_lora(self.body, self.places, tuning.rank)
        if start is not None:
            self._begin_at(start)
        self.to(scope.device)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        """Log-odds of being acceptable, (texts,)."""
        half = self.training and self.tuning.precision == "bfloat16"
        with torch.autocast(ids.device.type, torch.bfloat16, enabled=half):
            return self._log_odds(ids, mask).float()

    def _log_odds(self, ids: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        states = self.body(input_ids=ids, attention_mask=mask).last_hidden_state
        if self.scope.causal:
            weight = torch.ones_like(ids) if mask is None else mask
            pooled = (states * weight[..., None]).sum(1) / weight.sum(1, keepdim=True)
        else:
            pooled = states[:, 0]
        return self.out(self.dropout(torch.tanh(self.dense(pooled))))[:, 0]

    def learn(self) -> None:
        """Ready for training. Under LoRA the frozen network runs as it is, without dropout of its own."""
        self.train(True)
        if self.tuning.method == "lora":
            self.body.train(False)

    @cached_property
    def learned(self) -> dict[str, nn.Parameter]:
        """The weights that learn."""
        return {name: p for name, p in self.named_parameters() if p.requires_grad}

    def adapter(self) -> Adapter:
        """What was learned, to be put into another copy of the same weights."""
        tensors = {name: _array(weights) * scale for name, (weights, scale) in self._tensors().items()}
        pooled: Literal["first", "mean"] = "mean" if self.scope.causal else "first"
        return Adapter(tensors, self.scope.fingerprint, pooled, self.about)

    def _tensors(self) -> dict[str, tuple[torch.Tensor, float]]:
        """The tensors of an adapter by name: weights here, and what they are multiplied by there."""
        head = {"dense.weight": self.dense.weight, "dense.bias": self.dense.bias}
        head |= {"out.weight": self.out.weight, "out.bias": self.out.bias}
        found: dict[str, tuple[torch.Tensor, float]] = {f"{HEAD}.{k}": (w, 1.0) for k, w in head.items()}
        if self.tuning.method == "full":
            learned = self.body.named_parameters()
            found |= {name: (weights, 1.0) for name, weights in learned if weights.requires_grad}
        for place in self.places:
            layer = self.body.get_submodule(place)
            found[f"{place}.lora_A"] = layer.lora_A["default"].weight, 1.0
            found[f"{place}.lora_B"] = layer.lora_B["default"].weight, layer.scaling["default"]
        return found

    def _begin_at(self, start: Adapter) -> None:
        """Take over what another course learned."""
        tensors = self._tensors()
        here = {name: tuple(weights.shape) for name, (weights, _) in tensors.items()}
        if start.base != self.scope.fingerprint or here != {k: v.shape for k, v in start.tensors.items()}:
            raise ModelError("A course can only go on from one of the same weights, tuned in the same way.")
        for name, (weights, scale) in tensors.items():
            weights.data.copy_(torch.from_numpy(np.asarray(start.tensors[name], np.float32) / scale))

    @property
    def about(self) -> dict[str, Any]:
        """How and from what it learns, and what it learned before."""
        before = {} if self.start is None else {"after": dict(self.start.about)}
        return {**asdict(self.tuning), "data": self.data, **before}


class _Course:
    """Steps of AdamW with a linear schedule, kept in a checkpoint."""

    def __init__(self, student: Student, steps: int, checkpoint: Path | None) -> None:
        self.student, self.tuning, self.steps, self.checkpoint = student, student.tuning, steps, checkpoint
        self.optimizer = torch.optim.AdamW(
            student.learned.values(), lr=self.tuning.rate, weight_decay=self.tuning.decay
        )
        self.saved = time.monotonic()

    def step(self, step: int, ids: torch.Tensor, mask: torch.Tensor | None, labels: torch.Tensor) -> None:
        """Learn from one batch. Chance depends on seed and step alone, so a resumed run is the same."""
        torch.manual_seed(self.tuning.seed * 1_000_003 + step)
        self.student.learn()
        for group in self.optimizer.param_groups:
            group["lr"] = self.tuning.rate * _schedule(step, self.steps, self.tuning.warmup)
        loss = nn.functional.binary_cross_entropy_with_logits(self.student(ids, mask), labels)
        if not torch.isfinite(loss):
            raise ModelError(f"The loss is {loss.item()} at step {step}: try a smaller learning rate.")
        loss.backward()
        nn.utils.clip_grad_norm_(list(self.student.learned.values()), CLIP)
        self.optimizer.step()
        self.optimizer.zero_grad()
        if self.checkpoint is not None and time.monotonic() - self.saved > SAVE_EVERY:
            self._save(step + 1)

    def _save(self, done: int) -> None:
        from safetensors.torch import save_file

        assert self.checkpoint is not None
        tensors: dict[str, torch.Tensor] = {}
        for name, weights in self.student.learned.items():
            state = self.optimizer.state[weights]
            kept = {"weights": weights.data, "mean": state["exp_avg"], "square": state["exp_avg_sq"]}
            tensors |= {f"{name}|{part}": value.contiguous() for part, value in kept.items()}
        with whole(self.checkpoint) as place:
            save_file(tensors, place, {"done": str(done), "course": self._course()})
        self.saved = time.monotonic()

    def finished(self) -> Adapter | None:
        """The adapter, if this very course was finished before."""
        assert self.checkpoint is not None
        if not self.checkpoint.exists():
            return None
        found = Adapter.load(self.checkpoint)
        same = found is not None and found.base == self.student.scope.fingerprint
        return found if found is not None and same and found.about == self.student.about else None

    def resume(self) -> int:
        """Take up the checkpoint, if there is one of this very course; how many steps are done."""
        from safetensors import safe_open

        if self.checkpoint is None or not self.checkpoint.exists():
            return 0
        with safe_open(self.checkpoint, "pt") as file:
            about = file.metadata() or {}
            if about.get("course") != self._course():
                return 0
            done = int(about["done"])
            for name, weights in self.student.learned.items():
                weights.data.copy_(file.get_tensor(f"{name}|weights"))
                self.optimizer.state[weights] = {
                    "step": torch.tensor(float(done)),
                    "exp_avg": file.get_tensor(f"{name}|mean").to(weights.device),
                    "exp_avg_sq": file.get_tensor(f"{name}|square").to(weights.device),
                }
        return done

    def _course(self) -> str:
        return f"{self.student.about} {self.student.scope.fingerprint}"


def _add_lora(body: nn.Module, places: Sequence[str], rank: int) -> None:
    """Put a trainable product of low rank beside each of the linear maps."""
    try:
        from peft import LoraConfig, inject_adapter_in_model
    except ModuleNotFoundError as error:
        raise ModelError("LoRA needs peft: pip install 'toposcope[lora]'.") from error
    transposed = not isinstance(body.get_submodule(places[0]), nn.Linear)  # GPT-2's Conv1D
    config = LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=list(places), fan_in_fan_out=transposed)
    inject_adapter_in_model(config, body)


def _quick_in_bfloat16(device: torch.device) -> bool:
    """Whether a device multiplies in bfloat16 by itself; where it has to pretend, that is slow."""
    if device.type == "cpu":
        told = getattr(torch.cpu, "get_capabilities", dict)  # older versions of torch do not tell
        can: Mapping[str, Any] = told()
        return bool(can.get("avx512_bf16") or can.get("amx_bf16"))
    return device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)


def _schedule(step: int, steps: int, warmup: float) -> float:
    """Share of the learning rate: up over the first steps, then down to 0, both in a line."""
    rising = max(1, round(warmup * steps))
    return min((step + 1) / rising, (steps - step) / max(1, steps - rising))


def _batches(lengths: Sequence[int], tuning: Tuning) -> Iterator[np.ndarray]:
    """Rows of each step: texts of about the same length, new company and new order in every epoch."""
    for epoch in range(tuning.epochs):
        rng = np.random.default_rng([tuning.seed, epoch])
        order = np.lexsort((rng.random(len(lengths)), np.asarray(lengths)))
        batches = [order[k : k + tuning.batch] for k in range(0, len(order), tuning.batch)]
        for k in rng.permutation(len(batches)):
            yield batches[k]


def _padded(
    ids: Sequence[Sequence[int]], labels: np.ndarray, device: torch.device
) -> tuple[torch.Tensor, torch.Tensor | None, torch.Tensor]:
    """Token numbers, mask (none where all are equally long) and labels of a batch."""
    longest = max(map(len, ids))
    padded = torch.tensor([[*i, *[0] * (longest - len(i))] for i in ids], device=device)
    lengths = torch.tensor([len(i) for i in ids], device=device)
    mask = (torch.arange(longest, device=device)[None] < lengths[:, None]).long()
    return padded, None if mask.all() else mask, torch.from_numpy(labels).to(device)


def _fingerprint(ids: Sequence[Sequence[int]], labels: np.ndarray) -> str:
    """SHA-256 of what is learned from."""
    digest = hashlib.sha256(labels.tobytes())
    for i in ids:
        digest.update(np.array([len(i), *i]).tobytes())
    return digest.hexdigest()


def _array(weights: Any) -> np.ndarray:
    return weights.detach().float().cpu().numpy().copy()
