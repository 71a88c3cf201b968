"""The records of the datasets: what is public in the API, one struct for each line of a file.

Field by field these are the records of GET /api/devices, /api/recalls, /api/rules and, of airlines, the
preview of GET /api/airlines; a test compares them with the answers to a caller without a key. The API builds
its devices, certificates and previews from the fields here. Values that depend on the day of asking are as of
the day on which the release was published. A rule has its dates instead of `in_force`. Nulls and empty lists
mean that nothing is known.

Called by `aeo.datasets.files` and by the reads of the API.
"""

import datetime
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from django.conf import settings
from django.utils.text import slugify

from aeo.texts import say
from catalog.energy import WattHourBasis
from catalog.records import CertificateStatus, Certification, Confidence
from recalls.records import AnnouncedPrecision, UnitsScope
from recalls.serials import AffectedSerials, RecallScope, Window
from rules.corpus import Published
from rules.engine.corpus import CatalogEntry, Citation
from rules.engine.facts import Airline, Device, Params, When
from rules.engine.vocabulary import CODES, Effect, Issuer, Scope
from rules.selectors import airlines, disagreements, evidence, readings, recalls
from rules.selectors import rules as rule_lists
from rules.selectors.disagreements import Disputed
from rules.selectors.readings import HowRead
from rules.wording import rule_message


class AffectedUnits(msgspec.Struct, frozen=True, kw_only=True):
    """Which units a recall is about, and how to check a unit. Windows include both ends (days or months)."""

    scope: RecallScope
    identifier: str
    pattern: str | None
    not_affected_pattern: str | None
    exhaustive: bool
    explicit_list_url: str | None
    format_hint: str | None
    absent_identifier_affected: bool
    color_condition: str | None
    manufacture_windows: tuple[Window, ...]
    sale_windows: tuple[Window, ...]


class RecallRow(msgspec.Struct, frozen=True, kw_only=True):
    """An active recall of exactly one model. `units` is never added up across recalls."""

    recall_id: str
    model_id: str
    authority: str
    jurisdiction: str
    announced_on: datetime.date
    announced_precision: AnnouncedPrecision
    title: str
    hazard: str
    remedy: str
    units: int | None
    units_scope: UnitsScope | None
    affected_serials: AffectedUnits
    notice_url: str
    citations: tuple[Citation, ...]


class CertificateRow(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about the certificate behind a mark of a model, from its first day to its last."""

    mark: Certification
    status: CertificateStatus
    number: str | None
    lookup_url: str | None
    since: datetime.date | None
    until: datetime.date | None
    citation: Citation


AnyCertificate = TypeVar("AnyCertificate", bound=CertificateRow)


class DeviceFields(msgspec.Struct, Generic[AnyCertificate], frozen=True, kw_only=True):
    """The facts of an exact catalog model, as files and the API give them."""

    model_id: str
    brand: str
    model_name: str
    model_number: str | None
    aliases: tuple[str, ...]
    capacity_mah: int | None
    nominal_voltage: Decimal | None
    watt_hour: Decimal | None
    watt_hour_basis: WattHourBasis
    certifications: tuple[str, ...]
    certificates: tuple[AnyCertificate, ...]
    release_year: int | None
    facts_confirmed: bool
    recall_count: int


class DeviceRow(DeviceFields[CertificateRow], frozen=True, kw_only=True):
    """An exact catalog model with its sources."""

    citations: tuple[Citation, ...]


class AirlinePolicyRow(msgspec.Struct, frozen=True, kw_only=True):
    """The public preview of an airline's policy: no rule, no dated change, no note."""

    airline: str
    icao: str
    name: str
    country: str
    confidence: Confidence
    policy_read: HowRead
    policy_read_on: datetime.date | None
    summary: str
    policy_url: str
    last_checked: datetime.date | None
    rule_count: int
    covered: bool


AnyDevice = TypeVar("AnyDevice", bound=DeviceFields[Any])
AnyPolicy = TypeVar("AnyPolicy", bound=AirlinePolicyRow)


class RuleRow(msgspec.Struct, frozen=True, kw_only=True):
    """A rule of an authority or an airline, in force or not, with the sentence that a traveler reads."""

    rule_id: str
    issuer: Issuer
    authority: str
    jurisdiction: str
    airline: str | None
    applies: tuple[Scope, ...]
    when: When
    effect: Effect
    code: str | None
    params: Params
    nature: str | None
    effective_from: datetime.date | None
    effective_until: datetime.date | None
    summary: str
    message: str | None
    confidence: Confidence
    citations: tuple[Citation, ...]


class About(NamedTuple):
    """The pages and feeds that a record concerns: ids and codes, empty if there are none."""

    model_id: str = ""
    brand_id: str = ""
    airline: str = ""


class Dataset(NamedTuple):
    """One dataset: the name of its files, its rows and their key field.

    `about` returns what a row, as plain values, concerns, given the brands of the models.
    """

    name: str
    row_type: type[Any]
    key: str
    rows: Callable[[Published], Iterator[Any]]
    about: Callable[[dict[str, Any], Mapping[str, str]], About]

    @property
    def title(self) -> str:
        """Return its title in the active language."""
        return say(f"dataset.{self.name}.title")

    @property
    def description(self) -> str:
        """Return its description in the active language."""
        return say(f"dataset.{self.name}.description")


def day_of(release: Published) -> datetime.date:
    """Return the day (UTC) for which the rows of a release are valid."""
    return release.published_at.astimezone(datetime.UTC).date()


def _recalls(release: Published) -> Iterator[RecallRow]:
    for recall in recalls.find(release):
        yield RecallRow(
            recall_id=recall.recall_id,
            model_id=recall.model_id,
            authority=recall.authority,
            jurisdiction=recall.jurisdiction,
            announced_on=recall.announced_on,
            announced_precision=recall.announced_precision,
            title=recall.title,
            hazard=recall.hazard,
            remedy=recall.remedy,
            units=recall.units,
            units_scope=recall.units_scope,
            affected_serials=_affected(recall.affected_serials),
            notice_url=recall.notice_url,
            citations=evidence.citations(release, recall.sources),
        )


def _affected(affected: AffectedSerials) -> AffectedUnits:
    return AffectedUnits(
        scope=affected.scope,
        identifier=affected.identifier,
        pattern=affected.pattern,
        not_affected_pattern=affected.not_affected_pattern,
        exhaustive=affected.exhaustive,
        explicit_list_url=affected.explicit_list_url,
        format_hint=affected.format_hint,
        absent_identifier_affected=affected.absent_identifier_affected,
        color_condition=affected.colour_condition,
        manufacture_windows=affected.manufacture_windows,
        sale_windows=affected.sale_windows,
    )


def _devices(release: Published) -> Iterator[DeviceRow]:
    for device in release.shelf.all_devices:
        yield device_row(
            release,
            release.corpus.device(device.model_id),
            DeviceRow,
            CertificateRow,
            citations=evidence.citations(release, device.sources),
        )


def device_row(
    release: Published,
    entry: CatalogEntry,
    row_type: type[AnyDevice],
    certificate_type: type[CertificateRow],
    **more: Any,
) -> AnyDevice:
    """Return a model as a row of a type; `more` are the additional fields of this type.

    Called by the API as well, with types of its own.
    """
    device = entry.device
    return row_type(
        model_id=device.model_id,
        brand=device.brand,
        model_name=device.model_name,
        model_number=device.model_number,
        aliases=device.aliases,
        capacity_mah=device.capacity_mah,
        nominal_voltage=device.nominal_voltage,
        watt_hour=device.watt_hour,
        watt_hour_basis=device.watt_hour_basis,
        certifications=device.certifications,
        certificates=certificate_rows(release, device, certificate_type),
        release_year=device.release_year,
        facts_confirmed=entry.confirmed,
        recall_count=len(entry.recalls),
        **more,
    )


def certificate_rows(
    release: Published, device: Device, row_type: type[AnyCertificate]
) -> tuple[AnyCertificate, ...]:
    """Return the certificates of a model as rows of a type, in the editors' order."""
    return tuple(
        row_type(
            mark=one.mark,
            status=one.status,
            number=one.number,
            lookup_url=one.lookup_url,
            since=one.since,
            until=one.until,
            citation=evidence.citation(release.shelf.sources[one.source]),
        )
        for one in device.certificates
    )


def _airline_policies(release: Published) -> Iterator[AirlinePolicyRow]:
    for airline in release.shelf.airlines.values():
        yield airline_policy(release, airline, day_of(release), AirlinePolicyRow)


def airline_policy(
    release: Published, airline: Airline, day: datetime.date, row_type: type[AnyPolicy]
) -> AnyPolicy:
    """Return the policy of an airline on a day as a row of a type. Called by the API as well."""
    rule_count = len(rule_lists.active(release, airline.airline, day))
    read = readings.of_airline(release, airline)
    return row_type(
        airline=airline.airline,
        icao=airline.icao,
        name=airline.name,
        country=airline.country,
        confidence=airline.confidence,
        policy_read=read.how,
        policy_read_on=read.on,
        summary=airline.summary,
        policy_url=airline.policy_url,
        last_checked=airlines.last_checked(release, airline),
        rule_count=rule_count,
        covered=rule_count > 0,
    )


def _rules(release: Published) -> Iterator[RuleRow]:
    for rule in release.shelf.rules.values():
        yield RuleRow(
            rule_id=rule.rule_id,
            issuer=rule.issuer,
            authority=rule.authority,
            jurisdiction=rule.jurisdiction,
            airline=rule.airline,
            applies=rule.applies,
            when=rule.when,
            effect=rule.effect,
            code=rule.code,
            params=rule.params,
            nature=CODES[rule.code].nature.value if rule.code else None,
            effective_from=rule.effective_from,
            effective_until=rule.effective_until,
            summary=rule.summary,
            message=rule_message(rule, settings.LANGUAGE_CODE),
            confidence=rule.confidence,
            citations=evidence.citations(release, rule.sources),
        )


DATASETS = {
    dataset.name: dataset
    for dataset in (
        Dataset(
            name="recalls",
            row_type=RecallRow,
            key="recall_id",
            rows=_recalls,
            about=lambda row, brands: About(row["model_id"], brands.get(row["model_id"], "")),
        ),
        Dataset(
            name="devices",
            row_type=DeviceRow,
            key="model_id",
            rows=_devices,
            about=lambda row, brands: About(row["model_id"], slugify(row["brand"])),
        ),
        Dataset(
            name="airline-policies",
            row_type=AirlinePolicyRow,
            key="airline",
            rows=_airline_policies,
            about=lambda row, brands: About(airline=row["airline"]),
        ),
        Dataset(
            name="rules",
            row_type=RuleRow,
            key="rule_id",
            rows=_rules,
            about=lambda row, brands: About(airline=row["airline"] or ""),
        ),
        Dataset(
            name="disagreements",
            row_type=Disputed,
            key="disagreement_id",
            rows=lambda release: iter(disagreements.every(release)),
            about=lambda row, brands: About(airline=row["airline"] or ""),
        ),
    )
}
"""All datasets by name, in the order in which they are shown."""
