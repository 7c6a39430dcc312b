# Everything here needs Python 3.11 or newer (with venv) and make. Nothing else is installed outside .venv.
#   make demo     build a module, judge the sample games
#   make test     lint, types and tests, as the CI runs them
#   make help     the rest

SHELL := /bin/bash
.DEFAULT_GOAL := help
VENV ?= .venv
BIN := $(VENV)/bin
JOBS ?= 2
PYTEST_ARGS ?=
BENCH_ARGS ?=
STAMP := $(VENV)/.installed
FAST := .venv-fast
BENCH_STAMP := $(VENV)/.installed-bench
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

# PYTHON=/path/to/python3.12 overrides the search. A candidate counts only if it runs and is new enough
# (version managers leave launchers for versions that are not there).
PYTHON ?=
FIND_PYTHON = for p in $(PYTHON) $(if $(PYTHON),,python3.11 python3.12 python3.13 python3.14 python3 python); do \
	  if "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then echo "$$p"; break; fi; done

.PHONY: help venv lint types pytest test demo modules bench build fast test-fast coverage mutation selfplay linecoverage protos lock clean

help:
	@echo "make demo      build the sample game's module and judge the sample games"
	@echo "make test      ruff, mypy --strict and all tests"
	@echo "make modules   build the modules of every game"
	@echo "make lint | types | pytest | linecoverage"
	@echo "make coverage  the pages of docs/coverage: which rules are held by which tests (make selfplay: 200 games a game first)"
	@echo "make mutation  the rules with each refusal removed or bent: do the tests of its paragraph notice? (GAME=$(GAME))"
	@echo "make bench     speed as ratios (installs python-chess as the yardstick)"
	@echo "make build     the wheel, into build/dist"
	@echo "make fast      the same with the referee compiled (needs a C compiler), installed into $(FAST); make test-fast: its tests"
	@echo "make protos    regenerate the service's code from protos/"
	@echo "make lock      pin the newest allowed versions again (needs uv)"
	@echo "make clean     remove what was built (make clean VENV_TOO=1 also removes $(VENV))"

venv: $(STAMP)

$(STAMP): requirements.lock pyproject.toml setup.py
	@python="$$($(FIND_PYTHON))"; \
	if [ -z "$$python" ]; then \
	  echo "Python 3.11 or newer is needed$(if $(PYTHON), and $(PYTHON) is not one,: none of python3.11 to python3.14, python3, python is one). Install it, or say where it is: make PYTHON=/path/to/python3.11" >&2; exit 2; \
	fi; \
	if [ ! -x $(BIN)/python ]; then \
	  "$$python" -c 'import venv, ensurepip' 2>/dev/null || { echo "$$python has no venv module; on Debian and Ubuntu it is in the package python3-venv" >&2; exit 2; }; \
	  "$$python" -m venv $(VENV); \
	fi
	$(BIN)/python -m pip install -q --require-hashes --only-binary :all: -r requirements.lock
	$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	@touch $@

$(BENCH_STAMP): requirements-bench.lock $(STAMP)
	$(BIN)/python -m pip install -q --require-hashes --only-binary :all: -r requirements-bench.lock
	@touch $@

lint: $(STAMP)
	$(BIN)/ruff check .

types: $(STAMP)
	$(BIN)/mypy --strict

pytest: $(STAMP)
	$(BIN)/pytest -q -n $(JOBS) --dist loadfile $(PYTEST_ARGS)

test: lint types pytest

DEMO := battle-for-germany
SAMPLES := data/$(DEMO)/samples

# Every game of data/, into build/.
modules: $(STAMP)
	$(BIN)/modgen build --all

# The sample logs hold illegal moves on purpose: exit code 1 (findings) is what must come out.
demo: $(STAMP)
	$(BIN)/modgen build $(DEMO)
	@echo
	$(BIN)/referee audit --game $(DEMO) --module $(SAMPLES)/bfg-club.vmod $(SAMPLES)/*.vlog || [ $$? -eq 1 ]
	@echo
	@echo "The module: $(CURDIR)/build/$(DEMO)/$(DEMO).vmod"

# What is compiled is measured too where it can be; the parts that have nothing compiled in them do not ask for it.
bench: $(BENCH_STAMP)
	@compiled=""; \
	if [ -n "$(if $(BENCH_ARGS),$(filter decode rules files --json,$(BENCH_ARGS)),all)" ] && $(MAKE) --no-print-directory fast >&2; then \
	  compiled="--compiled $$($(FAST_SITE))"; \
	fi; \
	$(BIN)/python -m bench $(BENCH_ARGS) $$compiled

build: $(STAMP)
	$(BIN)/python -m build -q --wheel --no-isolation --outdir build/dist .
	@rm -rf build/lib build/bdist.*

# The wheel with the modules of [tool.compiled] as machine code, and an environment that has it, beside the checkout and never in it: what
# is compiled can hide no later change of a source. What was built last is known by its sources' contents; unchanged, nothing is done.
# The environment borrows the libraries of $(VENV): a plain path in a .pth does not bring the editable install along.
FAST_KEY = { $(BIN)/python -VV; find gamebox modgen referee data setup.py pyproject.toml requirements.lock -type f ! -name '*.pyc' -exec cksum {} + | LC_ALL=C sort; } | cksum
FAST_SITE = $(FAST)/bin/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))'

fast: $(STAMP)
	@key="$$($(FAST_KEY))"; if [ "$$key" = "$$(cat $(FAST)/.installed 2>/dev/null)" ]; then exit 0; fi; \
	set -e; echo "compiling; this takes some minutes"; rm -rf $(FAST) build/compiling/[!m]*; \
	REFEREE_COMPILE=1 $(BIN)/python -m build --wheel --no-isolation --outdir build/compiling/dist . >build/compiling.log 2>&1 || \
	  { grep -E "error:|^REFEREE_COMPILE" build/compiling.log >&2 || tail -5 build/compiling.log >&2; exit 2; }; \
	$(BIN)/python -m venv --without-pip $(FAST); \
	PYTHONPATH= $(BIN)/python -m pip --python $(FAST)/bin/python install -q --no-deps --no-index build/compiling/dist/*.whl; \
	$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$$($(FAST_SITE))/libraries.pth"; \
	rm -rf build/dist/compiled; mkdir -p build/dist; mv build/compiling/dist build/dist/compiled; rm -f build/compiling.log; \
	echo "$$key" >$(FAST)/.installed; echo "$(FAST)/bin/referee and modgen are compiled; the wheel is in build/dist/compiled"

# The tests of what is compiled, on what is compiled: its packages come before those of the checkout.
FAST_TESTS ?= tests/rules tests/games tests/judge tests/records tests/audit tests/formats tests/service tests/compiled
test-fast: fast
	@site="$$($(FAST_SITE))"; REFEREE_COMPILED="$$site" $(BIN)/pytest -q -n $(JOBS) --dist loadfile -o "pythonpath=$$site ." $(FAST_TESTS) $(PYTEST_ARGS)

# Which rule paragraphs are held by which tests: docs/coverage/. The counts of self-play are kept beside the page.
# Every game that has rules in the referee.
REFEREED := battle-for-germany overlord-to-berlin

coverage: $(STAMP)
	@for game in $(REFEREED); do $(BIN)/python -m referee.audit.coverage $$game || exit; done

selfplay: $(STAMP)
	@for game in $(REFEREED); do $(BIN)/python -m referee.audit.coverage $$game --selfplay || exit; done

# Each refusal of a game's rules removed, negated, moved by one, turned to the other side; GAME is the short name of a game.
GAME ?= bfg
MUTATION_ARGS ?=

mutation: $(STAMP)
	@$(BIN)/python -m tests.mutation $(GAME) --jobs $(JOBS) $(MUTATION_ARGS)

linecoverage: $(STAMP)
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q $(PYTEST_ARGS)
	$(BIN)/coverage report --skip-covered

protos: $(STAMP)
	$(BIN)/python protos/generate.py

# uv resolves for every platform at once and writes the hashes of all wheels.
lock:
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --only-binary :all: --no-header --no-annotate --extra dev pyproject.toml -o requirements.lock
	echo 'chess==1.10.0' | uv pip compile -q --universal --python-version 3.11 --generate-hashes --only-binary :all: --no-header --no-annotate - -o requirements-bench.lock

clean:
	find build -mindepth 1 -maxdepth 1 ! -name README.md -exec rm -rf {} +
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage ./*.egg-info
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -not -path './$(FAST)/*' -prune -exec rm -rf {} +
	rm -rf $(FAST)
	$(if $(VENV_TOO),rm -rf $(VENV))
