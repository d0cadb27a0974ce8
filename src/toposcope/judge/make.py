"""Making a judge from labelled sentences in one call: what ``toposcope train`` does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from toposcope.data.minimal_pairs import Pairs
from toposcope.data.named import labelled_sentences
from toposcope.data.readers import labelled
from toposcope.data.sentences import Sentences, joined_sentences
from toposcope.errors import told_if_missing
from toposcope.judge.evaluate import evaluate_judge
from toposcope.judge.evidence import Evidence
from toposcope.judge.judge import Judge
from toposcope.judge.ranking import Ranking
from toposcope.judge.recipe import Recipe
from toposcope.judge.train import halved_if_same, train_judge

if TYPE_CHECKING:
    from toposcope.models.scope import Scope
    from toposcope.models.tuning.tuning import Tuning

Given = Sentences | str | Path
Before = Pairs | Given
CHECKED = 1000  # training sentences on which half precision must change no verdict


def make_judge(
    data: Given,
    *,
    model: str | Path | Scope = "bert-base-cased",
    features: str = "",
    tuning: Tuning | None = None,
    heads: int = 0,
    ranking: Ranking = "correlation",
    balanced: bool = False,
    pretrain_on: Before | Sequence[Before] = (),
    augment: int = 0,
    average_folds: int = 0,
    soup: int = 1,
    seed: int = 0,
    tests: Iterable[Given] = (),
    language: str = "",
    work: Path | None = None,
    device: str = "cpu",
    progress: bool | None = None,
) -> Judge:
    """A judge of labelled sentences. Everything is chosen on ``data`` alone; ``tests`` are only looked at.

    Parameters
    ----------
    data : Sentences, or a file
        PATH:SPLIT takes one split of a file.
    model : str or Scope
        What ``ts.load`` takes, or what it gave.
    features : str
        What the judge looks at, joined by "+"; "topology+cls" by default, "topology+lm" of a tuned model.
    tuning : Tuning
        How the model is tuned; left as it is by default.
    heads : int
        Keep so many heads, chosen by ``ranking``; 0 keeps all.
    balanced : bool
        Give both labels the same weight.
    pretrain_on : Pairs, Sentences, or names; or several of these
        What the model is tuned on before ``data``, such as "generated:30", which are minimal pairs of our
        own making, or a file of pairs or of labelled sentences.
    augment : int
        Before ``data``, tune on its acceptable sentences and so many spoiled versions of each.
    average_folds : int
        Cut ``data`` into so many folds and average the models tuned without one of them; 0 tunes on two
        halves, or five folds of few sentences, and then on everything.
    soup : int
        Tune so often, and take a soup: the average of the weights.
    seed : int
        Of folds and tuning.
    tests : Sentences or files
        What the judge is tried on; its scores go into ``about``.
    language : str
        Written into the judge.
    work : folder
        Where tuning is saved on the way, and taken up again after a crash.
    device : str
        A torch device, for a model given by name.
    progress : bool
        Show bars; by default where somebody looks at the terminal.

    Examples
    --------
    >>> judge = make_judge("in_domain_train.tsv", features="topology+cls")  # doctest: +SKIP
    >>> judge.save("my-judge")  # doctest: +SKIP
    >>> how = ts.Tuning("lora", maps="all", layers=0)  # doctest: +SKIP
    >>> make_judge("data.csv", tuning=how, pretrain_on=["generated:30", "others.tsv"])  # doctest: +SKIP
    """
    with told_if_missing():
        import sklearn  # noqa: F401, it cuts the folds; told now, not after the model has been loaded
    from toposcope.models.load import scope_of

    learned = labelled(data)
    before = [pretrain_on] if isinstance(pretrain_on, Before) else pretrain_on
    scope = scope_of(model, device=device, long="windows" if tuning is None else "truncate")
    wanted = features or usual_features(tuned=tuning is not None)
    recipe = Recipe(
        Evidence.parse(wanted, scope.layers),
        tuning,
        heads,
        ranking,
        "balanced" if balanced else None,
        seed,
        joined_sentences([labelled_sentences(one) for one in before]) if before else None,
        augment,
        average_folds,
        soup,
    )
    about = {"language": language, "features": wanted}
    judge = train_judge(scope, learned, recipe, work=work, progress=progress, about=about)
    judge = halved_if_same(judge, learned.texts[:CHECKED])
    scores = [evaluate_judge(judge, one, progress=progress).to_dict() for one in tests]
    return replace(judge, about={**judge.about, "scores": scores})


def usual_features(*, tuned: bool) -> str:
    """What a judge looks at unless it is told otherwise."""
    return "topology+lm" if tuned else "topology+cls"
