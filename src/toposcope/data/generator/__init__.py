"""Our own minimal pairs: a lexicon, a grammar, and paradigms for BLiMP's twelve phenomena."""

from toposcope.data.generator.generate import PARADIGMS, PHENOMENA, generate_pairs, write_pairs
from toposcope.data.generator.lexicon import SPLITS
from toposcope.data.generator.paradigm import Pair, Paradigm, Phenomenon

__all__ = [
    "PARADIGMS",
    "PHENOMENA",
    "SPLITS",
    "Pair",
    "Paradigm",
    "Phenomenon",
    "generate_pairs",
    "write_pairs",
]
