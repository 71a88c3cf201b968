"""The actions of webhooks: register, end, record a delivery, try, send again, delete.

Only `register_webhook` returns a plain secret, once, and the code that signs a try reads it.
"""

import datetime
import random
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet

from catalog.dates import moment_words
from catalog.errors import ChangedSinceSeen, NotRecorded, Refused, Unfit, WrongState
from catalog.fetching import FetchFailed, Sender, policy_from_settings
from catalog.jobs import actions
from catalog.models import DeadLetter
from catalog.tables.actions.inserting import insert
from compliance.notices.actions import notify
from compliance.partners.actions.partners import open_partner, tell_partner
from compliance.partners.models import WANTED, WANTED_AT_THE_DESK, Event, Webhook, WebhookDelivery
from compliance.partners.webhooks import signing
from compliance.partners.webhooks.announcing import told_of
from compliance.partners.webhooks.bodies import Registered, Test, WatchChanged, body_of
from rules import corpus
from rules.corpus import Published
from rules.models import Release

JOB = "webhooks"
"""The name of the job in the list of dead letters."""

MAX_LIVE_WEBHOOKS = 3
"""Of one partner."""

MAX_LIVE_OF_THE_DESK = 10
THE_DESK = "the editors' desk"

PAUSES = tuple(
    datetime.timedelta(minutes=minutes) for minutes in (1, 5, 30, 2 * 60, 6 * 60, 12 * 60, 24 * 60)
)
"""The pauses between tries. After the last pause there is one more try, and then the delivery is given up."""

JITTER = 0.2
"""Each pause is longer by up to this part of itself, so that tries do not all happen at once."""

LEASE = datetime.timedelta(minutes=2)
"""A try without a result for so long was killed."""

KEPT = datetime.timedelta(days=14)
"""How long a delivery is kept after it is over, also a dead one."""

ENDS_IT = 410
"""The status by which a receiver says that it wants no more events."""


MOST_RECALL_MODELS = 500
"""How many models a webhook names at most."""


@dataclass(frozen=True)
class Subscription:
    """What a webhook gets: events, and the models whose new recalls it wants."""

    events: Sequence[Event] = ("trip_watch.changed",)
    recall_models: Sequence[str] = ()

    def columns(self, partner: str | None) -> dict[str, Any]:
        """Return the columns of a webhook, with None of one of the desk.

        Raises `Unfit` for what no event can be about.
        """
        known_events = WANTED if partner is not None else WANTED_AT_THE_DESK
        partner = partner or THE_DESK
        events = [event for event in known_events if event in self.events]
        models = list(dict.fromkeys(self.recall_models))
        if not events or len(events) != len({*self.events}):
            raise Unfit(partner, f"`events`: choose one or more of {', '.join(known_events)}")
        if ("recall.added" in events) != bool(models):
            raise Unfit(partner, "`recall_models`: name models exactly if the webhook gets their recalls")
        if len(models) > MOST_RECALL_MODELS:
            raise Unfit(partner, f"`recall_models`: name at most {MOST_RECALL_MODELS} models")
        known = {device.model_id for device in corpus.current().corpus.content.devices} if models else set()
        if unknown := [model for model in models if model not in known]:
            raise Unfit(partner, f"`recall_models`: there is no model {unknown[0]}")
        return {"events": events, "recall_models": models}


class RegisteredWebhook(NamedTuple):
    """A new webhook: its row, and its secret, which is shown once."""

    row: Webhook
    secret: str


class TooManyWebhooks(Refused):
    """The partner, or the desk, has the maximum number of live webhooks."""

    def __init__(self, partner: str, most: int) -> None:
        super().__init__(partner, f"has {most} live webhooks; end one of them first")


class Try(NamedTuple):
    """A delivery that is due, reserved for this process for the time of the lease."""

    delivery_id: uuid.UUID
    webhook_id: str
    url: str
    body: bytes


@transaction.atomic
def register_webhook(
    *,
    by: User,
    now: datetime.datetime,
    partner: str | None,
    url: str,
    wants: Subscription = Subscription(),
) -> RegisteredWebhook:
    """Register an address of a partner, or with None one of the desk, and send it a first delivery.

    Raises `NotRecorded`, `WrongState` for a closed partner, `TooManyWebhooks`, or `Unfit` if it is not a
    public https address.
    """
    owner = None if partner is None else open_partner(partner)
    name, most = (THE_DESK, MAX_LIVE_OF_THE_DESK) if partner is None else (partner, MAX_LIVE_WEBHOOKS)
    url = url.strip()
    try:
        Sender(policy_from_settings()).check(url)
    except FetchFailed as failed:
        raise Unfit(name, f"`url`: {failed.detail.rstrip('.')}") from None
    if Webhook.objects.filter(partner=owner, ended=None).count() >= most:
        raise TooManyWebhooks(name, most)
    webhook_id = signing.make_id()
    secret = signing.secret_of(webhook_id, key=settings.VERDICT_KEY)
    webhook = Webhook(
        webhook_id=webhook_id,
        partner=owner,
        url=url,
        digest=signing.digest(secret),
        created_at=now,
        created_by=by,
        listens_from=now if owner is None else None,
        **wants.columns(partner),
    )
    insert([webhook])
    body = body_of(Registered(webhook_id), now=now, text=_said(webhook, "is registered"))
    insert([WebhookDelivery(webhook=webhook, event="webhook.registered", body=body, made=now, due=now)])
    tell_owner(webhook, f"The webhook {webhook} to {webhook.place} was registered.", now=now)
    return RegisteredWebhook(webhook, secret)


@transaction.atomic
def subscribe(
    *, webhook_id: str, wants: Subscription, now: datetime.datetime, seen: str | None = None
) -> Webhook:
    """Change what a live webhook gets from now on.

    `seen` is what it got when a person opened the page, as `Webhook.gets` spells it. Raises
    `ChangedSinceSeen` if it gets something else by now, `NotRecorded`, `WrongState` or `Unfit`.
    """
    webhook = _live(webhook_id)
    if seen is not None and seen != webhook.gets:
        raise ChangedSinceSeen(
            webhook_id,
            f"its events were changed after you opened this page. It gets {webhook.gets} now. Check yours, "
            "and save again",
        )
    for column, value in wants.columns(webhook.partner_id).items():
        setattr(webhook, column, value)
    # It is told of the next release, and not of what changed since an old one.
    webhook.told_sequence = None
    if webhook.partner_id is None:
        webhook.listens_from = now
    webhook.save(force_update=True)
    tell_owner(webhook, f"The webhook {webhook} gets {', '.join(webhook.events)}.", now=now)
    return webhook


@transaction.atomic
def send_test(*, webhook_id: str, now: datetime.datetime) -> WebhookDelivery:
    """Send a delivery that says nothing, to see whether it arrives. Raises `NotRecorded` or `WrongState`."""
    webhook = _live(webhook_id)
    if webhook.deliveries.filter(event=Test.event, outcome="waiting").exists():
        raise WrongState(webhook_id, "a test is waiting already")
    if webhook.paused is not None:
        raise WrongState(webhook_id, "the webhook is paused; resume it first")
    body = body_of(Test(webhook_id), now=now, text=_said(webhook, "works: this is a test"))
    return WebhookDelivery.objects.create(webhook=webhook, event=Test.event, body=body, made=now, due=now)


@transaction.atomic
def end_webhook(*, webhook_id: str, because: str, now: datetime.datetime) -> Webhook:
    """Send nothing more to a webhook; its waiting deliveries are dropped.

    Raises `NotRecorded`, or `WrongState` if it is ended.
    """
    webhook = _live(webhook_id)
    webhook.ended, webhook.ended_because, webhook.paused = now, because, None
    webhook.save(force_update=True)
    WebhookDelivery.objects.filter(webhook=webhook, outcome="waiting").delete()
    tell_owner(webhook, f"The webhook {webhook} to {webhook.place} ended: {because}.", now=now)
    return webhook


@transaction.atomic
def resume(*, webhook_id: str, now: datetime.datetime) -> Webhook:
    """Send again to a webhook of the desk that was paused: what waits for it, and what happens from now on.

    Raises `NotRecorded`, or `WrongState` if it is not paused.
    """
    webhook = _live(webhook_id)
    if webhook.paused is None:
        raise WrongState(webhook_id, "the webhook is not paused")
    webhook.paused, webhook.listens_from = None, now
    webhook.save(force_update=True)
    tell_owner(webhook, f"The webhook {webhook} to {webhook.place} is resumed.", now=now)
    return webhook


@transaction.atomic
def _pause(webhook_id: str, *, why: str, now: datetime.datetime) -> None:
    """Pause a live webhook of the desk, and say so to the person who registered it."""
    live = Webhook.objects.select_for_update(of=("self",)).filter(partner=None, ended=None, paused=None)
    webhook = live.filter(pk=webhook_id).first()
    if webhook is None:
        return
    webhook.paused = now
    webhook.save(force_update=True)
    what = f"The webhook {webhook} to {webhook.place} is paused, because a delivery was given up: {why}"
    tell_owner(webhook, f"{what} Resume it on its page at the desk.", now=now)


def tell_owner(webhook: Webhook, what: str, *, now: datetime.datetime) -> None:
    """Tell by mail what was changed: the partner, or of one of the desk the person who registered it."""
    if webhook.partner is not None:
        tell_partner(webhook.partner, what, now=now)
        return
    text = f"{moment_words(now)}, editors' desk:\n\n{what}\n"
    notify(recipient=webhook.created_by.email, subject="A webhook of the editors' desk", text=text, now=now)


def _said(webhook: Webhook, what: str) -> str:
    """Return what a chat of the desk shows; partners get no text."""
    return f"The webhook {webhook} of {THE_DESK} {what}." if webhook.partner_id is None else ""


def notify_partner(partner_id: str, watch_id: int, data: WatchChanged, *, now: datetime.datetime) -> None:
    """Record a delivery about a watch for each live webhook of a partner, in the open transaction."""
    body = body_of(data, now=now)
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(
            webhook=webhook, watch_id=watch_id, event="trip_watch.changed", body=body, made=now, due=now
        )
        for webhook in Webhook.objects.filter(
            partner=partner_id, ended=None, events__contains=["trip_watch.changed"]
        )
    )


@transaction.atomic
def announce_release(*, release: Published, now: datetime.datetime) -> int:
    """Record deliveries of a release for each webhook that wants them and was not told; return how many.

    A webhook that was told of no release yet is told of the next one. Of releases between the last one and
    this one, it learns only what they left.
    """
    sequence = Release.objects.values_list("sequence", flat=True).get(sha256=release.sha256)
    behind = Q(told_sequence=None) | Q(told_sequence__lt=sequence)
    wants = Q(events__overlap=["ruleset.published", "recall.added"])
    webhooks = list(Webhook.objects.select_for_update(of=("self",)).filter(behind, wants, ended=None))
    deliveries = [
        WebhookDelivery(webhook=webhook, event=data.event, body=body_of(data, now=now), made=now, due=now)
        for webhook in webhooks
        if webhook.told_sequence is not None
        for data in told_of(webhook, _release_at(webhook.told_sequence), release)
    ]
    Webhook.objects.filter(pk__in=[webhook.pk for webhook in webhooks]).update(told_sequence=sequence)
    return len(WebhookDelivery.objects.bulk_create(deliveries))


def _release_at(sequence: int) -> Published:
    return corpus.by_digest(Release.objects.values_list("sha256", flat=True).get(sequence=sequence))


@transaction.atomic
def take_due(*, now: datetime.datetime, leaving: Collection[str]) -> Try | None:
    """Reserve the delivery that has waited longest, so that no other process tries it; none if none is due.

    Deliveries of the webhooks in `leaving` keep waiting.
    """
    # A delivery that was recorded while its webhook was being ended is not sent.
    live = WebhookDelivery.objects.filter(webhook__ended=None, webhook__paused=None)
    waiting = live.filter(due__lte=now).exclude(webhook__in=leaving)
    free = waiting.order_by("due").select_for_update(of=("self",), skip_locked=True).select_related("webhook")
    delivery = free.first()
    if delivery is None:
        return None
    WebhookDelivery.objects.filter(pk=delivery.pk).update(due=now + LEASE)
    return Try(delivery.pk, delivery.webhook_id, delivery.webhook.url, delivery.body.encode())


def secret_for(webhook_id: str) -> str | None:
    """Return the secret of a webhook; none if it is no longer the one that the partner received."""
    secret = signing.secret_of(webhook_id, key=settings.VERDICT_KEY)
    known = Webhook.objects.filter(pk=webhook_id, digest=signing.digest(secret))
    return secret if known.exists() else None


def note_delivered(delivery_id: uuid.UUID, *, now: datetime.datetime) -> None:
    """Note that a delivery was accepted."""
    waiting = WebhookDelivery.objects.filter(pk=delivery_id, outcome="waiting")
    waiting.update(outcome="delivered", due=None, finished=now, failure="", tries=F("tries") + 1)


def note_failed(
    delivery_id: uuid.UUID,
    *,
    why: str,
    now: datetime.datetime,
    status: int | None = None,
    wait: datetime.timedelta | None = None,
) -> Literal["later", "dead", "ended", "gone"]:
    """Note that a try failed, and return the new state of the delivery.

    It is tried again later, not before the `wait` that the receiver asks for. After the last try it is a dead
    letter, and a webhook of the desk is paused. If the receiver wants no more, its webhook ends. `gone` is a
    delivery that no longer waits.
    """
    fate = _note_failed(delivery_id, why, now, status, wait)
    if fate == "dead":
        # In a transaction of its own: whoever locks a webhook and its deliveries locks the webhook first.
        _pause(WebhookDelivery.objects.get(pk=delivery_id).webhook_id, why=why, now=now)
    return fate


@transaction.atomic
def _note_failed(
    delivery_id: uuid.UUID,
    why: str,
    now: datetime.datetime,
    status: int | None,
    wait: datetime.timedelta | None,
) -> Literal["later", "dead", "ended", "gone"]:
    waiting = WebhookDelivery.objects.filter(pk=delivery_id, outcome="waiting")
    if status == ENDS_IT:
        return _end_for(waiting, now)
    delivery = waiting.select_for_update(of=("self",)).select_related("webhook").first()
    if delivery is None:
        return "gone"
    delivery.tries += 1
    delivery.failure = why[:300]
    if delivery.tries > len(PAUSES):
        delivery.outcome, delivery.due, delivery.finished = "dead", None, now
        actions.bury(JOB, letter_of(delivery), why, now=now)
    else:
        pause = PAUSES[delivery.tries - 1] * (1 + random.uniform(0, JITTER))
        # A receiver cannot ask for a longer pause than our longest.
        delivery.due = now + max(pause, min(wait or pause, PAUSES[-1]))
    delivery.save(force_update=True)
    return "dead" if delivery.outcome == "dead" else "later"


def _end_for(waiting: QuerySet[WebhookDelivery], now: datetime.datetime) -> Literal["ended", "gone"]:
    """End the webhook of a delivery.

    It must not be locked before: two processes would wait for each other.
    """
    webhook_id = waiting.values_list("webhook_id", flat=True).first()
    if webhook_id is None:
        return "gone"
    try:
        end_webhook(webhook_id=webhook_id, because="the receiver answered 410 Gone", now=now)
    except WrongState:
        return "gone"
    return "ended"


def letter_of(delivery: WebhookDelivery) -> str:
    """Return the name of a delivery in the list of dead letters."""
    return f"{delivery.webhook.partner_id or 'desk'} {delivery.webhook_id} {delivery.pk}"


@transaction.atomic
def take_up_letters(*, now: datetime.datetime) -> int:
    """Try dead deliveries again whose letter was removed from the list, and return how many."""
    found = WebhookDelivery.objects.select_for_update(of=("self",)).select_related("webhook")
    dead = list(found.filter(outcome="dead", webhook__ended=None))
    # Read after the dead ones: otherwise the letter of one that dies meanwhile would be missed.
    letters = set(DeadLetter.objects.filter(name=JOB).values_list("subject", flat=True))
    revived = [delivery for delivery in dead if letter_of(delivery) not in letters]
    _revive(revived, now)
    return len(revived)


@transaction.atomic
def send_again(*, delivery_id: uuid.UUID, now: datetime.datetime) -> WebhookDelivery:
    """Try a delivery again that is over, from the first pause on: given up, or accepted and wanted again.

    Raises `NotRecorded` or `WrongState`.
    """
    found = WebhookDelivery.objects.select_for_update(of=("self",)).select_related("webhook")
    delivery = found.filter(pk=delivery_id).first()
    if delivery is None:
        raise NotRecorded(str(delivery_id), "there is no such delivery")
    if delivery.outcome == "waiting" or delivery.webhook.ended is not None:
        raise WrongState(str(delivery_id), "only a finished delivery of a live webhook can be sent again")
    if delivery.outcome == "dead":
        actions.revive(JOB, letter_of(delivery))
    _revive([delivery], now)
    return delivery


@transaction.atomic
def forget_deliveries(*, now: datetime.datetime) -> int:
    """Delete deliveries that ended a while ago, with the letters of dead ones, and return how many."""
    over = Q(finished__lt=now - KEPT) | Q(outcome="waiting", webhook__ended__lt=now - KEPT)
    old = WebhookDelivery.objects.select_related("webhook").filter(over)
    for delivery in old.filter(outcome="dead"):
        actions.revive(JOB, letter_of(delivery))
    _, deleted = old.delete()
    return deleted.get(WebhookDelivery._meta.label, 0)


def _live(webhook_id: str) -> Webhook:
    """Return a webhook that is not ended, locked. Raises `NotRecorded` or `WrongState`."""
    webhook = Webhook.objects.select_for_update(of=("self",)).filter(pk=webhook_id).first()
    if webhook is None:
        raise NotRecorded(webhook_id, "there is no such webhook")
    if webhook.ended is not None:
        raise WrongState(webhook_id, "the webhook is ended")
    return webhook


def _revive(deliveries: Sequence[WebhookDelivery], now: datetime.datetime) -> None:
    for delivery in deliveries:
        delivery.outcome, delivery.due, delivery.finished, delivery.tries = "waiting", now, None, 0
        delivery.save(force_update=True)
