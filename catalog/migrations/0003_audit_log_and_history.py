import django.contrib.postgres.fields
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models

from catalog.models.history import begin_history

# As with the ledger of releases: emptying the table is refused as well, except in a session that says so, for
# transactional tests clean up by TRUNCATE.
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
    dependencies = [
        ("catalog", "0002_changed"),
        ("pghistory", "0007_auto_20250421_0444"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AirlineEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("created_at", models.DateTimeField(editable=False)),
                ("code", models.CharField(max_length=2, serialize=False)),
                ("icao", models.CharField(max_length=3)),
                ("name", models.CharField(max_length=100)),
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="AirlinePolicyEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("created_at", models.DateTimeField(editable=False)),
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
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
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
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
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
                            ("take_back", "Take Back"),
                            ("publish", "Publish"),
                            ("supersede", "Supersede"),
                            ("end", "End"),
                            ("accept", "Accept"),
                            ("reopen", "Reopen"),
                        ],
                        editable=False,
                        max_length=10,
                    ),
                ),
                ("kind", models.CharField(editable=False, max_length=10)),
                ("subject", models.CharField(editable=False, max_length=300)),
                ("revision", models.PositiveIntegerField(editable=False, null=True)),
                ("reason", models.TextField(editable=False)),
                ("details", models.JSONField(default=dict, editable=False)),
            ],
            options={
                "verbose_name_plural": "audit entries",
                "ordering": ["id"],
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="BrandEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("created_at", models.DateTimeField(editable=False)),
                ("slug", models.CharField(max_length=60, serialize=False)),
                ("name", models.CharField(max_length=60)),
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
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
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
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
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="DeviceEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("created_at", models.DateTimeField(editable=False)),
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
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
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
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="JurisdictionEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("created_at", models.DateTimeField(editable=False)),
                ("code", models.CharField(max_length=4, serialize=False)),
                ("name", models.CharField(max_length=100)),
                ("regulator", models.CharField(max_length=200)),
                ("regulator_url", models.URLField(max_length=2000)),
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
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
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
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
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="SourceEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("created_at", models.DateTimeField(editable=False)),
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
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="airlinepolicyevidence",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="airlinepolicyevidence",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="airlinepolicyevidence",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="certification",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="certification",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="certification",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="country",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="country",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="country",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="deviceevidence",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="deviceevidence",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="deviceevidence",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="membership",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="membership",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="membership",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="policychange",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="policychange",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="policychange",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        migrations.AddField(
            model_name="airlineevent",
            name="country",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="catalog.country",
            ),
        ),
        migrations.AddField(
            model_name="airlineevent",
            name="created_by",
            field=models.ForeignKey(
                db_constraint=False,
                editable=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="airlineevent",
            name="pgh_context",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="pghistory.context",
            ),
        ),
        migrations.AddField(
            model_name="airlineevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="catalog.airline",
            ),
        ),
        migrations.AddField(
            model_name="airlinepolicyevent",
            name="airline",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                serialize=False,
                to="catalog.airline",
            ),
        ),
        migrations.AddField(
            model_name="airlinepolicyevent",
            name="created_by",
            field=models.ForeignKey(
                db_constraint=False,
                editable=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="airlinepolicyevent",
            name="pgh_context",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="pghistory.context",
            ),
        ),
        migrations.AddField(
            model_name="airlinepolicyevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="catalog.airlinepolicy",
            ),
        ),
        migrations.AddField(
            model_name="airlinepolicyevidenceevent",
            name="pgh_context",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="pghistory.context",
            ),
        ),
        migrations.AddField(
            model_name="airlinepolicyevidenceevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="catalog.airlinepolicyevidence",
            ),
        ),
        migrations.AddField(
            model_name="airlinepolicyevidenceevent",
            name="policy",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="catalog.airlinepolicy",
            ),
        ),
        migrations.AddField(
            model_name="airlinepolicyevidenceevent",
            name="source",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="catalog.source",
            ),
        ),
        migrations.AddField(
            model_name="auditentry",
            name="done_by",
            field=models.ForeignKey(
                editable=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="brandevent",
            name="created_by",
            field=models.ForeignKey(
                db_constraint=False,
                editable=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="brandevent",
            name="pgh_context",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="pghistory.context",
            ),
        ),
        migrations.AddField(
            model_name="brandevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="catalog.brand",
            ),
        ),
        migrations.AddField(
            model_name="certificationevent",
            name="device",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="catalog.device",
            ),
        ),
        migrations.AddField(
            model_name="certificationevent",
            name="pgh_context",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="pghistory.context",
            ),
        ),
        migrations.AddField(
            model_name="certificationevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="catalog.certification",
            ),
        ),
        migrations.AddField(
            model_name="countryevent",
            name="created_by",
            field=models.ForeignKey(
                db_constraint=False,
                editable=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="countryevent",
            name="pgh_context",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="pghistory.context",
            ),
        ),
        migrations.AddField(
            model_name="countryevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="catalog.country",
            ),
        ),
        migrations.AddField(
            model_name="deviceevent",
            name="brand",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="catalog.brand",
            ),
        ),
        migrations.AddField(
            model_name="deviceevent",
            name="created_by",
            field=models.ForeignKey(
                db_constraint=False,
                editable=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="deviceevent",
            name="pgh_context",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="pghistory.context",
            ),
        ),
        migrations.AddField(
            model_name="deviceevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="catalog.device",
            ),
        ),
        migrations.AddField(
            model_name="deviceevidenceevent",
            name="device",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="catalog.device",
            ),
        ),
        migrations.AddField(
            model_name="deviceevidenceevent",
            name="pgh_context",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="pghistory.context",
            ),
        ),
        migrations.AddField(
            model_name="deviceevidenceevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="catalog.deviceevidence",
            ),
        ),
        migrations.AddField(
            model_name="deviceevidenceevent",
            name="source",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="catalog.source",
            ),
        ),
        migrations.AddField(
            model_name="jurisdictionevent",
            name="created_by",
            field=models.ForeignKey(
                db_constraint=False,
                editable=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="jurisdictionevent",
            name="pgh_context",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="pghistory.context",
            ),
        ),
        migrations.AddField(
            model_name="jurisdictionevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="catalog.jurisdiction",
            ),
        ),
        migrations.AddField(
            model_name="membershipevent",
            name="member",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="catalog.jurisdiction",
            ),
        ),
        migrations.AddField(
            model_name="membershipevent",
            name="pgh_context",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="pghistory.context",
            ),
        ),
        migrations.AddField(
            model_name="membershipevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="catalog.membership",
            ),
        ),
        migrations.AddField(
            model_name="membershipevent",
            name="region",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="catalog.jurisdiction",
            ),
        ),
        migrations.AddField(
            model_name="policychangeevent",
            name="created_by",
            field=models.ForeignKey(
                db_constraint=False,
                editable=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="policychangeevent",
            name="pgh_context",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="pghistory.context",
            ),
        ),
        migrations.AddField(
            model_name="policychangeevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="catalog.policychange",
            ),
        ),
        migrations.AddField(
            model_name="policychangeevent",
            name="policy",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="catalog.airlinepolicy",
            ),
        ),
        migrations.AddField(
            model_name="policychangeevent",
            name="source",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="catalog.source",
            ),
        ),
        migrations.AddField(
            model_name="sourceevent",
            name="created_by",
            field=models.ForeignKey(
                db_constraint=False,
                editable=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="sourceevent",
            name="pgh_context",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="pghistory.context",
            ),
        ),
        migrations.AddField(
            model_name="sourceevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="catalog.source",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="airlineevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="7af4aa6db47dfd2dfae38cc880adb117b5923394",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_26d1a",
                    table="catalog_airlineevent",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="airlinepolicyevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="6cb0b5151f51574aa7041b69ce36e967abc23a10",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_d8094",
                    table="catalog_airlinepolicyevent",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="airlinepolicyevidenceevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="c223b3d540d8e144bac5e9fbcd9d927e1546339f",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_af2fe",
                    table="catalog_airlinepolicyevidenceevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="auditentry",
            index=models.Index(fields=["kind", "subject"], name="audit_entries_of_a_record"),
        ),
        migrations.AddConstraint(
            model_name="auditentry",
            constraint=models.CheckConstraint(
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
                            "take_back",
                            "publish",
                            "supersede",
                            "end",
                            "accept",
                            "reopen",
                        ],
                    )
                ),
                name="audit_entry_verb_is_known",
                violation_error_message="`verb` is one of draft, revise, withdraw, change, discard, submit, return, approve, take_back, publish, supersede, end, accept, reopen",
            ),
        ),
        migrations.AddConstraint(
            model_name="auditentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("verb__in", ("revise", "withdraw", "discard", "return", "take_back", "accept")),
                        _negated=True,
                    ),
                    ("reason__regex", "\\S"),
                    _connector="OR",
                ),
                name="audit_entry_says_why",
                violation_error_message="revise, withdraw, discard, return, take_back, accept need a reason",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="brandevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="b1d8c5311e64b5e28bab0c8449eabe0c05b9ab0a",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_95d41",
                    table="catalog_brandevent",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="certificationevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="c5ae83695a02f5f5e3bf2e9bf66aec917edd14c0",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_6b2f9",
                    table="catalog_certificationevent",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="countryevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="60646a654a4036a8706d89bf2d8546955464767c",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_3efe2",
                    table="catalog_countryevent",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="deviceevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="47cf2058556b7c80a64a3e51275fc00a8154a6b0",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_b3c1d",
                    table="catalog_deviceevent",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="deviceevidenceevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="72ad9eb7c2122246382d74157ace77bcc8b5ad94",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_c461b",
                    table="catalog_deviceevidenceevent",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="jurisdictionevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="340cbc550c55e52ce8523fca3ab438d73f8d7c70",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_98dde",
                    table="catalog_jurisdictionevent",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="membershipevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="05e97d0f1616f8fa9f3b9a97e8a9a74bc825f226",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_00bb1",
                    table="catalog_membershipevent",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="policychangeevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="9c05a9fd6bd5331072171bfc6f26854d942b3ba6",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_5cff4",
                    table="catalog_policychangeevent",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="sourceevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="15f92ac55f0dc0d1e345a35710bd37f0bd6b0a26",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_2b662",
                    table="catalog_sourceevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddField(
            model_name="airlineevent",
            name="changed_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="airlineevent",
            name="changed_by",
            field=models.ForeignKey(
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
        migrations.AddField(
            model_name="airlinepolicyevent",
            name="changed_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="airlinepolicyevent",
            name="changed_by",
            field=models.ForeignKey(
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
        migrations.AddField(
            model_name="brandevent",
            name="changed_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="brandevent",
            name="changed_by",
            field=models.ForeignKey(
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
        migrations.AddField(
            model_name="deviceevent",
            name="changed_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="deviceevent",
            name="changed_by",
            field=models.ForeignKey(
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
        migrations.AddField(
            model_name="jurisdictionevent",
            name="changed_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="jurisdictionevent",
            name="changed_by",
            field=models.ForeignKey(
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
        migrations.AddField(
            model_name="sourceevent",
            name="changed_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="sourceevent",
            name="changed_by",
            field=models.ForeignKey(
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
        pgtrigger.migrations.AddTrigger(
            model_name="airline",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="airline",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="airline",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="airlinepolicy",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="airlinepolicy",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="airlinepolicy",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="brand",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="brand",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="brand",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="device",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="device",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="device",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="jurisdiction",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="jurisdiction",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="jurisdiction",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="source",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_sourceevent" ("authority", "basis", "changed_at", "changed_by_id", "created_at", "created_by_id", "id", "jurisdiction", "kind", "page_date", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "read_on", "read_url", "title", "url") SELECT new_values."authority", new_values."basis", new_values."changed_at", new_values."changed_by_id", new_values."created_at", new_values."created_by_id", new_values."id", new_values."jurisdiction", new_values."kind", new_values."page_date", _pgh_attached_context.value, NOW(), \'insert\', new_values."id", new_values."read_on", new_values."read_url", new_values."title", new_values."url" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                    hash="b26b81b7e5f1d56a1bfe79683f49283f5a27477f",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_b96d2",
                    referencing="REFERENCING NEW TABLE AS new_values ",
                    table="catalog_source",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="source",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "catalog_sourceevent" ("authority", "basis", "changed_at", "changed_by_id", "created_at", "created_by_id", "id", "jurisdiction", "kind", "page_date", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "read_on", "read_url", "title", "url") VALUES (NEW."authority", NEW."basis", NEW."changed_at", NEW."changed_by_id", NEW."created_at", NEW."created_by_id", NEW."id", NEW."jurisdiction", NEW."kind", NEW."page_date", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."read_on", NEW."read_url", NEW."title", NEW."url"); RETURN NULL;',
                    hash="8e3a9d78e500dd01c1895aea6a0071d75dfb2157",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_9fccd",
                    table="catalog_source",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="source",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_sourceevent" ("authority", "basis", "changed_at", "changed_by_id", "created_at", "created_by_id", "id", "jurisdiction", "kind", "page_date", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "read_on", "read_url", "title", "url") SELECT old_values."authority", old_values."basis", old_values."changed_at", old_values."changed_by_id", old_values."created_at", old_values."created_by_id", old_values."id", old_values."jurisdiction", old_values."kind", old_values."page_date", _pgh_attached_context.value, NOW(), \'delete\', old_values."id", old_values."read_on", old_values."read_url", old_values."title", old_values."url" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                    hash="b68a24a24606736fb05ec12cf79f7c9c17b236fa",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_903bd",
                    referencing="REFERENCING OLD TABLE AS old_values ",
                    table="catalog_source",
                    when="AFTER",
                ),
            ),
        ),
        migrations.RunSQL(PROTECT, UNPROTECT),
        migrations.RunPython(begin_history("catalog"), migrations.RunPython.noop),
    ]
