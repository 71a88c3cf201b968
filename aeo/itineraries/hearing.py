"""What a sentence says about an itinerary, as the parameters of its address.

`aeo.asking.free_text` reads the sentence; here its words about several models, people, airlines and a return
find their fields. Nothing becomes milder: a number of people, and a number or a condition that may belong to
another unit, are only filled in. They wait, like every word that was not used, until the traveler confirms
the form.
"""

import datetime
import itertools
from decimal import Decimal
from typing import NamedTuple

from django.http import QueryDict

from aeo.asking import meaning
from aeo.asking.free_text import several
from aeo.asking.free_text.sentence import Choice, understand
from aeo.asking.free_text.understood import Understood, Unused
from aeo.asking.names import airlines
from aeo.asking.names.folding import fold
from aeo.asking.sentence import ALWAYS_NEEDED, NEEDED_FOR
from aeo.itineraries.written import suffixed
from aeo.texts import active
from rules.corpus import Published
from rules.engine.matching import plain

STRICT = frozenset((("bag", "checked"), ("condition", "damaged"), ("label", "missing"), ("mark", "absent")))
"""The facts that are filled in for every power bank of a sentence, because they may be about each."""


class Heard(NamedTuple):
    """The parameters that a sentence fills, and its unused words.

    If it `waits`, the traveler confirms the form and answers each field of `needed`.
    """

    parameters: QueryDict
    unused: tuple[Unused, ...]
    waits: bool
    needed: frozenset[str]


def heard(text: str, release: Published, today: datetime.date) -> Heard:
    """Return what a sentence says. `today` is the day of asking (UTC)."""
    return _Hearing(text, release, today).heard()


class _Hearing:
    """The reading of one sentence."""

    def __init__(self, text: str, release: Published, today: datetime.date) -> None:
        self._text, self._release, self._today = text, release, today
        self._said = self._understood(text)
        self._used: set[Unused] = set()
        self._values: dict[str, str] = {}
        self._waits = False

    def heard(self) -> Heard:
        """Return the parameters."""
        self._people()
        self._units()
        self._flights()
        left = tuple(one for one in self._said.unused if one not in self._used)
        parameters = QueryDict(mutable=True)
        for name, value in self._values.items():
            # A word that was not used, such as “each”, can multiply numbers. Two empty power banks stay two.
            if value and not (left and name in {"people", "count"} and "count_2" not in self._values):
                parameters[name] = value
        needed = ALWAYS_NEEDED | {NEEDED_FOR[one.about] for one in left if one.about in NEEDED_FOR}
        return Heard(parameters, left, self._waits or bool(left), needed)

    def _understood(self, text: str) -> Understood:
        return understand(self._release, text, active(), self._today)

    def _about(self, about: str) -> list[Unused]:
        return [one for one in self._said.unused if one.about == about]

    def _people(self) -> None:
        if found := several.people(self._text):
            self._values["people"] = str(found.value)
            self._waits = True
            self._use_within(found.words)

    def _units(self) -> None:
        """Write each model that is named, or as many empty power banks as are said to be different."""
        said = self._said
        if said.several_models:
            for at, one in enumerate(self._about("model"), start=1):
                self._values[suffixed("model", at)] = self._model(one.words)
                self._use(one)
            self._use_joining()
            self._waits = self._waits or self._is_about_some()
            strict = {name: value for name, value in said.facts().items() if (name, value) in STRICT}
            for at in range(1, len(self._about("model")) + 1):
                self._values |= {suffixed(name, at): value for name, value in strict.items()}
            return
        self._values |= said.facts()
        self._values["model"] = _field(said.model)
        self._values["count"] = self._count()
        if said.label is not None:
            figures = said.label.watt_hour, said.label.capacity_mah, said.label.nominal_voltage
            for name, figure in zip(("wh", "mah", "v"), figures, strict=True):
                self._values[name] = "" if figure is None else plain(Decimal(figure))
        if (different := several.different(self._text)) and not self._values["model"]:
            self._values["count"] = ""
            self._values |= {suffixed("count", at): "1" for at in range(1, different.value + 1)}
            self._waits = True
            self._use_within(different.words)

    def _is_about_some(self) -> bool:
        """Tell whether a sentence with several models says more than their names of one of them."""
        said, rest = self._said, self._text
        for one in self._about("model"):
            rest = rest.replace(one.words, " ")
        return bool(said.facts() or said.label or said.several_units or several.has_number(rest))

    def _model(self, words: str) -> str:
        return meaning.model(self._release, words).value or words

    def _count(self) -> str:
        """Return how many power banks a sentence counts, unless that number counts people."""
        number = self._said.quantity
        if number is None:
            named = [one for one in self._about("number") if " " in one.words]
            number = several.counted(named[0].words) if len(named) == 1 else None
            if number is not None:
                self._use(named[0])
                self._waits = True
        people = several.people(self._text)
        return "" if number is None or (people and people.value == number) else str(number)

    def _flights(self) -> None:
        """Write the flights of the journey and of the way back."""
        said, airline = self._said, self._airlines()
        places = [_place(one) for one in (said.origin, *said.stops, said.destination) if one]
        if said.origin and said.destination:
            places += self._onward(said.destination)
        if len(places) < len(("from", "to")):
            pairs = [(_place(said.origin), _place(said.destination))]
        else:
            pairs = list(itertools.pairwise(places))
        first, back = self._dates()
        ways = [(pair, first if at == 0 else "") for at, pair in enumerate(pairs)]
        if back is not None:
            returns = [(end, start) for start, end in reversed(pairs)]
            ways += [(pair, back if at == 0 else "") for at, pair in enumerate(returns)]
        for at, ((start, end), date) in enumerate(ways, start=1):
            self._values |= {suffixed("from", at): start, suffixed("to", at): end}
            self._values[suffixed("date", at)] = date
            self._values |= {suffixed(name, at): value for name, value in airline.items()}

    def _onward(self, destination: Choice) -> list[str]:
        """Return the places that follow the last one in the sentence: "to Singapore and Sydney"."""
        found: list[str] = []
        end = self._text.find(destination.words) + len(destination.words)
        for place in self._said.unplaced:
            start = self._text.find(place.words, end)
            if place.value is None or start < end or fold(self._text[end:start]) not in several.JOINING:
                return []
            end = start + len(place.words)
            found.append(_place(place))
        if found:
            self._use_joining()
            self._used.update(one for one in self._about("place"))
        return found

    def _airlines(self) -> dict[str, str]:
        """Return who operates and who sold the flights, as far as the sentence says it."""
        said = self._said
        if not said.several_airlines:
            if said.airline and airlines.of_flight(self._release, said.airline.words):
                for one in self._about("flight_number"):
                    self._use(one)
                return {"sold": said.airline.words}
            return {"airline": _field(said.airline)}
        named = self._about("airline")
        spans = [(one, self._text.find(one.words)) for one in named]
        marked = [one for one, at in spans if several.operates(self._text, at, at + len(one.words))]
        sold = [one for one, at in spans if several.sells(self._text, at, at + len(one.words))]
        if len(named) != len(("operator", "seller")) or len(marked) > 1 or (not marked and len(sold) != 1):
            return {}
        operator = marked[0] if marked else next(one for one in named if one not in sold)
        seller = next(one for one in named if one != operator)
        self._used.update(named)
        self._used.update(one for one in said.unused if fold(one.words) in several.MARKERS)
        return {"airline": operator.words, "sold": seller.words}

    def _dates(self) -> tuple[str, str | None]:
        """Return the days of the first flight and of the way back; None if there is no way back."""
        returns = [one for one in self._about("return") if fold(one.words) in several.RETURN]
        day = _day(self._said)
        if len(returns) != 1:
            return day, None
        before, _, behind = self._text.partition(returns[0].words)
        self._use(returns[0])
        self._used.update(one for one in self._about("when") if self._understood(one.words).travel_date)
        first, second = self._understood(before), self._understood(behind)
        if not (first.origin or first.destination):
            # "Return trip from Dubai to London on 3 January": it is not said which way that day is.
            self._waits = self._waits or bool(day)
            return day, ""
        return _day(first), _day(second)

    def _use(self, one: Unused) -> None:
        self._used.add(one)

    def _use_within(self, words: str) -> None:
        """Use the words that are a part of a phrase."""
        self._used.update(one for one in self._said.unused if f" {fold(one.words)} " in f" {fold(words)} ")

    def _use_joining(self) -> None:
        self._used.update(one for one in self._said.unused if fold(one.words) in several.JOINING)


def _field(choice: Choice | None) -> str:
    return "" if choice is None else choice.value or choice.words


def _place(choice: Choice | None) -> str:
    """Return a place as the traveler named it: a city stays a city."""
    return choice.chosen.sent if choice and choice.chosen else _field(choice)


def _day(said: Understood) -> str:
    return said.travel_date.isoformat() if said.travel_date else ""
