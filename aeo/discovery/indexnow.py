"""Tells search engines which pages changed, by the IndexNow protocol (indexnow.org).

Only here does this app send requests to the outside world. One request names up to `MOST_URLS` addresses of
this site, and the address of the key that proves that the site is ours. No error here contains the key.
Called by `aeo.discovery.actions`.
"""

import urllib.error
import urllib.request
from collections.abc import Sequence
from http.client import HTTPException
from urllib.parse import urlsplit

from django.conf import settings

from aeo.web.addresses import address
from aeo.web.documents import encode

MOST_URLS = 10_000
"""The protocol's limit for one request."""

PATIENCE_SECONDS = 10


class NotAnnounced(Exception):
    """The endpoint did not take the addresses. The text says why, and never the key."""


def is_on() -> bool:
    """Tell whether this copy of the service announces its pages."""
    return bool(settings.INDEXNOW_KEY)


def submit(urls: Sequence[str]) -> None:
    """Announce up to `MOST_URLS` addresses of this site. Raises `NotAnnounced`."""
    key = settings.INDEXNOW_KEY
    body = {
        "host": urlsplit(settings.SITE_URL).netloc,
        "key": key,
        "keyLocation": address(f"/{key}.txt"),
        "urlList": list(urls),
    }
    request = urllib.request.Request(
        settings.INDEXNOW_ENDPOINT,
        data=encode(body),
        headers={"Content-Type": "application/json; charset=utf-8"},
        method="POST",
    )
    try:
        # Accepted is 200, or 202 while the key is not read yet; other answers raise.
        urllib.request.urlopen(request, timeout=PATIENCE_SECONDS).close()
    except urllib.error.HTTPError as error:
        error.close()
        raise NotAnnounced(f"the endpoint answered {error.code}") from None
    except (OSError, HTTPException) as error:
        raise NotAnnounced(f"the endpoint cannot be reached: {type(error).__name__}") from None
