"""How a model is tuned, as a value that knows no torch; what does it is in tune.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from toposcope.errors import InputError

Maps = Literal["attention", "all"]
Method = Literal["lora", "full"]
Reads = Literal["sentence", "words"]
Precision = Literal["auto", "float32", "bfloat16"]
PRECISIONS: tuple[Precision, ...] = get_args(Precision)
MAPS: tuple[Maps, ...] = get_args(Maps)
READS: tuple[Reads, ...] = get_args(Reads)
RATES: dict[Method, float] = {"lora": 5e-4, "full": 3e-5}


@dataclass(frozen=True)
class Tuning:
    """How a model is tuned. ``rate`` is the learning rate, 0 for the usual one of the method.

    Of LoRA only are ``rank``, ``layers`` (how many of the upper ones, 0 for all) and ``maps``: beside which
    linear maps it learns, those of ``attention`` or ``all`` of a layer. ``head`` is what sits on top:
    one of the ``sentence`` or of its ``words``. ``precision`` is that of the matrix products while
    learning; ``auto`` takes bfloat16 where the machine has instructions for it, which is about twice as
    fast. The weights themselves, and every later pass, stay float32.
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
    head: Reads = "sentence"
    seed: int = 0
    precision: Precision = "auto"

    def __post_init__(self) -> None:
        if self.method not in RATES:
            raise InputError(f"method={self.method!r}: accepted are {', '.join(map(repr, RATES))}.")
        for name in ("epochs", "batch", "rank"):
            if getattr(self, name) < 1:
                raise InputError(f"{name}={getattr(self, name)}: accepted are numbers from 1.")
        for name, accepted in (("precision", PRECISIONS), ("maps", MAPS), ("head", READS)):
            if getattr(self, name) not in accepted:
                known = ", ".join(map(repr, accepted))
                raise InputError(f"{name}={getattr(self, name)!r}: accepted are {known}.")

    def settled(self, device: str) -> Tuning:
        """The same with the usual learning rate and the best precision of a device in their places."""
        precision = self.precision
        if precision == "auto":
            precision = "bfloat16" if _quick_in_bfloat16(device) else "float32"
        return replace(self, rate=self.rate or RATES[self.method], precision=precision)


def _quick_in_bfloat16(device: str) -> bool:
    """Whether a device multiplies in bfloat16 by itself; where it has to pretend, that is slow."""
    import torch

    if device == "cpu":
        told = getattr(torch.cpu, "get_capabilities", dict)  # older versions of torch do not tell
        can: Mapping[str, Any] = told()
        return bool(can.get("avx512_bf16") or can.get("amx_bf16"))
    return device.startswith("cuda") and torch.cuda.is_bf16_supported(including_emulation=False)
