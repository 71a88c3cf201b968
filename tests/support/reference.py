"""What the reference program (`clients/reference`) gets: releases as text, and questions as requests."""

from typing import Any

from msgspec.structs import asdict

from battery_travel_reference import Release, release_of
from rules.engine.document import Content, ReleaseDocument
from rules.engine.facts import Question, TripQuestion
from rules.releases.ledger import canonical_text
from tests.support.starter import RULESET_VERSION

Json = dict[str, Any]


def text_of(content: Content) -> bytes:
    """Return some content as the document of a release."""
    document = ReleaseDocument(ruleset_version=RULESET_VERSION, predecessor=None, content=content)
    return canonical_text(document).encode()


def downloaded(content: Content) -> Release:
    """Return some content as the program reads it from the document of a release."""
    return release_of(text_of(content))


def body_of(question: Question) -> Json:
    """Return a question about a flight as the body of a request."""
    return _unit(question) | {"trip": _journey(question) | asdict(question.leg)}


def trip_body_of(question: TripQuestion) -> Json:
    """Return a question about a trip as the body of a request."""
    legs = [asdict(leg) for leg in question.legs]
    return {"device": _unit(question), "trip": _journey(question) | {"legs": legs}}


def _unit(question: Question | TripQuestion) -> Json:
    return {name: value for name, value in asdict(question.unit).items() if value is not None}


def _journey(question: Question | TripQuestion) -> Json:
    return {"date": str(question.travel_date), "compartment_intent": question.compartment_intent}
