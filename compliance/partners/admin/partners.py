"""Partners: their agreements; issuing, rotating and closing, all of it by the actions."""

import datetime
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from unfold.admin import TabularInline
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from catalog.screens.confirmation import Consent, Step, acting_user, ask_before, page_context
from catalog.screens.ids import row_or_404
from catalog.screens.record_forms import RecordAdmin
from compliance.partners.actions.keys import IssuedKey, issue_key, rotate_key
from compliance.partners.actions.partners import change_partner, close_partner, record_partner
from compliance.partners.admin.filters import WithoutKeyFilter
from compliance.partners.admin.forms import IssueForm, PartnerForm, RotateForm, WebhookForm
from compliance.partners.admin.keys import ReadOnlyKeys, shown
from compliance.partners.admin.people import InvitationsOfPartner, PeopleButtons, PeopleOfPartner
from compliance.partners.admin.steps import StepsWhileLive
from compliance.partners.admin.webhooks import ShownWebhooks
from compliance.partners.models import Partner, PartnerKey, Webhook
from compliance.partners.webhooks.actions import RegisteredWebhook, Subscription, register_webhook

SHOWN_CHANGES = 20
"""How many changes the page of a partner shows: the newest."""

SHOWN_ORIGINS = 2
"""How many origins of each partner a list shows."""


class KeysOfPartner(ReadOnlyKeys, TabularInline):
    """The keys of one partner, read-only."""

    model = PartnerKey
    fields = readonly_fields = ["key", "key_state", "issued", "expires", "last_use", "revoked"]
    extra = 0
    hide_title = True

    @admin.display(description="Key")
    def key(self, key: PartnerKey) -> str:
        """Return the public id, which links to the key's own page."""
        return _link_to(key)


class WebhooksOfPartner(ShownWebhooks, TabularInline):
    """The webhooks of one partner, read-only."""

    model = Webhook
    fields = readonly_fields = ["webhook", "url", "state", "registered"]
    can_delete = False
    hide_title = True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: webhooks are registered in a separate step, which shows the secret."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: webhooks are ended, not edited."""
        return False

    @admin.display(description="Webhook")
    def webhook(self, webhook: Webhook) -> str:
        """Return the id, which links to the webhook's own page."""
        return _link_to(webhook)


@admin.register(Partner)
class PartnerAdmin(StepsWhileLive, PeopleButtons, RecordAdmin):
    """Partners."""

    form = PartnerForm
    key = "slug"
    over = Q(closed_at__isnull=False)
    fields = [*PartnerForm.Meta.fields, "seen"]
    list_display = ["name", "slug", "rate", "origins", "live_keys", "last_used", "state"]
    list_filter = [("closed_at", admin.EmptyFieldListFilter), WithoutKeyFilter]
    search_fields = ["slug", "name", "contact_email"]
    inlines = [KeysOfPartner, WebhooksOfPartner, PeopleOfPartner, InvitationsOfPartner]
    actions_detail = ["issue", "rotate", "webhook", "invite", "remove_person", "close"]

    # --- Reading ---

    def get_queryset(self, request: HttpRequest) -> QuerySet[Partner]:
        """Return the partners with the columns of the list about their keys."""
        return Partner.objects.with_keys(timezone.now())

    @admin.display(description="Requests per minute", ordering="rate_per_minute")
    def rate(self, partner: Partner) -> int:
        """Return the limit of each key."""
        return partner.rate_per_minute

    @admin.display(description="Origins")
    def origins(self, partner: Partner) -> str:
        """Return the first origins, and how many more there are."""
        more = len(partner.allowed_origins) - SHOWN_ORIGINS
        shown = ", ".join(partner.allowed_origins[:SHOWN_ORIGINS]) or "servers only"
        return f"{shown} and {more} more" if more > 0 else shown

    @admin.display(description="Live keys", ordering="live_keys")
    def live_keys(self, partner: Any) -> int:
        """Return how many keys are live now."""
        return partner.live_keys

    @admin.display(description="Last used", ordering="last_used")
    def last_used(self, partner: Any) -> str:
        """Return the last use of any key."""
        return shown(partner.last_used, otherwise="never")

    @display(description="State", label={"active": "success", "closed": "danger"})
    def state(self, partner: Partner) -> str:
        """Return whether the partner is active or closed."""
        return "closed" if partner.closed_at else "active"

    @admin.display(description="Watched trips")
    def watches(self, partner: Partner) -> str:
        """Return how many trips are watched with keys of the partner, and how many may be."""
        return f"{partner.trip_watches.count():,} of {settings.PARTNER_WATCHES:,}"

    @admin.display(description="Newest changes")
    def changes(self, partner: Partner) -> str:
        """Return what people at the desk and of the partner changed last, each change on a line."""
        entries = newest_changes(partner)
        lines = ((shown(one.action_time), one.user, one.get_change_message()) for one in entries)
        return format_html_join("", "<p>{}, {}: {}</p>", lines) or "There are none yet."

    # --- Who may do what ---

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse for a partner that is closed."""
        return super().has_change_permission(request, obj) and not getattr(obj, "closed_at", None)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: partners are closed and never deleted."""
        return False

    def has_issue_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Say whether a person may issue and rotate keys."""
        return request.user.has_perm("compliance.add_partnerkey")

    def has_webhook_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Say whether a person may register webhooks."""
        return request.user.has_perm("compliance.add_webhook")

    def has_close_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Say whether a person may close partners, which revokes their keys."""
        return request.user.has_perms(["compliance.change_partner", "compliance.change_partnerkey"])

    # --- Recording and changing ---

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Forbid changes to the slug after the partner is recorded."""
        return [*super().get_readonly_fields(request, obj), "watches", "changes"] if obj else []

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Show the quota and the changes of a partner that is recorded."""
        return [*self.fields, "watches", "changes"] if obj else [*self.fields]

    def get_inlines(self, request: HttpRequest, obj: Any) -> list[Any]:
        """Show no keys and webhooks on the form of a new partner."""
        return self.inlines if obj else []

    def write(self, request: HttpRequest, obj: Partner, form: PartnerForm, change: bool) -> None:
        """Record or change a partner."""
        save = change_partner if change else record_partner
        save(by=acting_user(request), now=timezone.now(), slug=obj.slug, agreement=form.record())

    @admin.display(description="")
    def seen(self, partner: Partner) -> str:
        """Return nothing: a user who may only view overwrites nothing."""
        return ""

    def response_post_save_add(self, request: HttpRequest, obj: Partner) -> HttpResponse:
        """Redirect to the partner, where the first key is issued."""
        return HttpResponseRedirect(reverse("admin:compliance_partner_change", args=[obj.pk]))

    # --- Keys ---

    @action(description="Issue a key", url_path="issue", permissions=["issue"], icon="key")
    def issue(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then issue a key and show it once."""
        partner = row_or_404(Partner, object_id)

        def act(consent: Consent) -> HttpResponse:
            issued = issue_key(
                by=consent.by, now=consent.now, partner=partner.slug, valid_until=_end(consent)
            )
            return self._show_once(request, partner, issued, f"Issued key {issued.row}.")

        step = Step(
            title=f"Issue a key to {partner.name}",
            consequence="The key is shown once, on the next page. Present keys stay valid. A partner may "
            "have two live keys.",
            button="Issue the key",
            form_class=IssueForm,
            once=True,
        )
        return ask_before(step, act, admin=self, request=request, subject=partner)

    @action(description="Rotate", url_path="rotate", permissions=["issue"], icon="sync")
    def rotate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then issue a key that replaces the present one, and show it once."""
        partner = row_or_404(Partner, object_id)

        def act(consent: Consent) -> HttpResponse:
            overlap = datetime.timedelta(days=consent.answers["overlap_days"])
            issued = rotate_key(
                by=consent.by,
                now=consent.now,
                partner=partner.slug,
                overlap=overlap,
                valid_until=_end(consent),
            )
            return self._show_once(request, partner, issued, f"Rotated to key {issued.row}.")

        step = Step(
            title=f"Rotate the key of {partner.name}",
            consequence="A new key is shown once, on the next page. "
            "The present key stays valid for the days that you choose.",
            button="Rotate the key",
            form_class=RotateForm,
            once=True,
        )
        return ask_before(step, act, admin=self, request=request, subject=partner)

    @action(
        description="Register a webhook", url_path="webhook", permissions=["webhook"], icon="notifications"
    )
    def webhook(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the address, then register a webhook and show its secret once."""
        partner = row_or_404(Partner, object_id)

        def act(consent: Consent) -> HttpResponse:
            registered = register_webhook(
                by=consent.by,
                now=consent.now,
                partner=partner.slug,
                url=consent.answers["url"],
                wants=Subscription(consent.answers["events"], consent.answers["recall_models"]),
            )
            return self._show_secret_once(request, partner, registered)

        step = Step(
            title=f"Register a webhook of {partner.name}",
            consequence="It gets a delivery for each event that you choose. Its secret is shown once, on the "
            "next page. A partner may have three live webhooks.",
            button="Register the webhook",
            form_class=WebhookForm,
            once=True,
        )
        return ask_before(step, act, admin=self, request=request, subject=partner)

    @action(
        description="Close partner",
        url_path="close",
        permissions=["close"],
        icon="block",
        variant=ActionVariant.DANGER,
    )
    def close(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then close the partner."""
        partner = row_or_404(Partner, object_id)

        def act(consent: Consent) -> HttpResponse:
            close_partner(by=consent.by, now=consent.now, slug=partner.slug)
            self.log_change(request, partner, "Closed.")
            messages.success(request, f"Partner {partner} is closed.")
            return HttpResponseRedirect(reverse("admin:compliance_partner_changelist"))

        step = Step(
            title=f"Close {partner.name}",
            consequence="All keys of the partner are revoked, all webhooks end, and it cannot get new ones. "
            "This cannot be undone.",
            button="Close this partner",
            dangerous=True,
        )
        return ask_before(step, act, admin=self, request=request, subject=partner)

    def _show_once(
        self, request: HttpRequest, partner: Partner, issued: IssuedKey, done: str
    ) -> HttpResponse:
        """Answer with the key. It is shown nowhere else, so no cache may keep this page."""
        self.log_change(request, partner, done)
        context = page_context(self, request, partner, f"The new key of {partner.name}") | {"issued": issued}
        return TemplateResponse(
            request,
            "admin/compliance/key_shown.html",
            context,
            headers={"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"},
        )

    def _show_secret_once(
        self, request: HttpRequest, partner: Partner, registered: RegisteredWebhook
    ) -> HttpResponse:
        """Answer with the secret of a webhook, as `_show_once` does with a key."""
        self.log_change(request, partner, f"Registered webhook {registered.row}.")
        title = f"The new webhook of {partner.name}"
        context = page_context(self, request, partner, title) | {"registered": registered}
        return TemplateResponse(
            request,
            "admin/compliance/webhook_shown.html",
            context,
            headers={"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"},
        )


def newest_changes(partner: Partner) -> QuerySet[LogEntry]:
    """Return the newest changes of a partner, its keys and its webhooks, in one query."""
    own: list[tuple[type[Model], Any]] = [
        (Partner, [partner.pk]),
        (PartnerKey, partner.keys.values("pk")),
        (Webhook, partner.webhooks.values("pk")),
    ]
    kinds = ContentType.objects.get_for_models(*(kind for kind, _ in own))
    mine = Q()
    for kind, keys in own:
        mine |= Q(content_type=kinds[kind], object_id__in=keys)
    entries = LogEntry.objects.filter(mine).select_related("user")
    return entries.order_by("-action_time", "-pk")[:SHOWN_CHANGES]


def _link_to(row: PartnerKey | Webhook) -> str:
    if row._state.adding:
        # A refused form comes back without the keys of its rows, which it only shows.
        return ""
    address = reverse(f"admin:compliance_{row._meta.model_name}_change", args=[quote(row.pk)])
    return format_html('<a class="font-mono text-primary-600 underline" href="{}">{}</a>', address, row)


def _end(consent: Consent) -> datetime.datetime | None:
    days = consent.answers["days"]
    return None if days is None else consent.now + datetime.timedelta(days=days)
