"""Airlines go by the names that readers of a language know, and whatever is shown can be typed."""

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import override

from aeo.asking.names.suggestions import suggest_airlines
from aeo.texts import airline_name
from rules.wording.names import local_names
from tests.support import starter

AIRLINES = starter.starter_release().shelf.airlines
LANGUAGES = {"ja", "ko", "zh-hans", "zh-hant"}

pytestmark = pytest.mark.usefixtures("starter_release")


@pytest.mark.parametrize(
    ("language", "code", "said"),
    [
        ("zh-hans", "CX", "国泰航空\uff08CX\uff09"),
        ("zh-hant", "CX", "國泰航空\uff08CX\uff09"),
        ("ja", "EK", "エミレーツ航空\uff08EK\uff09"),
        ("ko", "KE", "대한항공(KE)"),
        ("de", "KE", "Korean Air"),
        ("en", "KE", "Korean Air"),
        ("ja", "Y4", "Volaris"),
    ],
)
def test_an_airline_has_its_established_name_and_its_code(language: str, code: str, said: str) -> None:
    with override(language):
        assert airline_name(AIRLINES[code]) == said


def test_a_name_belongs_to_an_airline_and_a_language_and_no_two_airlines_share_one() -> None:
    assert set(local_names()) <= set(AIRLINES)
    assert {language for names in local_names().values() for language in names} == LANGUAGES
    assert set(dict(settings.LANGUAGES)) >= LANGUAGES
    for language in LANGUAGES:
        shown = [names[language] for names in local_names().values() if language in names]
        assert len(set(shown)) == len(shown)


def test_each_name_that_is_shown_finds_its_airline_first() -> None:
    release = starter.starter_release()
    for code, names in local_names().items():
        for language, name in names.items():
            found = suggest_airlines(release, name, language)
            assert found, (code, name)
            assert found[0].value == code, (code, name)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/ja/airlines/nh", "全日本空輸\uff08NH\uff09のモバイルバッテリー"),
        ("/ko/airlines/ke", "대한항공(KE)"),
        ("/zh-hans/countries/hk", "国泰航空\uff08CX\uff09"),
        ("/zh-hant/airlines", "國泰航空"),
        ("/ja/p/anker-a1263/ek/ae", "エミレーツ航空\uff08EK\uff09"),
        ("/ko/check?model=anker-a1289&airline=KE&from=KR&to=JP", "대한항공(KE)"),
        ("/zh-hans/trip?model=anker-a1289&airline=CX&from=HK&via=JP&to=US", "国泰航空\uff08CX\uff09"),
        ("/ja/embed/demo/check?model=anker-a1289&airline=EK&from=AE&to=GB", "エミレーツ航空\uff08EK\uff09"),
    ],
)
@pytest.mark.django_db
def test_pages_and_answers_name_airlines_so(path: str, said: str) -> None:
    answer = Client(headers={"accept": "text/html"}).get(path, follow=True)
    assert answer.status_code == 200
    assert said in answer.content.decode()
