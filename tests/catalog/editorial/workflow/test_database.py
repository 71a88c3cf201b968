"""What the database itself refuses: no path leads around the review, neither `update` nor raw SQL."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from catalog.editorial.workflow import MOVES, State
from catalog.models import AuditEntry
from compliance.services.embedded import REPOSITORY
from recalls.models import RecallEvidence
from rules.models import Rule, RuleEvidence
from tests.support.factories import a_user
from tests.support.releasing import NOON, unguarded
from tests.support.revision_kinds import Kind, both_kinds

STATES = [state.value for state in State]
ALLOWED = {(old.value, new.value) for ways in MOVES.values() for old, new in ways.items()}
FROZEN = [state for state in STATES if state != "draft"]


pytestmark = pytest.mark.usefixtures("world_rows")


def marks(state: str, *, editor: User, reviewer: User) -> dict[str, Any]:
    """Return what the constraints ask of a row in a state."""
    now = timezone.now()
    submitted = state != "draft"
    approved = submitted and state != "in_review"
    return {
        "state": state,
        "submitted_at": now if submitted else None,
        "submitted_by": editor if submitted else None,
        "approved_at": now if approved else None,
        "approved_by": reviewer if approved else None,
        "published_at": NOON if state == "published" else None,
        "published_by": reviewer if state == "published" else None,
    }


def put(kind: Kind, name: str, state: str, *, editor: User, reviewer: User) -> Any:
    """Put a record's only revision in a state behind everybody's back, and return a query for it."""
    query = kind.model._default_manager.filter(**{kind.model.id_field: name})
    with unguarded():
        query.update(**marks(state, editor=editor, reviewer=reviewer))
    return query


def refused(write: Callable[[], Any]) -> str | None:
    """Return the sentence with which the database refuses a write, None where it goes through."""
    try:
        with transaction.atomic():
            write()
    except IntegrityError as error:
        return str(error).partition("\n")[0]
    return None


@both_kinds
@pytest.mark.parametrize("new", STATES)
@pytest.mark.parametrize("old", STATES)
def test_a_state_changes_only_as_the_table_says(
    kind: Kind, name: str, old: str, new: str, editor: User, reviewer: User
) -> None:
    row = put(kind, name, old, editor=editor, reviewer=reviewer)
    if old != new:
        written = refused(lambda: row.update(**marks(new, editor=editor, reviewer=reviewer)))
        assert written == (None if (old, new) in ALLOWED else "no verb leads from this state to that one")


@both_kinds
@pytest.mark.parametrize("state", FROZEN)
def test_the_content_stays_from_review_on(
    kind: Kind, name: str, state: str, editor: User, reviewer: User
) -> None:
    row = put(kind, name, state, editor=editor, reviewer=reviewer)
    content = {
        kind.text: "Another text.",
        "authority": "Somebody else",
        "jurisdiction": "XB",
        "revision": 7,
        "authors": [editor.pk, a_user("third").pk],
        "created_at": NOON,
        kind.model.id_field: "another.one" if kind.name == "rule" else "another-one",
    }
    for column, value in content.items():
        said = refused(partial(row.update, **{column: value}))
        assert said == "a revision changes only while it is a draft; open the next one", column
    table, key = kind.model._meta.db_table, kind.model.id_field

    def raw() -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"UPDATE {table} SET {kind.text} = 'Another.' WHERE {key} = %s", [name])

    assert refused(raw) is not None


@both_kinds
def test_the_content_cannot_change_on_the_way_to_another_state(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    for old, new in [("draft", "in_review"), ("in_review", "draft"), ("in_review", "approved")]:
        row = put(kind, name, old, editor=editor, reviewer=reviewer)
        change = marks(new, editor=editor, reviewer=reviewer) | {kind.text: "Another text."}
        assert refused(partial(row.update, **change)) is not None


@both_kinds
def test_who_approved_stays_who_approved(kind: Kind, name: str, editor: User, reviewer: User) -> None:
    row = kind.model._default_manager.filter(**{kind.model.id_field: name})
    sentence = "who submitted, approved and published a revision stays as it was"
    assert refused(lambda: row.update(approved_by=a_user("third"))) == sentence
    assert refused(lambda: row.update(submitted_at=timezone.now())) == sentence


@both_kinds
@pytest.mark.parametrize("state", STATES)
def test_only_a_draft_can_be_thrown_away(
    kind: Kind, name: str, state: str, editor: User, reviewer: User
) -> None:
    row = put(kind, name, state, editor=editor, reviewer=reviewer)
    evidence = RuleEvidence if kind.name == "rule" else RecallEvidence
    with unguarded():
        evidence.objects.filter(**{f"{kind.name}__in": row}).delete()
    expected = None if state == "draft" else "only a draft can be thrown away"
    assert refused(lambda: row._raw_delete("default")) == expected


@both_kinds
@pytest.mark.parametrize("state", FROZEN)
def test_nothing_begins_anywhere_but_as_a_draft(
    kind: Kind, name: str, state: str, editor: User, reviewer: User
) -> None:
    row = kind.newest(name)
    row.pk, row.revision = None, 2
    for mark, value in marks(state, editor=editor, reviewer=reviewer).items():
        setattr(row, mark, value)
    said = refused(lambda: kind.model._default_manager.bulk_create([row]))
    assert said == "a revision begins as a draft"


@both_kinds
@pytest.mark.parametrize("state", FROZEN)
def test_the_evidence_stays_with_what_it_supports(
    kind: Kind, name: str, state: str, editor: User, reviewer: User
) -> None:
    row = put(kind, name, state, editor=editor, reviewer=reviewer).get()
    sentence = "the evidence of a revision changes only while it is a draft"
    link = type(row.evidence.all()[0])
    more = link(**{kind.name: row}, source_id="xb-page", position=7)
    assert refused(lambda: row.evidence.all().delete()) == sentence
    assert refused(lambda: row.evidence.update(source="xb-page")) == sentence
    assert refused(lambda: link.objects.bulk_create([more])) == sentence


def test_evidence_cannot_move_to_another_rule(editor: User, reviewer: User) -> None:
    Rule.objects.filter(rule_id="n1.two-units")
    with unguarded():
        Rule.objects.filter(rule_id="s2.one-unit").update(**marks("draft", editor=editor, reviewer=reviewer))
    draft, approved = Rule.objects.get(rule_id="s2.one-unit"), Rule.objects.get(rule_id="n1.two-units")
    assert refused(lambda: draft.evidence.update(rule=approved)) is not None
    assert refused(lambda: draft.evidence.update(position=1)) is None


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: AuditEntry.objects.update(reason="Another."),
        lambda: AuditEntry.objects.all().delete(),
        lambda: AuditEntry.objects.all()[0].delete(),
        lambda: _execute("UPDATE catalog_auditentry SET reason = reason"),
        lambda: _execute("DELETE FROM catalog_auditentry"),
        lambda: _execute("TRUNCATE catalog_auditentry"),
        lambda: _execute("TRUNCATE auth_user CASCADE"),
    ],
)
def test_the_log_is_written_once(editor: User, attempt: Callable[[], Any]) -> None:
    count = AuditEntry.objects.count()
    said = refused(attempt)
    assert said is not None
    assert "neither changes nor goes away" in said
    assert AuditEntry.objects.count() == count > 0


def _execute(sql: str) -> None:
    with connection.cursor() as cursor:
        # PostgreSQL truncates no table whose foreign keys are still to be checked.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET LOCAL catalog.audit_log_may_be_emptied = 'no'")
        cursor.execute("SET LOCAL rules.ledger_may_be_emptied = 'no'")
        cursor.execute(sql)


def test_a_session_that_says_so_may_empty_a_throw_away_log(editor: User) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET LOCAL catalog.audit_log_may_be_emptied = 'yes'")
        cursor.execute("TRUNCATE catalog_auditentry")
    assert not AuditEntry.objects.exists()


def test_nothing_in_the_service_asks_the_database_to_look_away() -> None:
    repository = REPOSITORY
    doors = ("pgtrigger.ignore", "session_replication_role", "DISABLE TRIGGER")
    for app in ("aeo", "catalog", "compliance", "recalls", "rules"):
        for module in (repository / app).rglob("*.py"):
            assert not any(door in module.read_text() for door in doors), module
