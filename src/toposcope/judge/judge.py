"""A judge: sentences in, verdicts out. A folder with judge.json and weights.safetensors."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from toposcope.data.words import check_words
from toposcope.errors import InputError, ModelError
from toposcope.facts import LARGEST, Facts, checked_numbers
from toposcope.features.table import Table, as_objects
from toposcope.files import whole
from toposcope.judge.blame import words_to_blame
from toposcope.judge.evidence import Evidence
from toposcope.judge.linear import Linear
from toposcope.judge.notebook import judge_html
from toposcope.judge.notes import reading_notes
from toposcope.judge.read import observe
from toposcope.judge.verdict import NOTES, TEXT, Verdict, decide
from toposcope.models.text import check_texts

if TYPE_CHECKING:
    from toposcope.models.scope import Scope
    from toposcope.models.tuning.adapter import Adapter

FORMAT = "toposcope judge 1"
JSON, WEIGHTS = "judge.json", "weights.safetensors"
SHIPPED = Path(__file__).parent.parent / "shipped" / "judges"
ADAPTER = "adapter."
UNREADABLE = (OSError, ValueError, KeyError, TypeError, ArithmeticError, RecursionError)  # files make these
READER = "judge"  # who read a table


@dataclass(frozen=True, eq=False)
class Judge:
    """Evidence, a linear judge of it, and the weights of the model that it belongs to.

    ``fingerprint`` is that of the model; ``seen`` are hashes of the sentences it learned from, so that
    they are found when it is evaluated on them; ``about`` tells language, data, scores, versions;
    ``base`` is the model before tuning, once it is loaded, on a torch ``device``.
    """

    model: str
    fingerprint: str
    evidence: Evidence
    linear: Linear = field(repr=False)
    adapter: Adapter | None = field(default=None, repr=False)
    seen: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64), repr=False)
    about: Mapping[str, Any] = field(default_factory=dict, repr=False)
    base: Scope | None = field(default=None, repr=False)
    device: str = field(default="cpu", repr=False)

    @overload
    def __call__(self, texts: str) -> Verdict: ...
    @overload
    def __call__(self, texts: list[str] | tuple[str, ...]) -> list[Verdict]: ...
    def __call__(self, texts: str | list[str] | tuple[str, ...]) -> Verdict | list[Verdict]:
        """The verdict on one sentence, or a list of verdicts on many."""
        return self.verdicts([texts])[0] if isinstance(texts, str) else self.verdicts(texts)

    def verdicts(self, texts: Sequence[str], *, progress: bool | None = None) -> list[Verdict]:
        """Verdicts on sentences, from one pass of the model. Texts without words are refused."""
        given = check_texts(texts)
        return self.decide(self.read(given, progress=progress)) if given else []

    def read(self, texts: Sequence[str], *, words: bool = False, progress: bool | None = None) -> Table:
        """What the judge sees in sentences, from one pass of the model, which ``decide`` needs no more.

        The table carries ``text``, ``notes`` and ``judge``, who read it; with ``words``, if the judge
        ``reads_words``, also the words of each sentence and how probably each is wrong.
        """
        check_words(check_texts(texts))
        pieces = self.scope.pieces(texts)
        asked = words and self.reads_words
        table = observe(self.scope, pieces, self.evidence, words=asked, progress=progress)
        carried = {TEXT: as_objects(texts), NOTES: as_objects(reading_notes(self.scope, pieces))}
        return replace(
            table, carried={**table.carried, **carried}, about={**table.about, READER: self.identity}
        )

    def decide(self, table: Table) -> list[Verdict]:
        """Verdicts on sentences that were read, in any order, today or from a file; no model is needed."""
        if table.about.get(READER) != self.identity:
            raise InputError("the table was not read by this judge: take what judge.read(texts) gives.")
        try:
            return decide(table, self.linear)
        except InputError:
            raise
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"the table was altered after this judge read it: {error!r}") from error

    @property
    def reads_words(self) -> bool:
        """Whether the model was tuned to judge word by word."""
        return self.adapter is not None and self.adapter.pooled == "words"

    def blame(self, text: str) -> list[tuple[str, float]]:
        """The words of a sentence, and how much each is to blame.

        If the judge ``reads_words`` that is how probably each is wrong in the eyes of the tuned model. If
        not, it is by how much the probability of being acceptable rises when the word is hidden behind the
        model's mask token, or left out where there is none; a sentence of one word then gives nothing.
        """
        (verdict,) = self.decide(self.read([text], words=True))
        return words_to_blame(self, verdict)

    def _repr_html_(self) -> str:
        return judge_html(self)

    def on(self, scope: Scope) -> Judge:
        """The judge at work on a model that is loaded already; refused if the weights are others."""
        if scope.fingerprint != self.fingerprint:
            raise ModelError(
                f"This judge was made for {self.model} with weights {self.fingerprint[:12]}; those of "
                f"{scope.name} are {scope.fingerprint[:12]}. Its numbers would mean nothing there: train "
                "one for these weights (toposcope train)."
            )
        columns = self.evidence.columns_in(scope)
        if columns != self.linear.weights.size:
            raise InputError(
                f"This judge weighs {self.linear.weights.size:,} columns, its evidence has {columns:,} in "
                f"{scope.name}: its files do not belong together."
            )
        return replace(self, base=scope)

    @cached_property
    def scope(self) -> Scope:
        """The model, tuned if the judge says so; loaded when it is first needed."""
        if self.base is None:
            from toposcope.models.load import load

            mine = self.on(load(self.model, device=self.device, long="windows")).base
            assert mine is not None
            return mine if self.adapter is None else self.adapter.apply(mine, in_place=True)
        return self.base if self.adapter is None else self.adapter.apply(self.base)

    @cached_property
    def identity(self) -> str:
        """A hash of what it makes of evidence, by which it knows its own tables."""
        digest = hashlib.sha256(json.dumps([self.fingerprint, self.evidence.to_dict()]).encode())
        for values in (self.linear.mean, self.linear.scale, self.linear.weights, self.linear.bias):
            digest.update(np.ascontiguousarray(values).tobytes())
        return digest.hexdigest()

    @property
    def figures(self) -> dict[str, Any]:
        """How good it is, for JSON: what cross-validation tells to expect, and what came true."""
        told = {name: self.about.get(name) for name in ("cross-validation", "scores")}
        return {"cv_mcc": self.linear.cv_mcc, **told}

    def halved(self) -> Judge:
        """The same judge with what LoRA changed in half precision: half the size."""
        if self.adapter is None or self.adapter.about.get("method") != "lora":
            return self
        pooler = None if self.base is None else self.base.pooler
        return replace(self, adapter=self.adapter.halved(pooler))

    def save(self, folder: str | Path) -> Path:
        """Write the judge into a folder; each file is whole or not there."""
        from safetensors.numpy import save as to_bytes

        folder = Path(folder)
        arrays = {"mean": self.linear.mean, "scale": self.linear.scale, "weights": self.linear.weights}
        arrays["seen"] = self.seen
        if self.adapter is not None:
            arrays |= {f"{ADAPTER}{name}": values for name, values in self.adapter.tensors.items()}
        arrays = {name: np.ascontiguousarray(values) for name, values in arrays.items()}
        content = to_bytes(arrays)
        facts = self._facts(hashlib.sha256(content).hexdigest())
        with whole(folder / WEIGHTS) as place:
            place.write_bytes(content)
        with whole(folder / JSON) as place:
            place.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
        return folder

    def _facts(self, digest: str) -> dict[str, Any]:
        adapter = self.adapter
        return {
            "format": FORMAT,
            "weights": {"sha256": digest},
            "model": {"name": self.model, "fingerprint": self.fingerprint},
            "evidence": self.evidence.to_dict(),
            "bias": self.linear.bias,
            "threshold": self.linear.threshold,
            "cv_mcc": self.linear.cv_mcc,
            "adapter": adapter and {"pooled": adapter.pooled, "about": dict(adapter.about)},
            "about": dict(self.about),
        }

    @classmethod
    def load(cls, name: str | Path = "english", device: str = "cpu") -> Judge:
        """A judge that ships with toposcope, by its name, or one in a folder; to run on a torch device."""
        from safetensors import SafetensorError
        from safetensors.numpy import load as from_bytes

        folder = _find(name)
        try:
            facts = Facts.parse((folder / JSON).read_bytes())
            if facts["format"] != FORMAT:
                raise InputError(f"format {facts['format']!r}, this version reads {FORMAT!r}.")
            content = (folder / WEIGHTS).read_bytes()
            if hashlib.sha256(content).hexdigest() != facts.part("weights")["sha256"]:
                raise InputError(f"{WEIGHTS} is not the file that {JSON} was written with.")
            return replace(cls._from(facts, from_bytes(content)), device=device)
        except InputError as error:
            raise InputError(f"{folder} holds no judge that can be read: {error}") from error
        except (*UNREADABLE, SafetensorError) as error:
            raise InputError(f"{folder} holds no judge that can be read: {error!r}") from error

    @classmethod
    def _from(cls, facts: Facts, arrays: Mapping[str, np.ndarray]) -> Judge:
        mcc = facts.number("cv_mcc", -1, 1)
        linear = Linear(*_columns(arrays), facts.number("bias"), facts.number("threshold", 0, 1), mcc)
        model, tuned, adapter = facts.part("model"), facts.maybe("adapter"), None
        if tuned is not None:
            from toposcope.models.tuning.adapter import Adapter

            tensors = {k.removeprefix(ADAPTER): v for k, v in arrays.items() if k.startswith(ADAPTER)}
            about = tuned.part("about").given
            adapter = Adapter(tensors, model.text("fingerprint"), tuned["pooled"], about).checked()
        if arrays["seen"].dtype != np.int64 or arrays["seen"].ndim != 1:
            raise InputError("seen is no list of whole numbers of 64 bits.")
        return cls(
            model.text("name"),
            model.text("fingerprint"),
            Evidence.from_dict(facts.part("evidence").given),
            linear,
            adapter,
            arrays["seen"],
            facts.part("about").given,
        )


def _columns(arrays: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean, scale and weight of each column, all of them numbers to compute with."""
    mean, scale, weights = (checked_numbers(arrays[name], name) for name in ("mean", "scale", "weights"))
    checked_numbers(scale, "scale", least=1 / LARGEST)
    if not mean.shape == scale.shape == weights.shape == (weights.size,):
        raise InputError(
            f"mean {mean.shape}, scale {scale.shape}, weights {weights.shape}: a column needs one of each."
        )
    return mean, scale, weights


def shipped() -> list[str]:
    """Names of the judges that come with the package."""
    return sorted(path.parent.name for path in SHIPPED.glob(f"*/{JSON}"))


def _find(name: str | Path) -> Path:
    for folder in (Path(name), SHIPPED / str(name)):
        if (folder / JSON).is_file():
            return folder
    raise InputError(f"no judge {str(name)!r}: a folder with {JSON}, or one of {', '.join(shipped())}.")
