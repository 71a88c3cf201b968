"""Questions about the starter corpus, and the part of it that a question can touch.

Drawn in two ways: `Drawer` is a seeded generator for very many questions, weighted so that every branch of a
verdict is met; `starter_questions` and `starter_trips` are Hypothesis strategies, which shrink.
"""

import datetime
import functools
import random
from typing import Any

import msgspec
from hypothesis import strategies as st

from rules.engine.document import Content
from rules.engine.facts import INTERNATIONAL, Certificate, Leg, Question, Recall, Rule, TripQuestion, Unit
from tests.rules.engine.units import COMPARTMENTS_DRAWN, CONDITIONS, LABELS, LIST_ANSWERS, MARKS, units
from tests.support.starter import starter_content

NOT_IN_THE_CATALOG = "no-such-model"
NOT_IN_THE_RELEASE = "ZZ"
WITHOUT_A_RULE = "NK"

IDENTIFIERS = (
    "57VABCDEFGHIJK",
    "35S12345678901",
    "35S1234567890",
    "BS30KP365-01D",
    "BS30KP365-01A",
    "BS30KP365-01B",
    "BS30KP365-01X",
    "0123",
    "2221",
    "2313",
    "PO-PP003",
    "PO-PP011",
    "21/12",
    "not-a-known-serial",
    "0" * 12 + "1",
    "ÅNGSTRÖM-7A",
    "ÅNGSTRÖM-7D",
)
"""Beside those that the recalls list themselves: affected, outside, undecided, over the bound, not ASCII."""


def certified(content: Content) -> Content:
    """Return the content with made-up certificates of three models in four: the starter corpus has none."""
    source = next(source.id for source in content.sources if source.citable)

    def made_up(status: Any, since: str, until: str | None = None, lookup: str | None = None) -> Certificate:
        return Certificate(
            mark="CCC",
            status=status,
            source=source,
            lookup_url=lookup,
            since=datetime.date.fromisoformat(since),
            until=None if until is None else datetime.date.fromisoformat(until),
        )

    histories = (
        (),
        (made_up("valid", "2020-01-01"),),
        (made_up("valid", "2020-01-01", "2026-12-09"), made_up("suspended", "2026-12-10", "2027-06-30")),
        (
            made_up("suspended", "2025-06-28", "2027-03-19"),
            made_up("revoked", "2027-03-20", lookup="https://register.example/"),
        ),
    )
    return msgspec.structs.replace(
        content,
        devices=tuple(
            msgspec.structs.replace(device, certificates=histories[number % len(histories)])
            for number, device in enumerate(content.devices)
        ),
    )


class Neighborhood:
    """Content cut down to the records that one question can touch, by plain dictionaries built once.

    A property makes a `Corpus` of the content of each example. A few dozen rules of an airline and its
    jurisdictions, and not all thousand, make many examples affordable. `test_agreement.py` checks that the
    cut changes no answer.
    """

    def __init__(self, content: Content) -> None:
        self.content = content
        self.places = {place.code: place for place in content.jurisdictions}
        self.airlines = {airline.airline: airline for airline in content.airlines}
        self.devices = {device.model_id: device for device in content.devices}
        self.sources = {source.id: source for source in content.sources}
        self.recalls: dict[str, list[Recall]] = {}
        for recall in content.recalls:
            self.recalls.setdefault(recall.model_id, []).append(recall)
        self.of_airline: dict[str, list[Rule]] = {}
        self.of_jurisdiction: dict[str, list[Rule]] = {}
        for rule in content.rules:
            if rule.airline is not None:
                self.of_airline.setdefault(rule.airline, []).append(rule)
            else:
                self.of_jurisdiction.setdefault(rule.jurisdiction, []).append(rule)

    def around(self, model_id: str, legs: tuple[Leg, ...]) -> Content:
        """Return the content around one model and some legs."""
        airlines = [
            self.airlines[code] for code in sorted({leg.airline for leg in legs}) if code in self.airlines
        ]
        recalls = self.recalls.get(model_id, [])
        places = {end for leg in legs for end in (leg.origin, leg.destination)}
        places |= {airline.country for airline in airlines} | {recall.jurisdiction for recall in recalls}
        regions = {region for code in places if code in self.places for region in self.places[code].member_of}
        codes = sorted({INTERNATIONAL, *places, *regions})
        rules = [rule for code in codes for rule in self.of_jurisdiction.get(code, ())]
        rules += [rule for airline in airlines for rule in self.of_airline.get(airline.airline, ())]
        models = {model_id, *(name for rule in rules for name in rule.when.model or ())}
        devices = [self.devices[name] for name in sorted(models) if name in self.devices]
        named = [row.sources for row in devices] + [row.sources for row in recalls]
        named += [row.sources for row in rules] + [row.sources for row in airlines]
        named += [tuple(change.source for change in row.changes) for row in airlines]
        named += [tuple(one.source for one in row.certificates) for row in devices]
        return Content(
            countries=self.content.countries,
            jurisdictions=tuple(self.places[code] for code in codes if code in self.places),
            sources=tuple(self.sources[name] for name in sorted(set().union(*named))),
            airlines=tuple(airlines),
            devices=tuple(devices),
            rules=tuple(rules),
            recalls=tuple(recalls),
        )


class Drawer:
    """Draws questions about the starter corpus so that each branch of a verdict is met often enough.

    Seeded: the n-th question of a seed is always the same.
    """

    def __init__(self, content: Content, seed: int) -> None:
        self.random = random.Random(seed)
        recalled = {recall.model_id for recall in content.recalls}
        not_all_units = {row.model_id for row in content.recalls if row.affected_serials.scope != "all_units"}
        figures = {row.model_id: row.watt_hour for row in content.devices if row.watt_hour is not None}
        computed = {row.model_id for row in content.devices if row.watt_hour_basis == "computed"}
        self.models = (
            [row.model_id for row in content.devices],
            sorted(recalled),
            sorted(not_all_units),
            [name for name, figure in figures.items() if name in computed and 95 <= figure <= 100],
            [name for name, figure in figures.items() if figure > 100],
            [name for name, figure in figures.items() if figure < 95 and name not in recalled],
            [row.model_id for row in content.devices if row.model_id not in figures],
        )
        self.airlines = [airline.airline for airline in content.airlines]
        self.home = {airline.airline: airline.country for airline in content.airlines}
        self.countries = [country.code for country in content.countries]
        self.curated = [place.code for place in content.jurisdictions if place.code in self.countries]
        self.identifiers: dict[str, list[str]] = {}
        for recall in content.recalls:
            self.identifiers.setdefault(recall.model_id, []).extend(recall.affected_serials.values)

    def question(self) -> tuple[Question, datetime.date, bool]:
        """Return a question, the day of asking and whether the leg follows another."""
        pick = self.random
        today = self.day()
        ahead = pick.choice((0, 0, 1, pick.randint(0, 40), pick.randint(0, 366)))
        question = Question(
            unit=self.unit(),
            leg=self.leg(),
            travel_date=today + datetime.timedelta(days=ahead),
            compartment_intent=pick.choice(("carry_on",) * 7 + ("on_person",) * 2 + ("checked",)),
        )
        return question, today, pick.random() < 0.2

    def trip(self) -> tuple[TripQuestion, datetime.date]:
        """Return an itinerary of one to four legs and the day of asking."""
        question, today, _ = self.question()
        legs = [question.leg, *(self.leg() for _ in range(self.random.randint(0, 3)))]
        return (
            TripQuestion(
                unit=question.unit,
                legs=tuple(legs),
                travel_date=question.travel_date,
                compartment_intent=question.compartment_intent,
            ),
            today,
        )

    def day(self) -> datetime.date:
        """Days after the corpus was read, when its evidence grows stale, and before, when its rules start."""
        first, last = self.random.choice(
            (
                (datetime.date(2026, 11, 20), datetime.date(2028, 6, 30)),
                (datetime.date(2025, 2, 1), datetime.date(2026, 11, 19)),
            )
        )
        return first + datetime.timedelta(days=self.random.randint(0, (last - first).days))

    def unit(self) -> Unit:
        pick = self.random
        model = pick.choice(pick.choice(self.models))
        if pick.random() < 0.005:
            model = NOT_IN_THE_CATALOG
        serial, serial_hash = None, None
        kind = pick.random()
        if kind < 0.4:
            serial = self.serial(model)
        elif kind < 0.5:
            serial_hash = "0" * 64
        return Unit(
            model_id=model,
            quantity=pick.choice((1,) * 8 + (2, 2, 3, 5, 6, pick.randint(1, 20))),
            ccc_mark=pick.choice(MARKS),
            capacity_label=pick.choice(("legible", *LABELS)),
            condition=pick.choice(("intact", "intact", *CONDITIONS)),
            recall_check=pick.choice(LIST_ANSWERS) if pick.random() < 0.3 else "not_checked",
            serial=serial,
            serial_hash=serial_hash,
        )

    def serial(self, model: str) -> str:
        """A listed identifier of the model or another one, as people copy it: spaced, lower case, misread."""
        pick = self.random
        serial = pick.choice((*self.identifiers.get(model, ()), *IDENTIFIERS))
        for _ in range(pick.choice((0, 0, 1, 2))):
            at = pick.randrange(len(serial))
            swap = pick.choice("O0I1LZ2S5B8A7 -")
            serial = pick.choice(
                (serial.lower(), f" {serial} ", serial[:at] + swap + serial[at + 1 :], serial + swap)
            )
        return serial

    def leg(self) -> Leg:
        pick = self.random
        airline = pick.choice(self.airlines)
        origin = pick.choice((self.home[airline], pick.choice(self.curated), pick.choice(self.countries)))
        destination = pick.choice(
            (origin, self.home[airline], pick.choice(self.curated), pick.choice(self.countries))
        )
        if pick.random() < 0.01:
            airline = pick.choice((NOT_IN_THE_RELEASE, WITHOUT_A_RULE))
        return Leg(origin, destination, airline)


@functools.cache
def _starter_drawing() -> dict[str, st.SearchStrategy[Any]]:
    """Legs are often from or within the airline's own country."""
    content = starter_content()
    homes = st.sampled_from([(airline.airline, airline.country) for airline in content.airlines])
    countries = st.sampled_from([country.code for country in content.countries])
    legs = st.one_of(
        homes.map(lambda home: Leg(home[1], home[1], home[0])),
        st.builds(lambda home, there: Leg(home[1], there, home[0]), homes, countries),
        st.builds(lambda home, one, other: Leg(one, other, home[0]), homes, countries, countries),
    )
    return {
        "unit": units(tuple(device.model_id for device in content.devices), IDENTIFIERS),
        "leg": legs,
        "travel_date": st.dates(datetime.date(2026, 11, 20), datetime.date(2027, 11, 20)),
        "compartment_intent": COMPARTMENTS_DRAWN,
    }


def starter_questions() -> st.SearchStrategy[Question]:
    """Questions about the starter corpus."""
    return st.builds(Question, **_starter_drawing())


def starter_trips() -> st.SearchStrategy[TripQuestion]:
    """Itineraries of one to four legs through the starter corpus."""
    drawing = dict(_starter_drawing())
    legs = st.lists(drawing.pop("leg"), min_size=1, max_size=4).map(tuple)
    return st.builds(TripQuestion, legs=legs, **drawing)
