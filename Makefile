# Everything runs in .venv, which scripts/setup.sh makes and keeps up to date.
# Another Python than the one found: make test PYTHON=/path/to/python3.13

GAME ?= chaos-kart
ARGS ?=
CUTS ?= 100
SOAK ?= 10000
DEBIAN ?= bookworm
BIN := .venv/bin

.DEFAULT_GOAL := help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

.PHONY: help play test lint check soak bench catalogues fonts pictures wheel deb box pins clean setup setup-dev

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

soak: setup-dev catalogues ## pull the plug 100 times, play 10,000 answers (CUTS=, SOAK=, SEED=)
	@CUTS=$(CUTS) SOAK=$(SOAK) $(BIN)/python -m pytest -m soak $(ARGS)

bench: setup catalogues ## measure speed, start-up and memory
	@$(BIN)/python -m benchmarks $(ARGS)

catalogues: setup ## compile the translations that changed
	@$(BIN)/python hatch_build.py

fonts: ## bring the font with Japanese, if it is not there yet
	@scripts/fonts.sh

pictures: setup catalogues fonts ## draw the pictures in the documents
	@$(BIN)/python scripts/pictures.py

wiring: setup-hardware ## draw the wiring and write its tables anew (needs graphviz)
	@$(BIN)/python -m scripts.wiring
	@$(BIN)/python -m scripts.parts

case: setup ## make the case's STL files and pictures anew (needs openscad, xvfb)
	@$(BIN)/python -m scripts.case

wheel: setup catalogues ## build the wheel into dist/
	@$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

deb: setup catalogues ## build the Debian package into dist/ (ARCH=arm64 for a Pi)
	@scripts/deb.sh

box: setup-dev deb ## install it in a container and play there (DEBIAN=trixie), as root
	@COMPANION_BOX=$(DEBIAN) $(BIN)/python -m pytest tests/box $(ARGS)

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

setup-hardware:
	@scripts/setup.sh hardware
