import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import pgtrigger.compiler
from django.conf import settings
from django.db import migrations, models

import catalog.tables.triggers


class Migration(migrations.Migration):
    # What databases of before went through one by one.
    replaces = [
        ("aeo", "0001_pages"),
        ("aeo", "0002_choices_of_pages"),
        ("aeo", "0003_datasets"),
        ("aeo", "0004_rank_of_pages"),
        ("aeo", "0005_reference_pages"),
        ("aeo", "0006_announced_pages"),
        ("aeo", "0007_scorecards"),
    ]

    initial = True

    dependencies = [
        ("auth", "__first__"),
        ("pghistory", "0007_auto_20250421_0444"),
    ]

    operations = [
        migrations.CreateModel(
            name="DatasetRelease",
            fields=[
                ("ruleset_version", models.CharField(max_length=20, primary_key=True, serialize=False)),
                ("sequence", models.PositiveIntegerField(help_text="Its place in the ledger.", unique=True)),
                ("release_sha256", models.CharField(max_length=64)),
                ("note", models.TextField()),
                ("published", models.DateTimeField()),
            ],
            options={
                "ordering": ["-sequence"],
            },
        ),
        migrations.CreateModel(
            name="IndexedPage",
            fields=[
                (
                    "path",
                    models.CharField(
                        help_text="The address below the site's base.",
                        max_length=120,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("model_id", models.CharField(max_length=80)),
                ("airline", models.CharField(max_length=2)),
                ("country", models.CharField(max_length=2)),
                (
                    "rank",
                    models.PositiveIntegerField(db_index=True, help_text="1 is the most important page."),
                ),
                (
                    "content_hash",
                    models.CharField(help_text="SHA-256 of the content without times.", max_length=64),
                ),
                ("last_changed", models.DateTimeField(help_text="When the content got this hash.")),
                (
                    "announced_hash",
                    models.CharField(
                        default="",
                        help_text="The content hash that search engines were told of last.",
                        max_length=64,
                    ),
                ),
            ],
            options={
                "ordering": ["rank"],
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="Recomputation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("release_sha256", models.CharField(max_length=64)),
                ("day", models.DateField(help_text="The day (UTC) for which answers were given.")),
                ("finished", models.DateTimeField()),
                ("pages", models.PositiveIntegerField(help_text="How many verdict pages are indexed.")),
                (
                    "changed",
                    models.PositiveIntegerField(help_text="How many of them are new or say something else."),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="ReferencePage",
            fields=[
                (
                    "path",
                    models.CharField(
                        help_text="The address below the site's base.",
                        max_length=120,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "content_hash",
                    models.CharField(help_text="SHA-256 of the content without times.", max_length=64),
                ),
                ("last_changed", models.DateTimeField(help_text="When the content got this hash.")),
            ],
            options={
                "ordering": ["path"],
            },
        ),
        migrations.CreateModel(
            name="Curation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(editable=False)),
                (
                    "most_pages",
                    models.PositiveIntegerField(
                        default=1000,
                        help_text="So many pages are indexed at most.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(5000),
                        ],
                    ),
                ),
                (
                    "most_of_model",
                    models.PositiveIntegerField(
                        default=100,
                        help_text="So many of them are about one model at most.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(5000),
                        ],
                    ),
                ),
                (
                    "most_of_airline",
                    models.PositiveIntegerField(
                        default=50,
                        help_text="So many of them are about one airline at most.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(5000),
                        ],
                    ),
                ),
                (
                    "most_of_country",
                    models.PositiveIntegerField(
                        default=150,
                        help_text="So many of them are about one country at most.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(5000),
                        ],
                    ),
                ),
                (
                    "model_recalled",
                    models.PositiveIntegerField(
                        default=25,
                        help_text="For a model that is recalled.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "model_near_limit",
                    models.PositiveIntegerField(
                        default=25,
                        help_text="For a model at 100 or 160 Wh, or up to 5 % below.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "model_over_100_wh",
                    models.PositiveIntegerField(
                        default=15,
                        help_text="For a model above 100 Wh.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                        verbose_name="model over 100 Wh",
                    ),
                ),
                (
                    "model_recent",
                    models.PositiveIntegerField(
                        default=15,
                        help_text="For a model released this calendar year or the one before.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "model_figures",
                    models.PositiveIntegerField(
                        default=30,
                        help_text="For a model of which watt-hours and capacity are known.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "most_brand_points",
                    models.PositiveIntegerField(
                        default=20,
                        help_text="A model gets a point for each model of its brand, up to this many.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "most_class_points",
                    models.PositiveIntegerField(
                        default=60,
                        help_text="A model gets a point for each model that no rule tells from it, up to this many.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "airline_confirmed",
                    models.PositiveIntegerField(
                        default=30,
                        help_text="For an airline whose policy is confirmed by an official source.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "airline_reported",
                    models.PositiveIntegerField(
                        default=15,
                        help_text="For an airline whose policy is reported by others.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "airline_change",
                    models.PositiveIntegerField(
                        default=10,
                        help_text="For each dated change of an airline's policy.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "airline_source",
                    models.PositiveIntegerField(
                        default=3,
                        help_text="For each source of an airline's policy.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "without_models",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=80),
                        blank=True,
                        default=list,
                        help_text="Models that no indexed page is about, by id, with commas between them.",
                        size=None,
                    ),
                ),
                (
                    "without_airlines",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=2),
                        blank=True,
                        default=list,
                        help_text="Airlines that no indexed page is about, by code, with commas between them.",
                        size=None,
                    ),
                ),
                (
                    "without_countries",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=2),
                        blank=True,
                        default=list,
                        help_text="Countries that no indexed page is about, by code, with commas between them.",
                        size=None,
                    ),
                ),
                ("reason", models.TextField(help_text="Why it is chosen so, for those who come after you.")),
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
                "verbose_name": "choice of indexed pages",
                "verbose_name_plural": "choices of indexed pages",
                "ordering": ["-pk"],
                "default_permissions": ("add", "view"),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("most_of_airline__gte", 1),
                            ("most_of_country__gte", 1),
                            ("most_of_model__gte", 1),
                            ("most_pages__gte", 1),
                        ),
                        name="curation_bounds_let_something_in",
                        violation_error_message="each bound is at least 1",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason__regex", "\\S")),
                        name="curation_has_a_reason",
                        violation_error_message="a choice has a reason",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="choices_stay",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (TRUE)",
                            func="RAISE EXCEPTION 'a choice stays as it is; the next one is written beside it' USING ERRCODE = 'restrict_violation';",
                            hash="01f27cd25c7512358f044ec9f7f7353b857ee31a",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_choices_stay_24c40",
                            table="aeo_curation",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "aeo_curationevent" ("airline_change", "airline_confirmed", "airline_reported", "airline_source", "created_at", "created_by_id", "id", "model_figures", "model_near_limit", "model_over_100_wh", "model_recalled", "model_recent", "most_brand_points", "most_class_points", "most_of_airline", "most_of_country", "most_of_model", "most_pages", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason", "without_airlines", "without_countries", "without_models") SELECT new_values."airline_change", new_values."airline_confirmed", new_values."airline_reported", new_values."airline_source", new_values."created_at", new_values."created_by_id", new_values."id", new_values."model_figures", new_values."model_near_limit", new_values."model_over_100_wh", new_values."model_recalled", new_values."model_recent", new_values."most_brand_points", new_values."most_class_points", new_values."most_of_airline", new_values."most_of_country", new_values."most_of_model", new_values."most_pages", _pgh_attached_context.value, NOW(), \'insert\', new_values."id", new_values."reason", new_values."without_airlines", new_values."without_countries", new_values."without_models" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="db15181bba2642b109ca938ef578ed5895db8d72",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_edb13",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="aeo_curation",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "aeo_curationevent" ("airline_change", "airline_confirmed", "airline_reported", "airline_source", "created_at", "created_by_id", "id", "model_figures", "model_near_limit", "model_over_100_wh", "model_recalled", "model_recent", "most_brand_points", "most_class_points", "most_of_airline", "most_of_country", "most_of_model", "most_pages", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason", "without_airlines", "without_countries", "without_models") SELECT new_values."airline_change", new_values."airline_confirmed", new_values."airline_reported", new_values."airline_source", new_values."created_at", new_values."created_by_id", new_values."id", new_values."model_figures", new_values."model_near_limit", new_values."model_over_100_wh", new_values."model_recalled", new_values."model_recent", new_values."most_brand_points", new_values."most_class_points", new_values."most_of_airline", new_values."most_of_country", new_values."most_of_model", new_values."most_pages", _pgh_attached_context.value, NOW(), \'update\', new_values."id", new_values."reason", new_values."without_airlines", new_values."without_countries", new_values."without_models" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values.* IS DISTINCT FROM new_values.*) ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="1f28c09dcf5d3e63f011aa49e09e49e15f83d915",
                            level="STATEMENT",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_fa403",
                            referencing="REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ",
                            table="aeo_curation",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "aeo_curationevent" ("airline_change", "airline_confirmed", "airline_reported", "airline_source", "created_at", "created_by_id", "id", "model_figures", "model_near_limit", "model_over_100_wh", "model_recalled", "model_recent", "most_brand_points", "most_class_points", "most_of_airline", "most_of_country", "most_of_model", "most_pages", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason", "without_airlines", "without_countries", "without_models") SELECT old_values."airline_change", old_values."airline_confirmed", old_values."airline_reported", old_values."airline_source", old_values."created_at", old_values."created_by_id", old_values."id", old_values."model_figures", old_values."model_near_limit", old_values."model_over_100_wh", old_values."model_recalled", old_values."model_recent", old_values."most_brand_points", old_values."most_class_points", old_values."most_of_airline", old_values."most_of_country", old_values."most_of_model", old_values."most_pages", _pgh_attached_context.value, NOW(), \'delete\', old_values."id", old_values."reason", old_values."without_airlines", old_values."without_countries", old_values."without_models" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="3d3659728457837dc18f9f7d6131d2dc4f28773b",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_7b8fb",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="aeo_curation",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CurationEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("id", models.BigIntegerField()),
                ("created_at", models.DateTimeField(editable=False)),
                (
                    "most_pages",
                    models.PositiveIntegerField(
                        default=1000,
                        help_text="So many pages are indexed at most.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(5000),
                        ],
                    ),
                ),
                (
                    "most_of_model",
                    models.PositiveIntegerField(
                        default=100,
                        help_text="So many of them are about one model at most.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(5000),
                        ],
                    ),
                ),
                (
                    "most_of_airline",
                    models.PositiveIntegerField(
                        default=50,
                        help_text="So many of them are about one airline at most.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(5000),
                        ],
                    ),
                ),
                (
                    "most_of_country",
                    models.PositiveIntegerField(
                        default=150,
                        help_text="So many of them are about one country at most.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(5000),
                        ],
                    ),
                ),
                (
                    "model_recalled",
                    models.PositiveIntegerField(
                        default=25,
                        help_text="For a model that is recalled.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "model_near_limit",
                    models.PositiveIntegerField(
                        default=25,
                        help_text="For a model at 100 or 160 Wh, or up to 5 % below.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "model_over_100_wh",
                    models.PositiveIntegerField(
                        default=15,
                        help_text="For a model above 100 Wh.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                        verbose_name="model over 100 Wh",
                    ),
                ),
                (
                    "model_recent",
                    models.PositiveIntegerField(
                        default=15,
                        help_text="For a model released this calendar year or the one before.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "model_figures",
                    models.PositiveIntegerField(
                        default=30,
                        help_text="For a model of which watt-hours and capacity are known.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "most_brand_points",
                    models.PositiveIntegerField(
                        default=20,
                        help_text="A model gets a point for each model of its brand, up to this many.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "most_class_points",
                    models.PositiveIntegerField(
                        default=60,
                        help_text="A model gets a point for each model that no rule tells from it, up to this many.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "airline_confirmed",
                    models.PositiveIntegerField(
                        default=30,
                        help_text="For an airline whose policy is confirmed by an official source.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "airline_reported",
                    models.PositiveIntegerField(
                        default=15,
                        help_text="For an airline whose policy is reported by others.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "airline_change",
                    models.PositiveIntegerField(
                        default=10,
                        help_text="For each dated change of an airline's policy.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "airline_source",
                    models.PositiveIntegerField(
                        default=3,
                        help_text="For each source of an airline's policy.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                    ),
                ),
                (
                    "without_models",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=80),
                        blank=True,
                        default=list,
                        help_text="Models that no indexed page is about, by id, with commas between them.",
                        size=None,
                    ),
                ),
                (
                    "without_airlines",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=2),
                        blank=True,
                        default=list,
                        help_text="Airlines that no indexed page is about, by code, with commas between them.",
                        size=None,
                    ),
                ),
                (
                    "without_countries",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=2),
                        blank=True,
                        default=list,
                        help_text="Countries that no indexed page is about, by code, with commas between them.",
                        size=None,
                    ),
                ),
                ("reason", models.TextField(help_text="Why it is chosen so, for those who come after you.")),
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
                        to="aeo.curation",
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
                            hash="101555c036f8e8f19b5424119ffbb3fc73d2525b",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_830b6",
                            table="aeo_curationevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DatasetFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(help_text="The dataset, such as `recalls`.", max_length=30)),
                ("file_format", models.CharField(max_length=10)),
                ("sha256", models.CharField(help_text="Of what readers get.", max_length=64)),
                ("size_bytes", models.PositiveBigIntegerField(help_text="Of what readers get.")),
                ("records", models.PositiveIntegerField()),
                ("gzipped", models.BinaryField()),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="files",
                        to="aeo.datasetrelease",
                    ),
                ),
            ],
            options={
                "ordering": ["-release__sequence", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("release", "name", "file_format"), name="dataset_file_is_one_of_its_release"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DatasetChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(help_text="The dataset, such as `recalls`.", max_length=30)),
                ("record_id", models.CharField(max_length=200)),
                ("change", models.CharField(help_text="`added`, `changed` or `withdrawn`.", max_length=10)),
                ("fields", models.JSONField(help_text="The names of the fields that differ.")),
                ("record", models.JSONField()),
                ("model_id", models.CharField(blank=True, max_length=80)),
                ("brand_id", models.CharField(blank=True, max_length=100)),
                ("airline", models.CharField(blank=True, max_length=2)),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="aeo.datasetrelease",
                    ),
                ),
            ],
            options={
                "ordering": ["-release__sequence", "pk"],
                "indexes": [
                    models.Index(fields=["name", "record_id"], name="dataset_change_record"),
                    models.Index(fields=["name", "model_id"], name="dataset_change_model"),
                    models.Index(fields=["name", "brand_id"], name="dataset_change_brand"),
                    models.Index(fields=["airline"], name="dataset_change_airline"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ScorecardRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("release_sha256", models.CharField(max_length=64)),
                (
                    "day",
                    models.DateField(help_text="The day (UTC) of travel of the questions that were drawn."),
                ),
                (
                    "program_sha256",
                    models.CharField(
                        help_text="Of the engine, the cases and the promises that counted.", max_length=64
                    ),
                ),
                ("finished", models.DateTimeField()),
                ("figures", models.JSONField(help_text="As `rules.scorecard.Scorecard`.")),
            ],
            options={
                "ordering": ["-pk"],
                "default_permissions": ("view",),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("release_sha256", "day", "program_sha256"), name="scorecard_is_counted_once"
                    )
                ],
            },
        ),
        catalog.tables.triggers.InstallTriggers(),
    ]
