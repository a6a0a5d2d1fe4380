# The commands a newcomer types. Each installs what is missing (scripts/setup), builds what changed, and does one thing.
# Variables: JOBS (parallel compilers), BUILD (folder of the release build), UNITY (OFF: each file by itself, quicker after a small change),
# PREFIX (of `make install`).
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
.ONESHELL:
.SILENT:
JOBS ?= $(shell nproc)
BUILD ?= build
PREFIX ?= /usr/local
PYTHON := .venv/bin/python
UNITY ?= ON
CONFIGURE := cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release -DTADA_UNITY=$(UNITY) -DTADA_PYTHON_MODULE=ON -DPython_EXECUTABLE=$(CURDIR)/$(PYTHON)
FUZZ_SECONDS ?= 60
CAMPAIGN_SECONDS ?= 3600
TABLES ?= 10000
BENCH_ARGS ?=
SPARK_ARGS ?=
comma := ,

.PHONY: build program configured demo test browser browser-times slow check lint hooks format tidy sanitize fuzz campaign reproduce bench bench-check studies install dist dist-test clean help tests-built faults test-spark

help: ## List these commands.
	grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | sort | awk -F'\t' '{printf "  make %-12s %s\n", $$1, $$2}'

program: ## Build the release binary, build/tada.
	scripts/setup build
	[ -f $(BUILD)/build.ninja ] || $(MAKE) --no-print-directory configured
	ninja -C $(BUILD) -j $(JOBS) --quiet tada

build: ## Build the release binary, and the Python package in .venv.
	scripts/setup build
	[ -f $(BUILD)/build.ninja ] || $(MAKE) --no-print-directory configured
	ninja -C $(BUILD) -j $(JOBS) --quiet tada _core
	scripts/python_package $(BUILD)

configured:
	$(CONFIGURE) -DTADA_TESTS=OFF >/dev/null

demo: build ## Build, then anonymize a table of people that tada makes up, and show the result.
	$(BUILD)/tada demo
	echo
	echo "The same in a browser: $(BUILD)/tada serve --demo"

tests-built:
	scripts/setup test
	grep -qs '^TADA_TESTS:BOOL=ON' $(BUILD)/CMakeCache.txt || $(CONFIGURE) -DTADA_TESTS=ON >/dev/null
	ninja -C $(BUILD) -j $(JOBS) --quiet
	scripts/python_package $(BUILD)

test: tests-built ## Run everything: unit and property tests, text cases, a short fuzz run, the binary.
	status=0  # every part runs, so that the last line is pytest's summary whatever happened before
	ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS) | scripts/show_ctest || status=1
	scripts/fuzz 6 || status=1
	TADA_BINARY=$(BUILD)/tada $(PYTHON) -m pytest tests || status=1
	exit $$status

test-spark: build ## Test tada.spark on a Spark of its own, with executors that are processes of their own; SPARK_ARGS="-m slow": all combinations.
	scripts/setup spark
	TADA_BINARY=$(BUILD)/tada PYTHONPATH=python/src .venv-spark/bin/python -m pytest tests/spark $(SPARK_ARGS)

browser: tests-built ## Test the page harder: every flow, all screens in both schemes, a hostile client, the interface by its description.
	scripts/setup browser
	TADA_BINARY=$(BUILD)/tada $(PYTHON) -m pytest tests/browser tests/server -m "not timed"
	scripts/torture $(BUILD)/tada --attacks

browser-times: tests-built ## Measure the page and its server: seconds, rates and memory, on a machine that does nothing else.
	scripts/setup browser
	status=0
	TADA_BINARY=$(BUILD)/tada $(PYTHON) -m pytest tests/browser tests/server -m timed || status=1
	scripts/torture $(BUILD)/tada || status=1
	exit $$status

check: ## Check formatting, includes, ruff, mypy and clang-tidy on changed files (FILES=all: on every file), then test.
	scripts/setup test
	scripts/lint
	$(MAKE) --no-print-directory tidy
	$(MAKE) --no-print-directory slow
	$(MAKE) --no-print-directory test

faults: build ## Break the program on purpose, one step at a time, and see that the audit finds it; writes the table of docs/guarantees.md.
	[ -f $(BUILD)-faults/build.ninja ] || $(MAKE) --no-print-directory BUILD=$(BUILD)-faults UNITY=OFF configured
	ninja -C $(BUILD)-faults -j $(JOBS) --quiet tada-faults
	$(PYTHON) scripts/faults $(BUILD)-faults/tada-faults

slow: tests-built ## Run the tests that take minutes: the examples of CONTRIBUTING.md, followed in a copy.
	TADA_BINARY=$(BUILD)/tada JOBS=$(JOBS) $(PYTHON) -m pytest tests -m slow

tidy: tests-built ## Lint what differs from the main branch; FILES=all lints everything.
	scripts/tidy $(BUILD) $(FILES)

lint: ## Check formatting, includes, ruff and mypy: what needs no build.
	scripts/setup test
	scripts/lint

hooks: ## Install the pre-commit hooks, which run the same checks.
	scripts/setup test
	.venv/bin/python -m pre_commit install

format: ## Format the sources in place.
	scripts/setup test
	scripts/format

sanitize: ## Run unit tests, some commands and the server under address, undefined-behaviour and thread sanitizers.
	scripts/setup test
	scripts/sanitize $(JOBS)
	scripts/sanitize_server $(JOBS)

fuzz: ## Fuzz each target for FUZZ_SECONDS (60).
	scripts/setup test
	scripts/fuzz $(FUZZ_SECONDS)

campaign: build ## Hours of trials: calls of the system that fail, random tables by an own count, killed runs, fuzzing. CAMPAIGN_SECONDS (3600) each.
	scripts/setup test
	TADA_BINARY=$(BUILD)/tada $(PYTHON) tests/faults/faults.py --seconds $(CAMPAIGN_SECONDS)
	TADA_BINARY=$(BUILD)/tada $(PYTHON) tests/campaign/campaign.py --seconds $(CAMPAIGN_SECONDS)
	scripts/fuzz $(CAMPAIGN_SECONDS)

reproduce: ## Build two clones in different folders and compare the programs, byte for byte.
	scripts/setup build
	scripts/reproduce $(JOBS)

prove: build ## Check the proofs, build the auditor extracted from them, build/tada-verify, and compare it with tada's on TABLES (10,000) tables.
	scripts/setup prove
	scripts/prove $(BUILD) $(TABLES)

bench: build ## Measure speed and memory beside Arrow and DuckDB; BENCH_ARGS=--quick for a small form.
	scripts/setup bench
	$(PYTHON) bench/run.py --tada $(BUILD)/tada $(BENCH_ARGS)
	$(PYTHON) bench/corners.py --tada $(BUILD)/tada $(filter --write,$(BENCH_ARGS)) $(if $(findstring --quick,$(BENCH_ARGS)),--rows 100000 --repeat 1 --only parquet$(comma)frames$(comma)judges$(comma)tree)

bench-check: build ## Count the instructions of ten commands and fail where one needs 5% more than bench/instructions.json says.
	scripts/setup bench
	$(PYTHON) bench/instructions.py --tada $(BUILD)/tada $(BENCH_ARGS)

studies: build ## Repeat the papers' experiments in a quick form (minutes), FULL=1 in full (hours); continues where it stopped.
	scripts/setup test
	out=$(BUILD)/studies
	mkdir -p $$out
	for study in dop_table decision_support clustering classification; do
	  echo "== studies/$$study.py"
	  $(PYTHON) studies/$$study.py --out $$out $(if $(FULL),--full)
	done
	echo "== studies/workload_aware.py"
	$(PYTHON) studies/workload_aware.py --tada $(BUILD)/tada $(if $(FULL),--rows 10000 --folds 3,--seeds 3 --rows 4000 --folds 3 --only "Adult$(comma) income") --out $$out/infogain$(if $(FULL),_full).md
	echo "tables and plots: $(BUILD)/studies; docs/reproduction.md explains them"

install: build ## Install the program, libtada with its headers, man page and shell completions under PREFIX.
	ninja -C $(BUILD) -j $(JOBS) --quiet libtada
	scripts/install $(BUILD) "$(DESTDIR)$(PREFIX)"

dist: build ## Make packages for machines without a compiler: dist/*.tar.xz and dist/*.deb.
	scripts/setup dist
	scripts/dist $(BUILD) dist

dist-test: dist ## Test these packages, and the steps of the Dockerfile, in a bare Debian 12 (as root).
	scripts/setup test
	scripts/test_dist dist

clean: ## Remove what was built; .venv stays.
	rm -rf build build-*
