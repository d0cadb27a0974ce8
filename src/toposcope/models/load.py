"""A model by its name, ready to be looked at."""

from __future__ import annotations

import importlib.util
import warnings
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from toposcope.errors import InputError, ModelError
from toposcope.models.buckets import as_bytes
from toposcope.models.engine import EngineKind
from toposcope.models.light.layout import NotLightError
from toposcope.models.reader import DEFAULT_MEMORY, Settings
from toposcope.models.scope import Scope
from toposcope.models.text import Long
from toposcope.progress import download_bar, slow
from toposcope.weights.folder import torn
from toposcope.weights.resolve import AUTO, Resolved, resolve

DTYPES = ("float32", "bfloat16", "float16")
ENGINES = ("auto", *get_args(EngineKind))
NEEDED = ("torch", "transformers")
Pooler = tuple[np.ndarray, np.ndarray]


def load(
    name: str | Path = "auto",
    dtype: Literal["float32", "bfloat16", "float16"] = "float32",
    device: str = "cpu",
    *,
    engine: Literal["auto", "light", "torch"] = "auto",
    memory: int | str = DEFAULT_MEMORY,
    long: Long = "error",
    overlap: int | None = None,
) -> Scope:
    """Load a model and its tokenizer.

    Parameters
    ----------
    name : str
        A folder, a name of the catalogue (``toposcope models list``), an id on the Hugging Face hub, or
        "auto": bert-base-cased where it can be had, else all-MiniLM-L6-v2.
    dtype : "float32", "bfloat16" or "float16"
        Precision of the weights. float32 is the reference; maps are always handed out as float32.
    device : str
        A torch device: "cpu", "cuda", "cuda:1", "mps".
    engine : "auto", "light" or "torch"
        "light" runs BERT and its relatives with numpy, "torch" all of Hugging Face on any device, and only
        there a model can be tuned. "auto" takes the light one wherever that can: on a CPU it is quicker,
        for one text and for many (docs/models.md).
    memory : bytes, or e.g. "2GB"
        Working memory beyond the weights; it decides how many texts run at once.
    long : "error", "truncate" or "windows"
        What happens to texts over the model's limit: refused, cut, or cut into windows.
    overlap : int
        Tokens that neighbouring windows share; an eighth of the limit by default.
    """
    if dtype not in DTYPES:
        raise InputError(f"dtype={dtype!r}: accepted are {', '.join(map(repr, DTYPES))}.")
    if engine not in ENGINES:
        raise InputError(f"engine={engine!r}: accepted are {', '.join(map(repr, ENGINES))}.")
    if engine == "light" and (dtype, device) != ("float32", "cpu"):
        raise InputError(f"engine='light' computes in float32 on the cpu, not in {dtype} on {device}.")
    settings = Settings(as_bytes(memory), long, overlap)
    with download_bar() as progress:
        found = resolve(str(name), progress=progress)
    if str(name) == "auto" and found.name != AUTO[0]:
        warnings.warn(found.note, stacklevel=2)
    if reason := torn(found.folder):
        raise ModelError(reason)
    model, tokenizer, pooler = _parts(found, dtype, device, engine)
    return Scope(
        model,
        tokenizer,
        name=found.name,
        note=found.note,
        settings=settings,
        pooler=pooler,
        reference=found.reference,
    )


def scope_of(model: str | Path | Scope, **options: Any) -> Scope:
    """A model that is loaded already, or one by its name; ``options`` are those of ``load``.

    A loaded one that is wanted in the torch engine is loaded again if it is in the light one.
    """
    if isinstance(model, str | Path):
        return load(model, **options)
    if options.get("engine") == "torch" and isinstance(model, Scope) and model.engine.kind == "light":
        told = model.settings
        again = load(
            model.reference, engine="torch", memory=told.memory, long=told.long, overlap=told.overlap
        )
        if again.fingerprint != model.fingerprint:
            raise ModelError(f"{model.reference} has other weights than {model.name} by now.")
        return again
    return model


def _parts(found: Resolved, dtype: str, device: str, engine: str) -> tuple[Any, Any, Pooler | None]:
    """Engine or model, tokenizer and pooler: from the light engine where that can and may."""
    asked = engine == "torch"
    why = "the torch engine was asked for" if asked else f"{dtype} on {device} needs the torch engine"
    if not asked and (dtype, device) == ("float32", "cpu"):
        from toposcope.models.light.engine import load_light
        from toposcope.weights.fingerprints import Fingerprint

        weights, tokens = (Fingerprint(found.folder, name) for name in ("*.safetensors", "tokenizer.json"))
        try:
            return load_light(found.folder, weights, tokens)
        except NotLightError as error:
            why = f"the light engine cannot run {found.name}: {error}"
            if engine == "light":
                raise ModelError(f"{why}. Load it with engine='torch'.") from error
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise ModelError(f"{why}, and {missing[0]} is not installed: pip install 'toposcope[models]'.")
    with slow(f"loading {found.name}"):
        from toposcope.models.threads import let_torch
        from toposcope.models.torch_load import read_folder, read_pooler

        let_torch()
        return (*read_folder(found.folder, dtype, device), read_pooler(found.folder))
