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


def test_examples_import_what_there_is():
    for file in (Path(__file__).parents[1] / "examples").glob("*.py"):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.ImportFrom):
                module = importlib.import_module(node.module)
                assert all(hasattr(module, alias.name) for alias in node.names), file.name
