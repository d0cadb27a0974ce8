"""What table 1 is made of: a model, a corpus, what of the model learns, and the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tune = Literal["none", "lora", "full"]
SEEDS = (0, 1, 2)
GENERATED = ("generated:30",)
ENGLISH = (*GENERATED, "cola")  # for other languages

LM = "lm"
FROZEN_BASELINES = (
    "length", "pooler", "cls:12", "cls:10-12", "mean:1-12", "cls:10-12+mean:9-12", "cls:10-12+mean:1-12",
)  # fmt: skip
FROZEN_ROWS = (
    *FROZEN_BASELINES, "h0m", "h0m+sides", "tda", "topology", "topology+spectral", "tda+cls:10-12",
    "topology+cls:10-12", "topology+cls:10-12+mean:9-12", "topology+cls:10-12+mean:1-12",
    "topology+spectral+cls:10-12+mean:1-12",
)  # fmt: skip
TUNED_BASELINES = ("length", LM, "cls:10-12+mean:9-12+lm")
TUNED_ROWS = (
    *TUNED_BASELINES, "h0m", "h0m+sides", "tda", "topology", "h0m+lm", "h0m+sides+lm", "tda+lm",
    "topology+lm", "topology+cls:10-12+mean:9-12+lm",
)  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """A model on a corpus, frozen or tuned. ``published`` names the row of the paper beside it.

    ``at_hand`` says that the catalogue has the weights; others need the hub. ``soup`` is how often it is
    tuned; their weights are averaged. ``pretrain_on`` is what it is tuned on before: pairs of our
    generator, or the train part of another corpus. ``widely`` puts LoRA beside all linear maps of all
    layers, not only those of attention; ``words`` lets the model judge word by word. ``augment`` is how
    many spoiled versions of every acceptable sentence it is tuned on first. ``average_folds`` is the number
    of folds whose models are averaged, 0 where one more was tuned on everything.
    """

    model: str
    corpus: str
    tune: Tune
    seeds: tuple[int, ...] = SEEDS
    published: str = ""
    at_hand: bool = True
    soup: int = 1
    pretrain_on: tuple[str, ...] = ()
    widely: bool = False
    words: bool = False
    augment: int = 0
    average_folds: int = 0

    @property
    def name(self) -> str:
        """E.g. ``bert-base-cased/cola/lora``; the model without the owner of a hub id."""
        several = f"-{self.soup}" if self.soup > 1 else ""
        lessons = "-english" if self.pretrain_on == ENGLISH else "-lessons" if self.pretrain_on else ""
        widely = "-all" if self.widely else ""
        words = "-words" if self.words else ""
        practice = "-exercises" if self.augment else ""
        middle = f"-middle{self.average_folds}" if self.average_folds else ""
        tuned = self.tune + widely + words + several + lessons + practice + middle
        how = "frozen" if self.tune == "none" else tuned
        return f"{self.model.rsplit('/', 1)[-1]}/{self.corpus}/{how}"

    @property
    def rows(self) -> tuple[str, ...]:
        """What is tried, as ``--features`` has it."""
        return FROZEN_ROWS if self.tune == "none" else TUNED_ROWS

    @property
    def baselines(self) -> tuple[str, ...]:
        """The rows without topology."""
        return FROZEN_BASELINES if self.tune == "none" else TUNED_BASELINES

    @property
    def evidence(self) -> str:
        """Everything that the rows need, read in one pass."""
        if self.tune == "none":
            return "tda+shape+spectral+cls:10-12+mean:1-12+pooler+length"
        return "tda+shape+cls:10-12+mean:9-12+lm+length"


BERT, MULTILINGUAL, XLM = "bert-base-cased", "bert-base-multilingual-cased", "FacebookAI/xlm-roberta-base"
ITALIAN, SWEDISH = "dbmdz/bert-base-italian-cased", "KB/bert-base-swedish-cased"

SETTINGS = (
    Setting(BERT, "cola", "none", published="En-BERT"),
    Setting(BERT, "cola", "lora", published="En-BERT"),
    Setting(BERT, "cola", "lora", (0,), published="En-BERT", soup=3),
    Setting(BERT, "cola", "lora", published="En-BERT", pretrain_on=GENERATED),
    Setting(BERT, "cola", "lora", (0,), published="En-BERT", soup=3, pretrain_on=GENERATED),
    Setting(BERT, "cola", "lora", published="En-BERT", pretrain_on=GENERATED, widely=True),
    Setting(BERT, "cola", "lora", (0,), published="En-BERT", soup=3, pretrain_on=GENERATED, widely=True),
    Setting(BERT, "cola", "lora", published="En-BERT", pretrain_on=GENERATED, widely=True, average_folds=3),
    Setting(BERT, "cola", "full", (0,), published="En-BERT"),
    *(Setting(MULTILINGUAL, corpus, "none", published="XLM-R") for corpus in ("cola", "itacola", "dalaj")),
    Setting(MULTILINGUAL, "itacola", "lora", (0,), published="XLM-R"),
    Setting(
        MULTILINGUAL, "itacola", "lora", published="XLM-R", pretrain_on=ENGLISH, widely=True, words=True,
        augment=2,
    ),
    Setting(MULTILINGUAL, "dalaj", "lora", (0,), published="XLM-R", widely=True, words=True),
    Setting(MULTILINGUAL, "dalaj", "lora", published="XLM-R", widely=True, words=True, average_folds=3),
    Setting(
        MULTILINGUAL, "dalaj", "lora", published="XLM-R", pretrain_on=ENGLISH, widely=True, words=True,
        augment=2, average_folds=3,
    ),
    *(Setting(XLM, c, "none", published="XLM-R", at_hand=False) for c in ("cola", "itacola", "dalaj")),
    *(Setting(XLM, c, "lora", published="XLM-R", at_hand=False) for c in ("cola", "itacola", "dalaj")),
    *(Setting(ITALIAN, "itacola", t, published="It-BERT", at_hand=False) for t in ("none", "lora")),
    *(Setting(SWEDISH, "dalaj", t, published="Sw-BERT", at_hand=False) for t in ("none", "lora")),
)  # fmt: skip

PAIR_MODELS = (
    "bert-base-cased", "bert-base-uncased", "bert-base-multilingual-cased", "all-MiniLM-L6-v2",
    "SmolLM2-135M-Instruct",
)  # fmt: skip
SMALL_FEATURES = "topology+cls:10-12"  # what ``toposcope train`` looks at if nothing is said
