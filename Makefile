# make setup | demo | test | lint | mutants | bench | docs | clean
PYTHON ?= python3
BIN := .venv/bin
LIGHT := .venv/.light
INSTALLED := .venv/.installed
WARM := .venv/.kernels

PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
.PHONY: setup demo test lint mutants bench docs clean

setup: $(INSTALLED) $(WARM)

$(LIGHT): requirements-demo.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(PIP) -r requirements-demo.txt
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

$(INSTALLED): $(LIGHT) requirements.txt
	$(PIP) -r requirements.txt
	touch $@

# Machine code on disk knows its own file only, so a change in any kernel starts it afresh.
$(WARM): $(LIGHT) $(wildcard src/toposcope/kernels/*.py)
	rm -f src/toposcope/kernels/__pycache__/*.nb[ic]
	$(BIN)/python -m toposcope.kernels
	touch $@

demo: $(WARM)
	$(BIN)/python examples/first_look.py

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

test: lint
	$(BIN)/pytest -n auto --cov --cov-report=term

# Small changes to what pages say and to the numbers on them, one by one: does a test notice? (setup.cfg)
mutants: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check mutmut==3.8.1
	$(BIN)/mutmut run --max-children 2
	$(BIN)/mutmut results

bench: setup
	$(BIN)/python -m benchmarks

docs/benchmarks.md: out/bench/bench.md
	cp out/bench/bench.md docs/benchmarks.md
	cp out/bench/growth.svg docs/growth.svg

docs: setup
	$(BIN)/pdoc toposcope '!toposcope.kernels.__main__' '!toposcope.__main__' -o out/docs --docformat numpy
	@echo "open out/docs/index.html"

clean:
	rm -rf .venv out mutants .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
	find src tests benchmarks examples -name __pycache__ -prune -exec rm -rf {} +
