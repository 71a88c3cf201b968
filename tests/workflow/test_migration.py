"""A database with approved and published rows becomes one with revisions: no row and no answer changes."""

import datetime
from collections.abc import Iterator
from operator import attrgetter
from typing import Any

import pytest
from django.apps.registry import Apps
from django.contrib.auth.models import User
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from msgspec import to_builtins
from msgspec.structs import asdict, replace

from catalog.actions import (
    record_airlines,
    record_countries,
    record_devices,
    record_jurisdictions,
)
from catalog.history import history
from catalog.models import Device
from catalog.selectors import audit_log
from recalls.actions import approve_recalls, revise_recalls, submit_recalls
from recalls.models import DECIDING, Recall
from rules.actions.impact import measure_publishing, work_off
from rules.actions.releases import NothingToPublish, publish_release
from rules.actions.rules import approve_rules, submit_rules
from rules.comparison import ID_FIELD
from rules.drafting import compile_content
from rules.engine import facts
from rules.engine.document import Content, ReleaseDocument
from rules.ledger import canonical_text, digest, verify_ledger
from rules.models import Release, Rule
from tests.second_looks import look_again
from tests.starter import starter_content

BEFORE = [("catalog", "0002_changed"), ("recalls", "0001_initial"), ("rules", "0003_accepted_findings")]
NOON = datetime.datetime(2026, 11, 20, 12, 0, tzinfo=datetime.UTC)
HOUR = datetime.timedelta(hours=1)


@pytest.fixture
def new_database(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """A database of its own, and empty, behind the connection that everybody uses."""
    name = connection.settings_dict["NAME"]
    with django_db_blocker.unblock():
        with connection.cursor() as cursor:
            cursor.execute("CREATE DATABASE before_revisions TEMPLATE template0")
        connection.close()
        connection.settings_dict["NAME"] = "before_revisions"
        try:
            yield
        finally:
            connection.close()
            connection.settings_dict["NAME"] = name
            with connection.cursor() as cursor:
                cursor.execute("DROP DATABASE before_revisions")
            connection.close()


def migrate(targets: list[tuple[str, str]]) -> Apps:
    executor = MigrationExecutor(connection)
    executor.migrate(targets)
    return executor.loader.project_state(targets).apps


def test_rows_and_releases_stay_as_they_are_in_the_tables_of_a_new_database(new_database: None) -> None:
    content = starter_content()
    with_everybody = [*BEFORE, *((app, name) for app, name in _leaves() if app in ("auth", "contenttypes"))]
    write_down(content, migrate(with_everybody))
    never_published = [_of_airlines(content)[5].rule_id, content.recalls[2].recall_id]
    held = replace(
        content,
        rules=tuple(rule for rule in content.rules if rule.rule_id not in never_published),
        recalls=tuple(recall for recall in content.recalls if recall.recall_id not in never_published),
    )

    migrate(_leaves())
    _tables_are_as_the_models_say()

    ended = content.recalls[4].recall_id
    expected = replace(
        content, recalls=tuple(recall for recall in content.recalls if recall.recall_id != ended)
    )
    assert compile_content() == _ordered(expected)
    assert verify_ledger() == []
    release = Release.objects.get()
    assert release.document == _document(held)

    # What the release holds is published, the rest of what was agreed is not yet, drafts are drafts.
    agreed = {*Rule.objects.filter(state="published").values_list("rule_id", flat=True)}
    assert agreed == {rule.rule_id for rule in held.rules}
    assert list(Rule.objects.filter(state="approved").values_list("rule_id", flat=True)) == [
        never_published[0]
    ]
    assert list(Rule.objects.filter(state="draft").values_list("rule_id", flat=True)) == ["xx.draft"]
    assert list(Recall.objects.filter(state="withdrawn").values_list("recall_id", flat=True)) == [ended]
    published = Rule.objects.filter(state="published")[0]
    assert (published.published_at, published.published_by.username) == (NOON, "publisher")
    assert set(Rule.objects.values_list("revision", "withdraws")) == {(1, False)}

    # The log tells how it came about, and the history begins with the rows as they were.
    assert [(entry.verb, entry.done_by.username, entry.reason) for entry in audit_log("recall", ended)] == [
        ("draft", "author", ""),
        ("submit", "author", ""),
        ("approve", "approver", ""),
        ("publish", "publisher", ""),
        ("end", "author", "closed: its authority has ended it"),
    ]
    assert [change.what for change in history(Device, content.devices[0].model_id)] == ["insert"]

    # The desk goes on from there.
    author, approver = (User.objects.get(username=name) for name in ("author", "approver"))
    submit_rules(by=author, rule_ids=["xx.draft"])
    approve_rules(by=approver, rule_ids=["xx.draft"])
    # What was closed before anybody looked twice goes out with two approvals, as everything else does.
    revise_recalls(by=author, recall_ids=[ended], reason="To withdraw it with two approvals.")
    submit_recalls(by=author, recall_ids=[ended])
    approve_recalls(by=approver, recall_ids=[ended])
    look_again()
    work_off(measure_publishing(by=approver, now=NOON + HOUR))
    publish_release(by=approver, note="The next.", now=NOON + HOUR, cases=())
    assert set(Rule.objects.values_list("state", flat=True)) == {"published"}
    with pytest.raises(NothingToPublish):
        publish_release(by=approver, note="Again.", now=NOON + HOUR, cases=())


def _of_airlines(content: Content) -> list[facts.Rule]:
    return [rule for rule in content.rules if rule.airline is not None]


def _tables_are_as_the_models_say() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns "
            "WHERE table_name IN "
            "('rules_rule', 'rules_ruleevidence', 'recalls_recall', 'recalls_recallevidence')"
        )
        columns = {(table, column): (kind, null) for table, column, kind, null in cursor.fetchall()}
        for model in (Rule, Recall):
            for table_model in (model, model._meta.get_field("evidence").related_model):
                for field in table_model._meta.local_concrete_fields:
                    null = columns.pop((table_model._meta.db_table, field.column))[1]
                    assert (null == "YES") == field.null
            (key,) = connection.introspection.get_primary_key_columns(cursor, model._meta.db_table) or []
            assert key == "id"
            evidence = model._meta.get_field("evidence").related_model._meta.db_table
            links = connection.introspection.get_relations(cursor, evidence)
            assert links[f"{model._meta.model_name}_id"] == ("id", model._meta.db_table)
    assert columns == {}


def _leaves() -> list[tuple[str, str]]:
    return MigrationExecutor(connection).loader.graph.leaf_nodes()


def _ordered(content: Content) -> Content:
    return Content(
        **{kind: tuple(sorted(getattr(content, kind), key=attrgetter(key))) for kind, key in ID_FIELD.items()}
    )


def _document(content: Content) -> str:
    return canonical_text(
        ReleaseDocument(ruleset_version="2026-11-20", predecessor=None, content=_ordered(content))
    )


def write_down(content: Content, old: Apps) -> None:
    """Fill the tables as they were with the starter corpus, all of it approved and most of it published.

    One rule and one recall were approved after the release, one recall was closed after it, and there is a
    draft.
    """
    author, approver, publisher = (
        User.objects.create(username=name) for name in ("author", "approver", "publisher")
    )
    record_countries(by=author, countries=content.countries)
    record_jurisdictions(by=author, jurisdictions=content.jurisdictions)
    _insert_sources(old.get_model("catalog", "Source"), content.sources, author)
    record_airlines(by=author, airlines=content.airlines)
    record_devices(by=author, devices=content.devices)
    created = {"created_at": NOON - 3 * HOUR, "created_by_id": author.pk}
    approved = {"state": "approved", "approved_at": NOON - HOUR, "approved_by_id": approver.pk}

    rules: Any = old.get_model("rules", "Rule")
    evidence: Any = old.get_model("rules", "RuleEvidence")
    for rule in content.rules:
        _insert_rule(rules, rule, **created, **approved)
    _insert_rule(rules, replace(_of_airlines(content)[0], rule_id="xx.draft"), **created)
    evidence.objects.bulk_create(
        evidence(rule_id=rule.rule_id, source_id=source, position=position)
        for rule in [*content.rules, replace(_of_airlines(content)[0], rule_id="xx.draft")]
        for position, source in enumerate(rule.sources)
    )
    recalls: Any = old.get_model("recalls", "Recall")
    evidence = old.get_model("recalls", "RecallEvidence")
    for recall in content.recalls:
        _insert_recall(recalls, recall, **created, **approved)
    evidence.objects.bulk_create(
        evidence(recall_id=recall.recall_id, source_id=source, position=position)
        for recall in content.recalls
        for position, source in enumerate(recall.sources)
    )
    recalls.objects.filter(pk=content.recalls[4].recall_id).update(
        status="closed", closed_at=NOON + HOUR, closed_by_id=author.pk
    )

    held = replace(
        content,
        rules=tuple(rule for rule in content.rules if rule != _of_airlines(content)[5]),
        recalls=(*content.recalls[:2], *content.recalls[3:]),
    )
    text = _document(held)
    old.get_model("rules", "Release").objects.create(
        ruleset_version="2026-11-20",
        sequence=1,
        document=text,
        sha256=digest(text),
        content_sha256=digest(canonical_text(_ordered(held))),
        note="The first.",
        published_at=NOON,
        published_by_id=publisher.pk,
    )


def _insert_sources(model: Any, sources: tuple[facts.Source, ...], author: User) -> None:
    # Sources of that time had no cadence.
    columns = [{name: value for name, value in asdict(row).items() if name != "cadence"} for row in sources]
    model.objects.bulk_create(
        model(**row, created_at=NOON - 3 * HOUR, created_by_id=author.pk) for row in columns
    )


def _insert_rule(model: Any, rule: Any, **marks: Any) -> None:
    columns = asdict(rule)
    for nested in ("when", "params"):
        columns |= asdict(columns.pop(nested))
    columns["airline_id"] = columns.pop("airline")
    # Rules of that time had no quotes, and their sources stand in a table of their own.
    del columns["sources"], columns["quotes"]
    lists = {name: list(value) for name, value in columns.items() if isinstance(value, tuple)}
    model.objects.create(**(columns | lists), **marks)


def _insert_recall(model: Any, recall: Any, **marks: Any) -> None:
    columns = asdict(recall)
    affected = columns.pop("affected_serials")
    fields = {name: getattr(affected, name) for name in DECIDING}

    details = {name: value for name, value in to_builtins(affected).items() if name not in DECIDING}
    columns["device_id"] = columns.pop("model_id")
    del columns["sources"]
    model.objects.create(**columns, **fields, details=details, **marks)
