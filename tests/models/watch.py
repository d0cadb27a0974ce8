"""What a model and its tokenizer are asked, so that tests can tell that nothing is done twice."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import torch


@contextmanager
def each_pass(scope, note: Callable) -> Iterator[None]:
    """Before each pass of the model, or of a copy of it, ``note(ids, learning)``; it may raise."""

    def noted(_, given, named):
        ids = named["input_ids"] if "input_ids" in named else given[0]
        note([tuple(row) for row in ids.tolist()], torch.is_grad_enabled())

    hook = scope.engine.transformer.register_forward_pre_hook(noted, with_kwargs=True)
    try:
        yield
    finally:
        hook.remove()


@contextmanager
def asked(scope, monkeypatch) -> Iterator[SimpleNamespace]:
    """``texts`` that were cut into tokens, and ``passes``: the ids of each that went through the model."""
    found = SimpleNamespace(texts=[], passes=[])
    kind = type(scope.tokenizer)
    cut = kind.__call__

    def watched(tokenizer, texts, *given, **options):
        found.texts += [texts] if isinstance(texts, str) else texts
        return cut(tokenizer, texts, *given, **options)

    with monkeypatch.context() as patch, each_pass(scope, lambda ids, _: found.passes.extend(ids)):
        patch.setattr(kind, "__call__", watched)
        yield found
