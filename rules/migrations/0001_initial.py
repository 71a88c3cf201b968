import django.contrib.postgres.fields
import django.db.models.deletion
import pgtrigger.compiler
from django.conf import settings
from django.db import migrations, models

import catalog.tables.triggers
import rules.editing.models

# TRUNCATE is refused as well, except in a session that allows it: transactional tests clean up with TRUNCATE.
PROTECT = """
CREATE FUNCTION rules_release_is_published() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' AND current_setting('rules.ledger_may_be_emptied', true) = 'yes' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'a published release neither changes nor goes away (%)', TG_OP
        USING ERRCODE = 'restrict_violation',
              HINT = 'Publish another one. Only a session that has SET rules.ledger_may_be_emptied = ''yes'' may empty the ledger.';
END
$$;

CREATE TRIGGER rules_release_stays_as_it_is
    BEFORE UPDATE OR DELETE ON rules_release
    FOR EACH ROW EXECUTE FUNCTION rules_release_is_published();

CREATE TRIGGER rules_release_stays_full
    BEFORE TRUNCATE ON rules_release
    FOR EACH STATEMENT EXECUTE FUNCTION rules_release_is_published();
"""

UNPROTECT = """
DROP TRIGGER rules_release_stays_full ON rules_release;
DROP TRIGGER rules_release_stays_as_it_is ON rules_release;
DROP FUNCTION rules_release_is_published();
"""


class Migration(migrations.Migration):
    # The migrations that older databases applied one by one.
    replaces = [
        ("rules", "0002_release"),
        ("rules", "0003_accepted_findings"),
        ("rules", "0004_rule_revisions"),
        ("rules", "0005_states_of_revisions"),
        ("rules", "0006_history_and_triggers"),
        ("rules", "0007_second_approval"),
        ("rules", "0008_impact_measurements"),
        ("rules", "0009_held_back"),
        ("rules", "0010_accepted_cases_and_plans"),
        ("rules", "0011_watch"),
        ("rules", "0012_quotes"),
        ("rules", "0013_policy_history"),
    ]

    initial = True

    dependencies = [
        ("auth", "__first__"),
        ("catalog", "0001_initial"),
        ("pghistory", "0007_auto_20250421_0444"),
    ]

    operations = [
        migrations.CreateModel(
            name="AcceptedCase",
            fields=[
                ("created_at", models.DateTimeField(editable=False)),
                ("name", models.CharField(max_length=300, primary_key=True, serialize=False)),
                ("case_sha256", models.CharField(max_length=64)),
                ("outcome", models.JSONField()),
                ("grants", models.BooleanField()),
                ("reason", models.TextField()),
                ("agreed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "agreed_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["name"],
                "default_permissions": ("add", "delete", "view"),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("case_sha256__regex", "^[0-9a-f]{64}$")),
                        name="accepted_case_sha256_is_a_digest",
                        violation_error_message="`case_sha256` is 64 lower-case hex digits",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason__regex", "\\S")),
                        name="accepted_case_has_a_reason",
                        violation_error_message="an accepted case has a reason",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("agreed_at__isnull", True), ("agreed_by__isnull", True)),
                            models.Q(
                                models.Q(("agreed_at__isnull", True), _negated=True),
                                models.Q(("agreed_by__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="accepted_case_agreement_is_a_pair",
                        violation_error_message="`agreed_at` and `agreed_by` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("agreed_by__isnull", True),
                            models.Q(("agreed_by", models.F("created_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="accepted_case_second_reviewer_is_somebody_else",
                        violation_error_message="the second reviewer is somebody else than the first",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("created_at__lte", models.F("agreed_at"))),
                        name="accepted_case_agreed_after_acceptance",
                        violation_error_message="a second reviewer does not agree before the first",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="stays_as_it_is",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (TRUE AND ((OLD."case_sha256" IS DISTINCT FROM (NEW."case_sha256") OR OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."created_by_id" IS DISTINCT FROM (NEW."created_by_id") OR OLD."grants" IS DISTINCT FROM (NEW."grants") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."outcome" IS DISTINCT FROM (NEW."outcome") OR OLD."reason" IS DISTINCT FROM (NEW."reason"))))',
                            func="RAISE EXCEPTION 'an accepted case stays as it was accepted' USING ERRCODE = 'restrict_violation';",
                            hash="d495bca7d5e2340cd2415a6e8ff1fc17e5bdd3b3",
                            operation="UPDATE",
                            pgid="pgtrigger_stays_as_it_is_fd22b",
                            table="rules_acceptedcase",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="agreement_stays",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (OLD.agreed_at IS NOT NULL AND ((OLD."agreed_at" IS DISTINCT FROM (NEW."agreed_at") OR OLD."agreed_by_id" IS DISTINCT FROM (NEW."agreed_by_id"))))',
                            func="RAISE EXCEPTION 'who agreed to an accepted case stays as it was' USING ERRCODE = 'restrict_violation';",
                            hash="dd5f7aeac0a0f4b33281b8bd6534a853dc927c41",
                            operation="UPDATE",
                            pgid="pgtrigger_agreement_stays_45f6b",
                            table="rules_acceptedcase",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_acceptedcaseevent" ("agreed_at", "agreed_by_id", "case_sha256", "created_at", "created_by_id", "grants", "name", "outcome", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason") SELECT new_values."agreed_at", new_values."agreed_by_id", new_values."case_sha256", new_values."created_at", new_values."created_by_id", new_values."grants", new_values."name", new_values."outcome", _pgh_attached_context.value, NOW(), \'insert\', new_values."name", new_values."reason" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="9dd3ad1ebc89ab64ab0e9f5825541f04b76d4544",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_72b0d",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="rules_acceptedcase",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                            func='INSERT INTO "rules_acceptedcaseevent" ("agreed_at", "agreed_by_id", "case_sha256", "created_at", "created_by_id", "grants", "name", "outcome", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason") VALUES (NEW."agreed_at", NEW."agreed_by_id", NEW."case_sha256", NEW."created_at", NEW."created_by_id", NEW."grants", NEW."name", NEW."outcome", _pgh_attach_context(), NOW(), \'update\', NEW."name", NEW."reason"); RETURN NULL;',
                            hash="ab55fa7df4630cee0c07fbe2aa24c7ac69db8899",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_0fd8b",
                            table="rules_acceptedcase",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_acceptedcaseevent" ("agreed_at", "agreed_by_id", "case_sha256", "created_at", "created_by_id", "grants", "name", "outcome", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason") SELECT old_values."agreed_at", old_values."agreed_by_id", old_values."case_sha256", old_values."created_at", old_values."created_by_id", old_values."grants", old_values."name", old_values."outcome", _pgh_attached_context.value, NOW(), \'delete\', old_values."name", old_values."reason" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="f2d65687af739bf09abc19b3a7a3547bc8694ccf",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_23b90",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="rules_acceptedcase",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AcceptedCaseEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("created_at", models.DateTimeField(editable=False)),
                ("name", models.CharField(max_length=300, serialize=False)),
                ("case_sha256", models.CharField(max_length=64)),
                ("outcome", models.JSONField()),
                ("grants", models.BooleanField()),
                ("reason", models.TextField()),
                ("agreed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "agreed_by",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        db_constraint=False,
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "pgh_context",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="pghistory.context",
                    ),
                ),
                (
                    "pgh_obj",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="events",
                        to="rules.acceptedcase",
                    ),
                ),
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                            hash="02ab6c9b6d115adc92d62acb02143bdce2fb6949",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_06a6a",
                            table="rules_acceptedcaseevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AcceptedFinding",
            fields=[
                ("created_at", models.DateTimeField(editable=False)),
                ("key", models.CharField(max_length=300, primary_key=True, serialize=False)),
                ("reason", models.TextField()),
                (
                    "created_by",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["key"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reason__regex", "\\S")),
                        name="accepted_finding_has_a_reason",
                        violation_error_message="an accepted finding has a reason",
                    )
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_acceptedfindingevent" ("created_at", "created_by_id", "key", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason") SELECT new_values."created_at", new_values."created_by_id", new_values."key", _pgh_attached_context.value, NOW(), \'insert\', new_values."key", new_values."reason" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="0a6f73b34482dbc16e650fb8ec545711b0dd277e",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_8bbaa",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="rules_acceptedfinding",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                            func='INSERT INTO "rules_acceptedfindingevent" ("created_at", "created_by_id", "key", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason") VALUES (NEW."created_at", NEW."created_by_id", NEW."key", _pgh_attach_context(), NOW(), \'update\', NEW."key", NEW."reason"); RETURN NULL;',
                            hash="7b6107aa4b7d0e7d824ce54f9842472c7223845b",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_b847d",
                            table="rules_acceptedfinding",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_acceptedfindingevent" ("created_at", "created_by_id", "key", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason") SELECT old_values."created_at", old_values."created_by_id", old_values."key", _pgh_attached_context.value, NOW(), \'delete\', old_values."key", old_values."reason" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="04b3225ea71a827962a663b8dfb2a2be36dc5c85",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_25a41",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="rules_acceptedfinding",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AcceptedFindingEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("created_at", models.DateTimeField(editable=False)),
                ("key", models.CharField(max_length=300, serialize=False)),
                ("reason", models.TextField()),
                (
                    "created_by",
                    models.ForeignKey(
                        db_constraint=False,
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "pgh_context",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="pghistory.context",
                    ),
                ),
                (
                    "pgh_obj",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="events",
                        to="rules.acceptedfinding",
                    ),
                ),
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                            hash="9b052025653aa32aab6b08b8510a525c19726a63",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_a0ac8",
                            table="rules_acceptedfindingevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Release",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ruleset_version", models.CharField(max_length=20, unique=True)),
                ("sequence", models.PositiveIntegerField(unique=True)),
                ("document", models.TextField()),
                ("sha256", models.CharField(max_length=64, unique=True)),
                ("content_sha256", models.CharField(max_length=64)),
                ("note", models.TextField()),
                ("published_at", models.DateTimeField()),
                (
                    "predecessor",
                    models.OneToOneField(
                        db_column="predecessor_sha256",
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="successor",
                        to="rules.release",
                        to_field="sha256",
                    ),
                ),
                (
                    "published_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["sequence"],
                "permissions": [("publish_release", "Can publish release")],
                "default_permissions": ("view",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ruleset_version__regex", "^\\d{4}-\\d{2}-\\d{2}(\\.([2-9]|[1-9]\\d+))?$")
                        ),
                        name="release_version_is_a_date",
                        violation_error_message="the version is a date, with .2, .3 … for later releases of that day",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("sha256__regex", "^[0-9a-f]{64}$")),
                        name="release_sha256_is_a_digest",
                        violation_error_message="`sha256` is 64 lower-case hex digits",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("content_sha256__regex", "^[0-9a-f]{64}$")),
                        name="release_content_sha256_is_a_digest",
                        violation_error_message="`content_sha256` is 64 lower-case hex digits",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("sequence", 1), ("predecessor__isnull", True)),
                            models.Q(
                                models.Q(("sequence", 1), _negated=True),
                                models.Q(("predecessor__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="release_first_has_no_predecessor",
                        violation_error_message="the first release has no predecessor, and every other one has",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("note__regex", "\\S")),
                        name="release_note_is_written",
                        violation_error_message="a release has a note",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PolicyHistory",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sequence", models.PositiveIntegerField(editable=False, unique=True)),
                ("is_readable", models.BooleanField(editable=False)),
                ("worked_out", models.DateTimeField(editable=False)),
                (
                    "back_to",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rules.release",
                    ),
                ),
                (
                    "compared_with",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rules.release",
                    ),
                ),
                (
                    "release",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="policy_history",
                        to="rules.release",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "policy histories",
                "ordering": ["-sequence"],
                "default_permissions": ("view",),
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="history_stays",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (TRUE)",
                            func="RAISE EXCEPTION 'what a release changed stays as it is' USING ERRCODE = 'restrict_violation';",
                            hash="dec9484c9bbd06da2396fa014af07dba155b039f",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_history_stays_d308e",
                            table="rules_policyhistory",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="HeldBack",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(editable=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("countries", "countries"),
                            ("jurisdictions", "jurisdictions"),
                            ("sources", "sources"),
                            ("airlines", "airlines"),
                            ("devices", "devices"),
                        ],
                        max_length=20,
                    ),
                ),
                ("record_id", models.CharField(max_length=80)),
                (
                    "created_by",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "since",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rules.release"
                    ),
                ),
            ],
            options={
                "verbose_name": "record held back",
                "verbose_name_plural": "records held back",
                "ordering": ["kind", "record_id"],
                "default_permissions": ("view",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind__in", ["countries", "jurisdictions", "sources", "airlines", "devices"])
                        ),
                        name="held_back_kind_is_known",
                        violation_error_message="`kind` is one of countries, jurisdictions, sources, airlines, devices",
                    ),
                    models.UniqueConstraint(
                        fields=("kind", "record_id"),
                        name="held_back_once",
                        violation_error_message="is held back already",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_heldbackevent" ("created_at", "created_by_id", "id", "kind", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "record_id", "since_id") SELECT new_values."created_at", new_values."created_by_id", new_values."id", new_values."kind", _pgh_attached_context.value, NOW(), \'insert\', new_values."id", new_values."record_id", new_values."since_id" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="5af3f06df5a207623d795f58adfba3ec9cb8c15f",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_a26d9",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="rules_heldback",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_heldbackevent" ("created_at", "created_by_id", "id", "kind", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "record_id", "since_id") SELECT new_values."created_at", new_values."created_by_id", new_values."id", new_values."kind", _pgh_attached_context.value, NOW(), \'update\', new_values."id", new_values."record_id", new_values."since_id" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values.* IS DISTINCT FROM new_values.*) ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="44d19891a54284ae3a8eef5f57a4d4284a4360b5",
                            level="STATEMENT",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_4da7a",
                            referencing="REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ",
                            table="rules_heldback",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_heldbackevent" ("created_at", "created_by_id", "id", "kind", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "record_id", "since_id") SELECT old_values."created_at", old_values."created_by_id", old_values."id", old_values."kind", _pgh_attached_context.value, NOW(), \'delete\', old_values."id", old_values."record_id", old_values."since_id" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="c52f3bfc2ecd0cbbbea9f7094a5ba6437baf099e",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_2f699",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="rules_heldback",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ImpactMeasurement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("content_sha256", models.CharField(editable=False, max_length=64)),
                ("day", models.DateField(editable=False)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("outdated", "Outdated"),
                        ],
                        editable=False,
                        max_length=10,
                    ),
                ),
                ("size", models.PositiveBigIntegerField(editable=False)),
                ("parts", models.PositiveIntegerField(editable=False)),
                ("document", models.BinaryField(null=True)),
                ("result", models.JSONField(editable=False, null=True)),
                ("failure", models.TextField(editable=False)),
                ("asked_at", models.DateTimeField(editable=False)),
                ("sent", models.DateTimeField(editable=False, null=True)),
                ("started", models.DateTimeField(editable=False, null=True)),
                ("finished", models.DateTimeField(editable=False, null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "base",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="measurements",
                        to="rules.release",
                    ),
                ),
            ],
            options={
                "verbose_name": "measured change",
                "ordering": ["-asked_at", "-id"],
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("base", "content_sha256", "day"),
                        name="measurement_once_for_a_content_and_a_day",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["queued", "running", "done", "failed", "outdated"])
                        ),
                        name="measurement_state_is_known",
                        violation_error_message="`state` is one of queued, running, done, failed, outdated",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("content_sha256__regex", "^[0-9a-f]{64}$")),
                        name="measurement_content_is_a_digest",
                        violation_error_message="`content_sha256` is 64 lower-case hex digits",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("parts__gt", 0)),
                        name="measurement_has_parts",
                        violation_error_message="`parts` is above zero",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("document__isnull", False), ("state__in", ("queued", "running"))),
                            models.Q(
                                models.Q(("document__isnull", False), _negated=True),
                                models.Q(("state__in", ("queued", "running")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="measurement_keeps_the_content_until_it_is_finished",
                        violation_error_message="the content is kept as long as something is to be measured",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("result__isnull", False), ("state", "done")),
                            models.Q(
                                models.Q(("result__isnull", False), _negated=True),
                                models.Q(("state", "done"), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="measurement_done_has_a_result",
                        violation_error_message="a measurement has a result exactly when it is done",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(models.Q(("failure", ""), _negated=True), ("state", "failed")),
                            models.Q(("failure", ""), models.Q(("state", "failed"), _negated=True)),
                            _connector="OR",
                        ),
                        name="measurement_failed_says_why",
                        violation_error_message="a measurement says why it failed, exactly when it did",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("started__isnull", False), ("state", "queued"), _negated=True),
                            models.Q(
                                ("started__isnull", True), ("state__in", ["running", "done"]), _negated=True
                            ),
                        ),
                        name="measurement_queued_has_not_started",
                        violation_error_message="a measurement has started unless it waits",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("finished__isnull", True), ("state__in", ("queued", "running"))),
                            models.Q(
                                models.Q(("finished__isnull", True), _negated=True),
                                models.Q(("state__in", ("queued", "running")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="measurement_finished_has_its_instant",
                        violation_error_message="a measurement has finished exactly when nothing more is measured",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ImpactPart",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(editable=False)),
                ("airlines", models.JSONField(editable=False)),
                ("tally", models.JSONField(editable=False, null=True)),
                (
                    "measurement",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pieces",
                        to="rules.impactmeasurement",
                    ),
                ),
            ],
            options={
                "ordering": ["measurement", "number"],
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(fields=("measurement", "number"), name="measurement_part_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="PlannedRelease",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(editable=False)),
                ("due", models.DateTimeField()),
                ("base", models.CharField(blank=True, max_length=20)),
                ("content_sha256", models.CharField(max_length=64)),
                ("note", models.TextField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("planned", "Planned"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("canceled", "Canceled"),
                        ],
                        default="planned",
                        max_length=10,
                    ),
                ),
                ("failure", models.TextField(blank=True)),
                ("ended_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rules.release",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "default_permissions": ("view",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["planned", "done", "failed", "canceled"])),
                        name="planned_release_state_is_known",
                        violation_error_message="`state` is one of planned, done, failed, canceled",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "planned")),
                        fields=("state",),
                        name="planned_release_one_at_a_time",
                        violation_error_message="another publishing is planned already",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("note__regex", "\\S")),
                        name="planned_release_note_is_written",
                        violation_error_message="a planned release has a note",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("content_sha256__regex", "^[0-9a-f]{64}$")),
                        name="planned_release_content_is_a_digest",
                        violation_error_message="`content_sha256` is 64 lower-case hex digits",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("created_at__lte", models.F("due"))),
                        name="planned_release_is_for_later",
                        violation_error_message="a publishing is planned for an instant to come",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at__isnull", True), ("ended_by__isnull", True)),
                            models.Q(
                                models.Q(("ended_at__isnull", True), _negated=True),
                                models.Q(("ended_by__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="planned_release_end_is_a_pair",
                        violation_error_message="`ended_at` and `ended_by` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "planned"), ("ended_at__isnull", True)),
                            models.Q(
                                models.Q(("state", "planned"), _negated=True),
                                models.Q(("ended_at__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="planned_release_ends_once",
                        violation_error_message="a plan has ended exactly when it is no longer planned",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "done"), ("release__isnull", False)),
                            models.Q(
                                models.Q(("state", "done"), _negated=True),
                                models.Q(("release__isnull", False), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="planned_release_done_has_its_release",
                        violation_error_message="a plan is done exactly when its release is out",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "failed"), ("failure__regex", "\\S")),
                            models.Q(
                                models.Q(("state", "failed"), _negated=True),
                                models.Q(("failure__regex", "\\S"), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="planned_release_failed_says_why",
                        violation_error_message="a plan that failed, and no other, says why",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="plan_stays",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (TRUE AND ((OLD."base" IS DISTINCT FROM (NEW."base") OR OLD."content_sha256" IS DISTINCT FROM (NEW."content_sha256") OR OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."created_by_id" IS DISTINCT FROM (NEW."created_by_id") OR OLD."due" IS DISTINCT FROM (NEW."due") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."note" IS DISTINCT FROM (NEW."note"))))',
                            func="RAISE EXCEPTION 'what was planned stays as it was planned' USING ERRCODE = 'restrict_violation';",
                            hash="6758a98e2f374d71a00fc12d452fdc1289a84ade",
                            operation="UPDATE",
                            pgid="pgtrigger_plan_stays_09b0c",
                            table="rules_plannedrelease",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="end_stays",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.state <> 'planned')",
                            func="RAISE EXCEPTION 'what became of a plan stays as it is' USING ERRCODE = 'restrict_violation';",
                            hash="44c5f428cfdb5d4ec23476d949daf1332be7702e",
                            operation="UPDATE",
                            pgid="pgtrigger_end_stays_740bc",
                            table="rules_plannedrelease",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="plans_stay",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (TRUE)",
                            func="RAISE EXCEPTION 'a plan is canceled, never deleted' USING ERRCODE = 'restrict_violation';",
                            hash="80155a2dcfce1f200e74a65dfd686ef28dbb4722",
                            operation="DELETE",
                            pgid="pgtrigger_plans_stay_d0c8c",
                            table="rules_plannedrelease",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_plannedreleaseevent" ("base", "content_sha256", "created_at", "created_by_id", "due", "ended_at", "ended_by_id", "failure", "id", "note", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "release_id", "state") SELECT new_values."base", new_values."content_sha256", new_values."created_at", new_values."created_by_id", new_values."due", new_values."ended_at", new_values."ended_by_id", new_values."failure", new_values."id", new_values."note", _pgh_attached_context.value, NOW(), \'insert\', new_values."id", new_values."release_id", new_values."state" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="a844533824d77f23895277dc0d4b7fb7c41bfd9a",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_02599",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="rules_plannedrelease",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_plannedreleaseevent" ("base", "content_sha256", "created_at", "created_by_id", "due", "ended_at", "ended_by_id", "failure", "id", "note", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "release_id", "state") SELECT new_values."base", new_values."content_sha256", new_values."created_at", new_values."created_by_id", new_values."due", new_values."ended_at", new_values."ended_by_id", new_values."failure", new_values."id", new_values."note", _pgh_attached_context.value, NOW(), \'update\', new_values."id", new_values."release_id", new_values."state" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values.* IS DISTINCT FROM new_values.*) ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="d6cd25214be67c2dd89d04a98d236b38c84a1645",
                            level="STATEMENT",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_82587",
                            referencing="REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ",
                            table="rules_plannedrelease",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_plannedreleaseevent" ("base", "content_sha256", "created_at", "created_by_id", "due", "ended_at", "ended_by_id", "failure", "id", "note", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "release_id", "state") SELECT old_values."base", old_values."content_sha256", old_values."created_at", old_values."created_by_id", old_values."due", old_values."ended_at", old_values."ended_by_id", old_values."failure", old_values."id", old_values."note", _pgh_attached_context.value, NOW(), \'delete\', old_values."id", old_values."release_id", old_values."state" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="22dfb39873603221c99710974792355fc0fa7d13",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_2ea93",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="rules_plannedrelease",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PolicyEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sequence", models.PositiveIntegerField(editable=False)),
                ("position", models.PositiveIntegerField(editable=False)),
                ("date", models.DateField(editable=False)),
                ("subject", models.CharField(editable=False, max_length=10)),
                ("change", models.CharField(editable=False, max_length=10)),
                ("record_id", models.CharField(editable=False, max_length=200)),
                ("airline", models.CharField(blank=True, editable=False, max_length=2)),
                ("jurisdiction", models.CharField(editable=False, max_length=4)),
                ("starts", models.DateField(editable=False, null=True)),
                ("fields", models.JSONField(editable=False)),
                ("before", models.JSONField(editable=False, null=True)),
                ("after", models.JSONField(editable=False, null=True)),
                ("citations", models.JSONField(editable=False)),
                (
                    "history",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="rules.policyhistory",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "policy entries",
                "ordering": ["-sequence", "position"],
                "default_permissions": ("view",),
                "indexes": [
                    models.Index(fields=["-sequence", "position"], name="policy_entry_newest"),
                    models.Index(fields=["airline", "-sequence", "position"], name="policy_entry_airline"),
                    models.Index(fields=["jurisdiction", "-sequence", "position"], name="policy_entry_place"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("history", "subject", "record_id"), name="policy_entry_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("subject__in", ["rule", "airline"])),
                        name="policy_entry_subject_is_known",
                        violation_error_message="`subject` is one of rule, airline",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("change__in", ["added", "changed", "removed"])),
                        name="policy_entry_change_is_known",
                        violation_error_message="`change` is one of added, changed, removed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("before__isnull", True), ("change", "added")),
                            models.Q(
                                models.Q(("before__isnull", True), _negated=True),
                                models.Q(("change", "added"), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="policy_entry_added_had_nothing_before",
                        violation_error_message="what was added says nothing of before, and everything else does",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("after__isnull", True), ("change", "removed")),
                            models.Q(
                                models.Q(("after__isnull", True), _negated=True),
                                models.Q(("change", "removed"), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="policy_entry_removed_has_nothing_after",
                        violation_error_message="what was removed says nothing of after, and everything else does",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="history_stays",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (TRUE)",
                            func="RAISE EXCEPTION 'what a release changed stays as it is' USING ERRCODE = 'restrict_violation';",
                            hash="a286cd1b5df87f58be75ad6d3278afe42fd8b4ac",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_history_stays_18db8",
                            table="rules_policyentry",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PlannedReleaseEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("id", models.BigIntegerField()),
                ("created_at", models.DateTimeField(editable=False)),
                ("due", models.DateTimeField()),
                ("base", models.CharField(blank=True, max_length=20)),
                ("content_sha256", models.CharField(max_length=64)),
                ("note", models.TextField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("planned", "Planned"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("canceled", "Canceled"),
                        ],
                        default="planned",
                        max_length=10,
                    ),
                ),
                ("failure", models.TextField(blank=True)),
                ("ended_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        db_constraint=False,
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "pgh_context",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="pghistory.context",
                    ),
                ),
                (
                    "pgh_obj",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="events",
                        to="rules.plannedrelease",
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="rules.release",
                    ),
                ),
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                            hash="ae62877d992fd2abf13bb2ee2a05d1e1510f3ddb",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_ef2dc",
                            table="rules_plannedreleaseevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="HeldBackEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("id", models.BigIntegerField()),
                ("created_at", models.DateTimeField(editable=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("countries", "countries"),
                            ("jurisdictions", "jurisdictions"),
                            ("sources", "sources"),
                            ("airlines", "airlines"),
                            ("devices", "devices"),
                        ],
                        max_length=20,
                    ),
                ),
                ("record_id", models.CharField(max_length=80)),
                (
                    "created_by",
                    models.ForeignKey(
                        db_constraint=False,
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "pgh_context",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="pghistory.context",
                    ),
                ),
                (
                    "pgh_obj",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="events",
                        to="rules.heldback",
                    ),
                ),
                (
                    "since",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="rules.release",
                    ),
                ),
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                            hash="15d4407d0bfb512ecf987dfe29def7b612d1d0a4",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_5cc6b",
                            table="rules_heldbackevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Rule",
            fields=[
                ("created_at", models.DateTimeField(editable=False)),
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("revision", models.PositiveIntegerField(default=1, editable=False)),
                ("withdraws", models.BooleanField(default=False, editable=False)),
                (
                    "authors",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.IntegerField(), editable=False, size=None
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("in_review", "In Review"),
                            ("approved", "Approved"),
                            ("published", "Published"),
                            ("superseded", "Superseded"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        default="draft",
                        editable=False,
                        max_length=10,
                    ),
                ),
                ("submitted_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("approved_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("second_approved_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("published_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("rule_id", models.CharField(max_length=120)),
                (
                    "issuer",
                    models.CharField(
                        choices=[("regulator", "regulator"), ("airline", "airline")], max_length=10
                    ),
                ),
                ("authority", models.CharField(max_length=200)),
                ("jurisdiction", models.CharField(max_length=4)),
                (
                    "applies",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("global", "global"),
                                ("departure", "departure"),
                                ("arrival", "arrival"),
                                ("domestic", "domestic"),
                                ("operator", "operator"),
                                ("airline", "airline"),
                            ],
                            max_length=10,
                        ),
                        size=None,
                    ),
                ),
                (
                    "watt_hour_over",
                    models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True),
                ),
                (
                    "watt_hour_at_least",
                    models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True),
                ),
                (
                    "watt_hour_up_to",
                    models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True),
                ),
                (
                    "compartment",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("carry_on", "carry on"),
                                ("checked", "checked"),
                                ("on_person", "on person"),
                            ],
                            max_length=20,
                        ),
                        blank=True,
                        null=True,
                        size=None,
                    ),
                ),
                (
                    "recall_status",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("not_affected", "not affected"),
                                ("affected", "affected"),
                                ("serial_unknown", "serial unknown"),
                                ("external_check_required", "external check required"),
                            ],
                            max_length=30,
                        ),
                        blank=True,
                        null=True,
                        size=None,
                    ),
                ),
                (
                    "condition",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[("intact", "intact"), ("damaged", "damaged"), ("unknown", "unknown")],
                            max_length=10,
                        ),
                        blank=True,
                        null=True,
                        size=None,
                    ),
                ),
                (
                    "certification_missing",
                    models.CharField(blank=True, choices=[("CCC", "CCC")], max_length=10, null=True),
                ),
                ("quantity_over", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "effect",
                    models.CharField(
                        choices=[
                            ("permit", "permit"),
                            ("require", "require"),
                            ("prohibit", "prohibit"),
                            ("advise", "advise"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("carry_on_only", "carry on only"),
                            ("max_units", "max units"),
                            ("airline_approval_required", "airline approval required"),
                            ("ccc_mark_required", "ccc mark required"),
                            ("label_required", "label required"),
                            ("terminals_protected", "terminals protected"),
                            ("no_onboard_use", "no onboard use"),
                            ("onboard_use_restricted", "onboard use restricted"),
                            ("no_onboard_recharge", "no onboard recharge"),
                            ("keep_within_reach", "keep within reach"),
                            ("keep_visible", "keep visible"),
                            ("visible_when_in_use", "visible when in use"),
                            ("on_person_or_seat_pocket", "on person or seat pocket"),
                            ("no_overhead_bin", "no overhead bin"),
                            ("remove_before_gate_check", "remove before gate check"),
                            ("switched_off", "switched off"),
                            ("personal_use_only", "personal use only"),
                            ("un38_3_type_tested", "un38 3 type tested"),
                            ("over_watt_hour_limit", "over watt hour limit"),
                            ("recalled_not_permitted", "recalled not permitted"),
                            ("damaged_not_permitted", "damaged not permitted"),
                            ("onboard_use_discouraged", "onboard use discouraged"),
                            ("onboard_use_airline_decides", "onboard use airline decides"),
                            ("overhead_bin_discouraged", "overhead bin discouraged"),
                            ("quantity_advice", "quantity advice"),
                            ("keep_within_reach_advised", "keep within reach advised"),
                            ("ccc_mark_enforcement_varies", "ccc mark enforcement varies"),
                            ("ccc_applies_to_connections", "ccc applies to connections"),
                            ("confiscation_risk", "confiscation risk"),
                        ],
                        max_length=60,
                        null=True,
                    ),
                ),
                ("max_units", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "limit_watt_hour",
                    models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True),
                ),
                ("effective_from", models.DateField(blank=True, null=True)),
                ("effective_until", models.DateField(blank=True, null=True)),
                ("summary", models.TextField()),
                (
                    "confidence",
                    models.CharField(
                        choices=[
                            ("confirmed", "confirmed"),
                            ("reported", "reported"),
                            ("unverified", "unverified"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "quotes",
                    models.JSONField(
                        blank=True, default=list, validators=[rules.editing.models.validate_quotes]
                    ),
                ),
                (
                    "airline",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rules",
                        to="catalog.airline",
                    ),
                ),
                (
                    "approved_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "published_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "second_approved_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "submitted_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["rule_id", "revision"],
                "permissions": [
                    ("revise_rule", "Can revise rule"),
                    ("withdraw_rule", "Can withdraw rule"),
                    ("submit_rule", "Can submit rule"),
                    ("return_rule", "Can return rule"),
                    ("approve_rule", "Can approve rule"),
                    ("take_back_rule", "Can take back rule"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("rule_id", "revision"),
                        name="rule_revision_once",
                        violation_error_message="has this revision already",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ("draft", "in_review"))),
                        fields=("rule_id",),
                        name="rule_one_open_revision",
                        violation_error_message="has an open revision already",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "published")),
                        fields=("rule_id",),
                        name="rule_one_published_revision",
                        violation_error_message="has a published revision already",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("revision__gte", 1)),
                        name="rule_revisions_count_from_one",
                        violation_error_message="revisions count from 1",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("withdraws", False), ("revision__gt", 1), _connector="OR"),
                        name="rule_first_revision_withdraws_nothing",
                        violation_error_message="the first revision has nothing to withdraw",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                ["draft", "in_review", "approved", "published", "superseded", "withdrawn"],
                            )
                        ),
                        name="rule_state_is_known",
                        violation_error_message="`state` is one of draft, in_review, approved, published, superseded, withdrawn",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("authors__contains", [models.F("created_by")])),
                        name="rule_creator_is_an_author",
                        violation_error_message="whoever opened a revision is one of its authors",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("submitted_at__isnull", True), ("submitted_by__isnull", True)),
                            models.Q(
                                models.Q(("submitted_at__isnull", True), _negated=True),
                                models.Q(("submitted_by__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="rule_submission_is_a_pair",
                        violation_error_message="`submitted_at` and `submitted_by` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "draft"), ("submitted_at__isnull", True)),
                            models.Q(
                                models.Q(("state", "draft"), _negated=True),
                                models.Q(("submitted_at__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="rule_submitted_unless_draft",
                        violation_error_message="a revision is a draft exactly until somebody submits it",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("approved_at__isnull", True), ("approved_by__isnull", True)),
                            models.Q(
                                models.Q(("approved_at__isnull", True), _negated=True),
                                models.Q(("approved_by__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="rule_approval_is_a_pair",
                        violation_error_message="`approved_at` and `approved_by` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("state__in", ["approved", "published", "superseded", "withdrawn"]),
                                ("approved_at__isnull", False),
                            ),
                            models.Q(
                                models.Q(
                                    ("state__in", ["approved", "published", "superseded", "withdrawn"]),
                                    _negated=True,
                                ),
                                models.Q(("approved_at__isnull", False), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="rule_approved_has_an_approver",
                        violation_error_message="a revision is past its review exactly when somebody has approved it",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("authors__contains", [models.F("approved_by")]), _negated=True),
                        name="rule_approver_is_not_author",
                        violation_error_message="nobody approves their own work",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("second_approved_at__isnull", True), ("second_approved_by__isnull", True)
                            ),
                            models.Q(
                                models.Q(("second_approved_at__isnull", True), _negated=True),
                                models.Q(("second_approved_by__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="rule_second_approval_is_a_pair",
                        violation_error_message="`second_approved_at` and `second_approved_by` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("approved_at__lte", models.F("second_approved_at"))),
                        name="rule_second_approval_after_the_first",
                        violation_error_message="a revision is not approved again before it is approved",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("second_approved_at__isnull", True),
                            ("approved_at__isnull", False),
                            _connector="OR",
                        ),
                        name="rule_second_approval_has_a_first",
                        violation_error_message="a revision is not approved again before it is approved",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("authors__contains", [models.F("second_approved_by")]), _negated=True
                        ),
                        name="rule_second_approver_is_not_author",
                        violation_error_message="nobody approves their own work",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("second_approved_by__isnull", True),
                            models.Q(("second_approved_by", models.F("approved_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="rule_second_approver_is_somebody_else",
                        violation_error_message="nobody approves the same revision twice",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("published_at__isnull", True), ("published_by__isnull", True)),
                            models.Q(
                                models.Q(("published_at__isnull", True), _negated=True),
                                models.Q(("published_by__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="rule_publication_is_a_pair",
                        violation_error_message="`published_at` and `published_by` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("published_at__isnull", True), ("state", "published"), _negated=True),
                            models.Q(
                                ("published_at__isnull", False),
                                ("state__in", ["draft", "in_review", "approved"]),
                                _negated=True,
                            ),
                        ),
                        name="rule_published_has_a_publisher",
                        violation_error_message="a revision is published by somebody, and not before it is approved",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("created_at__lte", models.F("submitted_at"))),
                        name="rule_submitted_after_creation",
                        violation_error_message="a revision is not submitted before it is written",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("submitted_at__lte", models.F("approved_at"))),
                        name="rule_approved_after_submission",
                        violation_error_message="a revision is not approved before it is submitted",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("rule_id__regex", "^[a-z0-9]+(\\.[a-z0-9]+(-[a-z0-9]+)*)+$")),
                        name="rule_id_is_dotted",
                        violation_error_message="the rule id is lower-case words joined by dots and hyphens",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("jurisdiction__regex", "^[A-Z]{2,4}$")),
                        name="rule_jurisdiction_is_upper_case",
                        violation_error_message="the jurisdiction is two to four upper-case letters",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("confidence__in", ["confirmed", "reported", "unverified"])),
                        name="rule_confidence_is_known",
                        violation_error_message="`confidence` is one of confirmed, reported, unverified",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("applies__len__gt", 0)),
                        name="rule_names_a_scope",
                        violation_error_message="a rule says when it applies",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("airline__isnull", False), ("applies", ["airline"]), ("issuer", "airline")
                            ),
                            models.Q(
                                ("airline__isnull", True),
                                (
                                    "applies__contained_by",
                                    ["global", "departure", "arrival", "domestic", "operator"],
                                ),
                                ("issuer", "regulator"),
                            ),
                            _connector="OR",
                        ),
                        name="rule_issuer_fits_its_scope",
                        violation_error_message="an airline's rule names its airline and applies to it alone; a regulator's rule names none",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("applies", ["global"]), ("jurisdiction", "INTL")),
                            models.Q(
                                models.Q(("applies__contains", ["global"]), _negated=True),
                                models.Q(("jurisdiction", "INTL"), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="rule_global_is_international",
                        violation_error_message="rules of `INTL`, and no others, apply globally, and in no other way",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("compartment__contained_by", ["carry_on", "checked", "on_person"]),
                            ("compartment__len__gt", 0),
                        ),
                        name="rule_compartments_are_known",
                        violation_error_message="`compartment` names at least one of carry_on, checked, on_person, and nothing else",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "recall_status__contained_by",
                                ["not_affected", "affected", "serial_unknown", "external_check_required"],
                            ),
                            ("recall_status__len__gt", 0),
                        ),
                        name="rule_recall_statuses_are_known",
                        violation_error_message="`recall_status` names at least one of not_affected, affected, serial_unknown, external_check_required, and nothing else",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("condition__contained_by", ["intact", "damaged", "unknown"]),
                            ("condition__len__gt", 0),
                        ),
                        name="rule_conditions_are_known",
                        violation_error_message="`condition` names at least one of intact, damaged, unknown, and nothing else",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("certification_missing__in", ["CCC"])),
                        name="rule_certification_is_known",
                        violation_error_message="`certification_missing` is one of CCC",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("watt_hour_over__gt", 0)),
                        name="rule_watt_hour_over_is_positive",
                        violation_error_message="`watt_hour_over` is above zero",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("watt_hour_at_least__gt", 0)),
                        name="rule_watt_hour_at_least_is_positive",
                        violation_error_message="`watt_hour_at_least` is above zero",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("watt_hour_up_to__gt", 0)),
                        name="rule_watt_hour_up_to_is_positive",
                        violation_error_message="`watt_hour_up_to` is above zero",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("watt_hour_over__isnull", True),
                            ("watt_hour_at_least__isnull", True),
                            _connector="OR",
                        ),
                        name="rule_one_lower_watt_hour_bound",
                        violation_error_message="a rule has one lower bound of watt-hours at most",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("watt_hour_over__isnull", True),
                            ("watt_hour_up_to__isnull", True),
                            ("watt_hour_over__lt", models.F("watt_hour_up_to")),
                            _connector="OR",
                        ),
                        name="rule_watt_hours_between_bounds",
                        violation_error_message="the watt-hour bounds leave something between them",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("watt_hour_at_least__lte", models.F("watt_hour_up_to"))),
                        name="rule_watt_hours_from_up_to",
                        violation_error_message="the watt-hour bounds leave something between them",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("quantity_over__range", (1, 20))),
                        name="rule_quantity_over_in_range",
                        violation_error_message="`quantity_over` is between 1 and 20",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("code__isnull", True), ("effect", "permit")),
                            models.Q(
                                (
                                    "code__in",
                                    [
                                        "airline_approval_required",
                                        "carry_on_only",
                                        "ccc_mark_required",
                                        "keep_visible",
                                        "keep_within_reach",
                                        "label_required",
                                        "max_units",
                                        "no_onboard_recharge",
                                        "no_onboard_use",
                                        "no_overhead_bin",
                                        "on_person_or_seat_pocket",
                                        "onboard_use_restricted",
                                        "personal_use_only",
                                        "remove_before_gate_check",
                                        "switched_off",
                                        "terminals_protected",
                                        "un38_3_type_tested",
                                        "visible_when_in_use",
                                    ],
                                ),
                                ("code__isnull", False),
                                ("effect", "require"),
                            ),
                            models.Q(
                                (
                                    "code__in",
                                    [
                                        "damaged_not_permitted",
                                        "over_watt_hour_limit",
                                        "recalled_not_permitted",
                                    ],
                                ),
                                ("code__isnull", False),
                                ("effect", "prohibit"),
                            ),
                            models.Q(
                                (
                                    "code__in",
                                    [
                                        "ccc_applies_to_connections",
                                        "ccc_mark_enforcement_varies",
                                        "confiscation_risk",
                                        "keep_within_reach_advised",
                                        "onboard_use_airline_decides",
                                        "onboard_use_discouraged",
                                        "overhead_bin_discouraged",
                                        "quantity_advice",
                                    ],
                                ),
                                ("code__isnull", False),
                                ("effect", "advise"),
                            ),
                            _connector="OR",
                        ),
                        name="rule_code_goes_with_its_effect",
                        violation_error_message="a permit has no code; every other effect has a code of its own kind",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("max_units__isnull", False),
                                ("code__in", ["max_units", "quantity_advice"]),
                                ("code__isnull", False),
                            ),
                            models.Q(
                                models.Q(("max_units__isnull", False), _negated=True),
                                models.Q(
                                    ("code__in", ["max_units", "quantity_advice"]),
                                    ("code__isnull", False),
                                    _negated=True,
                                ),
                            ),
                            _connector="OR",
                        ),
                        name="rule_max_units_with_its_code",
                        violation_error_message="`max_units` goes with max_units and quantity_advice alone",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("limit_watt_hour__isnull", False),
                                ("code__in", ["over_watt_hour_limit"]),
                                ("code__isnull", False),
                            ),
                            models.Q(
                                models.Q(("limit_watt_hour__isnull", False), _negated=True),
                                models.Q(
                                    ("code__in", ["over_watt_hour_limit"]),
                                    ("code__isnull", False),
                                    _negated=True,
                                ),
                            ),
                            _connector="OR",
                        ),
                        name="rule_limit_watt_hour_with_its_code",
                        violation_error_message="`limit_watt_hour` goes with over_watt_hour_limit alone",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("max_units__range", (1, 20))),
                        name="rule_max_units_in_range",
                        violation_error_message="`max_units` is between 1 and 20",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("limit_watt_hour__gt", 0)),
                        name="rule_limit_watt_hour_is_positive",
                        violation_error_message="`limit_watt_hour` is above zero",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("effective_from__lte", models.F("effective_until"))),
                        name="rule_dates_in_order",
                        violation_error_message="a rule does not end before it starts",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="begins_as_draft",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (NEW.state <> 'draft')",
                            func="RAISE EXCEPTION 'a revision begins as a draft' USING ERRCODE = 'restrict_violation';",
                            hash="a83fb2232b4c965825d1e8b1d4745eb3cf2fe14a",
                            operation="INSERT",
                            pgid="pgtrigger_begins_as_draft_8541a",
                            table="rules_rule",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="goes_its_way",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (('approved', 'published'), ('approved', 'superseded'), ('approved', 'withdrawn'), ('draft', 'in_review'), ('in_review', 'approved'), ('in_review', 'draft'), ('published', 'superseded'), ('published', 'withdrawn')))",
                            func="RAISE EXCEPTION 'no verb leads from this state to that one' USING ERRCODE = 'restrict_violation';",
                            hash="111fd2a048e7b56d6ac5bab027370a8ab5e0e06e",
                            operation="UPDATE",
                            pgid="pgtrigger_goes_its_way_c3088",
                            table="rules_rule",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="content_stays",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (NOT (OLD.state = \'draft\' AND NEW.state = \'draft\') AND ((OLD."airline_id" IS DISTINCT FROM (NEW."airline_id") OR OLD."applies" IS DISTINCT FROM (NEW."applies") OR OLD."authority" IS DISTINCT FROM (NEW."authority") OR OLD."authors" IS DISTINCT FROM (NEW."authors") OR OLD."certification_missing" IS DISTINCT FROM (NEW."certification_missing") OR OLD."code" IS DISTINCT FROM (NEW."code") OR OLD."compartment" IS DISTINCT FROM (NEW."compartment") OR OLD."condition" IS DISTINCT FROM (NEW."condition") OR OLD."confidence" IS DISTINCT FROM (NEW."confidence") OR OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."created_by_id" IS DISTINCT FROM (NEW."created_by_id") OR OLD."effect" IS DISTINCT FROM (NEW."effect") OR OLD."effective_from" IS DISTINCT FROM (NEW."effective_from") OR OLD."effective_until" IS DISTINCT FROM (NEW."effective_until") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."issuer" IS DISTINCT FROM (NEW."issuer") OR OLD."jurisdiction" IS DISTINCT FROM (NEW."jurisdiction") OR OLD."limit_watt_hour" IS DISTINCT FROM (NEW."limit_watt_hour") OR OLD."max_units" IS DISTINCT FROM (NEW."max_units") OR OLD."quantity_over" IS DISTINCT FROM (NEW."quantity_over") OR OLD."quotes" IS DISTINCT FROM (NEW."quotes") OR OLD."recall_status" IS DISTINCT FROM (NEW."recall_status") OR OLD."revision" IS DISTINCT FROM (NEW."revision") OR OLD."rule_id" IS DISTINCT FROM (NEW."rule_id") OR OLD."summary" IS DISTINCT FROM (NEW."summary") OR OLD."watt_hour_at_least" IS DISTINCT FROM (NEW."watt_hour_at_least") OR OLD."watt_hour_over" IS DISTINCT FROM (NEW."watt_hour_over") OR OLD."watt_hour_up_to" IS DISTINCT FROM (NEW."watt_hour_up_to") OR OLD."withdraws" IS DISTINCT FROM (NEW."withdraws"))))',
                            func="RAISE EXCEPTION 'a revision changes only while it is a draft; open the next one' USING ERRCODE = 'restrict_violation';",
                            hash="49442fee93f9927e965757a7321d6cc9abaf747e",
                            operation="UPDATE",
                            pgid="pgtrigger_content_stays_c90a2",
                            table="rules_rule",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="marks_stay",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (OLD.state = NEW.state AND ((OLD."approved_at" IS DISTINCT FROM (NEW."approved_at") OR OLD."approved_by_id" IS DISTINCT FROM (NEW."approved_by_id") OR OLD."published_at" IS DISTINCT FROM (NEW."published_at") OR OLD."published_by_id" IS DISTINCT FROM (NEW."published_by_id") OR OLD."submitted_at" IS DISTINCT FROM (NEW."submitted_at") OR OLD."submitted_by_id" IS DISTINCT FROM (NEW."submitted_by_id"))))',
                            func="RAISE EXCEPTION 'who submitted, approved and published a revision stays as it was' USING ERRCODE = 'restrict_violation';",
                            hash="115f6d8c9c224b3143293a3af3731c6860365135",
                            operation="UPDATE",
                            pgid="pgtrigger_marks_stay_e92e9",
                            table="rules_rule",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="second_approval_stays",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (NOT (OLD.state = \'approved\' AND NEW.state = \'approved\' AND OLD.second_approved_at IS NULL) AND ((OLD."second_approved_at" IS DISTINCT FROM (NEW."second_approved_at") OR OLD."second_approved_by_id" IS DISTINCT FROM (NEW."second_approved_by_id"))))',
                            func="RAISE EXCEPTION 'a revision is approved again once, while it is approved' USING ERRCODE = 'restrict_violation';",
                            hash="0e5fab59999015a25c7be0046cc8531e06d14b0d",
                            operation="UPDATE",
                            pgid="pgtrigger_second_approval_stays_59460",
                            table="rules_rule",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="only_drafts_go",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.state <> 'draft')",
                            func="RAISE EXCEPTION 'only a draft can be thrown away' USING ERRCODE = 'restrict_violation';",
                            hash="3a7bd0037474b7bbfddc898d98ac8edb687e2b4b",
                            operation="DELETE",
                            pgid="pgtrigger_only_drafts_go_44a86",
                            table="rules_rule",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_ruleevent" ("airline_id", "applies", "approved_at", "approved_by_id", "authority", "authors", "certification_missing", "code", "compartment", "condition", "confidence", "created_at", "created_by_id", "effect", "effective_from", "effective_until", "id", "issuer", "jurisdiction", "limit_watt_hour", "max_units", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "published_at", "published_by_id", "quantity_over", "quotes", "recall_status", "revision", "rule_id", "second_approved_at", "second_approved_by_id", "state", "submitted_at", "submitted_by_id", "summary", "watt_hour_at_least", "watt_hour_over", "watt_hour_up_to", "withdraws") SELECT new_values."airline_id", new_values."applies", new_values."approved_at", new_values."approved_by_id", new_values."authority", new_values."authors", new_values."certification_missing", new_values."code", new_values."compartment", new_values."condition", new_values."confidence", new_values."created_at", new_values."created_by_id", new_values."effect", new_values."effective_from", new_values."effective_until", new_values."id", new_values."issuer", new_values."jurisdiction", new_values."limit_watt_hour", new_values."max_units", _pgh_attached_context.value, NOW(), \'insert\', new_values."id", new_values."published_at", new_values."published_by_id", new_values."quantity_over", new_values."quotes", new_values."recall_status", new_values."revision", new_values."rule_id", new_values."second_approved_at", new_values."second_approved_by_id", new_values."state", new_values."submitted_at", new_values."submitted_by_id", new_values."summary", new_values."watt_hour_at_least", new_values."watt_hour_over", new_values."watt_hour_up_to", new_values."withdraws" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="9f16869cccae6119fb7b8e1bd107a73ce83b92b2",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_8cb96",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="rules_rule",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_ruleevent" ("airline_id", "applies", "approved_at", "approved_by_id", "authority", "authors", "certification_missing", "code", "compartment", "condition", "confidence", "created_at", "created_by_id", "effect", "effective_from", "effective_until", "id", "issuer", "jurisdiction", "limit_watt_hour", "max_units", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "published_at", "published_by_id", "quantity_over", "quotes", "recall_status", "revision", "rule_id", "second_approved_at", "second_approved_by_id", "state", "submitted_at", "submitted_by_id", "summary", "watt_hour_at_least", "watt_hour_over", "watt_hour_up_to", "withdraws") SELECT new_values."airline_id", new_values."applies", new_values."approved_at", new_values."approved_by_id", new_values."authority", new_values."authors", new_values."certification_missing", new_values."code", new_values."compartment", new_values."condition", new_values."confidence", new_values."created_at", new_values."created_by_id", new_values."effect", new_values."effective_from", new_values."effective_until", new_values."id", new_values."issuer", new_values."jurisdiction", new_values."limit_watt_hour", new_values."max_units", _pgh_attached_context.value, NOW(), \'update\', new_values."id", new_values."published_at", new_values."published_by_id", new_values."quantity_over", new_values."quotes", new_values."recall_status", new_values."revision", new_values."rule_id", new_values."second_approved_at", new_values."second_approved_by_id", new_values."state", new_values."submitted_at", new_values."submitted_by_id", new_values."summary", new_values."watt_hour_at_least", new_values."watt_hour_over", new_values."watt_hour_up_to", new_values."withdraws" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values.* IS DISTINCT FROM new_values.*) ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="ce8270e940e3b0ece529560667df08e0c24f0b05",
                            level="STATEMENT",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_29cd2",
                            referencing="REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ",
                            table="rules_rule",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_ruleevent" ("airline_id", "applies", "approved_at", "approved_by_id", "authority", "authors", "certification_missing", "code", "compartment", "condition", "confidence", "created_at", "created_by_id", "effect", "effective_from", "effective_until", "id", "issuer", "jurisdiction", "limit_watt_hour", "max_units", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "published_at", "published_by_id", "quantity_over", "quotes", "recall_status", "revision", "rule_id", "second_approved_at", "second_approved_by_id", "state", "submitted_at", "submitted_by_id", "summary", "watt_hour_at_least", "watt_hour_over", "watt_hour_up_to", "withdraws") SELECT old_values."airline_id", old_values."applies", old_values."approved_at", old_values."approved_by_id", old_values."authority", old_values."authors", old_values."certification_missing", old_values."code", old_values."compartment", old_values."condition", old_values."confidence", old_values."created_at", old_values."created_by_id", old_values."effect", old_values."effective_from", old_values."effective_until", old_values."id", old_values."issuer", old_values."jurisdiction", old_values."limit_watt_hour", old_values."max_units", _pgh_attached_context.value, NOW(), \'delete\', old_values."id", old_values."published_at", old_values."published_by_id", old_values."quantity_over", old_values."quotes", old_values."recall_status", old_values."revision", old_values."rule_id", old_values."second_approved_at", old_values."second_approved_by_id", old_values."state", old_values."submitted_at", old_values."submitted_by_id", old_values."summary", old_values."watt_hour_at_least", old_values."watt_hour_over", old_values."watt_hour_up_to", old_values."withdraws" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="abc92dbaf7214438edadc3e10a14ffb0737bde18",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_65052",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="rules_rule",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RuleEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("created_at", models.DateTimeField(editable=False)),
                ("id", models.BigIntegerField()),
                ("revision", models.PositiveIntegerField(default=1, editable=False)),
                ("withdraws", models.BooleanField(default=False, editable=False)),
                (
                    "authors",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.IntegerField(), editable=False, size=None
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("in_review", "In Review"),
                            ("approved", "Approved"),
                            ("published", "Published"),
                            ("superseded", "Superseded"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        default="draft",
                        editable=False,
                        max_length=10,
                    ),
                ),
                ("submitted_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("approved_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("second_approved_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("published_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("rule_id", models.CharField(max_length=120)),
                (
                    "issuer",
                    models.CharField(
                        choices=[("regulator", "regulator"), ("airline", "airline")], max_length=10
                    ),
                ),
                ("authority", models.CharField(max_length=200)),
                ("jurisdiction", models.CharField(max_length=4)),
                (
                    "applies",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("global", "global"),
                                ("departure", "departure"),
                                ("arrival", "arrival"),
                                ("domestic", "domestic"),
                                ("operator", "operator"),
                                ("airline", "airline"),
                            ],
                            max_length=10,
                        ),
                        size=None,
                    ),
                ),
                (
                    "watt_hour_over",
                    models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True),
                ),
                (
                    "watt_hour_at_least",
                    models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True),
                ),
                (
                    "watt_hour_up_to",
                    models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True),
                ),
                (
                    "compartment",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("carry_on", "carry on"),
                                ("checked", "checked"),
                                ("on_person", "on person"),
                            ],
                            max_length=20,
                        ),
                        blank=True,
                        null=True,
                        size=None,
                    ),
                ),
                (
                    "recall_status",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("not_affected", "not affected"),
                                ("affected", "affected"),
                                ("serial_unknown", "serial unknown"),
                                ("external_check_required", "external check required"),
                            ],
                            max_length=30,
                        ),
                        blank=True,
                        null=True,
                        size=None,
                    ),
                ),
                (
                    "condition",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[("intact", "intact"), ("damaged", "damaged"), ("unknown", "unknown")],
                            max_length=10,
                        ),
                        blank=True,
                        null=True,
                        size=None,
                    ),
                ),
                (
                    "certification_missing",
                    models.CharField(blank=True, choices=[("CCC", "CCC")], max_length=10, null=True),
                ),
                ("quantity_over", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "effect",
                    models.CharField(
                        choices=[
                            ("permit", "permit"),
                            ("require", "require"),
                            ("prohibit", "prohibit"),
                            ("advise", "advise"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("carry_on_only", "carry on only"),
                            ("max_units", "max units"),
                            ("airline_approval_required", "airline approval required"),
                            ("ccc_mark_required", "ccc mark required"),
                            ("label_required", "label required"),
                            ("terminals_protected", "terminals protected"),
                            ("no_onboard_use", "no onboard use"),
                            ("onboard_use_restricted", "onboard use restricted"),
                            ("no_onboard_recharge", "no onboard recharge"),
                            ("keep_within_reach", "keep within reach"),
                            ("keep_visible", "keep visible"),
                            ("visible_when_in_use", "visible when in use"),
                            ("on_person_or_seat_pocket", "on person or seat pocket"),
                            ("no_overhead_bin", "no overhead bin"),
                            ("remove_before_gate_check", "remove before gate check"),
                            ("switched_off", "switched off"),
                            ("personal_use_only", "personal use only"),
                            ("un38_3_type_tested", "un38 3 type tested"),
                            ("over_watt_hour_limit", "over watt hour limit"),
                            ("recalled_not_permitted", "recalled not permitted"),
                            ("damaged_not_permitted", "damaged not permitted"),
                            ("onboard_use_discouraged", "onboard use discouraged"),
                            ("onboard_use_airline_decides", "onboard use airline decides"),
                            ("overhead_bin_discouraged", "overhead bin discouraged"),
                            ("quantity_advice", "quantity advice"),
                            ("keep_within_reach_advised", "keep within reach advised"),
                            ("ccc_mark_enforcement_varies", "ccc mark enforcement varies"),
                            ("ccc_applies_to_connections", "ccc applies to connections"),
                            ("confiscation_risk", "confiscation risk"),
                        ],
                        max_length=60,
                        null=True,
                    ),
                ),
                ("max_units", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "limit_watt_hour",
                    models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True),
                ),
                ("effective_from", models.DateField(blank=True, null=True)),
                ("effective_until", models.DateField(blank=True, null=True)),
                ("summary", models.TextField()),
                (
                    "confidence",
                    models.CharField(
                        choices=[
                            ("confirmed", "confirmed"),
                            ("reported", "reported"),
                            ("unverified", "unverified"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "quotes",
                    models.JSONField(
                        blank=True, default=list, validators=[rules.editing.models.validate_quotes]
                    ),
                ),
                (
                    "airline",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="catalog.airline",
                    ),
                ),
                (
                    "approved_by",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        db_constraint=False,
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "pgh_context",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="pghistory.context",
                    ),
                ),
                (
                    "pgh_obj",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="events",
                        to="rules.rule",
                    ),
                ),
                (
                    "published_by",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "second_approved_by",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "submitted_by",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                            hash="98cf8fbec788101ea4e2466f87e50bb07e515a09",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_7f668",
                            table="rules_ruleevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RuleEvidence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "rule",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="evidence", to="rules.rule"
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="catalog.source"
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        fields=("rule", "source"),
                        name="rule_evidence_source_once",
                        violation_error_message="names a source twice",
                    ),
                    models.UniqueConstraint(
                        fields=("rule", "position"),
                        name="rule_evidence_position_once",
                        violation_error_message="has two sources in one position",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="goes_with_its_draft",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE owner bigint;",
                            func="\n            FOREACH owner IN ARRAY ARRAY[OLD.rule_id, NEW.rule_id] LOOP\n                IF owner IS NOT NULL THEN\n                    PERFORM FROM rules_rule WHERE id = owner AND state = 'draft' FOR SHARE;\n                    IF NOT FOUND THEN\n                        RAISE EXCEPTION 'the evidence of a revision changes only while it is a draft'\n                            USING ERRCODE = 'restrict_violation';\n                    END IF;\n                END IF;\n            END LOOP;\n            RETURN NULL;\n        ",
                            hash="c20cd5065e979791f77192b0cb5ee388fe518c7b",
                            operation="INSERT OR UPDATE OR DELETE",
                            pgid="pgtrigger_goes_with_its_draft_c262b",
                            table="rules_ruleevidence",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_ruleevidenceevent" ("id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "rule_id", "source_id") SELECT new_values."id", _pgh_attached_context.value, NOW(), \'insert\', new_values."id", new_values."position", new_values."rule_id", new_values."source_id" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="9d8415ed8eaba03b93daac55f0313c517c460a96",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_d116b",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="rules_ruleevidence",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_ruleevidenceevent" ("id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "rule_id", "source_id") SELECT new_values."id", _pgh_attached_context.value, NOW(), \'update\', new_values."id", new_values."position", new_values."rule_id", new_values."source_id" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values.* IS DISTINCT FROM new_values.*) ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="a8324e72d68d43108a8264d4c913fd613ef50a98",
                            level="STATEMENT",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_31a9d",
                            referencing="REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ",
                            table="rules_ruleevidence",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_ruleevidenceevent" ("id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "rule_id", "source_id") SELECT old_values."id", _pgh_attached_context.value, NOW(), \'delete\', old_values."id", old_values."position", old_values."rule_id", old_values."source_id" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="fb196ebd29109fe0e22fd25dd125fea2f8a82c33",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_ffa18",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="rules_ruleevidence",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RuleEvidenceEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("id", models.BigIntegerField()),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "pgh_context",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="pghistory.context",
                    ),
                ),
                (
                    "pgh_obj",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="events",
                        to="rules.ruleevidence",
                    ),
                ),
                (
                    "rule",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="rules.rule",
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="catalog.source",
                    ),
                ),
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                            hash="11628ee2c2bcf588b9d8e84428a7fd1458b7e912",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_03b3e",
                            table="rules_ruleevidenceevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Snapshot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("fingerprint", models.CharField(max_length=64)),
                ("extractor", models.CharField(max_length=60)),
                ("text", models.BinaryField()),
                ("body", models.BinaryField()),
                ("media_type", models.CharField(max_length=100)),
                ("charset", models.CharField(blank=True, max_length=40)),
                ("taken", models.DateTimeField()),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(fields=("fingerprint", "extractor"), name="snapshot_once"),
                    models.CheckConstraint(
                        condition=models.Q(("fingerprint__regex", "^[0-9a-f]{64}$")),
                        name="snapshot_fingerprint_is_a_digest",
                        violation_error_message="64 lower-case hex digits",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="WatchedPage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.CharField(max_length=2000, unique=True)),
                ("host", models.CharField(max_length=262)),
                ("follows_text", models.BooleanField()),
                ("visit_days", models.PositiveSmallIntegerField()),
                ("due", models.DateTimeField(blank=True, null=True)),
                ("visited", models.DateTimeField(blank=True, null=True)),
                ("answered", models.DateTimeField(blank=True, null=True)),
                ("etag", models.CharField(blank=True, max_length=1000)),
                ("last_modified", models.CharField(blank=True, max_length=100)),
                ("final_url", models.CharField(blank=True, max_length=2000)),
                ("newest_since", models.DateTimeField(blank=True, null=True)),
                ("trouble", models.CharField(blank=True, max_length=40)),
                ("trouble_detail", models.TextField(blank=True)),
                ("tries", models.PositiveIntegerField(default=0)),
                ("failed_days", models.PositiveIntegerField(default=0)),
                ("failed_on", models.DateField(blank=True, null=True)),
                ("quotes_digest", models.CharField(blank=True, max_length=64)),
                (
                    "newest",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rules.snapshot",
                    ),
                ),
                (
                    "reviewed",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rules.snapshot",
                    ),
                ),
            ],
            options={
                "ordering": ["url"],
                "default_permissions": ("view", "change"),
                "indexes": [
                    models.Index(
                        condition=models.Q(("due__isnull", False)), fields=["due"], name="pages_that_are_due"
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("visit_days__gt", 0)),
                        name="watched_page_is_visited_every_so_many_days",
                        violation_error_message="`visit_days` is above zero",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("newest__isnull", True), ("newest_since__isnull", True)),
                            models.Q(
                                models.Q(("newest__isnull", True), _negated=True),
                                models.Q(("newest_since__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="watched_page_newest_is_a_pair",
                        violation_error_message="`newest` and `newest_since` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("newest__isnull", True), ("reviewed__isnull", True)),
                            models.Q(
                                models.Q(("newest__isnull", True), _negated=True),
                                models.Q(("reviewed__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="watched_page_begins_reviewed",
                        violation_error_message="`newest` and `reviewed` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("newest__isnull", True), ("answered__isnull", False), _connector="OR"
                        ),
                        name="watched_page_has_answered_where_it_has_a_text",
                        violation_error_message="a page with a text has answered",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Visit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("first", "First"),
                            ("unchanged", "Unchanged"),
                            ("changed", "Changed"),
                            ("answered", "Answered"),
                            ("failed", "Failed"),
                        ],
                        max_length=10,
                    ),
                ),
                ("status", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("trouble", models.CharField(blank=True, max_length=40)),
                ("detail", models.TextField(blank=True)),
                ("fingerprint", models.CharField(blank=True, max_length=64)),
                ("seconds", models.FloatField()),
                ("size", models.PositiveIntegerField(default=0)),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="visits",
                        to="rules.watchedpage",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "default_permissions": ("view",),
                "indexes": [models.Index(fields=["page", "-id"], name="visits_of_a_page")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("outcome__in", ["first", "unchanged", "changed", "answered", "failed"])
                        ),
                        name="visit_outcome_is_known",
                        violation_error_message="`outcome` is one of first, unchanged, changed, answered, failed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("outcome", "failed"), ("trouble__regex", "\\S")),
                            models.Q(("outcome", "failed"), _negated=True),
                            _connector="OR",
                        ),
                        name="visit_failed_says_why",
                        violation_error_message="a visit that failed says why",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="WatchSignal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("quote_gone", "Quote Gone"),
                            ("text_changed", "Text Changed"),
                            ("dead_link", "Dead Link"),
                        ],
                        max_length=20,
                    ),
                ),
                ("quotes", models.JSONField(blank=True, default=list)),
                ("detail", models.TextField(blank=True)),
                ("opened", models.DateTimeField()),
                ("moved", models.DateTimeField()),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("dismissed", "Dismissed"),
                            ("still_true", "Still True"),
                            ("revised", "Revised"),
                            ("came_back", "Came Back"),
                        ],
                        max_length=10,
                    ),
                ),
                ("reason", models.TextField(blank=True)),
                (
                    "after",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rules.snapshot",
                    ),
                ),
                (
                    "before",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rules.snapshot",
                    ),
                ),
                (
                    "closed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="signals",
                        to="rules.watchedpage",
                    ),
                ),
            ],
            options={
                "ordering": ["kind", "opened", "id"],
                "default_permissions": ("view", "change"),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["quote_gone", "text_changed", "dead_link"])),
                        name="watch_signal_kind_is_known",
                        violation_error_message="`kind` is one of quote_gone, text_changed, dead_link",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("outcome__in", ["", "dismissed", "still_true", "revised", "came_back"])
                        ),
                        name="watch_signal_outcome_is_known",
                        violation_error_message="`outcome` is one of , dismissed, still_true, revised, came_back",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("kind__in", ("quote_gone", "text_changed")), ("outcome", "")),
                        fields=("page",),
                        name="watch_signal_one_open_about_a_text",
                        violation_error_message="has an open signal about its text already",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("kind", "dead_link"), ("outcome", "")),
                        fields=("page",),
                        name="watch_signal_one_open_about_a_link",
                        violation_error_message="has an open signal about its link already",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind__in", ("quote_gone", "text_changed")), ("after__isnull", False)),
                            models.Q(
                                models.Q(("kind__in", ("quote_gone", "text_changed")), _negated=True),
                                models.Q(("after__isnull", False), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="watch_signal_about_a_text_shows_it",
                        violation_error_message="a signal about a text, and no other, has the text",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("closed_at__isnull", True), ("closed_by__isnull", True)),
                            models.Q(
                                models.Q(("closed_at__isnull", True), _negated=True),
                                models.Q(("closed_by__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="watch_signal_closing_is_a_pair",
                        violation_error_message="`closed_at` and `closed_by` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("closed_at__isnull", False),
                                ("outcome__in", ("dismissed", "still_true", "revised")),
                            ),
                            models.Q(
                                models.Q(("closed_at__isnull", False), _negated=True),
                                models.Q(
                                    ("outcome__in", ("dismissed", "still_true", "revised")), _negated=True
                                ),
                            ),
                            _connector="OR",
                        ),
                        name="watch_signal_closed_by_somebody",
                        violation_error_message="a signal is closed by somebody, unless it is open or the page came back",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("outcome", "dismissed"), _negated=True),
                            ("reason__regex", "\\S"),
                            _connector="OR",
                        ),
                        name="watch_signal_dismissed_says_why",
                        violation_error_message="dismissing a signal needs a reason",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("opened__lte", models.F("moved"))),
                        name="watch_signal_moved_after_opening",
                        violation_error_message="opened, then moved",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("opened__lte", models.F("closed_at"))),
                        name="watch_signal_closed_after_opening",
                        violation_error_message="opened, then closed",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="rule",
            name="sources",
            field=models.ManyToManyField(
                related_name="rules", through="rules.RuleEvidence", to="catalog.source"
            ),
        ),
        catalog.tables.triggers.InstallTriggers(),
        migrations.RunSQL(PROTECT, UNPROTECT),
    ]
