# make run   installs everything, builds the extension, starts the daemon
# make test  installs everything, runs every test
# make security  runs the tests of docs/security-tests.md and prints what came of each
# make security-marker  runs the tests that start the daemon, with a marker in every text, and looks for it
# make fuzz  runs the random tests for MINUTES (10)
# make locked  makes the Python environment from .ci/requirements.lock, every package checked by its hash
# make gguf  adds llama-cpp-python, compiled here, and the small model of its tests: .ci/gguf.lock (5 minutes)
# make sbom  writes bills of materials (CycloneDX) to artifacts/
# make audit  asks the advisory services about every locked package
# make venv  makes the Python environment only
PYTHON ?= python3
VENV ?= .venv
# Extras to install for the tests: add train and gguf to run their tests too.
EXTRAS ?= test
PYTEST_ARGS ?=

BIN := $(VENV)/bin
TOOLS := .venv-tools/bin
MINUTES ?= 10
NODE_STAMP := extension/node_modules/.installed

.PHONY: run test security security-marker fuzz locked gguf sbom audit venv lint extension browser clean

venv: $(VENV)/.installed-base

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Limen needs Python 3.11 or newer. Say which with: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed-base: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-extras-$(EXTRAS): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch '$@'

locked: $(VENV)/.installed-locked

# Nothing is built from source but Limen itself and one package that has no wheel, with the locked setuptools.
HASHED := install --quiet --disable-pip-version-check --require-hashes --only-binary=:all:
$(VENV)/.installed-locked: .ci/build.lock .ci/requirements.lock pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip $(HASHED) -r .ci/build.lock
	$(BIN)/python -m pip $(HASHED) --no-binary=rouge-score --no-build-isolation -r .ci/requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

gguf: $(VENV)/.installed-gguf

# llama-cpp-python has no wheel: it is built from its locked source by locked tools; pip keeps the wheel in its cache.
# Without LLAVA_BUILD: Limen shows no model a picture.
$(VENV)/.installed-gguf: .ci/gguf-build.lock .ci/gguf.lock | $(BIN)/python
	$(BIN)/python -m pip $(HASHED) -r .ci/gguf-build.lock
	CMAKE_ARGS="$${CMAKE_ARGS:--DLLAVA_BUILD=OFF}" CMAKE_BUILD_PARALLEL_LEVEL="$${CMAKE_BUILD_PARALLEL_LEVEL:-2}" \
	  $(BIN)/python -m pip $(HASHED) --no-binary=llama-cpp-python --no-build-isolation --no-deps -r .ci/gguf.lock
	$(BIN)/python -c 'import llama_cpp'
	@touch $@

$(TOOLS)/.installed: .ci/tools.lock
	@test -x $(TOOLS)/python || $(PYTHON) -m venv .venv-tools
	$(TOOLS)/python -m pip $(HASHED) -r .ci/tools.lock
	@touch $@

$(NODE_STAMP): extension/package.json extension/package-lock.json
	@command -v npm >/dev/null || { echo "Building the extension needs Node.js 20 or newer with npm: https://nodejs.org" >&2; exit 1; }
	cd extension && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

extension: $(NODE_STAMP)
	cd extension && npm run --silent build

run: venv extension
	@echo
	@echo "The extension is built: $(CURDIR)/extension/dist/chromium"
	@echo "  1. Open chrome://extensions, switch on Developer mode, press \"Load unpacked\" and choose that folder."
	@echo "  2. In another terminal: $(BIN)/limen pair   and type its code into the extension's settings page."
	@echo "  3. Open an AI chat and type: my 3 year old repeats syllables twice and I'm worried"
	@echo
	$(BIN)/limen up

browser:
	@.ci/need-browser

test: $(VENV)/.installed-extras-$(EXTRAS) extension browser
	$(BIN)/ruff check daemon profiles quantize eval tests
	$(BIN)/mypy
	cd extension && npm run --silent lint && npm test --silent
	$(BIN)/pytest $(PYTEST_ARGS)

security: $(VENV)/.installed-extras-$(EXTRAS) extension browser
	cd tests && ../$(BIN)/python -m harness.security_report $(PYTEST_ARGS)

security-marker: $(VENV)/.installed-extras-$(EXTRAS) extension browser
	cd tests && ../$(BIN)/python -m harness.marker $(PYTEST_ARGS)

fuzz: $(VENV)/.installed-extras-$(EXTRAS)
	cd tests && ../$(BIN)/python -m harness.fuzz $(MINUTES)

sbom: $(TOOLS)/.installed
	.ci/sbom $(TOOLS)/python

audit: $(TOOLS)/.installed $(NODE_STAMP)
	$(TOOLS)/python .ci/audit.py

lint: $(VENV)/.installed-extras-$(EXTRAS) $(NODE_STAMP)
	$(BIN)/ruff check daemon profiles quantize eval tests
	$(BIN)/mypy
	cd extension && npm run --silent lint

clean:
	rm -rf $(VENV) .venv-tools extension/node_modules extension/dist artifacts
