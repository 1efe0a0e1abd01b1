# On a fresh clone, `make play` and `make test` each set up all they need in .venv.
PYTHON ?= python3
BIN := .venv/bin
# The tests of one file share what they compile. One process more than cores: many tests wait for a server or a browser.
# In the order of the folders: by default the files with the fewest tests come last, which are the longest ones.
PYTEST := $(BIN)/pytest --numprocesses $$(($$(nproc) + 1)) --dist loadfile --no-loadscope-reorder --durations 12
PIP := $(BIN)/pip --disable-pip-version-check install --quiet -c constraints-cpu.txt

.PHONY: help play test test-compiled test-plain setup lint lint-js floors docs bench clean

help:
	@echo "make play    play in the browser"
	@echo "make test    run all tests"
	@echo "make setup   prepare .venv with everything the tests need"
	@echo "make lint    format, style, types, layers; JavaScript too, where there is npm"
	@echo "make floors  try the oldest versions of the dependencies that pyproject.toml allows"
	@echo "make docs    build the documentation into site/"
	@echo "make bench   random games and simulations per second, beside the installed peers"
	@echo "make clean   remove what was made here"

play: .venv/.play
	$(BIN)/damier serve

test: lint test-plain test-compiled

# The laws, and the comparisons with naive and foreign implementations, without the compiler ...
test-plain: .venv/.dev
	NUMBA_DISABLE_JIT=1 $(PYTEST) tests/conformance tests/reference

# ... and everything with it.
test-compiled: .venv/.dev
	$(PYTEST)

setup: .venv/.dev

lint: .venv/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(MAKE) --no-print-directory lint-js

# Prettier and ESLint come from npm. Where that can't get them, a line says that the JavaScript was not checked.
lint-js:
	@if command -v npm > /dev/null && $(MAKE) --silent node_modules/.installed 2> /dev/null; then npm run --silent lint; \
	else echo "SKIPPED: the JavaScript was not checked; that needs node 18.18 or newer, npm and its registry"; fi

node_modules/.installed: package-lock.json
	npm ci --no-audit --no-fund --silent
	@touch $@

floors:
	$(PYTHON) -m benchmarks.floors

docs: .venv/.dev
	$(BIN)/mkdocs build --strict

bench: .venv/.dev
	$(BIN)/damier bench

clean:
	rm -rf .venv node_modules site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.play: pyproject.toml constraints-cpu.txt | .venv/bin/python
	$(PIP) -e .
	@touch $@

.venv/.dev: pyproject.toml constraints-cpu.txt | .venv/bin/python
	$(PIP) -e ".[dev]"
	@touch $@ .venv/.play
