"""Fills in a form of the admin as a browser does: everything on the page is sent, changed or not."""

from typing import Any

from django.http import HttpResponse

from checks.hostile.forms import Form
from tests.support.desk.visiting import Visitor


def fields_of(visitor: Visitor, path: str) -> dict[str, list[str]]:
    """Return what the form of a page would send without changes."""
    return Form(visitor.page(path)).fields


def save(visitor: Visitor, path: str, **changes: Any) -> HttpResponse:
    """Open a form, change some fields, and send it. A list is sent as several values."""
    return send(visitor, path, fields_of(visitor, path), **changes)


def send(visitor: Visitor, path: str, fields: dict[str, list[str]], **changes: Any) -> HttpResponse:
    """Send the fields of an open form, some of them changed."""
    return visitor.client.post(path, {**fields, **changes})  # type: ignore[return-value]
