"""/aeo-datasets.json: which datasets there are, what they contain, and who may read how much of them.

The specification names two datasets. Recall intelligence promises that a recall never extends beyond its
model. Airline policy intelligence separates the public preview from what partners see. Its hash is computed
like that of the manifest: SHA-256 of the canonical JSON (RFC 8785) of everything but itself and
`generated_at`.

Called by the views.
"""

from collections import Counter
from functools import lru_cache
from typing import Any, NamedTuple, get_args

from django.conf import settings

from aeo.datasets.files import FORMATS
from aeo.editions import Edition
from aeo.web.addresses import address
from aeo.web.caching import MAX_AGE_SECONDS, STALE_WHILE_REVALIDATE_SECONDS
from aeo.web.documents import encode, hash_of
from catalog.records import Confidence
from rules.corpus import Published
from rules.policy_history import recorded_changes
from rules.selectors import readings, rules, watched_sources

DATASETS_VERSION = "aeo-datasets.v1"

PURPOSE = (
    "Recalls of exact power bank models and the battery policies of airlines, with their sources. "
    "Informational: not legal advice, not a certification and no guarantee of acceptance."
)

PREVIEW_FIELDS = (
    "airline",
    "icao",
    "name",
    "country",
    "confidence",
    "policy_read",
    "policy_read_on",
    "summary",
    "policy_url",
    "last_checked",
    "rule_count",
    "covered",
    "total_changes",
    "change_counts",
)
"""The public fields of an airline's policy."""

PARTNER_FIELDS = (
    "effective_from",
    "policy_fields",
    "rules",
    "change_log",
    "notes",
    "citations",
)
"""The additional fields of an airline's record, for partners and signed-in staff.

The values of some `policy_fields` are public in the table of airlines. Partners get all fields, each with the
rules behind it, and the evidence.
"""

TABLE_COLUMNS = (
    "airline",
    "icao",
    "name",
    "country",
    "whose_rules",
    "carry_on_max_watt_hour_without_approval",
    "carry_on_max_watt_hour_without_approval_inclusive",
    "carry_on_max_watt_hour_with_approval",
    "carry_on_max_watt_hour_with_approval_inclusive",
    "carry_on_prohibited_over_watt_hour",
    "carry_on_prohibited_over_watt_hour_inclusive",
    "alone_carry_on_max_watt_hour_without_approval",
    "alone_carry_on_max_watt_hour_without_approval_inclusive",
    "alone_carry_on_max_watt_hour_with_approval",
    "alone_carry_on_max_watt_hour_with_approval_inclusive",
    "alone_carry_on_prohibited_over_watt_hour",
    "alone_carry_on_prohibited_over_watt_hour_inclusive",
    "max_units",
    "max_units_over_100_watt_hour",
    "onboard_use",
    "onboard_recharge",
    "overhead_bin",
    "on_person_or_seat_pocket",
    "label",
    "in_force_since",
    "policy_read",
    "policy_read_on",
    "rule_count",
)
"""The columns of the public table of airlines, /airlines.csv (`aeo.reference.airline_csv`)."""

PARTNER_CHANGE_FIELDS = ("changes", "source_watch", "review_queue")
"""The additional fields of /api/policy-changes, for them."""


class Overview(NamedTuple):
    """The description as it is sent."""

    body: bytes
    content_hash: str


def current(edition: Edition) -> Overview:
    """Return the description of an edition; it is built once."""
    return _made(edition, settings.SITE_URL)


# One edition at a time is shown.
@lru_cache(maxsize=1)
def _made(edition: Edition, site: str) -> Overview:
    said = {
        "datasets_version": DATASETS_VERSION,
        "content_hash_algorithm": "sha256",
        "site": site,
        "ruleset_version": edition.release.ruleset_version,
        "cache_policy": {
            "max_age_seconds": MAX_AGE_SECONDS,
            "stale_while_revalidate_seconds": STALE_WHILE_REVALIDATE_SECONDS,
            "revalidate_on": "content_hash_change",
        },
        "purpose": PURPOSE,
        "manifest_url": address("/aeo-manifest.json"),
        "catalog_url": address("/datasets"),
        "changes_url": address("/datasets/changes.json"),
        "datasets": {
            "recall_intelligence": _recalls(edition.release),
            "airline_policy_intelligence": _policies(edition),
        },
    }
    content_hash = hash_of(said)
    generated_at = edition.changed_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    return Overview(encode(said | {"content_hash": content_hash, "generated_at": generated_at}), content_hash)


def _downloads(*names: str) -> list[dict[str, str]]:
    """Return the addresses of the newest files of some datasets, in any release."""
    return [
        {"name": name, "format": file_format, "url": address(f"/datasets/latest/{name}.{file_format}")}
        for name in names
        for file_format in FORMATS
    ]


def _recalls(release: Published) -> dict[str, Any]:
    recalls = release.shelf.recalls.values()
    return {
        "name": "Recall intelligence",
        "description": (
            "Active recalls of exact power bank models, each with its notice, the affected units "
            "and how a serial is checked."
        ),
        "model_specific_only": True,
        "no_brand_level_inference": True,
        "applies_to": "exact_model_only",
        "recalls_api_url": address("/api/recalls"),
        "device_recalls_api_url_template": address("/api/devices/{model_id}/recalls"),
        "downloads": _downloads("recalls", "devices"),
        "counts": {
            "recalls": len(recalls),
            "models": len({recall.model_id for recall in recalls}),
            "by_jurisdiction": dict(sorted(Counter(recall.jurisdiction for recall in recalls).items())),
        },
    }


def _policies(edition: Edition) -> dict[str, Any]:
    release, today = edition.release, edition.today
    airlines = release.shelf.airlines.values()
    confidence = Counter(airline.confidence for airline in airlines)
    seen = watched_sources.monitoring(watched_sources.watched(release))
    return {
        "name": "Airline policy intelligence",
        "description": (
            "What airlines say about power banks, how well each policy is known, which pages are watched, "
            "and how many dated changes are on file."
        ),
        "airlines_api_url": address("/api/airlines"),
        "airline_api_url_template": address("/api/airlines/{code}"),
        "policy_changes_api_url": address("/api/policy-changes"),
        "rules_api_url": address("/api/rules"),
        "coverage_api_url": address("/api/coverage"),
        "downloads": _downloads("airline-policies", "rules", "disagreements"),
        "counts": {
            "airlines": len(airlines),
            "covered": sum(bool(rules.active(release, airline.airline, today)) for airline in airlines),
            "by_confidence": {word: confidence[word] for word in get_args(Confidence)},
            "by_policy_read": readings.airlines_by_reading(release),
            "rules": len(release.shelf.rules),
            "rules_by_confidence": readings.by_confidence(release.shelf.rules.values()),
            "policy_changes": recorded_changes.counts(recorded_changes.history(release), today),
        },
        "source_monitoring": {
            "sources_watched": seen.sources_watched,
            "by_basis": seen.by_basis,
            "oldest_read_on": None if seen.oldest_read_on is None else seen.oldest_read_on.isoformat(),
            "newest_read_on": None if seen.newest_read_on is None else seen.newest_read_on.isoformat(),
        },
        "access": {
            "public_preview": {
                "requires_key": False,
                "airline_fields": list(PREVIEW_FIELDS),
                "policy_changes": "counts",
                "table_url": address("/airlines.csv"),
                "table_columns": list(TABLE_COLUMNS),
            },
            "partner_detail": {
                "requires_key": True,
                "key_headers": ["x-service-key", "Authorization: Bearer"],
                "airline_fields": list(PARTNER_FIELDS),
                "policy_changes_fields": list(PARTNER_CHANGE_FIELDS),
                "verdicts_differ": False,
            },
        },
    }
