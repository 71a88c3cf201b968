"""Which fields of a form that could not be taken are shown again, to be sent once more."""

import re

from django.http import HttpRequest

NEVER_KEPT = re.compile(
    r"csrfmiddlewaretoken|password|secret|token|^code$|^try-|^_sender$|^_taken_by$", re.IGNORECASE
)
"""Names of fields that are not shown again, with those by which a form names its sender."""


def kept_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the fields of a POST with their values, without what is secret and without serials."""
    return [
        (name, value)
        for name, values in request.POST.lists()
        if not NEVER_KEPT.search(name)
        for value in values
    ]
