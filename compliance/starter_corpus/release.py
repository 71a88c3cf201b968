"""The starter corpus as a published release, in memory and without a database.

It has the same files, the same canonical text and the same decoding as a release that was seeded and
published, but no tables. The contract's examples use it, and so do most tests of answers.
"""

import datetime
import functools
from typing import Any

from catalog import records
from catalog.airports.selectors import AirportFacts
from catalog.places.iso_3166 import iso_countries
from compliance.starter_corpus.files import STARTER_CORPUS, read
from recalls.records import Recall
from rules.corpus import Published
from rules.engine import facts
from rules.engine.corpus import Corpus
from rules.engine.disagreements import Disagreement
from rules.engine.document import Content, ReleaseDocument, decode
from rules.releases import ledger

RULESET_VERSION = "2026-11-20"
"""The day on which the starter corpus was compiled."""


@functools.cache
def starter_content() -> Content:
    """Return the records of the starter corpus with every ISO 3166-1 country."""
    return Content(
        countries=tuple(iso_countries().values()),
        jurisdictions=_rows("jurisdictions.json", records.Jurisdiction, "code"),
        sources=_rows("sources.json", records.Source, "id"),
        airlines=_rows("airline_policies.json", records.Airline, "airline"),
        devices=_rows("devices.json", records.Device, "model_id"),
        rules=_rows("rules.json", facts.Rule, "rule_id"),
        recalls=_rows("recalls.json", Recall, "recall_id"),
        disagreements=_rows("disagreements.json", Disagreement, "id"),
    )


@functools.cache
def starter_release() -> Published:
    """Return the starter corpus as this process would have it in memory after publishing."""
    return published(starter_content())


@functools.cache
def starter_airport_facts() -> AirportFacts:
    """Return the facts of airports of the starter corpus, which are in no release."""
    facts = _rows("airports.json", records.AirportFact, "id")
    return AirportFacts(sorted(facts, key=lambda fact: (fact.airport, fact.id)))


def published(content: Content, ruleset_version: str = RULESET_VERSION) -> Published:
    """Return some content as a release in memory, read back from its canonical text."""
    text = ledger.canonical_text(
        ReleaseDocument(ruleset_version=ruleset_version, predecessor=None, content=content)
    )
    return Published(
        ruleset_version=ruleset_version,
        sha256=ledger.digest(text),
        published_at=datetime.datetime(2026, 11, 20, 12, 0, tzinfo=datetime.UTC),
        corpus=Corpus(decode(text.encode()).content),
    )


def _rows(name: str, kind: type, key: str) -> tuple[Any, ...]:
    return tuple(read(STARTER_CORPUS / name, kind, key).records.values())
