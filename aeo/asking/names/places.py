"""Countries, cities and airports by the names that travelers give them, in eight languages.

A traveler names a city, an airport or a country; a question needs the country's code. Names of countries come
from the Unicode CLDR, the release and `country_names.yaml`. Cities and airports are in `cities.tsv` and
`airports.tsv` (with their sources); `place_names.yaml` has more names for them, and `namesakes.yaml` places
that only share a name with them.

A name may belong to several places. All of them are returned, the most populous first. The tables are read at
the first call and stay in memory. Called by `aeo.asking.names.suggestions` and the readers of sentences in
`aeo.asking.free_text`.
"""

import functools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from pathlib import Path
from sys import intern
from typing import Literal

import msgspec
import yaml
from babel import Locale

from aeo.asking.names.folding import fold, says_more
from catalog.places.iso_3166 import of_three_letters
from catalog.search.postings import Postings
from rules.engine.facts import Country

FOLDER = Path(__file__).parent

LOCALES = {
    "en": "en",
    "zh-hans": "zh_Hans",
    "zh-hant": "zh_Hant",
    "ja": "ja",
    "ko": "ko",
    "de": "de",
    "fr": "fr",
    "es": "es",
}
"""The languages of the site, and their names in the Unicode CLDR."""

NAMED_IN = ("de", "fr", "es", "ja", "ko", "zh-hans", "zh-hant")
"""The languages of the columns of `cities.tsv`."""

DOMINANCE = 15
"""The meant place has so many times the population of any other place with its name."""

KNOWN_BY_CODE = 300_000
LARGE = 200_000
"""A city of this population may be meant as well as a country with its name."""

_BESIDES = {"zh-hans": "zh-hant", "zh-hant": "zh-hans"}


class Place(msgspec.Struct, frozen=True):
    """A country, a city or an airport: its country, its names and its population.

    `names` are in the languages of `NAMED_IN`, empty if they equal the international `name`. `codes` are IATA
    codes. An airport has the names and the population of its city. A country has a code only where the three
    letters of ISO 3166 named it that are also an airport elsewhere: such a name never settles what is meant.
    """

    kind: Literal["country", "city", "airport"]
    country: str
    name: str
    population: int = 0
    codes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    airport: str = ""

    def name_in(self, language: str) -> str:
        """Return the name in a language of the site, or else the international one."""
        for wanted in (language, _BESIDES.get(language)):
            if self.names and wanted in NAMED_IN and (name := self.names[NAMED_IN.index(wanted)]):
                return name
        return self.name


class Gazetteer:
    """All places by their folded names. Immutable after construction."""

    def __init__(self, named: Iterable[tuple[Place, Iterable[str]]]) -> None:
        self.places: list[Place] = []
        bearers: defaultdict[str, list[int]] = defaultdict(list)
        for place, names in named:
            number = len(self.places)
            self.places.append(place)
            for name in set(names) - {""}:
                bearers[name].append(number)
        self._bearers = Postings(bearers)
        self.all_names = frozenset(bearers)

    def named(self, name: str) -> list[Place]:
        """Return the places with exactly this folded name or code, the most populous first."""
        return sorted((self.places[number] for number in self._bearers.of(name)), key=_rank)

    def beginning(self, start: str, most: int) -> list[Place]:
        """Return the places with a longer name that starts like this, the most populous first."""
        numbers = set(self._bearers.beginning_with(start))
        return nsmallest(most, (self.places[number] for number in numbers), key=_rank)

    def of_any(self, names: Iterable[str]) -> list[Place]:
        """Return the places with exactly one of some folded names, the most populous first."""
        numbers = {number for name in names for number in self._bearers.of(name)}
        return sorted((self.places[number] for number in numbers), key=_rank)

    def names(self) -> Sequence[str]:
        """Return all folded names and codes in order."""
        return self._bearers.words()


@functools.cache
def gazetteer() -> Gazetteer:
    """Return all places of the tables, for any release; read at the first call."""
    return Gazetteer([*_countries(), *_cities_and_airports(), *_namesakes()])


@functools.cache
def ranked() -> tuple[Place, ...]:
    """Return all places: countries first, then the most populous."""
    return tuple(sorted(gazetteer().places, key=_rank))


def find(text: str, countries: Mapping[str, Country], most: int) -> list[Place]:
    """Return the places of known countries that a text names: exact names first, then beginnings.

    A single Latin letter begins too many names to be useful, so it finds nothing.
    """
    asked = fold(text)
    if not asked or (len(asked) == 1 and asked.isascii()):
        return []
    begun = gazetteer().beginning(asked, 4 * most)
    of_record = by_record(countries)
    begun_by_record = [_country(code) for name, code in of_record.items() if name.startswith(asked)]
    found: dict[Place | str, Place] = {}
    for place in (*named(asked, countries, of_record), *begun_by_record, *begun):
        # A country once, whether its three letters or its name were found.
        found.setdefault(place.country if place.kind == "country" else place, place)
    return [place for place in found.values() if place.country in countries][:most]


def exactly(text: str, countries: Mapping[str, Country]) -> list[Place]:
    """Return the places of known countries with exactly this name, the most populous first.

    The code of a country (`AE`) is a name here, and so is its name in the release. A name with a sign that
    may mean something, such as a flag, names nothing.
    """
    if says_more(text):
        return []
    return named(fold(text), countries, by_record(countries))


def named(asked: str, countries: Mapping[str, Country], of_record: Mapping[str, str]) -> list[Place]:
    """Return the same as `exactly`, for a folded name and the `by_record` of the countries."""
    found = gazetteer().named(asked)
    if code := of_record.get(asked):
        found = list(dict.fromkeys([_country(code), *found]))
    if country := _of_three_letters().get(asked):
        found = [*found, country]
    if asked.upper() in countries:
        # BO is Bolivia. LA: of cities that share a code, only the best known counts.
        found = [one for one in found if one.country == asked.upper() or one.population >= KNOWN_BY_CODE]
    return [place for place in found if place.country in countries]


@functools.cache
def _of_three_letters() -> Mapping[str, Place]:
    """Return the countries whose three letters are also an airport of another country: `fra`, `tha`."""
    airports = airport_countries()
    return {
        fold(code): Place("country", country, _territories("en").get(country, country), codes=(code,))
        for code, country in of_three_letters().items()
        if airports.get(code, country) != country
    }


def is_name(asked: str, of_record: Mapping[str, str]) -> bool:
    """Tell whether any place has a folded name, in a release or not."""
    return asked in gazetteer().all_names or asked in of_record


def by_record(countries: Mapping[str, Country]) -> dict[str, str]:
    """Return the codes of countries by their folded names in the release."""
    global _newest
    newest = _newest
    if countries is not newest[0]:
        newest = countries, _by_name(tuple((country.name, code) for code, country in countries.items()))
        _newest = newest
    return newest[1]


_newest: tuple[Mapping[str, Country], dict[str, str]] = {}, {}
"""The countries that were asked for last, which never change, and their result: each sentence asks often."""


@functools.lru_cache(maxsize=2)
def _by_name(names: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Return the same as `by_record`. Two results are cached: a new release seldom has other countries."""
    return {fold(name): code for name, code in names}


@functools.lru_cache(maxsize=1024)
def _country(code: str) -> Place:
    return Place("country", code, _territories("en").get(code, code))


def meant(places: Sequence[Place]) -> str | None:
    """Return the country that a name means: that of all places, or of one far larger than the others.

    London is in the United Kingdom, though Canada has one too. San José is unclear. The name of a country
    means that country, unless another country has a large city with the name: Salvador is unclear. So is the
    name of two countries, such as Congo. Three letters that are an airport in one country and the code of
    another one are unclear, as for the API.
    """
    countries = list(dict.fromkeys(place.country for place in places))
    if len(countries) == 1:
        return countries[0]
    if any(place.kind == "country" and place.codes for place in places):
        # FRA is Frankfurt and France.
        return None
    of_countries = {place.country for place in places if place.kind == "country"}
    others = [place.population for place in places if place.country not in of_countries]
    if of_countries:
        return of_countries.pop() if len(of_countries) == 1 and max(others) < LARGE else None
    people = {code: max(place.population for place in places if place.country == code) for code in countries}
    first, second, *_ = [*sorted(people, key=lambda code: -people[code]), "", ""]
    if all(place.kind == "airport" for place in places if place.country == first) and any(
        place.kind == "city" for place in places
    ):
        # Bole is an airport of Addis Ababa, and a city of China.
        return None
    return first if second and people[first] >= DOMINANCE * max(people[second], 1) else None


def is_only_country(found: Sequence[Place]) -> bool:
    """Tell whether a name is that of a country first, and of none that is a city too, as Hong Kong is."""
    first = found[0]
    is_city = any(place.kind == "city" and place.country == first.country for place in found)
    return first.kind == "country" and not is_city


@functools.cache
def _territories(language: str) -> dict[str, str]:
    return dict(Locale.parse(LOCALES[language]).territories)


def _rank(place: Place) -> tuple[bool, int, bool, str, str]:
    """Sort countries first, then by population, a city before its airports."""
    return (
        place.kind != "country",
        -place.population,
        place.kind == "airport",
        place.name,
        "".join(place.codes),
    )


def _countries() -> Iterator[tuple[Place, Iterable[str]]]:
    more = yaml.load((FOLDER / "country_names.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    english = _territories("en")
    for code in sorted(code for code in english if len(code) == 2 and code.isalpha()):
        names = [_territories(language).get(code, "") for language in LOCALES]
        spelled = [code, *names, *more.get(code, ())]
        yield _country(code), {fold(name) for name in spelled}


def _cities_and_airports() -> Iterator[tuple[Place, Iterable[str]]]:
    more = yaml.load((FOLDER / "place_names.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    city_of: dict[str, Place] = {}
    airports = {row[0]: row for row in _rows("airports.tsv")}
    for country, population, codes, name, *rest in _rows("cities.tsv"):
        *names, others = rest
        own = tuple(codes.split(",")) if codes else ()
        place = Place("city", intern(country), name, int(population), own, tuple(names) if any(names) else ())
        city_of.update(dict.fromkeys(own, place))
        of_city = [code for code in own if code not in airports]
        spelled = [name, *names, *others.split("|"), *of_city]
        spelled += [extra for code in of_city for extra in more.get(code, ())]
        yield place, _spellings(spelled)
    for code, country, city_name, airport in airports.values():
        city = city_of.get(code)
        localized: tuple[str, ...] = city.names if city else ()
        people = city.population if city else 0
        place = Place(
            "airport", intern(country), city.name if city else city_name, people, (code,), localized, airport
        )
        spelled = [code, airport, *more.get(code, ())]
        if city is None:
            spelled.append(city_name)
        elif (short := fold(airport).removeprefix(fold(city_name)).strip()) and len(short) > 3:
            spelled.append(f"{city_name} {short}")
        yield place, _spellings([*spelled, *(f"{airport} airport" for _ in [0] if airport)])


def _namesakes() -> Iterator[tuple[Place, Iterable[str]]]:
    listed = yaml.load((FOLDER / "namesakes.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    for country, people in listed.items():
        for names, population in people.items():
            spelled = names.split("|")
            yield Place("city", intern(country), spelled[0], population), _spellings(spelled)


@functools.cache
def ordinary_words() -> frozenset[str]:
    """Return the names and codes of places that are also ordinary English words, folded."""
    lines = (FOLDER / "ordinary_words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def airport_name(code: str, language: str) -> str:
    """Return the city of an airport, in a language of the site; its IATA code if no airport has it."""
    places = gazetteer().named(fold(code))
    found = (place for place in places if place.kind == "airport" and place.codes == (code,))
    return next((place.name_in(language) for place in found), code)


@functools.cache
def airport_countries() -> Mapping[str, str]:
    """Return the country of each airport, by the IATA code of the airport."""
    return {code: intern(country) for code, country, *_ in _rows("airports.tsv")}


def _rows(file: str) -> Iterator[list[str]]:
    """Yield the rows of a table, without its comments and its header."""
    lines = (FOLDER / file).read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    next(rows)
    yield from rows


_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


_RANK = re.compile(r"(?<=..)市$|(?<=..) 시$")
"""City, as the last character of a name."""


def _spellings(names: Iterable[str]) -> set[str]:
    """Return the folded names for lookup, with their other spellings.

    München without its umlaut, 臺北市 without 市 and with the simpler 台.
    """
    written = set()
    for name in names:
        bare = _RANK.sub("", name)
        written |= {name, name.translate(_UMLAUTS), bare, bare.replace("臺", "台"), bare.replace("台", "臺")}
    return {fold(name) for name in written}
