"""Two to four airlines side by side: each value is that of the API, and the strictest one is marked."""

import re

import pytest
from django.test import Client

from aeo.articles.rows import verdict_of
from aeo.editions import Edition
from aeo.page_records.register import Combination
from aeo.pages.record import Mark, Note, Table, Toned
from aeo.reference.comparison import comparison_page
from aeo.reference.glance import kept_elsewhere
from aeo.reference.policy import LABELS, label, refused_words, value_words
from rules.selectors import rules
from rules.selectors.policy_fields import policy_fields, refusal_instead

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pages", "now")]


def table(edition: Edition, codes: list[str], model: str | None = None) -> Table:
    (found,) = [one for one in comparison_page(edition, codes, model).glance if isinstance(one, Table)]
    return found


def test_every_airline_compared_has_the_values_of_its_own_rules(edition: Edition) -> None:
    codes = list(edition.release.shelf.airlines)
    limits = {label(name) for name in LABELS if "watt_hour" in name}
    for first in range(0, len(codes) - 3, 4):
        those = codes[first : first + 4]
        own = {code: policy_fields(rules.active(edition.release, code, edition.today)) for code in those}
        shown = {row[0][0]: row[1:] for row in table(edition, those).rows}
        for name in LABELS:
            for place, code in enumerate(those):
                field = getattr(own[code], name)
                cells = shown.get(label(name))
                if cells is None:
                    assert field is None
                elif label(name) not in limits:
                    said = cells[place][0]
                    assert isinstance(said, Toned)
                    refused = refusal_instead(own[code], name)
                    if name == "overhead_bin" and (kept := kept_elsewhere(own[code])):
                        assert said == Toned("limit", kept), code
                    elif refused is not None:
                        assert said == Toned("no", refused_words(name, refused)), code
                    else:
                        assert said.text == ("not known" if field is None else value_words(name, field)), code


def test_a_difference_is_said_and_the_strictest_value_is_marked(edition: Edition) -> None:
    rows = {row[0][0]: row for row in table(edition, ["EK", "LH", "SQ"]).rows}
    units = rows["Units per passenger"]
    assert units[0][1] == Note(" they differ")
    assert [len(cell) > 1 for cell in units[1:]] == [True, False, False]
    for row in rows.values():
        marked = [cell for cell in row[1:] if Note(" strictest") in cell]
        assert len(marked) < len(row) - 1
        assert not any(Toned("unknown", "not known") in cell for cell in marked)


def test_a_refusal_that_leaves_nothing_to_approve_is_the_strictest_value(edition: Edition) -> None:
    shown = {row[0][0]: row[1:] for row in table(edition, ["EK", "LH", "QR", "A3"]).rows}
    for topic in ("In the cabin with approval", "With the airline's approval only"):
        emirates, lufthansa, qatar, aegean = shown[topic]
        assert emirates == (Toned("no", "none, not allowed: 100 Wh or more"), Note(" strictest"))
        assert qatar == (Toned("no", "none, not allowed: above 100 Wh"),)
        assert lufthansa[0] != aegean[0] == Toned("unknown", "not known")
    assert shown["Whose rules"][3] == ("assumed: no page of the airline says so",)


def test_a_place_that_excludes_the_overhead_bin_is_stricter_than_advice_about_it(edition: Edition) -> None:
    shown = {row[0][0]: row[1:] for row in table(edition, ["FJ", "SQ", "TW"]).rows}
    fiji, singapore, tway = shown["In the overhead bin"]
    at_hand = Toned("limit", "On the person or in the seat pocket: required")
    assert fiji == tway == (at_hand, Note(" strictest"))
    assert singapore == (Toned("limit", "advised against"),)


def test_verdicts_on_a_model_are_those_of_its_pages_and_none_where_nothing_decides(edition: Edition) -> None:
    row = table(edition, ["EK", "NK", "QR"], "anker-a1289").rows[0]
    for cell, code, home in zip(row[1:], ("EK", "NK", "QR"), ("AE", "US", "QA"), strict=True):
        verdict = verdict_of(edition, Combination("anker-a1289", code, home))
        marks = [run.verdict for run in cell if isinstance(run, Mark)]
        assert marks == ([] if verdict is None else [verdict])
    assert row[2] == ("cannot be decided",)


def test_a_verdict_is_not_the_strictest_beside_one_that_is_not_known(edition: Edition) -> None:
    topic, known, unknown = table(edition, ["DE", "NK"], "anker-a1215").rows[0]
    assert unknown == ("cannot be decided",)
    assert Note(" strictest") not in known
    assert not any("differ" in str(run) for run in topic)


def test_a_verdict_that_comes_from_flights_within_the_country_has_that_on_others_beside_it(
    edition: Edition,
) -> None:
    emirates, qatar = table(edition, ["EK", "QR"], "anker-a1289").rows[0][1:]
    assert Note(" on international flights: Allowed") in qatar
    assert not any("international" in run.text for run in emirates if isinstance(run, Note))


@pytest.mark.parametrize(
    ("path", "status", "leads_to"),
    [
        ("/compare/qr-ek", 301, "/compare/ek-qr"),
        ("/compare/EK-QR", 301, "/compare/ek-qr"),
        ("/compare/ek-ek-qr", 301, "/compare/ek-qr"),
        ("/compare/ek-qr/", 301, "/compare/ek-qr"),
        ("/compare/ek-qr?model=Anker-A1289", 301, "/compare/ek-qr?model=anker-a1289"),
        ("/compare?airline=qr&airline=ek", 302, "/compare/ek-qr"),
        ("/de/compare?airline=qr&airline=ek", 302, "/de/compare/ek-qr"),
        ("/compare/qr-ek-sq-lh-nh", 301, "/compare/ek-lh-qr-sq?left_out=nh"),
        (
            "/compare?airline=qr&airline=ek&airline=sq&airline=lh&airline=w6",
            302,
            "/compare/ek-lh-qr-sq?left_out=w6",
        ),
    ],
)
def test_a_comparison_has_one_address(browser: Client, path: str, status: int, leads_to: str) -> None:
    answer = browser.get(path)
    assert (answer.status_code, answer["Location"]) == (status, leads_to)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/compare", 200),
        ("/compare?airline=ek", 400),
        ("/compare?airline=ek&airline=xx", 400),
        ("/compare/ek", 404),
        ("/compare/ek-ek", 404),
        ("/compare/ek-xx", 404),
        ("/compare/--", 404),
    ],
)
def test_other_choices_say_what_to_do(browser: Client, path: str, status: int) -> None:
    answer = browser.get(path)
    page = answer.content.decode()
    assert answer.status_code == status
    assert answer["Cache-Control"] == "no-store"
    assert "Two to four airlines on file are compared: choose them in the list." in page
    assert f'href="/airlines{"?picked=ek" if "ek" in path else ""}"' in page
    assert ("/airlines/ek" in page) == ("ek" in path)


def test_no_comparison_is_for_search_engines_and_each_form_says_the_same(browser: Client) -> None:
    page = browser.get("/compare/ek-qr").content.decode()
    assert '<meta name="robots" content="noindex">' in page
    text = Client().get("/compare/ek-qr", headers={"accept": "text/markdown"}).content.decode()
    assert "| Units per passenger" in text
    assert "/compare/" not in Client().get("/sitemaps/pages.xml").content.decode()


def test_a_model_that_is_not_on_file_gets_no_verdict_and_is_not_repeated(browser: Client) -> None:
    page = browser.get("/compare/ek-qr?model=no-such-thing").content.decode()
    assert "No model on file has exactly this name or id" in page
    assert "no-such-thing" not in re.sub(r'href="[^"]*"', "", page)


def test_of_more_than_four_the_page_says_which_were_left_out(browser: Client) -> None:
    page = browser.get("/compare/ek-lh-qr-sq?left_out=w6").content.decode()
    assert "At most four airlines are compared. Left out: Wizz Air." in page
    assert browser.get("/compare/ek-qr?left_out=xx").status_code == 404


def test_a_model_is_found_as_in_questions_and_several_are_offered(browser: Client) -> None:
    answer = browser.get("/compare/ek-qr?model=Anker+PowerCore+10000+A1263")
    assert (answer.status_code, answer["Location"]) == (301, "/compare/ek-qr?model=anker-a1263")
    assert browser.get("/compare/ek-qr?model=A1263")["Location"] == "/compare/ek-qr?model=anker-a1263"
    page = browser.get("/compare/ek-qr?model=PowerCore+10000").content.decode()
    assert "This name may mean one of several models." in page
    assert 'href="/compare/ek-qr?model=anker-a1263"' in page
    assert "No model on file" not in page


def test_the_boxes_of_the_list_lead_to_a_comparison(browser: Client) -> None:
    page = browser.get("/airlines").content.decode()
    assert page.count('<button class="button" form="filter" formaction="/compare">') == 2
    assert 'form="filter" name="airline" value="ek" aria-label="Compare Emirates"' in page
    lead = browser.get("/airlines/ek").content.decode().partition("<h2>")[0]
    assert 'href="/airlines?picked=ek"' in lead


def test_a_search_keeps_the_airlines_that_were_ticked_before(browser: Client) -> None:
    answer = browser.get("/airlines?q=qatar&airline=ek&airline=lh&country=")
    assert (answer.status_code, answer["Location"]) == (301, "/airlines?q=qatar&picked=ek-lh")
    page = browser.get(answer["Location"]).content.decode()
    assert '<meta name="robots" content="noindex">' in page
    form = page.partition('<form id="filter"')[2].partition("</form>")[0]
    assert re.findall(r'name="airline" value="(\w+)" checked', form) == ["ek", "lh"]
    table = page.partition("<tbody>")[2]
    assert 'href="/airlines/qr"' in table
    assert 'href="/airlines/ek"' not in table
    assert 'href="/airlines.csv?q=qatar"' in page
    assert browser.get("/airlines?picked=xx").status_code == 404


def test_a_limit_of_the_home_country_is_not_said_to_be_the_airlines_own(edition: Edition) -> None:
    shown = {row[0][0]: row[1:] for row in table(edition, ["AC", "LH"]).rows}
    canada, germany = shown["Refused in the cabin"]
    assert Toned("limit", "160 Wh or more") in canada
    assert Note(" its own rules: above 160 Wh") in canada
    assert germany == (Toned("limit", "above 160 Wh"),)


def test_what_is_not_known_of_one_airline_is_no_difference(edition: Edition) -> None:
    for row in table(edition, ["EK", "NK"]).rows:
        if (Toned("unknown", "not known"),) in row[1:]:
            assert Note(" they differ") not in row[0], row
