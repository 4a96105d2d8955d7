# Everything runs in .venv, which is made on first use and brought up to date when pyproject.toml changes.
# Only that step needs the network (the Python package index); the rest works without.

PYTHON ?= python3
VENV   := .venv
RUN    := $(VENV)/bin/python
PIP    := $(RUN) -m pip --disable-pip-version-check --quiet
SITE   := _build/html
PORT   ?= 8000

# Passed on to sphinx-build, pytest, the benchmarks and the fuzzer: make html SPHINXOPTS=-W, make test PYTESTOPTS="-k names"
SPHINXOPTS ?=
PYTESTOPTS ?= --numprocesses auto --maxprocesses 8 --dist loadgroup
BENCHOPTS  ?=
FUZZOPTS   ?= -max_total_time=60

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help html offline serve test lint bench fuzz clean

help:
	@echo 'make html     build the pages of the bibliography     -> $(SITE)/index.html'
	@echo 'make offline  the same, and all of it as one file      -> $(SITE)/offline.zip'
	@echo 'make serve    build them and show them                -> http://localhost:$(PORT)/'
	@echo 'make test     run the tests                           PYTESTOPTS="-k names" runs some of them'
	@echo 'make lint     formatting, style and types of the code, and the bibliography'
	@echo 'make bench    measure against plain Sphinx, pybtex, pandoc and citation-js (several minutes)'
	@echo 'make fuzz     look for input that breaks reading or editing      FUZZOPTS="-max_total_time=600"'
	@echo 'make clean    remove what these commands made, except .venv'

html: $(VENV)/html.stamp
	@echo 'Building the pages'
	@$(RUN) -m sphinx -c . -b html -d _build/doctrees $(SPHINXOPTS) docs $(SITE)
	@echo 'Open $(SITE)/index.html'

offline: override SPHINXOPTS += --tag offline
offline: html
	@echo 'The pages as one file: $(SITE)/offline.zip'

serve: html
	@echo 'Serving the pages at http://localhost:$(PORT)/ (stop with Ctrl-C)'
	@$(RUN) -m http.server --bind 127.0.0.1 --directory $(SITE) $(PORT)

test: $(VENV)/test.stamp
	@echo 'Running the tests'
	@$(RUN) -m pytest $(PYTESTOPTS)

lint: $(VENV)/lint.stamp
	@echo 'Checking formatting and style'
	@$(RUN) -m ruff format --check
	@$(RUN) -m ruff check
	@echo 'Checking types'
	@$(RUN) -m mypy
	@echo 'Checking the bibliography'
	@$(RUN) -m refkit fmt --check
	@$(RUN) -m refkit check

bench: $(VENV)/test.stamp
	@$(RUN) benchmarks/bench_tex.py $(BENCHOPTS)
	@$(RUN) benchmarks/bench_convert.py $(BENCHOPTS)
	@$(RUN) benchmarks/bench_check.py $(BENCHOPTS)
	@$(RUN) benchmarks/bench_site.py $(BENCHOPTS)
	@$(RUN) benchmarks/bench_browse.py $(BENCHOPTS)

# What breaks something is left in crash-* and timeout-* here.
fuzz: $(VENV)/test.stamp
	@$(RUN) -c 'import atheris' 2>/dev/null || { echo 'Installing atheris' && $(PIP) install --group fuzz; }
	@$(RUN) tests/fuzz/run.py $(FUZZOPTS)

clean:
	rm -rf _build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is a copy of the pyproject.toml that was installed: a touch or a checkout alone installs nothing.
GROUP_html :=
GROUP_test := --group test
GROUP_lint := --group test --group lint

$(VENV)/html.stamp $(VENV)/test.stamp $(VENV)/lint.stamp: $(VENV)/%.stamp: pyproject.toml $(VENV)/pip.stamp
	@cmp -s pyproject.toml $@ || { echo 'Installing what make $* needs into $(VENV)' && \
	  $(PIP) install --editable . $(GROUP_$*); }
	@cp pyproject.toml $@

# Dependency groups (PEP 735) need pip 25.1; Debian 12 brings pip 23.
$(VENV)/pip.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'Python 3.11 or newer is needed; name one with make PYTHON=python3.12' >&2; exit 1; }
	@echo 'Making $(VENV)'
	@test -x $(VENV)/bin/pip || $(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo 'On Debian and Ubuntu: apt install python3-venv' >&2; exit 1; }
	@$(PIP) install --upgrade 'pip>=25.1'
	@touch $@
