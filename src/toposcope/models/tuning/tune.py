"""Teaching a model to tell acceptable sentences from others: LoRA, or all of its weights."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn

from toposcope.errors import InputError, ModelError
from toposcope.files import whole
from toposcope.models.scope import Scope
from toposcope.models.text import Piece
from toposcope.models.tuning.adapter import Adapter
from toposcope.models.tuning.student import UNKNOWN, Batch, Student
from toposcope.models.tuning.tuning import Tuning
from toposcope.progress import progress_bar

Span = tuple[int, int]  # where characters begin and end
CLIP = 1.0  # largest norm of a gradient
SAVE_EVERY = 60.0  # seconds between two checkpoints


def tune(
    scope: Scope,
    texts: Sequence[str],
    labels: np.ndarray,
    tuning: Tuning,
    *,
    faults: Sequence[Sequence[Span] | None] | None = None,
    start: Adapter | None = None,
    checkpoint: Path | None = None,
    progress: bool | None = None,
    what: str = "tuning",
) -> Adapter:
    """Tune a copy of the scope's model on labelled texts; what it learned comes back as an adapter.

    ``faults`` tells a head of words where in each text the words are that are to blame, None where that
    is not known. With ``start``, what another tuning of the same kind learned, it goes on from there.

    With ``checkpoint``, a file, the run is saved every minute and goes on from there when it is
    started again; the end result is the same. At the end the adapter stands in the file, and a run
    that was done already is not done again.
    """
    scope, labels = scope.learner, np.asarray(labels, np.float32)
    if len(texts) != len(labels) or not len(labels):
        raise InputError(f"{len(texts)} texts with {len(labels)} labels: needed is one each.")
    pieces = scope.pieces(texts)
    if len(pieces) != len(labels):
        raise InputError("Texts cut into windows cannot be tuned on: load(..., long='truncate').")
    ids = [piece.ids for piece in pieces]
    blame = None
    if tuning.head == "words":
        blame = [_blame(*both) for both in zip(pieces, faults or [None] * len(pieces), strict=True)]
    student = Student(scope, tuning, _fingerprint(ids, labels, blame), start)
    steps = tuning.epochs * -(-len(ids) // tuning.batch)
    descent = _Descent(student, steps, checkpoint)
    if checkpoint is not None and (finished := descent.finished()):
        return finished
    done = descent.resume()
    with progress_bar(what, steps, progress) as advance:
        advance(done)
        for step, rows in enumerate(_batches([len(i) for i in ids], tuning)):
            if step >= done:
                descent.step(step, _batch(rows, ids, labels, blame, scope.device))
                advance(1)
    adapter = student.adapter()
    if checkpoint is not None:
        adapter.save(checkpoint)
    return adapter


class _Descent:
    """Steps of AdamW with a linear schedule, kept in a checkpoint."""

    def __init__(self, student: Student, steps: int, checkpoint: Path | None) -> None:
        self.student, self.tuning, self.steps, self.checkpoint = student, student.tuning, steps, checkpoint
        self.optimizer = torch.optim.AdamW(
            student.learned.values(), lr=self.tuning.rate, weight_decay=self.tuning.decay
        )
        self.saved = time.monotonic()

    def step(self, step: int, batch: Batch) -> None:
        """Learn from one batch. Chance depends on seed and step alone, so a resumed run is the same."""
        torch.manual_seed(self.tuning.seed * 1_000_003 + step)
        self.student.learn()
        for group in self.optimizer.param_groups:
            group["lr"] = self.tuning.rate * _schedule(step, self.steps, self.tuning.warmup)
        loss = self.student.loss(batch)
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
            save_file(tensors, place, {"done": str(done), "of": self._of()})
        self.saved = time.monotonic()

    def finished(self) -> Adapter | None:
        """The adapter, if this very tuning was finished before."""
        assert self.checkpoint is not None
        if not self.checkpoint.exists():
            return None
        found = Adapter.load(self.checkpoint)
        same = found is not None and found.base == self.student.scope.fingerprint
        return found if found is not None and same and found.about == self.student.about else None

    def resume(self) -> int:
        """Take up the checkpoint, if there is one of this very tuning; how many steps are done."""
        from safetensors import safe_open

        if self.checkpoint is None or not self.checkpoint.exists():
            return 0
        with safe_open(self.checkpoint, "pt") as file:
            about = file.metadata() or {}
            if about.get("of") != self._of():
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

    def _of(self) -> str:
        return f"{self.student.about} {self.student.scope.fingerprint}"


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


def _batch(
    rows: np.ndarray,
    ids: Sequence[Sequence[int]],
    labels: np.ndarray,
    blame: Sequence[Sequence[int]] | None,
    device: torch.device,
) -> Batch:
    """Some of the texts, padded to the longest of them."""
    lengths = torch.tensor([len(ids[k]) for k in rows], device=device)
    longest = int(lengths.max())
    mask = (torch.arange(longest, device=device)[None] < lengths[:, None]).long()

    def padded(numbers: Sequence[Sequence[int]], filling: int) -> torch.Tensor:
        lists = [numbers[k] for k in rows]
        return torch.tensor([[*i, *[filling] * (longest - len(i))] for i in lists], device=device)

    return Batch(
        padded(ids, 0),
        None if mask.all() else mask,
        torch.from_numpy(labels[rows]).to(device),
        None if blame is None else padded(blame, UNKNOWN).float(),
    )


def _blame(piece: Piece, spans: Sequence[Span] | None) -> list[int]:
    """Of each token whether it is to blame: 1, 0, or not known, as of all that the tokenizer added."""
    tokens = piece.tokens()
    if spans is None:
        return [UNKNOWN] * len(tokens)
    touched = [any(begin < b and a < end for a, b in spans) for begin, end in tokens.offsets.tolist()]
    return np.where(tokens.special, UNKNOWN, touched).tolist()


def _fingerprint(
    ids: Sequence[Sequence[int]], labels: np.ndarray, blame: Sequence[Sequence[int]] | None
) -> str:
    """SHA-256 of what is learned from."""
    digest = hashlib.sha256(labels.tobytes())
    for i in [*ids, *(blame or [])]:
        digest.update(np.array([len(i), *i]).tobytes())
    return digest.hexdigest()
