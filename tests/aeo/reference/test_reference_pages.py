"""Model, airline, country and recall pages: what the API says, in pages that lead to each other."""

import datetime
import json
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from html import escape
from typing import Any

import pytest
from django.test import Client

from aeo.editions import Edition
from aeo.page_records.register import Indexed, Register
from aeo.pages import markdown
from aeo.pages.html import sections
from aeo.pages.record import Facts, Page, Shown, Table
from aeo.reference.country import country_page
from aeo.reference.indexing import indexed_paths, reference_pages
from aeo.reference.lists import LISTS
from aeo.reference.policy import LABELS
from aeo.web.formatting import day as in_words
from rules.engine.matching import plain
from rules.selectors.policy_fields import PolicyFields
from rules.wording.steps import rule_words
from tests.aeo.conftest import CHANGED, indexed_combinations
from tests.support import starter

pytestmark = pytest.mark.usefixtures("pages", "now")

SITE = "http://127.0.0.1:8000"
PATHS = ("/models/anker-a1263", "/airlines/ek", "/countries/jp", "/recalls/us-cpsc-25-338")


@pytest.fixture
def built(edition: Edition) -> dict[str, Page]:
    """Every indexed page of the starter corpus by its address."""
    return _built(edition)


@cache
def _built(edition: Edition) -> dict[str, Page]:
    return {page.path: page for page in reference_pages(edition, Indexed(indexed_combinations()))}


def api(path: str) -> dict[str, Any]:
    answer = Client().get(path)
    assert answer.status_code == 200, path
    body: dict[str, Any] = answer.json()
    return body


def structured(page: str) -> list[dict[str, Any]]:
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    nodes: list[dict[str, Any]] = json.loads(found[1])
    return nodes


def text(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.partition("<main>")[2]).split())


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        (
            "/models/anker-a1263",
            "The Anker PowerCore 10000 is a power bank of 37 Wh. With 37 Wh it is within the international",
        ),
        (
            "/airlines/qf",
            "Qantas accepts a power bank of up to 100 Wh in the cabin without prior approval.",
        ),
        (
            "/airlines/ek",
            "Emirates accepts a power bank of under 100 Wh in the cabin without prior approval.",
        ),
        ("/airlines/nk", "Flights of Spirit Airlines cannot be decided"),
        ("/airlines/3u", "The power bank policy of Sichuan Airlines is not known"),
        ("/countries/jp", "has 11 rules in force for power banks on flights from, to or within Japan"),
        ("/countries/ad", "No rule of an authority of Andorra is on file"),
        ("/recalls/us-cpsc-25-338", "Yes: a recall of exactly the Anker PowerCore 10000"),
    ],
)
def test_the_first_sentence_answers_the_question_of_the_page(
    browser: Client, path: str, sentence: str
) -> None:
    page = browser.get(path).content.decode()
    assert sentence in text(page.partition('<p class="lead">')[2].join(["<main>", ""]))
    assert "Ruleset version 2026-11-20" in text(page)
    assert "Fresh until 22 November 2026, 00:00 UTC" in text(page)
    assert "<script" not in page.replace('<script type="application/ld+json">', "")


def test_every_model_says_what_the_api_says_of_it(edition: Edition, browser: Client) -> None:
    for device in edition.release.shelf.all_devices[::25]:
        facts = api(f"/api/devices/{device.model_id}")
        page = browser.get(f"/models/{device.model_id}").content.decode()
        product = structured(page)[0]["mainEntity"]
        assert product["@type"] == "Product"
        assert (product["productID"], product["brand"]["name"]) == (facts["model_id"], facts["brand"])
        assert product.get("model") == facts["model_number"]
        values = {one["name"]: one["value"] for one in product.get("additionalProperty", [])}
        assert values.get("watt-hours") == facts["watt_hour"]
        assert values.get("capacity") == facts["capacity_mah"]
        assert values.get("nominal voltage") == facts["nominal_voltage"]
        assert not {"offers", "review", "aggregateRating"} & product.keys()
        for citation in facts["citations"]:
            assert f'href="{citation["url"].replace("&", "&amp;")}"' in page
        for recall in facts["recalls"]:
            assert f'href="/recalls/{recall["recall_id"]}"' in page
        for recalled in starter.starter_release().shelf.recalls_of(device.model_id):
            assert escape(recalled.remedy) in page


def test_a_model_whose_watt_hours_no_one_knows_says_so_and_is_cleared_for_nothing(browser: Client) -> None:
    unknown = [device for device in starter.starter_content().devices if device.watt_hour is None]
    assert len(unknown) == 9
    for device in unknown:
        read = text(browser.get(f"/models/{device.model_id}").content.decode())
        assert "so it cannot be cleared for any flight" in read
        assert "Watt-hours not known" in read
        assert "Allowed" not in read


def test_no_certification_on_file_reads_as_not_known(browser: Client) -> None:
    read = text(browser.get("/models/anker-a1263").content.decode())
    assert "Certifications not known" in read


def test_every_airline_says_how_well_it_is_known_and_whether_anything_can_be_decided(
    edition: Edition, browser: Client
) -> None:
    words = {
        "own_page": "Own page read",
        "dated_copy": "Dated copy of its page read",
        "reports": "Only reports read",
        "nothing": "Nothing read",
    }
    for code in [*list(edition.release.shelf.airlines)[::10], "NK"]:
        facts = api(f"/api/airlines/{code}")
        read = text(browser.get(f"/airlines/{code.lower()}").content.decode())
        day = facts["policy_read_on"]
        last = f", last on {in_words(datetime.date.fromisoformat(day))}" if day else ""
        assert f"How it was read {words[facts['policy_read']]}{last}" in read
        assert f"Rules in force {facts['rule_count']}" in read
        if not facts["covered"]:
            assert "AIRLINE_NOT_COVERED" in read
            assert "Its power bank policy" not in read


def test_an_airline_whose_policy_no_one_read_is_never_quoted(browser: Client) -> None:
    silent = [one for one in starter.starter_content().airlines if one.confidence == "unverified"]
    assert silent
    for airline in silent:
        page = text(browser.get(f"/airlines/{airline.airline.lower()}").content.decode())
        lead = page.partition("How well this is known")[0]
        assert f"The power bank policy of {airline.name} is not known" in lead
        assert "accepts" not in lead
        assert "Its power bank policy" not in page
        assert "No page of the airline says so." in page


def cited_by_rules_of(jurisdiction: str) -> set[tuple[str, str]]:
    """Return what the rules of a jurisdiction's authority cite, by the API."""
    rules = api(f"/api/rules?jurisdiction={jurisdiction}&limit=100")["rules"]
    return {
        (one["url"], f"{one['pulled_at']}T00:00:00Z")
        for rule in rules
        if rule["airline"] is None
        for one in rule["citations"]
    }


def test_the_structured_data_of_an_airline_and_a_country_name_what_the_api_names(browser: Client) -> None:
    facts = api("/api/airlines/EK")
    airline = structured(browser.get("/airlines/ek").content.decode())[0]["mainEntity"]
    assert (airline["@type"], airline["iataCode"], airline["name"]) == ("Airline", "EK", facts["name"])
    assert airline["identifier"]["value"] == facts["icao"]
    assert airline["location"]["identifier"] == facts["country"]
    country = structured(browser.get("/countries/jp").content.decode())[0]
    assert country["mainEntity"] == {"@type": "Country", "name": "Japan", "identifier": "JP"}
    cited = {(one["url"], one["pulled_at"]) for one in country["citation"]}
    own, international = cited_by_rules_of("JP"), cited_by_rules_of("INTL")
    # Japan is silent on approval on departing flights, so the page rests on the baseline there too.
    assert own < cited
    assert cited <= own | international


def test_each_field_of_a_policy_has_words_and_evidence(browser: Client) -> None:
    assert set(LABELS) == set(PolicyFields.__struct_fields__)
    page = browser.get("/airlines/ek").content.decode()
    table = page.partition("<tbody>")[2].partition("</tbody>")[0]
    rows = re.findall(r'<tr><th scope="row">(.*?)</th><td>(.*?)</td><td>(.*?)</td></tr>', table)
    said = {name: value for name, value, _ in rows}
    assert said["Units per passenger"] == "at most 1"
    assert said["In the overhead bin"] == "not allowed"
    assert said["In the cabin without approval"] == "under 100 Wh"
    assert said["Refused in the cabin"] == "100 Wh or more"
    listed = re.findall(r'<li><a href="([^"]*)"', page.partition('<ol class="sources">')[2])
    for _, _, evidence in rows:
        links = re.findall(r'<a href="([^"]*)" rel="external">\[(\d+)\]</a>', evidence)
        assert links
        for url, number in links:
            assert listed[int(number) - 1] == url


def test_a_country_lists_the_rules_of_its_own_authority_and_of_its_region(browser: Client) -> None:
    page = browser.get("/countries/ch").content.decode()
    for jurisdiction in ("CH", "EU"):
        for rule in api(f"/api/rules?jurisdiction={jurisdiction}&limit=100")["rules"]:
            if rule["airline"] is None:
                assert f'href="/api/rules/{rule["rule_id"]}"' in page
    based = api("/api/airlines?country=CH&limit=100")["airlines"]
    assert based
    for airline in based:
        assert f'href="/airlines/{airline["airline"].lower()}"' in page


def test_what_a_domestic_rule_alone_demands_is_in_the_first_table_of_its_country(edition: Edition) -> None:
    release, found = edition.release, set()
    for code in release.corpus.countries:
        rules = [
            rule
            for rule in release.shelf.rules.values()
            if rule.airline is None
            and rule.in_force(edition.today)
            and rule.jurisdiction in {*release.corpus.places(code), "INTL"}
        ]
        elsewhere = {rule_words(rule, "en") for rule in rules if {"departure", "global"} & set(rule.applies)}
        page = country_page(edition, code, Indexed(indexed_combinations()))
        tables = [block for section in page.sections for block in section.blocks if isinstance(block, Table)]
        first = "".join(markdown.line(row[0]) for row in tables[0].rows) if tables else ""
        for rule in rules:
            said = rule_words(rule, "en")
            binds = rule.effect in {"require", "prohibit"}
            if binds and "domestic" in rule.applies and said not in elsewhere:
                assert markdown.escaped(said.says) in first, rule.rule_id
                found.add(code)
    assert {"CN", "IN", "KR"} <= found


def test_a_country_says_what_becomes_of_refused_units_at_its_airports(browser: Client) -> None:
    shown = browser.get("/countries/kr").content.decode()
    assert "Refused power banks at airports" in shown
    assert "Items not allowed on board can be stored until return" in shown
    assert "Refused power banks at airports" not in browser.get("/countries/gb").content.decode()


def test_a_stricter_domestic_rule_is_said_before_any_milder_one(browser: Client) -> None:
    read = text(browser.get("/countries/cn").content.decode())
    order = [
        "Stricter rules apply to a power bank on flights within China. It must have a CCC (3C) mark",
        "On flights within China",
        "It must have a CCC (3C) mark that can be read clearly. [",
        "A power bank of a recalled model may not travel.",
        "On international flights from China",
        "A CCC (3C) mark advised",
    ]
    place = 0
    for piece in order:
        place = read.index(piece, place)
    assert "On flights from China" not in read
    assert "On flights within France" not in text(browser.get("/countries/fr").content.decode())


def test_every_recall_concerns_its_one_model_and_tells_how_a_unit_is_checked(edition: Edition) -> None:
    for recall in edition.release.shelf.recalls.values():
        page = markdown.text(Shown(page=_built(edition)[f"/recalls/{recall.recall_id}"], indexed=True))
        assert set(re.findall(rf"\({SITE}/models/([^)]*)\)", page)) == {recall.model_id}
        assert "Other models of the brand do not inherit it" in page
        assert not re.search(rf"\({SITE}/brands/", page)
        affected = recall.affected_serials
        if affected.scope == "all_units":
            assert "All units of this model are affected" in page
        elif affected.pattern is not None:
            assert "compares it with the recall's own pattern in your browser and sends it nowhere" in page
        elif affected.explicit_list_url is not None:
            assert "Only the maker's list shows" in page
        else:
            assert "The notice gives no number to compare, so no unit is cleared here" in page


def test_travelers_read_the_numbers_of_a_recall_and_never_its_pattern(
    edition: Edition, built: dict[str, Page]
) -> None:
    page = sections(built["/recalls/us-cpsc-2025-12-05-iniu-bi-b41"].sections)
    assert "000G21, 000H21, 000I21, 000L21" in page
    assert "numbers of a certain form: check yours above" in sections(
        built["/recalls/us-cpsc-2025-11-13-belkin-bpb002"].sections
    )
    for recall in edition.release.shelf.recalls.values():
        shown = sections(built[f"/recalls/{recall.recall_id}"].sections)
        without_script = re.sub(r"<script.*?</script>", "", shown, flags=re.DOTALL)
        for pattern in (recall.affected_serials.pattern, recall.affected_serials.not_affected_pattern):
            assert pattern is None or escape(pattern) not in without_script


def test_a_recall_whose_notice_must_be_searched_for_says_where(built: dict[str, Page]) -> None:
    page = built["/recalls/jp-anker-2025-10-21-a1263"]
    shown = markdown.text(Shown(page=page, indexed=True))
    assert "[search for the notice at recall.caa.go.jp](https://www.recall.caa.go.jp/)" in shown
    assert "If its answer or its list says that yours is not affected, choose that" in shown
    direct = markdown.text(Shown(page=built["/recalls/us-cpsc-25-338"], indexed=True))
    assert "search for the notice" not in direct


def test_a_model_under_recall_says_what_to_do_and_how_to_check(built: dict[str, Page]) -> None:
    checked, all_units = (
        markdown.text(Shown(page=built[path], indexed=True))
        for path in ("/models/anker-a1263", "/models/anker-a1366")
    )
    assert "Stop using yours until a check shows that it is not affected." in checked
    assert "look up the serial number there before you fly. [The maker's list](https://" in checked
    assert "Stop using yours: every unit of this model is affected." in all_units
    assert "until a check" not in all_units


def test_a_recall_names_the_days_and_months_of_affected_units_in_words(built: dict[str, Page]) -> None:
    anker, others = markdown.text(Shown(page=built["/recalls/us-cpsc-25-338"], indexed=True)), 0
    assert "- Made: 1 January 2016 to 30 October 2019" in anker
    for path, page in built.items():
        if path.startswith("/recalls/"):
            text = markdown.text(Shown(page=page, indexed=True))
            rows = re.findall(r"^- (?:Made|Sold): (.*)$", text, re.MULTILINE)
            others += len(rows)
            assert not any(re.search(r"[0-9]{4}-[0-9]{2}", row) for row in rows), path
    assert others > 20


def test_a_recall_whose_day_is_not_known_has_no_day_in_its_structured_data(built: dict[str, Page]) -> None:
    for recall in starter.starter_content().recalls:
        node = built[f"/recalls/{recall.recall_id}"].node
        assert node is not None
        dated = node["mainEntity"].get("datePublished")
        exact = recall.announced_precision == "day"
        assert dated == (recall.announced_on.isoformat() if exact else None)


def test_no_two_indexed_pages_share_a_body(built: dict[str, Page]) -> None:
    bodies = Counter(markdown.text(Shown(page=page, indexed=True)) for page in built.values())
    assert max(bodies.values()) == 1
    sections = Counter((page.lead, page.sections) for page in built.values())
    assert max(sections.values()) == 1
    assert len({page.title for page in built.values()}) == len(built)


def test_each_fact_of_a_page_is_named_once(built: dict[str, Page]) -> None:
    for path, page in built.items():
        for section in page.sections:
            for block in section.blocks:
                names = [name for name, _ in block.rows] if isinstance(block, Facts) else []
                assert len(set(names)) == len(names), path


def test_what_says_nothing_of_its_own_is_not_for_the_index(edition: Edition, browser: Client) -> None:
    paths = indexed_paths(edition)
    assert set(_built(edition)) == paths
    shelf = edition.release.shelf
    for path in ("/airlines/nk", "/airlines/3u", "/countries/ad"):
        assert path not in paths
        assert '<meta name="robots" content="noindex">' in browser.get(path).content.decode()
    unread = next(
        device.model_id
        for device in shelf.all_devices
        if not edition.release.corpus.device(device.model_id).confirmed
        and not shelf.recalls_of(device.model_id)
    )
    assert f"/models/{unread}" not in paths
    assert all(f"/recalls/{recall_id}" in paths for recall_id in shelf.recalls)


def test_an_indexed_page_is_dated_and_leads_to_what_exists(browser: Client) -> None:
    for path in PATHS:
        page = browser.get(path).content.decode()
        assert structured(page)[0]["dateModified"] == f"{CHANGED:%Y-%m-%dT%H:%M:%SZ}"
        assert f'<time datetime="{CHANGED:%Y-%m-%dT%H:%M:%SZ}">' in page
        assert f'<link rel="canonical" href="{SITE}{path}">' in page
        assert "noindex" not in page
        crumbs = structured(page)[1]
        assert crumbs["@type"] == "BreadcrumbList"
        assert crumbs["itemListElement"][-1]["item"] == f"{SITE}{path}"
        content = page.partition("<main>")[2].partition("</main>")[0]
        for link in set(re.findall(rf'href="(?:{SITE})?(/[^"]*)"', content)):
            # Feeds are made of the ledger, which is not there.
            if not link.startswith(("/static/", "/feeds/")):
                assert Client().get(link.replace("&amp;", "&")).status_code == 200, link


def test_the_lists_name_everything_once_and_stay_short(edition: Edition, browser: Client) -> None:
    shelf = edition.release.shelf
    expected: dict[str, Mapping[str, object]] = {
        "models": shelf.devices,
        "airlines": shelf.airlines,
        "recalls": shelf.recalls,
    }
    for name in LISTS:
        found: list[str] = []
        number = 1
        while (
            answer := browser.get(f"/{name}" + (f"?page={number}" if number > 1 else ""))
        ).status_code == 200:
            links = re.findall(rf'<li><a href="/{name}/([^"]*)"', answer.content.decode())
            assert len(links) <= 100
            found += links
            number += 1
        assert len(set(found)) == len(found)
        if name in expected:
            assert set(found) == {key.lower() for key in expected[name]}
    countries = re.findall(r'<a href="/countries/([a-z]{2})"', browser.get("/countries").content.decode())
    assert {"jp", "us", "fr"} <= set(countries)


@pytest.mark.parametrize(
    ("spelling", "address"),
    [
        ("/models/Anker-A1263", "/models/anker-a1263"),
        ("/models/anker-a1263/", "/models/anker-a1263"),
        ("/airlines/EK", "/airlines/ek"),
        ("/countries/JP", "/countries/jp"),
        ("/recalls/US-CPSC-25-338", "/recalls/us-cpsc-25-338"),
        ("/models/", "/models"),
        ("/models/?page=2", "/models?page=2"),
        ("/models?page=1", "/models"),
    ],
)
def test_another_spelling_is_sent_to_the_one_address(browser: Client, spelling: str, address: str) -> None:
    answer = browser.get(spelling)
    assert (answer.status_code, answer["Location"]) == (301, address)


@pytest.mark.parametrize(
    "path",
    [
        "/models/no-such-model",
        "/airlines/xx",
        "/countries/zz",
        "/recalls/none",
        "/models?page=0",
        "/models?page=99",
        "/models?page=",
        "/models?page=%D9%A1",
        "/models/a/b",
    ],
)
def test_what_is_not_known_is_not_found(browser: Client, path: str) -> None:
    assert browser.get(path).status_code == 404


@pytest.mark.parametrize("path", [*PATHS, *(f"/{name}" for name in LISTS)])
def test_who_holds_a_page_gets_304_and_nothing_is_evaluated(
    browser: Client, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = browser.get(path)
    for builder in ("model_page", "airline_page", "country_page", "recall_page", "listing", "indexed_paths"):
        monkeypatch.setattr(f"aeo.reference.views.{builder}", None)
    answer = browser.get(path, headers={"if-none-match": first["ETag"]})
    assert (answer.status_code, answer.content) == (304, b"")
    assert (answer["ETag"], answer["Vary"]) == (first["ETag"], first["Vary"])


def test_the_verdicts_on_a_page_are_those_of_the_pages_that_it_leads_to(
    browser: Client, pages: Register
) -> None:
    for path in ("/models/anker-a1263", "/airlines/ek", "/countries/jp"):
        page = browser.get(path).content.decode()
        rows = re.findall(r'<a href="(/p/[^"]*)">[^<]*</a></th><td><span class="verdict (\w+)">', page)
        assert rows
        for address, verdict in rows:
            assert address in pages.pages
            assert Client().get(f"{address}.json").json()["verdict"] == verdict


def test_a_figure_is_written_as_the_rules_have_it(browser: Client, edition: Edition) -> None:
    over = [
        device
        for device in edition.release.shelf.all_devices
        if device.watt_hour is not None and device.watt_hour > 160
    ]
    assert over
    for device in over:
        assert device.watt_hour is not None
        read = text(browser.get(f"/models/{device.model_id}").content.decode())
        assert f"With {plain(device.watt_hour)} Wh it is over the international limit" in read


def test_only_a_page_of_the_maker_makes_a_rating_the_makers_own(edition: Edition, browser: Client) -> None:
    seen = set()
    for device in edition.release.shelf.all_devices:
        if device.watt_hour_basis != "rated":
            continue
        read = [source for name in device.sources if (source := edition.release.shelf.sources[name]).citable]
        own = any(one.kind == "manufacturer" and one.authority == device.brand for one in read)
        page = text(browser.get(f"/models/{device.model_id}").content.decode())
        verdict = text(browser.get(f"/p/{device.model_id}/ek/ae").content.decode())
        assert ("as its maker states it" in page) == ("as its maker states it" in verdict) == own
        if not own:
            assert f"as stated by {read[0].authority}" in page
            assert f"as stated by {read[0].authority}" in verdict
        seen.add(own)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("path", "feed"),
    [
        ("/airlines/lh", "/feeds/airlines/lh.atom"),
        ("/models/anker-a1263", "/feeds/recalls/models/anker-a1263.atom"),
        ("/recalls/us-cpsc-25-338", "/feeds/recalls/models/anker-a1263.atom"),
        ("/recalls", "/feeds/rulesets.atom"),
    ],
)
def test_readers_see_the_feed_of_a_page(path: str, feed: str) -> None:
    page = Client(headers={"accept": "text/html"}).get(path).content.decode()
    about = page.partition("About this page</h2>")[2]
    assert re.search(rf'<dt>Feed of changes</dt><dd><a href="{feed}"', about)
