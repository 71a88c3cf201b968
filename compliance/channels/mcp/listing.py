"""What registries and clients read about the server before they connect.

- GET /mcp/server.json: the entry for the MCP registry, which an operator publishes with the registry's own
  program.
- GET /mcp/server-card: the same as a server card (SEP-2127), at the place that the protocol reserves.
- GET /.well-known/ai-catalog.json: where the card is, for clients that know only the name of the site.

None of them names tools: a client asks for those.
"""

import hashlib
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

NAME = "battery-travel-compliance"
TITLE = "Battery travel compliance"
VERSION = "1.0.0"
DESCRIPTION = "May this power bank travel on this flight? Cited verdicts, recalls and airlines' policies."

REGISTRY_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
CARD_SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
CARD_TYPE, CATALOG_TYPE = "application/mcp-server-card+json", "application/ai-catalog+json"

MAX_AGE_SECONDS = 3600

KEY = {
    "name": "x-service-key",
    "description": "The key of a partner. Without one, the limits are those of everyone.",
    "isRequired": False,
    "isSecret": True,
}

Json = dict[str, Any]
View = Callable[[HttpRequest], HttpResponseBase]


def _host() -> str:
    return urlsplit(settings.SITE_URL).hostname or ""


def _described(schema: str) -> Json:
    """Return the server in the form that registry and card share. Its name begins with that of the site."""
    remote = {"type": "streamable-http", "url": f"{settings.SITE_URL}/mcp", "headers": [KEY]}
    return {
        "$schema": schema,
        "name": f"{'.'.join(reversed(_host().split('.')))}/{NAME}",
        "title": TITLE,
        "description": DESCRIPTION,
        "version": VERSION,
        "websiteUrl": settings.SITE_URL,
        "remotes": [remote],
    }


def _catalog() -> Json:
    entry = {
        "identifier": f"urn:air:{_host()}:mcp:{NAME}",
        "type": CARD_TYPE,
        "url": f"{settings.SITE_URL}/mcp/server-card",
    }
    return {"specVersion": "1.0", "entries": [entry]}


def _document(content: Callable[[], Json], content_type: str) -> View:
    """Return the view of a document, which is the same for everyone."""

    def body() -> bytes:
        return msgspec.json.format(msgspec.json.encode(content()), indent=2)

    def etag(request: HttpRequest) -> str:
        return f'"{hashlib.sha256(body()).hexdigest()[:32]}"'

    @require_safe
    @cache_control(public=True, max_age=MAX_AGE_SECONDS)
    @condition(etag_func=etag)
    def show(request: HttpRequest) -> HttpResponse:
        return HttpResponse(body(), content_type=content_type)

    return show


server_json = _document(lambda: _described(REGISTRY_SCHEMA), "application/json")
card = _document(lambda: _described(CARD_SCHEMA), CARD_TYPE)
catalog = _document(_catalog, CATALOG_TYPE)
