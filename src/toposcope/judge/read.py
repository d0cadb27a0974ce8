"""Reading sentences as a judge does: its evidence of each, from one pass of the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from toposcope.data.sentences import text_hashes
from toposcope.errors import InputError
from toposcope.features.table import Table, as_objects
from toposcope.judge.evidence import Evidence
from toposcope.models.text import word_ids
from toposcope.stats.ridge import sigmoid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toposcope.models.scope import Scope
    from toposcope.models.states import States
    from toposcope.models.text import Piece, Texts

HASH, WORDS, WRONG = "hash", "words", "wrong"


def observe(
    scope: Scope,
    texts: Texts,
    evidence: Evidence,
    *,
    words: bool = False,
    progress: bool | None = None,
) -> Table:
    """The evidence of texts, from one pass of the model.

    Only the wanted heads are measured; without states, layers above the last one are not run. With
    ``words`` each row also carries its ``words`` and how probably each is ``wrong``, as a model says that
    was tuned word by word.
    """
    check_pooler(scope, evidence)
    if evidence.lm and scope.head is None:
        raise InputError("lm is the word of a tuned model: add --tune lora, or leave lm out.")
    heads, pieces = evidence.heads_of(scope.layers, scope.heads), scope.pieces(texts)
    carried = {HASH: text_hashes(pieces.texts)}
    parts: list[np.ndarray] = []
    if evidence.needs_states or words:
        values, states = scope.measure_with_states(pieces, evidence.spec, heads=heads, progress=progress)
        parts.append(values.reshape(pieces.rows, -1))
        parts += _parts_of(states, scope, evidence)
        if words and states.blame is not None:
            blame = iter(states.blame)
            said = [_words(windows, [next(blame) for _ in windows]) for windows in pieces.windows()]
            carried[WORDS] = as_objects([word for word, _ in one] for one in said)
            carried[WRONG] = as_objects([wrong for _, wrong in one] for one in said)
    elif evidence.spec is not None:
        values = scope.measure(pieces, evidence.spec, heads=heads, progress=progress)
        parts.append(values.reshape(pieces.rows, -1))
    if evidence.length:
        parts.append(scope.token_counts(pieces)[:, None])
    table = np.concatenate(parts, axis=1, dtype=np.float32)
    about = scope.provenance | ({} if evidence.spec is None else {"spec": evidence.spec.to_json()})
    return Table(table, evidence.columns(heads, scope.width), about, carried)


def check_pooler(scope: Scope, evidence: Evidence) -> None:
    """Refuse evidence of a pooler where the model has none."""
    if evidence.pooler and scope.pooler is None:
        raise InputError(f"{scope.name} has no pooler: its weights hold none. Use cls instead.")


def _parts_of(states: States, scope: Scope, evidence: Evidence) -> list[np.ndarray]:
    """What is wanted of hidden states, in the order of the columns."""
    parts = [states.first[:, layer] for layer in evidence.cls]
    parts += [states.mean[:, layer] for layer in evidence.mean]
    if evidence.pooler and scope.pooler is not None:
        weights, bias = scope.pooler
        parts.append(np.tanh(states.first[:, -1] @ weights.T + bias))
    if evidence.lm and states.log_odds is not None:
        parts.append(states.log_odds[:, None])
    return parts


def _words(windows: Sequence[Piece], blame: Sequence[np.ndarray]) -> list[tuple[str, float]]:
    """The words of a text and how probably each is wrong: as its worst token, in any window, says."""
    text, found = windows[0].text, dict[int, tuple[int, int, float]]()
    for piece, odds in zip(windows, blame, strict=True):
        wrong = sigmoid(odds.astype(np.float64))
        told = word_ids(piece.encoding, text)
        for word, (begin, end), probability in zip(told, piece.encoding.offsets, wrong, strict=True):
            if word is not None:
                first, last, worst = found.get(word, (begin, end, 0.0))
                found[word] = min(first, begin), max(last, end), max(worst, float(probability))
    return [(text[first:last].strip(), worst) for first, last, worst in found.values()]
