"""A partner manager for tests, who works with the real actions."""

import datetime
import uuid
from typing import Any

from msgspec.structs import replace

from compliance.models import Partner
from compliance.partners.actions.keys import IssuedKey, issue_key, revoke_key, rotate_key
from compliance.partners.actions.partners import change_partner, close_partner, record_partner
from compliance.partners.agreement import Agreement
from tests.support.factories import a_user

NOON = datetime.datetime(2026, 11, 20, 12, 0, tzinfo=datetime.UTC)
SECOND, MINUTE, DAY = (datetime.timedelta(seconds=seconds) for seconds in (1, 60, 86_400))

AGREEMENT = Agreement(
    name="Acme Travel",
    contact_email="ops@acme.example",
    rate_per_minute=600,
    allowed_origins=("https://app.acme.example",),
    terms_url="https://acme.example/terms",
)


def new_slug() -> str:
    """Return the name of a partner that has sent nothing yet: its counters outlive a test."""
    return f"partner-{uuid.uuid4().hex[:8]}"


class Desk:
    """Records partners and issues keys; at noon unless a test sets another time."""

    def __init__(self) -> None:
        self.manager = a_user("manager")
        self.record("acme")

    def record(self, slug: str, **changes: Any) -> Partner:
        """Record a partner like Acme."""
        return record_partner(by=self.manager, now=NOON, slug=slug, agreement=replace(AGREEMENT, **changes))

    def change(self, slug: str = "acme", now: datetime.datetime = NOON, **changes: Any) -> Partner:
        """Change the agreement."""
        return change_partner(by=self.manager, now=now, slug=slug, agreement=replace(AGREEMENT, **changes))

    def close(self, slug: str = "acme", now: datetime.datetime = NOON) -> Partner:
        """Close a partner."""
        return close_partner(by=self.manager, now=now, slug=slug)

    def issue(self, partner: str = "acme", now: datetime.datetime = NOON, **options: Any) -> IssuedKey:
        """Issue a key."""
        return issue_key(by=self.manager, now=now, partner=partner, **options)

    def rotate(self, partner: str = "acme", now: datetime.datetime = NOON, **options: Any) -> IssuedKey:
        """Rotate the key."""
        return rotate_key(by=self.manager, now=now, partner=partner, **options)

    def revoke(self, issued: IssuedKey, now: datetime.datetime = NOON) -> None:
        """Revoke a key."""
        revoke_key(by=self.manager, now=now, public_id=issued.row.public_id)
