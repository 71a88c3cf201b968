"""Fixtures that all tests may use. The servers come from `tests/support/services_plugin.py`."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from celery import Task
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection, transaction
from django.template.base import Template
from django.test import Client, override_settings
from django.test.client import ClientHandler
from django.utils import timezone
from hypothesis import settings
from pytest_django import DjangoDbBlocker, Settings
from whitenoise.middleware import WhiteNoiseMiddleware

from aeo.coverage import asked
from aeo.guides import in_force as guides_in_force
from catalog.airports import selectors as airport_facts
from catalog.database import cached_values
from compliance.services.redis import Redis
from rules import corpus
from rules.corpus import Published
from rules.policy_history import selectors as policy_history
from rules.publishing.actions.releases import publish_release
from rules.watch import selectors as watch
from tests.support import starter
from tests.support.contract_conformance import checked
from tests.support.factories import a_user
from tests.support.receipt_of_every_verdict import judged
from tests.support.roles import as_role
from tests.support.world import APPROVER, build_world

pytest_plugins = ["tests.support.desk.fixtures"]

RENDER = Template._render  # type: ignore[attr-defined]

# A slow machine makes no property wrong.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Let pytest-django run no migrations: every database of the cluster is made with the tables."""
    connection.settings_dict["TEST"]["MIGRATE"] = False


@pytest.fixture
def editor(request: pytest.FixtureRequest, db: None) -> User:
    """The author of the test world: all its rules and recalls are approved, and none is published.

    A module that uses `world_rows` has it already.
    """
    editor = a_user()
    if "world_rows" not in request.fixturenames:
        build_world(by=editor)
    return editor


@pytest.fixture
def reviewer(editor: User) -> User:
    """The approver."""
    return a_user(APPROVER)


@pytest.fixture(autouse=True, scope="session")
def _every_answer_keeps_the_contract() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "request", judged(checked(Client.request)))
        yield


@pytest.fixture
def roles_of_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each request of a test client the rights of a web process, and each job those of a worker."""
    monkeypatch.setattr(ClientHandler, "__call__", as_role("web", ClientHandler.__call__))
    monkeypatch.setattr(Task, "__call__", as_role("worker", Task.__call__))


@pytest.fixture(autouse=True, scope="session")
def _templates_are_rendered_as_in_the_service(django_test_environment: None) -> Iterator[None]:
    """Leave out what Django adds for tests: a copy of the context of each part of a page, for none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", RENDER)
        yield


@pytest.fixture(autouse=True, scope="session")
def _static_files_are_found_once() -> Iterator[None]:
    """Give each test client, which builds the middleware again, the files that the first one has found."""
    find_files, found = WhiteNoiseMiddleware.add_files_from_finders, dict[str, dict[str, Any]]()

    def find_files_once(middleware: WhiteNoiseMiddleware) -> None:
        if middleware.static_prefix not in found:
            find_files(middleware)
            found[middleware.static_prefix] = dict(middleware.files)
        middleware.files.update(found[middleware.static_prefix])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", find_files_once)
        yield


@pytest.fixture(autouse=True, scope="session")
def _pages_may_be_asked_often() -> Iterator[None]:
    """Allow many pages in one minute, for tests with a stopped clock; tests of the limit set their own."""
    with override_settings(PAGES_RATE="100000/m", READING_RATE="10000000/m"):
        yield


@pytest.fixture(autouse=True)
def _empty_caches() -> None:
    """Make sure that no test uses what another one has cached of a ledger, of pages or of the watch.

    Each test begins a ledger, so no one knows a later release than it publishes. Editors changed no guide.
    """
    policy_history.forget()
    cached_values.forget()
    guides_in_force.pin_files()
    corpus._known = None
    django_settings.RELEASE_HEAD_FILE.unlink(missing_ok=True)


@pytest.fixture
def starter_release(monkeypatch: pytest.MonkeyPatch, _empty_caches: None) -> Published:
    """The starter corpus, published in memory as the first release: this process answers from it.

    Nothing is watched, and no questions were counted.
    """
    release = starter.starter_release()
    monkeypatch.setattr("rules.corpus._current", release)
    policy_history.starts_with(release)
    watch.pin_nothing_watched()
    airport_facts.pin(starter.starter_airport_facts())
    asked.pin(None)
    return release


@pytest.fixture
def fresh_process(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Iterator[None]:
    """A process that has no release and follows none, unless the test sets `CORPUS_POLL_SECONDS`."""
    settings.CORPUS_POLL_SECONDS = 0
    corpus.stop_following()
    for name in ("_current", "_cached", "_refused", "_read", "_away"):
        monkeypatch.setattr(corpus, name, None)
    yield
    corpus.stop_following()


@pytest.fixture(scope="module")
def starter_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """The starter corpus as rows, loaded once for a module, whose tests roll back their changes.

    Returns the output of `manage.py seed`. The tests also use `db`. No transaction may commit meanwhile, so
    no test of such a module uses `committing_db`.
    """
    output = StringIO()
    with django_db_blocker.unblock(), transaction.atomic():
        call_command("seed", stdout=output)
        # Deferred checks run here, not again after each test.
        connection.check_constraints()
        yield output.getvalue()
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def world_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The test world as rows, built once for a module whose tests all use it: like `starter_rows`."""
    with django_db_blocker.unblock(), transaction.atomic():
        build_world(by=a_user())
        connection.check_constraints()
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def published_rows(world_rows: None, django_db_blocker: DjangoDbBlocker) -> None:
    """The test world as rows, published once for a module whose tests all begin with a release."""
    with django_db_blocker.unblock():
        publish_release(by=a_user("publisher"), note="First.", now=timezone.now(), cases=())
        connection.check_constraints()


@pytest.fixture
def committing_db(transactional_db: None) -> Iterator[None]:
    """A database in which other connections and processes see what a test does; emptied at the end."""
    yield
    # pytest-django cleans up by TRUNCATE, which the ledger and the log refuse without a setting of the
    # session.
    with connection.cursor() as cursor:
        cursor.execute(
            "SET rules.ledger_may_be_emptied = 'yes'; SET catalog.audit_log_may_be_emptied = 'yes'"
        )


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    """A Redis that a test may stop."""
    server = Redis(tmp_path)
    server.start()
    yield server
    server.stop()
