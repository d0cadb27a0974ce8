"""An install without extras: everything but pictures, training, Parquet and Hugging Face's other models.

The libraries of the extras are on this machine, so here they are hidden from a process of its own.
"""

import json
import os
import subprocess
import sys

import pytest

from tests.cli.verbs import write_table
from toposcope.errors import EXTRAS

HIDDEN = [*EXTRAS, "pandas", "peft", "polars", "duckdb"]
HIDE = """
import sys

class Hidden:
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in %s:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden)
"""
WHOLE = ["toposcope.features.arrow", "toposcope.judge.topology"]  # modules that are about such a library
PARTS = ("toposcope.models", "toposcope.experiments")


def ran(code, *arguments, hidden=HIDDEN, **options):
    """What code prints where the libraries of the extras are not there."""
    done = subprocess.run(
        [sys.executable, "-c", HIDE % hidden + code, *arguments],
        capture_output=True, text=True, check=False, **options,
    )  # fmt: skip
    assert not done.returncode, done.stderr
    return done.stdout


def test_every_extra_is_hidden():
    assert {"torch", "transformers", "scipy", "sklearn", "pyarrow"} <= EXTRAS.keys()
    assert set(EXTRAS.values()) == {"figures", "tables", "train", "models"}
    for library in HIDDEN:
        said = ran(f"try:\n import {library}\nexcept ImportError as error:\n print(error.name)")
        assert said == f"{library}\n"


def test_modules_can_be_imported():
    """All but those that are about such a library, so that a new import at the top of a file is seen."""
    code = """
import pkgutil
from importlib import import_module
import toposcope

for module in pkgutil.walk_packages(toposcope.__path__, "toposcope.", onerror=lambda name: None):
    if not module.name.endswith("__main__"):
        try:
            import_module(module.name)
        except ModuleNotFoundError as error:
            print(module.name, error.name)
"""
    missing = dict(line.split() for line in ran(code).splitlines())
    assert sorted(name for name in missing if not name.startswith(PARTS)) == WHOLE
    assert {missing[name] for name in WHOLE} == {"pyarrow", "sklearn"}
    needed = ("compare", "comparison", "score", "table", "readings", "selection")
    assert not missing.keys() & {f"toposcope.pairs.{name}" for name in needed}


MEASURE = """
import numpy as np
import toposcope as ts
from toposcope.features.blocks import BLOCKS
from toposcope.topology.attention import AttentionBucket, Tokens

pieces = ("[CLS]", "it", "rains", "a", ",", "lot", ".", "[SEP]")
n = len(pieces)
offsets, special = np.zeros((n, 2), int), np.zeros(n, bool)
tokens = Tokens(" ".join(pieces), pieces, tuple(range(n)), offsets, (None,) * n, special)
drawn = np.random.default_rng(0).dirichlet(np.ones(n), (3, 2, n)).astype(np.float32)
spec = ts.FeatureSpec(tuple(name for name in BLOCKS if name != "sides"))
values = spec(AttentionBucket(drawn, lambda: [tokens] * 3))
table = ts.Table.from_measure(values[:, None], spec, {"model": "drawn"}, {"text": ["a", "b", "c"]})
"""


def test_features_are_measured_and_kept_in_memory():
    code = """
assert np.isfinite(values).all() and values.shape == (3, 2, len(spec.columns))
assert (table["h0m.L0.H1"] == values[:, 1, spec.columns.index("h0m")]).all()
chosen = table.select(block="spectral", head=1).rows([2, 0])
print(*chosen.carried["text"], chosen.values.shape[1] == len(ts.spectral_statistics(drawn)))
"""
    assert ran(MEASURE + code) == "c a True\n"


def test_pictures_are_drawn(tmp_path):
    code = """
from toposcope.figures.canvas import save
from toposcope.topology.attention import AttentionMaps

maps = AttentionMaps(drawn, tokens)
pictures = [maps.plot, maps[0, 0].plot, maps[0, 0].barcode(1).plot, ts.threshold_curves(drawn[0, 0]).plot]
for number, plot in enumerate(pictures):
    save(plot().get_figure(), Path(f"{number}.svg"))
print("<img" in maps[0, 0]._repr_html_())
"""
    others = [library for library in HIDDEN if library != "matplotlib"]
    assert ran("from pathlib import Path\n" + MEASURE + code, hidden=others, cwd=tmp_path) == "True\n"
    assert [place.stat().st_size > 1000 for place in sorted(tmp_path.glob("*.svg"))] == [True] * 4


def test_judges_and_selections_are_read_and_pairs_scored():
    """Of drawn readings, as the model would give them."""
    code = """
import numpy as np
import toposcope as ts
from toposcope.cli import pairs as verbs
from toposcope.pairs.score import SCORED_SEED, given_pairs, score_benchmark
from toposcope.pairs.table import PairTable
from toposcope.topology.head import all_heads

judge = ts.Judge.load("english-frozen")
print(judge.linear.finds_something, "<table" in judge._repr_html_())
pairs = given_pairs("generated:2", seed=SCORED_SEED)
selection = ts.Selection.load("bert-base-cased/weighted")
columns = (*selection.spec.columns, "h0m.upper.whole")
drawn = np.random.default_rng(0).standard_normal((len(pairs), 144, len(columns)))
about = {"model": selection.model, "fingerprint": selection.fingerprint, "causal": False}
table = PairTable(pairs, drawn, tuple(all_heads(12, 12)), columns, about)
found = score_benchmark(table, heads=["bert-base-cased/weighted", "all", "L8.H0"])
verbs._show(found.scored, table.pairs, True)
"""
    first, *shown = ran(code).splitlines()
    assert first == "True True"
    assert "overall" in shown[1]


def test_judges_are_evaluated():
    code = """
import numpy as np
from toposcope.cli.evaluate import show_scores
from toposcope.judge.evaluate import Evaluation
from toposcope.judge.verdict import Verdict

verdicts = tuple(Verdict(f"text {k}", p >= 0.5, p, 0.5) for k, p in enumerate(np.linspace(0, 1, 40)))
show_scores(Evaluation("drawn", np.arange(40) > 15, verdicts, 0).to_dict())
"""
    assert "accuracy" in ran(code)


ASK = """
import contextlib, io, json
from toposcope.cli import app

def ended(arguments):
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            app(arguments)
        except SystemExit as end:
            return end.code, said.getvalue()

print(json.dumps([ended(arguments) for arguments in json.load(sys.stdin)]))
"""
TABLES = "error: this needs pyarrow: pip install 'toposcope[tables]'.\n"
ASKED = [
    ["judge", "-f", "x.parquet"],
    ["judge", "x", "-o", "out.parquet"],
    ["evaluate", "english", "x.parquet"],
    ["evaluate", "english", "x.csv", "-o", "out.parquet"],
    ["pairs", "score", "x.parquet"],
    ["pairs", "score", "generated:1", "-o", "out.parquet"],
    ["pairs", "select", "x.parquet", "-o", "out.json"],
    ["compare", "a b", "b a", "--draw", "out.svg"],
]


def test_verbs_name_what_is_missing_and_the_fix(tmp_path):
    write_table(tmp_path / "x.csv", [{"text": "a", "label": 1}, {"text": "b", "label": 0}])
    (tmp_path / "x.parquet").write_bytes(b"PAR1")
    given = json.dumps(ASKED)
    ended = json.loads(ran(ASK, input=given, cwd=tmp_path, env={**os.environ, "HF_HUB_OFFLINE": "1"}))
    *tables, drawing = ended
    assert tables == [[1, TABLES]] * len(tables)
    assert drawing == [1, f"error: {FIGURES}.\n"]
    assert sorted(place.name for place in tmp_path.iterdir()) == ["x.csv", "x.parquet"]


FIGURES = "this needs matplotlib: pip install 'toposcope[figures]'"
MISSING = {
    "table.to_arrow()": "this needs pyarrow: pip install 'toposcope[tables]'",
    "table.to_parquet('x.parquet')": "this needs pyarrow: pip install 'toposcope[tables]'",
    "ts.Table.from_parquet('x.parquet')": "this needs pyarrow: pip install 'toposcope[tables]'",
    "ts.read_pairs('x.parquet')": "this needs pyarrow: pip install 'toposcope[tables]'",
    "ts.threshold_curves(drawn[0, 0]).plot()": FIGURES,
    "ts.barcode(drawn[0, 0], 1).plot()": FIGURES,
    "ts.AttentionTopology": "toposcope.AttentionTopology needs sklearn: pip install 'toposcope[train]'",
    "ts.make_judge('x.tsv')": "this needs sklearn: pip install 'toposcope[train]'",
}


def test_python_names_what_is_missing_and_the_fix(tmp_path):
    (tmp_path / "x.parquet").write_bytes(b"PAR1")
    code = f"""
for asked in {list(MISSING)}:
    try:
        eval(asked)
    except ImportError as error:
        print(error)
"""
    assert ran(MEASURE + code, cwd=tmp_path).splitlines() == list(MISSING.values())


def test_notebooks_say_how_to_get_pictures():
    code = """
from toposcope.topology.attention import AttentionMaps

print(AttentionMaps(drawn, tokens)._repr_html_())
"""
    assert FIGURES in ran(MEASURE + code)


VERB = "from toposcope.cli import app\napp(sys.argv[1:])"


@pytest.mark.real
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["judge", "Maryann should leaving."], "not acceptable  0.1"),
        (["judge", "--judge", "english-frozen", "-v", "Maryann should leaving."], "L"),
        (["compare", "Cheryl had trained Tara.", "Cheryl had murmured Tara."], "trained Tara.   preferred"),
        (["pairs", "score", "generated:1", "-m", "all-MiniLM-L6-v2"], "overall"),
    ],
)
def test_verbs_run_on_real_weights(arguments, said):
    assert said in ran(VERB, *arguments)


def test_it_is_small():
    """As its packages come, that is without byte code; pip leaves out what no extra was asked for."""
    from importlib.metadata import distribution

    from packaging.requirements import Requirement

    found, asked = {}, ["toposcope"]
    while asked:
        name = asked.pop().lower().replace("_", "-")
        if name not in found:
            found[name] = distribution(name)
            needed = map(Requirement, found[name].requires or ())
            asked += [n.name for n in needed if n.marker is None or n.marker.evaluate({"extra": ""})]
    assert {"numpy", "numba", "llvmlite", "tokenizers", "safetensors", "typer"} <= found.keys()
    assert not found.keys() & {"torch", "scipy", "scikit-learn", "pyarrow", "matplotlib", "pandas"}
    sizes = [
        file.locate().stat().st_size
        for one in found.values()
        for file in one.files or ()
        if file.suffix != ".pyc" and file.locate().is_file()
    ]
    assert 100e6 < sum(sizes) < 350e6
