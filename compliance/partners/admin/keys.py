"""The keys of all partners: read-only rows, and a button that revokes one."""

import datetime
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from unfold.admin import ModelAdmin
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from catalog.dates import moment_words
from catalog.screens.confirmation import Consent, Step, ask_before
from catalog.screens.ids import row_or_404
from compliance.partners.actions.keys import revoke_key
from compliance.partners.admin.filters import KeyFilter
from compliance.partners.admin.steps import StepsWhileLive
from compliance.partners.models import PartnerKey

STATE_COLORS = {"live": "success", "expired": "warning", "revoked": "danger"}


def shown(instant: datetime.datetime | None, *, otherwise: str = "") -> str:
    """Return an instant, UTC, as lists and forms show it."""
    return moment_words(instant) if instant else otherwise


class ReadOnlyKeys:
    """How keys are shown everywhere: never written, and never with their digest."""

    @display(description="State", label=STATE_COLORS)
    def key_state(self, key: PartnerKey) -> str:
        """Return the present state of the key."""
        return key.state(timezone.now())

    @admin.display(description="Issued", ordering="created_at")
    def issued(self, key: PartnerKey) -> str:
        """Return when the key was issued."""
        return shown(key.created_at)

    @admin.display(description="Expires", ordering="valid_until")
    def expires(self, key: PartnerKey) -> str:
        """Return when the key expires."""
        return shown(key.valid_until, otherwise="never")

    @admin.display(description="Last used", ordering="last_used")
    def last_use(self, key: PartnerKey) -> str:
        """Return the last request with the key, to about a minute."""
        return shown(key.last_used, otherwise="never")

    @admin.display(description="Revoked", ordering="revoked_at")
    def revoked(self, key: PartnerKey) -> str:
        """Return when the key was revoked."""
        return shown(key.revoked_at, otherwise="no")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: keys are issued, on the page of their partner."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: keys are revoked, not edited."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: keys stay, as a record of the past."""
        return False


@admin.register(PartnerKey)
class PartnerKeyAdmin(StepsWhileLive, ReadOnlyKeys, ModelAdmin):
    """Keys by their public ids."""

    over = Q(revoked_at__isnull=False)
    list_display = ["public_id", "partner", "key_state", "issued", "expires", "last_use", "revoked"]
    list_filter = [KeyFilter, "partner"]
    list_select_related = ["partner"]
    search_fields = ["public_id", "partner__slug", "partner__name"]
    search_help_text = "A public id, such as btk_k3vq7m2a, or a partner. Never paste a whole key."
    fields = readonly_fields = [
        "public_id",
        "partner",
        "key_state",
        "issued",
        "issuer",
        "expires",
        "last_use",
        "revoked",
        "revoker",
    ]
    actions_detail = ["revoke"]

    @admin.display(description="Issued by")
    def issuer(self, key: PartnerKey) -> str:
        """Return who issued it: a name without a link, because not everyone may open accounts."""
        return str(key.created_by)

    @admin.display(description="Revoked by")
    def revoker(self, key: PartnerKey) -> str:
        """Return who revoked it."""
        return str(key.revoked_by or "")

    def has_revoke_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Say whether a person may revoke keys."""
        return request.user.has_perm("compliance.change_partnerkey")

    @action(description="Revoke", permissions=["revoke"], icon="block", variant=ActionVariant.DANGER)
    def revoke(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then revoke the key."""
        # The list links here with a quoted id, because of the underscores.
        key = row_or_404(PartnerKey, unquote(object_id))

        def act(consent: Consent) -> HttpResponse:
            revoke_key(by=consent.by, now=consent.now, public_id=key.public_id)
            self.log_change(request, key, "Revoked.")
            messages.success(request, f"Key {key} is revoked.")
            return HttpResponseRedirect(reverse("admin:compliance_partner_change", args=[key.partner_id]))

        step = Step(
            title=f"Revoke {key}",
            consequence=f"Requests with this key of {key.partner} are refused within seconds. "
            "This cannot be undone: the partner then needs another key.",
            button="Revoke this key",
            dangerous=True,
        )
        return ask_before(step, act, admin=self, request=request, subject=key)
