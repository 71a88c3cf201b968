"""The JSON of a verdict page: the same answers, each with the request that gets it from the API.

Called by the view. The shapes are those of POST /api/verify, so a client reads both with one reader.
"""

from typing import Any

from aeo.articles.article import Article
from aeo.articles.flights import Flight
from aeo.web import jsonld
from aeo.web.addresses import address
from rules import wording
from rules.engine.corpus import Citation


def document(article: Article) -> dict[str, Any]:
    """Return an article as plain values for JSON."""
    device = article.device
    return {
        "url": address(article.path),
        "question": article.question,
        "verdict": article.verdict,
        "summary": article.summary,
        "route_factors": article.route_factors,
        "article_body": article.body,
        "ruleset_version": article.release.ruleset_version,
        "expires_at": article.expires_at,
        "content_hash": article.content_hash,
        "device": {
            "model_id": device.model_id,
            "model": article.model,
            "watt_hour": device.watt_hour,
            "watt_hour_basis": device.watt_hour_basis,
            "capacity_mah": device.capacity_mah,
        },
        "flights": [_flight(flight, article.language) for flight in article.flights],
        "citations": [source(citation) for citation in article.citations],
    }


def ask(flight: Flight) -> dict[str, Any]:
    """Return the request body with which POST /api/verify gives the answer for this flight."""
    question = flight.answer.question
    return {
        "model_id": question.unit.model_id,
        "trip": {
            "origin": flight.leg.origin,
            "destination": flight.leg.destination,
            "airline": flight.leg.airline,
            "compartment_intent": question.compartment_intent,
            "date": question.travel_date.isoformat(),
        },
    }


def source(citation: Citation) -> dict[str, str]:
    """Return a citation as the manifest lists it."""
    return {
        "kind": citation.kind,
        "authority": citation.authority,
        "jurisdiction": citation.jurisdiction,
        "url": citation.url,
        "pulled_at": jsonld.pulled_at(citation.pulled_at),
    }


def _flight(flight: Flight, language: str) -> dict[str, Any]:
    outcome = flight.answer.outcome
    said_by = outcome.said_by()
    constraints = zip(outcome.constraints, wording.constraint_messages(outcome, language), strict=True)
    warnings = zip(outcome.warnings, wording.warning_messages(outcome, language), strict=True)
    return {
        "kind": flight.kind,
        "ask": {"method": "POST", "url": address("/api/verify"), "body": ask(flight)},
        "verdict": outcome.verdict,
        "summary": wording.summary(flight.answer, language),
        "constraints": [
            {"code": one.code, "message": text, "rule_ids": said_by.get(one, [])} for one, text in constraints
        ],
        "warnings": [
            {
                "code": one.code,
                "severity": one.severity or "advisory",
                "message": text,
                "rule_ids": said_by.get(one, []),
            }
            for one, text in warnings
        ],
        "verdict_path": outcome.path,
    }
