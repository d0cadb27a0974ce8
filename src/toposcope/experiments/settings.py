"""What table 1 is made of: a model, a corpus, what of the model learns, and the rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from toposcope.judge.evidence import Evidence
from toposcope.judge.recipe import Recipe
from toposcope.models.tuning.tuning import Tuning

LAYERS = 12  # of all models here
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
    """A model on a corpus, and the recipe of its judges.

    ``published`` names the row of the paper that stands beside it. The recipe reads all evidence that the
    rows need, in one pass; ``pretrain_on`` says where the sentences are from it is pretrained on: pairs
    of our generator, or the train part of another corpus. ``at_hand`` says that the catalogue has the
    weights; others need the hub.
    """

    model: str
    corpus: str
    recipe: Recipe
    seeds: tuple[int, ...] = SEEDS
    published: str = ""
    pretrain_on: tuple[str, ...] = ()
    at_hand: bool = True

    @property
    def name(self) -> str:
        """E.g. ``bert-base-cased/cola/lora``; the model without the owner of a hub id."""
        recipe, tuning = self.recipe, self.recipe.tuning
        how = ["frozen"]
        if tuning is not None:
            how = [
                tuning.method,
                "all" if tuning.maps == "all" else "",
                "words" if tuning.head == "words" else "",
                {(): "", ENGLISH: "pretrained-english"}.get(self.pretrain_on, "pretrained"),
                "augmented" if recipe.augment else "",
                f"average{recipe.average_folds}" if recipe.average_folds else "",
                f"soup{recipe.soup}" if recipe.soup > 1 else "",
            ]
        return f"{self.model.rsplit('/', 1)[-1]}/{self.corpus}/{'-'.join(word for word in how if word)}"

    @property
    def tuned(self) -> bool:
        """Whether the model learns anything."""
        return self.recipe.tuning is not None

    @property
    def rows(self) -> tuple[str, ...]:
        """What is tried, as ``--features`` has it."""
        return TUNED_ROWS if self.tuned else FROZEN_ROWS

    @property
    def baselines(self) -> tuple[str, ...]:
        """The rows without topology."""
        return TUNED_BASELINES if self.tuned else FROZEN_BASELINES


BERT, MULTILINGUAL, XLM = "bert-base-cased", "bert-base-multilingual-cased", "FacebookAI/xlm-roberta-base"
ITALIAN, SWEDISH = "dbmdz/bert-base-italian-cased", "KB/bert-base-swedish-cased"
CORPORA = ("cola", "itacola", "dalaj")

FROZEN = Recipe(Evidence.parse("tda+shape+spectral+cls:10-12+mean:1-12+pooler+length", LAYERS))
LORA = Recipe(Evidence.parse("tda+shape+cls:10-12+mean:9-12+lm+length", LAYERS), Tuning("lora"))
FULL = replace(LORA, tuning=Tuning("full"))
WIDELY = replace(LORA, tuning=Tuning("lora", layers=0, maps="all"))  # beside all linear maps of all layers
BY_WORDS = replace(LORA, tuning=Tuning("lora", layers=0, maps="all", head="words"))

SETTINGS = (
    Setting(BERT, "cola", FROZEN, published="En-BERT"),
    Setting(BERT, "cola", LORA, published="En-BERT"),
    Setting(BERT, "cola", replace(LORA, soup=3), (0,), "En-BERT"),
    Setting(BERT, "cola", LORA, SEEDS, "En-BERT", GENERATED),
    Setting(BERT, "cola", replace(LORA, soup=3), (0,), "En-BERT", GENERATED),
    Setting(BERT, "cola", WIDELY, SEEDS, "En-BERT", GENERATED),
    Setting(BERT, "cola", replace(WIDELY, soup=3), (0,), "En-BERT", GENERATED),
    Setting(BERT, "cola", replace(WIDELY, average_folds=3), SEEDS, "En-BERT", GENERATED),
    Setting(BERT, "cola", FULL, (0,), "En-BERT"),
    *(Setting(MULTILINGUAL, corpus, FROZEN, published="XLM-R") for corpus in CORPORA),
    Setting(MULTILINGUAL, "itacola", LORA, (0,), "XLM-R"),
    Setting(MULTILINGUAL, "itacola", replace(BY_WORDS, augment=2), SEEDS, "XLM-R", ENGLISH),
    Setting(MULTILINGUAL, "dalaj", BY_WORDS, (0,), "XLM-R"),
    Setting(MULTILINGUAL, "dalaj", replace(BY_WORDS, average_folds=3), SEEDS, "XLM-R"),
    Setting(
        MULTILINGUAL, "dalaj", replace(BY_WORDS, augment=2, average_folds=3), SEEDS, "XLM-R", ENGLISH
    ),
    *(Setting(XLM, c, r, published="XLM-R", at_hand=False) for r in (FROZEN, LORA) for c in CORPORA),
    *(Setting(ITALIAN, "itacola", r, published="It-BERT", at_hand=False) for r in (FROZEN, LORA)),
    *(Setting(SWEDISH, "dalaj", r, published="Sw-BERT", at_hand=False) for r in (FROZEN, LORA)),
)  # fmt: skip

PAIR_MODELS = (
    "bert-base-cased", "bert-base-uncased", "bert-base-multilingual-cased", "all-MiniLM-L6-v2",
    "SmolLM2-135M-Instruct",
)  # fmt: skip
SMALL_FEATURES = "topology+cls:10-12"  # what ``toposcope train`` looks at if nothing is said
ENOUGH = 0.95  # of the best cross-validated MCC: what few heads are asked for
