"""The release document: everything a verdict depends on, as one immutable record.

`Content` is what editors approved; `ReleaseDocument` binds it to its version and to the digest of its
predecessor, so that the ledger of releases is a chain. `problems` lists what makes content unpublishable: a
rule that cannot be read or has no citation, a dangling reference, a recall that cannot be matched, a
disagreement whose rule is gone. A record that fails here is never dropped silently.
"""

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any, Literal, NamedTuple

import msgspec

from catalog.energy import HUNDREDTH, computed_watt_hour
from catalog.records import UNCITABLE
from recalls.serials import PatternError, compile_pattern
from rules.engine import disagreements
from rules.engine.disagreements import Disagreement
from rules.engine.facts import (
    INTERNATIONAL,
    Airline,
    Certificate,
    Country,
    Device,
    Jurisdiction,
    Recall,
    Record,
    Rule,
    Source,
)
from rules.engine.matching import watt_hour_span
from rules.engine.quotes import faults
from rules.engine.vocabulary import CODES, EFFECT_OF_NATURE, MAX_QUANTITY

MODEL_ID = re.compile(r"[a-z0-9][a-z0-9-]{1,79}")
RULE_ID = re.compile(r"[a-z0-9]+(\.[a-z0-9]+(-[a-z0-9]+)*)+")
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
AIRLINE_CODE = re.compile(r"[A-Z0-9]{2}")
MADE_UP_MODEL = re.compile(r"sandbox(-.*)?")
MADE_UP_AIRLINE = re.compile(r"[0-9]{2}")
"""Names that tests of a client may rely on: they never name anything real. IATA assigns no such code."""

COUNTRY_CODE = re.compile(r"[A-Z]{2}")
JURISDICTION_CODE = re.compile(r"[A-Z]{2,4}")
MAX_AMOUNT = 1_000_000
"""More watt-hours, volts or milliampere-hours than this are a typing error."""

MADE_UP = "has a name that is kept for made-up records, by which clients are tested"

WEB_ADDRESS = re.compile(r"https?://[^\s/]+\.[^\s]+")

ID_FIELD = {
    "countries": "code",
    "jurisdictions": "code",
    "sources": "id",
    "airlines": "airline",
    "devices": "model_id",
    "rules": "rule_id",
    "recalls": "recall_id",
    "disagreements": "id",
}
"""The kinds of records, in the order of a document, and the field that identifies one."""


class Content(Record, frozen=True, kw_only=True):
    """The approved records of a release, each list ordered by its identifier."""

    countries: tuple[Country, ...] = ()
    jurisdictions: tuple[Jurisdiction, ...] = ()
    sources: tuple[Source, ...] = ()
    airlines: tuple[Airline, ...] = ()
    devices: tuple[Device, ...] = ()
    rules: tuple[Rule, ...] = ()
    recalls: tuple[Recall, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()


class ReleaseDocument(Record, frozen=True, kw_only=True):
    """One published release. `predecessor` is the SHA-256 of the release before, null for the first."""

    format: Literal["release.v1"] = "release.v1"
    ruleset_version: str
    predecessor: str | None
    content: Content


class Problem(NamedTuple):
    """Something that makes content unpublishable: which record, and why in one sentence."""

    where: str
    reason: str


class UnreadableDocument(ValueError):
    """Bytes that are not a release document."""


def decode(document: bytes) -> ReleaseDocument:
    """Read a release document. Raises `UnreadableDocument`."""
    try:
        return msgspec.json.decode(document, type=ReleaseDocument)
    except msgspec.MsgspecError as error:
        raise UnreadableDocument(str(error)) from error


def builtins(document: ReleaseDocument | Content) -> Any:
    """Return a document as plain JSON values, decimals as text, ready for canonical encoding.

    Fields that were added to the format later are left out if they are empty: quotes of a rule, cadence of a
    source, certificates of a device, disagreements of a release. So older texts keep their digests.
    """
    plain = msgspec.to_builtins(document, builtin_types=())
    content = plain["content"] if isinstance(document, ReleaseDocument) else plain
    for kind, field in (("rules", "quotes"), ("sources", "cadence"), ("devices", "certificates")):
        for record in content[kind]:
            if not record[field]:
                del record[field]
    if not content["disagreements"]:
        del content["disagreements"]
    return plain


def problems(content: Content) -> list[Problem]:
    """List everything that makes content unpublishable. An empty list means that all can be read."""
    return [*_duplicates(content), *_Checker(content).problems()]


def problems_of(kind: str, content: Content) -> list[Problem]:
    """List what is wrong with the records of one kind, such as "rule"; `where` is only the id.

    Other records may have faults too, but they are not being written.
    """
    found = ((*one.where.partition(" "), one.reason) for one in problems(content))
    return [Problem(name, reason) for of, _, name, reason in found if of == kind]


def _duplicates(content: Content) -> Iterator[Problem]:
    keys: dict[str, list[str]] = {
        "country": [country.code for country in content.countries],
        "jurisdiction": [jurisdiction.code for jurisdiction in content.jurisdictions],
        "source": [source.id for source in content.sources],
        "airline": [airline.airline for airline in content.airlines],
        "device": [device.model_id for device in content.devices],
        "rule": [rule.rule_id for rule in content.rules],
        "recall": [recall.recall_id for recall in content.recalls],
        "disagreement": [disagreement.id for disagreement in content.disagreements],
    }
    for kind, names in keys.items():
        for name, count in Counter(names).items():
            if count > 1:
                yield Problem(f"{kind} {name}", f"stands {count} times")


class _Checker:
    """Checks each record on its own and against the records that it refers to."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.countries = {country.code for country in content.countries}
        self.places = self.countries | {place.code for place in content.jurisdictions}
        self.sources = {source.id: source for source in content.sources}
        self.airlines = {airline.airline for airline in content.airlines}
        self.devices = {device.model_id for device in content.devices}
        self.rules = {rule.rule_id for rule in content.rules}

    def problems(self) -> Iterator[Problem]:
        content = self.content
        yield from _each("country", content.countries, lambda row: row.code, self._country)
        yield from _each("jurisdiction", content.jurisdictions, lambda row: row.code, self._jurisdiction)
        yield from _each("source", content.sources, lambda row: row.id, self._source)
        yield from _each("airline", content.airlines, lambda row: row.airline, self._airline)
        yield from _each("device", content.devices, lambda row: row.model_id, self._device)
        yield from _each("rule", content.rules, lambda row: row.rule_id, self._rule)
        yield from _each("recall", content.recalls, lambda row: row.recall_id, self._recall)
        yield from _each("disagreement", content.disagreements, lambda row: row.id, self._disagreement)

    def _country(self, country: Country) -> Iterator[str]:
        if not COUNTRY_CODE.fullmatch(country.code):
            yield "the code is not two upper-case letters"

    def _jurisdiction(self, jurisdiction: Jurisdiction) -> Iterator[str]:
        if not JURISDICTION_CODE.fullmatch(jurisdiction.code):
            yield "the code is not two to four upper-case letters"
        for region in jurisdiction.member_of:
            if region not in self.places or region in self.countries or region == INTERNATIONAL:
                yield f"is a member of `{region}`, which is no region of this release"
        if jurisdiction.member_of and jurisdiction.code not in self.countries:
            yield "is a member of a region but is not a country"

    def _source(self, source: Source) -> Iterator[str]:
        if not SLUG.fullmatch(source.id):
            yield "the id is not lower-case words joined by hyphens"
        if not WEB_ADDRESS.fullmatch(source.url):
            yield f"`{source.url}` is not an absolute web address"
        if not source.authority.strip():
            yield "names no authority"

    def _airline(self, airline: Airline) -> Iterator[str]:
        if not AIRLINE_CODE.fullmatch(airline.airline):
            yield "the code is not two upper-case letters or digits"
        if MADE_UP_AIRLINE.fullmatch(airline.airline):
            yield MADE_UP
        if airline.country not in self.countries:
            yield f"is based in `{airline.country}`, which is no country of this release"
        yield from self._dangling(airline.sources)
        yield from self._dangling(change.source for change in airline.changes)

    def _device(self, device: Device) -> Iterator[str]:
        if not MODEL_ID.fullmatch(device.model_id):
            yield "the model id is not 2 to 80 lower-case letters, digits and hyphens"
        if MADE_UP_MODEL.fullmatch(device.model_id):
            yield MADE_UP
        yield from self._dangling(device.sources)
        for certificate in device.certificates:
            yield from self._certificate(certificate)
        if (device.watt_hour is None) != (device.watt_hour_basis == "unknown"):
            yield "watt-hours and basis disagree: the basis is `unknown` where there is no figure, only there"
        unsound = [
            *_amount("watt_hour", device.watt_hour),
            *_amount("nominal_voltage", device.nominal_voltage),
            *_amount("capacity_mah", device.capacity_mah),
        ]
        yield from unsound
        if not unsound and device.watt_hour_basis == "computed" and device.watt_hour is not None:
            if device.capacity_mah is None or device.nominal_voltage is None:
                yield "the watt-hours are computed, but mAh or volts are missing"
                return
            computed = computed_watt_hour(device.capacity_mah, device.nominal_voltage)
            if abs(computed - device.watt_hour) > HUNDREDTH:
                stated = f"{device.capacity_mah} mAh at {device.nominal_voltage} V"
                yield f"says {device.watt_hour} Wh, but {stated} are {computed} Wh"

    def _certificate(self, certificate: Certificate) -> Iterator[str]:
        since, until = certificate.since, certificate.until
        if since and until and since > until:
            yield f"has a certificate whose status ends on {until}, before it starts on {since}"
        if certificate.lookup_url is not None and not WEB_ADDRESS.fullmatch(certificate.lookup_url):
            yield f"`{certificate.lookup_url}` is not an absolute web address"
        for reason in self._evidence((certificate.source,)):
            yield f"has a certificate that {reason}"

    def _rule(self, rule: Rule) -> Iterator[str]:
        if not RULE_ID.fullmatch(rule.rule_id):
            yield "the rule id is not lower-case words joined by dots and hyphens"
        yield from self._issuer(rule)
        yield from _says(rule)
        yield from _conditions(rule)
        yield from self._models(rule)
        if rule.effective_from and rule.effective_until and rule.effective_from > rule.effective_until:
            yield f"ends on {rule.effective_until}, before it starts on {rule.effective_from}"
        yield from self._evidence(rule.sources)
        yield from faults(rule.quotes, rule.sources, self.sources)

    def _models(self, rule: Rule) -> Iterator[str]:
        for name in rule.when.model or ():
            if name not in self.devices:
                yield f"names the model `{name}`, which is no model of this release"

    def _issuer(self, rule: Rule) -> Iterator[str]:
        if rule.jurisdiction not in self.places:
            yield f"belongs to `{rule.jurisdiction}`, which is no jurisdiction of this release"
        if not rule.applies or len(set(rule.applies)) != len(rule.applies):
            yield "names no scope, or one twice"
        if rule.issuer == "airline":
            if rule.airline not in self.airlines:
                yield f"is an airline rule of `{rule.airline}`, which is no airline of this release"
            if rule.applies != ("airline",):
                yield "is an airline rule, so it applies to `airline` alone"
            return
        if rule.airline is not None or "airline" in rule.applies:
            yield "is a regulator rule, so it names no airline"
        if ("global" in rule.applies or rule.jurisdiction == INTERNATIONAL) and (
            rule.applies != ("global",) or rule.jurisdiction != INTERNATIONAL
        ):
            yield f"only rules of `{INTERNATIONAL}` apply globally, and they apply in no other way"

    def _recall(self, recall: Recall) -> Iterator[str]:
        if not SLUG.fullmatch(recall.recall_id):
            yield "the id is not lower-case words joined by hyphens"
        if recall.model_id not in self.devices:
            yield f"is about `{recall.model_id}`, which is no model of this release"
        if recall.jurisdiction not in self.places:
            yield f"belongs to `{recall.jurisdiction}`, which is no jurisdiction of this release"
        if not WEB_ADDRESS.fullmatch(recall.notice_url):
            yield f"`{recall.notice_url}` is not an absolute web address"
        affected = recall.affected_serials
        for pattern in (affected.pattern, affected.not_affected_pattern):
            try:
                compile_pattern(pattern or "")
            except PatternError as error:
                yield f"the pattern `{pattern}` cannot be used: {error}"
        if affected.pattern is None and (affected.exhaustive or affected.not_affected_pattern is not None):
            yield "clears units without a pattern that says which are affected"
        if affected.pattern is None and affected.scope in {"serial_pattern", "batch", "date_code"}:
            yield f"has the scope `{affected.scope}` but no pattern"
        if affected.explicit_list_url is not None and not WEB_ADDRESS.fullmatch(affected.explicit_list_url):
            yield f"`{affected.explicit_list_url}` is not an absolute web address"
        yield from self._evidence(recall.sources)

    def _disagreement(self, disagreement: Disagreement) -> Iterator[str]:
        return disagreements.faults(
            disagreement,
            airlines=self.airlines,
            places=self.places,
            rules=self.rules,
            sources=self.sources,
        )

    def _evidence(self, sources: tuple[str, ...]) -> Iterator[str]:
        yield from self._dangling(sources)
        if not any(name in self.sources and self.sources[name].citable for name in sources):
            yield UNCITABLE

    def _dangling(self, sources: Iterable[str]) -> Iterator[str]:
        for name in sources:
            if name not in self.sources:
                yield f"names the source `{name}`, which is not in this release"


def _each(
    kind: str, rows: Iterable[Any], name: Callable[[Any], str], check: Callable[[Any], Iterable[str]]
) -> Iterator[Problem]:
    for row in rows:
        for reason in check(row):
            yield Problem(f"{kind} {name(row)}", reason)


def _says(rule: Rule) -> Iterator[str]:
    """Check effect, code and parameters against the registry."""
    if rule.effect == "permit":
        if rule.code is not None or rule.params != type(rule.params)():
            yield "is a permit, so it takes no code and no parameter"
        return
    code = CODES.get(rule.code or "")
    if code is None or not code.from_rules:
        yield f"the code `{rule.code}` is not one that a rule can have"
        return
    if EFFECT_OF_NATURE[code.nature] != rule.effect:
        fitting = EFFECT_OF_NATURE[code.nature]
        yield f"the code `{code.name}` goes with the effect `{fitting}`, not `{rule.effect}`"
    given = {name for name in rule.params.__struct_fields__ if getattr(rule.params, name) is not None}
    if given != ({code.parameter} if code.parameter else set()):
        wanted = f"the parameter `{code.parameter}`" if code.parameter else "no parameter"
        yield f"the code `{code.name}` takes {wanted}"
    if rule.params.max_units is not None and not 1 <= rule.params.max_units <= MAX_QUANTITY:
        yield f"max_units is not between 1 and {MAX_QUANTITY}"
    yield from _amount("limit_watt_hour", rule.params.limit_watt_hour)


def _conditions(rule: Rule) -> Iterator[str]:
    """Check that the conditions can hold, and that no permit becomes wider as the facts get worse."""
    when = rule.when
    bounds = ("watt_hour_over", "watt_hour_at_least", "watt_hour_up_to")
    unsound = [reason for name in bounds for reason in _amount(name, getattr(when, name))]
    yield from unsound
    if when.watt_hour_over is not None and when.watt_hour_at_least is not None:
        yield "has two lower bounds of watt-hours"
    if not unsound and operator.gt(*watt_hour_span(rule)):
        yield "its watt-hour bounds leave nothing between them"
    for name in ("compartment", "recall_status", "condition", "model"):
        values = getattr(when, name)
        if values is not None and (not values or len(set(values)) != len(values)):
            yield f"its condition `{name}` is empty or names a value twice"
    if when.quantity_over is not None and not 1 <= when.quantity_over <= MAX_QUANTITY:
        yield f"quantity_over is not between 1 and {MAX_QUANTITY}"
    if rule.effect == "permit" and (when.quantity_over is not None or when.certification_missing is not None):
        yield "is a permit that would need more units or a missing mark, and no permit may"


def _amount(name: str, number: Decimal | int | None) -> Iterator[str]:
    if number is None:
        return
    amount = Decimal(number)
    if not amount.is_finite() or not 0 < amount <= MAX_AMOUNT:
        yield f"{name} is not a positive number up to {MAX_AMOUNT}"
    elif amount != amount.quantize(HUNDREDTH):
        yield f"{name} has more than two decimals"
