"""What happens to every verdict that the API gives, whichever endpoint was asked."""

import msgspec
from django.http import HttpResponse
from rest_framework.request import Request

from compliance.api.bodies import json_response
from rules.verdicts import Answer, TripAnswer


def give(request: Request, answer: Answer | TripAnswer, body: msgspec.Struct) -> HttpResponse:
    """Return an answer of the door as the answer to a request; `body` says it in the caller's language."""
    return json_response(body)
