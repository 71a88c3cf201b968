"""The texts of pages, by key, in the active language.

The English texts are in the modules of this package, one for each area. They are whole sentences, and each is
the key of its translations (`rules.wording.translating`). Called by everything that readers see.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules

from django.utils.translation import get_language, override

from rules.engine.facts import Airline, Device
from rules.wording.names import airline_name as airline_name_in
from rules.wording.names import country_name as name_in
from rules.wording.translating import SOURCE_LANGUAGE, Text, translated

AREAS: dict[str, dict[str, Text]] = {
    module.name: import_module(f"{__name__}.{module.name}").TEXTS for module in iter_modules(__path__)
}
"""The texts of each area, by the name of its module."""

TEXTS: dict[str, Text] = {key: text for area in AREAS.values() for key, text in area.items()}
"""Every text of pages. No two areas share a key."""

TAKES_THE = {
    "AE", "BS", "CC", "CD", "CF", "CG", "CK", "DO", "FK", "FO", "GB", "GM", "IM", "IO", "KM", "KY", "MH",
    "MP", "MV", "NL", "PH", "SB", "SC", "TC", "TF", "UM", "US", "VG", "VI",
}  # fmt: skip
"""Countries whose English name has an article inside a sentence."""


_spoken: ContextVar[str | None] = ContextVar("spoken", default=None)
"""The language of the innermost `speaking`. A page asks for it 300 times, and Django takes a microsecond."""


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Make a language the active one, for these texts and for Django."""
    with override(language):
        before = _spoken.set(get_language())
        try:
            yield
        finally:
            _spoken.reset(before)


def active() -> str:
    """Return the active language, which readers get."""
    return _spoken.get() or get_language() or SOURCE_LANGUAGE


def say(key: str, **values: str | int) -> str:
    """Return a text, filled in, in the active language. A number that decides the plural form is an `int`."""
    return _said(key, active(), tuple(values.items()))


# A page has some thirty of these, many of them repeated.
@lru_cache(maxsize=16_384)
def _said(key: str, language: str, values: tuple[tuple[str, str | int], ...]) -> str:
    return translated(TEXTS[key], language, dict(values))


def country_name(code: str, name: str) -> str:
    """Return the name of a country, `name` in English, in the active language."""
    return name_in(code, name, active())


def airline_name(airline: Airline, *, coded: bool = True) -> str:
    """Return the name of an airline in the active language, as in `rules.wording.names`."""
    return airline_name_in(airline, active(), coded=coded)


def in_sentence(code: str, name: str) -> str:
    """Return a country's name for use inside a sentence; in English some need an article."""
    if active() != SOURCE_LANGUAGE:
        return country_name(code, name)
    plain = name.removesuffix(" (The)")
    return f"the {plain}" if code in TAKES_THE else plain


def model_name(device: Device) -> str:
    """Return brand and model as people say them."""
    return f"{device.brand} {device.model_name}"
