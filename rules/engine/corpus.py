"""A published release in memory, indexed so that a verdict only costs the rules that speak for its leg.

Built once from a checked document and never changed; a newer release is a new `Corpus`. A rule is found
through its airline, or through its jurisdiction and how the leg touches it (origin inside, destination
inside, operator based there).
"""

import copy
import datetime
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Container, Iterable
from itertools import chain

import msgspec
from msgspec.structs import replace

from catalog.cadence import Freshness, bearable_until, good_until
from catalog.energy import highest_plausible, hundredths
from catalog.records import SourceKind
from recalls.serials import AffectedSerials
from rules.engine.certificates import NO_CERTIFICATES, Certificates, certificates_of
from rules.engine.document import Content
from rules.engine.errors import AirlineNotCovered, ModelNotFound, UnknownCountry
from rules.engine.facts import INTERNATIONAL, Airline, Device, Label, Leg, Recall, Rule, Source
from rules.engine.matching import ANY_BAND, UNKNOWN_WATT_HOUR, Bands, Entry, NamedModels, Reading, entry

ORIGIN_INSIDE, DESTINATION_INSIDE, OPERATOR_BASED = 1, 2, 4
"""How a leg touches a jurisdiction; the bits add up."""

_NEVER = datetime.date.max.toordinal() + 1

_ALL_RELATIONS = ORIGIN_INSIDE | DESTINATION_INSIDE | OPERATOR_BASED


Dated = tuple[Rule, Entry]
"""A rule with its dates, and the entry for it in the index."""


class Citation(msgspec.Struct, frozen=True, cache_hash=True):
    """A source as an answer shows it. `pulled_at` is the day on which the source was read."""

    kind: SourceKind
    authority: str
    jurisdiction: str
    url: str
    pulled_at: datetime.date


class CatalogEntry(msgspec.Struct, frozen=True):
    """A device together with its recalls, certificates and evidence.

    `band` is the bit of its watt-hours. `band_beyond` is the bit of the highest figure that a computed figure
    can hide; it equals `band` if nothing is hidden or nothing changes. `named` is the bit of its model. A
    model has a bit of its own if a rule names it. `exact` is false for a unit that is only known by its
    label.
    """

    device: Device
    band: int
    band_beyond: int
    named: int
    recalls: tuple[Recall, ...]
    affected_serials: tuple[AffectedSerials, ...]
    citations: tuple[int, ...]
    confirmed: bool
    certificates: Certificates = NO_CERTIFICATES
    exact: bool = True

    @property
    def bands_weighed(self) -> int:
        """The bands in which a rule speaks for it: that of its figure, and that of the highest one."""
        return self.band | self.band_beyond

    @property
    def bands_shown(self) -> int:
        """The bands in which a rule counts it: that of its watt-hours, or any if they are unknown."""
        return ANY_BAND if self.device.watt_hour is None else self.band

    @property
    def bands_possible(self) -> int:
        """The same for all that a computed figure can hide."""
        return ANY_BAND if self.device.watt_hour is None else 2 * self.band_beyond - self.band


class Speakers(msgspec.Struct, frozen=True):
    """Rules that speak for a leg in one role (as departure authority, as airline …), ordered by rule id.

    `changes` are the days on which one of them starts or no longer holds, in order; `starts` are the days on
    which one starts. `periods` are the rules in force before the first change, between each two changes, and
    after the last.
    """

    periods: tuple[tuple[Entry, ...], ...]
    changes: tuple[int, ...]
    starts: tuple[int, ...]

    def on(self, day: int) -> tuple[Entry, ...]:
        """Return the rules in force on a day."""
        return self.periods[bisect_right(self.changes, day)]

    def next_change(self, day: int) -> int | None:
        """Return the first day after `day` on which one of the rules starts or no longer holds."""
        at = bisect_right(self.changes, day)
        return self.changes[at] if at < len(self.changes) else None


class Roles(msgspec.Struct, frozen=True):
    """One authority's rules for legs that touch its jurisdiction in one way, each in the first role it has.

    A role has one group of rules, or none.
    """

    departure: tuple[Speakers, ...]
    arrival: tuple[Speakers, ...]
    operator: tuple[Speakers, ...]


class InPlay(msgspec.Struct, frozen=True):
    """All rules that speak for one leg, whatever the date and the unit.

    `groups` are in path order: baseline, departure, arrival, operator, airline; within each of the middle
    three, regions come before countries. Two are also available separately: `of_origin`, the authorities of
    the departure country in any role, and `own`, the rules of the airline.
    """

    airline: Airline
    groups: list[Speakers]
    of_origin: list[Speakers]
    own: Speakers

    def on(self, day: int) -> Iterable[Entry]:
        """Return the rules in force on a day, in path order."""
        return chain.from_iterable([group.periods[bisect_right(group.changes, day)] for group in self.groups])

    def next_change(self, day: int) -> int | None:
        """Return the first day after `day` on which one of the rules starts or no longer holds."""
        late = [group.next_change(day) for group in self.groups if group.changes and group.changes[-1] > day]
        return min(filter(None, late), default=None)

    def changes_between(self, day: int, last_day: int) -> list[int]:
        """Return the days after `day`, up to `last_day`, on which a rule starts or no longer holds."""
        late = [group.changes for group in self.groups if group.changes and group.changes[-1] > day]
        return sorted({change for changes in late for change in changes if day < change <= last_day})

    def starts_between(self, day: int, last_day: int) -> list[int]:
        """Return the days after `day`, up to `last_day`, on which one of the rules starts, in order."""
        late = [group.starts for group in self.groups if group.starts and group.starts[-1] > day]
        return sorted({start for starts in late for start in starts if day < start <= last_day})

    def differing(self, day: int, later: int) -> list[Entry]:
        """Return the rules that are in force on one of two days and not on the other."""
        changing = [group for group in self.groups if group.changes and group.changes[-1] > day]
        sides = [(group.on(day), group.on(later)) for group in changing]
        ended = [entry for before, after in sides for entry in before if entry not in after]
        return ended + [entry for before, after in sides for entry in after if entry not in before]

    def origin_has_rules(self, day: int) -> bool:
        """Return whether an authority of the departure country has a rule in force on a day."""
        return any([group.on(day) for group in self.of_origin])


class Corpus:
    """The records of one release, ready to answer. Immutable after construction."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.countries = {country.code: country for country in content.countries}
        self.airlines = {airline.airline: airline for airline in content.airlines}
        self._citations, self._citations_of = _citations(content.sources)
        self._bands = Bands(content.rules)
        self._models = NamedModels(content.rules, self._bands)
        self._catalog = self._index_devices(content.devices, content.recalls)
        self._readings = {source.id: _reading(source) for source in content.sources if source.citable}
        self.first_stale_day = _NEVER
        """The day number before which all rules rest on fresh evidence."""
        self._first_very_stale_day = _NEVER
        self._baseline, self._authorities, self._airline_rules = self._index_rules(content.rules)
        self._places = _places(content, self._authorities)

    def device(self, model_id: str) -> CatalogEntry:
        """Return a model with its recalls. Raises `ModelNotFound`."""
        try:
            return self._catalog[model_id]
        except KeyError:
            raise ModelNotFound(model_id) from None

    def unlisted(self, device: Device) -> CatalogEntry:
        """Return a unit that is not in the catalog, ready to be judged by its label.

        No recall can match it, and no rule that names models. Its facts are read off the unit itself, so they
        need no source.
        """
        return CatalogEntry(
            device=device,
            band=self._bands.of(figure(device)),
            band_beyond=self._bands.of(highest_figure(device)),
            named=self._models.of(device.model_id),
            recalls=(),
            affected_serials=(),
            citations=(),
            confirmed=True,
        )

    def also(self, devices: tuple[Device, ...]) -> "Corpus":
        """Return a corpus with more models, which have no recalls. It shares all else with this one."""
        more = copy.copy(self)
        more.content = replace(self.content, devices=(*self.content.devices, *devices))
        more._catalog = {**self._catalog, **self._index_devices(devices, ())}
        return more

    def by_label(self, label: Label) -> CatalogEntry:
        """Return a unit that is only known by its label: its exact model is in question."""
        return replace(self.unlisted(label.device()), exact=False)

    def in_play(self, leg: Leg) -> InPlay:
        """Return the rules that speak for a leg. Raises `AirlineNotCovered` or `UnknownCountry`."""
        for country in (leg.origin, leg.destination):
            if country not in self.countries:
                raise UnknownCountry(country)
        airline = self.airlines.get(leg.airline)
        own = self._airline_rules.get(leg.airline)
        if airline is None or own is None:
            raise AirlineNotCovered(leg.airline)
        groups, of_origin = self.authorities(leg.origin, leg.destination, airline.country)
        groups.append(own)
        return InPlay(airline, groups, of_origin, own)

    def own(self, airline: str) -> Speakers | None:
        """Return the rules of an airline; None if it has none."""
        return self._airline_rules.get(airline)

    def authorities(self, origin: str, destination: str, home: str) -> tuple[list[Speakers], list[Speakers]]:
        """Return the authorities' rules for a flight of an airline based in `home`, in path order.

        The second list is `InPlay.of_origin`. The release must have all three countries.
        """
        ends = ((origin, ORIGIN_INSIDE), (destination, DESTINATION_INSIDE), (home, OPERATOR_BASED))
        relations: dict[str, int] = {}
        for country, relation in ends:
            for place in self._places[country]:
                relations[place] = relations.get(place, 0) | relation
        roles = {place: self._authorities[place][relation] for place, relation in relations.items()}
        groups, of_origin = [*self._baseline], []
        for place in self._places[origin]:
            role = roles[place]
            groups += role.departure
            of_origin += [*role.departure, *role.arrival, *role.operator]
        for place in self._places[destination]:
            groups += roles[place].arrival
        for place in self._places[home]:
            groups += roles[place].operator
        return groups, of_origin

    def places(self, country: str) -> tuple[str, ...]:
        """Return the jurisdictions with rules that contain a country; none for an unknown country."""
        return self._places.get(country, ())

    def freshness(self, day: datetime.date) -> Freshness:
        """Return the freshness, on the day of asking, of the rule with the oldest evidence.

        No answer of this release rests on staler evidence on that day.
        """
        number = day.toordinal()
        if number < self.first_stale_day:
            return "fresh"
        return "stale" if number < self._first_very_stale_day else "very_stale"

    def cite(self, numbers: Iterable[int]) -> tuple[Citation, ...]:
        """Return citations by their numbers, each once, in order of first appearance."""
        return tuple([self._citations[number] for number in dict.fromkeys(numbers)])

    def _index_devices(self, devices: Iterable[Device], recalls: Iterable[Recall]) -> dict[str, CatalogEntry]:
        recalls_of: dict[str, list[Recall]] = defaultdict(list)
        for recall in sorted(recalls, key=lambda recall: recall.recall_id):
            recalls_of[recall.model_id].append(recall)
        catalog = {}
        for device in devices:
            own = tuple(recalls_of[device.model_id])
            of_device = self._cited(device.sources)
            catalog[device.model_id] = CatalogEntry(
                device=device,
                band=self._bands.of(figure(device)),
                band_beyond=self._bands.of(highest_figure(device)),
                named=self._models.of(device.model_id),
                recalls=own,
                affected_serials=tuple(recall.affected_serials for recall in own),
                citations=tuple(
                    dict.fromkeys(chain(of_device, *(self._cited(recall.sources) for recall in own)))
                ),
                confirmed=bool(of_device),
                certificates=certificates_of(device.certificates, self._citations_of),
            )
        return catalog

    def _index_rules(
        self, rules: Iterable[Rule]
    ) -> tuple[tuple[Speakers, ...], dict[str, tuple[Roles, ...]], dict[str, Speakers]]:
        baseline: list[Dated] = []
        by_airline: dict[str, list[Dated]] = defaultdict(list)
        by_jurisdiction: dict[str, list[Dated]] = defaultdict(list)
        for rule in sorted(rules, key=lambda rule: rule.rule_id):
            citations = self._cited(rule.sources)
            reading = self._reading_of(rule)
            self.first_stale_day = min(self.first_stale_day, reading.stale_from)
            self._first_very_stale_day = min(self._first_very_stale_day, reading.very_stale_from)
            ready = entry(rule, self._bands, self._models, citations=citations, reading=reading)
            if rule.airline is not None:
                by_airline[rule.airline].append((rule, ready))
            elif rule.jurisdiction == INTERNATIONAL:
                baseline.append((rule, ready))
            else:
                by_jurisdiction[rule.jurisdiction].append((rule, ready))
        authorities = {
            code: tuple(_roles(of_code, relation) for relation in range(_ALL_RELATIONS + 1))
            for code, of_code in by_jurisdiction.items()
        }
        return _group(baseline), authorities, {code: _speakers(own) for code, own in by_airline.items()}

    def _cited(self, source_ids: Iterable[str]) -> tuple[int, ...]:
        return tuple(
            dict.fromkeys(self._citations_of[name] for name in source_ids if name in self._citations_of)
        )

    def _reading_of(self, rule: Rule) -> Reading:
        """Return how long the evidence of a rule is valid: as long as that of its freshest source."""
        readings = [self._readings[name] for name in rule.sources if name in self._readings]
        return Reading(
            read_on=max(one.read_on for one in readings),
            stale_from=max(one.stale_from for one in readings),
            very_stale_from=max(one.very_stale_from for one in readings),
        )


def _reading(source: Source) -> Reading:
    return Reading(
        source.read_on.toordinal(), good_until(source).toordinal() + 1, bearable_until(source).toordinal() + 1
    )


def _citations(sources: Iterable[Source]) -> tuple[tuple[Citation, ...], dict[str, int]]:
    """Number the citations that answers can show. Sources that would look the same share a number.

    A source that no one read (`general_knowledge`) gets no number.
    """
    numbers: dict[Citation, int] = {}
    of_source: dict[str, int] = {}
    for source in sources:
        if source.citable:
            shown = Citation(source.kind, source.authority, source.jurisdiction, source.url, source.read_on)
            of_source[source.id] = numbers.setdefault(shown, len(numbers))
    return tuple(numbers), of_source


def _places(content: Content, authorities: Container[str]) -> dict[str, tuple[str, ...]]:
    """Return the jurisdictions with rules that contain each country: regions by code, then itself."""
    regions = {place.code: sorted(place.member_of) for place in content.jurisdictions}
    return {
        country.code: tuple(
            place for place in (*regions.get(country.code, ()), country.code) if place in authorities
        )
        for country in content.countries
    }


def _roles(rules: Iterable[Dated], relation: int) -> Roles:
    """Group one authority's rules by the first role in which each speaks for a leg."""
    departure: list[Dated] = []
    arrival: list[Dated] = []
    operator: list[Dated] = []
    domestic = relation & ORIGIN_INSIDE and relation & DESTINATION_INSIDE
    for dated in rules:
        applies = dated[0].applies
        if (relation & ORIGIN_INSIDE and "departure" in applies) or (domestic and "domestic" in applies):
            departure.append(dated)
        elif relation & DESTINATION_INSIDE and "arrival" in applies:
            arrival.append(dated)
        elif relation & OPERATOR_BASED and "operator" in applies:
            operator.append(dated)
    return Roles(_group(departure), _group(arrival), _group(operator))


def _group(dated: list[Dated]) -> tuple[Speakers, ...]:
    return (_speakers(dated),) if dated else ()


def _speakers(dated: list[Dated]) -> Speakers:
    starts = {rule.effective_from for rule, _ in dated if rule.effective_from}
    last_days = {rule.effective_until for rule, _ in dated if rule.effective_until}
    # No day follows the last one of the calendar: a rule that holds until then holds forever.
    ends = {day + datetime.timedelta(days=1) for day in last_days - {datetime.date.max}}
    changes = sorted(starts | ends)
    return Speakers(
        periods=tuple(
            tuple(ready for rule, ready in dated if rule.in_force(day))
            for day in [datetime.date.min, *changes]
        ),
        changes=tuple(day.toordinal() for day in changes),
        starts=tuple(sorted(day.toordinal() for day in starts)),
    )


def figure(device: Device) -> int:
    """Return the watt-hours of a model in hundredths, for its band."""
    return UNKNOWN_WATT_HOUR if device.watt_hour is None else hundredths(device.watt_hour)


def highest_figure(device: Device) -> int:
    """Return the highest figure that the watt-hours of a model can hide."""
    shown = figure(device)
    return highest_plausible(shown) if device.watt_hour_basis == "computed" else shown
