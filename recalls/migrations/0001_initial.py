import django.contrib.postgres.fields
import django.db.models.deletion
import pgtrigger.compiler
from django.conf import settings
from django.db import migrations, models

import catalog.tables.triggers
import recalls.editing.models


class Migration(migrations.Migration):
    # The migrations that older databases applied one by one.
    replaces = [
        ("recalls", "0002_recall_revisions"),
        ("recalls", "0003_history_and_triggers"),
        ("recalls", "0004_second_approval"),
        ("recalls", "0005_feeds"),
    ]

    initial = True

    dependencies = [
        ("auth", "__first__"),
        ("catalog", "0001_initial"),
        ("pghistory", "0007_auto_20250421_0444"),
    ]

    operations = [
        migrations.CreateModel(
            name="FeedNotice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "feed",
                    models.CharField(
                        choices=[
                            ("cpsc", "CPSC (United States)"),
                            ("safety_gate", "Safety Gate (European Union)"),
                            ("health_canada", "Health Canada"),
                            ("accc", "ACCC Product Safety (Australia)"),
                        ],
                        max_length=20,
                    ),
                ),
                ("native_id", models.CharField(max_length=200)),
                ("number", models.CharField(max_length=200)),
                ("title", models.TextField()),
                ("url", models.CharField(blank=True, max_length=2000)),
                ("announced_on", models.DateField()),
                ("updated_on", models.DateField()),
                ("told", models.JSONField()),
                ("candidates", models.JSONField(blank=True, default=list)),
                ("raw_sha256", models.CharField(max_length=64)),
                ("first_seen", models.DateTimeField()),
                ("missing_since", models.DateTimeField(blank=True, null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("new", "New"),
                            ("needs_review", "Needs Review"),
                            ("drafted", "Drafted"),
                            ("recorded", "Recorded"),
                            ("irrelevant", "Irrelevant"),
                        ],
                        default="new",
                        max_length=12,
                    ),
                ),
                ("dismissed_at", models.DateTimeField(blank=True, null=True)),
                ("reason", models.TextField(blank=True)),
                (
                    "dismissed_by",
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
                "verbose_name": "notice",
                "ordering": ["-updated_on", "feed", "native_id"],
                "default_permissions": ("view", "change"),
                "indexes": [models.Index(fields=["state", "-updated_on"], name="notices_by_state")],
                "constraints": [
                    models.UniqueConstraint(fields=("feed", "native_id"), name="feed_notice_once"),
                    models.CheckConstraint(
                        condition=models.Q(("feed__in", ["cpsc", "safety_gate", "health_canada", "accc"])),
                        name="feed_notice_feed_is_known",
                        violation_error_message="`feed` is one of cpsc, safety_gate, health_canada, accc",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["new", "needs_review", "drafted", "recorded", "irrelevant"])
                        ),
                        name="feed_notice_state_is_known",
                        violation_error_message="`state` is one of new, needs_review, drafted, recorded, irrelevant",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("dismissed_at__isnull", True), ("dismissed_by__isnull", True)),
                            models.Q(
                                models.Q(("dismissed_at__isnull", True), _negated=True),
                                models.Q(("dismissed_by__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="feed_notice_dismissal_is_a_pair",
                        violation_error_message="`dismissed_at` and `dismissed_by` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                models.Q(("state", "irrelevant"), ("dismissed_at__isnull", False)),
                                models.Q(
                                    models.Q(("state", "irrelevant"), _negated=True),
                                    models.Q(("dismissed_at__isnull", False), _negated=True),
                                ),
                                _connector="OR",
                            ),
                            models.Q(
                                models.Q(("state", "irrelevant"), _negated=True),
                                ("reason__regex", "\\S"),
                                _connector="OR",
                            ),
                        ),
                        name="feed_notice_irrelevant_says_why",
                        violation_error_message="a notice is irrelevant exactly where somebody says so, and why",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="FeedRecall",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("recall_id", models.CharField(max_length=80)),
                ("model_id", models.CharField(max_length=80)),
                ("drafted", models.BooleanField()),
                (
                    "notice",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="recalls",
                        to="recalls.feednotice",
                    ),
                ),
            ],
            options={
                "verbose_name": "recall of a notice",
                "verbose_name_plural": "recalls of notices",
                "ordering": ["notice", "recall_id"],
                "default_permissions": ("view",),
                "indexes": [models.Index(fields=["recall_id"], name="notices_of_a_recall")],
                "constraints": [
                    models.UniqueConstraint(fields=("notice", "recall_id"), name="feed_recall_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="FeedState",
            fields=[
                (
                    "feed",
                    models.CharField(
                        choices=[
                            ("cpsc", "CPSC (United States)"),
                            ("safety_gate", "Safety Gate (European Union)"),
                            ("health_canada", "Health Canada"),
                            ("accc", "ACCC Product Safety (Australia)"),
                        ],
                        max_length=20,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("marks", models.JSONField(blank=True, default=dict)),
                ("rows", models.PositiveIntegerField(blank=True, null=True)),
                ("suspicion", models.TextField(blank=True)),
                ("suspected", models.DateTimeField(blank=True, null=True)),
                ("accepted_at", models.DateTimeField(blank=True, null=True)),
                ("reason", models.TextField(blank=True)),
                (
                    "accepted_by",
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
                "verbose_name": "feed",
                "ordering": ["feed"],
                "default_permissions": ("view", "change"),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("feed__in", ["cpsc", "safety_gate", "health_canada", "accc"])),
                        name="feed_state_feed_is_known",
                        violation_error_message="`feed` is one of cpsc, safety_gate, health_canada, accc",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("accepted_at__isnull", True), ("accepted_by__isnull", True)),
                            models.Q(
                                models.Q(("accepted_at__isnull", True), _negated=True),
                                models.Q(("accepted_by__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="feed_state_acceptance_is_a_pair",
                        violation_error_message="`accepted_at` and `accepted_by` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("suspicion", ""), ("suspected__isnull", True)),
                            models.Q(
                                models.Q(("suspicion", ""), _negated=True),
                                models.Q(("suspected__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="feed_state_suspicion_has_its_instant",
                        violation_error_message="a suspicion has its instant",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("accepted_at__isnull", True),
                            models.Q(("suspected__isnull", False), ("reason__regex", "\\S")),
                            _connector="OR",
                        ),
                        name="feed_state_accepts_a_suspicion",
                        violation_error_message="only what is suspected is accepted, and with a reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="FeedVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("raw", models.JSONField()),
                ("raw_sha256", models.CharField(max_length=64)),
                ("seen", models.DateTimeField()),
                (
                    "notice",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="recalls.feednotice",
                    ),
                ),
            ],
            options={
                "verbose_name": "version of a notice",
                "verbose_name_plural": "versions of notices",
                "ordering": ["notice", "number"],
                "default_permissions": ("view",),
                "constraints": [
                    models.UniqueConstraint(fields=("notice", "number"), name="feed_version_once"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)),
                        name="feed_versions_count_from_one",
                        violation_error_message="versions count from 1",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="stays_as_it_came",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                            func="RAISE EXCEPTION 'what a feed said stays as it came' USING ERRCODE = 'restrict_violation';",
                            hash="a69c6b813777e8756f1477174bac801577fc5791",
                            operation="UPDATE",
                            pgid="pgtrigger_stays_as_it_came_7b723",
                            table="recalls_feedversion",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="FeedReview",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(choices=[("corrected", "Corrected"), ("gone", "Gone")], max_length=10),
                ),
                ("recalls", models.JSONField(blank=True, default=list)),
                ("opened", models.DateTimeField()),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                ("remark", models.TextField(blank=True)),
                (
                    "closed_by",
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
                    "notice",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reviews",
                        to="recalls.feednotice",
                    ),
                ),
                (
                    "after",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="recalls.feedversion",
                    ),
                ),
                (
                    "before",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="recalls.feedversion",
                    ),
                ),
            ],
            options={
                "verbose_name": "review of a notice",
                "verbose_name_plural": "reviews of notices",
                "ordering": ["id"],
                "default_permissions": ("view",),
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("closed_at__isnull", True)),
                        fields=("notice",),
                        name="feed_review_one_open",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["corrected", "gone"])),
                        name="feed_review_kind_is_known",
                        violation_error_message="`kind` is one of corrected, gone",
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
                        name="feed_review_end_is_a_pair",
                        violation_error_message="`closed_at` and `closed_by` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("opened__lte", models.F("closed_at"))),
                        name="feed_review_closed_after_opening",
                        violation_error_message="a review is not closed before it is opened",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Recall",
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
                ("recall_id", models.CharField(max_length=80)),
                ("authority", models.CharField(max_length=200)),
                ("jurisdiction", models.CharField(max_length=4)),
                ("announced_on", models.DateField()),
                (
                    "announced_precision",
                    models.CharField(
                        choices=[
                            ("day", "day"),
                            ("month", "month"),
                            ("year", "year"),
                            ("report", "report"),
                            ("earliest", "earliest"),
                        ],
                        max_length=20,
                    ),
                ),
                ("title", models.CharField(max_length=300)),
                ("hazard", models.TextField()),
                ("remedy", models.TextField()),
                ("units", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "units_scope",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("model", "model"),
                            ("notice_total", "notice total"),
                            ("restated", "restated"),
                        ],
                        max_length=20,
                        null=True,
                    ),
                ),
                (
                    "scope",
                    models.CharField(
                        choices=[
                            ("all_units", "all units"),
                            ("serial_pattern", "serial pattern"),
                            ("batch", "batch"),
                            ("date_code", "date code"),
                            ("lookup_required", "lookup required"),
                            ("manufacture_date", "manufacture date"),
                            ("sale_dates", "sale dates"),
                        ],
                        max_length=20,
                    ),
                ),
                ("identifier", models.CharField(max_length=60)),
                ("pattern", models.CharField(blank=True, max_length=1024, null=True)),
                ("not_affected_pattern", models.CharField(blank=True, max_length=1024, null=True)),
                ("exhaustive", models.BooleanField(default=False)),
                ("explicit_list_url", models.URLField(blank=True, max_length=2000, null=True)),
                (
                    "details",
                    models.JSONField(
                        blank=True, default=dict, validators=[recalls.editing.models.validate_details]
                    ),
                ),
                ("notice_url", models.URLField(max_length=2000)),
                ("notes", models.TextField(blank=True)),
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
                    "device",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="recalls",
                        to="catalog.device",
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
                "ordering": ["recall_id", "revision"],
                "permissions": [
                    ("revise_recall", "Can revise recall"),
                    ("withdraw_recall", "Can withdraw recall"),
                    ("submit_recall", "Can submit recall"),
                    ("return_recall", "Can return recall"),
                    ("approve_recall", "Can approve recall"),
                    ("take_back_recall", "Can take back recall"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("recall_id", "revision"),
                        name="recall_revision_once",
                        violation_error_message="has this revision already",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ("draft", "in_review"))),
                        fields=("recall_id",),
                        name="recall_one_open_revision",
                        violation_error_message="has an open revision already",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "published")),
                        fields=("recall_id",),
                        name="recall_one_published_revision",
                        violation_error_message="has a published revision already",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("revision__gte", 1)),
                        name="recall_revisions_count_from_one",
                        violation_error_message="revisions count from 1",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("withdraws", False), ("revision__gt", 1), _connector="OR"),
                        name="recall_first_revision_withdraws_nothing",
                        violation_error_message="the first revision has nothing to withdraw",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                ["draft", "in_review", "approved", "published", "superseded", "withdrawn"],
                            )
                        ),
                        name="recall_state_is_known",
                        violation_error_message="`state` is one of draft, in_review, approved, published, superseded, withdrawn",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("authors__contains", [models.F("created_by")])),
                        name="recall_creator_is_an_author",
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
                        name="recall_submission_is_a_pair",
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
                        name="recall_submitted_unless_draft",
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
                        name="recall_approval_is_a_pair",
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
                        name="recall_approved_has_an_approver",
                        violation_error_message="a revision is past its review exactly when somebody has approved it",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("authors__contains", [models.F("approved_by")]), _negated=True),
                        name="recall_approver_is_not_author",
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
                        name="recall_second_approval_is_a_pair",
                        violation_error_message="`second_approved_at` and `second_approved_by` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("approved_at__lte", models.F("second_approved_at"))),
                        name="recall_second_approval_after_the_first",
                        violation_error_message="a revision is not approved again before it is approved",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("second_approved_at__isnull", True),
                            ("approved_at__isnull", False),
                            _connector="OR",
                        ),
                        name="recall_second_approval_has_a_first",
                        violation_error_message="a revision is not approved again before it is approved",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("authors__contains", [models.F("second_approved_by")]), _negated=True
                        ),
                        name="recall_second_approver_is_not_author",
                        violation_error_message="nobody approves their own work",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("second_approved_by__isnull", True),
                            models.Q(("second_approved_by", models.F("approved_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="recall_second_approver_is_somebody_else",
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
                        name="recall_publication_is_a_pair",
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
                        name="recall_published_has_a_publisher",
                        violation_error_message="a revision is published by somebody, and not before it is approved",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("created_at__lte", models.F("submitted_at"))),
                        name="recall_submitted_after_creation",
                        violation_error_message="a revision is not submitted before it is written",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("submitted_at__lte", models.F("approved_at"))),
                        name="recall_approved_after_submission",
                        violation_error_message="a revision is not approved before it is submitted",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("recall_id__regex", "^[a-z0-9]+(-[a-z0-9]+)*$")),
                        name="recall_id_is_a_slug",
                        violation_error_message="the id is lower-case words joined by hyphens",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("jurisdiction__regex", "^[A-Z]{2,4}$")),
                        name="recall_jurisdiction_is_upper_case",
                        violation_error_message="the jurisdiction is two to four upper-case letters",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("announced_precision__in", ["day", "month", "year", "report", "earliest"])
                        ),
                        name="recall_precision_is_known",
                        violation_error_message="`announced_precision` is one of day, month, year, report, earliest",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("units_scope__in", ["model", "notice_total", "restated"])),
                        name="recall_units_scope_is_known",
                        violation_error_message="`units_scope` is one of model, notice_total, restated",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "scope__in",
                                [
                                    "all_units",
                                    "serial_pattern",
                                    "batch",
                                    "date_code",
                                    "lookup_required",
                                    "manufacture_date",
                                    "sale_dates",
                                ],
                            )
                        ),
                        name="recall_scope_is_known",
                        violation_error_message="`scope` is one of all_units, serial_pattern, batch, date_code, lookup_required, manufacture_date, sale_dates",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("units__gt", 0)),
                        name="recall_units_is_positive",
                        violation_error_message="`units` is above zero",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("units__isnull", True), ("units_scope__isnull", True)),
                            models.Q(
                                models.Q(("units__isnull", True), _negated=True),
                                models.Q(("units_scope__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="recall_units_with_their_scope",
                        violation_error_message="`units` and `units_scope` go together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("scope__in", ["serial_pattern", "batch", "date_code"]), _negated=True),
                            ("pattern__isnull", False),
                            _connector="OR",
                        ),
                        name="recall_pattern_where_its_scope_needs_one",
                        violation_error_message="a recall of serials, batches or date codes has a pattern",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("pattern__isnull", False),
                            models.Q(("exhaustive", False), ("not_affected_pattern__isnull", True)),
                            _connector="OR",
                        ),
                        name="recall_clears_only_beside_a_pattern",
                        violation_error_message="a recall clears units only where a pattern says which are affected",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("notice_url__regex", "^https?://[^\\s/]+\\.\\S+$")),
                        name="recall_notice_url_is_absolute",
                        violation_error_message="`notice_url` is an absolute web address",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("explicit_list_url__regex", "^https?://[^\\s/]+\\.\\S+$")),
                        name="recall_explicit_list_url_is_absolute",
                        violation_error_message="`explicit_list_url` is an absolute web address",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="begins_as_draft",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (NEW.state <> 'draft')",
                            func="RAISE EXCEPTION 'a revision begins as a draft' USING ERRCODE = 'restrict_violation';",
                            hash="25e90a52985f1b41597f394736a828b24943c6c7",
                            operation="INSERT",
                            pgid="pgtrigger_begins_as_draft_d0c83",
                            table="recalls_recall",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="goes_its_way",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (('approved', 'published'), ('approved', 'superseded'), ('approved', 'withdrawn'), ('draft', 'in_review'), ('in_review', 'approved'), ('in_review', 'draft'), ('published', 'superseded'), ('published', 'withdrawn')))",
                            func="RAISE EXCEPTION 'no verb leads from this state to that one' USING ERRCODE = 'restrict_violation';",
                            hash="db9a4e082692a2e7aaa30becad85841b36cbec93",
                            operation="UPDATE",
                            pgid="pgtrigger_goes_its_way_f060e",
                            table="recalls_recall",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="content_stays",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (NOT (OLD.state = \'draft\' AND NEW.state = \'draft\') AND ((OLD."announced_on" IS DISTINCT FROM (NEW."announced_on") OR OLD."announced_precision" IS DISTINCT FROM (NEW."announced_precision") OR OLD."authority" IS DISTINCT FROM (NEW."authority") OR OLD."authors" IS DISTINCT FROM (NEW."authors") OR OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."created_by_id" IS DISTINCT FROM (NEW."created_by_id") OR OLD."details" IS DISTINCT FROM (NEW."details") OR OLD."device_id" IS DISTINCT FROM (NEW."device_id") OR OLD."exhaustive" IS DISTINCT FROM (NEW."exhaustive") OR OLD."explicit_list_url" IS DISTINCT FROM (NEW."explicit_list_url") OR OLD."hazard" IS DISTINCT FROM (NEW."hazard") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."identifier" IS DISTINCT FROM (NEW."identifier") OR OLD."jurisdiction" IS DISTINCT FROM (NEW."jurisdiction") OR OLD."not_affected_pattern" IS DISTINCT FROM (NEW."not_affected_pattern") OR OLD."notes" IS DISTINCT FROM (NEW."notes") OR OLD."notice_url" IS DISTINCT FROM (NEW."notice_url") OR OLD."pattern" IS DISTINCT FROM (NEW."pattern") OR OLD."recall_id" IS DISTINCT FROM (NEW."recall_id") OR OLD."remedy" IS DISTINCT FROM (NEW."remedy") OR OLD."revision" IS DISTINCT FROM (NEW."revision") OR OLD."scope" IS DISTINCT FROM (NEW."scope") OR OLD."title" IS DISTINCT FROM (NEW."title") OR OLD."units" IS DISTINCT FROM (NEW."units") OR OLD."units_scope" IS DISTINCT FROM (NEW."units_scope") OR OLD."withdraws" IS DISTINCT FROM (NEW."withdraws"))))',
                            func="RAISE EXCEPTION 'a revision changes only while it is a draft; open the next one' USING ERRCODE = 'restrict_violation';",
                            hash="810f855173e7f134a8cfc30a0efa96c03b0b9ecb",
                            operation="UPDATE",
                            pgid="pgtrigger_content_stays_4bf37",
                            table="recalls_recall",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="marks_stay",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (OLD.state = NEW.state AND ((OLD."approved_at" IS DISTINCT FROM (NEW."approved_at") OR OLD."approved_by_id" IS DISTINCT FROM (NEW."approved_by_id") OR OLD."published_at" IS DISTINCT FROM (NEW."published_at") OR OLD."published_by_id" IS DISTINCT FROM (NEW."published_by_id") OR OLD."submitted_at" IS DISTINCT FROM (NEW."submitted_at") OR OLD."submitted_by_id" IS DISTINCT FROM (NEW."submitted_by_id"))))',
                            func="RAISE EXCEPTION 'who submitted, approved and published a revision stays as it was' USING ERRCODE = 'restrict_violation';",
                            hash="1d00b728d73d8ae170ca9c9ff32df35557304d20",
                            operation="UPDATE",
                            pgid="pgtrigger_marks_stay_9a06c",
                            table="recalls_recall",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="second_approval_stays",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (NOT (OLD.state = \'approved\' AND NEW.state = \'approved\' AND OLD.second_approved_at IS NULL) AND ((OLD."second_approved_at" IS DISTINCT FROM (NEW."second_approved_at") OR OLD."second_approved_by_id" IS DISTINCT FROM (NEW."second_approved_by_id"))))',
                            func="RAISE EXCEPTION 'a revision is approved again once, while it is approved' USING ERRCODE = 'restrict_violation';",
                            hash="0787f829f1610210a8f330e28ac7fc6bd4ccd2ef",
                            operation="UPDATE",
                            pgid="pgtrigger_second_approval_stays_baa91",
                            table="recalls_recall",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="only_drafts_go",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.state <> 'draft')",
                            func="RAISE EXCEPTION 'only a draft can be thrown away' USING ERRCODE = 'restrict_violation';",
                            hash="45857c59a5a5e010174357e53da09ea8f9d4b77d",
                            operation="DELETE",
                            pgid="pgtrigger_only_drafts_go_d3b61",
                            table="recalls_recall",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "recalls_recallevent" ("announced_on", "announced_precision", "approved_at", "approved_by_id", "authority", "authors", "created_at", "created_by_id", "details", "device_id", "exhaustive", "explicit_list_url", "hazard", "id", "identifier", "jurisdiction", "not_affected_pattern", "notes", "notice_url", "pattern", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "published_at", "published_by_id", "recall_id", "remedy", "revision", "scope", "second_approved_at", "second_approved_by_id", "state", "submitted_at", "submitted_by_id", "title", "units", "units_scope", "withdraws") SELECT new_values."announced_on", new_values."announced_precision", new_values."approved_at", new_values."approved_by_id", new_values."authority", new_values."authors", new_values."created_at", new_values."created_by_id", new_values."details", new_values."device_id", new_values."exhaustive", new_values."explicit_list_url", new_values."hazard", new_values."id", new_values."identifier", new_values."jurisdiction", new_values."not_affected_pattern", new_values."notes", new_values."notice_url", new_values."pattern", _pgh_attached_context.value, NOW(), \'insert\', new_values."id", new_values."published_at", new_values."published_by_id", new_values."recall_id", new_values."remedy", new_values."revision", new_values."scope", new_values."second_approved_at", new_values."second_approved_by_id", new_values."state", new_values."submitted_at", new_values."submitted_by_id", new_values."title", new_values."units", new_values."units_scope", new_values."withdraws" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="42d345ac4ea2c7e62097e9a31123b6d4ce2b4c01",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_a60c4",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="recalls_recall",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "recalls_recallevent" ("announced_on", "announced_precision", "approved_at", "approved_by_id", "authority", "authors", "created_at", "created_by_id", "details", "device_id", "exhaustive", "explicit_list_url", "hazard", "id", "identifier", "jurisdiction", "not_affected_pattern", "notes", "notice_url", "pattern", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "published_at", "published_by_id", "recall_id", "remedy", "revision", "scope", "second_approved_at", "second_approved_by_id", "state", "submitted_at", "submitted_by_id", "title", "units", "units_scope", "withdraws") SELECT new_values."announced_on", new_values."announced_precision", new_values."approved_at", new_values."approved_by_id", new_values."authority", new_values."authors", new_values."created_at", new_values."created_by_id", new_values."details", new_values."device_id", new_values."exhaustive", new_values."explicit_list_url", new_values."hazard", new_values."id", new_values."identifier", new_values."jurisdiction", new_values."not_affected_pattern", new_values."notes", new_values."notice_url", new_values."pattern", _pgh_attached_context.value, NOW(), \'update\', new_values."id", new_values."published_at", new_values."published_by_id", new_values."recall_id", new_values."remedy", new_values."revision", new_values."scope", new_values."second_approved_at", new_values."second_approved_by_id", new_values."state", new_values."submitted_at", new_values."submitted_by_id", new_values."title", new_values."units", new_values."units_scope", new_values."withdraws" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values.* IS DISTINCT FROM new_values.*) ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="d251a806fe1be5ecf631b56072e5ade4f33dab8a",
                            level="STATEMENT",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_e1f4e",
                            referencing="REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ",
                            table="recalls_recall",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "recalls_recallevent" ("announced_on", "announced_precision", "approved_at", "approved_by_id", "authority", "authors", "created_at", "created_by_id", "details", "device_id", "exhaustive", "explicit_list_url", "hazard", "id", "identifier", "jurisdiction", "not_affected_pattern", "notes", "notice_url", "pattern", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "published_at", "published_by_id", "recall_id", "remedy", "revision", "scope", "second_approved_at", "second_approved_by_id", "state", "submitted_at", "submitted_by_id", "title", "units", "units_scope", "withdraws") SELECT old_values."announced_on", old_values."announced_precision", old_values."approved_at", old_values."approved_by_id", old_values."authority", old_values."authors", old_values."created_at", old_values."created_by_id", old_values."details", old_values."device_id", old_values."exhaustive", old_values."explicit_list_url", old_values."hazard", old_values."id", old_values."identifier", old_values."jurisdiction", old_values."not_affected_pattern", old_values."notes", old_values."notice_url", old_values."pattern", _pgh_attached_context.value, NOW(), \'delete\', old_values."id", old_values."published_at", old_values."published_by_id", old_values."recall_id", old_values."remedy", old_values."revision", old_values."scope", old_values."second_approved_at", old_values."second_approved_by_id", old_values."state", old_values."submitted_at", old_values."submitted_by_id", old_values."title", old_values."units", old_values."units_scope", old_values."withdraws" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="a3cef86f9f735650c1e23d2c51b59e56d83fa3a7",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_38b9a",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="recalls_recall",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RecallEvent",
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
                ("recall_id", models.CharField(max_length=80)),
                ("authority", models.CharField(max_length=200)),
                ("jurisdiction", models.CharField(max_length=4)),
                ("announced_on", models.DateField()),
                (
                    "announced_precision",
                    models.CharField(
                        choices=[
                            ("day", "day"),
                            ("month", "month"),
                            ("year", "year"),
                            ("report", "report"),
                            ("earliest", "earliest"),
                        ],
                        max_length=20,
                    ),
                ),
                ("title", models.CharField(max_length=300)),
                ("hazard", models.TextField()),
                ("remedy", models.TextField()),
                ("units", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "units_scope",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("model", "model"),
                            ("notice_total", "notice total"),
                            ("restated", "restated"),
                        ],
                        max_length=20,
                        null=True,
                    ),
                ),
                (
                    "scope",
                    models.CharField(
                        choices=[
                            ("all_units", "all units"),
                            ("serial_pattern", "serial pattern"),
                            ("batch", "batch"),
                            ("date_code", "date code"),
                            ("lookup_required", "lookup required"),
                            ("manufacture_date", "manufacture date"),
                            ("sale_dates", "sale dates"),
                        ],
                        max_length=20,
                    ),
                ),
                ("identifier", models.CharField(max_length=60)),
                ("pattern", models.CharField(blank=True, max_length=1024, null=True)),
                ("not_affected_pattern", models.CharField(blank=True, max_length=1024, null=True)),
                ("exhaustive", models.BooleanField(default=False)),
                ("explicit_list_url", models.URLField(blank=True, max_length=2000, null=True)),
                (
                    "details",
                    models.JSONField(
                        blank=True, default=dict, validators=[recalls.editing.models.validate_details]
                    ),
                ),
                ("notice_url", models.URLField(max_length=2000)),
                ("notes", models.TextField(blank=True)),
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
                        to="recalls.recall",
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
                            hash="2d21f0b47951469807287a03ee552535a147e5c8",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_c655e",
                            table="recalls_recallevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RecallEvidence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "recall",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="evidence",
                        to="recalls.recall",
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
                        fields=("recall", "source"),
                        name="recall_evidence_source_once",
                        violation_error_message="names a source twice",
                    ),
                    models.UniqueConstraint(
                        fields=("recall", "position"),
                        name="recall_evidence_position_once",
                        violation_error_message="has two sources in one position",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="goes_with_its_draft",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE owner bigint;",
                            func="\n            FOREACH owner IN ARRAY ARRAY[OLD.recall_id, NEW.recall_id] LOOP\n                IF owner IS NOT NULL THEN\n                    PERFORM FROM recalls_recall WHERE id = owner AND state = 'draft' FOR SHARE;\n                    IF NOT FOUND THEN\n                        RAISE EXCEPTION 'the evidence of a revision changes only while it is a draft'\n                            USING ERRCODE = 'restrict_violation';\n                    END IF;\n                END IF;\n            END LOOP;\n            RETURN NULL;\n        ",
                            hash="f4c5daa053db1277997d2610743a956efd421b9a",
                            operation="INSERT OR UPDATE OR DELETE",
                            pgid="pgtrigger_goes_with_its_draft_de35c",
                            table="recalls_recallevidence",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "recalls_recallevidenceevent" ("id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "recall_id", "source_id") SELECT new_values."id", _pgh_attached_context.value, NOW(), \'insert\', new_values."id", new_values."position", new_values."recall_id", new_values."source_id" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="fc9a18fab792f0e93ada502e76e1740abd6b33a4",
                            level="STATEMENT",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_a623c",
                            referencing="REFERENCING NEW TABLE AS new_values ",
                            table="recalls_recallevidence",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "recalls_recallevidenceevent" ("id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "recall_id", "source_id") SELECT new_values."id", _pgh_attached_context.value, NOW(), \'update\', new_values."id", new_values."position", new_values."recall_id", new_values."source_id" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values.* IS DISTINCT FROM new_values.*) ) AS new_values, _pgh_attached_context; RETURN NULL;',
                            hash="0d64be18b3b625530bd2e92cbde0108dd2f51830",
                            level="STATEMENT",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_4ee26",
                            referencing="REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ",
                            table="recalls_recallevidence",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "recalls_recallevidenceevent" ("id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "recall_id", "source_id") SELECT old_values."id", _pgh_attached_context.value, NOW(), \'delete\', old_values."id", old_values."position", old_values."recall_id", old_values."source_id" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;',
                            hash="e38d35f3d8db3da7dba434c7343be4e7edd9fd24",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_9b935",
                            referencing="REFERENCING OLD TABLE AS old_values ",
                            table="recalls_recallevidence",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RecallEvidenceEvent",
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
                        to="recalls.recallevidence",
                    ),
                ),
                (
                    "recall",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="recalls.recall",
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
                            hash="69d7731a9d38296b4a03d79eb09fe325b23a63ec",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_append_only_d12af",
                            table="recalls_recallevidenceevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="recall",
            name="sources",
            field=models.ManyToManyField(
                related_name="recalls", through="recalls.RecallEvidence", to="catalog.source"
            ),
        ),
        catalog.tables.triggers.InstallTriggers(),
    ]
