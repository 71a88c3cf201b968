"""One text in one language: its translation, in the right plural form, filled in.

English is in the code and is the key of its translations in `locale/<language>/messages.po`. They are read
once, when the language is first used; `manage.py translations --check` checks that they are complete. Called
by all code with texts: `rules.wording` and the public pages.
"""

import functools
import io
from collections.abc import Iterable, Mapping
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import NamedTuple

from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings

SOURCE_LANGUAGE = "en"

FIGURES = frozenset(
    {
        "limit_watt_hour",
        "margin",
        "nominal_voltage",
        "watt_hour",
        "watt_hour_at_least",
        "watt_hour_over",
        "watt_hour_under",
        "watt_hour_up_to",
    }
)
"""The values that are figures with a decimal point, written as text. The point differs by language."""

UNSPACED = frozenset({"ja", "zh-hans", "zh-hant"})
"""Languages whose sentences follow each other without a space."""


class Plural(NamedTuple):
    """A text whose form depends on a number, the value that `by` names."""

    one: str
    other: str
    by: str = "count"


Text = str | Plural


def translated(text: Text, language: str, values: Mapping[str, str | int]) -> str:
    """Return a text in a language of the settings, filled in. The number of a plural is an `int`."""
    catalog = translations(language)
    if isinstance(text, Plural):
        template = catalog.ngettext(text.one, text.other, int(values[text.by]))
    else:
        template = catalog.gettext(text)
    return template % _written(values, language)


def unfilled(text: str, language: str) -> str:
    """Return a text without values, in a language; a per cent sign in it is an ordinary character."""
    return translations(language).gettext(text)


@functools.cache
def translations(language: str) -> NullTranslations:
    """Return the translations into a language; none for English, and for a language without any."""
    if not po_file(language).exists():
        return NullTranslations()
    compiled = io.BytesIO()
    with po_file(language).open("rb") as file:
        write_mo(compiled, read_po(file, locale=locale(language)))
    compiled.seek(0)
    return GNUTranslations(compiled)


def po_file(language: str) -> Path:
    """Return the file with the translations into a language."""
    return Path(settings.BASE_DIR) / "locale" / language / "messages.po"


@functools.cache
def locale(language: str) -> Locale:
    """Return the CLDR data of a language: its plural forms, numbers and names of countries."""
    return Locale.parse(language, sep="-")


def figure(number: str, language: str) -> str:
    """Return a figure with the decimal sign of a language: `99.9` is `99,9` in German."""
    return number.replace(".", _decimal_sign(language))


def joined(sentences: Iterable[str], language: str) -> str:
    """Return whole sentences one after the other.

    Chinese and Japanese leave no space between them, unless one ends with an address.
    """
    if language not in UNSPACED:
        return " ".join(sentences)
    return "".join(f"{one} " if one[-1:].isascii() else one for one in sentences).rstrip(" ")


def _written(values: Mapping[str, str | int], language: str) -> Mapping[str, str | int]:
    if _decimal_sign(language) == ".":
        return values
    return {
        name: figure(value, language) if name in FIGURES and isinstance(value, str) else value
        for name, value in values.items()
    }


@functools.cache
def _decimal_sign(language: str) -> str:
    return str(locale(language).number_symbols["latn"]["decimal"])
