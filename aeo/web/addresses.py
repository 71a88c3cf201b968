"""The full addresses of this site. Called by all slices that link to pages and files."""

from django.conf import settings

from aeo.web.languages import localized


def address(path: str) -> str:
    """Return the full address of a path of this site; for a page, in the active language."""
    return f"{settings.SITE_URL}{localized(path)}"


def site_address() -> str:
    """Return the full address of this site, the same in every language."""
    return f"{settings.SITE_URL}/"
