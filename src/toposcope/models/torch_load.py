"""Models and tokenizers of Hugging Face folders, loaded by transformers."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from toposcope.errors import InputError, ModelError

MAY_BE_NEW = ("pooler.", "position_ids")  # weights a model may lack: nothing we read depends on them


def read_folder(folder: Path, dtype: str, device: str) -> tuple[Any, Any]:
    """Model and tokenizer of a Hugging Face folder: with its language-model head if it has one."""
    import torch
    import transformers

    try:
        place = torch.device(device)
        torch.empty(1, device=place)
    except (RuntimeError, AssertionError) as error:
        raise InputError(f"device={device!r} cannot be used here: {str(error).splitlines()[0]}") from None
    options = {"local_files_only": True, "trust_remote_code": False}
    auto = getattr(transformers, auto_class(folder))
    with _quiet():
        try:
            model, report = auto.from_pretrained(
                folder,
                attn_implementation="eager",
                dtype=getattr(torch, dtype),
                use_safetensors=True,
                output_loading_info=True,
                ignore_mismatched_sizes=True,  # they are told below
                **options,
            )
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **options)
        except Exception as error:  # whatever a damaged file makes of transformers
            said = " ".join(str(error).split()) or type(error).__name__
            raise ModelError(f"{folder} cannot be loaded: {said}") from error
    if report["mismatched_keys"]:
        name, stored, wanted = min(report["mismatched_keys"])
        raise ModelError(
            f"{folder}: {name} has the shape {tuple(stored)}, config.json asks for {tuple(wanted)}. "
            "The files do not belong together: copy the model again."
        )
    new = [key for key in report["missing_keys"] if not any(part in key for part in MAY_BE_NEW)]
    if new:
        raise ModelError(
            f"{folder} lacks {len(new)} weights of {type(model).__name__}, {new[0]} first; they would be "
            "random numbers. The files are incomplete or belong to another model."
        )
    return model.to(place), tokenizer


def read_pooler(folder: Path) -> tuple[np.ndarray, np.ndarray] | None:
    """Weights and biases of the layer over the first token, which language models leave unread."""
    import torch
    from safetensors import safe_open

    found: dict[str, np.ndarray] = {}
    for path in sorted(folder.glob("*.safetensors")):
        with safe_open(path, "pt") as file:
            for name in file.keys():  # noqa: SIM118, it is no mapping
                if name.endswith(("pooler.dense.weight", "pooler.dense.bias")):
                    found[name.rsplit(".", 1)[1]] = file.get_tensor(name).to(torch.float32).numpy()
    return (found["weight"], found["bias"]) if len(found) == 2 else None


def auto_class(folder: Path) -> str:
    """Name of the class of transformers that loads a folder, by the architecture it was saved from."""
    from transformers.models.auto import modeling_auto as auto

    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        architecture = (config.get("architectures") or [""])[0]
    except (OSError, ValueError, AttributeError) as error:
        raise ModelError(f"{folder}: config.json cannot be read: {error}") from error
    if architecture in auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES.values():
        return "AutoModelForCausalLM"
    if architecture in auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES.values():
        return "AutoModelForMaskedLM"
    return "AutoModel"


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without the bars and reports that transformers writes while it loads; errors still come."""
    from transformers.utils import logging

    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
