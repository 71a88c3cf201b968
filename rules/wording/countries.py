"""The names of countries in the reader's language. Called by whoever names a country to readers."""

import functools
from collections.abc import Mapping

from babel import UnknownLocaleError

from rules.wording.translating import SOURCE_LANGUAGE, locale

SHORT: Mapping[str, Mapping[str, str]] = {
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
"""Names as travelers say them, by country and language, where Babel has only those of administrations."""


@functools.lru_cache(maxsize=4096)
def country_name(code: str, name: str, language: str) -> str:
    """Return the name of a country in a language. `name` is its English name, of the release.

    Other languages have the short names above, or else those of CLDR; where CLDR does not know the country or
    the language, the name stays English.
    """
    if language == SOURCE_LANGUAGE:
        return name
    return SHORT.get(code, {}).get(language) or _in_cldr(language).get(code, name)


def _in_cldr(language: str) -> Mapping[str, str]:
    try:
        return locale(language).territories
    except UnknownLocaleError:
        return {}
