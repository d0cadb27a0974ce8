"""What makes a folder a model that can be loaded."""

import json
from pathlib import Path
from typing import Any

PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.h5", "*.msgpack")
LONGEST_HEADER = 100_000_000  # bytes; safetensors takes no longer one


def fault(folder: Path) -> str | None:
    """What keeps a folder from being loaded, and the fix; None if nothing does."""
    if not (folder / "config.json").is_file():
        return f"{folder} has no config.json: give the folder that save_pretrained() wrote."
    index = folder / "model.safetensors.index.json"
    if index.is_file():
        try:
            shards = set(json.loads(index.read_bytes())["weight_map"].values())
            missing = sorted(shard for shard in shards if not (folder / shard).is_file())
        except (ValueError, KeyError, AttributeError, TypeError):
            return f"{index} cannot be read: copy the model again."
        return f"{folder} lacks {', '.join(missing)}: copy the model again." if missing else None
    if any(folder.glob("*.safetensors")):
        return None
    pickles = sorted(file.name for pattern in PICKLES for file in folder.glob(pattern))
    if pickles:
        return (
            f"{folder} has its weights as {', '.join(pickles)} only, a format that can run code and is "
            "not read: load it where you trust it and save it with "
            "save_pretrained(folder, safe_serialization=True)."
        )
    return f"{folder} has no weights: model.safetensors is missing."


def torn(folder: Path) -> str | None:
    """Which file of weights is cut short or damaged, by its header, and the fix; None if none is."""
    for file in sorted(folder.glob("*.safetensors")):
        try:
            size = file.stat().st_size
            with file.open("rb") as stream:
                length = int.from_bytes(stream.read(8), "little")
                header = json.loads(stream.read(length) if length <= LONGEST_HEADER else b"")
            ends = [facts["data_offsets"][1] for name, facts in header.items() if name != "__metadata__"]
            announced = 8 + length + max(ends, default=0)
        except (OSError, ValueError, KeyError, AttributeError, TypeError, IndexError):
            return f"{file} cannot be read, its header is damaged: copy the model again."
        if size != announced:
            return f"{file} has {size} bytes, {announced} were announced: copy the model again."
    return None


def write_json(path: Path, value: dict[str, Any]) -> None:
    """Write one of a model's JSON files."""
    path.write_text(json.dumps(value, indent=2, sort_keys=True) + "\n", encoding="utf-8")
