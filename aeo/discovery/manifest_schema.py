"""The JSON Schema of the manifest: exactly the bounds that the specification names.

Served at /aeo-manifest.schema.json. Called by the manifest and by the view.
"""

from typing import Any

from aeo.articles.article import FEWEST_FACTORS, MAX_BODY_CHARACTERS, MIN_BODY_CHARACTERS
from aeo.guides.reading import FEWEST_PASSAGES, FEWEST_SOURCES, MIN_SHORT_ANSWER_CHARACTERS

MANIFEST_VERSION = "aeo-manifest.v1"
MIN_PURPOSE_CHARACTERS = 40
MIN_SUMMARY_CHARACTERS = 20
MIN_FACTOR_CHARACTERS = 40

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string", "minLength": 1}
_URI: Schema = {"type": "string", "format": "uri", "pattern": "^https?://"}
_INSTANT: Schema = {"type": "string", "format": "date-time"}


def manifest_schema(site: str) -> Schema:
    """Return the schema of the manifest of a site."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{site}/aeo-manifest.schema.json",
        "title": "Discovery manifest",
        "description": (
            "Question guides, brand hubs and verdict pages of the battery travel compliance service. "
            "Informational and cited: not legal advice, not a certification, no guarantee of acceptance."
        ),
        **_object(
            {
                "$schema": {"const": f"{site}/aeo-manifest.schema.json"},
                "manifest_version": {"const": MANIFEST_VERSION},
                "content_hash_algorithm": {"const": "sha256"},
                "content_hash": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
                "generated_at": _INSTANT,
                "site": {"const": site},
                "ruleset_version": _TEXT,
                "cache_policy": _object(
                    {
                        "max_age_seconds": _at_least(300),
                        "stale_while_revalidate_seconds": _at_least(3600),
                        "revalidate_on": {"const": "content_hash_change"},
                    }
                ),
                "counts": _object(
                    {
                        "question_guides": _at_least(1),
                        "brand_hubs": _at_least(1),
                        "long_tail_verdicts": _at_least(1),
                    }
                ),
                "purpose": {"type": "string", "minLength": MIN_PURPOSE_CHARACTERS},
                "question_guides": _list(_guide()),
                "brand_hubs": _list(_hub()),
                "long_tail_verdicts": _list(_verdict()),
            }
        ),
    }


def _guide() -> Schema:
    return _object(
        {
            "type": {"const": "guide"},
            "url": _URI,
            "slug": _TEXT,
            "title": _TEXT,
            "description": _TEXT,
            "short_answer": {"type": "string", "minLength": MIN_SHORT_ANSWER_CHARACTERS},
            "faq_count": _at_least(FEWEST_PASSAGES),
            "source_count": _at_least(FEWEST_SOURCES),
            "sources": _list(_object({"label": {"type": "string"}, "url": _URI}), FEWEST_SOURCES),
        },
        optional={"localized_urls": {"type": "object", "additionalProperties": _URI}},
    )


def _hub() -> Schema:
    model = {
        "model_id": {"type": "string"},
        "model": {"type": "string"},
        "watt_hour": {"type": "number", "exclusiveMinimum": 0},
        "capacity_mah": {"type": "integer", "exclusiveMinimum": 0},
        "url": _URI,
    }
    return _object(
        {
            "type": {"const": "brand_hub"},
            "url": _URI,
            "brand_id": {"type": "string"},
            "name": {"type": "string"},
            "model_count": _at_least(1),
            "recent_count": _at_least(0),
            "near_limit_count": _at_least(0),
            "representative_models": _list(_object(model)),
        }
    )


def _verdict() -> Schema:
    return _object(
        {
            "type": {"const": "verdict"},
            "url": _URI,
            "intent": {"type": "string"},
            "model_id": {"type": "string"},
            "model": {"type": "string"},
            "watt_hour": {"type": "number", "exclusiveMinimum": 0},
            "capacity_mah": {"type": "integer", "exclusiveMinimum": 0},
            "airline_code": {"type": "string"},
            "airline": {"type": "string"},
            "country_code": {"type": "string", "minLength": 2},
            "country": {"type": "string"},
            "verdict": {"enum": ["allowed", "conditional", "banned", "insufficient"]},
            "summary": {"type": "string", "minLength": MIN_SUMMARY_CHARACTERS},
            "route_factors": _list({"type": "string", "minLength": MIN_FACTOR_CHARACTERS}, FEWEST_FACTORS),
            "article_body": {
                "type": "string",
                "minLength": MIN_BODY_CHARACTERS,
                "maxLength": MAX_BODY_CHARACTERS,
            },
            "ruleset_version": {"type": "string"},
            "citation_count": _at_least(1),
            "sources": _list(_source()),
        }
    )


def _source() -> Schema:
    return _object(
        {
            "kind": {"enum": ["regulator", "airline", "manufacturer", "news"]},
            "authority": {"type": "string"},
            "url": _URI,
            "pulled_at": _INSTANT,
        },
        optional={"jurisdiction": {"type": "string"}},
    )


def _object(properties: Schema, optional: Schema | None = None) -> Schema:
    return {
        "type": "object",
        "required": sorted(properties),
        "properties": properties | (optional or {}),
        "additionalProperties": False,
    }


def _list(items: Schema, fewest: int = 1) -> Schema:
    return {"type": "array", "minItems": fewest, "items": items}


def _at_least(minimum: int) -> Schema:
    return {"type": "integer", "minimum": minimum}
