"""The map says of each country what its page says, and where no rule is known it says that."""

import gzip
import itertools
import math
import re
from xml.etree import ElementTree

import pytest
from django.test import Client

from aeo.editions import Edition
from aeo.reference.policy import LABELS
from aeo.world.layers import FIELDS, LAYERS, MARK, path_of, values
from aeo.world.shapes import shapes
from rules.selectors import rules
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


@pytest.mark.parametrize("layer", [layer for layer in LAYERS if layer in FIELDS and layer != MARK])
def test_a_value_is_the_one_in_the_table_of_the_countrys_page(layer: str, edition: Edition) -> None:
    known, label = values(edition, layer), LABELS[FIELDS[layer]]
    for code in RULED:
        rows = re.findall(rf"^\| {re.escape(label)} \| ([^|]*) \|", read(f"/countries/{code.lower()}"), re.M)
        assert rows == ([known[code]] if code in known else []), code


def test_the_mark_counts_where_a_rule_asks_for_it(edition: Edition) -> None:
    asking = rules.find(edition.release, in_force_on=edition.today, code="ccc_mark_required")
    places = {rule.jurisdiction for rule in asking if rule.airline is None}
    assert {code for code, said in values(edition, MARK).items() if "required" in said} == places


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


def test_an_empty_country_is_said_to_be_unknown_and_not_free() -> None:
    page = read("/map")
    assert "No rule known here: " in read("/map", "text/html")
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
