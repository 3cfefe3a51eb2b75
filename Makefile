# Two commands do everything, `make run` and `make test`; each sets up what it needs first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
# Our programs start dozens of times: they keep their compiled code, whatever the shell says.
export PYTHONDONTWRITEBYTECODE :=
# Test files run in parallel, each in one process (tests/support/processes.py says how).
PARALLEL := --numprocesses auto --dist loadfile --no-loadscope-reorder

.PHONY: run play starter test every-test test-fast lint docs bench licences clean setup java browser postgres lock

run: setup java
	@python -m pipeline run

play: setup
	@wordkin serve

# The linters run beside the first tests.
test: setup java browser postgres
	@$(MAKE) --no-print-directory --jobs=2 lint every-test

every-test: setup
	@python -m pytest $(PARALLEL)

test-fast: setup
	@python -m pytest $(PARALLEL) -m "not slow"

lint: setup
	@ruff check .
	@ruff format --check .
	@mypy
	@lint-imports --no-logo --no-cache

# The site of all pages and of the API, in build/site.
docs: setup
	@mkdocs build --strict --quiet

# Only to make the starter bundles anew; WORDKIN_MIRROR names the folder with their texts.
starter: setup java
	@python -m pipeline starter

bench: setup java
	@python -m bench

licences: setup
	@python -m bench.packages

setup: $(VENV)/.made

# uv installs the locked packages in a third of pip's time; pip takes over where uv cannot. The lock
# names every package, so nothing looks for more (--no-deps): uv would download large sources twice to
# read what they need. Python compiles modules when they are first imported, a small part of them.
$(VENV)/.made: requirements.lock pyproject.toml
	@echo "setting up the environment in $(VENV) (takes a minute or two the first time) …"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Wordkin needs Python 3.11 or newer and $(PYTHON) is older: set PYTHON=..."; exit 2; }
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r bootstrap.lock
	@$(BIN)/uv pip install --quiet --no-deps --python $(BIN)/python \
		--require-hashes -r requirements.lock || \
		$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-compile \
		--require-hashes -r requirements.lock
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

java:
	@sh ./system.sh java

browser:
	@sh ./system.sh browser

postgres:
	@sh ./system.sh postgres

# Only when a dependency changes: needs uv on the PATH.
lock: setup
	@uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
		--no-header --extra pipeline --extra web --extra postgres --extra encoders --extra exports \
		--extra dev \
		pyproject.toml -o requirements.lock
	@echo uv | uv pip compile --quiet --generate-hashes --no-annotate --no-header - -o bootstrap.lock

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
