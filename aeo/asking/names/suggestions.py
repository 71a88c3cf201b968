"""What a search field of the site offers while a person types: models, airlines and places.

Each suggestion has the value that the form sends, a label and a line of details. Text that names nothing
gives no suggestions; no typed text is an error. Called by the views of the site.
"""

from collections.abc import Sequence

import msgspec

from aeo.asking.names import airlines, places, spelling
from aeo.asking.names.folding import MOST_CHARACTERS, fold
from aeo.asking.names.near import near_airlines, near_places
from aeo.asking.names.places import Place
from aeo.texts import TEXTS
from rules.corpus import Published
from rules.engine.facts import Airline, Device
from rules.engine.matching import plain
from rules.selectors import devices
from rules.wording.names import country_name
from rules.wording.translating import translated

MOST = 8
"""How many suggestions a field offers by default."""


class Suggestion(msgspec.Struct, frozen=True):
    """One possible meaning.

    `value` is what counts (a model id, an airline code, a country code). `label` names it. `detail`
    distinguishes it from others with the same name; it may be empty. `spelled` is its spelling in an address,
    if that differs from the value: a city stays a city.
    """

    value: str
    label: str
    detail: str
    spelled: str = ""

    @property
    def sent(self) -> str:
        """Return what a form sends."""
        return self.spelled or self.value


def suggest_models(release: Published, text: str, limit: int = MOST) -> tuple[Suggestion, ...]:
    """Return the models that a text finds, best first; see `catalog.search`.

    If there are none, the last word may be unfinished.
    """
    if _says_nothing(text):
        return ()
    found = devices.find(release, text=text) or _begun(release, text)
    return tuple(of_model(device) for device in found[:limit])


def _begun(release: Published, text: str) -> list[Device]:
    """Return the models that fit all words but the last, and have a word that begins with the last."""
    whole, _, begun = fold(text).rpartition(" ")
    return [device for device in devices.find(release, text=whole) if begun in _beginnings(device)]


def _beginnings(device: Device) -> set[str]:
    """Return every beginning of every word of a model's name and number."""
    words = fold(f"{device.brand} {device.model_name} {device.model_number or ''}").split()
    return {word[:length] for word in words for length in range(1, len(word) + 1)}


def suggest_airlines(
    release: Published, text: str, language: str, limit: int = MOST
) -> tuple[Suggestion, ...]:
    """Return the airlines that a text finds by code or by name in any language, best first.

    For a flight number, return the airline whose code it begins with. If there is no match, return airlines
    with similar names.
    """
    if _says_nothing(text):
        return ()
    if flown := airlines.of_flight(release, text):
        return (of_flight(flown, text, language),)
    found = airlines.find(release, text, limit) or near_airlines(release, text, limit)
    return tuple(of_airline(release, airline, language) for airline in found)


def suggest_places(release: Published, text: str, language: str, limit: int = MOST) -> tuple[Suggestion, ...]:
    """Return the countries, cities and airports that a text finds in any language, best first.

    Several may be in one country; the value is the country's code. If there is no match, return places with
    similar names.
    """
    if _says_nothing(text):
        return ()
    found = _found_places(release, text, limit)
    return tuple(dict.fromkeys(of_place(release, place, language) for place in found))


def _found_places(release: Published, text: str, limit: int) -> Sequence[Place]:
    countries = release.corpus.countries
    return (
        places.find(text, countries, limit)
        or spelling.read(text, countries)[:limit]
        or near_places(release, text, limit)
    )


def read_place(release: Published, text: str, language: str) -> tuple[str | None, tuple[Suggestion, ...]]:
    """Return the country that a field means, and all places with exactly that name.

    The country is None if the name is unknown, or if it belongs to places in several countries and none is
    far larger than the others. Then the traveler has to choose.
    """
    if _says_nothing(text):
        return None, ()
    found = places.exactly(text, release.corpus.countries)
    return places.meant(found), tuple(dict.fromkeys(of_place(release, place, language) for place in found))


def of_model(device: Device) -> Suggestion:
    """Return a model as a suggestion; the details are its number and its figures."""
    figures = (
        device.model_number if device.model_number not in (None, device.model_name) else None,
        f"{device.capacity_mah} mAh" if device.capacity_mah is not None else None,
        f"{plain(device.watt_hour)} Wh" if device.watt_hour is not None else None,
    )
    return Suggestion(
        device.model_id, f"{device.brand} {device.model_name}", " · ".join(filter(None, figures))
    )


def of_airline(release: Published, airline: Airline, language: str) -> Suggestion:
    """Return an airline as a suggestion; the details are its code and its country."""
    country = _country(release, airline.country, language)
    return Suggestion(airline.airline, airline.name, " · ".join(filter(None, (airline.airline, country))))


def of_flight(airline: Airline, flight: str, language: str) -> Suggestion:
    """Return the airline of a flight number as a suggestion; another airline may operate the flight."""
    named = {"airline": airline.name, "flight": " ".join(flight.upper().split())}
    return Suggestion(
        airline.airline,
        f"{airline.name} ({airline.airline})",
        translated(TEXTS["airline.of_flight"], language, named),
    )


def of_place(release: Published, place: Place, language: str) -> Suggestion:
    """Return a place as a suggestion; the details are its airport or codes, and its country."""
    country = _country(release, place.country, language)
    spelled = spelling.spelled(place, release.corpus.countries)
    match place.kind:
        case "country":
            return Suggestion(place.country, country, place.country, spelled)
        case "airport":
            label = f"{place.name_in(language)} ({place.codes[0]})"
            detail = " · ".join(filter(None, (place.airport, country)))
            return Suggestion(place.country, label, detail, spelled)
    detail = " · ".join((country, *place.codes[:3]))
    return Suggestion(place.country, place.name_in(language), detail, spelled)


def place_name(release: Published, place: Place, language: str) -> str:
    """Return the name of a place for use without context: `London LHR (United Kingdom)`."""
    country = _country(release, place.country, language)
    name = place.name_in(language)
    if place.kind == "country" or (place.kind == "city" and fold(name) == fold(country)):
        return country
    if place.kind == "airport":
        name = f"{name} {place.codes[0]}"
    return translated(TEXTS["place.in_country"], language, {"place": name, "country": country})


def _country(release: Published, code: str, language: str) -> str:
    known = release.corpus.countries.get(code)
    return country_name(code, known.name if known else code, language)


def _says_nothing(text: str) -> bool:
    """Tell whether a field is empty, or holds text that no person types by hand."""
    return len(text) > MOST_CHARACTERS or not fold(text)
