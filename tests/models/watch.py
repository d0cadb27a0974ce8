"""What a model and its tokenizer are asked, so that tests can tell that nothing is done twice."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace


@contextmanager
def asked(scope, monkeypatch) -> Iterator[SimpleNamespace]:
    """``texts`` that were cut into tokens, and ``passes``: the ids of each that went through the model."""
    found = SimpleNamespace(texts=[], passes=[])
    kind = type(scope.tokenizer)
    cut = kind.__call__

    def watched(tokenizer, texts, *given, **options):
        found.texts += [texts] if isinstance(texts, str) else texts
        return cut(tokenizer, texts, *given, **options)

    def noted(_, given, named):
        ids = named["input_ids"] if "input_ids" in named else given[0]
        found.passes += [tuple(row) for row in ids.tolist()]

    hook = scope.transformer.register_forward_pre_hook(noted, with_kwargs=True)
    with monkeypatch.context() as patch:
        patch.setattr(kind, "__call__", watched)
        yield found
    hook.remove()
