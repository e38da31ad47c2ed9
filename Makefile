# `make run` starts a demonstration, `make test` runs all checks.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNS := $(VENV)/.runs
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help run test install check lint quick lines every fix bench code coverage licences protocol screenshots clean venv-package programs oldest compatibility

help:  ## what each command does
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The environment is rebuilt when its inputs change. To play, only the server is installed; tools and
# the other extras come with the first target that needs them.
$(RUNS): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "headsup needs Python 3.11 or newer; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@echo "Setting up $(VENV) (once; less than a minute) ..."
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 || { $(MAKE) --no-print-directory venv-package && $(PYTHON) -m venv --clear $(VENV); }
	@$(PIP) install $(QUIET) uv || :
	@$(INSTALL) -e '.[server]'
	@touch $@

$(STAMP): $(RUNS)
	@echo "Installing tools and all extras in $(VENV) (once; a minute or two) ..."
	@$(INSTALL) -e '.[reports,server,cluster,gym,dev]'
	@touch $@

# uv takes a quarter of pip's time. Where it cannot be had or fails, pip installs the same versions.
PIP := $(BIN)/python -m pip
QUIET := --quiet --disable-pip-version-check --root-user-action=ignore -c constraints.txt
INDEX = $(or $(PIP_INDEX_URL),$(shell $(PIP) config get global.index-url 2>/dev/null))
INSTALL = f() { $(if $(INDEX),UV_DEFAULT_INDEX=$(INDEX)) $(BIN)/uv pip install --quiet --python $(BIN)/python -c constraints.txt "$$@" \
  2>/dev/null || $(PIP) install $(QUIET) "$$@"; }; f

# Debian keeps Python's venv module in a package of its own.
venv-package: PACKAGE = $(shell $(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
venv-package:
	@command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] \
	  || { echo "Python cannot make a virtual environment here. Install it, then try again:" >&2; \
	       echo "    sudo apt-get install $(PACKAGE)" >&2; exit 1; }
	@echo "Installing $(PACKAGE) ..."
	@(apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install -qq -y $(PACKAGE)) >/dev/null

install: $(STAMP)  ## create .venv with everything pinned in constraints.txt

run: $(RUNS)  ## live tables in the browser, with play money; Ctrl-C ends it (PORT=8500: elsewhere)
	@# Ctrl-C, or a signal to make alone, stops the server and waits for it, without an error.
	@$(BIN)/headsup serve --demo $(if $(PORT),--port $(PORT)) & server=$$!; \
	trap 'stopping=yes; kill $$server 2>/dev/null' INT TERM; wait $$server; ended=$$?; \
	[ "$$stopping" ] || exit $$ended; wait $$server || :

# Some tests need a real browser, database server or proxy.
programs: MISSING = $(strip \
  $(if $(shell command -v chromium || command -v chromium-browser),,chromium) \
  $(if $(shell command -v initdb || ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null),,postgresql) \
  $(if $(shell command -v nginx || ls /usr/sbin/nginx 2>/dev/null),,nginx-light))
programs:
	@[ -z "$(MISSING)" ] || { command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] \
	  && echo "Installing $(MISSING) (once) ..." && apt-get update -qq >/dev/null \
	  && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y $(MISSING) >/dev/null; } \
	|| { echo "Not installed, and this user cannot install it: $(MISSING)." >&2; \
	     echo "The tests that need it are skipped. To run them all:" >&2; \
	     echo "    sudo apt-get install $(MISSING)" >&2; }

# The tests start hundreds of Python processes; without bytecode each would compile everything.
unexport PYTHONDONTWRITEBYTECODE
ON_ALL_CORES := -n auto --dist worksteal
# Tests spend half their time waiting (browser, server, clock), so run two more than there are cores.
WORKERS = $(shell $(PYTHON) -c 'import os; print(os.cpu_count() + 2)')
SLOWEST := --durations 10 --durations-min 1

test: lint every  ## every test, lint, types, layers

check: lint quick  ## format, lint, types, layers, and all tests but the slow ones, PostgreSQL's and the browser's

# The JavaScript of the pages. It works offline: there is nothing to download.
DENO := DENO_NO_UPDATE_CHECK=1 DENO_DIR=$(CURDIR)/$(VENV)/deno $(BIN)/deno
PAGES := src/headsup/web/static

lint: $(STAMP)
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy --num-workers auto
	@$(BIN)/lint-imports
	@$(DENO) fmt --check --quiet
	@$(DENO) lint --quiet
	@$(DENO) check --quiet $(PAGES)

quick: $(STAMP)
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -m 'not slow' --ignore tests/browser $(SLOWEST)

lines: $(STAMP)  ## line coverage of the fast tests, in total and by file
	@$(BIN)/python -m pytest -q $(ON_ALL_CORES) -m 'not slow and not asyncio' --ignore tests/browser \
	  --cov headsup --cov-report term:skip-covered

# Many tests use real programs and clocks while every core is busy, so failed tests are retried alone
# and named. Only test failures (status 1) are retried, not errors, interrupts or an empty run.
every: $(STAMP) programs
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --cache-clear $(SLOWEST) || { [ $$? = 1 ] \
	  && echo "Retrying alone what failed while every core was busy:" \
	  && $(BIN)/python -m pytest -rpfE --last-failed --last-failed-no-failures none --maxfail 5 \
	  && echo "Green, but the tests named above passed only when run alone."; }

# Bounds in pyproject.toml must be true: these are the oldest versions they allow, in their own
# environment and with their own machine code.
OLDEST := $(VENV)/oldest
oldest:  ## fast tests with the oldest versions that pyproject.toml allows
	@$(PYTHON) -m venv --clear $(OLDEST)
	@$(PYTHON) -m tests.support.oldest > $(OLDEST)/constraints.txt
	@$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --root-user-action=ignore \
	  -c $(OLDEST)/constraints.txt -e '.[reports,server,cluster,gym,bench]' \
	  pytest pytest-xdist pytest-asyncio hypothesis jsonschema
	@mkdir -m 700 $(OLDEST)/cache
	@HEADSUP_CACHE_DIR=$(CURDIR)/$(OLDEST)/cache $(OLDEST)/bin/python -m pytest -q $(ON_ALL_CORES) \
	  -m 'not slow and not asyncio' --ignore tests/browser
	@HEADSUP_CACHE_DIR=$(CURDIR)/$(OLDEST)/cache $(OLDEST)/bin/python -m pytest -q tests/web/live

# Every other Python that can be found here; name them with PYTHONS="python3.12 python3.13".
PYTHONS ?= $(wildcard $(HOME)/.pyenv/versions/3.1[234].*/bin/python) python3.12 python3.13 python3.14
compatibility: oldest  ## the same, and with every other Python from 3.12 to 3.14 that is installed
	@for python in $(PYTHONS); do \
	  name=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue; \
	  [ ! -e $(VENV)/python$$name/.tested ] || continue; \
	  echo "Python $$name ($$python)"; \
	  $$python -m venv --clear $(VENV)/python$$name && $(VENV)/python$$name/bin/python -m pip install $(QUIET) \
	    -e '.[reports,server,cluster,gym,dev]' \
	    && $(VENV)/python$$name/bin/python -m pytest -q $(ON_ALL_CORES) -m 'not slow and not asyncio' --ignore tests/browser \
	    && touch $(VENV)/python$$name/.tested || { failed="$$failed $$name"; }; \
	done; rm -f $(VENV)/python*/.tested; [ -z "$$failed" ] || { echo "Failed with Python$$failed" >&2; exit 1; }

fix: $(STAMP)  ## format and repair what lint can repair
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@$(DENO) fmt --quiet
	@$(DENO) lint --quiet --fix

bench: $(STAMP)  ## speed against peers, as ratios measured in one run
	@$(BIN)/python -m bench

code: $(STAMP)  ## compile the kernels and solve the printed games that come with the program
	@$(BIN)/python -m headsup.tools.shipped_code
	@$(BIN)/python -m headsup.tools.shipped_results

coverage: $(STAMP)  ## write docs/coverage.md: every clause, and the test that shows it
	@$(BIN)/python -m tests.rulebook.coverage

licences: $(STAMP)  ## write docs/licences.md: the packages that come with headsup
	@$(BIN)/python -m headsup.tools.licences > docs/licences.md

protocol: $(STAMP)  ## write docs/protocol-reference.md, and the types of the pages
	@$(BIN)/python -m headsup.tools.protocol_reference > docs/protocol-reference.md
	@$(BIN)/python -m headsup.tools.wire_types > $(PAGES)/lib/wire.d.ts

screenshots: $(STAMP) programs  ## write docs/images/*.jpg: the pages in a real browser, at chosen moments
	@$(BIN)/python -m tests.support.browser.screenshots
	@$(BIN)/python docs/images/floor.py
	@$(BIN)/python docs/images/training.py

clean:  ## remove the environment and caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests bench docs -name __pycache__ -type d -prune -exec rm -rf {} +
