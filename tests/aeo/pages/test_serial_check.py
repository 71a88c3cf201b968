"""The check of a unit on pages: everything that it needs stands in the page, and nothing that could send."""

import json
import re

import msgspec
import pytest
from django.test import Client

from aeo.editions import Edition
from aeo.pages.serial_check import serial_check
from recalls.serials import AffectedSerials, evaluate

pytestmark = pytest.mark.usefixtures("pages", "now")

PATTERN = "/recalls/us-cpsc-2024-12-05-belkin-bpd005"
MODEL = "/models/belkin-bpd005"


def shown(browser: Client, path: str) -> str:
    answer = browser.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def carried(page: str) -> dict:
    (found,) = re.findall(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)
    return json.loads(found)


@pytest.mark.parametrize("path", [PATTERN, MODEL])
def test_a_page_carries_what_decides_about_a_unit(browser, edition, path):
    for recall in carried(shown(browser, path))["recalls"]:
        del recall["name"]
        decided = evaluate(msgspec.convert(recall, AffectedSerials), serial="57V12345678901")
        assert decided.match_status == "affected"


def test_a_page_of_a_model_checks_all_of_its_recalls_at_once(browser, edition):
    recalls = edition.release.shelf.recalls_of("belkin-bpd005")
    assert len(carried(shown(browser, MODEL))["recalls"]) == len(recalls) > 1
    assert len(carried(shown(browser, PATTERN))["recalls"]) == 1


def test_one_of_several_recalls_says_that_the_others_are_left_to_check(browser):
    said = carried(shown(browser, PATTERN))["findings"]["not_affected"]["sentence"]
    assert "The model has other recalls" in said


def test_no_sample_of_a_unit_and_nothing_that_could_send_one_stands_in_a_page(browser):
    page = shown(browser, PATTERN)
    check = page.partition('class="serial-check"')[2].partition("</div>")[0]
    assert "57V12345678901" not in page
    assert not re.search(r"<(form|input)|action=|name=", check)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/recalls/us-cpsc-2025-10-esr-2g505", id="all units are affected"),
        pytest.param("/recalls/us-cpsc-25-338", id="only the maker's list can decide"),
        pytest.param("/models/anker-a1340", id="no recall"),
    ],
)
def test_where_no_identifier_tells_units_apart_none_is_asked_for(browser, path):
    assert "serial-check" not in shown(browser, path)


def test_without_a_script_the_page_says_how_else_to_check(browser):
    page = shown(browser, PATTERN)
    assert re.search(r'<p class="by-hand">[^<]+<a href="/api/docs/">', page)
    text = Client(headers={"accept": "text/markdown"}).get(PATTERN).content.decode()
    assert "needs JavaScript" in text


def test_a_recall_of_all_units_leaves_nothing_to_check_on_the_page_of_its_model(edition: Edition):
    shelf = edition.release.shelf
    for model_id in {recall.model_id for recall in shelf.recalls.values()}:
        found = shelf.recalls_of(model_id)
        if any(recall.affected_serials.scope == "all_units" for recall in found):
            assert serial_check(found) == ()
