"""The agreement with a partner, as a record that forms and actions pass on. Pure: no database, no clock."""

from typing import Any

from catalog.errors import Unfit
from catalog.free_text import name_fault
from catalog.records import Record
from compliance.partners.origins import MOST_ORIGINS, normalized


class Agreement(Record, frozen=True, kw_only=True):
    """The agreement with a partner; the fields of `Partner`. Origins may be spelled in any way."""

    name: str
    contact_email: str
    rate_per_minute: int
    terms_url: str
    allowed_origins: tuple[str, ...] = ()
    receipts: bool = False

    def columns(self, slug: str) -> dict[str, Any]:
        """Return the columns of that partner's row.

        Raises `Unfit` for a name with characters that are not seen, a text that is no origin, or too many.
        """
        name = self.name.strip()
        if wrong := name_fault(name):
            raise Unfit(slug, f"`name`: it {wrong}")
        origins = []
        for origin in self.allowed_origins:
            try:
                origins.append(normalized(origin))
            except ValueError as error:
                raise Unfit(slug, f"`allowed_origins`: {origin!r} {error}") from None
        origins = list(dict.fromkeys(origins))
        if len(origins) > MOST_ORIGINS:
            raise Unfit(slug, f"`allowed_origins`: a partner has at most {MOST_ORIGINS} origins")
        return {
            "name": name,
            "contact_email": self.contact_email.strip(),
            "rate_per_minute": self.rate_per_minute,
            "terms_url": self.terms_url.strip(),
            "allowed_origins": origins,
            "receipts": self.receipts,
        }
