"""The names of airlines, countries and models in the reader's language.

Called by all code that shows one of these names to readers: `rules.wording`, pages and suggestions.
"""

import functools
from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml
from babel import UnknownLocaleError
from babel.lists import format_list

from rules.engine.facts import Airline, Device
from rules.wording.translating import SOURCE_LANGUAGE, UNSPACED, locale

AIRLINE_NAMES = Path(__file__).with_name("airline_names.yaml")

NARROW, WIDE = "({})", "\uff08{}\uff09"
"""Brackets, as languages with and without spaces write them."""


def airline_name(airline: Airline, language: str, *, coded: bool = True) -> str:
    """Return the name of an airline in a language.

    If the language has an established name of its own, it comes with the code by which tickets and staff know
    the airline; `coded` is false if the code is shown next to it. Otherwise it is the record's name.
    """
    local = local_names().get(airline.airline, {}).get(language)
    if local is None:
        return airline.name
    if not coded:
        return local
    return f"{local}{(WIDE if language in UNSPACED else NARROW).format(airline.airline)}"


@functools.cache
def local_names() -> Mapping[str, Mapping[str, str]]:
    """Return the names by code and language; read at the first call."""
    rows: dict[str, dict[str, str]] = yaml.load(
        AIRLINE_NAMES.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
    )
    return rows


SHORT_COUNTRY_NAMES: Mapping[str, Mapping[str, str]] = {
    "HK": {
        "de": "Hongkong",
        "fr": "Hong Kong",
        "es": "Hong Kong",
        "ja": "香港",
        "ko": "홍콩",
        "zh-hans": "香港",
        "zh-hant": "香港",
    },
    "MO": {
        "de": "Macau",
        "fr": "Macao",
        "es": "Macao",
        "ja": "マカオ",
        "ko": "마카오",
        "zh-hans": "澳门",
        "zh-hant": "澳門",
    },
}
"""Names as travelers say them, by country and language, if Babel only has administrative names."""


@functools.lru_cache(maxsize=4096)
def country_name(code: str, name: str, language: str) -> str:
    """Return the name of a country in a language. `name` is its English name, of the release.

    Other languages have the short names above, or else those of CLDR; if CLDR does not know the country or
    the language, the name stays English.
    """
    if language == SOURCE_LANGUAGE:
        return name
    return SHORT_COUNTRY_NAMES.get(code, {}).get(language) or _in_cldr(language).get(code, name)


def _in_cldr(language: str) -> Mapping[str, str]:
    try:
        return locale(language).territories
    except UnknownLocaleError:
        return {}


def model_names(model_ids: Iterable[str], devices: Mapping[str, Device], language: str) -> str:
    """Return models as people list them: `Anker A1647 and Anker A1681`; an unknown one by its id."""
    names = [_name(devices[name]) if name in devices else name for name in model_ids]
    return format_list(names, locale=locale(language))


def _name(device: Device) -> str:
    return f"{device.brand} {device.model_number or device.model_name}"
