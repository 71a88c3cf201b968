"""The names of countries in the reader's language. Called by whoever names a country to readers."""

import functools

from rules.wording.translating import SOURCE_LANGUAGE, locale


@functools.lru_cache(maxsize=4096)
def country_name(code: str, name: str, language: str) -> str:
    """Return the name of a country in a language. `name` is its English name, of the release.

    Other languages have the names of CLDR; a country that CLDR does not know keeps its English name.
    """
    if language == SOURCE_LANGUAGE:
        return name
    return locale(language).territories.get(code, name)
