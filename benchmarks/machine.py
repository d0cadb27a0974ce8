"""Where the numbers were measured, without a name or a path."""

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

LIBRARIES = (
    "toposcope", "numpy", "numba", "torch", "transformers", "minicons",
    "ripser", "giotto-ph", "gudhi", "scipy", "networkx", "scikit-learn", "skglm",
)  # fmt: skip


def facts() -> dict[str, Any]:
    """Processor, cores, versions and time; the load tells how quiet the machine was."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": _cpu(),
        "cores": cores(),
        "system": f"{platform.system()} {platform.machine()}",
        "load at the start": load(),
        "python": platform.python_version(),
        "libraries": {name: _version(name) for name in LIBRARIES},
    }


def cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def load() -> float | None:
    """Cores at work, on average over the last minute; nothing where the system does not say."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def cpu_flags() -> set[str]:
    """What the processor says it can do; nothing where the system does not tell."""
    return set(_cpu_info("flags").split() + _cpu_info("Features").split())


def _cpu() -> str:
    return _cpu_info("model name") or platform.processor() or "unknown"


def _cpu_info(field: str) -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(field)), "")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
