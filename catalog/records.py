"""The catalog's records: evidence, places, airlines and models as frozen values.

Pure: no Django, no clock, no I/O. One form for all: a row of the starter corpus, an argument of an action and
an entry of a release document are the same types. `rules.engine.facts` offers them to the engine, together
with its own.

Decimals are exact, dates are calendar dates, codes are upper case (`CN`, `EK`), model ids lower case.
"""

import datetime
from decimal import Decimal
from typing import Annotated, Literal

import msgspec

from catalog.cadence import Cadence
from catalog.energy import WattHourBasis, check_figures

SourceKind = Literal["regulator", "airline", "manufacturer", "news"]
SourceBasis = Literal["official_page_read", "official_copy_read", "secondary_read", "general_knowledge"]
"""What was read: the official page, a dated word-for-word copy of it, or a secondary page; or nothing."""

POINTER: SourceBasis = "general_knowledge"
"""The basis of a source that was never read."""
UNCITABLE = "rests on no source that was read, so it could not be cited"
"""What is wrong with a record of which all sources are pointers."""
Confidence = Literal["confirmed", "reported", "unverified"]
"""An official page was read; a copy of one or a secondary page was read; neither."""
Certification = Literal["CCC"]
"""Marks that a traveler can be asked to find on the unit."""
CertificateStatus = Literal["valid", "suspended", "revoked"]
AirportFactKind = Literal["storage", "counter", "mailing", "disposal", "refusal_reported"]
"""How long a refused unit is stored, where, whether it can be mailed or handed in, and reported refusals."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a release document: strict, immutable."""


class Source(Record, frozen=True, kw_only=True):
    """A piece of evidence. `general_knowledge` was never read: a pointer for editors, never a citation.

    Where a copy was read, `url` is the official address and `read_url` that of the copy. `cadence` says how
    often it is visited and how long a reading is good for (`catalog.cadence`); null is the standard of its
    kind.
    """

    id: str
    kind: SourceKind
    authority: str
    jurisdiction: str
    url: str
    title: str
    basis: SourceBasis
    read_url: str | None = None
    page_date: datetime.date | None = None
    read_on: datetime.date
    cadence: Cadence | None = None

    @property
    def citable(self) -> bool:
        """Whether it was read, so an answer may cite it. A source that was not read is for editors only."""
        return self.basis != POINTER


class Country(Record, frozen=True, kw_only=True):
    """A country that a route can touch, by ISO 3166-1 alpha-2 code."""

    code: str
    name: str


class Jurisdiction(Record, frozen=True, kw_only=True):
    """A place whose authority makes rules: a country, a region such as `EU`, or `INTL`."""

    code: str
    name: str
    regulator: str
    regulator_url: str
    member_of: tuple[str, ...] = ()


class AirportSource(Record, frozen=True, kw_only=True):
    """A page that states a fact of an airport. `page_date` is a day, a month or a year, null if unknown."""

    url: Annotated[str, msgspec.Meta(pattern=r"^https?://[^\s/]+\.\S+$", max_length=2000)]
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=300)]
    authority: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    page_date: Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$")] | None = None
    read_on: datetime.date


class AirportFact(Record, frozen=True, kw_only=True):
    """What is known of a power bank that is refused at an airport, in an editor's words.

    It is no part of a release: no verdict depends on it. `since` is a day, a month or a year.
    """

    id: str
    airport: str
    country: str
    kind: AirportFactKind
    fact: str
    since: str | None = None
    sources: tuple[AirportSource, ...]


class PolicyChange(Record, frozen=True, kw_only=True):
    """A dated change of an airline's policy, in an editor's words."""

    date: datetime.date
    what: str
    source: str


class Airline(Record, frozen=True, kw_only=True):
    """An airline and what is known of its policy. `unverified` means that no source was read."""

    airline: str
    icao: str
    name: str
    country: str
    policy_url: str
    confidence: Confidence
    effective_from: datetime.date | None = None
    summary: str
    notes: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    changes: tuple[PolicyChange, ...] = ()


class Certificate(Record, frozen=True, kw_only=True):
    """The known status of the certificate behind a mark of a model, as a fact with its days.

    The status holds from `since` to `until`, both included; null is open. `lookup_url` is where anyone can
    look the certificate up. A valid one never proves the mark on a unit.
    """

    mark: Certification
    status: CertificateStatus
    source: str
    number: str | None = None
    lookup_url: str | None = None
    since: datetime.date | None = None
    until: datetime.date | None = None


class Brand(Record, frozen=True, kw_only=True):
    """A maker's brand. Documents name it in each of its models, and have no entry of their own for it."""

    slug: str
    name: str


class Device(Record, frozen=True, kw_only=True):
    """An exact catalog model. An empty certification list means not known, never not certified."""

    model_id: str
    brand: str
    model_name: str
    model_number: str | None = None
    aliases: tuple[str, ...] = ()
    capacity_mah: int | None = None
    nominal_voltage: Decimal | None = None
    watt_hour: Decimal | None = None
    watt_hour_basis: WattHourBasis
    certifications: tuple[str, ...] = ()
    certificates: tuple[Certificate, ...] = ()
    release_year: int | None = None
    notes: str | None = None
    sources: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse numbers that cannot be written. Raises `ValueError`."""
        check_figures(nominal_voltage=self.nominal_voltage, watt_hour=self.watt_hour)
