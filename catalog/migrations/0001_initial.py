import django.contrib.postgres.fields
import django.db.models.deletion
import pgtrigger.compiler
from django.conf import settings
from django.db import migrations, models

import catalog.tables.triggers

# As with the ledger of releases: emptying the table is refused as well, except in a session that says so,
# because transactional tests clean up by TRUNCATE.
PROTECT = """
CREATE FUNCTION catalog_auditentry_is_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' AND current_setting('catalog.audit_log_may_be_emptied', true) = 'yes' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'an entry of the audit log neither changes nor goes away (%)', TG_OP
        USING ERRCODE = 'restrict_violation',
              HINT = 'Only a session that has SET catalog.audit_log_may_be_emptied = ''yes'' may empty the log.';
END
$$;

CREATE TRIGGER catalog_auditentry_stays_as_it_is
    BEFORE UPDATE OR DELETE ON catalog_auditentry
    FOR EACH ROW EXECUTE FUNCTION catalog_auditentry_is_written();

CREATE TRIGGER catalog_auditentry_stays_full
    BEFORE TRUNCATE ON catalog_auditentry
    FOR EACH STATEMENT EXECUTE FUNCTION catalog_auditentry_is_written();
"""

UNPROTECT = """
DROP TRIGGER catalog_auditentry_stays_full ON catalog_auditentry;
DROP TRIGGER catalog_auditentry_stays_as_it_is ON catalog_auditentry;
DROP FUNCTION catalog_auditentry_is_written();
"""


class Migration(migrations.Migration):
    # The earlier migrations, which this one replaces in older databases.
    replaces = [
        ("catalog", "0002_changed"),
        ("catalog", "0003_audit_log_and_history"),
        ("catalog", "0004_second_approval"),
        ("catalog", "0005_verbs_of_roll_back_and_plans"),
        ("catalog", "0006_jobs"),
        ("catalog", "0007_cadence"),
        ("catalog", "0008_chunks"),
        ("catalog", "0009_verb_of_exports"),
    ]

    initial = True

    dependencies = [
        ("auth", "__first__"),
        ("pghistory", "0007_auto_20250421_0444"),
    ]

    operations = [
        migrations.CreateModel(
            name="Brand",
            fields=[
                ("created_at", models.DateTimeField(editable=False)),
                ("changed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("slug", models.CharField(max_length=60, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=60, unique=True)),
                (
                    "changed_by",
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
                "ordering": ["slug"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("changed_at__isnull", True), ("changed_by__isnull", True)),
                            models.Q(
                                models.Q(("changed_at__isnull", True), _negated=True),
                                models.Q(("changed_by__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="brand_change_is_a_pair",
                        violation_error_message="`changed_at` and `changed_by` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("created_at__lte", models.F("changed_at"))),
                        name="brand_changed_after_creation",
                        violation_error_message="a row is not changed before it is written",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("slug__regex", "^[a-z0-9]+(-[a-z0-9]+)*$")),
                        name="brand_slug_is_a_slug",
                        violation_error_message="the slug is lower-case words joined by hyphens",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_brandevent" ("changed_at", "changed_by_id", "created_at", "created_by_id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "slug") SELECT new_values."changed_at", new_values."changed_by_id", new_values."created_at", new_values."created_by_id", new_values."name", _pgh_attached_context.value, NOW(), \'insert\', new_values."slug", new_values."slug" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="6809cac5c96c40da46a1a534bc2719680e10e52f",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_e6d3d",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="catalog_brand",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                            func='INSERT INTO "catalog_brandevent" ("changed_at", "changed_by_id", "created_at", "created_by_id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "slug") VALUES (NEW."changed_at", NEW."changed_by_id", NEW."created_at", NEW."created_by_id", NEW."name", _pgh_attach_context(), NOW(), \'update\', NEW."slug", NEW."slug"); RETURN NULL;',
                            hash="b81378c5681bc70134903aec2944fbe193b58652",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_c06ba",
                            table="catalog_brand",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_brandevent" ("changed_at", "changed_by_id", "created_at", "created_by_id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "slug") SELECT old_values."changed_at", old_values."changed_by_id", old_values."created_at", old_values."created_by_id", old_values."name", _pgh_attached_context.value, NOW(), \'delete\', old_values."slug", old_values."slug" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="81941bd77721bcba191299c89ecddf5fbd73c54b",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_6beb2",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="catalog_brand",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="BrandEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("created_at", models.DateTimeField(editable=False)),
                ("changed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("slug", models.CharField(max_length=60, serialize=False)),
                ("name", models.CharField(max_length=60)),
                (
                    "changed_by",
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
                        to="catalog.brand",
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
                            hash="b1d8c5311e64b5e28bab0c8449eabe0c05b9ab0a",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_95d41",
                            table="catalog_brandevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ChunkedWork",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(editable=False, max_length=40)),
                ("key", models.CharField(editable=False, max_length=100)),
                ("given", models.JSONField(editable=False)),
                ("asked", models.DateTimeField(editable=False)),
                ("sent", models.DateTimeField(editable=False)),
                ("failure", models.TextField(default="", editable=False)),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(fields=("kind", "key"), name="chunked_work_once"),
                    models.CheckConstraint(
                        condition=models.Q(("kind__regex", "\\S")),
                        name="chunked_work_has_a_kind",
                        violation_error_message="work is of some kind",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Chunk",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(editable=False)),
                ("task", models.BinaryField()),
                ("result", models.BinaryField(null=True)),
                ("worker", models.CharField(default="", editable=False, max_length=120)),
                (
                    "work",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pieces",
                        to="catalog.chunkedwork",
                    ),
                ),
            ],
            options={
                "ordering": ["work", "number"],
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(fields=("work", "number"), name="chunk_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("result__isnull", False), models.Q(("worker", ""), _negated=True)),
                            models.Q(models.Q(("result__isnull", False), _negated=True), ("worker", "")),
                            _connector="OR",
                        ),
                        name="chunk_done_names_its_worker",
                        violation_error_message="a chunk names who worked on it, exactly when it is done",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Country",
            fields=[
                ("created_at", models.DateTimeField(editable=False)),
                ("code", models.CharField(max_length=2, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=100)),
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
                "verbose_name_plural": "countries",
                "ordering": ["code"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("code__regex", "^[A-Z]{2}$")),
                        name="country_code_is_upper_case",
                        violation_error_message="the code is two upper-case letters",
                    )
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_countryevent" ("code", "created_at", "created_by_id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") SELECT new_values."code", new_values."created_at", new_values."created_by_id", new_values."name", _pgh_attached_context.value, NOW(), \'insert\', new_values."code" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="1bb1734e356a1e1e397e11e9fa1427df9c5e6582",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_81cd4",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="catalog_country",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                            func='INSERT INTO "catalog_countryevent" ("code", "created_at", "created_by_id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") VALUES (NEW."code", NEW."created_at", NEW."created_by_id", NEW."name", _pgh_attach_context(), NOW(), \'update\', NEW."code"); RETURN NULL;',
                            hash="9899bc1cab94a6a22390bff974ab3510ce86d32e",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_d84b3",
                            table="catalog_country",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_countryevent" ("code", "created_at", "created_by_id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") SELECT old_values."code", old_values."created_at", old_values."created_by_id", old_values."name", _pgh_attached_context.value, NOW(), \'delete\', old_values."code" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="c46a2ef9b36832b192063ba10e529d62e3907b97",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_4ce6e",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="catalog_country",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Airline",
            fields=[
                ("created_at", models.DateTimeField(editable=False)),
                ("changed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("code", models.CharField(max_length=2, primary_key=True, serialize=False)),
                ("icao", models.CharField(max_length=3)),
                ("name", models.CharField(max_length=100)),
                (
                    "changed_by",
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
                    "country",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="airlines",
                        to="catalog.country",
                    ),
                ),
            ],
            options={
                "ordering": ["code"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("changed_at__isnull", True), ("changed_by__isnull", True)),
                            models.Q(
                                models.Q(("changed_at__isnull", True), _negated=True),
                                models.Q(("changed_by__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="airline_change_is_a_pair",
                        violation_error_message="`changed_at` and `changed_by` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("created_at__lte", models.F("changed_at"))),
                        name="airline_changed_after_creation",
                        violation_error_message="a row is not changed before it is written",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("code__regex", "^[A-Z0-9]{2}$")),
                        name="airline_code_is_upper_case",
                        violation_error_message="the code is two upper-case letters or digits",
                    ),
                    models.UniqueConstraint(
                        fields=("icao",),
                        name="airline_icao_once",
                        violation_error_message="another airline has this `icao` code",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("icao__regex", "^[A-Z]{3}$")),
                        name="airline_icao_is_upper_case",
                        violation_error_message="`icao` is three upper-case letters",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_airlineevent" ("changed_at", "changed_by_id", "code", "country_id", "created_at", "created_by_id", "icao", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") SELECT new_values."changed_at", new_values."changed_by_id", new_values."code", new_values."country_id", new_values."created_at", new_values."created_by_id", new_values."icao", new_values."name", _pgh_attached_context.value, NOW(), \'insert\', new_values."code" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="9203bdaaf2063a74a46f89fc34b7ffc40edb9d69",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_3d081",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="catalog_airline",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                            func='INSERT INTO "catalog_airlineevent" ("changed_at", "changed_by_id", "code", "country_id", "created_at", "created_by_id", "icao", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") VALUES (NEW."changed_at", NEW."changed_by_id", NEW."code", NEW."country_id", NEW."created_at", NEW."created_by_id", NEW."icao", NEW."name", _pgh_attach_context(), NOW(), \'update\', NEW."code"); RETURN NULL;',
                            hash="3680f9b6122a552ddac5aee0405448a043c96a4c",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_bc0a3",
                            table="catalog_airline",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_airlineevent" ("changed_at", "changed_by_id", "code", "country_id", "created_at", "created_by_id", "icao", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") SELECT old_values."changed_at", old_values."changed_by_id", old_values."code", old_values."country_id", old_values."created_at", old_values."created_by_id", old_values."icao", old_values."name", _pgh_attached_context.value, NOW(), \'delete\', old_values."code" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="2aa6a80237d90e52d87f4db185f70f4c6cf779ff",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_a30f5",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="catalog_airline",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AirlinePolicy",
            fields=[
                ("created_at", models.DateTimeField(editable=False)),
                ("changed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "airline",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="policy",
                        serialize=False,
                        to="catalog.airline",
                    ),
                ),
                ("policy_url", models.URLField(max_length=2000)),
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
                ("effective_from", models.DateField(blank=True, null=True)),
                ("summary", models.TextField()),
                (
                    "notes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "changed_by",
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
                "verbose_name_plural": "airline policies",
                "ordering": ["airline"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("changed_at__isnull", True), ("changed_by__isnull", True)),
                            models.Q(
                                models.Q(("changed_at__isnull", True), _negated=True),
                                models.Q(("changed_by__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="airlinepolicy_change_is_a_pair",
                        violation_error_message="`changed_at` and `changed_by` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("created_at__lte", models.F("changed_at"))),
                        name="airlinepolicy_changed_after_creation",
                        violation_error_message="a row is not changed before it is written",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("policy_url__regex", "^https?://[^\\s/]+\\.\\S+$")),
                        name="policy_url_is_absolute",
                        violation_error_message="`policy_url` is an absolute web address",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("confidence__in", ["confirmed", "reported", "unverified"])),
                        name="policy_confidence_is_known",
                        violation_error_message="`confidence` is one of confirmed, reported, unverified",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_airlinepolicyevent" ("airline_id", "changed_at", "changed_by_id", "confidence", "created_at", "created_by_id", "effective_from", "notes", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "policy_url", "summary") SELECT new_values."airline_id", new_values."changed_at", new_values."changed_by_id", new_values."confidence", new_values."created_at", new_values."created_by_id", new_values."effective_from", new_values."notes", _pgh_attached_context.value, NOW(), \'insert\', new_values."airline_id", new_values."policy_url", new_values."summary" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="38082b4d41d4f7d1ad41456d77c983f3a6eab6a4",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_e90fb",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="catalog_airlinepolicy",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                            func='INSERT INTO "catalog_airlinepolicyevent" ("airline_id", "changed_at", "changed_by_id", "confidence", "created_at", "created_by_id", "effective_from", "notes", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "policy_url", "summary") VALUES (NEW."airline_id", NEW."changed_at", NEW."changed_by_id", NEW."confidence", NEW."created_at", NEW."created_by_id", NEW."effective_from", NEW."notes", _pgh_attach_context(), NOW(), \'update\', NEW."airline_id", NEW."policy_url", NEW."summary"); RETURN NULL;',
                            hash="c532a50627ab87947f374fdd065e2f57a305a358",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_fa990",
                            table="catalog_airlinepolicy",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_airlinepolicyevent" ("airline_id", "changed_at", "changed_by_id", "confidence", "created_at", "created_by_id", "effective_from", "notes", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "policy_url", "summary") SELECT old_values."airline_id", old_values."changed_at", old_values."changed_by_id", old_values."confidence", old_values."created_at", old_values."created_by_id", old_values."effective_from", old_values."notes", _pgh_attached_context.value, NOW(), \'delete\', old_values."airline_id", old_values."policy_url", old_values."summary" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="61a235e46e3868d73346a8afdab7d28acf247d61",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_2d85e",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="catalog_airlinepolicy",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AirlineEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("created_at", models.DateTimeField(editable=False)),
                ("changed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("code", models.CharField(max_length=2, serialize=False)),
                ("icao", models.CharField(max_length=3)),
                ("name", models.CharField(max_length=100)),
                (
                    "changed_by",
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
                        to="catalog.airline",
                    ),
                ),
                (
                    "country",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="catalog.country",
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
                            hash="7af4aa6db47dfd2dfae38cc880adb117b5923394",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_26d1a",
                            table="catalog_airlineevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CountryEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("created_at", models.DateTimeField(editable=False)),
                ("code", models.CharField(max_length=2, serialize=False)),
                ("name", models.CharField(max_length=100)),
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
                        to="catalog.country",
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
                            hash="60646a654a4036a8706d89bf2d8546955464767c",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_3efe2",
                            table="catalog_countryevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DeadLetter",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("subject", models.CharField(max_length=2000)),
                ("reason", models.TextField()),
                ("tries", models.PositiveIntegerField(default=1)),
                ("first_tried", models.DateTimeField()),
                ("last_tried", models.DateTimeField()),
            ],
            options={
                "ordering": ["name", "-last_tried", "id"],
                "default_permissions": ("view", "change"),
                "constraints": [
                    models.UniqueConstraint(fields=("name", "subject"), name="dead_letter_once"),
                    models.CheckConstraint(
                        condition=models.Q(("first_tried__lte", models.F("last_tried"))),
                        name="dead_letter_dates_in_order",
                        violation_error_message="what was tried again was tried before",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Device",
            fields=[
                ("created_at", models.DateTimeField(editable=False)),
                ("changed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("model_id", models.CharField(max_length=80, primary_key=True, serialize=False)),
                ("model_name", models.CharField(max_length=200)),
                ("model_number", models.CharField(blank=True, max_length=100, null=True)),
                (
                    "aliases",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=200), blank=True, default=list, size=None
                    ),
                ),
                ("capacity_mah", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "nominal_voltage",
                    models.DecimalField(blank=True, decimal_places=2, max_digits=5, null=True),
                ),
                ("watt_hour", models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True)),
                (
                    "watt_hour_basis",
                    models.CharField(
                        choices=[("rated", "rated"), ("computed", "computed"), ("unknown", "unknown")],
                        max_length=10,
                    ),
                ),
                ("release_year", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("notes", models.TextField(blank=True, null=True)),
                (
                    "brand",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="devices",
                        to="catalog.brand",
                    ),
                ),
                (
                    "changed_by",
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
                "ordering": ["model_id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("changed_at__isnull", True), ("changed_by__isnull", True)),
                            models.Q(
                                models.Q(("changed_at__isnull", True), _negated=True),
                                models.Q(("changed_by__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="device_change_is_a_pair",
                        violation_error_message="`changed_at` and `changed_by` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("created_at__lte", models.F("changed_at"))),
                        name="device_changed_after_creation",
                        violation_error_message="a row is not changed before it is written",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("model_id__regex", "^[a-z0-9][a-z0-9-]{1,79}$")),
                        name="device_model_id_is_spelled",
                        violation_error_message="the model id is 2 to 80 lower-case letters, digits and hyphens",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("watt_hour_basis__in", ["rated", "computed", "unknown"])),
                        name="device_watt_hour_basis_is_known",
                        violation_error_message="`watt_hour_basis` is one of rated, computed, unknown",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("capacity_mah__gt", 0)),
                        name="device_capacity_mah_is_positive",
                        violation_error_message="`capacity_mah` is above zero",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("nominal_voltage__gt", 0)),
                        name="device_nominal_voltage_is_positive",
                        violation_error_message="`nominal_voltage` is above zero",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("watt_hour__gt", 0)),
                        name="device_watt_hour_is_positive",
                        violation_error_message="`watt_hour` is above zero",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("watt_hour__isnull", True), ("watt_hour_basis", "unknown")),
                            models.Q(
                                models.Q(("watt_hour__isnull", True), _negated=True),
                                models.Q(("watt_hour_basis", "unknown"), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="device_basis_unknown_without_watt_hour",
                        violation_error_message="the basis is `unknown` exactly where there is no watt-hour figure",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("watt_hour_basis", "computed"), _negated=True),
                            models.Q(("capacity_mah__isnull", False), ("nominal_voltage__isnull", False)),
                            _connector="OR",
                        ),
                        name="device_computed_from_something",
                        violation_error_message="computed watt-hours need mAh and volts",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("release_year__range", (1990, 2100))),
                        name="device_release_year_is_plausible",
                        violation_error_message="`release_year` is between 1990 and 2100",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_deviceevent" ("aliases", "brand_id", "capacity_mah", "changed_at", "changed_by_id", "created_at", "created_by_id", "model_id", "model_name", "model_number", "nominal_voltage", "notes", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "release_year", "watt_hour", "watt_hour_basis") SELECT new_values."aliases", new_values."brand_id", new_values."capacity_mah", new_values."changed_at", new_values."changed_by_id", new_values."created_at", new_values."created_by_id", new_values."model_id", new_values."model_name", new_values."model_number", new_values."nominal_voltage", new_values."notes", _pgh_attached_context.value, NOW(), \'insert\', new_values."model_id", new_values."release_year", new_values."watt_hour", new_values."watt_hour_basis" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="af76d97d9e5cb68d3d70512b0995f64a76b9fb85",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_dbe5b",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="catalog_device",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                            func='INSERT INTO "catalog_deviceevent" ("aliases", "brand_id", "capacity_mah", "changed_at", "changed_by_id", "created_at", "created_by_id", "model_id", "model_name", "model_number", "nominal_voltage", "notes", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "release_year", "watt_hour", "watt_hour_basis") VALUES (NEW."aliases", NEW."brand_id", NEW."capacity_mah", NEW."changed_at", NEW."changed_by_id", NEW."created_at", NEW."created_by_id", NEW."model_id", NEW."model_name", NEW."model_number", NEW."nominal_voltage", NEW."notes", _pgh_attach_context(), NOW(), \'update\', NEW."model_id", NEW."release_year", NEW."watt_hour", NEW."watt_hour_basis"); RETURN NULL;',
                            hash="c503d61bf059794ad223060bb123c64191522a33",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_5f26d",
                            table="catalog_device",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_deviceevent" ("aliases", "brand_id", "capacity_mah", "changed_at", "changed_by_id", "created_at", "created_by_id", "model_id", "model_name", "model_number", "nominal_voltage", "notes", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "release_year", "watt_hour", "watt_hour_basis") SELECT old_values."aliases", old_values."brand_id", old_values."capacity_mah", old_values."changed_at", old_values."changed_by_id", old_values."created_at", old_values."created_by_id", old_values."model_id", old_values."model_name", old_values."model_number", old_values."nominal_voltage", old_values."notes", _pgh_attached_context.value, NOW(), \'delete\', old_values."model_id", old_values."release_year", old_values."watt_hour", old_values."watt_hour_basis" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="670ef92f755b64942335a99afa6022201767cf9f",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_e0129",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="catalog_device",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Certification",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("mark", models.CharField(max_length=40)),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "device",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="certifications",
                        to="catalog.device",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("mark__regex", "^\\S.*$")),
                        name="certification_mark_is_named",
                        violation_error_message="a mark has a name",
                    ),
                    models.UniqueConstraint(
                        fields=("device", "mark"),
                        name="certification_mark_once",
                        violation_error_message="names a certification twice",
                    ),
                    models.UniqueConstraint(
                        fields=("device", "position"),
                        name="certification_position_once",
                        violation_error_message="has two certifications in one position",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_certificationevent" ("device_id", "id", "mark", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position") SELECT new_values."device_id", new_values."id", new_values."mark", _pgh_attached_context.value, NOW(), \'insert\', new_values."id", new_values."position" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="e04be9945bbb1ab9946a8831f537e441cf7c8ea3",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_1375e",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="catalog_certification",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_certificationevent" ("device_id", "id", "mark", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position") SELECT new_values."device_id", new_values."id", new_values."mark", _pgh_attached_context.value, NOW(), \'update\', new_values."id", new_values."position" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values.* IS DISTINCT FROM new_values.*) ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="410c3c86992bbe78a044dd6b9499019e3d2f9d7d",
                            level="STATEMENT",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_dfb9e",
                            referencing="REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ",
                            table="catalog_certification",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_certificationevent" ("device_id", "id", "mark", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position") SELECT old_values."device_id", old_values."id", old_values."mark", _pgh_attached_context.value, NOW(), \'delete\', old_values."id", old_values."position" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="686b4fa82f44d974ef531505ebce4f83e52a98a2",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_b8b30",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="catalog_certification",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CertificationEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("id", models.BigIntegerField()),
                ("mark", models.CharField(max_length=40)),
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
                        to="catalog.certification",
                    ),
                ),
                (
                    "device",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="catalog.device",
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
                            hash="c5ae83695a02f5f5e3bf2e9bf66aec917edd14c0",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_6b2f9",
                            table="catalog_certificationevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DeviceEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("created_at", models.DateTimeField(editable=False)),
                ("changed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("model_id", models.CharField(max_length=80, serialize=False)),
                ("model_name", models.CharField(max_length=200)),
                ("model_number", models.CharField(blank=True, max_length=100, null=True)),
                (
                    "aliases",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=200), blank=True, default=list, size=None
                    ),
                ),
                ("capacity_mah", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "nominal_voltage",
                    models.DecimalField(blank=True, decimal_places=2, max_digits=5, null=True),
                ),
                ("watt_hour", models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True)),
                (
                    "watt_hour_basis",
                    models.CharField(
                        choices=[("rated", "rated"), ("computed", "computed"), ("unknown", "unknown")],
                        max_length=10,
                    ),
                ),
                ("release_year", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("notes", models.TextField(blank=True, null=True)),
                (
                    "brand",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="catalog.brand",
                    ),
                ),
                (
                    "changed_by",
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
                        to="catalog.device",
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
                            hash="47cf2058556b7c80a64a3e51275fc00a8154a6b0",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_b3c1d",
                            table="catalog_deviceevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Jurisdiction",
            fields=[
                ("created_at", models.DateTimeField(editable=False)),
                ("changed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("code", models.CharField(max_length=4, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=100)),
                ("regulator", models.CharField(max_length=200)),
                ("regulator_url", models.URLField(max_length=2000)),
                (
                    "changed_by",
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
                "ordering": ["code"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("changed_at__isnull", True), ("changed_by__isnull", True)),
                            models.Q(
                                models.Q(("changed_at__isnull", True), _negated=True),
                                models.Q(("changed_by__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="jurisdiction_change_is_a_pair",
                        violation_error_message="`changed_at` and `changed_by` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("created_at__lte", models.F("changed_at"))),
                        name="jurisdiction_changed_after_creation",
                        violation_error_message="a row is not changed before it is written",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("code__regex", "^[A-Z]{2,4}$")),
                        name="jurisdiction_code_is_upper_case",
                        violation_error_message="the code is two to four upper-case letters",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("regulator_url__regex", "^https?://[^\\s/]+\\.\\S+$")),
                        name="jurisdiction_regulator_url_is_absolute",
                        violation_error_message="`regulator_url` is an absolute web address",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_jurisdictionevent" ("changed_at", "changed_by_id", "code", "created_at", "created_by_id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "regulator", "regulator_url") SELECT new_values."changed_at", new_values."changed_by_id", new_values."code", new_values."created_at", new_values."created_by_id", new_values."name", _pgh_attached_context.value, NOW(), \'insert\', new_values."code", new_values."regulator", new_values."regulator_url" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="115a6ab8034ef458bff66d3442db36ee95e2a917",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_0cccb",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="catalog_jurisdiction",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                            func='INSERT INTO "catalog_jurisdictionevent" ("changed_at", "changed_by_id", "code", "created_at", "created_by_id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "regulator", "regulator_url") VALUES (NEW."changed_at", NEW."changed_by_id", NEW."code", NEW."created_at", NEW."created_by_id", NEW."name", _pgh_attach_context(), NOW(), \'update\', NEW."code", NEW."regulator", NEW."regulator_url"); RETURN NULL;',
                            hash="45c2d069a184213e76a433740ae61209f509eedb",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_62ac0",
                            table="catalog_jurisdiction",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_jurisdictionevent" ("changed_at", "changed_by_id", "code", "created_at", "created_by_id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "regulator", "regulator_url") SELECT old_values."changed_at", old_values."changed_by_id", old_values."code", old_values."created_at", old_values."created_by_id", old_values."name", _pgh_attached_context.value, NOW(), \'delete\', old_values."code", old_values."regulator", old_values."regulator_url" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="d3b2bc362793e072a712f6674c67c951934ffe97",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_2b1ad",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="catalog_jurisdiction",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="JurisdictionEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("created_at", models.DateTimeField(editable=False)),
                ("changed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("code", models.CharField(max_length=4, serialize=False)),
                ("name", models.CharField(max_length=100)),
                ("regulator", models.CharField(max_length=200)),
                ("regulator_url", models.URLField(max_length=2000)),
                (
                    "changed_by",
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
                        to="catalog.jurisdiction",
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
                            hash="340cbc550c55e52ce8523fca3ab438d73f8d7c70",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_98dde",
                            table="catalog_jurisdictionevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="catalog.jurisdiction",
                    ),
                ),
                (
                    "region",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="catalog.jurisdiction",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("member", "region"),
                        name="membership_region_once",
                        violation_error_message="is a member of a region twice",
                    ),
                    models.UniqueConstraint(
                        fields=("member", "position"),
                        name="membership_position_once",
                        violation_error_message="has two regions in one position",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("member", models.F("region")), _negated=True),
                        name="membership_is_not_of_itself",
                        violation_error_message="a jurisdiction is not a member of itself",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_membershipevent" ("id", "member_id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "region_id") SELECT new_values."id", new_values."member_id", _pgh_attached_context.value, NOW(), \'insert\', new_values."id", new_values."position", new_values."region_id" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="6527b390ff8cc802b8e56d5fa91c1c08aa8589c4",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_7e5fb",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="catalog_membership",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_membershipevent" ("id", "member_id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "region_id") SELECT new_values."id", new_values."member_id", _pgh_attached_context.value, NOW(), \'update\', new_values."id", new_values."position", new_values."region_id" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values.* IS DISTINCT FROM new_values.*) ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="92df3cc3c91769b13352db31c3a0c7e451ce43d1",
                            level="STATEMENT",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_7627c",
                            referencing="REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ",
                            table="catalog_membership",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_membershipevent" ("id", "member_id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "region_id") SELECT old_values."id", old_values."member_id", _pgh_attached_context.value, NOW(), \'delete\', old_values."id", old_values."position", old_values."region_id" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="4b6157778e51171c09b9445544432c666f9a91cb",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_35b6d",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="catalog_membership",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MembershipEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("id", models.BigIntegerField()),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "member",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="catalog.jurisdiction",
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
                        to="catalog.membership",
                    ),
                ),
                (
                    "region",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="catalog.jurisdiction",
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
                            hash="05e97d0f1616f8fa9f3b9a97e8a9a74bc825f226",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_00bb1",
                            table="catalog_membershipevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Run",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("started", models.DateTimeField()),
                ("seen", models.DateTimeField()),
                ("ended", models.DateTimeField(blank=True, null=True)),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("interrupted", "Interrupted"),
                        ],
                        default="running",
                        max_length=12,
                    ),
                ),
                ("total", models.PositiveIntegerField(blank=True, null=True)),
                ("counts", models.JSONField(blank=True, default=dict)),
                ("note", models.TextField(blank=True)),
            ],
            options={
                "ordering": ["-id"],
                "default_permissions": ("view",),
                "indexes": [models.Index(fields=["name", "-id"], name="runs_of_a_job")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("outcome__in", ["running", "done", "failed", "interrupted"])),
                        name="run_outcome_is_known",
                        violation_error_message="`outcome` is one of running, done, failed, interrupted",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("outcome", "running"), ("ended__isnull", True)),
                            models.Q(
                                models.Q(("outcome", "running"), _negated=True),
                                models.Q(("ended__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="run_ends_once",
                        violation_error_message="a run has ended exactly when it is no longer running",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("outcome", "failed"), _negated=True),
                            ("note__regex", "\\S"),
                            _connector="OR",
                        ),
                        name="run_failed_says_why",
                        violation_error_message="a run that failed says why",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("started__lte", models.F("seen"))),
                        name="run_beats_after_its_start",
                        violation_error_message="a run is not seen before it starts",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Source",
            fields=[
                ("created_at", models.DateTimeField(editable=False)),
                ("changed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("id", models.CharField(max_length=80, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("regulator", "regulator"),
                            ("airline", "airline"),
                            ("manufacturer", "manufacturer"),
                            ("news", "news"),
                        ],
                        max_length=20,
                    ),
                ),
                ("authority", models.CharField(max_length=200)),
                ("jurisdiction", models.CharField(max_length=4)),
                ("url", models.URLField(max_length=2000)),
                ("title", models.CharField(max_length=500)),
                (
                    "basis",
                    models.CharField(
                        choices=[
                            ("official_page_read", "official page read"),
                            ("secondary_read", "secondary read"),
                            ("general_knowledge", "general knowledge"),
                        ],
                        max_length=20,
                    ),
                ),
                ("read_url", models.CharField(blank=True, max_length=2000, null=True)),
                ("page_date", models.DateField(blank=True, null=True)),
                ("read_on", models.DateField()),
                (
                    "cadence",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("daily", "daily"),
                            ("weekly", "weekly"),
                            ("monthly", "monthly"),
                            ("quarterly", "quarterly"),
                        ],
                        max_length=20,
                        null=True,
                    ),
                ),
                (
                    "changed_by",
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
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("changed_at__isnull", True), ("changed_by__isnull", True)),
                            models.Q(
                                models.Q(("changed_at__isnull", True), _negated=True),
                                models.Q(("changed_by__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="source_change_is_a_pair",
                        violation_error_message="`changed_at` and `changed_by` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("created_at__lte", models.F("changed_at"))),
                        name="source_changed_after_creation",
                        violation_error_message="a row is not changed before it is written",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("id__regex", "^[a-z0-9]+(-[a-z0-9]+)*$")),
                        name="source_id_is_a_slug",
                        violation_error_message="the id is lower-case words joined by hyphens",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["regulator", "airline", "manufacturer", "news"])),
                        name="source_kind_is_known",
                        violation_error_message="`kind` is one of regulator, airline, manufacturer, news",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("basis__in", ["official_page_read", "secondary_read", "general_knowledge"])
                        ),
                        name="source_basis_is_known",
                        violation_error_message="`basis` is one of official_page_read, secondary_read, general_knowledge",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("cadence__in", ["daily", "weekly", "monthly", "quarterly"])),
                        name="source_cadence_is_known",
                        violation_error_message="`cadence` is one of daily, weekly, monthly, quarterly",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("jurisdiction__regex", "^[A-Z]{2,4}$")),
                        name="source_jurisdiction_is_upper_case",
                        violation_error_message="the jurisdiction is two to four upper-case letters",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("url__regex", "^https?://[^\\s/]+\\.\\S+$")),
                        name="source_url_is_absolute",
                        violation_error_message="`url` is an absolute web address",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("read_url__regex", "^(https?://|urn:)\\S+$")),
                        name="source_read_url_is_absolute",
                        violation_error_message="`read_url` is an absolute web address or a `urn:`",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("page_date__lte", models.F("read_on"))),
                        name="source_dates_in_order",
                        violation_error_message="a page is not read before the date that it bears",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_sourceevent" ("authority", "basis", "cadence", "changed_at", "changed_by_id", "created_at", "created_by_id", "id", "jurisdiction", "kind", "page_date", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "read_on", "read_url", "title", "url") SELECT new_values."authority", new_values."basis", new_values."cadence", new_values."changed_at", new_values."changed_by_id", new_values."created_at", new_values."created_by_id", new_values."id", new_values."jurisdiction", new_values."kind", new_values."page_date", _pgh_attached_context.value, NOW(), \'insert\', new_values."id", new_values."read_on", new_values."read_url", new_values."title", new_values."url" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="1afad37ecce69b6a32deb50f227dac542fd0e173",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_b96d2",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="catalog_source",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                            func='INSERT INTO "catalog_sourceevent" ("authority", "basis", "cadence", "changed_at", "changed_by_id", "created_at", "created_by_id", "id", "jurisdiction", "kind", "page_date", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "read_on", "read_url", "title", "url") VALUES (NEW."authority", NEW."basis", NEW."cadence", NEW."changed_at", NEW."changed_by_id", NEW."created_at", NEW."created_by_id", NEW."id", NEW."jurisdiction", NEW."kind", NEW."page_date", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."read_on", NEW."read_url", NEW."title", NEW."url"); RETURN NULL;',
                            hash="c5e1a70c0891a110cd6542268356f2c909799660",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_9fccd",
                            table="catalog_source",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_sourceevent" ("authority", "basis", "cadence", "changed_at", "changed_by_id", "created_at", "created_by_id", "id", "jurisdiction", "kind", "page_date", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "read_on", "read_url", "title", "url") SELECT old_values."authority", old_values."basis", old_values."cadence", old_values."changed_at", old_values."changed_by_id", old_values."created_at", old_values."created_by_id", old_values."id", old_values."jurisdiction", old_values."kind", old_values."page_date", _pgh_attached_context.value, NOW(), \'delete\', old_values."id", old_values."read_on", old_values."read_url", old_values."title", old_values."url" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="321f41ef52eb89b9177bdf2f37967a34bd02541a",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_903bd",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="catalog_source",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DeviceEvidence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "device",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="evidence",
                        to="catalog.device",
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
                        fields=("device", "source"),
                        name="device_evidence_source_once",
                        violation_error_message="names a source twice",
                    ),
                    models.UniqueConstraint(
                        fields=("device", "position"),
                        name="device_evidence_position_once",
                        violation_error_message="has two sources in one position",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_deviceevidenceevent" ("device_id", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "source_id") SELECT new_values."device_id", new_values."id", _pgh_attached_context.value, NOW(), \'insert\', new_values."id", new_values."position", new_values."source_id" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="3c398c2559cbbde33957947038a7535ff7a12ae0",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_10337",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="catalog_deviceevidence",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_deviceevidenceevent" ("device_id", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "source_id") SELECT new_values."device_id", new_values."id", _pgh_attached_context.value, NOW(), \'update\', new_values."id", new_values."position", new_values."source_id" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values.* IS DISTINCT FROM new_values.*) ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="a0b3ff11b14a6f19cf37bb0d2d4d363f24df2993",
                            level="STATEMENT",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_005a7",
                            referencing="REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ",
                            table="catalog_deviceevidence",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_deviceevidenceevent" ("device_id", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "source_id") SELECT old_values."device_id", old_values."id", _pgh_attached_context.value, NOW(), \'delete\', old_values."id", old_values."position", old_values."source_id" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="4e7f03501f03832cdad2d2edc03763ade75a4315",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_7183d",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="catalog_deviceevidence",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PolicyChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(editable=False)),
                ("date", models.DateField()),
                ("what", models.TextField()),
                ("position", models.PositiveSmallIntegerField()),
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
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="policy_changes",
                        to="catalog.source",
                    ),
                ),
                (
                    "policy",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="catalog.airlinepolicy",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("policy", "position"),
                        name="policy_change_position_once",
                        violation_error_message="has two changes in one position",
                    )
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_policychangeevent" ("created_at", "created_by_id", "date", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "policy_id", "position", "source_id", "what") SELECT new_values."created_at", new_values."created_by_id", new_values."date", new_values."id", _pgh_attached_context.value, NOW(), \'insert\', new_values."id", new_values."policy_id", new_values."position", new_values."source_id", new_values."what" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="742a8d32a2f9b003e0e43efb15167de80a3ebf4b",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_083b1",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="catalog_policychange",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_policychangeevent" ("created_at", "created_by_id", "date", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "policy_id", "position", "source_id", "what") SELECT new_values."created_at", new_values."created_by_id", new_values."date", new_values."id", _pgh_attached_context.value, NOW(), \'update\', new_values."id", new_values."policy_id", new_values."position", new_values."source_id", new_values."what" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values.* IS DISTINCT FROM new_values.*) ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="f92d1d42cb85b792a437569ee251845666260a36",
                            level="STATEMENT",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_02e90",
                            referencing="REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ",
                            table="catalog_policychange",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_policychangeevent" ("created_at", "created_by_id", "date", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "policy_id", "position", "source_id", "what") SELECT old_values."created_at", old_values."created_by_id", old_values."date", old_values."id", _pgh_attached_context.value, NOW(), \'delete\', old_values."id", old_values."policy_id", old_values."position", old_values."source_id", old_values."what" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="fdd32cb3cfa6ef78b74aa81dba812f8fbf041e25",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_d97e0",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="catalog_policychange",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DeviceEvidenceEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("id", models.BigIntegerField()),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "device",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="catalog.device",
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
                        to="catalog.deviceevidence",
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
                            hash="72ad9eb7c2122246382d74157ace77bcc8b5ad94",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_c461b",
                            table="catalog_deviceevidenceevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AirlinePolicyEvidence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="catalog.source"
                    ),
                ),
                (
                    "policy",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="evidence",
                        to="catalog.airlinepolicy",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        fields=("policy", "source"),
                        name="policy_evidence_source_once",
                        violation_error_message="names a source twice",
                    ),
                    models.UniqueConstraint(
                        fields=("policy", "position"),
                        name="policy_evidence_position_once",
                        violation_error_message="has two sources in one position",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_airlinepolicyevidenceevent" ("id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "policy_id", "position", "source_id") SELECT new_values."id", _pgh_attached_context.value, NOW(), \'insert\', new_values."id", new_values."policy_id", new_values."position", new_values."source_id" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="96d3958071b0590200b026e883276ba4767b1c4c",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_59cee",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="catalog_airlinepolicyevidence",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_airlinepolicyevidenceevent" ("id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "policy_id", "position", "source_id") SELECT new_values."id", _pgh_attached_context.value, NOW(), \'update\', new_values."id", new_values."policy_id", new_values."position", new_values."source_id" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values.* IS DISTINCT FROM new_values.*) ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="37d8f491935105ea19e6396ac80358b3909bd7ed",
                            level="STATEMENT",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_83ceb",
                            referencing="REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ",
                            table="catalog_airlinepolicyevidence",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_airlinepolicyevidenceevent" ("id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "policy_id", "position", "source_id") SELECT old_values."id", _pgh_attached_context.value, NOW(), \'delete\', old_values."id", old_values."policy_id", old_values."position", old_values."source_id" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="fde939683ac82546a0d0a871c9e0b3b0aac718e7",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_68dfe",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="catalog_airlinepolicyevidence",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SourceEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("created_at", models.DateTimeField(editable=False)),
                ("changed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("id", models.CharField(max_length=80, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("regulator", "regulator"),
                            ("airline", "airline"),
                            ("manufacturer", "manufacturer"),
                            ("news", "news"),
                        ],
                        max_length=20,
                    ),
                ),
                ("authority", models.CharField(max_length=200)),
                ("jurisdiction", models.CharField(max_length=4)),
                ("url", models.URLField(max_length=2000)),
                ("title", models.CharField(max_length=500)),
                (
                    "basis",
                    models.CharField(
                        choices=[
                            ("official_page_read", "official page read"),
                            ("secondary_read", "secondary read"),
                            ("general_knowledge", "general knowledge"),
                        ],
                        max_length=20,
                    ),
                ),
                ("read_url", models.CharField(blank=True, max_length=2000, null=True)),
                ("page_date", models.DateField(blank=True, null=True)),
                ("read_on", models.DateField()),
                (
                    "cadence",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("daily", "daily"),
                            ("weekly", "weekly"),
                            ("monthly", "monthly"),
                            ("quarterly", "quarterly"),
                        ],
                        max_length=20,
                        null=True,
                    ),
                ),
                (
                    "changed_by",
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
                            hash="15f92ac55f0dc0d1e345a35710bd37f0bd6b0a26",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_2b662",
                            table="catalog_sourceevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PolicyChangeEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("id", models.BigIntegerField()),
                ("created_at", models.DateTimeField(editable=False)),
                ("date", models.DateField()),
                ("what", models.TextField()),
                ("position", models.PositiveSmallIntegerField()),
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
                        to="catalog.policychange",
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
                (
                    "policy",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="catalog.airlinepolicy",
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
                            hash="9c05a9fd6bd5331072171bfc6f26854d942b3ba6",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_5cff4",
                            table="catalog_policychangeevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AirlinePolicyEvidenceEvent",
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
                        to="catalog.airlinepolicyevidence",
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
                (
                    "policy",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="catalog.airlinepolicy",
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
                            hash="c223b3d540d8e144bac5e9fbcd9d927e1546339f",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_af2fe",
                            table="catalog_airlinepolicyevidenceevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AirlinePolicyEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("created_at", models.DateTimeField(editable=False)),
                ("changed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("policy_url", models.URLField(max_length=2000)),
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
                ("effective_from", models.DateField(blank=True, null=True)),
                ("summary", models.TextField()),
                (
                    "notes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "airline",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        serialize=False,
                        to="catalog.airline",
                    ),
                ),
                (
                    "changed_by",
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
                        to="catalog.airlinepolicy",
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
                            hash="6cb0b5151f51574aa7041b69ce36e967abc23a10",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_d8094",
                            table="catalog_airlinepolicyevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("done_at", models.DateTimeField(editable=False)),
                (
                    "verb",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("revise", "Revise"),
                            ("withdraw", "Withdraw"),
                            ("change", "Change"),
                            ("discard", "Discard"),
                            ("submit", "Submit"),
                            ("return", "Return"),
                            ("approve", "Approve"),
                            ("approve_again", "Approve Again"),
                            ("take_back", "Take Back"),
                            ("publish", "Publish"),
                            ("supersede", "Supersede"),
                            ("end", "End"),
                            ("accept", "Accept"),
                            ("reopen", "Reopen"),
                            ("roll_back", "Roll Back"),
                            ("renumber", "Renumber"),
                            ("hold_back", "Hold Back"),
                            ("let_go", "Let Go"),
                            ("plan", "Plan"),
                            ("cancel", "Cancel"),
                            ("confirm", "Confirm"),
                            ("dismiss", "Dismiss"),
                            ("retry", "Retry"),
                            ("export", "Export"),
                        ],
                        editable=False,
                        max_length=20,
                    ),
                ),
                ("kind", models.CharField(editable=False, max_length=20)),
                ("subject", models.CharField(editable=False, max_length=300)),
                ("revision", models.PositiveIntegerField(editable=False, null=True)),
                ("reason", models.TextField(editable=False)),
                ("details", models.JSONField(default=dict, editable=False)),
                (
                    "done_by",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "audit entries",
                "ordering": ["id"],
                "default_permissions": ("view",),
                "indexes": [models.Index(fields=["kind", "subject"], name="audit_entries_of_a_record")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "verb__in",
                                [
                                    "draft",
                                    "revise",
                                    "withdraw",
                                    "change",
                                    "discard",
                                    "submit",
                                    "return",
                                    "approve",
                                    "approve_again",
                                    "take_back",
                                    "publish",
                                    "supersede",
                                    "end",
                                    "accept",
                                    "reopen",
                                    "roll_back",
                                    "renumber",
                                    "hold_back",
                                    "let_go",
                                    "plan",
                                    "cancel",
                                    "confirm",
                                    "dismiss",
                                    "retry",
                                    "export",
                                ],
                            )
                        ),
                        name="audit_entry_verb_is_known",
                        violation_error_message="`verb` is one of draft, revise, withdraw, change, discard, submit, return, approve, approve_again, take_back, publish, supersede, end, accept, reopen, roll_back, renumber, hold_back, let_go, plan, cancel, confirm, dismiss, retry, export",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                (
                                    "verb__in",
                                    (
                                        "revise",
                                        "withdraw",
                                        "discard",
                                        "return",
                                        "take_back",
                                        "accept",
                                        "roll_back",
                                        "dismiss",
                                        "export",
                                    ),
                                ),
                                _negated=True,
                            ),
                            ("reason__regex", "\\S"),
                            _connector="OR",
                        ),
                        name="audit_entry_says_why",
                        violation_error_message="revise, withdraw, discard, return, take_back, accept, roll_back, dismiss, export need a reason",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="jurisdiction",
            name="member_of",
            field=models.ManyToManyField(
                blank=True, related_name="members", through="catalog.Membership", to="catalog.jurisdiction"
            ),
        ),
        migrations.AddField(
            model_name="device",
            name="sources",
            field=models.ManyToManyField(
                related_name="devices", through="catalog.DeviceEvidence", to="catalog.source"
            ),
        ),
        migrations.AddField(
            model_name="airlinepolicy",
            name="sources",
            field=models.ManyToManyField(
                related_name="airline_policies", through="catalog.AirlinePolicyEvidence", to="catalog.source"
            ),
        ),
        catalog.tables.triggers.InstallTriggers(),
        migrations.RunSQL(PROTECT, UNPROTECT),
    ]
