"""Releases for tests: countries as the editors' rows, published with the real action."""

import datetime
import itertools
import string
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, connections, transaction

from catalog.places.actions import record_countries
from catalog.records import Country
from rules.models import Release
from rules.publishing.actions.releases import publish_release
from rules.releases import log_pieces, signing
from rules.releases.actions import store

NOON = datetime.datetime(2026, 11, 20, 12, 0, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)


class Desk:
    """An editor who records countries, the smallest rows, and publishes them."""

    def __init__(self) -> None:
        self.editor = User.objects.create(username="editor")
        self._new_codes = ("".join(pair) for pair in itertools.product(string.ascii_uppercase, repeat=2))

    def record(self, *codes: str) -> None:
        """Record countries, each named after its code."""
        countries = [Country(code=code, name=f"Land of {code}") for code in codes]
        record_countries(by=self.editor, countries=countries)

    def publish(self, *, now: datetime.datetime = NOON, note: str = "News.", **options: Any) -> Release:
        """Publish the recorded rows; without verdict cases unless some are given."""
        return publish_release(by=self.editor, note=note, now=now, **{"cases": (), **options})

    def publish_news(self, *, now: datetime.datetime = NOON, note: str = "News.") -> Release:
        """Record one more country (`AA`, `AB` …) and publish."""
        self.record(next(self._new_codes))
        return self.publish(now=now, note=note)


@contextmanager
def unguarded() -> Iterator[None]:
    """Allow changes of the ledger, as a database administrator could make them: no trigger, no key."""
    with transaction.atomic(), connection.cursor() as cursor:
        # Deferred checks run now: at the end of the test they would fail.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield
        cursor.execute("SET LOCAL session_replication_role = origin")


def alter(release: Release, **columns: Any) -> None:
    """Change columns of a published release without the service."""
    changes = ", ".join(f"{column} = %s" for column in columns)
    with unguarded(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE rules_release SET {changes} WHERE id = %s", [*columns.values(), release.pk])


def sign_again(release: Release) -> None:
    """Sign a release as it is now, as the owner of the key could."""
    release.refresh_from_db()
    before = Release.objects.filter(sequence=release.sequence - 1).first()
    with unguarded():
        release.signatures.all()._raw_delete("default")
    text = signing.statement(
        release,
        before=None if before is None else signing.signatures_of(before)[0].statement,
        log=log_pieces.NOTHING,
        publisher=release.published_by.get_username(),
    )
    store(release, signing.sign(text))


def elsewhere(work: Callable[[], Any]) -> "Future[Any]":
    """Start some work in another thread, and so on another connection, which is closed after it."""

    def work_and_close() -> Any:
        try:
            return work()
        finally:
            connections.close_all()

    pool = ThreadPoolExecutor(max_workers=1)
    future = pool.submit(work_and_close)
    pool.shutdown(wait=False)
    return future
