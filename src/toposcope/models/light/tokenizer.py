"""A tokenizer without transformers: the file tokenizer.json as the tokenizers library reads it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from toposcope.errors import ModelError
from toposcope.models.light.layout import NotLightError
from toposcope.models.text import backend_fingerprint

UNLIMITED = 10**9
Known = Callable[[Callable[[], str]], str]
BERT_LIKE, ROBERTA_LIKE = ("[MASK]", "[UNK]"), ("<mask>", "<unk>")
REBUILT = ("Bert", "Electra", "DistilBert")


@dataclass(frozen=True, eq=False)
class LightTokenizer:
    """The few things that are asked of a tokenizer, named as in transformers.

    ``backend_tokenizer`` is that of the tokenizers library, ``model_max_length`` its limit in tokens;
    ``known`` gives the fingerprint, computed only if it has to be.
    """

    backend_tokenizer: Any
    model_max_length: int
    mask_token: str | None
    unk_token: str | None
    known: Known | None = None

    is_fast = True
    bos_token_id = None

    def __call__(
        self,
        texts: Sequence[str],
        *,
        truncation: bool = False,
        max_length: int = 0,
        stride: int = 0,
        return_overflowing_tokens: bool = False,
        **_: Any,
    ) -> Encodings:
        """The texts as tokens; of a text that is cut the first window, or all of them one after another."""
        if truncation:
            self.backend_tokenizer.enable_truncation(max_length, stride=stride)
        else:
            self.backend_tokenizer.no_truncation()
        found = self.backend_tokenizer.encode_batch(list(texts))
        if return_overflowing_tokens:
            found = [window for one in found for window in (one, *one.overflowing)]
        return Encodings(found)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of what it does."""
        compute = partial(backend_fingerprint, self.backend_tokenizer)
        return self.known(compute) if self.known else compute()

    @cached_property
    def mask_token_id(self) -> int | None:
        """Number of the token that hides a word."""
        return self._number(self.mask_token)

    @cached_property
    def unk_token_id(self) -> int | None:
        """Number of the token for what is not known."""
        return self._number(self.unk_token)

    def _number(self, token: str | None) -> int | None:
        number: int | None = None if token is None else self.backend_tokenizer.token_to_id(token)
        return number


@dataclass(frozen=True)
class Encodings:
    """What the tokenizers library made of texts."""

    encodings: list[Any]

    def __getitem__(self, name: str) -> list[list[int]]:
        if name != "input_ids":
            raise KeyError(name)
        return [one.ids for one in self.encodings]


def load_tokenizer(folder: Path, counts_on: bool, known: Known | None = None) -> LightTokenizer:
    """The tokenizer of a model's folder; ``counts_on`` tells RoBERTa's kind from BERT's."""
    from tokenizers import Tokenizer

    if not (folder / "tokenizer.json").is_file():
        raise NotLightError("it has no tokenizer.json")
    try:
        backend = Tokenizer.from_file(str(folder / "tokenizer.json"))
        config = _config(folder)
        mask, unknown = ROBERTA_LIKE if counts_on else BERT_LIKE
        tokenizer = LightTokenizer(
            backend,
            int(min(float(config.get("model_max_length") or UNLIMITED), UNLIMITED)),
            _content(config.get("mask_token", mask)),
            _content(config.get("unk_token", unknown)),
            known,
        )
        _check_normaliser(backend, config)
    except NotLightError:
        raise
    except Exception as error:  # whatever a damaged file makes of the library
        raise ModelError(f"{folder}: its tokenizer cannot be read: {error}") from error
    backend.no_padding()
    return tokenizer


def _check_normaliser(backend: Any, config: Mapping[str, Any]) -> None:
    """Refuse files that contradict each other: transformers makes BERT's normaliser from the config."""
    kind = type(backend.normalizer).__name__
    if kind == "BertNormalizer" and str(config.get("tokenizer_class", "")).startswith(REBUILT):
        stored = json.loads(backend.normalizer.__getstate__())
        told = {
            "lowercase": config.get("do_lower_case", True),
            "strip_accents": config.get("strip_accents"),
            "handle_chinese_chars": config.get("tokenize_chinese_chars", True),
        }
        if any(stored.get(name) != value for name, value in told.items()):
            raise NotLightError("its tokenizer.json and tokenizer_config.json differ about letters")


def _config(folder: Path) -> Mapping[str, Any]:
    """What the files beside the tokenizer say of it."""
    found: dict[str, Any] = {}
    for name in ("special_tokens_map.json", "tokenizer_config.json"):
        if (folder / name).is_file():
            found |= json.loads((folder / name).read_bytes())
    return found


def _content(token: Any) -> str | None:
    return token["content"] if isinstance(token, Mapping) else token
