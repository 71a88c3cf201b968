"""Countries are called as travelers call them, and a field knows a country by the name that a page shows."""

import pytest

from aeo.asking.names.places import LOCALES
from aeo.asking.names.suggestions import read_place
from rules.wording.names import country_name
from tests.support.starter import starter_release

HONG_KONG = {
    "en": "Hong Kong",
    "de": "Hongkong",
    "fr": "Hong Kong",
    "es": "Hong Kong",
    "ja": "香港",
    "ko": "홍콩",
    "zh-hans": "香港",
    "zh-hant": "香港",
}


def test_hong_kong_is_called_by_its_short_name_in_every_language() -> None:
    assert HONG_KONG.keys() == LOCALES.keys()
    assert {language: country_name("HK", "Hong Kong", language) for language in LOCALES} == HONG_KONG


@pytest.mark.parametrize("language", LOCALES)
def test_a_field_understands_the_name_that_pages_show(language: str) -> None:
    release = starter_release()
    for code in ("HK", "MO", "JP", "DE", "GB"):
        shown = country_name(code, release.corpus.countries[code].name, language)
        assert read_place(release, shown, language)[0] == code, shown
