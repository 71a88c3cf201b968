import django.contrib.postgres.fields
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models

from catalog.models.history import begin_history


class Migration(migrations.Migration):
    dependencies = [
        ("rules", "0005_states_of_revisions"),
        ("pghistory", "0007_auto_20250421_0444"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AcceptedFindingEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("created_at", models.DateTimeField(editable=False)),
                ("key", models.CharField(max_length=300, serialize=False)),
                ("reason", models.TextField()),
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
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
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
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
            ],
            options={
                "ordering": ["pgh_id"],
                "abstract": False,
                "default_permissions": ("view",),
            },
        ),
        migrations.AlterModelOptions(
            name="release",
            options={
                "default_permissions": ("view",),
                "ordering": ["sequence"],
                "permissions": [("publish_release", "Can publish release")],
            },
        ),
        migrations.AlterModelOptions(
            name="rule",
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
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="acceptedfinding",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="acceptedfinding",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="acceptedfinding",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rule",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rule",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rule",
            trigger=pgtrigger.compiler.Trigger(
                name="content_stays",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (NOT (OLD.state = \'draft\' AND NEW.state = \'draft\') AND ((OLD."airline_id" IS DISTINCT FROM (NEW."airline_id") OR OLD."applies" IS DISTINCT FROM (NEW."applies") OR OLD."authority" IS DISTINCT FROM (NEW."authority") OR OLD."authors" IS DISTINCT FROM (NEW."authors") OR OLD."certification_missing" IS DISTINCT FROM (NEW."certification_missing") OR OLD."code" IS DISTINCT FROM (NEW."code") OR OLD."compartment" IS DISTINCT FROM (NEW."compartment") OR OLD."condition" IS DISTINCT FROM (NEW."condition") OR OLD."confidence" IS DISTINCT FROM (NEW."confidence") OR OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."created_by_id" IS DISTINCT FROM (NEW."created_by_id") OR OLD."effect" IS DISTINCT FROM (NEW."effect") OR OLD."effective_from" IS DISTINCT FROM (NEW."effective_from") OR OLD."effective_until" IS DISTINCT FROM (NEW."effective_until") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."issuer" IS DISTINCT FROM (NEW."issuer") OR OLD."jurisdiction" IS DISTINCT FROM (NEW."jurisdiction") OR OLD."limit_watt_hour" IS DISTINCT FROM (NEW."limit_watt_hour") OR OLD."max_units" IS DISTINCT FROM (NEW."max_units") OR OLD."quantity_over" IS DISTINCT FROM (NEW."quantity_over") OR OLD."recall_status" IS DISTINCT FROM (NEW."recall_status") OR OLD."revision" IS DISTINCT FROM (NEW."revision") OR OLD."rule_id" IS DISTINCT FROM (NEW."rule_id") OR OLD."summary" IS DISTINCT FROM (NEW."summary") OR OLD."watt_hour_at_least" IS DISTINCT FROM (NEW."watt_hour_at_least") OR OLD."watt_hour_over" IS DISTINCT FROM (NEW."watt_hour_over") OR OLD."watt_hour_up_to" IS DISTINCT FROM (NEW."watt_hour_up_to") OR OLD."withdraws" IS DISTINCT FROM (NEW."withdraws"))))',
                    func="RAISE EXCEPTION 'a revision changes only while it is a draft; open the next one' USING ERRCODE = 'restrict_violation';",
                    hash="488de3166aec4edf7363a4b9d37be81d2556019f",
                    operation="UPDATE",
                    pgid="pgtrigger_content_stays_c90a2",
                    table="rules_rule",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rule",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rule",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rule",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_ruleevent" ("airline_id", "applies", "approved_at", "approved_by_id", "authority", "authors", "certification_missing", "code", "compartment", "condition", "confidence", "created_at", "created_by_id", "effect", "effective_from", "effective_until", "id", "issuer", "jurisdiction", "limit_watt_hour", "max_units", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "published_at", "published_by_id", "quantity_over", "recall_status", "revision", "rule_id", "state", "submitted_at", "submitted_by_id", "summary", "watt_hour_at_least", "watt_hour_over", "watt_hour_up_to", "withdraws") SELECT new_values."airline_id", new_values."applies", new_values."approved_at", new_values."approved_by_id", new_values."authority", new_values."authors", new_values."certification_missing", new_values."code", new_values."compartment", new_values."condition", new_values."confidence", new_values."created_at", new_values."created_by_id", new_values."effect", new_values."effective_from", new_values."effective_until", new_values."id", new_values."issuer", new_values."jurisdiction", new_values."limit_watt_hour", new_values."max_units", _pgh_attached_context.value, NOW(), \'insert\', new_values."id", new_values."published_at", new_values."published_by_id", new_values."quantity_over", new_values."recall_status", new_values."revision", new_values."rule_id", new_values."state", new_values."submitted_at", new_values."submitted_by_id", new_values."summary", new_values."watt_hour_at_least", new_values."watt_hour_over", new_values."watt_hour_up_to", new_values."withdraws" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                    hash="b08c914c906bf3e08ced7f60ee91d6f40ebbdfc5",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_8cb96",
                    referencing="REFERENCING NEW TABLE AS new_values ",
                    table="rules_rule",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rule",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_ruleevent" ("airline_id", "applies", "approved_at", "approved_by_id", "authority", "authors", "certification_missing", "code", "compartment", "condition", "confidence", "created_at", "created_by_id", "effect", "effective_from", "effective_until", "id", "issuer", "jurisdiction", "limit_watt_hour", "max_units", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "published_at", "published_by_id", "quantity_over", "recall_status", "revision", "rule_id", "state", "submitted_at", "submitted_by_id", "summary", "watt_hour_at_least", "watt_hour_over", "watt_hour_up_to", "withdraws") SELECT new_values."airline_id", new_values."applies", new_values."approved_at", new_values."approved_by_id", new_values."authority", new_values."authors", new_values."certification_missing", new_values."code", new_values."compartment", new_values."condition", new_values."confidence", new_values."created_at", new_values."created_by_id", new_values."effect", new_values."effective_from", new_values."effective_until", new_values."id", new_values."issuer", new_values."jurisdiction", new_values."limit_watt_hour", new_values."max_units", _pgh_attached_context.value, NOW(), \'update\', new_values."id", new_values."published_at", new_values."published_by_id", new_values."quantity_over", new_values."recall_status", new_values."revision", new_values."rule_id", new_values."state", new_values."submitted_at", new_values."submitted_by_id", new_values."summary", new_values."watt_hour_at_least", new_values."watt_hour_over", new_values."watt_hour_up_to", new_values."withdraws" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values.* IS DISTINCT FROM new_values.*) ) AS new_values, _pgh_attached_context; RETURN NULL;',
                    hash="37a20234ed863782c337a66af654cb1eeea19c75",
                    level="STATEMENT",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_29cd2",
                    referencing="REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ",
                    table="rules_rule",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rule",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "rules_ruleevent" ("airline_id", "applies", "approved_at", "approved_by_id", "authority", "authors", "certification_missing", "code", "compartment", "condition", "confidence", "created_at", "created_by_id", "effect", "effective_from", "effective_until", "id", "issuer", "jurisdiction", "limit_watt_hour", "max_units", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "published_at", "published_by_id", "quantity_over", "recall_status", "revision", "rule_id", "state", "submitted_at", "submitted_by_id", "summary", "watt_hour_at_least", "watt_hour_over", "watt_hour_up_to", "withdraws") SELECT old_values."airline_id", old_values."applies", old_values."approved_at", old_values."approved_by_id", old_values."authority", old_values."authors", old_values."certification_missing", old_values."code", old_values."compartment", old_values."condition", old_values."confidence", old_values."created_at", old_values."created_by_id", old_values."effect", old_values."effective_from", old_values."effective_until", old_values."id", old_values."issuer", old_values."jurisdiction", old_values."limit_watt_hour", old_values."max_units", _pgh_attached_context.value, NOW(), \'delete\', old_values."id", old_values."published_at", old_values."published_by_id", old_values."quantity_over", old_values."recall_status", old_values."revision", old_values."rule_id", old_values."state", old_values."submitted_at", old_values."submitted_by_id", old_values."summary", old_values."watt_hour_at_least", old_values."watt_hour_over", old_values."watt_hour_up_to", old_values."withdraws" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                    hash="4d54301fd7c2152f4ff2905cc60b99114e17c1b7",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_65052",
                    referencing="REFERENCING OLD TABLE AS old_values ",
                    table="rules_rule",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="ruleevidence",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="ruleevidence",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="ruleevidence",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="ruleevidence",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.UniqueConstraint(
                fields=("rule_id", "revision"),
                name="rule_revision_once",
                violation_error_message="has this revision already",
            ),
        ),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ("draft", "in_review"))),
                fields=("rule_id",),
                name="rule_one_open_revision",
                violation_error_message="has an open revision already",
            ),
        ),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "published")),
                fields=("rule_id",),
                name="rule_one_published_revision",
                violation_error_message="has a published revision already",
            ),
        ),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.CheckConstraint(
                condition=models.Q(("revision__gte", 1)),
                name="rule_revisions_count_from_one",
                violation_error_message="revisions count from 1",
            ),
        ),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.CheckConstraint(
                condition=models.Q(("withdraws", False), ("revision__gt", 1), _connector="OR"),
                name="rule_first_revision_withdraws_nothing",
                violation_error_message="the first revision has nothing to withdraw",
            ),
        ),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("state__in", ["draft", "in_review", "approved", "published", "superseded", "withdrawn"])
                ),
                name="rule_state_is_known",
                violation_error_message="`state` is one of draft, in_review, approved, published, superseded, withdrawn",
            ),
        ),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.CheckConstraint(
                condition=models.Q(("authors__contains", [models.F("created_by")])),
                name="rule_creator_is_an_author",
                violation_error_message="whoever opened a revision is one of its authors",
            ),
        ),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.CheckConstraint(
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
        ),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.CheckConstraint(
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
        ),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("state__in", ["approved", "published", "superseded", "withdrawn"]),
                        ("approved_at__isnull", False),
                    ),
                    models.Q(
                        models.Q(
                            ("state__in", ["approved", "published", "superseded", "withdrawn"]), _negated=True
                        ),
                        models.Q(("approved_at__isnull", False), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="rule_approved_has_an_approver",
                violation_error_message="a revision is past its review exactly when somebody has approved it",
            ),
        ),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.CheckConstraint(
                condition=models.Q(("authors__contains", [models.F("approved_by")]), _negated=True),
                name="rule_approver_is_not_author",
                violation_error_message="nobody approves their own work",
            ),
        ),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.CheckConstraint(
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
        ),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.CheckConstraint(
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
        ),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.CheckConstraint(
                condition=models.Q(("created_at__lte", models.F("submitted_at"))),
                name="rule_submitted_after_creation",
                violation_error_message="a revision is not submitted before it is written",
            ),
        ),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.CheckConstraint(
                condition=models.Q(("submitted_at__lte", models.F("approved_at"))),
                name="rule_approved_after_submission",
                violation_error_message="a revision is not approved before it is submitted",
            ),
        ),
        migrations.AddField(
            model_name="acceptedfindingevent",
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
            model_name="acceptedfindingevent",
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
            model_name="acceptedfindingevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="rules.acceptedfinding",
            ),
        ),
        migrations.AddField(
            model_name="ruleevent",
            name="airline",
            field=models.ForeignKey(
                blank=True,
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="catalog.airline",
            ),
        ),
        migrations.AddField(
            model_name="ruleevent",
            name="approved_by",
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
            model_name="ruleevent",
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
            model_name="ruleevent",
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
            model_name="ruleevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="rules.rule",
            ),
        ),
        migrations.AddField(
            model_name="ruleevent",
            name="published_by",
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
            model_name="ruleevent",
            name="submitted_by",
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
            model_name="ruleevidenceevent",
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
            model_name="ruleevidenceevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="rules.ruleevidence",
            ),
        ),
        migrations.AddField(
            model_name="ruleevidenceevent",
            name="rule",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="rules.rule",
            ),
        ),
        migrations.AddField(
            model_name="ruleevidenceevent",
            name="source",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="catalog.source",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="acceptedfindingevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="9b052025653aa32aab6b08b8510a525c19726a63",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_a0ac8",
                    table="rules_acceptedfindingevent",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="ruleevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="98cf8fbec788101ea4e2466f87e50bb07e515a09",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_7f668",
                    table="rules_ruleevent",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="ruleevidenceevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="11628ee2c2bcf588b9d8e84428a7fd1458b7e912",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_03b3e",
                    table="rules_ruleevidenceevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.RunPython(begin_history("rules")),
    ]
