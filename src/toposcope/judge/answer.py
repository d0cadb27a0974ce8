"""Judging texts in one call: what ``toposcope judge`` does. A text without words stops no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from toposcope.data.words import NO_WORDS, has_words
from toposcope.judge.blame import Blame, find_blame
from toposcope.judge.judge import Judge
from toposcope.judge.verdict import Verdict
from toposcope.progress import progress_bar


@dataclass(frozen=True)
class Answer:
    """What a judge says of a text: a verdict, or None where there are no words.

    ``blame`` tells which words are at fault, if that was asked and the text is not acceptable.
    """

    text: str
    verdict: Verdict | None
    threshold: float
    blame: Blame | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What to keep in mind."""
        return (NO_WORDS,) if self.verdict is None else self.verdict.notes

    def to_dict(self, *, blame: bool = False) -> dict[str, Any]:
        """For JSON; with who is to ``blame``, if that was asked."""
        verdict = self.verdict
        told: dict[str, Any] = {
            "text": self.text,
            "acceptable": None if verdict is None else verdict.acceptable,
            "probability": None if verdict is None else verdict.probability,
            "notes": [*self.notes],
            "threshold": self.threshold,
            "reasons": {} if verdict is None else dict(verdict.loudest()),
        }
        if verdict is None or not blame:
            return told
        if self.blame is None:
            return {**told, "to blame": []}
        told |= {"to blame": [list(one) for one in self.blame.words], "blame found": self.blame.found}
        return {**told, "blame remark": self.blame.remark} if self.blame.remark else told


def judge_texts(
    texts: Sequence[str],
    judge: Judge | str | Path = "english",
    *,
    blame: bool = False,
    device: str = "cpu",
    progress: bool | None = None,
) -> list[Answer]:
    """Say of each text whether it is acceptable, how probably, and why, from one pass of the model.

    Parameters
    ----------
    texts : strings
    judge : Judge, or the name or folder of one
    blame : bool
        Look for the words to blame in what is not acceptable.
    device : str
        A torch device, for a judge given by name.
    progress : bool
        Show bars; by default where somebody looks at the terminal.

    Examples
    --------
    >>> answer, = judge_texts(["Maryann should leaving."], "english", blame=True)  # doctest: +SKIP
    >>> answer.verdict.acceptable, answer.blame.words  # doctest: +SKIP
    """
    asked = judge if isinstance(judge, Judge) else Judge.load(judge, device)
    said = [text for text in texts if has_words(text)]
    verdicts = iter(asked.decide(asked.read(said, words=blame, progress=progress)) if said else [])
    threshold = asked.linear.threshold
    answers = [Answer(text, next(verdicts) if has_words(text) else None, threshold) for text in texts]
    return _blamed(asked, answers, progress) if blame else answers


def _blamed(judge: Judge, answers: Sequence[Answer], progress: bool | None) -> list[Answer]:
    """The answers, with who is to blame where the text is not acceptable."""
    found = list(answers)
    with progress_bar("looking for words to blame", len(found), progress) as advance:
        for k, answer in enumerate(answers):
            if answer.verdict is not None and not answer.verdict.acceptable:
                found[k] = replace(answer, blame=find_blame(judge, answer.verdict))
            advance(1)
    return found
