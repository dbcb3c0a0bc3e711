# Everything runs in .venv, which scripts/setup.sh makes and keeps up to date.
# Another Python than the one found: make test PYTHON=/path/to/python3.13

GAME ?= chaos-kart
ARGS ?=
BIN := .venv/bin

.DEFAULT_GOAL := help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

.PHONY: help play test lint check bench catalogues fonts pictures wheel pins clean setup setup-dev

help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## /\1\t/p' Makefile | expand -t 12

play: setup catalogues ## open a table (GAME=chaos-kart), or go on with the one left open
	@$(BIN)/companion play $(GAME) $(ARGS)

test: setup-dev catalogues ## run all tests (ARGS="-k bump" for some)
	@$(BIN)/python -m pytest -n auto $(ARGS)

lint: setup-dev ## style, types, and who imports whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

check: lint test ## lint, then test: all that a change has to pass

bench: setup catalogues ## measure speed, start-up and memory
	@$(BIN)/python -m benchmarks $(ARGS)

catalogues: setup ## compile the translations that changed
	@$(BIN)/python hatch_build.py

fonts: ## bring the font with Japanese, if it is not there yet
	@scripts/fonts.sh

pictures: setup catalogues fonts ## draw the pictures in the documents
	@$(BIN)/python scripts/pictures.py

wheel: setup catalogues ## build the wheel into dist/
	@$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

pins: ## choose the newest packages anew and pin them in requirements/
	@scripts/pins.sh

clean: ## remove all that was made here (open tables are kept elsewhere)
	rm -rf .venv dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
	find companion -name '*.mo' -delete

setup:
	@scripts/setup.sh play

setup-dev:
	@scripts/setup.sh dev
