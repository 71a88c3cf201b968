"""Every link of every kind of page, in every language and in both forms, leads to where it says.

A link of this site leads to an answer. A link to another site is an absolute address, and the very one that
the page has in English.
"""

import functools
import html
import re
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from pytest_django.fixtures import Settings

from aeo.datasets.actions import keep_datasets
from aeo.page_records.register import Register
from aeo.web.languages import localized, split
from rules import corpus
from rules.policy_history.actions import keep_policy_history
from tests.support import starter
from tests.support.ledger import publish
from tests.support.public_addresses import CHECK, PAGES

pytestmark = pytest.mark.django_db

SITE = "http://127.0.0.1:8000"
LANGUAGES = tuple(code for code, _ in settings.LANGUAGES)
FORMS = ("text/html", "text/markdown")

KINDS = (
    *PAGES,
    f"/check?{CHECK}",
    "/check?wh=99.9&airline=LH&from=DE&to=US&bag=checked",
    "/check?model=00000&airline=000&from=000&to=JP&count=0",
    f"/trip?{CHECK}&via=KR",
    f"/card?{CHECK}",
    "/embed/demo/check?model=anker-a1289&airline=EK&from=AE&to=GB&count=2",
    "/guides/how-many-power-banks-in-2026",
    "/airlines/nk",
    "/countries/cn",
    "/countries/ad",
    "/models/anker-a1289",
)

HTML_LINK = re.compile(r'<(?:a|area|link|script|img|iframe|form)\b[^>]*?\s(?:href|src|action)="([^"]*)"')
MARKDOWN_LINK = re.compile(r"(?<!\\)\]\(([^)\s]*)\)")
SCHEME_IN_PATH = re.compile(r"https?:|//", re.IGNORECASE)

UNASKED = re.compile(rf"/{settings.ADMIN_PATH}/|/watch$|/api/watches|/static/|/mcp")
"""Addresses that take no GET, or that are made by one."""


@pytest.fixture(autouse=True)
def _published(pages: Register, now: object, fresh_process: None, settings: Settings) -> None:
    """The starter corpus in the ledger too, so that there are feeds, files and rulesets."""
    settings.PAGES_RATE = settings.ANONYMOUS_RATE = "1000000/m"
    publish(starter.starter_content(), now=starter.NOW)
    corpus.refresh()
    keep_datasets()
    keep_policy_history(now=starter.NOW)


@functools.cache
def links(path: str, accept: str) -> set[str]:
    """The addresses that a page leads to, as a reader follows them.

    Asked once of each page: with the English one, those in all other languages are compared.
    """
    version = corpus.current().ruleset_version
    answer = Client(headers={"accept": accept}).get(path.replace("VERSION", version), follow=True)
    assert answer.status_code == 200, path
    pattern = MARKDOWN_LINK if answer["Content-Type"].startswith("text/markdown") else HTML_LINK
    return {html.unescape(found) for found in pattern.findall(answer.content.decode())}


def is_own(link: str) -> bool:
    return link.removeprefix(SITE).startswith(("/", "#", "?"))


ANSWERED: dict[str, int] = {}
"""What readers got who followed a page, by its path in English, and any other address."""


def status(path: str) -> int:
    """What a reader gets who follows a path of this site. A page is asked for in one of its languages."""
    page = split(path)[1]
    if page not in ANSWERED:
        ANSWERED[page] = Client(headers={"accept": "text/html, */*;q=0.5"}).get(path, follow=True).status_code
    return ANSWERED[page]


def is_answered(link: str) -> bool:
    """Whether a link of this site is one: no address of another site is within it, and it gets an answer."""
    path = link.partition("#")[0]
    place = path.partition("?")[0]
    if SCHEME_IN_PATH.search(place):
        return False
    return not path.startswith("/") or bool(UNASKED.match(split(place)[1])) or status(path) == 200


def unfollowed(language: str, accept: str, kind: str) -> list[str]:
    """The links of a page of a kind that lead nowhere, or elsewhere than they do in English."""
    found, in_english = links(localized(kind, language), accept), links(kind, accept)
    outside = {link for link in found if not is_own(link)}
    wrong = outside ^ {link for link in in_english if not is_own(link)}
    wrong |= {link for link in outside if urlsplit(link).scheme not in {"http", "https"}}
    wrong |= {link for link in outside if not urlsplit(link).hostname}
    wrong |= {link for link in found - outside if not is_answered(link.removeprefix(SITE))}
    return sorted(wrong)


@pytest.mark.parametrize("accept", FORMS)
def test_every_link_leads_to_an_answer_of_this_site_or_is_the_address_of_another_one(accept: str) -> None:
    wrong = {
        (language, kind): nowhere
        for at, kind in enumerate(KINDS)
        for language in (*LANGUAGES[at % len(LANGUAGES) :], *LANGUAGES[: at % len(LANGUAGES)])
        if (nowhere := unfollowed(language, accept, kind))
    }
    assert wrong == {}
    assert len(ANSWERED) > len(KINDS)
