"""The check inside pages of partners: who may show it, what it answers, and what it never does."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as project
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from compliance.partners import register
from compliance.records.verdict_log import recording
from tests.aeo.checker.test_checker import read as read_on_the_site
from tests.compliance.channels.embed.conftest import ORIGINS
from tests.support.partners import Desk
from tests.support.starter import NOW

EMIRATES = "model=anker-a1289&airline=EK&from=AE&to=GB"

FAMILY = "people=2&model=anker-a1289&count=2&airline=EK&from=AE&to=GB&from_2=GB&to_2=AE&airline_2=EK"
"""Two passengers with two units, out and back on Emirates: allowed."""

UNKNOWN = "btk_aaaaaaaa"

MOST_BYTES = 25_000


@pytest.fixture
def browser() -> Client:
    return Client(headers={"accept": "text/html"})


def policy(answer: Any) -> dict[str, str]:
    parts = answer.headers["Content-Security-Policy"].split(";")
    return dict(part.strip().split(" ", 1) for part in parts)


def ancestors(answer: Any) -> set[str]:
    return {*policy(answer)["frame-ancestors"].split()}


def read(answer: Any) -> str:
    """Return what stands in a frame as it is read."""
    content = answer.content.decode().partition("<main")[2].partition("</main>")[0]
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", "<" + content).split()))


def verdict(answer: Any) -> str:
    """Return the verdict that a frame shows, and not what it shows once its time is over."""
    (shown,) = re.findall(r'<div class="banner (\w+)">', answer.content.decode())
    return str(shown)


# Who may show it


@pytest.mark.parametrize("path", ["", f"/check?{EMIRATES}", "/check", f"/itinerary?{FAMILY}", "/itinerary"])
@pytest.mark.parametrize("language", ["", "/ja"])
def test_a_frame_is_shown_by_pages_of_the_origins_that_were_agreed_and_by_no_others(
    browser: Client, key: str, path: str, language: str
) -> None:
    answer = browser.get(f"{language}/embed/{key}{path}")
    assert answer.status_code == 200
    assert ancestors(answer) == {*ORIGINS}
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert answer.headers["Cross-Origin-Embedder-Policy"] == "require-corp"


@pytest.mark.parametrize("path", ["", f"/check?{EMIRATES}", f"/itinerary?{FAMILY}"])
@pytest.mark.parametrize("unknown", [UNKNOWN, "nothing", "btk_", "BTK_AAAAAAAA", "theme", "-"])
def test_without_a_known_key_it_says_so_and_stands_in_no_page(
    browser: Client, key: str, unknown: str, path: str
) -> None:
    answer = browser.get(f"/embed/{unknown}{path}")
    assert answer.status_code == 404
    assert ancestors(answer) == {"'none'"}
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "is not known or no longer valid" in read(answer)
    assert "banner" not in answer.content.decode()


def test_a_whole_key_is_no_name_for_a_frame(browser: Client, desk: Desk) -> None:
    plain = desk.issue().plain.reveal()
    answer = browser.get(f"/embed/{plain}")
    assert answer.status_code == 404
    assert plain.rpartition("_")[2] not in answer.content.decode()


def test_a_partner_without_origins_is_shown_nowhere_and_the_frame_says_why(
    browser: Client, desk: Desk, key: str
) -> None:
    desk.change(allowed_origins=())
    answer = browser.get(f"/embed/{key}")
    assert ancestors(answer) == {"'none'"}
    assert "its key has no agreed web address" in read(answer)


def test_an_origin_that_no_policy_can_name_lets_no_one_else_in(browser: Client, desk: Desk, key: str) -> None:
    desk.change(allowed_origins=("https://[2001:db8::1]:8443",))
    assert ancestors(browser.get(f"/embed/{key}")) == {"'none'"}


def test_a_key_that_ends_ends_its_frames(browser: Client, desk: Desk, settings: Settings) -> None:
    settings.PARTNER_KEYS_TTL_SECONDS = 0
    issued = desk.issue()
    short = desk.issue(valid_until=NOW + timedelta(seconds=0.001)).row.public_id
    assert browser.get(f"/embed/{issued.row.public_id}").status_code == 200
    assert browser.get(f"/embed/{short}").status_code == 200
    desk.revoke(issued, now=NOW)
    assert browser.get(f"/embed/{issued.row.public_id}").status_code == 404
    desk.close(now=NOW)
    assert browser.get(f"/embed/{short}").status_code == 404


def test_a_frame_stands_nowhere_while_no_one_can_tell_whose_it_is(
    browser: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OperationalError("the database is away")

    monkeypatch.setattr(register, "_live_keys", fail)
    answer = browser.get(f"/embed/{key}")
    assert answer.status_code == 503
    assert ancestors(answer) == {"'none'"}
    assert "Do not count this as allowed." in read(answer)
    assert int(answer.headers["Retry-After"]) > 0


def test_the_frame_of_the_demo_stands_in_our_own_pages_alone(browser: Client) -> None:
    answer = browser.get("/embed/demo")
    assert ancestors(answer) == {"'self'"}
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


# What it answers


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (EMIRATES, "allowed"),
        (f"{EMIRATES}&count=2", "banned"),
        ("model=anker-a1263&airline=QR&from=QA&to=GB", "conditional"),
        ("model=anker-a1289&airline=QR&from=QA&to=QA", "insufficient"),
        ("wh=99.9&airline=LH&from=DE&to=US&bag=checked", "banned"),
    ],
)
def test_it_answers_as_the_site_does(browser: Client, key: str, question: str, expected: str) -> None:
    answer = browser.get(f"/embed/{key}/check?{question}")
    on_the_site = read_on_the_site(f"/check?{question}")
    assert verdict(answer) == expected
    said = re.search(r'<div class="banner \w+">(.*?)</div>', answer.content.decode(), re.DOTALL)
    assert said is not None
    words = html.unescape(re.sub(r"<[^>]+>", "\n", said[1])).splitlines()
    for line in filter(None, map(str.strip, words)):
        assert line in on_the_site


@pytest.mark.parametrize(
    "question",
    [
        "",
        "model=anker-a1289",
        f"{EMIRATES}&count=0",
        f"{EMIRATES}&date=2020-01-01",
        "model=anker&airline=EK&from=AE&to=GB",
        f"{EMIRATES}&via=QA",
    ],
)
def test_what_is_missing_or_cannot_be_judged_here_is_not_answered(
    browser: Client, key: str, question: str
) -> None:
    answer = browser.get(f"/embed/{key}/check?{question}")
    assert answer.status_code == 200
    assert "banner" not in answer.content.decode()
    assert "do not count the power bank as allowed" in read(answer)


def test_the_form_keeps_the_stop_that_it_has_no_field_for(browser: Client, key: str) -> None:
    page = browser.get(f"/embed/{key}/check?{EMIRATES}&via=QA").content.decode()
    assert '<input type="hidden" name="via" value="QA">' in page


@pytest.mark.parametrize(
    ("question", "expected", "packing"),
    [
        (FAMILY, "allowed", "Passenger 2 Anker 737"),
        (FAMILY.replace("people=2", "people=1"), "banned", "Leave at home"),
        (FAMILY.replace("airline_2=EK", "airline_2=ZZ"), "insufficient", ""),
        (f"{FAMILY}&mah_2=20000".replace("people=2", "people=3"), "insufficient", "20,000 mAh"),
    ],
)
def test_it_answers_itineraries_as_the_site_does(
    browser: Client, key: str, question: str, expected: str, packing: str
) -> None:
    answer = browser.get(f"/embed/{key}/itinerary?{question}")
    on_the_site = browser.get(f"/itinerary?{question}", follow=True).content.decode()
    assert verdict(answer) == expected
    assert f'class="banner {expected}"' in on_the_site
    assert packing in read(answer)
    assert re.search(r'data-seconds="\d+"', answer.content.decode())
    assert 'href="/itinerary?' in answer.content.decode()
    assert answer.headers["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize(
    "question",
    [
        "",
        "people=2",
        f"{FAMILY}&people=3",
        f"{FAMILY}&add=unit",
        f"{FAMILY}&q=swollen",
        "wh=120&airline=LH&from=DE&to=US&airline_2=LH&from_2=US&to_2=DE",
        f"{FAMILY}&weight=3&pax=4",
    ],
)
def test_an_itinerary_that_is_not_wholly_understood_is_not_answered(
    browser: Client, key: str, question: str
) -> None:
    answer = browser.get(f"/embed/{key}/itinerary?{question}")
    assert answer.status_code == 200
    assert "banner" not in answer.content.decode()
    assert "do not count the power bank as allowed" in read(answer)


def test_an_itinerary_that_the_check_can_answer_is_answered_there(browser: Client, key: str) -> None:
    answer = browser.get(f"/embed/{key}/itinerary?{EMIRATES}&accent=c8102e")
    assert answer.status_code == 302
    assert answer["Location"] == f"/embed/{key}/check?{EMIRATES}&accent=c8102e"
    assert ancestors(answer) == {*ORIGINS}


def test_a_frame_with_a_theme_answers_as_one_without(browser: Client, key: str) -> None:
    plain, themed = (
        browser.get(f"/embed/{key}/check?{EMIRATES}{theme}").content.decode()
        for theme in ("", "&accent=c8102e&round=4&scheme=dark")
    )
    assert 'class="banner ' in plain
    assert 'class="banner ' in themed


def test_an_airline_that_no_one_can_answer_for_is_not_allowed(browser: Client, key: str) -> None:
    answer = browser.get(f"/embed/{key}/check?model=anker-a1289&airline=XX&from=AE&to=GB")
    assert 'class="banner insufficient"' in answer.content.decode()
    assert "cannot be cleared" in read(answer)
    assert "banner allowed" not in answer.content.decode()


def test_a_verdict_in_a_frame_is_recorded_like_any_other(
    browser: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = []
    monkeypatch.setattr(
        recording, "record", lambda given, **recorded_with: recorded.append((given, recorded_with))
    )
    browser.get(f"/de/embed/{key}/check?{EMIRATES}")
    ((given, recorded_with),) = recorded
    assert given.outcome.verdict == "allowed"
    assert recorded_with == {"channel": "page", "language": "de"}


def test_an_answer_says_for_how_many_seconds_it_holds_and_is_kept_by_no_one(
    browser: Client, key: str
) -> None:
    answer = browser.get(f"/embed/{key}/check?{EMIRATES}")
    (seconds,) = re.findall(r'data-seconds="(\d+)"', answer.content.decode())
    assert 0 < int(seconds) <= project.VERDICT_VALIDITY_HOURS * 3600
    assert answer.headers["Cache-Control"] == "private, no-store"


def test_the_page_around_it_fills_in_the_fields_and_asks_nothing_for_its_visitor(
    browser: Client, key: str
) -> None:
    answer = browser.get(f"/embed/{key}?model=anker-a1289&airline=EK&from=AE&to=nowhere")
    shown = answer.content.decode()
    assert 'value="Emirates"' in shown
    assert 'value="Anker 737 Power Bank (PowerCore 24K)"' in shown
    assert 'value="United Arab Emirates"' in shown
    assert 'value="nowhere"' in shown
    assert 'class="problem"' not in shown
    assert "banner" not in shown


def test_every_way_on_inside_the_frame_keeps_the_frame_and_how_it_looks(browser: Client, key: str) -> None:
    theme = "accent=c8102e&round=0"
    for path in (f"?{theme}", f"/check?{EMIRATES}&{theme}", f"/check?model=anker&airline=EK&{theme}"):
        shown = html.unescape(browser.get(f"/ja/embed/{key}{path}").content.decode())
        assert f'href="/embed/theme.css?{theme}"' in shown
        inside = re.findall(r'<a (?!href="#)(?![^>]*target="_blank")[^>]*href="([^"]+)"', shown)
        for link in inside:
            assert link.startswith(f"/ja/embed/{key}")
            assert link.endswith(theme)
        for form in re.findall(r"<form.*?</form>", shown, re.DOTALL):
            assert f'action="/ja/embed/{key}/check" method="get"' in form
            assert '<input type="hidden" name="accent" value="c8102e">' in form
        assert inside or "<form" in shown


def test_every_way_out_of_the_frame_opens_a_window_that_cannot_reach_back(browser: Client, key: str) -> None:
    for path in ("", f"/check?{EMIRATES}", f"/itinerary?{FAMILY}"):
        shown = browser.get(f"/embed/{key}{path}").content.decode()
        out = re.findall(r'<a [^>]*target="_blank"[^>]*>', shown)
        assert len(out) > 1
        assert all("noopener" in link for link in out)


# What it never does


@pytest.mark.parametrize("path", ["", f"/check?{EMIRATES}", "/check", f"/itinerary?{FAMILY}"])
def test_a_frame_loads_from_here_alone_and_leaves_nothing_with_its_visitor(
    browser: Client, key: str, path: str
) -> None:
    answer = browser.get(f"/embed/{key}{path}")
    directives = policy(answer)
    assert directives["default-src"] == directives["base-uri"] == "'none'"
    for name in ("script-src", "style-src", "connect-src", "form-action"):
        assert directives[name] == "'self'"
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert answer.cookies == {}
    text = answer.content.decode()
    assert re.findall(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", text) == []
    loaded = re.findall(r'<(?:script|img|link)[^>]*?(?:src|href)="([^"]+)"', text)
    # The fields of a form suggest names; an answer needs no script for it.
    assert len(loaded) == (4 if "<form" in text else 3)
    assert all(one.startswith(("/static/site/", "/embed/theme.css")) for one in loaded)


@pytest.mark.parametrize("language", [code for code, _ in project.LANGUAGES])
@pytest.mark.parametrize("path", ["", f"/check?{EMIRATES}&count=2", f"/itinerary?{FAMILY}"])
def test_all_that_a_page_has_to_load_for_it_is_smaller_than_25_kilobytes(
    browser: Client, key: str, path: str, language: str
) -> None:
    prefix = "" if language == "en" else f"/{language}"
    page = browser.get(f"{prefix}/embed/{key}{path}")
    files = re.findall(r'<(?:script|link)[^>]*?(?:src|href)="([^"]+)"', page.content.decode())
    sizes = [len(page.content)]
    for address in ("/embed.js", *files):
        file: Any = browser.get(html.unescape(address))
        assert file.status_code == 200, address
        sizes.append(len(file.getvalue()))
        file.close()
    assert sum(sizes) < MOST_BYTES, sizes


def test_a_frame_lists_the_weightiest_sources_and_leads_to_the_answer_that_lists_all(
    browser: Client, key: str
) -> None:
    page = browser.get(f"/embed/{key}/check?{EMIRATES}").content.decode()
    counted, _, rest = page.partition("<details>")[2].partition(" sources, last read ")
    listed = re.findall(r'<li><a href="([^"]+)"', rest.partition("</details>")[0])
    assert int(counted.rpartition(">")[2]) > len(listed) == 17
    assert listed[0].startswith("https://www.emirates.com/")
    assert listed[-1].startswith("/check?model=anker-a1289")


def test_who_asks_too_much_is_told_inside_the_frame_and_spends_no_limit_of_the_partner(
    browser: Client, key: str, settings: Settings
) -> None:
    settings.PAGES_RATE = "2/m"
    asked: list[HttpResponse] = [
        browser.get(f"/embed/{key}/check?{EMIRATES}", REMOTE_ADDR="198.51.100.9")  # type: ignore[misc]
        for _ in range(3)
    ]
    assert [answer.status_code for answer in asked] == [200, 200, 429]
    assert ancestors(asked[-1]) == {*ORIGINS}
    assert 1 <= int(asked[-1].headers["Retry-After"]) <= 60
    assert "Do not count this as allowed." in read(asked[-1])
    # Somebody else, and the check before anything is asked.
    assert browser.get(f"/embed/{key}/check?{EMIRATES}", REMOTE_ADDR="198.51.100.10").status_code == 200
    assert browser.get(f"/embed/{key}", REMOTE_ADDR="198.51.100.9").status_code == 200


def test_names_that_have_to_be_looked_for_count_like_questions_and_codes_do_not(
    browser: Client, key: str, settings: Settings
) -> None:
    settings.PAGES_RATE = "2/m"

    def shown(query: str) -> int:
        return browser.get(f"/embed/{key}?{query}", REMOTE_ADDR="198.51.100.11").status_code

    assert [shown("model=ANKER-a1289&airline=ek&from=AE&to=gb&bag=checked") for _ in range(3)] == [200] * 3
    assert [shown(query) for query in ("model=anker", "from=dubai", "q=anker 737")] == [200, 200, 429]
    assert shown(EMIRATES) == 200


# The files that pages name


def test_the_script_may_be_loaded_by_any_page_and_is_looked_for_again_soon(browser: Client) -> None:
    answer = browser.get("/embed.js")
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "max-age=300" in answer.headers["Cache-Control"]
    again = browser.get("/embed.js", headers={"if-none-match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_the_script_knows_the_languages_and_choices_that_there_are(browser: Client) -> None:
    script = browser.get("/embed.js").content.decode()
    (languages,) = re.findall(r"LANGUAGES = \[(.*?)\]", script)
    assert re.findall(r'"([\w-]+)"', languages) == [code for code, _ in project.LANGUAGES[1:]]
    (chosen,) = re.findall(r"CHOSEN = \[(.*?)\]", script)
    shown = browser.get("/embed").content.decode()
    for name in re.findall(r'"(\w+)"', chosen):
        assert f"<code>data-{name}</code>" in shown


def test_the_page_says_who_gives_keys_and_that_its_own_is_an_example(browser: Client) -> None:
    for form in ("text/html", "text/markdown"):
        shown = browser.get("/embed", headers={"accept": form}).content.decode()
        assert "The operator of this service gives keys" in shown
        assert "The key in the code above is an example and shows no check" in shown
    asked = browser.get("/partners/sign-in", follow=True).content.decode()
    assert "The operator of this service gives keys to sites" in asked


def test_two_themes_are_two_files(browser: Client) -> None:
    plain, red = (browser.get(f"/embed/theme.css{query}") for query in ("", "?accent=c8102e"))
    assert plain.headers["Content-Type"] == red.headers["Content-Type"] == "text/css; charset=utf-8"
    assert b"#c8102e" in red.content
    assert b"#c8102e" not in plain.content
    assert plain.headers["ETag"] != red.headers["ETag"]


# The page that shows how


def test_partners_are_shown_how_with_the_check_itself(browser: Client, settings: Settings) -> None:
    settings.SITE_URL = "https://power.example"
    answer = browser.get("/embed?accent=%23c8102e&round=4&scheme=light")
    text = html.unescape(answer.content.decode())
    assert policy(answer)["frame-src"] == policy(answer)["script-src"] == "'self'"
    assert policy(answer)["frame-ancestors"] == "'none'"
    assert '<script src="/embed.js" data-key="demo"' in text
    assert 'data-accent="c8102e" data-round="4" data-scheme="light"' in text
    assert "https://power.example/embed.js" in text
    assert "script-src https://power.example; frame-src https://power.example" in text
    assert browser.get("/embed/").headers["Location"] == "/embed"
