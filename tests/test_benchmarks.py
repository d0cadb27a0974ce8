"""Benchmarks and examples find what they measure and show; what they say is measured elsewhere."""

import ast
import importlib
import pkgutil
from pathlib import Path

import benchmarks
import pytest

MODULES = [found.name for found in pkgutil.iter_modules(benchmarks.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_every_part_of_the_benchmarks_can_be_had(name):
    assert importlib.import_module(f"benchmarks.{name}").__doc__


def test_every_suite_has_a_part():
    suites = importlib.import_module("benchmarks.__main__").SUITES
    assert {"features", "pairs", "judges", "regressions", "end-to-end"} <= set(suites)
    assert all(map(callable, suites.values()))


def test_the_readme_says_what_was_measured():
    """End to end stands beside the kernels, with the figures of the page that ``make bench`` wrote."""
    root = Path(__file__).parents[1]
    readme = " ".join((root / "README.md").read_text("utf-8").split())
    lines = (root / "docs" / "benchmarks.md").read_text("utf-8").splitlines()
    cells = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| H0M |")
    ]
    ratio = {tool: ratio for _, tool, _, ratio, *_ in cells if ratio.endswith("x")}
    assert f"{ratio['plain loop']} faster than a plain loop" in readme
    assert f"{ratio['padded to 64']} faster than padded batches" in readme
    assert "our re-implementation of what their released code does" in readme


def test_examples_import_what_there_is():
    for file in (Path(__file__).parents[1] / "examples").glob("*.py"):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.ImportFrom):
                module = importlib.import_module(node.module)
                assert all(hasattr(module, alias.name) for alias in node.names), file.name
