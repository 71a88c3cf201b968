"""No page is half translated: in another language, what is no translated text is a name or a quotation.

A made-up translation puts brackets around every word that a text spells. What then stands outside of brackets
must be a name, a code or a figure of the release, a name that CLDR gives, a day, or a quotation that says its
language. A new kind of page is held to it by its address in `PAGES`.
"""

import json
import re
from collections.abc import Collection, Iterator
from gettext import NullTranslations
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.template.defaultfilters import filesizeformat
from django.test import Client
from django.utils import timezone
from django.utils.translation import override
from pytest_django.fixtures import Settings

from aeo import editions
from aeo.datasets.actions import keep_datasets
from aeo.datasets.models import DatasetFile
from aeo.guides import load_guides
from aeo.itineraries.card import PUBLIC_NAME
from aeo.reference.lists import LISTS
from aeo.scorecard.actions import keep_scorecard
from aeo.service.views import PLAIN
from aeo.web.jsonld import PUBLISHER
from catalog.fetching import policy_from_settings
from rules import corpus
from rules.cases import load_cases
from rules.corpus import Published
from rules.policy_history.actions import keep_policy_history
from rules.wording import translating
from tests.aeo.policy_histories import histories
from tests.support import starter
from tests.support.ledger import DAY, FIRST, publish, world_content

LANGUAGE = "sv"
"""A language that no other test uses: texts are cached by language, for all tests of a process."""

LANGUAGES = [("en", "English"), (LANGUAGE, "Svenska")]
"""Each language is named by what its speakers call it, on pages in every language."""

PAGES = (
    "/",
    "/check?model=anker-a1289&airline=EK&from=AE&to=GB&count=2",
    "/check?model=anker-a1289&airline=CA&from=CN&to=JP&date=2026-12-24&mark=absent",
    "/check?model=anker-a1263&airline=SQ&from=JP&to=SG",
    "/check?wh=99.9&airline=LH&from=DE&to=US&bag=checked",
    "/check?model=00000&airline=000&from=000&to=JP&count=0",
    "/trip",
    "/trip?model=anker-a1263&leg=JP-AE-EK&leg=AE-GB-NK",
    "/trip?wh=50&airline=EK&from=JP&via=AE&to=GB",
    "/card?model=anker-a1289&airline=EK&from=JP&via=AE&to=GB",
    "/p/anker-a1263/ek/ae",
    "/p/anker-a1263/jl/jp",
    "/p/anker-a1289/lh/de",
    "/p/anker-a1289/ca/cn",
    "/models/anker-a1263",
    "/models/anker-a1289",
    "/brands",
    "/brands/anker",
    "/airlines/ek",
    "/airlines/qf",
    "/airlines/3u",
    "/airlines/nk",
    "/countries/jp",
    "/countries/fr",
    "/countries/ad",
    "/recalls/us-cpsc-25-338",
    "/airlines",
    "/airlines?q=nothing+is+called+so",
    "/compare",
    "/compare/ek-nk-qr?model=anker-a1289",
    "/compare/ek-qr?model=nothing",
    *(f"/{name}" for name in LISTS),
    "/models?page=2",
    "/guides",
    "/guides/power-bank-27000-mah-100-wh",
    "/guides/power-banks-on-emirates",
    *(f"/{name}" for name in PLAIN),
    "/map",
    "/map/mark",
    "/map/evidence",
    "/timeline",
    "/timeline?coming=1",
    "/embed",
    "/embed/demo",
    "/embed/demo/check?model=anker-a1289&airline=EK&from=AE&to=GB&count=2",
    "/embed/demo/check?wh=99.9&airline=LH&from=DE&to=US&bag=checked",
    "/embed/demo/check?model=00000&airline=000&from=000&to=JP&via=AE",
)

VALUE = re.compile(r"(%\(\w+\)[sd]|\{\w+\})")
TEXT = re.compile("⟦[^⟧]*⟧")
ADDRESS = re.compile(r"https?://[^\s\"'<>⟦]+|(?:vdt|trip)_[a-z2-7]{26}")
"""Of pages, and of verdicts."""

SITE = re.compile(r"(?<![\w.])(?:[a-z-]+\.)+[a-z]{2,3}(?![\w.])")

LETTER = re.compile(r"[^\W\d_]")

UNSPOKEN = frozenset({"code", "pre", "script", "style", "q"})
"""Elements whose text is for programs, or quoted; others name a language of their own."""

SAID_IN = frozenset({"alt", "aria-label", "placeholder", "title"})
"""Attributes that are read to people."""

FORMATS = ("CSV", "JSON Lines", "SHA-256")
"""What files are called everywhere."""

TEXT_KEYS = frozenset({"articleBody", "description", "headline", "name", "text"})
"""Properties of structured data that say something to people."""


class Bracketed(NullTranslations):
    """Puts what a text spells into brackets, and leaves what it is filled with outside of them."""

    def gettext(self, message: str) -> str:
        return "".join(
            part if VALUE.fullmatch(part) else f"⟦{part}⟧" for part in VALUE.split(message) if part
        )

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


class Said(HTMLParser):
    """What a page says to people, piece by piece."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.structured: list[Any] = []
        self._within: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.pieces += [value for name, value in attrs if name in SAID_IN and value]
        about = given.get("name") or given.get("property") or ""
        if tag == "meta" and about.endswith(("description", "title", "alt", "site_name")):
            self.pieces.append(given["content"] or "")
        if tag not in {"meta", "link", "input", "img", "br", "hr"}:
            elsewhere = given.get("lang", LANGUAGE) != LANGUAGE
            self._within.append((tag, elsewhere or (tag in UNSPOKEN and tag != "q")))

    def handle_endtag(self, tag: str) -> None:
        while self._within and self._within.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._within and self._within[-1][0] == "script":
            self.structured += json.loads(data)
        elif not any(unspoken for _, unspoken in self._within):
            self.pieces.append(data)


def texts_of(node: Any) -> Iterator[str]:
    """What structured data says to people; the names of measurements are for programs."""
    if isinstance(node, list):
        for one in node:
            yield from texts_of(one)
    elif isinstance(node, dict) and node.get("@type") != "PropertyValue":
        for name, value in node.items():
            if name in TEXT_KEYS and isinstance(value, str):
                yield value
            yield from texts_of(value)


def names_of(release: Published) -> Iterator[str]:
    """Every name and code that a page may show as the release has it."""
    shelf = release.shelf
    yield release.ruleset_version
    for device in shelf.all_devices:
        yield from (device.model_id, device.brand, device.model_name, device.model_number or "")
        yield from (*device.aliases, *device.certifications)
    for airline in shelf.airlines.values():
        yield from (airline.airline, airline.icao, airline.name)
    for place in shelf.jurisdictions.values():
        yield from (place.code, place.regulator)
    for rule in shelf.rules.values():
        yield from (rule.rule_id, rule.authority)
    for recall in shelf.recalls.values():
        yield from (recall.recall_id, recall.authority)
        yield from (recall.affected_serials.pattern or "", recall.affected_serials.not_affected_pattern or "")
    for source_id, source in shelf.sources.items():
        yield from (source_id, source.authority, source.jurisdiction)


def names(release: Published) -> re.Pattern[str]:
    """Names of the release and of CLDR, and months, the longest first."""
    cldr = translating.locale(LANGUAGE)
    known = {
        *names_of(release),
        *map(str, cldr.territories.values()),
        *map(str, cldr.months["format"]["wide"].values()),
        *(name.removesuffix(".") for name in map(str, cldr.months["format"]["abbreviated"].values())),
        *(name for _, name in LANGUAGES),
        *FORMATS,
        PUBLISHER,
        PUBLIC_NAME,
        policy_from_settings().robot,
    }
    ordered = sorted(known - {""}, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, ordered))})(?!\w)")


def left_over(page: str, release: Published, figures: Collection[str] = ()) -> set[str]:
    """What a page says that is neither a translated text nor a name, an address or a quotation.

    `figures` are what it shows beside the release, as Django writes it in every language.
    """
    said = Said()
    # The lines of a text in a picture are one text.
    said.feed(re.sub(r"</tspan> <tspan[^>]*>", " ", page))
    found, known = set(), names(release)
    for piece in [*said.pieces, *texts_of(said.structured)]:
        rest = SITE.sub(" ", known.sub(" ", ADDRESS.sub(" ", TEXT.sub(" ", piece))))
        for figure in figures:
            rest = rest.replace(figure, " ")
        if LETTER.search(rest):
            found.add(f"{' '.join(rest.split())} in {' '.join(piece.split())[:200]}")
    return found


def shown(path: str) -> str:
    """A page in the made-up language."""
    answer = Client(headers={"accept": "text/html"}).get(f"/{LANGUAGE}{path}")
    assert answer.status_code == 200, path
    assert answer["Content-Language"] == LANGUAGE
    return answer.content.decode()


@pytest.fixture(autouse=True)
def _made_up_language(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LANGUAGES = LANGUAGES
    none = NullTranslations()
    monkeypatch.setattr(
        translating, "translations", lambda language: Bracketed() if language == LANGUAGE else none
    )


def test_no_other_test_uses_the_made_up_language() -> None:
    files = Path(__file__).parents[2].rglob("*.py")
    assert [file.name for file in files if f'"{LANGUAGE}"' in file.read_text(encoding="utf-8")] == [
        Path(__file__).name
    ]


@pytest.mark.usefixtures("pages", "now")
@pytest.mark.parametrize("path", PAGES)
def test_a_page_in_another_language_says_nothing_in_english_but_names_and_quotations(path: str) -> None:
    page = shown(path)
    assert page.count("⟦") > 10
    assert left_over(page, starter.starter_release()) == set()


@pytest.mark.usefixtures("pages", "now")
def test_what_a_recall_notice_says_is_quoted_in_its_own_language() -> None:
    recall = starter.starter_release().shelf.recalls["us-cpsc-25-338"]
    page = shown("/recalls/us-cpsc-25-338")
    assert f'<q lang="en">{recall.remedy}</q>' in page
    assert recall.title not in page


@pytest.mark.usefixtures("pages", "now")
def test_structured_data_names_the_language_and_the_one_publisher_of_all_languages() -> None:
    said = Said()
    said.feed(shown("/p/anker-a1263/ek/ae"))
    article, crumbs = said.structured
    assert article["inLanguage"] == LANGUAGE
    assert article["url"] == f"http://127.0.0.1:8000/{LANGUAGE}/p/anker-a1263/ek/ae"
    assert article["publisher"]["url"] == "http://127.0.0.1:8000/"
    assert crumbs["itemListElement"][0]["item"] == f"http://127.0.0.1:8000/{LANGUAGE}/brands"


@pytest.mark.usefixtures("pages", "now")
def test_a_guide_is_shown_in_the_language_of_its_address() -> None:
    guide = next(one for one in load_guides() if one.slug == "power-bank-27000-mah-100-wh")
    page = shown(guide.path)
    assert f"<h1>⟦{guide.prose.title}⟧</h1>" in page
    assert "⟦As of ⟧20 november 2026⟦, it depends" in page


@pytest.mark.django_db
@pytest.mark.usefixtures("fresh_process")
def test_the_page_of_datasets_says_nothing_in_english_but_names_and_quotations() -> None:
    publish(world_content(), note="First of all.")
    keep_datasets()
    page = shown("/datasets")
    assert '<q lang="en">First of all.</q>' in page
    with override(LANGUAGE):
        sizes = {filesizeformat(file.size_bytes) for file in DatasetFile.objects.all()}
    assert left_over(page, corpus.current(), sizes) == set()


@pytest.mark.django_db
@pytest.mark.usefixtures("fresh_process")
@pytest.mark.parametrize("path", ["/scorecard", "/rulesets", "/rulesets/2026-11-20", "/status"])
def test_a_page_of_kept_figures_says_nothing_in_english_but_names_and_quotations(path: str) -> None:
    publish(world_content(), note="First of all.")
    keep_datasets()
    keep_scorecard(edition=editions.current(timezone.now()), now=timezone.now())
    page = shown(path)
    assert page.count("⟦") > 10
    files = {case.file for case in load_cases()}
    assert left_over(page, corpus.current(), files) == set()


@pytest.mark.django_db
@pytest.mark.usefixtures("fresh_process")
@pytest.mark.parametrize("path", ["/airlines/ek", "/policy-changes"])
def test_what_releases_changed_is_told_without_a_sentence_of_an_editor(path: str) -> None:
    for number, content in enumerate(histories()):
        publish(content, now=FIRST + number * DAY)
    release = corpus.refresh()
    keep_policy_history(now=FIRST + 3 * DAY)
    page = shown(path)
    assert page.count("/rulesets/2026-11-2") > 5
    assert left_over(page, release) == set()


@pytest.mark.parametrize(
    "page",
    [
        "<p>Read the label.</p>",
        "<p>⟦Lees ⟧37 Wh, rated⟦.⟧</p>",
        '<nav aria-label="Where you are"></nav>',
        "<p><q>Stop using it.</q></p>",
        '<meta name="description" content="May it fly?">',
        '<script type="application/ld+json">[{"headline": "May it fly?"}]</script>',
    ],
)
def test_an_english_literal_is_found_wherever_people_read_it(page: str) -> None:
    assert left_over(page, starter.starter_release())
