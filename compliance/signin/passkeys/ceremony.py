"""Both ceremonies of WebAuthn: a browser makes a passkey, or proves that it has one.

The address of the service (SITE_URL) decides for which site passkeys are; the settings name this class to
django-otp-webauthn.
"""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django_otp_webauthn.helpers import WebAuthnHelper

LOCALHOST = "localhost"


class Ceremony(WebAuthnHelper):
    """The ceremonies at the address of this service; on this machine at localhost with any port."""

    def get_allowed_origins(self) -> list[str]:
        """Return the origins whose pages may do this."""
        here = f"{self.request.scheme}://{self.request.get_host()}"
        return [here] if is_local_only() else [settings.SITE_URL]


def is_local_only() -> bool:
    """Say whether passkeys are for localhost, because only this machine reaches the service."""
    return bool(settings.OTP_WEBAUTHN_RP_ID == LOCALHOST)


def can_be_used(request: HttpRequest) -> bool:
    """Say whether browsers know passkeys at the address of a request."""
    host = urlsplit(f"//{request.get_host()}").hostname
    return host == settings.OTP_WEBAUTHN_RP_ID


def where_usable(request: HttpRequest) -> str:
    """Return the address at which the page of a request knows passkeys."""
    if is_local_only():
        return f"http://{LOCALHOST}:{request.get_port()}{request.path}"
    return f"{settings.SITE_URL}{request.path}"
