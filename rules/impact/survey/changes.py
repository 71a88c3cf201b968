"""Which records differ between two rulesets in a way that verdicts can depend on."""

import datetime
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from rules.engine.document import ID_FIELD, Content
from rules.engine.facts import Device

Kind = Literal["countries", "jurisdictions", "airlines", "devices", "rules", "recalls"]
"""The kinds of records that can change a verdict, by their names in a document. Sources cannot."""

DECIDES: dict[Kind, Callable[[Any], Any]] = {
    "countries": lambda country: country.code,
    "jurisdictions": lambda place: frozenset(place.member_of),
    "airlines": lambda airline: (airline.country, airline.confidence),
    "devices": lambda device: (device.watt_hour, device.watt_hour_basis, doubted(device)),
    "rules": lambda rule: (
        *(rule.issuer, rule.jurisdiction, rule.airline, rule.applies),
        *(rule.when, rule.effect, rule.code, rule.params),
        *(rule.effective_from, rule.effective_until),
    ),
    "recalls": lambda recall: (recall.model_id, recall.affected_serials),
}
"""The fields of a record that verdicts depend on. Names, summaries and evidence decide nothing."""


def doubted(device: Device) -> frozenset[tuple[datetime.date | None, datetime.date | None]]:
    """Return the days on which a certificate of a model is suspended or revoked: first and last of each."""
    return frozenset((one.since, one.until) for one in device.certificates if one.status != "valid")


class Changed(NamedTuple):
    """One record that is in one ruleset only, or differs in the fields that verdicts depend on."""

    kind: Kind
    record_id: str


Versions = tuple[Any, Any]
"""A record before and after; None if it is absent."""


def changed_records(before: Content, after: Content) -> dict[Changed, Versions]:
    """Return every record that differs in the fields that verdicts depend on, in the order of a document."""
    found: dict[Changed, Versions] = {}
    for kind, decides in DECIDES.items():
        id_field = ID_FIELD[kind]
        old = {getattr(row, id_field): row for row in getattr(before, kind)}
        new = {getattr(row, id_field): row for row in getattr(after, kind)}
        for name in sorted(old.keys() | new.keys()):
            was, will_be = old.get(name), new.get(name)
            # Most records are equal, and comparing them is the fastest check.
            if was != will_be and (was is None or will_be is None or decides(was) != decides(will_be)):
                found[Changed(kind, name)] = was, will_be
    return found
