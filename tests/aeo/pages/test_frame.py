"""What stands around every page: headers, menus, languages, errors and files."""

import json
import re

import pytest
import time_machine
from django.test import Client
from pytest_django.fixtures import Settings

from tests.support.starter import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("starter_release")]

PAGES = ("/", "/check?model=anker-a1263&airline=EK&from=AE&to=GB", "/models/anker-a1263", "/nothing-here")


@pytest.fixture(autouse=True)
def _now() -> object:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.mark.parametrize("path", PAGES)
def test_a_page_loads_from_here_alone_and_holds_no_script_and_no_style(browser: Client, path: str) -> None:
    page = browser.get(path)
    policy = dict(part.strip().split(" ", 1) for part in page.headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
    assert "geolocation=()" in page.headers["Permissions-Policy"]
    text = page.content.decode()
    assert re.findall(r"<script(?![^>]*(src=|application/ld\+json))", text) == []
    assert "<style" not in text
    assert re.findall(r'\sstyle="|\son\w+="', text) == []
    loaded = re.findall(r'<(?:script|img|link rel="(?:stylesheet|icon)")[^>]*?(?:src|href)="([^"]+)"', text)
    assert loaded
    assert all(address.startswith("/static/") for address in loaded)


@pytest.mark.parametrize("path", PAGES)
def test_no_page_leaves_anything_with_its_reader(browser: Client, path: str) -> None:
    page = browser.get(path)
    assert page.cookies == {}
    assert "Set-Cookie" not in page.headers


@pytest.mark.parametrize("path", PAGES)
def test_every_page_says_where_it_is_what_it_is_not_and_how_to_skip_to_its_content(
    browser: Client, path: str
) -> None:
    page = browser.get(path).content.decode()
    assert '<a class="skip" href="#content">' in page
    assert page.count('id="content"') == page.count("<main>") == page.count("<h1") == 1
    assert "not legal advice, not a certification" in page
    assert '<html lang="en"' in page


def test_the_menu_leads_to_what_exists_and_marks_where_one_is(browser: Client) -> None:
    page = browser.get("/models/anker-a1263").content.decode()
    menu = page.partition('class="main-menu"')[2].partition("</nav>")[0]
    for path in re.findall(r'href="([^"]+)"', menu):
        if path != "/datasets":
            assert browser.get(path).status_code == 200, path
    assert re.findall(r'href="([^"]+)" aria-current', menu) == ["/models"]


def test_with_one_language_there_is_nothing_to_switch(browser: Client, settings: Settings) -> None:
    settings.LANGUAGES = [("en", "English")]
    assert 'class="languages"' not in browser.get("/").content.decode()


def test_the_switch_leads_to_the_same_question_in_every_language(browser: Client, settings: Settings) -> None:
    settings.LANGUAGES = [("en", "English"), ("ja", "日本語")]
    page = browser.get(PAGES[1]).content.decode()
    question = PAGES[1].replace("&", "&amp;")
    assert f'href="/ja{question}" lang="ja" hreflang="ja"' in page
    assert f'href="{question}" lang="en" hreflang="en" aria-current="true"' in page


@pytest.mark.parametrize(("path", "status"), [("/nothing-here", 404), ("/models/nobody", 404)])
def test_an_error_says_that_it_allows_nothing_and_leads_on(browser: Client, path: str, status: int) -> None:
    page = browser.get(path)
    assert page.status_code == status
    text = page.content.decode()
    assert "Do not count this as allowed." in text
    assert 'href="/guides"' in text
    assert 'content="noindex"' in text


def test_who_asks_too_much_is_told_when_to_come_back(browser: Client, settings: Settings) -> None:
    settings.PAGES_RATE = "3/m"
    answers = [browser.get(PAGES[1], REMOTE_ADDR="198.51.100.7") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    refused = answers[-1]
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert "Do not count this as allowed." in refused.content.decode()
    assert refused.headers["Cache-Control"] == "no-store"
    # Somebody else, and pages that are the same for everybody.
    assert browser.get(PAGES[1], REMOTE_ADDR="198.51.100.8").status_code == 200
    assert browser.get("/", REMOTE_ADDR="198.51.100.7").status_code == 200


def test_pages_and_their_files_arrive_compressed_and_files_are_kept_for_good(browser: Client) -> None:
    page = browser.get("/", headers={"accept-encoding": "gzip"})
    assert page.headers["Content-Encoding"] == "gzip"
    total = len(page.content)
    for address in set(re.findall(r'"(/static/[^"]+)"', browser.get("/").content.decode())):
        file = browser.get(address, headers={"accept-encoding": "gzip"})
        assert file.status_code == 200
        assert file.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert re.search(r"\?v=[0-9a-f]{12}$", address)
        total += len(b"".join(file.streaming_content))  # type: ignore[attr-defined]
    assert total <= 60_000


def test_what_programs_read_may_load_nothing(browser: Client) -> None:
    answer = browser.get("/api/devices/anker-a1263")
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"


def test_the_first_page_says_in_structured_data_what_the_site_is_who_publishes_it_and_what_it_does(
    browser: Client,
) -> None:
    for language, path in (("en", "/"), ("de", "/de")):
        page = browser.get(path).content.decode()
        found = re.search(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
        assert found is not None
        site, organization, application = json.loads(found[1])
        assert [site["@type"], organization["@type"], application["@type"]] == [
            "WebSite",
            "Organization",
            "WebApplication",
        ]
        assert site["inLanguage"] == application["inLanguage"] == language
        assert site["publisher"]["@id"] == application["publisher"]["@id"] == organization["@id"]
        search = site["potentialAction"]["target"]["urlTemplate"].partition("/check")
        asked = browser.get(
            f"{path.rstrip('/')}/check{search[2].replace('{words}', 'emirates')}", follow=True
        )
        assert asked.status_code == 200
