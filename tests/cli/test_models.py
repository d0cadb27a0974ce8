"""``toposcope models``: what is printed where, and the exit codes."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import toposcope as ts
from tests.weights.fakes import one_package
from toposcope.cli import app
from toposcope.weights import cache


@pytest.fixture(autouse=True)
def tools(tmp_path, monkeypatch):
    return one_package(tmp_path, monkeypatch)


def run(*arguments):
    result = CliRunner().invoke(app, ["models", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_from_pull_to_remove():
    pulled = run("pull", "tiny-bert")
    assert pulled.exit_code == 0
    assert "Licence: Apache-2.0" in pulled.stderr
    folder = cache.home() / "models" / "tiny-bert"
    assert f"tiny-bert is in {folder} (from the registry)" in pulled.stdout
    where = run("where", "tiny-bert")
    assert where.stdout == f"{folder}\n"
    assert where.stderr == ""
    assert run("verify", "tiny/tiny-bert").stdout == f"tiny-bert is intact: {folder}\n"
    assert run("remove", "tiny-bert").stdout == f"removed {folder}\n"
    assert not folder.exists()


def test_machines_read_json():
    result = run("pull", "tiny-bert", "--json")
    assert "toposcope: downloading tiny-bert (0." in result.stderr  # nobody looks, and still it is told
    pulled = json.loads(result.stdout)
    assert (pulled["name"], pulled["source"]) == ("tiny-bert", "registry")
    assert "toposcope: " not in run("pull", "tiny-bert").stderr  # it is there
    assert json.loads(run("where", "tiny-bert", "--json").stdout)["folder"] == pulled["folder"]
    assert json.loads(run("verify", "tiny-bert", "--json").stdout)["intact"] is True
    assert json.loads(run("remove", "tiny-bert", "--json").stdout)["removed"] == pulled["folder"]


def test_list_shows_the_catalogue_and_the_cache():
    cache.store("org/mine", lambda folder, work: None, {"source": "own", "licence": "MIT"}, 0)
    rows = {row["name"]: row for row in json.loads(run("list", "--json").stdout)}
    assert rows["tiny-bert"]["here"] is False
    assert rows["tiny-bert"]["registry"] == "maven"
    assert rows["org/mine"]["here"] is True
    run("pull", "tiny-bert")
    shown = run("list")
    for part in ("tiny-bert", "org/mine", "Apache-2.0", "MIT", "maven", "yes"):
        assert part in shown.stdout
    assert shown.stderr == f"Cache: {cache.home()} (set TOPOSCOPE_HOME to move it)\n"


def test_verify_says_which_file():
    folder = json.loads(run("pull", "tiny-bert", "--json").stdout)["folder"]
    with open(f"{folder}/vocab.txt", "a") as file:
        file.write("more")
    result = run("verify", "tiny-bert")
    assert result.exit_code == 1
    assert f"altered: {folder}/vocab.txt" in result.stderr
    assert "`toposcope models remove tiny-bert`, then pull it" in result.stderr
    assert json.loads(run("verify", "tiny-bert", "--json").stdout)["altered"] == ["vocab.txt"]


@pytest.mark.parametrize("verb", ["verify", "where", "remove"])
def test_what_was_not_pulled(verb):
    result = run(verb, "tiny-bert")
    assert result.exit_code == 1
    assert "error: tiny-bert is not" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("verb", ["pull", "verify", "where", "remove"])
def test_bad_names_are_bad_input(verb):
    result = run(verb, "../../etc")
    assert result.exit_code == 2
    assert "error: " in result.stderr


def test_a_pull_that_fails_says_why(tools):
    tools.mode("fail")
    result = run("pull", "tiny-bert")
    assert result.exit_code == 1
    assert "ERROR: no such host" in result.stderr
    assert "Traceback" not in result.stderr


def test_an_unknown_verb_is_bad_input():
    assert run("fetch").exit_code == 2


def test_the_command_is_light_and_knows_its_version():
    code = "import sys, toposcope.cli; print(sorted({'torch', 'transformers', 'numba'} & set(sys.modules)))"
    light = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert light.stdout == "[]\n"
    module = subprocess.run(
        [sys.executable, "-m", "toposcope", "--version"], capture_output=True, text=True, check=True
    )
    assert module.stdout == CliRunner().invoke(app, ["--version"]).stdout == f"{ts.__version__}\n"
