"""Add the certificates of models."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("catalog", "0002_copies_of_official_pages"),
        ("pghistory", "0007_auto_20250421_0444"),
    ]

    operations = [
        migrations.CreateModel(
            name="Certificate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("mark", models.CharField(choices=[("CCC", "CCC")], max_length=10)),
                (
                    "status",
                    models.CharField(
                        choices=[("valid", "valid"), ("suspended", "suspended"), ("revoked", "revoked")],
                        max_length=10,
                    ),
                ),
                ("number", models.CharField(blank=True, max_length=100, null=True)),
                ("lookup_url", models.URLField(blank=True, max_length=2000, null=True)),
                ("since", models.DateField(blank=True, null=True)),
                ("until", models.DateField(blank=True, null=True)),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "device",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="certificates",
                        to="catalog.device",
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="certificates",
                        to="catalog.source",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
            },
        ),
        migrations.CreateModel(
            name="CertificateEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("id", models.BigIntegerField()),
                ("mark", models.CharField(choices=[("CCC", "CCC")], max_length=10)),
                (
                    "status",
                    models.CharField(
                        choices=[("valid", "valid"), ("suspended", "suspended"), ("revoked", "revoked")],
                        max_length=10,
                    ),
                ),
                ("number", models.CharField(blank=True, max_length=100, null=True)),
                ("lookup_url", models.URLField(blank=True, max_length=2000, null=True)),
                ("since", models.DateField(blank=True, null=True)),
                ("until", models.DateField(blank=True, null=True)),
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
                        to="catalog.certificate",
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
            },
        ),
        migrations.AddConstraint(
            model_name="certificate",
            constraint=models.CheckConstraint(
                condition=models.Q(("mark__in", ["CCC"])),
                name="certificate_mark_is_known",
                violation_error_message="`mark` is one of CCC",
            ),
        ),
        migrations.AddConstraint(
            model_name="certificate",
            constraint=models.CheckConstraint(
                condition=models.Q(("status__in", ["valid", "suspended", "revoked"])),
                name="certificate_status_is_known",
                violation_error_message="`status` is one of valid, suspended, revoked",
            ),
        ),
        migrations.AddConstraint(
            model_name="certificate",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__regex", "^\\S.*$")),
                name="certificate_number_is_given",
                violation_error_message="a certificate number is not blank",
            ),
        ),
        migrations.AddConstraint(
            model_name="certificate",
            constraint=models.CheckConstraint(
                condition=models.Q(("lookup_url__regex", "^https?://[^\\s/]+\\.\\S+$")),
                name="certificate_lookup_url_is_absolute",
                violation_error_message="`lookup_url` is an absolute web address",
            ),
        ),
        migrations.AddConstraint(
            model_name="certificate",
            constraint=models.CheckConstraint(
                condition=models.Q(("since__lte", models.F("until"))),
                name="certificate_ends_after_it_starts",
                violation_error_message="the status of a certificate does not end before it starts",
            ),
        ),
        migrations.AddConstraint(
            model_name="certificate",
            constraint=models.UniqueConstraint(
                fields=("device", "position"),
                name="certificate_position_once",
                violation_error_message="has two certificates in one position",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="certificate",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_certificateevent" ("device_id", "id", "lookup_url", "mark", "number", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "since", "source_id", "status", "until") SELECT new_values."device_id", new_values."id", new_values."lookup_url", new_values."mark", new_values."number", _pgh_attached_context.value, NOW(), \'insert\', new_values."id", new_values."position", new_values."since", new_values."source_id", new_values."status", new_values."until" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                    hash="df0636b8cc0d4c598ca2a231cd098865b1ee9eaf",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_f6822",
                    referencing="REFERENCING NEW TABLE AS new_values ",
                    table="catalog_certificate",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="certificate",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_certificateevent" ("device_id", "id", "lookup_url", "mark", "number", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "since", "source_id", "status", "until") SELECT new_values."device_id", new_values."id", new_values."lookup_url", new_values."mark", new_values."number", _pgh_attached_context.value, NOW(), \'update\', new_values."id", new_values."position", new_values."since", new_values."source_id", new_values."status", new_values."until" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values.* IS DISTINCT FROM new_values.*) ) AS new_values, _pgh_attached_context; RETURN NULL;',
                    hash="679cc9c4557536dd1c62580fc2637fe26689f8ba",
                    level="STATEMENT",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_e9dc8",
                    referencing="REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ",
                    table="catalog_certificate",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="certificate",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "catalog_certificateevent" ("device_id", "id", "lookup_url", "mark", "number", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "since", "source_id", "status", "until") SELECT old_values."device_id", old_values."id", old_values."lookup_url", old_values."mark", old_values."number", _pgh_attached_context.value, NOW(), \'delete\', old_values."id", old_values."position", old_values."since", old_values."source_id", old_values."status", old_values."until" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                    hash="aa3859d9ce68f2823d781d812ffd78ca161bc877",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_4c2d3",
                    referencing="REFERENCING OLD TABLE AS old_values ",
                    table="catalog_certificate",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="certificateevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="81dd2ccd9140e35803cef846288753445e169edd",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_8f137",
                    table="catalog_certificateevent",
                    when="BEFORE",
                ),
            ),
        ),
    ]
