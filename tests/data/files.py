"""Files of the data sets: made up ones, and the real ones where they are at hand."""

from pathlib import Path

import pytest

from toposcope.data.readers import read_texts

SHARED = Path(__file__).parents[3] / "shared" / "data"
at_hand = pytest.mark.skipif(not SHARED.is_dir(), reason="the data sets are not here (../shared/data)")
COLA = 'gj04\t1\t\tThe cat sleeps.\ngj04\t0\t*\tCat the sleeps.\nx\t1\t\tHe said "no".'
ITACOLA = (
    "UniqueIndexID\tSource\tAcceptability\tSentence\tSplit\n"
    "1\tG\t1\tPiove.\ttrain\n2\tG\t0\tPiovono.\tdev\n3\tG\t0\tEssere.\ttrain\n"
)
DALAJ = (
    ",original sentence,corrected sentence,split\n"
    '0,"Jag, är hem .",Jag är hemma .,train\n'
    "1,Det samma .,Detsamma .,test\n2,Han hem .,Jag är hemma .,train\n"
)


def write(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read_plain(path, column=None):
    return read_texts(path, column).texts
