"""Imports a file at the desk as a browser does: choose it, check the preview, and press the button."""

import re

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse

from tests.support.desk.visiting import TOKEN, Visitor

MODELS = "/admin/catalog/device/import/"
AGREED = re.compile(r'name="agreed" value="(\w+)"')


def upload(
    visitor: Visitor, content: str | bytes, name: str = "models.csv", path: str = MODELS, **fields: str
) -> HttpResponse:
    """Choose a file and request the preview."""
    token = TOKEN.search(visitor.page(path))
    assert token is not None
    encoded = content.encode() if isinstance(content, str) else content
    sent = {"csrfmiddlewaretoken": token[1], "file": SimpleUploadedFile(name, encoded), **fields}
    return visitor.client.post(path, sent)  # type: ignore[return-value]


def agree(visitor: Visitor, preview: HttpResponse, path: str = MODELS) -> HttpResponse:
    """Press the button of a preview."""
    page = preview.content.decode()
    token, agreed = TOKEN.search(page), AGREED.search(page)
    assert token is not None
    assert agreed is not None
    return visitor.client.post(path, {"csrfmiddlewaretoken": token[1], "agreed": agreed[1]})  # type: ignore[return-value]
