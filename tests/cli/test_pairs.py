"""``toposcope pairs select`` and ``pairs score``: from a file of pairs to numbers."""

import json

import pytest

from tests.cli.verbs import fails, run, write_table
from tests.models import tiny
from tests.models.toy import MIDDLES, OPENERS, pair_rows
from toposcope.data.minimal_pairs import read_pairs
from toposcope.experiments import published_pairs
from toposcope.pairs.select import METHODS
from toposcope.pairs.selection import Selection


@pytest.fixture(scope="module")
def scored(toy):
    """All selections on the other pairs, as JSON, and every pair in a file."""
    heads = [part for method in METHODS for part in ("--heads", toy / f"{method}.json")]
    result = run(
        "pairs", "score", toy / "test.tsv", "--model", toy / "model", *heads, "--json",
        "-o", toy / "all.parquet",
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_every_method_is_scored(toy, scored):
    assert [one["selection"]["method"] for one in scored] == list(METHODS)
    for one in scored:
        assert one["pairs"] == 48
        assert set(one["paradigms"]) == {"sleeps", "is_old", "sleeps_on_the_sofa", "is_barking"}
        mean = sum(p["value"] for p in one["paradigms"].values()) / 4
        assert one["overall"]["value"] == pytest.approx(mean)
    (weighted,) = (one for one in scored if one["selection"]["method"] == "weighted")
    assert weighted["overall"]["value"] > 0.9
    assert Selection.load(toy / "weighted.json").measure == "topology"


def test_the_file_of_all_pairs_needs_no_model(toy, scored, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("the model was loaded")

    monkeypatch.setattr("toposcope.models.load.load", refuse)
    for one in scored:
        heads = toy / f"{one['selection']['method']}.json"
        again = run("pairs", "score", toy / "all.parquet", "--heads", heads, "--json")
        assert json.loads(again.stdout) == [one]
    table = read_pairs(toy / "all.parquet")
    assert table.good == read_pairs(toy / "test.tsv").good
    fewer = run(
        "pairs", "score", toy / "all.parquet", "--heads", toy / "top.json", "--limit", "3", "--json"
    )
    assert json.loads(fewer.stdout)[0]["pairs"] == 12
    made = toy / "from_table.json"
    run("pairs", "select", toy / "all.parquet", "-o", made, "--method", "top", "--limit", "3")
    assert len(Selection.load(made).seen) == 12


def test_a_table_is_of_one_model_and_is_read(toy, scored):
    given = ["pairs", "score", toy / "all.parquet", "--heads", toy / "top.json"]
    assert run(*given, "-m", toy / "model").stdout == run(*given).stdout
    for verb in (given, ["pairs", "select", toy / "all.parquet", "-o", toy / "never.json"]):
        said = fails(*verb, "-m", "bert-base-cased")
        assert f"the table was read from {toy / 'model'}, not from bert-base-cased: leave out" in said
        assert "--good is for pairs that are still to be read" in fails(*verb, "--good", "good")


def test_a_selection_from_a_table_is_that_from_the_sentences(toy, tmp_path):
    direct, table = tmp_path / "direct.json", tmp_path / "table.json"
    common = ["--method", "ensemble", "--model", toy / "model"]
    run("pairs", "select", toy / "test.tsv", "-o", direct, *common)
    run(
        "pairs",
        "score",
        toy / "test.tsv",
        "--heads",
        "all",
        "-m",
        toy / "model",
        "-o",
        tmp_path / "t.parquet",
    )
    run("pairs", "select", tmp_path / "t.parquet", "-o", table, *common)
    assert direct.read_bytes() == table.read_bytes()


def test_what_people_see(toy):
    shown = run(
        "pairs", "score", toy / "test.tsv", "-m", toy / "model", "--heads", toy / "phenomenon.json",
        "--heads", "L1.H2", "--measure", "rtd", "--profile", "notebook", "--paradigms",
    )  # fmt: skip
    assert shown.exit_code == 0, shown.stderr
    for part in ("h0s, phenomenon (strict)", "rtd, L1.H2 (notebook)", "overall, mean of paradigms",
                 "mean of phenomena", "being", "doing", "is_barking", "ties"):  # fmt: skip
        assert part in shown.stdout
    assert "48 pairs; accuracy in %, 95 % intervals." in shown.stderr


def test_pairs_that_were_chosen_on(toy, tmp_path):
    mixed = write_table(tmp_path / "mixed.jsonl", pair_rows(OPENERS[2:4], MIDDLES[:2]))  # half of them seen
    common = ["pairs", "score", mixed, "--model", toy / "model", "--heads", toy / "top.json"]
    assert "8 of the 16 pairs of mixed are among those" in fails(*common)
    dropped = run(*common, "--drop-seen", "--json")
    assert "8 of 16 pairs rejected (first: mixed, pair 1: the heads were chosen on it)." in dropped.stderr
    assert json.loads(dropped.stdout)[0]["pairs"] == 8
    seen = [
        "pairs",
        "score",
        toy / "aux.jsonl",
        "--model",
        toy / "model",
        "--heads",
        toy / "top.json",
    ]
    assert "no pairs are left" in fails(*seen, "--drop-seen")


def test_pairs_that_will_be_scored_are_left_out(toy, tmp_path):
    mixed = write_table(tmp_path / "mixed.jsonl", pair_rows(OPENERS[2:4], MIDDLES[:2]))
    out, rejects = tmp_path / "top.json", tmp_path / "rejects.jsonl"
    common = ["--method", "top", "-m", toy / "model", "-o", out]
    made = run(
        "pairs", "select", mixed, "--without", toy / "test.tsv", "--rejects", rejects, *common
    )  # fmt: skip
    assert made.exit_code == 0, made.stderr
    assert len(Selection.load(out).seen) == 8
    told = [json.loads(line) for line in rejects.read_text().splitlines()]
    assert [r["reason"] for r in told] == ["it is among the pairs that will be scored"] * 8
    assert all(r["texts"][0].startswith(OPENERS[3]) for r in told)
    assert "8 of 16 pairs rejected (first: mixed, pair 9: it is among" in made.stderr
    assert "test: there is no pair to read" in fails(
        "pairs", "select", toy / "test.tsv", "--without", toy / "test.tsv", *common, "--force"
    )


def test_rejects_are_told(toy, tmp_path):
    some = pair_rows(OPENERS[3:5])
    some[1]["sentence_bad"] = some[1]["sentence_good"]
    data = write_table(tmp_path / "some.csv", some)
    common = ["pairs", "score", data, "-m", toy / "model", "--heads", "all", "--json"]
    told = run(*common, "--rejects", tmp_path / "no.jsonl")
    assert "rejected (first: some.csv, line 3: both sentences are the same)." in told.stderr
    assert json.loads((tmp_path / "no.jsonl").read_text())["place"] == "line 3"
    assert "some.csv, line 3: both sentences are the same." in fails(*common, "--strict")
    assert json.loads(told.stdout)[0]["pairs"] == len(some) - 1
    few = json.loads(run(*common, "--limit", "2").stdout)
    assert few[0]["pairs"] == 8


def test_columns_by_name(toy, tmp_path):
    some = [dict(zip("abcd", row.values(), strict=True)) for row in pair_rows(OPENERS[3:4])]
    data = write_table(tmp_path / "some.csv", some)
    result = run(
        "pairs", "score", data, "-m", toy / "model", "--heads", "all", "--json", "--good", "b",
        "--bad", "a", "--paradigm", "c", "--phenomenon", "d",
    )  # fmt: skip
    (swapped,) = json.loads(result.stdout)
    direct = write_table(tmp_path / "direct.tsv", pair_rows(OPENERS[3:4]))
    (plain,) = json.loads(
        run("pairs", "score", direct, "-m", toy / "model", "--heads", "all", "--json").stdout
    )
    assert swapped["overall"]["value"] == pytest.approx(1 - plain["overall"]["value"])
    assert set(swapped["phenomena"]) == {"being", "doing"}


def test_our_own_pairs_by_name(toy):
    many = [part for method in METHODS for part in ("--heads", toy / f"{method}.json")]
    result = run("pairs", "score", "generated:1", "-m", toy / "model", *many)
    assert result.exit_code == 0, result.stderr
    for part in ("topology, weighted (strict)", "npi_licensing"):
        assert part in result.stdout  # whole, however many columns there are
    assert "published" not in result.stdout  # of other pairs


def test_published_numbers_stand_beside_blimp(toy, monkeypatch):
    monkeypatch.setattr(published_pairs, "is_blimp", lambda pairs: True)
    result = run("pairs", "score", "generated:1", "-m", toy / "model", "--heads", "all")
    assert result.exit_code == 0, result.stderr
    for part in ("published: BERT-base, H0M, ensemble", "published: Human", "88.6"):
        assert part in result.stdout


def test_bad_options(toy, tmp_path):
    data, model = toy / "aux.jsonl", ["-m", toy / "model"]
    out = ["-o", tmp_path / "a.json"]
    for arguments, message in (
        (["select", data, *out, "--method", "best"], "method 'best': accepted are top, phenomenon"),
        (["select", data, "-o", tmp_path / "a.txt"], "a.txt: accepted are names that end in .json"),
        (["select", data, *out, *model, "--measure", "h1"], "measure 'h1': accepted are h0m, h0s, rtd"),
        (["select", data, *out, *model, "--method", "top", "--measure", "topology"], "vote on one reading"),
        (["select", data, *out, *model, "--profile", "lax"], "profile 'lax': accepted are strict"),
        (["select", tmp_path / "no.tsv", *out], "there is no file"),
        (["select", data, *out, "--method", "top", "--keep", "3"], "--keep 3 is for weighted heads"),
        (["select", data, *out, "--seed", "-1"], "--seed"),
        (["score", data, *model, "--profile", "lax"], "profile 'lax': accepted are strict"),
        (
            ["score", data, *model, "--heads", toy / "top.json", "--profile", "paper"],
            "--profile is for `all`",
        ),
        (["score", data, *model, "--measure", "rtd"], "--measure is for `all` and single heads"),
        (["score", data, *model, "--heads", "all", "--measure", "tda"], "heads vote on one reading"),
        (["score", data, "-o", tmp_path / "a.csv"], "a.csv: accepted are names that end in .parquet"),
        (["score", data, *model, "--heads", "L9.H9"], "the model has none such, its last is L2.H3"),
        (["score", data, *model, "--heads", "nothing"], "there is no selection 'nothing'"),
        (["score", data, *model, "--heads", data], "is no selection of heads"),
    ):
        assert message in fails("pairs", *arguments)
    assert list(tmp_path.iterdir()) == []


def test_heads_of_another_model(toy, tmp_path):
    tiny.build(tiny.ENCODERS["roberta"]).save_pretrained(tmp_path)
    tiny.wordpieces().save_pretrained(tmp_path)
    result = run("pairs", "score", toy / "test.tsv", "-m", tmp_path, "--heads", toy / "top.json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Choose heads for them" in result.stderr
