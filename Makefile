# Two commands do everything on a fresh machine with Python 3.11 or newer:
#   make demo   installs into .venv and runs the main job
#   make test   installs into .venv and runs lint, types and all tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: demo test test-slow lint format bench clean

demo: $(VENV)/.installed
	$(BIN)/justeval demo --out justeval-demo

test: lint
	$(BIN)/python -m pytest -n auto -m "not slow"

test-slow: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n auto -m slow

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/demo.py
	$(BIN)/python benchmarks/variants.py

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "justeval needs Python 3.11 or newer: make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "this Python cannot make environments: install python3-venv (Debian, Ubuntu)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: $(VENV)/.created pyproject.toml
	$(PIP) install --quiet --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.created pyproject.toml
	$(PIP) install --quiet --editable ".[dev]"
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) build dist justeval-demo
