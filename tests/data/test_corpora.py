"""The corpora of the paper, as they lie on disk."""

import pytest

import toposcope as ts
from tests.data.files import COLA, DALAJ, ITACOLA, SHARED, at_hand, write
from toposcope.data.corpora import read_corpus


def test_files_are_found_at_any_depth(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    for name in ("in_domain_train.tsv", "in_domain_dev.tsv", "out_of_domain_dev.tsv"):
        write(tmp_path / "a" / "b", name, COLA)
    write(tmp_path / "a", "ItaCoLA_dataset.tsv", ITACOLA + "4\tG\t1\tNevica.\ttest\n")
    write(tmp_path, "datasetDaLAJsplit.csv", DALAJ + "3,Hon hem .,Hon är hemma .,valid\n")
    assert [len(part) for part in read_corpus("cola", tmp_path).splits] == [3, 3, 3]
    assert [len(part) for part in read_corpus("itacola", tmp_path).splits] == [2, 1, 1]
    assert [len(part) for part in read_corpus("dalaj", tmp_path).splits] == [4, 2, 2]


def test_what_is_not_there(tmp_path):
    with pytest.raises(ts.InputError, match=r"holds no in_domain_train\.tsv: get the corpus first"):
        read_corpus("cola", tmp_path)
    with pytest.raises(ts.InputError, match="accepted are cola, itacola, dalaj"):
        read_corpus("blimp", tmp_path)


@at_hand
@pytest.mark.parametrize(
    ("name", "sizes"),
    [("cola", [8551, 527, 516]), ("itacola", [7801, 946, 975]), ("dalaj", [7682, 890, 888])],
)
def test_sizes_of_the_real_ones(name, sizes):
    assert [len(part) for part in read_corpus(name, SHARED).splits] == sizes
