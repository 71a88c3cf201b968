"""The manifest's schema as the specification words it, written here a second time and by hand."""

from typing import Any

SITE = "http://127.0.0.1:8000"


def _whole(minimum: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": minimum}


STRING = {"type": "string"}
NOT_EMPTY = {"type": "string", "minLength": 1}
URI = {"type": "string", "format": "uri"}
DATE_TIME = {"type": "string", "format": "date-time"}
ABOVE_ZERO = {"type": "number", "exclusiveMinimum": 0}

GUIDE = {
    "type": {"const": "guide"},
    "url": URI,
    "slug": NOT_EMPTY,
    "title": NOT_EMPTY,
    "description": NOT_EMPTY,
    "short_answer": {"type": "string", "minLength": 80},
    "faq_count": _whole(3),
    "source_count": _whole(3),
    "sources": {
        "type": "array",
        "minItems": 3,
        "items": {
            "type": "object",
            "required": ["label", "url"],
            "properties": {"label": STRING, "url": URI},
        },
    },
}
MODEL = {
    "model_id": STRING,
    "model": STRING,
    "watt_hour": ABOVE_ZERO,
    "capacity_mah": {"type": "integer", "exclusiveMinimum": 0},
    "url": URI,
}
HUB = {
    "type": {"const": "brand_hub"},
    "url": URI,
    "brand_id": STRING,
    "name": STRING,
    "model_count": _whole(1),
    "recent_count": _whole(0),
    "near_limit_count": _whole(0),
    "representative_models": {
        "type": "array",
        "minItems": 1,
        "items": {"type": "object", "required": list(MODEL), "properties": MODEL},
    },
}
VERDICT = {
    "type": {"const": "verdict"},
    "url": {"type": "string", "format": "uri", "pattern": "/p/[^/]+/[^/]+/[^/]+$"},
    "intent": STRING,
    "model_id": STRING,
    "model": STRING,
    "watt_hour": ABOVE_ZERO,
    "capacity_mah": {"type": "integer", "exclusiveMinimum": 0},
    "airline_code": STRING,
    "airline": STRING,
    "country_code": {"type": "string", "minLength": 2},
    "country": STRING,
    "verdict": {"enum": ["allowed", "conditional", "banned", "insufficient"]},
    "summary": {"type": "string", "minLength": 20},
    "route_factors": {"type": "array", "minItems": 4, "items": {"type": "string", "minLength": 40}},
    "article_body": {"type": "string", "minLength": 160, "maxLength": 1600},
    "ruleset_version": STRING,
    "citation_count": _whole(1),
    "sources": {
        "type": "array",
        "minItems": 1,
        "items": {
            "type": "object",
            "required": ["kind", "authority", "url", "pulled_at"],
            "properties": {
                "kind": {"enum": ["regulator", "airline", "manufacturer", "news"]},
                "authority": STRING,
                "jurisdiction": STRING,
                "url": {"type": "string", "format": "uri", "pattern": "^https?://"},
                "pulled_at": DATE_TIME,
            },
        },
    },
}


def _rows(properties: dict[str, Any]) -> dict[str, Any]:
    items = {"type": "object", "required": list(properties), "properties": properties}
    return {"type": "array", "minItems": 1, "items": items}


TOP = {
    "$schema": {"const": f"{SITE}/aeo-manifest.schema.json"},
    "manifest_version": {"const": "aeo-manifest.v1"},
    "content_hash_algorithm": {"const": "sha256"},
    "content_hash": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "generated_at": DATE_TIME,
    "site": {"const": SITE},
    "ruleset_version": NOT_EMPTY,
    "cache_policy": {
        "type": "object",
        "required": ["max_age_seconds", "stale_while_revalidate_seconds", "revalidate_on"],
        "properties": {
            "max_age_seconds": _whole(300),
            "stale_while_revalidate_seconds": _whole(3600),
            "revalidate_on": {"const": "content_hash_change"},
        },
    },
    "counts": {
        "type": "object",
        "required": ["question_guides", "brand_hubs", "long_tail_verdicts"],
        "properties": {
            "question_guides": _whole(1),
            "brand_hubs": _whole(1),
            "long_tail_verdicts": _whole(1),
        },
    },
    "purpose": {"type": "string", "minLength": 40},
    "question_guides": _rows(GUIDE),
    "brand_hubs": _rows(HUB),
    "long_tail_verdicts": _rows(VERDICT),
}

MANIFEST = {"type": "object", "required": list(TOP), "properties": TOP, "additionalProperties": False}
