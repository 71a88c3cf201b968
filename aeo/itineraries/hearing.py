"""What a sentence says about an itinerary, as the parameters of its address.

`aeo.asking.free_text` reads the sentence; here its words about several models, people, airlines and a return
find their fields. `aeo.asking.filling` decides what is filled in. Nothing becomes milder: a number of people,
and a number or a condition that may belong to another unit, wait until the traveler confirms the form, like
every word that was not used.
"""

import datetime
import itertools
import re
from collections.abc import Mapping
from typing import NamedTuple

from django.http import QueryDict

from aeo.asking import filling, meaning
from aeo.asking.free_text import several
from aeo.asking.free_text.sentence import Choice, understand
from aeo.asking.free_text.understood import Understood, Unused
from aeo.asking.names import airlines
from aeo.asking.names.folding import fold
from aeo.asking.names.scripts import script_of
from aeo.itineraries.asked import ITEM_FIELDS
from aeo.itineraries.written import suffixed
from aeo.texts import active
from rules.corpus import Published


class Heard(NamedTuple):
    """The parameters that a sentence fills, and its unused words.

    If it `waits`, the traveler confirms the form and answers each field of `needed`.
    """

    parameters: QueryDict
    unused: tuple[Unused, ...]
    waits: bool
    needed: frozenset[str]


class _Parts(NamedTuple):
    """A sentence before and behind its word for a way back, and what each part says."""

    word: Unused
    before: str
    behind: str
    first: Understood
    second: Understood


def heard(text: str, release: Published, today: datetime.date) -> Heard:
    """Return what a sentence says. `today` is the day of asking (UTC)."""
    return _Hearing(text, release, today).heard()


class _Hearing:
    """The reading of one sentence."""

    def __init__(self, text: str, release: Published, today: datetime.date) -> None:
        self._text, self._release, self._today = text, release, today
        self._said = self._understood(text)
        self._party = several.people(text)
        self._used: set[Unused] = set()
        self._left: tuple[Unused, ...] = ()
        self._values: dict[str, str] = {}
        self._kinds = 1
        self._waits = False

    def heard(self) -> Heard:
        """Return the parameters."""
        self._people()
        self._units()
        self._flights()
        left = (*(one for one in self._said.unused if one not in self._used), *self._left)
        if left and self._party:
            # No number is filled in beside words that are not used, so this one is not used either.
            left = (*left, Unused(self._party.words, "people"))
        parameters = QueryDict(mutable=True)
        for name, value in filling.fillable(self._values, left).items():
            parameters[name] = value
        for at in range(2, self._kinds + 1):
            # A power bank of which nothing is known yet stays in the form.
            if not any(suffixed(name, at) in parameters for name in ITEM_FIELDS):
                parameters[suffixed("model", at)] = ""
        return Heard(parameters, left, self._waits or bool(left), filling.needed(left))

    def _understood(self, text: str) -> Understood:
        return understand(self._release, text, active(), self._today)

    def _about(self, about: str) -> list[Unused]:
        return [one for one in self._said.unused if one.about == about]

    def _people(self) -> None:
        if self._party:
            self._values["people"] = str(self._party.value)
            self._waits = True
            self._use_within(self._party.words)

    def _units(self) -> None:
        """Write each model that is named, or as many empty power banks as are said to be different."""
        said = self._said
        models, labels = self._about("model") if said.several_models else [], said.labels
        if models or labels:
            self._waits = bool(labels) or self._waits or self._is_about_some()
            self._kinds = len(models or labels)
            for at, one in enumerate(models, start=1):
                self._values[suffixed("model", at)] = self._model(one.words)
            for at, label in enumerate(labels, start=1):
                self._add(filling.figures(label), at)
            for at in range(1, self._kinds + 1):
                self._add(filling.strict_facts(said), at)
            self._used.update(models or self._about("rating"))
            self._use_joining()
            return
        self._add(said.facts() | {"model": filling.named(said.model), "count": self._count()})
        self._add(filling.figures(said.label))
        if (different := several.different(self._text)) and not self._values["model"]:
            self._kinds, self._waits = different.value, True
            self._values |= {suffixed("count", at): "1" for at in range(1, self._kinds + 1)}
            self._use_within(different.words)

    def _add(self, values: Mapping[str, str], at: int = 1) -> None:
        self._values |= {suffixed(name, at): value for name, value in values.items()}

    def _is_about_some(self) -> bool:
        """Tell whether a sentence with several models says more than their names of one of them."""
        said, rest = self._said, self._text
        for one in self._about("model"):
            rest = rest.replace(one.words, " ")
        return bool(said.facts() or said.label or said.several_units or several.has_number(rest))

    def _model(self, words: str) -> str:
        """Return a model, or its name with the unused word behind it, which may make it another model."""
        behind = self._text.partition(words)[2]
        for one in self._said.unused:
            if re.match(rf"\s+{re.escape(one.words)}(?!\w)", behind) and one.about in {"", "variant"}:
                words = f"{words} {one.words}"
                break
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
        counts_people = self._party is not None and self._party.value == number
        return "" if number is None or counts_people else str(number)

    def _flights(self) -> None:
        """Write the flights of the journey and of the way back."""
        said, airline = self._said, self._airlines()
        for one in self._about("return"):
            # From Dubai to London to Dubai
            if one.words in {place.words for place in (*said.stops, said.destination) if place}:
                self._use(one)
        parts = self._parts()
        out, home = self._ways(parts)
        first, back = self._dates(parts)
        ways = [(pair, first if at == 0 else "") for at, pair in enumerate(itertools.pairwise(out))]
        if back is not None:
            ways += [(pair, back if at == 0 else "") for at, pair in enumerate(itertools.pairwise(home))]
        for at, ((start, end), date) in enumerate(ways, start=1):
            self._values |= {suffixed("from", at): start, suffixed("to", at): end}
            self._values[suffixed("date", at)] = date
            self._values |= {suffixed(name, at): value for name, value in airline.items()}
        if said.several_airlines and not airline:
            self._one_airline_each(len(ways))

    def _parts(self) -> _Parts | None:
        """Return the sentence before and after its one word for a way back; None without such a word."""
        returns = [one for one in self._about("return") if fold(one.words) in several.RETURN]
        if len(returns) != 1:
            return None
        before, _, behind = self._text.partition(returns[0].words)
        return _Parts(returns[0], before, behind, self._understood(before), self._understood(behind))

    def _ways(self, parts: _Parts | None) -> tuple[list[str], list[str]]:
        """Return the places of the journey, and those of a way back, each in their order."""
        said = self._said
        if parts and parts.first.origin and parts.first.destination and _names_places(parts.second):
            first, second = parts.first, parts.second
            home = _journey(second, first.destination, first.origin)
            # Any way back but the one that everybody means waits for the traveler.
            self._waits = self._waits or home != [
                filling.place(first.destination),
                filling.place(first.origin),
            ]
            return _journey(first), home
        places = _journey(said)
        if said.origin and said.destination:
            places += self._onward(said.destination)
        return places, places[::-1]

    def _onward(self, destination: Choice) -> list[str]:
        """Return the places that follow the last one in the sentence: "to Singapore and Sydney"."""
        found: list[str] = []
        end = self._text.find(destination.words) + len(destination.words)
        for place in self._said.unplaced:
            start = self._text.find(place.words, end)
            if place.value is None or start < end or fold(self._text[end:start]) not in several.JOINING:
                return []
            end = start + len(place.words)
            found.append(filling.place(place))
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
            unused = [one for one in said.unused if one not in self._used]
            if said.airline and filling.is_denied(self._text, said.airline.words, unused):
                # "Anyone except Qantas"
                self._left = (Unused(said.airline.words, "airline"),)
                return {}
            return {"airline": filling.named(said.airline)}
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

    def _one_airline_each(self, flights: int) -> None:
        """Write as many airlines as flights, in their order, for the traveler to confirm.

        Any other unused word may say something of them: "not with Emirates, but with Qantas".
        """
        named = sorted(self._about("airline"), key=lambda one: self._text.find(one.words))
        said = self._said
        places = {place.words for place in (said.origin, *said.stops, said.destination) if place}
        # From London to Dubai with one, from Dubai to Singapore with another
        again = [one for one in self._about("place") if one.words in places]
        known = {*self._used, *named, *again}
        others = [one for one in said.unused if one not in known and not _joins(one)]
        if len(named) == flights and not others:
            self._values |= {suffixed("airline", at): one.words for at, one in enumerate(named, start=1)}
            self._waits = True
            self._used.update(named, again)
            self._use_joining()

    def _dates(self, parts: _Parts | None) -> tuple[str, str | None]:
        """Return the days of the first flight and of the way back; None if there is no way back."""
        day = filling.day(self._said)
        if parts is None:
            return day, None
        word, before, behind, first, second = parts
        self._use(word)
        if second.travel_date is None and fold(word.words) in several.BARE_RETURN:
            # "In the back", "ich bin zurück"
            self._waits = True
        for part, said in ((before, first), (behind, second)):
            days = [one for one in self._about("when") if said.travel_date and one.words in part]
            self._used.update(one for one in days if self._understood(one.words).travel_date)
        if not (first.origin or first.destination):
            # "Return trip from Dubai to London on 3 January": it is not said which way that day is.
            self._waits = self._waits or bool(day)
            return day, ""
        return filling.day(first), filling.day(second)

    def _use(self, one: Unused) -> None:
        self._used.add(one)

    def _use_within(self, words: str) -> None:
        """Use the words that are a part of a phrase, and occur nowhere else."""
        text, phrase = fold(self._text), fold(words)
        for one in self._said.unused:
            word = re.escape(fold(one.words))
            if word and script_of(word[-1]) == "l":
                word = rf"\b{word}\b"
            if word and 0 < len(re.findall(word, phrase)) == len(re.findall(word, text)):
                self._use(one)

    def _use_joining(self) -> None:
        self._used.update(filter(_joins, self._said.unused))


def _names_places(said: Understood) -> bool:
    return bool(said.origin or said.stops or said.destination or said.unplaced)


def _journey(said: Understood, origin: Choice | None = None, destination: Choice | None = None) -> list[str]:
    """Return the places of a journey; its ends are these if the sentence does not name them."""
    ends = said.origin or origin, said.destination or destination
    return [filling.place(one) for one in (ends[0], *said.stops, ends[1])]


def _joins(one: Unused) -> bool:
    """Tell whether a word only joins two things of one kind."""
    return fold(one.words) in several.JOINING
