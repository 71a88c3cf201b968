"""Requests to publish, plans, selections, accepted verdict cases, and releases of one person."""

from typing import Self

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from catalog.dates import moment_words
from catalog.tables.authorship import Created, optional_user
from catalog.tables.constraints import both_or_neither, check, not_after, one_of, same, spelled
from catalog.tables.tracking import tracked
from catalog.tables.triggers import ChangeWhile, refuse
from rules.cases import Outcome
from rules.releases.models import SHA256, Release


class PlanState(models.TextChoices):
    """The state of a plan."""

    PLANNED = "planned"  # Its scheduled time is in the future, or it is being carried out now.
    DONE = "done"  # Its release is published.
    FAILED = "failed"  # Nothing was published; `failure` says why.
    CANCELED = "canceled"  # A user canceled it.


@tracked
class PlannedRelease(Created):
    """One planned publishing of some approved changes.

    `records` are these changes: for each its kind, its id, its revision, null in the catalog, and the digest
    of what it says. At `due` they are published on top of what is current then, in the name of the planner;
    if the service was not running, as soon as it is. `shown` is what was named as less strict when this was
    planned; nothing may be less strict than that. `base` is the version that was current then, and
    `content_sha256` the digest of what would have been published. The first release has no base: exactly
    this content is published, and `records` is empty.

    `authors` are the ids of those who wrote the changes. One that failed stays on the desks of its people
    until it is canceled or planned again.
    """

    due = models.DateTimeField()
    base = models.CharField(max_length=20, blank=True)
    content_sha256 = models.CharField(max_length=64)
    records = models.JSONField(default=list, blank=True, editable=False)
    shown = models.JSONField(default=dict, blank=True, editable=False)
    authors = ArrayField(models.IntegerField(), default=list, blank=True, editable=False)
    note = models.TextField()
    state = models.CharField(max_length=10, choices=PlanState.choices, default=PlanState.PLANNED)
    failure = models.TextField(blank=True)
    release = models.ForeignKey(
        Release, on_delete=models.PROTECT, related_name="+", null=True, blank=True, editable=False
    )
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        editable=False,
    )

    class Meta:
        ordering = ["-id"]
        default_permissions = ("view",)
        constraints = [
            one_of("planned_release_state_is_known", "state", PlanState.values),
            spelled("planned_release_note_is_written", "note", r"\S", "a planned release has a note"),
            spelled(
                "planned_release_content_is_a_digest",
                "content_sha256",
                SHA256,
                "`content_sha256` is 64 lower-case hex digits",
            ),
            not_after(
                "planned_release_is_for_later",
                "created_at",
                "due",
                "a publishing is planned for a time in the future",
            ),
            both_or_neither("planned_release_end_is_a_pair", "ended_at", "ended_by"),
            check(
                "planned_release_ends_once",
                same(Q(state=PlanState.PLANNED), Q(ended_at__isnull=True)),
                "a plan has ended exactly when it is no longer planned",
            ),
            check(
                "planned_release_done_has_its_release",
                same(Q(state=PlanState.DONE), Q(release__isnull=False)),
                "a plan is done exactly when its release is out",
            ),
            check(
                "planned_release_failed_says_why",
                (~Q(state=PlanState.FAILED) | Q(failure__regex=r"\S"))
                & (Q(state__in=(PlanState.FAILED, PlanState.CANCELED)) | Q(failure="")),
                "a plan that failed, and none that goes or went out, says why",
            ),
        ]
        indexes = [
            models.Index(name="plans_by_their_day", fields=["due"], condition=~Q(state=PlanState.DONE))
        ]
        triggers = [
            refuse(
                "plan_stays",
                pgtrigger.Update,
                ChangeWhile(
                    exclude=("state", "failure", "release", "ended_at", "ended_by"), condition="TRUE"
                ),
                "what was planned stays as it was planned",
            ),
            refuse(
                "end_stays",
                pgtrigger.Update,
                pgtrigger.Condition(
                    "OLD.state <> 'planned' AND NOT (OLD.state = 'failed' AND NEW.state = 'canceled'"
                    " AND OLD.failure = NEW.failure)"
                ),
                "what became of a plan stays as it is",
            ),
            refuse(
                "plans_stay",
                pgtrigger.Delete,
                pgtrigger.Condition("TRUE"),
                "a plan is canceled, never deleted",
            ),
        ]

    def __str__(self) -> str:
        return f"publishing planned for {moment_words(self.due)}"


@tracked
class AcceptedCase(Created):
    """One case that may fail, in exactly one way, and why.

    `case_sha256` is the digest of the case in its file, `outcome` what it expected and what it got instead.
    It counts once a second reviewer agreed. `grants`: the answer is allowed and the file does not allow it.
    """

    name = models.CharField(max_length=300, primary_key=True)
    case_sha256 = models.CharField(max_length=64)
    outcome = models.JSONField()
    grants = models.BooleanField()
    reason = models.TextField()
    agreed_at = models.DateTimeField(null=True, blank=True, editable=False)
    agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        editable=False,
    )

    class Meta:
        ordering = ["name"]
        default_permissions = ("add", "delete", "view")
        constraints = [
            spelled(
                "accepted_case_sha256_is_a_digest",
                "case_sha256",
                SHA256,
                "`case_sha256` is 64 lower-case hex digits",
            ),
            spelled("accepted_case_has_a_reason", "reason", r"\S", "an accepted case has a reason"),
            both_or_neither("accepted_case_agreement_is_a_pair", "agreed_at", "agreed_by"),
            check(
                "accepted_case_second_reviewer_is_somebody_else",
                Q(agreed_by__isnull=True) | ~Q(agreed_by=F("created_by")),
                "the second reviewer is another person than the first",
            ),
            not_after(
                "accepted_case_agreed_after_acceptance",
                "created_at",
                "agreed_at",
                "a second reviewer does not agree before the first",
            ),
        ]
        triggers = [
            refuse(
                "stays_as_it_is",
                pgtrigger.Update,
                ChangeWhile(exclude=("agreed_at", "agreed_by"), condition="TRUE"),
                "an accepted case stays as it was accepted",
            ),
            refuse(
                "agreement_stays",
                pgtrigger.Update,
                ChangeWhile("agreed_at", "agreed_by", condition="OLD.agreed_at IS NOT NULL"),
                "who agreed to an accepted case stays as it was",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def counts(self) -> bool:
        """Return whether a release may rest on it."""
        return self.agreed_at is not None

    def is_about(self, case_sha256: str, outcome: Outcome) -> bool:
        """Return whether this case and this way of failing are what was accepted."""
        return self.case_sha256 == case_sha256 and self.outcome == [list(pair) for pair in outcome]


@tracked
class RollBackRequest(Created):
    """One person asks for a roll-back that makes answers less strict; another one does it.

    It counts while `base` is current. `back_to` is the release to go back to.
    """

    base = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="+", editable=False)
    back_to = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="+", editable=False)
    reason = models.TextField()

    class Meta:
        ordering = ["id"]
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(
                name="roll_back_request_once",
                fields=["base", "back_to", "created_by"],
                violation_error_message="you requested this roll-back already",
            ),
            spelled("roll_back_request_has_a_reason", "reason", r"\S", "a roll-back has a reason"),
        ]
        triggers = [
            refuse(
                "requests_stay",
                pgtrigger.Update | pgtrigger.Delete,
                pgtrigger.Condition("TRUE"),
                "who requested a roll-back stays as it was",
            )
        ]

    def __str__(self) -> str:
        return f"roll-back to {self.back_to_id} from {self.base_id}"


class SoloReleases(models.QuerySet["SoloRelease"]):
    """Releases that one person published alone."""

    def waiting(self) -> Self:
        """Return those that wait for their second approval, in the order of the releases."""
        rows = self.filter(approved_at__isnull=True).order_by("release__sequence")
        return rows.select_related("release", "created_by").defer("release__document")


@tracked
class SoloRelease(Created):
    """A release that one person published alone. It waits for the approval of another person.

    `authors` wrote what was new in it. None of them, nor who published it, approves it.
    """

    release = models.OneToOneField(Release, on_delete=models.PROTECT, related_name="solo", editable=False)
    reason = models.TextField()
    authors = ArrayField(models.IntegerField(), editable=False)
    approved_at = models.DateTimeField(null=True, blank=True, editable=False)
    approved_by = optional_user()

    objects = SoloReleases.as_manager()

    class Meta:
        ordering = ["id"]
        default_permissions = ("view",)
        constraints = [
            spelled("solo_release_has_a_reason", "reason", r"\S", "a release of one person has a reason"),
            both_or_neither("solo_release_approval_is_a_pair", "approved_at", "approved_by"),
            check(
                "solo_release_publisher_is_an_author",
                Q(authors__contains=[F("created_by")]),
                "the person who published a release alone is one of its authors",
            ),
            check(
                "solo_release_approver_is_not_author",
                ~Q(authors__contains=[F("approved_by")]),
                "no one approves their own work",
            ),
            not_after(
                "solo_release_approved_after_creation",
                "created_at",
                "approved_at",
                "a release is not approved before it is published",
            ),
        ]
        triggers = [
            refuse(
                "solo_release_stays",
                pgtrigger.Update,
                ChangeWhile(exclude=("approved_at", "approved_by"), condition="TRUE"),
                "who published a release alone stays as it was",
            ),
            refuse(
                "solo_approval_stays",
                pgtrigger.Update,
                ChangeWhile("approved_at", "approved_by", condition="OLD.approved_at IS NOT NULL"),
                "who approved a release stays as it was",
            ),
            refuse(
                "solo_releases_stay",
                pgtrigger.Delete,
                pgtrigger.Condition("TRUE"),
                "a release that waits for its second approval is not forgotten",
            ),
        ]

    def __str__(self) -> str:
        return f"release {self.release} by {self.created_by} alone"


class Selection(models.Model):
    """What was ticked on the page that publishes, under a short name for its address.

    `id` is made from the ticks, so the same ticks have the same address for everybody. `names` are the names
    of `rules.publishing.units`. `kept` is when someone ticked this last.
    """

    id = models.CharField(max_length=32, primary_key=True, editable=False)
    names = ArrayField(models.TextField(), editable=False)
    kept = models.DateTimeField(editable=False)

    class Meta:
        ordering = ["-kept", "id"]
        default_permissions = ()
        indexes = [models.Index(name="selections_by_their_age", fields=["kept"])]

    def __str__(self) -> str:
        return f"{len(self.names)} ticks"


class RequestState(models.TextChoices):
    """The state of a request to publish."""

    WAITING = "waiting"  # A publisher has not carried it out yet.
    DONE = "done"  # Its release is published.
    REFUSED = "refused"  # Nothing was published; `refusal` says why.


class RequestKind(models.TextChoices):
    """What a request asks for."""

    PUBLISH = "publish"  # What is approved.
    ALONE = "alone"  # What is approved, and revisions in review, by one person.
    ROLL_BACK = "roll back"  # What the release `back_to` contains.


@tracked
class PublishRequest(Created):
    """One request to publish, which the desk writes and the publisher process carries out.

    `base` is the version that was current for the person, empty for none, and `content_sha256` the digest of
    what they were shown, for a release of one person with the ticked revisions, and empty for a roll-back,
    where only `base` counts. `records` are the kinds and ids of what is to be published; if there are none,
    all that is approved. `note` is the note of the release, or the reason.
    """

    kind = models.CharField(max_length=10, choices=RequestKind.choices, editable=False)
    base = models.CharField(max_length=20, blank=True, editable=False)
    content_sha256 = models.CharField(max_length=64, blank=True, editable=False)
    note = models.TextField(editable=False)
    back_to = models.CharField(max_length=20, blank=True, editable=False)
    rule_ids = ArrayField(models.CharField(max_length=80), default=list, editable=False)
    recall_ids = ArrayField(models.CharField(max_length=80), default=list, editable=False)
    records = models.JSONField(default=list, editable=False)
    state = models.CharField(
        max_length=10, choices=RequestState.choices, default=RequestState.WAITING, editable=False
    )
    refusal = models.TextField(blank=True, editable=False)
    release = models.ForeignKey(
        Release, on_delete=models.PROTECT, related_name="+", null=True, blank=True, editable=False
    )
    finished = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["id"]
        default_permissions = ("view",)
        indexes = [
            models.Index(
                name="publish_requests_that_wait", fields=["id"], condition=Q(state=RequestState.WAITING)
            )
        ]
        constraints = [
            one_of("publish_request_state_is_known", "state", RequestState.values),
            one_of("publish_request_kind_is_known", "kind", RequestKind.values),
            spelled("publish_request_note_is_written", "note", r"\S", "a request to publish has a note"),
            check(
                "publish_request_ends_once",
                same(Q(state=RequestState.WAITING), Q(finished__isnull=True)),
                "a request has ended exactly when it no longer waits",
            ),
            check(
                "publish_request_done_has_its_release",
                same(Q(state=RequestState.DONE), Q(release__isnull=False)),
                "a request is done exactly when its release is out",
            ),
            check(
                "publish_request_refused_says_why",
                same(Q(state=RequestState.REFUSED), Q(refusal__regex=r"\S")),
                "a request that was refused, and no other, says why",
            ),
            check(
                "publish_request_goes_back_to_a_release",
                same(Q(kind=RequestKind.ROLL_BACK), ~Q(back_to="")),
                "a roll-back, and nothing else, names the release to go back to",
            ),
        ]
        triggers = [
            refuse(
                "request_stays",
                pgtrigger.Update,
                ChangeWhile(exclude=("state", "refusal", "release", "finished"), condition="TRUE"),
                "what was requested stays as it was",
            ),
            refuse(
                "end_of_request_stays",
                pgtrigger.Update,
                pgtrigger.Condition("OLD.state <> 'waiting'"),
                "what became of a request stays as it is",
            ),
            refuse(
                "publish_requests_stay",
                pgtrigger.Delete,
                pgtrigger.Condition("TRUE"),
                "a request to publish is never deleted",
            ),
        ]

    def __str__(self) -> str:
        return f"request {self.pk} to {self.kind}"
