"""Partners: callers of the API with keys, their agreements, their keys and their webhooks."""

import datetime
import uuid
from typing import Literal, Self, get_args
from urllib.parse import urlsplit

import msgspec
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Func, Q, Value
from django.db.models.lookups import Regex

from catalog.tables.authorship import Created, optional_user
from catalog.tables.constraints import (
    SLUG,
    both_or_neither,
    check,
    choices,
    not_after,
    one_of,
    positive,
    same,
    spelled,
    words,
)
from compliance.partners.agreement import Agreement
from compliance.partners.keys import PUBLIC_ID
from compliance.partners.origins import SPELLED

KeyState = Literal["live", "expired", "revoked"]
Event = Literal[
    "webhook.registered",
    "webhook.test",
    "trip_watch.changed",
    "ruleset.published",
    "recall.added",
    "desk.submitted",
    "desk.approved",
    "desk.returned",
    "desk.mentioned",
    "desk.approval_owed",
    "desk.plan_failed",
]
WANTED: tuple[Event, ...] = ("trip_watch.changed", "ruleset.published", "recall.added")
"""The events that a webhook of a partner can want. Each webhook also gets those about itself."""
WANTED_AT_THE_DESK: tuple[Event, ...] = tuple(one for one in get_args(Event) if one.startswith("desk."))
"""The events that a webhook of the editors' desk can want."""
Outcome = Literal["waiting", "delivered", "dead"]

WEBHOOK_ID = r"whk_[a-z2-7]{16}"

TERMS_ADDRESS = r"^https://[a-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*)?$"
"""An address that can be in a `Link` header unchanged."""

# With a space before each. Otherwise an element that is null would just be left out.
_ORIGINS = Func(
    Func(Value(""), F("allowed_origins"), function="array_prepend", output_field=models.TextField()),
    Value(" "),
    Value("null"),
    function="array_to_string",
    output_field=models.TextField(),
)


class PartnerQuerySet(models.QuerySet["Partner"]):
    """Partners, with the columns of a list of them."""

    def with_keys(self, now: datetime.datetime) -> Self:
        """Add `live_keys`, how many keys are live at an instant, and `last_used`, the last use of any key."""
        return self.annotate(
            live_keys=models.Count("keys", filter=live_at(now, "keys__")),
            last_used=models.Max("keys__last_used"),
        )


class Partner(Created):
    """A partner and its agreement. The agreement never changes a verdict.

    `rate_per_minute` is how many requests each key may send in a minute. `allowed_origins` are the web
    origins, spelled as browsers do, whose pages may use a key; with none, only servers may. `terms_url` is
    the address of the support terms. With `receipts`, each verdict for the partner has a receipt, also if the
    request does not ask for one. A closed partner has no live key and gets none.
    """

    slug = models.CharField(primary_key=True, max_length=50)
    name = models.CharField(max_length=200)
    contact_email = models.EmailField()
    rate_per_minute = models.PositiveIntegerField()
    allowed_origins = ArrayField(models.CharField(max_length=300), default=list, blank=True)
    terms_url = models.CharField(max_length=500)
    receipts = models.BooleanField(default=False)
    changed_at = models.DateTimeField(null=True, blank=True, editable=False)
    changed_by = optional_user()
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    closed_by = optional_user()

    objects = PartnerQuerySet.as_manager()

    class Meta:
        ordering = ["slug"]
        # Partners are closed and never deleted.
        default_permissions = ("add", "change", "view")
        constraints = [
            spelled("partner_slug_is_a_slug", "slug", SLUG, "the slug is lower-case words joined by hyphens"),
            spelled("partner_name_is_written", "name", r"\S", "a partner has a name"),
            spelled(
                "partner_email_is_written", "contact_email", r"^\S+@\S+$", "a partner has an email address"
            ),
            positive("partner_rate_is_above_zero", "rate_per_minute"),
            models.CheckConstraint(
                name="partner_origins_are_spelled_as_browsers_do",
                condition=Regex(_ORIGINS, Value(rf"^( {SPELLED})*$")),
                violation_error_message="an origin is https://, host and port alone, in lower case",
            ),
            spelled(
                "partner_terms_are_at_an_https_address",
                "terms_url",
                TERMS_ADDRESS,
                "the support terms are at an https address, written in ASCII",
            ),
            both_or_neither("partner_change_is_a_pair", "changed_at", "changed_by"),
            both_or_neither("partner_closing_is_a_pair", "closed_at", "closed_by"),
            not_after(
                "partner_closed_after_creation",
                "created_at",
                "closed_at",
                "a partner is not closed before it is recorded",
            ),
        ]

    def __str__(self) -> str:
        return self.slug

    def to_record(self) -> Agreement:
        """Return the agreement that the row was written from."""
        return msgspec.convert(self, Agreement, from_attributes=True)


class PartnerKeyQuerySet(models.QuerySet["PartnerKey"]):
    """Keys of partners."""

    def live(self, now: datetime.datetime) -> Self:
        """Keep the keys that are live at an instant: not revoked, not expired, their partner not closed."""
        return self.filter(live_at(now))


class PartnerKey(Created):
    """A key of a partner: its public id and the SHA-256 of the whole key.

    It is valid until `valid_until`, without end if that is empty, and no longer after it is revoked.
    `last_used` is exact to about a minute.
    """

    public_id = models.CharField(primary_key=True, max_length=12)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="keys")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    valid_until = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    revoked_by = optional_user()
    last_used = models.DateTimeField(null=True, blank=True, editable=False)

    objects = PartnerKeyQuerySet.as_manager()

    class Meta:
        ordering = ["partner", "-created_at", "public_id"]
        # Keys are revoked and never deleted.
        default_permissions = ("add", "change", "view")
        constraints = [
            spelled(
                "partner_key_public_id_is_spelled",
                "public_id",
                rf"^{PUBLIC_ID}$",
                "the public id is `btk_` and eight characters",
            ),
            spelled(
                "partner_key_digest_is_sha256",
                "digest",
                r"^[0-9a-f]{64}$",
                "`digest` is 64 lower-case hex digits",
            ),
            both_or_neither("partner_key_revocation_is_a_pair", "revoked_at", "revoked_by"),
            not_after(
                "partner_key_valid_after_creation",
                "created_at",
                "valid_until",
                "a key does not expire before it is issued",
            ),
            not_after(
                "partner_key_revoked_after_creation",
                "created_at",
                "revoked_at",
                "a key is not revoked before it is issued",
            ),
        ]

    def __str__(self) -> str:
        return self.public_id

    def state(self, now: datetime.datetime) -> KeyState:
        """Return the state of the key at an instant."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.valid_until is not None and self.valid_until <= now else "live"


def only_watches() -> list[str]:
    """Return the events that webhooks get if nothing else is wanted."""
    return ["trip_watch.changed"]


class Webhook(Created):
    """An address of a partner, or without one of the editors' desk, that receives events.

    Its secret is derived from its id when it is needed and is in no table; `digest`, its SHA-256, shows
    whether it is still the one that the partner received. `events` are those that the partner wants, of
    recalls only those of the models in `recall_models`. `told_sequence` is the last release of the ledger
    that it was told of. After `ended` it receives nothing; `ended_because` says why.

    A webhook of the desk is told of what happens after `listens_from`. While it is `paused` it is told
    nothing, and what waits for it is not sent.
    """

    webhook_id = models.CharField(primary_key=True, max_length=20, editable=False)
    partner = models.ForeignKey(
        Partner, on_delete=models.PROTECT, related_name="webhooks", null=True, editable=False
    )
    url = models.CharField(max_length=500, editable=False)
    digest = models.CharField(max_length=64, editable=False)
    events = ArrayField(models.CharField(max_length=30), default=only_watches, editable=False)
    recall_models = ArrayField(models.CharField(max_length=80), default=list, editable=False)
    told_sequence = models.PositiveIntegerField(null=True, editable=False)
    listens_from = models.DateTimeField(null=True, editable=False)
    paused = models.DateTimeField(null=True, editable=False)
    ended = models.DateTimeField(null=True, editable=False)
    ended_because = models.CharField(max_length=100, default="", editable=False)

    class Meta:
        ordering = ["partner", "-created_at", "webhook_id"]
        # Webhooks are ended and never deleted, as a record of the past.
        default_permissions = ("add", "change", "view")
        constraints = [
            spelled(
                "webhook_id_is_spelled",
                "webhook_id",
                rf"^{WEBHOOK_ID}$",
                "a webhook id is `whk_` and 16 characters",
            ),
            spelled(
                "webhook_is_told_over_tls",
                "url",
                r"^https://[^\s/]+(/\S*)?$",
                "a webhook is at an https address",
            ),
            spelled(
                "webhook_digest_is_sha256",
                "digest",
                r"^[0-9a-f]{64}$",
                "`digest` is 64 lower-case hex digits",
            ),
            check(
                "webhook_wants_known_events",
                Q(events__len__gt=0)
                & (
                    Q(partner__isnull=False, events__contained_by=WANTED)
                    | Q(partner__isnull=True, events__contained_by=WANTED_AT_THE_DESK)
                ),
                "a webhook wants one or more of the events of its owner",
            ),
            check(
                "webhook_of_the_desk_listens",
                same(Q(partner__isnull=True), Q(listens_from__isnull=False))
                & (Q(partner__isnull=True) | Q(paused__isnull=True)),
                "a webhook listens from an instant on, and can be paused, exactly if it is one of the desk",
            ),
            check(
                "webhook_names_models_for_recalls",
                same(Q(events__contains=["recall.added"]), Q(recall_models__len__gt=0)),
                "a webhook names models exactly if it wants their recalls",
            ),
            check(
                "webhook_ended_says_why",
                same(Q(ended__isnull=False), ~Q(ended_because="")),
                "a webhook says why it ended, exactly when it has",
            ),
            not_after(
                "webhook_ended_after_registration",
                "created_at",
                "ended",
                "a webhook does not end before it is registered",
            ),
        ]

    def __str__(self) -> str:
        return self.webhook_id

    @property
    def gets(self) -> str:
        """What it gets, in one line: its events and its models."""
        return " ".join([*self.events, *self.recall_models])

    @property
    def place(self) -> str:
        """The address for people: of one of the desk its server alone, because a chat obeys its address."""
        return self.url if self.partner_id is not None else f"https://{urlsplit(self.url).netloc}/…"


class WebhookDelivery(models.Model):
    """An event for a webhook: tried until it is accepted, or given up as a dead letter.

    `delivery_id` is in every try, so a receiver recognizes a repeated delivery. `due` is when it is tried
    next, null when it is over. `failure` says why the last try failed. `body` has the exact bytes that are
    signed.
    """

    delivery_id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries", editable=False)
    watch = models.ForeignKey(
        "compliance.TripWatch",
        on_delete=models.SET_NULL,
        related_name="deliveries",
        null=True,
        editable=False,
    )
    event = models.CharField(max_length=30, choices=choices(Event), editable=False)
    body = models.TextField(editable=False)
    made = models.DateTimeField(editable=False)
    due = models.DateTimeField(null=True, editable=False)
    tries = models.PositiveIntegerField(default=0, editable=False)
    outcome = models.CharField(max_length=9, choices=choices(Outcome), default="waiting", editable=False)
    failure = models.CharField(max_length=300, default="", editable=False)
    finished = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-made", "delivery_id"]
        default_permissions = ("change", "view")
        verbose_name_plural = "webhook deliveries"
        indexes = [
            models.Index(name="webhook_deliveries_due", fields=["due"], condition=Q(due__isnull=False)),
        ]
        constraints = [
            one_of("webhook_delivery_event_is_known", "event", words(Event)),
            one_of("webhook_delivery_outcome_is_known", "outcome", words(Outcome)),
            check(
                "webhook_delivery_waits_until_due",
                same(Q(outcome="waiting"), Q(due__isnull=False)),
                "a delivery is due exactly as long as it waits",
            ),
            check(
                "webhook_delivery_finishes_once",
                same(Q(outcome="waiting"), Q(finished__isnull=True)),
                "a delivery has finished exactly when it no longer waits",
            ),
        ]

    def __str__(self) -> str:
        return str(self.delivery_id)


def live_at(now: datetime.datetime, to_key: str = "") -> models.Q:
    """Return the condition that a key is live at an instant; `to_key` leads from the model to the key."""
    neither = models.Q(**{f"{to_key}revoked_at": None, f"{to_key}partner__closed_at": None})
    endless, later = models.Q(**{f"{to_key}valid_until": None}), models.Q(**{f"{to_key}valid_until__gt": now})
    return neither & (endless | later)
