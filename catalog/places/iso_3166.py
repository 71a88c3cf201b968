"""The countries of ISO 3166-1. Called where a request or a corpus needs all valid ends of a route."""

import functools
from collections.abc import Mapping

from django.utils import translation
from django_countries import countries

from catalog.records import Country


def iso_countries() -> dict[str, Country]:
    """Return every country by its code, with its English name, in the order of the codes."""
    with translation.override("en"):
        names = {code: str(name) for code, name in countries}
    return {code: Country(code=code, name=names[code]) for code in sorted(names)}


@functools.cache
def of_three_letters() -> Mapping[str, str]:
    """Return the alpha-2 code of each country by its alpha-3 code."""
    return {countries.alpha3(code): code for code, _ in countries}
