"""No page is half translated: every text has a translation into every language, or the check names it."""

import re
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.pofile import read_po, write_po
from pytest_django import Settings

from aeo.management import translations
from aeo.texts import say
from rules.wording import translating
from rules.wording.translating import Plural, figure, translated


@pytest.fixture(autouse=True)
def an_empty_place(settings: Settings, tmp_path: Path) -> None:
    settings.BASE_DIR = tmp_path
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("ja", "日本語")]


def kept(language: str) -> Catalog:
    with translating.po_file(language).open("rb") as file:
        return read_po(file, locale=str(translating.locale(language)))


def keep(language: str, catalog: Catalog) -> None:
    with translating.po_file(language).open("wb") as file:
        write_po(file, catalog)


def translate(language: str) -> None:
    """Fill in every translation: the English, as often as the language has forms."""
    translations.bring_in_line(language)
    catalog = kept(language)
    for message in catalog:
        if isinstance(message.id, tuple):
            message.string = (message.id[1],) * catalog.num_plurals
        elif message.id:
            message.string = message.id
    keep(language, catalog)


def test_a_language_without_a_file_is_named() -> None:
    assert "missing" in next(translations.problems("de"))


def test_every_text_without_a_translation_is_named() -> None:
    missing = translations.bring_in_line("de")
    assert missing == len(list(translations.problems("de"))) > 300


@pytest.mark.parametrize("language", ["de", "ja"])
def test_a_language_with_every_translation_has_no_problem(language: str) -> None:
    translate(language)
    assert list(translations.problems(language)) == []


def test_bringing_in_line_loses_no_translation_and_drops_what_no_one_says() -> None:
    translate("de")
    catalog = kept("de")
    catalog.add("An old sentence.", "Ein alter Satz.")
    keep("de", catalog)
    assert list(translations.problems("de")) == ["Nobody says 'An old sentence.' any more."]
    assert translations.bring_in_line("de") == 0
    assert list(translations.problems("de")) == []


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ("Die Fluggesellschaft muss sie %(vorher)s genehmigen.", "names other values"),
        ("  ", "is not translated"),
        ("Fragen Sie vorher. Die Fluggesellschaft genehmigt. Fragen Sie vorher.", "says a sentence twice"),
    ],
)
def test_a_wrong_translation_is_named(wrong: str, named: str) -> None:
    translate("de")
    catalog = kept("de")
    message = catalog.get("The airline must approve it before the flight.")
    assert message is not None
    message.string = wrong
    keep("de", catalog)
    (problem,) = translations.problems("de")
    assert named in problem


def test_a_plural_that_lacks_a_form_is_named() -> None:
    translate("de")
    catalog = kept("de")
    message = next(one for one in catalog if isinstance(one.id, tuple))
    message.string = (message.id[1], "")
    keep("de", catalog)
    (problem,) = translations.problems("de")
    assert "every form" in problem


def test_the_number_decides_the_form_that_its_language_has() -> None:
    translate("de")
    catalog = kept("de")
    message = catalog.get("At most %(max_units)d power bank per passenger.")
    assert message is not None
    message.string = ("Höchstens %(max_units)d Powerbank.", "Höchstens %(max_units)d Powerbanks.")
    keep("de", catalog)
    translating.translations.cache_clear()
    text = Plural(message.id[0], message.id[1], "max_units")
    assert translated(text, "de", {"max_units": 1}) == "Höchstens 1 Powerbank."
    assert translated(text, "de", {"max_units": 2}) == "Höchstens 2 Powerbanks."
    translating.translations.cache_clear()


@pytest.mark.parametrize(
    ("language", "written"), [("en", "99.9"), ("de", "99,9"), ("fr", "99,9"), ("es", "99,9"), ("ja", "99.9")]
)
def test_figures_have_the_decimal_sign_of_the_language(language: str, written: str) -> None:
    assert figure("99.9", language) == written


def test_every_value_before_watt_hours_or_volts_is_written_as_a_figure() -> None:
    said = [
        form
        for text in translations.texts().values()
        for form in (text if isinstance(text, tuple) else (text,))
    ]
    named = set(re.findall(r"%\((\w+)\)s (?:Wh|V)\b", " ".join(map(str, said))))
    assert len(named) > 5
    assert named <= translating.FIGURES


def test_english_is_said_as_it_stands_in_the_code() -> None:
    assert say("span.departing", country="Japan") == "from Japan"
