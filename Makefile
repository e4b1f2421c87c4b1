# Everything needs only python3 (3.11 or newer) and git; each target makes its own environment.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.made

.PHONY: demo test browser-test lint types docs bench clients clients-quick wheel-test clean

# pip would compile all of it, one file after the other; half are the packages' own tests, mypy, which runs as
# machine code, and what is hardly ever imported. What cannot be compiled is told where it is imported
$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --no-compile --editable . --group dev
	$(BIN)/python -m compileall -qq -j 0 -x '/(tests|f2py|mypyc?|pip|setuptools|pkg_resources|lexers)/' $(VENV)/lib || true
	touch $(STAMP)

demo: $(STAMP) ## run the main job on a copy of an example kit
	PATH="$(CURDIR)/$(BIN):$$PATH" sh demo/run.sh

# what the tests start as processes of their own writes nothing down, and would compile all of it each time;
# the tests are compiled once for all workers, also where the environment asks Python to write nothing
test: $(STAMP) ## run the tests
	$(BIN)/python -m compileall -q -j 0 reel_cli
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto

browser-test: $(STAMP) ## run the tests of the page in a real browser; installs Chromium where it can
	sh tools/test_browser.sh $(BIN)/python

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

docs: $(STAMP) ## write the generated pages of docs/ anew
	$(BIN)/python tools/make_docs.py

bench: $(STAMP) ## measure, print ratios from this run, and write them to bench/results.md
	$(BIN)/python bench/run.py

clients: $(STAMP) ## install and drive the programs people use with reel; writes bench/results-clients.md. 4 GB, half an hour
	$(BIN)/python bench/clients

# those that are installed in seconds, as they were on one day: what fails is reel's doing, and no new release of
# theirs. Where no registry answers they are told as not checked; where one does and the install fails, that is a failure
clients-quick: $(STAMP) ## drive those of them that take less than a minute; CI does so by turns
	$(BIN)/python bench/clients --quick

wheel-test: $(STAMP) ## run the tests against the built wheel, outside the checkout
	sh tools/test_wheel.sh $(BIN)/python

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
