"""The permissions of each group: one table, which every `manage.py migrate` brings into the database.

A migration overwrites changes that were made to a group by hand; for other permissions, make another group.
The permissions of each action are those of `catalog.editorial.permissions`.
"""

from collections.abc import Iterator

EDITOR = "Editor"
REVIEWER = "Reviewer"
PUBLISHER = "Publisher"
PARTNER_MANAGER = "Partner manager"
VIEWER = "Viewer"
AUDITOR = "Auditor"

CATALOG = [
    "airline",
    "airlinepolicy",
    "airlinepolicyevidence",
    "airportfact",
    "brand",
    "certificate",
    "certification",
    "country",
    "device",
    "deviceevidence",
    "jurisdiction",
    "membership",
    "policychange",
    "source",
]
REVISIONS = [
    ("rules", "rule"),
    ("recalls", "recall"),
    ("rules", "disagreement"),
    ("rules", "verdictcase"),
    ("aeo", "guidetext"),
]
EVIDENCE = [("rules", "ruleevidence"), ("recalls", "recallevidence"), ("rules", "disagreementevidence")]
WATCH = [("rules", "watchsignal"), ("rules", "watchedpage"), ("catalog", "deadletter")]
FEEDS = [("recalls", "feednotice"), ("recalls", "feedstate")]
DESK = [
    *(("catalog", model) for model in [*CATALOG, "auditentry", "changeset", "pendingchange"]),
    *REVISIONS,
    *EVIDENCE,
    ("rules", "release"),
    ("rules", "heldback"),
    ("rules", "plannedrelease"),
    ("rules", "acceptedcase"),
    ("rules", "acceptedfinding"),
    *WATCH,
    *FEEDS,
    ("rules", "visit"),
    ("catalog", "run"),
    ("aeo", "curation"),
    ("aeo", "indexedpage"),
    ("compliance", "verdictrecord"),
    ("compliance", "corpusproposal"),
]
"""The tables that everyone at the desk may see, each with its history."""


def _each(models: list[tuple[str, str]], *operations: str) -> Iterator[str]:
    return (f"{app}.{operation}_{model}" for app, model in models for operation in operations)


_VIEW = frozenset(_each(DESK, "view"))
_CATALOG = [("catalog", model) for model in CATALOG]
# A model, an airline and a fact of an airport go by a change set that another person approves. A brand and a
# source go only while no record names them.
_DELETED = [("catalog", name) for name in ("airline", "airportfact", "brand", "device", "source")]
_TALKING = frozenset(_each([("compliance", "comment"), ("compliance", "assignment")], "add"))
_PARTNERS = [("compliance", "partner"), ("compliance", "partnerkey"), ("compliance", "webhook")]

GROUPS: dict[str, frozenset[str]] = {
    EDITOR: _VIEW
    | _TALKING
    | frozenset(_each(_CATALOG, "add", "change"))
    | frozenset(_each(_DELETED, "delete"))
    | frozenset(_each(REVISIONS, "add", "change", "delete", "revise", "withdraw", "submit"))
    | frozenset(_each([*WATCH, *FEEDS], "change"))
    | {"aeo.add_curation", "catalog.delete_changeset", "compliance.change_corpusproposal"},
    REVIEWER: _VIEW
    | _TALKING
    | frozenset(_each(REVISIONS, "return", "approve", "take_back"))
    | frozenset(_each([("rules", "acceptedfinding"), ("rules", "acceptedcase")], "add", "delete"))
    # An accepted finding of the corpus is a proposal, too. What makes an answer less strict needs a reading
    # by another person than its author, and a reviewer is one by nature.
    | {
        "catalog.approve_changeset",
        "catalog.confirm_source",
        "catalog.return_changeset",
        "catalog.take_back_changeset",
        "compliance.change_corpusproposal",
    },
    # A webhook of the desk sends names of records and people out of the house, as a release does.
    PUBLISHER: _VIEW
    | _TALKING
    | frozenset(_each([("compliance", "deskwebhook")], "add", "change"))
    | {"compliance.change_deskdelivery"}
    | {"rules.publish_release"},
    PARTNER_MANAGER: frozenset(_each(_PARTNERS, "add", "change", "view"))
    | frozenset(_each([("compliance", "webhookdelivery")], "change", "view"))
    # Partners contact support with the id of an answer.
    | {"compliance.view_verdictrecord"},
    VIEWER: _VIEW,
    AUDITOR: frozenset({"compliance.export_verdictrecord"}),
}
"""The permissions of each group, as `app.codename`.

A permission whose model is not installed is added later.
"""
