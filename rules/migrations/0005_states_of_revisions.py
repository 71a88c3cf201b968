import json

from django.db import migrations


def tell_states(apps, schema_editor):
    """Find out which approved rows the releases hold, and log what is known of how every row came about.

    Until now nothing changed a row that was approved, so a release that names a record holds it as it is.
    """
    first = published_records(apps.get_model("rules", "Release"))
    entries = []
    for model, kind in (
        (apps.get_model("rules", "Rule"), "rule"),
        (apps.get_model("recalls", "Recall"), "recall"),
    ):
        rows = list(model.objects.order_by("pk"))
        for row in rows:
            record = (kind, getattr(row, f"{kind}_id"))
            entries += tell_state(row, kind, first.get(record))
        model.objects.bulk_update(rows, FIELDS, batch_size=1000)
    for release in apps.get_model("rules", "Release").objects.defer("document"):
        by, at = release.published_by_id, release.published_at
        entries.append(entry("publish", "release", release.ruleset_version, None, by, at, release.note))
    for finding in apps.get_model("rules", "AcceptedFinding").objects.all():
        by, at = finding.created_by_id, finding.created_at
        entries.append(entry("accept", "finding", finding.key, None, by, at, finding.reason))
    log = apps.get_model("catalog", "AuditEntry")
    log.objects.bulk_create([log(**one) for one in entries], batch_size=1000)
    # Foreign keys are checked now: a table with checks to come cannot be altered.
    schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


FIELDS = ["authors", "state", "submitted_at", "submitted_by_id", "published_at", "published_by_id"]


def published_records(releases):
    """Return who published each record first, when and in which release."""
    first = {}
    for release in releases.objects.order_by("sequence").iterator(chunk_size=8):
        content = json.loads(release.document)["content"]
        records = [("rule", rule["rule_id"]) for rule in content["rules"]]
        records += [("recall", recall["recall_id"]) for recall in content["recalls"]]
        for record in records:
            first.setdefault(record, (release.published_by_id, release.published_at, release.ruleset_version))
    return first


def tell_state(row, kind, publication):
    """Give a row its state and its marks, and return the entries of the log that lead to it."""
    row.authors = [row.created_by_id]
    story = [("draft", row.created_by_id, row.created_at)]
    if row.state == "approved":
        # There was no submitting: whoever wrote a row had it approved as it was.
        row.submitted_by_id, row.submitted_at = row.created_by_id, row.created_at
        story.append(("submit", row.created_by_id, row.created_at))
        story.append(("approve", row.approved_by_id, row.approved_at))
        closed_at = getattr(row, "closed_at", None)
        if publication is not None:
            row.state = "published"
            row.published_by_id, row.published_at, version = publication
            story.append(("publish", row.published_by_id, row.published_at, "", {"release": version}))
        if closed_at is not None:
            # One person could close a recall. What is closed, whether a release knows it yet or not, is withdrawn.
            row.state = "withdrawn"
            verb = "take_back" if publication is None else "end"
            story.append((verb, row.closed_by_id, closed_at, "closed: its authority has ended it"))
    return [entry(verb, kind, getattr(row, f"{kind}_id"), 1, *rest) for verb, *rest in story]


def entry(verb, kind, subject, revision, by, at, reason="", details=None):
    return {
        "done_at": at,
        "done_by_id": by,
        "verb": verb,
        "kind": kind,
        "subject": subject,
        "revision": revision,
        "reason": reason,
        "details": details or {},
    }


class Migration(migrations.Migration):
    dependencies = [
        ("rules", "0004_rule_revisions"),
        ("recalls", "0002_recall_revisions"),
        ("catalog", "0003_audit_log_and_history"),
    ]

    operations = [migrations.RunPython(tell_states)]
