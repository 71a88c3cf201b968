"""Partner keys: what is kept of them, which is not the keys themselves."""

import datetime
from typing import Literal, Self

from django.db import models

from catalog.tables.authorship import Created, somebody
from catalog.tables.constraints import both_or_neither, not_after, spelled
from compliance.partners.keys import PUBLIC_ID
from compliance.partners.models import Partner, live_at

KeyState = Literal["live", "expired", "revoked"]


class PartnerKeyQuerySet(models.QuerySet["PartnerKey"]):
    """Keys of partners."""

    def live(self, now: datetime.datetime) -> Self:
        """Keep the keys that count at an instant: not revoked, not expired, their partner not closed."""
        return self.filter(live_at(now))


class PartnerKey(Created):
    """A key of a partner: its public id and the SHA-256 of the whole.

    It counts until `valid_until`, without end where that is empty, and no longer once it is revoked.
    `last_used` is exact to about a minute.
    """

    public_id = models.CharField(primary_key=True, max_length=12)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="keys")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    valid_until = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    revoked_by = somebody()
    last_used = models.DateTimeField(null=True, blank=True, editable=False)

    objects = PartnerKeyQuerySet.as_manager()

    class Meta:
        ordering = ["partner", "-created_at", "public_id"]
        # Keys are revoked; they never go away.
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
        """Return what has become of the key at an instant."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.valid_until is not None and self.valid_until <= now else "live"
