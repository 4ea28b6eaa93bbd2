# Everything needed is set up in .venv on the first run: Python 3.11 or newer and make are enough.
NEW_ENOUGH := 'import sys, venv; sys.exit(sys.version_info < (3, 11))'
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python -c $(NEW_ENOUGH) 2>/dev/null && echo $$python && break; done)
BIN := .venv/bin
MEASURE = PYTHONPATH=tests $(BIN)/python -m benchmarks

.DEFAULT_GOAL := help
.PHONY: help demo test check bench docs pictures clean

help: ## say what each target does
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="	" read -r name what; do printf '  make %-10s %s\n' "$$name" "$$what"; done

demo: .venv/ready ## open the app on a made-up store, with an agent writing into it
	@$(BIN)/memview demo

test: .venv/ready-dev ## run the tests
	@$(BIN)/python -m pytest -n auto -m "not snapshot" && $(BIN)/python -m pytest -m snapshot

check: .venv/ready-dev ## format, lint, types, import walls, then the tests
	@$(BIN)/ruff format --check src tests benchmarks
	@$(BIN)/ruff check src tests benchmarks
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache > .venv/imports.log || { cat .venv/imports.log; exit 1; }
	@$(MAKE) --no-print-directory test

bench: .venv/ready-bench ## measure speed and recall against named peers, some minutes
	@$(MEASURE)

bench-full: .venv/ready-bench ## the same with a million facts and all that takes long, half an hour
	@$(MEASURE) --full --json benchmarks/results.json

docs: .venv/ready-docs ## build the documentation into docs/_build; warnings are errors
	@$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build/html && echo docs/_build/html/index.html

pictures: .venv/ready-dev ## draw the pictures of the README from the real program
	@$(BIN)/python assets/pictures.py

clean: ## remove the environment and all caches
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/ready: pyproject.toml
	@test -n "$(PYTHON)" || { echo "memview needs Python 3.11 or newer with venv; name it with: make PYTHON=..." >&2; exit 1; }
	@echo "Setting up .venv (once)" && $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	@touch $@

.venv/ready-dev: .venv/ready
	@echo "Installing the tools for tests (once)"
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	@touch $@

.venv/ready-bench: .venv/ready-dev
	@echo "Installing the peers of the benchmarks (once)"
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[bench]'
	@command -v fzf > /dev/null || echo "fzf, a system package, is not installed: it will not be compared with"
	@touch $@

.venv/ready-docs: .venv/ready
	@echo "Installing the tools for the documentation (once)"
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[docs]'
	@touch $@
