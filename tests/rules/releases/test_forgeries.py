"""Whoever can write rows of the database publishes nothing: every forgery is refused, and found by the check.

The first forger may only add rows. The others own the tables, and switch triggers and constraints off.
"""

import datetime
import hashlib
import json
from typing import Any

import pytest
import rfc8785
from django.contrib.auth.models import User
from django.db import connection
from pytest_django import Settings

from catalog.models import AuditEntry
from catalog.signing_keys import new_seed
from rules import corpus
from rules.corpus import Why
from rules.models import Release, ReleaseSignature, Rule
from rules.publishing.actions.adopting import adopt
from rules.publishing.actions.releases import publish_release
from rules.publishing.actions.rolling_back import roll_back_release
from rules.publishing.refusals import KeyMissing, NotTrusted
from rules.publishing.verifying import verify_all
from rules.releases import head, selectors, signing
from rules.releases.actions import store
from rules.releases.head import Head
from tests.support.releasing import DAY, NOON, Desk, alter, unguarded

pytestmark = pytest.mark.usefixtures("fresh_process")


@pytest.fixture
def published(editor: User, reviewer: User) -> Release:
    """The test world as a release, from which this process answers."""
    release = publish_release(by=reviewer, note="The first.", now=NOON, cases=())
    assert corpus.refresh().sha256 == release.sha256
    assert findings() == []
    return release


def findings() -> list[str]:
    return [f"{problem.where}: {problem.reason}" for problem in verify_all()]


def refused(why: Why, *, sha256: str | None = None) -> None:
    """Expect that this process keeps its release, and that a new process has none to answer from."""
    kept = corpus.current()
    assert corpus.refresh() is kept
    status = corpus.status()
    assert (status.refused_because, status.release) == (why, kept)
    assert sha256 is None or status.refused == sha256
    corpus._current = corpus._cached = corpus._refused = None
    with pytest.raises(corpus.ReleaseUnusable):
        corpus.current()


def forged(before: Release, **columns: Any) -> Release:
    """Return the newest document without one of its rules, all digests right, not stored."""
    document = json.loads(before.document)
    content = document["content"]
    dropped = content["rules"].pop()
    version = f"{before.ruleset_version}.2"
    text = rfc8785.dumps(document | {"ruleset_version": version, "predecessor": before.sha256}).decode()
    assert dropped["rule_id"] not in text
    fields = {
        "ruleset_version": version,
        "sequence": before.sequence + 1,
        "document": text,
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "content_sha256": hashlib.sha256(rfc8785.dumps(content)).hexdigest(),
        "predecessor": before,
        "note": "One rule less.",
        "published_at": NOON,
        "published_by": before.published_by,
    }
    return Release(**fields | columns)


def test_a_forged_release_is_refused_and_named(published: Release) -> None:
    forgery = forged(published)
    forgery.save()

    assert findings()[0] == "release 2026-11-20.2: it is not signed"
    assert [one.ruleset_version for one in selectors.after(0)] == ["2026-11-20"]
    refused("not_signed", sha256=forgery.sha256)


def test_nothing_is_published_on_top_of_a_forged_release(published: Release, reviewer: User) -> None:
    forged(published).save()

    with pytest.raises(NotTrusted, match="it is not signed"):
        publish_release(by=reviewer, note="The next.", now=NOON + DAY, cases=())
    with pytest.raises(NotTrusted, match="it is not signed"):
        roll_back_release(by=reviewer, to="2026-11-20", reason="Back.", now=NOON + DAY, cases=())


def test_a_statement_of_another_release_is_none_about_the_forged_one(published: Release) -> None:
    forgery = forged(published)
    forgery.save()
    store(forgery, signing.signatures_of(published)[0])

    assert "release 2026-11-20.2: its sequence is not the signed one" in findings()
    refused("not_signed", sha256=forgery.sha256)


def test_a_key_of_the_forger_is_no_key(published: Release, settings: Settings) -> None:
    forgery = forged(published)
    forgery.save()
    own, before = settings.RELEASE_KEY, signing.signatures_of(published)[0].statement
    settings.RELEASE_KEY = new_seed()
    text = signing.statement(forgery, before=before, log={"up_to": 0, "ids": [], "sha256": ""}, publisher="x")
    foreign = signing.sign(text)
    settings.RELEASE_KEY = own
    store(forgery, foreign)
    # And once more, under the name of the known key.
    store(forgery, foreign._replace(kid=signing.signatures_of(published)[0].kid))

    assert "release 2026-11-20.2: no known key has signed it" in findings()
    refused("not_signed", sha256=forgery.sha256)


def test_a_replaced_signature_of_a_true_release_ends_its_use(published: Release) -> None:
    with unguarded():
        ReleaseSignature.objects.update(signature=signing.sign("another text").signature)

    assert findings() == ["release 2026-11-20: no known key has signed it"]
    corpus._current = corpus._cached = None
    with pytest.raises(corpus.ReleaseNotSigned, match="no known key"):
        corpus.current()


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"note": "Another note."}, "its note is not the signed one"),
        ({"published_at": NOON - datetime.timedelta(seconds=1)}, "its published at is not the signed one"),
        ({"published_by_id": "other"}, "its published by is not the signed one"),
    ],
)
def test_an_altered_note_time_or_publisher_is_found(
    published: Release, editor: User, columns: dict[str, Any], reason: str
) -> None:
    alter(published, **{name: editor.pk if value == "other" else value for name, value in columns.items()})

    assert findings() == [f"release 2026-11-20: {reason}"]
    corpus._current = corpus._cached = None
    with pytest.raises(corpus.ReleaseNotSigned, match=reason):
        corpus.current()


def test_an_older_signed_release_under_a_later_place_is_refused(desk: Desk) -> None:
    _, second, third = (desk.publish_news() for _ in range(3))
    corpus.refresh()
    remove(third)
    alter(second, sequence=4)

    assert "release 2026-11-20.2: its sequence is not the signed one" in findings()
    refused("not_signed", sha256=second.sha256)


def remove(release: Release) -> None:
    with unguarded(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM rules_releasesignature WHERE release_id = %s", [release.pk])
        cursor.execute("DELETE FROM rules_release WHERE id = %s", [release.pk])


def test_a_removed_end_is_noticed_by_processes_that_knew_it(desk: Desk) -> None:
    desk.publish_news()
    second = desk.publish_news()
    kept = corpus.refresh()

    remove(second)

    assert corpus.refresh() is kept
    assert corpus.status().refused_because == "removed"


def test_a_removed_end_is_noticed_by_new_processes_the_check_and_publishers(desk: Desk) -> None:
    desk.publish_news()
    second = desk.publish_news()
    head.note_published(Head(second.sequence, second.sha256))

    remove(second)

    assert f"ledger: lacks release {second.sha256}, which was published at place 2" in findings()
    with pytest.raises(corpus.LedgerBehind):
        corpus.current()
    with pytest.raises(NotTrusted, match="is missing"):
        desk.publish_news()


def test_the_last_release_is_noted_when_it_is_in_the_ledger_for_good(committing_desk: Desk) -> None:
    release = committing_desk.publish_news()
    assert head.noted() == Head(1, release.sha256)

    later = committing_desk.publish_news()
    assert head.noted() == Head(2, later.sha256)
    # A publisher that is late with its note.
    head.note_published(Head(1, release.sha256))
    assert head.noted() == Head(2, later.sha256)


def test_a_note_that_cannot_be_read_is_no_reason_to_believe_the_ledger(
    desk: Desk, settings: Settings
) -> None:
    desk.publish_news()
    settings.RELEASE_HEAD_FILE.write_text("{")

    with pytest.raises(corpus.LedgerBehind, match="cannot be read"):
        corpus.current()
    with pytest.raises(NotTrusted, match="cannot be read"):
        desk.publish_news()


def test_an_altered_published_row_is_named(published: Release) -> None:
    with unguarded():
        Rule.objects.filter(rule_id="n1.two-units").update(max_units=9)
        gone = Rule.objects.exclude(rule_id="n1.two-units").first()
        assert gone is not None
        Rule.objects.filter(pk=gone.pk)._raw_delete("default")

    assert sorted(findings()) == sorted(
        [
            f"rule {gone.rule_id}: is in the current release, but is not published in its table",
            "rule n1.two-units: differs in its table from what was published",
        ]
    )


def test_an_emptied_audit_log_is_named(published: Release, reviewer: User) -> None:
    entries = AuditEntry.objects.count()
    with unguarded(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM catalog_auditentry")

    (found,) = findings()
    assert found.startswith("release 2026-11-20: ")
    assert "entries of the audit log are missing" in found
    # What publishing itself changed is in the piece of the next release.
    assert 0 < int(found.split()[2]) < entries


def test_a_changed_entry_of_the_audit_log_is_named(published: Release) -> None:
    first = AuditEntry.objects.order_by("pk").first()
    assert first is not None
    with unguarded(), connection.cursor() as cursor:
        cursor.execute("UPDATE catalog_auditentry SET reason = 'Another one.' WHERE id = %s", [first.pk])

    assert findings() == ["release 2026-11-20: entries of the audit log were changed since it was published"]


def test_entries_after_the_last_release_and_ids_that_were_rolled_back_are_no_problem(desk: Desk) -> None:
    desk.publish_news()
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval(pg_get_serial_sequence('catalog_auditentry', 'id'))")
    desk.publish_news()
    desk.record("ZZ")

    assert findings() == []


def test_a_process_without_the_key_publishes_nothing(desk: Desk, settings: Settings) -> None:
    settings.RELEASE_KEY = ""

    with pytest.raises(KeyMissing):
        desk.publish_news()
    assert not Release.objects.exists()


def test_a_new_key_signs_on_and_the_old_one_stays_known(desk: Desk, settings: Settings) -> None:
    desk.publish_news()
    settings.RELEASE_KEY = new_seed()
    second = desk.publish_news()

    assert findings() == []
    assert corpus.refresh().sha256 == second.sha256
    # Then the old key need not be known any more.
    assert adopt() == 1
    settings.RELEASE_PUBLIC_KEYS = ()
    assert findings() == []


def unsigned(desk: Desk) -> list[Release]:
    """Return two releases as an earlier version of the program published them."""
    releases = [desk.publish_news(), desk.publish_news()]
    with unguarded():
        ReleaseSignature.objects.all()._raw_delete("default")
    return releases


def test_a_ledger_without_signatures_is_adopted_once(desk: Desk) -> None:
    _, second = unsigned(desk)
    with pytest.raises(corpus.ReleaseNotSigned):
        corpus.current()

    assert adopt() == 2

    assert findings() == []
    assert corpus.current().sha256 == second.sha256
    assert head.noted() == Head(2, second.sha256)
    assert adopt() == 0


def test_a_ledger_with_some_signatures_is_never_adopted(desk: Desk) -> None:
    desk.publish_news()
    second = desk.publish_news()
    with unguarded():
        ReleaseSignature.objects.filter(release=second)._raw_delete("default")

    with pytest.raises(NotTrusted, match="it is not signed"):
        adopt()


def test_a_shortened_ledger_is_adopted_only_by_a_person_who_says_so(desk: Desk) -> None:
    first, second = desk.publish_news(), desk.publish_news()
    head.note_published(Head(second.sequence, second.sha256))
    remove(second)

    with pytest.raises(NotTrusted, match="lacks release"):
        adopt()
    assert adopt(older=True) == 0
    assert corpus.current().sha256 == first.sha256
