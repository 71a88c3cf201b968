"""A published release neither changes nor goes away, whichever way somebody tries."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection, models, transaction
from django.db.models import ProtectedError, QuerySet

from rules.models import Release
from rules.releases.models import PublishedReleaseCannotChange
from tests.support.releasing import NOON, Desk


def _save(release: Release) -> None:
    release.note = "Another note."
    release.save()


def _bulk_update(release: Release) -> None:
    release.note = "Another note."
    Release.objects.bulk_update([release], ["note"])


@pytest.mark.parametrize(
    "attempt",
    [
        _save,
        _bulk_update,
        lambda release: release.save(update_fields=["note"]),
        lambda release: release.delete(),
        lambda release: Release.objects.update(note="Another note."),
        lambda release: Release.objects.filter(pk=release.pk).update(note="Another note."),
        lambda release: Release.objects.filter(pk=release.pk).delete(),
        lambda release: Release.objects.update_or_create(pk=release.pk, defaults={"note": "Another note."}),
    ],
)
def test_models_and_querysets_refuse_by_name(desk: Desk, attempt: Callable[[Release], Any]) -> None:
    release = desk.publish_news()

    with pytest.raises(PublishedReleaseCannotChange, match="publish another one instead"):
        attempt(release)

    assert Release.objects.get().note == "News."


def _execute(sql: str) -> Callable[[Release], None]:
    def attempt(release: Release) -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql)

    return attempt


def _empty(sql: str, *, said_so: str = "no") -> Callable[[Release], None]:
    # PostgreSQL truncates no table whose foreign keys are still to be checked.
    return _execute(
        f"SET CONSTRAINTS ALL IMMEDIATE; SET LOCAL rules.ledger_may_be_emptied = '{said_so}'; {sql}"
    )


def _overwrite(release: Release) -> None:
    release.note = "Another note."
    Release.objects.bulk_create(
        [release], update_conflicts=True, update_fields=["note"], unique_fields=["ruleset_version"]
    )


@pytest.mark.parametrize(
    "attempt",
    [
        _execute("UPDATE rules_release SET note = 'Another note.'"),
        _execute("UPDATE rules_release SET document = document"),
        _execute("DELETE FROM rules_release"),
        _execute(
            "INSERT INTO rules_release SELECT * FROM rules_release "
            "ON CONFLICT (sha256) DO UPDATE SET note = 'Another note.'"
        ),
        _empty("TRUNCATE rules_release CASCADE"),
        _empty("TRUNCATE auth_user CASCADE"),
        _overwrite,
        lambda release: models.Model.save(release, update_fields=["note"]),
        lambda release: QuerySet(Release).filter(pk=release.pk).update(note="Another note."),
        lambda release: QuerySet(Release).filter(pk=release.pk).delete(),
        lambda release: QuerySet(Release).filter(pk=release.pk)._raw_delete("default"),
    ],
)
def test_the_database_refuses_every_other_way(desk: Desk, attempt: Callable[[Release], Any]) -> None:
    release = desk.publish_news()

    with pytest.raises(IntegrityError, match="neither changes nor goes away"), transaction.atomic():
        attempt(release)

    assert Release.objects.get().note == "News."


def test_a_session_that_says_so_may_empty_a_throw_away_database(desk: Desk) -> None:
    release = desk.publish_news()

    _empty("TRUNCATE rules_release CASCADE", said_so="yes")(release)

    assert not Release.objects.exists()


def test_who_published_cannot_be_deleted(desk: Desk) -> None:
    desk.publish_news()

    with pytest.raises(ProtectedError):
        desk.editor.delete()


def _row(**columns: Any) -> dict[str, Any]:
    return {
        "ruleset_version": "2026-11-20.2",
        "sequence": 2,
        "document": "{}",
        "sha256": "a" * 64,
        "content_sha256": "b" * 64,
        "note": "News.",
        "published_at": NOON,
        **columns,
    }


@pytest.mark.parametrize(
    ("columns", "constraint"),
    [
        ({"predecessor": None}, "release_first_has_no_predecessor"),
        ({"sequence": 1}, "release_first_has_no_predecessor"),
        ({"sequence": 1, "predecessor": None}, "sequence"),
        ({"ruleset_version": "2026-11-20"}, "ruleset_version"),
        ({"ruleset_version": "2026-11-20.1"}, "release_version_is_a_date"),
        ({"ruleset_version": "next"}, "release_version_is_a_date"),
        ({"sha256": "A" * 64}, "release_sha256_is_a_digest"),
        ({"content_sha256": "b" * 63}, "release_content_sha256_is_a_digest"),
        ({"note": " "}, "release_note_is_written"),
        ({"published_by": None}, "published_by"),
        ({"published_at": None}, "published_at"),
    ],
)
def test_the_database_refuses_a_release_that_does_not_fit(
    desk: Desk, columns: dict[str, Any], constraint: str
) -> None:
    first = desk.publish_news()

    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        Release.objects.create(**_row(**{"predecessor": first, "published_by": desk.editor, **columns}))


def test_the_chain_cannot_fork(desk: Desk) -> None:
    first = desk.publish_news()
    desk.publish_news()

    with pytest.raises(IntegrityError, match="predecessor"), transaction.atomic():
        Release.objects.create(
            **_row(ruleset_version="2026-11-20.3", sequence=3, predecessor=first, published_by=desk.editor)
        )
