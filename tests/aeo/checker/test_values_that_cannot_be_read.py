"""A value that cannot be read is chosen anew: no form fills in another one that may be milder."""

import html
import re
from urllib.parse import urlencode

import pytest
from django.test import Client

from aeo.asking.names.folding import says_more
from tests.aeo.asking.test_asking import asked

pytestmark = pytest.mark.usefixtures("starter_release", "now")

UNIT = "model=anker-a1289&airline=EK&from=AE&to=GB"
FORMS = {
    "/check": UNIT,
    "/card": UNIT,
    "/trip": f"{UNIT}&via=FR",
    "/itinerary": f"{UNIT}&people=2",
    "/itinerary/card": f"{UNIT}&people=2",
}
UNREADABLE = {
    "bag": ["hold", "Checked", "checked&bag=carry_on"],
    "condition": ["swollen", "Damaged"],
    "mark": ["no"],
    "label": ["gone"],
    "recall": ["Affected"],
    "count": ["two", "0", "1.5"],
    "date": ["01/02/2027", "tomorrow"],
}
UNREADABLE_OF_SEVERAL = {"people": ["0", "two", "02", "10"], "by": ["3", "one"]}


def fields(path: str, name: str) -> list[str]:
    """Return the tags of a field on the page to which an address leads: its radios, its input or its list."""
    answer = Client(headers={"accept": "text/html"}).get(path, follow=True)
    assert answer.status_code == 200
    page = html.unescape(answer.content.decode())
    lists = re.findall(rf'<select [^>]*name="{name}"[^>]*>.*?</select>', page, re.DOTALL)
    return [*re.findall(rf'<input (?!type="hidden")[^>]*name="{name}"[^>]*>', page), *lists]


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize(
    ("name", "value"), [(name, one) for name, all_ in UNREADABLE.items() for one in all_]
)
def test_a_value_that_cannot_be_read_leaves_its_field_empty_and_required(
    path: str, name: str, value: str
) -> None:
    found = fields(f"{path}?{FORMS[path]}&{name}={value}", name)
    assert found
    for field in found:
        assert " required" in field
        assert " checked" not in field
        assert 'type="radio"' in field or 'value=""' in field


@pytest.mark.parametrize(
    ("name", "value"), [(name, one) for name, all_ in UNREADABLE_OF_SEVERAL.items() for one in all_]
)
def test_no_number_of_people_is_filled_in_for_one_that_cannot_be_read(name: str, value: str) -> None:
    path = f"/itinerary?{UNIT}&count=9&people=2"
    (field,) = fields(
        path.replace("people=2", f"people={value}") if name == "people" else f"{path}&by={value}", name
    )
    assert " required" in field
    assert re.search(r'<option value="" selected></option>', field)


@pytest.mark.parametrize("more", ["swollen=yes", "bags=checked"])
def test_an_unknown_part_of_an_address_leaves_the_facts_of_the_unit_to_the_traveler(more: str) -> None:
    path = f"/itinerary?{UNIT}&people=2&count=2&{more}"
    for name in ("bag", "condition"):
        assert all(" required" in one and " checked" not in one for one in fields(path, name))


@pytest.mark.parametrize("sign", ["🇨🇦", "≠", "¬", "!=", "🚫", "✗", "❌", "\ufffd"])
@pytest.mark.parametrize(
    ("name", "value"), [("to", "London"), ("to", "GB"), ("from", "LHR"), ("airline", "Emirates")]
)
def test_a_sign_next_to_a_name_is_not_dropped(name: str, value: str, sign: str) -> None:
    said = {"model": "anker-a1289", "airline": "EK", "from": "AE", "to": "GB"}
    for typed in (f"{value} {sign}", f"{sign}{value}"):
        assert not asked(urlencode(said | {name: typed})).complete, typed


@pytest.mark.parametrize(
    "name", ["São Paulo", "Côte d'Ivoire", "St. John's", "Bale/Mulhouse", "\uff27\uff22", "München (MUC)"]
)
def test_accents_and_the_signs_of_names_say_nothing_more(name: str) -> None:
    assert not says_more(name)


def test_a_code_has_no_accents() -> None:
    assert says_more("ĠB")
