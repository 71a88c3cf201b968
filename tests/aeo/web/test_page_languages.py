"""Every page has an address in each language, and the address alone decides."""

import pytest
from django.test import Client
from django.utils.translation import get_language, override
from pytest_django import Settings

from aeo.web.languages import alternates, localized, split

HTML = {"accept": "text/html"}


@pytest.fixture(autouse=True)
def three_languages(settings: Settings) -> None:
    settings.LANGUAGES = [("en", "English"), ("ja", "日本語"), ("zh-hant", "繁體中文")]


PAGES = ["/", "/guides", "/p/anker-a1263/ek/jp", "/models?page=2", "/check?wh=99.9&from=JP"]
NO_PAGES = ["/api/verify", "/openapi.yaml", "/p/anker-a1263/ek/jp.json", "/feeds/airlines/ek.atom", "/admin/"]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["en", "ja", "zh-hant"])
def test_the_address_of_a_page_tells_its_language_and_its_english_address(path: str, language: str) -> None:
    there = localized(path, language)
    plain, _, query = there.partition("?")
    assert split(plain) == (language, path.partition("?")[0])
    assert path.endswith(query)


@pytest.mark.parametrize("path", NO_PAGES)
def test_what_programs_read_has_one_address(path: str) -> None:
    with override("ja"):
        assert localized(path) == path
    assert Client().get(f"/ja{path}").status_code == 404


def test_english_stands_at_the_root() -> None:
    assert [one.path for one in alternates("/guides")] == ["/guides", "/ja/guides", "/zh-hant/guides"]
    assert [one.tag for one in alternates("/guides")] == ["en", "ja", "zh-Hant"]
    assert Client(headers=HTML).get("/en/guides").status_code == 404


@pytest.mark.django_db
@pytest.mark.usefixtures("starter_release")
def test_a_page_says_its_language_and_leads_to_the_others() -> None:
    response = Client(headers=HTML | {"accept-language": "de", "cookie": "django_language=de"}).get(
        "/zh-hant/guides"
    )
    page = response.content.decode()
    assert response.status_code == 200
    assert response["Content-Language"] == "zh-Hant"
    assert '<html lang="zh-Hant"' in page
    assert '<link rel="canonical" href="http://127.0.0.1:8000/zh-hant/guides">' in page
    for tag, path in (
        ("en", "/guides"),
        ("ja", "/ja/guides"),
        ("zh-Hant", "/zh-hant/guides"),
        ("x-default", "/guides"),
    ):
        assert f'<link rel="alternate" hreflang="{tag}" href="http://127.0.0.1:8000{path}">' in page
    assert 'href="/zh-hant/guides/power-banks-on-emirates"' in page


@pytest.mark.django_db
@pytest.mark.usefixtures("starter_release")
def test_another_spelling_leads_to_the_page_in_the_same_language() -> None:
    response = Client(headers=HTML).get("/ja/models/Anker-A1263")
    assert (response.status_code, response["Location"]) == (301, "/ja/models/anker-a1263")


@pytest.mark.django_db
@pytest.mark.usefixtures("starter_release")
def test_no_request_leaves_its_language_to_the_next() -> None:
    before = get_language()
    Client(headers=HTML).get("/ja/guides")
    Client(headers=HTML).get("/ja/nowhere")
    assert get_language() == before
    assert Client(headers=HTML).get("/guides")["Content-Language"] == "en"


@pytest.mark.django_db
@pytest.mark.usefixtures("starter_release")
def test_languages_are_apart_for_caches() -> None:
    english, japanese = Client(headers=HTML).get("/guides"), Client(headers=HTML).get("/ja/guides")
    assert english["ETag"] != japanese["ETag"]
    assert Client(headers=HTML | {"if-none-match": japanese["ETag"]}).get("/ja/guides").status_code == 304
