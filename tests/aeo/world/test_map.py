"""The map says of each country what its page says, and where no rule is known it says that."""

import gzip
import itertools
import math
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client

from aeo.editions import Edition
from aeo.reference.policy import label
from aeo.texts import say
from aeo.world.layers import ENERGY, FIELDS, LAYERS, MARK, UNITS, USE, international, path_of, values
from aeo.world.shapes import shapes
from rules.selectors.readings import HOW_READ
from tests.support import starter

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pages", "now")]

COUNTRIES = starter.starter_release().corpus.countries
RULED = [code for code in COUNTRIES if starter.starter_release().corpus.places(code)]
"""The countries with an authority whose rules are on file."""

MOST_BYTES = 60_000
"""As transferred; with styles and scripts a page with a map may have twice that."""


def read(path: str, accept: str = "text/markdown") -> str:
    answer = Client(headers={"accept": accept}).get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def drawn(layer: str) -> dict[str, str]:
    """What the regions' pictures say, by the code of the country that a mark leads to."""
    found: dict[str, str] = {}
    for svg in re.findall(r'<svg class="picture map".*?</svg>', read(path_of(layer), "text/html"), re.DOTALL):
        for link in ElementTree.fromstring(svg).iter("a"):
            code = link.attrib["href"].removeprefix("/countries/").upper()
            assert code not in found
            name, _, said = link.attrib["aria-label"].partition(": ")
            assert name == COUNTRIES[code].name
            found[code] = said
    return found


FACTS = {layer: label(FIELDS[layer]) for layer in (UNITS, USE)} | {ENERGY: "Watt-hours"}
"""The layers about which a country's page has one of its six facts, and the name of the fact."""


def glance(code: str) -> str:
    """What the page of a country leads with."""
    return read(f"/countries/{code.lower()}").partition("\n## ")[0]


def listed(layer: str) -> dict[str, str]:
    """What the lists of a layer say, by country."""
    found = {}
    for said, names in re.findall(
        r"^(?:- )?\**(.*?) \\?\(\d+\\?\)\**:?\s+(.*)$", read(path_of(layer)), re.MULTILINE
    ):
        found.update(
            dict.fromkeys((code.upper() for code in re.findall(r"/countries/(\w\w)\)", names)), said)
        )
    assert found.keys() == COUNTRIES.keys()
    return found


def test_every_country_of_the_release_has_an_outline_or_a_dot_in_the_world_and_in_one_region() -> None:
    found = shapes()
    assert COUNTRIES.keys() <= {*found.world.shapes, *found.world.dots}
    for code in COUNTRIES:
        assert sum(code in region.codes for region in found.regions) == 1, code


def test_dots_lie_in_their_pictures_with_room_for_a_finger_around_each() -> None:
    for region in shapes().regions:
        for one in region.dots.values():
            assert 24 <= one.x <= shapes().width - 24
            assert 24 <= one.y <= region.height - 24
        for one, other in itertools.combinations(region.dots.values(), 2):
            assert math.dist((one.x, one.y), (other.x, other.y)) >= 48


@pytest.mark.parametrize("layer", LAYERS)
def test_each_value_is_drawn_as_it_is_known(layer: str, edition: Edition) -> None:
    known = values(edition, layer)
    assert drawn(layer) == known
    assert known.keys() <= set(RULED)
    assert len(known) > 0


def test_no_country_is_said_to_be_milder_or_emptier_than_on_its_own_page(edition: Edition) -> None:
    """The last thing that the map says of a country is what its page leads with, of every country."""
    rows = {layer: listed(layer) for layer in FACTS}
    for code in COUNTRIES:
        facts = dict(re.findall(r"^- ([^:\n]+): (.+)$", glance(code), re.MULTILINE))
        for layer, name in FACTS.items():
            said = re.split(r"international rules: |International rules only: ", rows[layer][code])[-1]
            # The energy that needs approval is no layer. Flights for which a rule is stricter come first.
            fact = facts[name].partition("; with approval")[0]
            for stricter in ("domestic: not allowed; ", "its airlines: not allowed; "):
                assert (stricter in fact) == (stricter in rows[layer][code]), (code, layer)
                fact = fact.replace(stricter, "")
            assert said == fact, (code, layer)
    assert "" not in {international(edition, layer) for layer in FACTS}


def test_a_rule_for_some_ratings_is_named_for_the_countries_that_have_it() -> None:
    rows = listed("units")
    assert rows["US"] == rows["CN"] == "at most 2 above 100 Wh; international rules: at most 2"
    assert rows["AE"] == rows["FJ"] == "International rules only: at most 2"
    assert rows["FR"] == "at most 2"


def test_the_international_limit_is_said_in_lead_and_legend() -> None:
    page = read("/map", "text/html")
    assert "the international rules count on international flights: at most 2." in page
    words = re.sub(r"</tspan>\s*<tspan[^>]*>", " ", page)
    assert ">International rules only: at most 2 (200 countries)</tspan>" in words


def every_rule(**query: str) -> list[dict[str, Any]]:
    """The rules of authorities that the API lists, page by page."""
    found: list[dict[str, Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        asked = {**query, "limit": "200", **({"cursor": cursor} if cursor else {})}
        body = Client().get("/api/rules", asked).json()
        found += [rule for rule in body["rules"] if rule["airline"] is None]
        cursor = body["next_cursor"]
    return found


def test_a_mark_counts_where_the_api_has_a_rule_about_it() -> None:
    expected: dict[str, list[str]] = {}
    for code, word in (("ccc_mark_required", "required"), ("ccc_mark_enforcement_varies", "advised")):
        for rule in every_rule(code=code):
            assert COUNTRIES[rule["jurisdiction"]]
            flights = "international" if "departure" in rule["applies"] else "domestic"
            expected.setdefault(rule["jurisdiction"], []).append(f"{flights}: {word}")
    assert drawn(MARK) == {code: "; ".join(said) for code, said in expected.items()}
    assert expected


def test_the_evidence_is_that_of_the_api() -> None:
    """How the rules of a country's authorities were read: the best reading of those with a rule in force."""
    ruled = {rule["jurisdiction"] for rule in every_rule()}
    body = Client().get("/api/coverage", {"limit": "200"}).json()
    reads = body["read_next"]
    assert body["next_cursor"] is None
    read_as = {one["jurisdiction"]: one["read"] for one in reads if one["jurisdiction"] is not None}
    expected = {}
    for code in COUNTRIES:
        places = [place for place in starter.starter_release().corpus.places(code) if place in ruled]
        if places:
            best = min((read_as[place] for place in places), key=HOW_READ.index)
            expected[code] = say(f"read.{best}")
    assert drawn("evidence") == expected


@pytest.mark.parametrize("layer", LAYERS)
def test_the_lists_beside_the_pictures_name_every_country_once_by_its_value(
    layer: str, edition: Edition
) -> None:
    known, page = values(edition, layer), read(path_of(layer))
    for code in COUNTRIES:
        assert page.count(f"/countries/{code.lower()})") == 1, code
    listed = re.findall(r"^- (.*) \\\((\d+)\\\): (.*)$|^- (.*) \((\d+)\): (.*)$", page, re.M)
    lines = [tuple(part for part in line if part) for line in listed]
    assert sum(int(count) for _, count, _ in lines) == len(known)
    for said, count, names in lines:
        codes = [code.upper() for code in re.findall(r"/countries/(\w\w)\)", names)]
        assert len(codes) == int(count)
        assert {known[code] for code in codes} == {said}


@pytest.mark.parametrize("layer", LAYERS)
def test_an_empty_country_is_never_free(layer: str) -> None:
    page = read(path_of(layer), "text/html")
    assert ("No rule known here (" in page) == (layer not in FACTS)
    assert "That never means that it is free" in page


@pytest.mark.parametrize("language", ["", "/ja", "/de"])
@pytest.mark.parametrize("layer", LAYERS)
def test_the_page_is_small(layer: str, language: str) -> None:
    assert len(gzip.compress(read(f"{language}{path_of(layer)}", "text/html").encode())) < MOST_BYTES


@pytest.mark.parametrize("path", ["/map/units", "/map/"])
def test_the_first_layer_is_at_the_plain_address(path: str) -> None:
    answer = Client().get(path)
    assert (answer.status_code, answer["Location"]) == (301, "/map")


def test_no_other_layer_is_found() -> None:
    assert Client(headers={"accept": "text/html"}).get("/map/nothing").status_code == 404


def test_a_ban_on_use_on_some_flights_is_said_of_its_country() -> None:
    rows = listed("use")
    assert (
        rows["IN"] == "domestic: not allowed; its airlines: not allowed; international rules: advised against"
    )
    assert rows["HK"] == "its airlines: not allowed; international rules: advised against"
    assert rows["JP"] == "not allowed"
