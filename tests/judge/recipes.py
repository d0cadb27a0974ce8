"""A short tuning, and evidence that is the tuned model's own opinion."""

from toposcope.judge.evidence import Evidence
from toposcope.models.tuning.tuning import Tuning

LM = Evidence.parse("lm", 3)
SHORT = Tuning("lora", epochs=1, batch=16, rank=2, layers=1)
