"""The list of airlines is a table of what the API says, filtered and sorted by its address, and a file."""

import csv
import html
import io
import re
import zlib
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from aeo.datasets.overview import PARTNER_CHANGE_FIELDS, PARTNER_FIELDS, TABLE_COLUMNS
from aeo.editions import Edition
from aeo.reference.airline_csv import COLUMNS, NOT_KNOWN, REFUSED_OVER, WATT_HOURS
from aeo.reference.airline_rows import ORDERS, Asked, chosen
from tests.support.partner_depth import ask_as_partner

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pages", "now")]

MOST_BYTES = 60_000


def rows(page: str) -> dict[str, list[str]]:
    """Return the words of the cells of the table by the code of the airline."""
    return {
        code.upper(): [
            html.unescape(re.sub("<[^>]+>", "", cell)) for cell in re.findall("<td[^>]*>(.*?)</td>", cells)
        ]
        for code, cells in re.findall(r'<tr><th scope="row"><a href="/airlines/(\w+)">(.*?)</tr>', page)
    }


def get(browser: Client, path: str) -> str:
    answer = browser.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def words(field: dict[str, Any] | None) -> str:
    """Return a field of the API in words."""
    if field is None:
        return "not known"
    value = field["value"]
    return {"prohibited": "not allowed", "discouraged": "advised against"}.get(value, str(value))


def nothing_to_approve(fields: dict[str, Any]) -> bool:
    """Tell whether all ratings beyond the limit without approval are refused, by the fields of the API."""
    free, refused = (fields[name] for name in (WATT_HOURS[0], REFUSED_OVER))
    return bool(
        fields[WATT_HOURS[1]] is None and refused and refused["value"] <= (free["value"] if free else 0)
    )


def test_a_known_refusal_is_never_shown_as_not_known_and_nothing_is_milder_than_the_api(
    edition: Edition, browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_as_partner(monkeypatch)
    table = rows(get(browser, "/airlines"))
    file = {row["airline"]: row for row in csv.DictReader(io.StringIO(get(browser, "/airlines.csv")))}
    none = set()
    for code, cells in table.items():
        fields = Client().get(f"/api/airlines/{code}").json()["policy_fields"]
        refused, row = fields[REFUSED_OVER], file[code]
        assert row[f"alone_{REFUSED_OVER}"] == (f"{refused['watt_hour']:g}" if refused else NOT_KNOWN)
        if refused:
            assert Decimal(row[REFUSED_OVER]) <= Decimal(row[f"alone_{REFUSED_OVER}"]), code
        if nothing_to_approve(fields):
            assert row[f"alone_{WATT_HOURS[1]}"] == "refused", code
            if row[WATT_HOURS[0]] != row[f"alone_{WATT_HOURS[0]}"]:
                # Rules around it ask for approval of what its own rules accept without.
                assert Decimal(row[WATT_HOURS[1]]) <= Decimal(row[f"alone_{WATT_HOURS[0]}"]), code
                continue
            none.add(code)
            above = f"above {row[REFUSED_OVER]} Wh"
            beyond = f"{row[REFUSED_OVER]} Wh or more" if refused["inclusive"] else above
            assert cells[2] == f"none, not allowed: {beyond}", code
            assert row[WATT_HOURS[1]] == "refused", code
        elif fields[WATT_HOURS[1]] is None and cells[2].startswith("not known"):
            assert row[WATT_HOURS[1]] == NOT_KNOWN
            assert ("not allowed: " in cells[2]) == (refused is not None), code
        for name in WATT_HOURS:
            if fields[name] is not None and row[name] not in (NOT_KNOWN, "refused"):
                assert Decimal(row[name]) <= Decimal(str(fields[name]["watt_hour"])), code
    assert {"EK", "QR", "FR"} <= none


def test_each_row_says_whether_its_rules_are_the_airlines_own(edition: Edition, browser: Client) -> None:
    page = get(browser, "/airlines")
    heads = dict(re.findall(r'<th scope="row"><a href="/airlines/(\w+)">(.*?)</th>', page))
    file = {row["airline"]: row for row in csv.DictReader(io.StringIO(get(browser, "/airlines.csv")))}
    for code, airline in edition.release.shelf.airlines.items():
        assumed = airline.confidence == "unverified"
        assert ("assumed" in heads[code.lower()]) == assumed, code
        assert (file[code]["whose_rules"] in ("assumed", "partly")) == assumed, code
    assert file["NK"]["whose_rules"] == NOT_KNOWN
    assert "its own rules" not in page.partition('href="/airlines/zg"')[2].partition("</tr>")[0]


def test_the_file_of_a_filtered_page_has_its_rows_in_its_order(browser: Client) -> None:
    page = get(browser, "/airlines?use=no&sort=free")
    link = "/airlines.csv?use=no&amp;sort=free"
    assert f'href="{link}"' in page
    answer = browser.get(html.unescape(link))
    assert answer["X-Robots-Tag"] == "noindex"
    file = [row["airline"] for row in csv.DictReader(io.StringIO(answer.content.decode()))]
    assert file == list(rows(page))
    assert browser.get("/airlines.csv?sort=size").status_code == 404


def test_the_file_has_no_field_that_is_kept_for_partners() -> None:
    assert not {*COLUMNS} & {*PARTNER_FIELDS, *PARTNER_CHANGE_FIELDS}
    access = Client().get("/aeo-datasets.json").json()["datasets"]["airline_policy_intelligence"]["access"]
    assert access["public_preview"]["table_columns"] == list(TABLE_COLUMNS) == list(COLUMNS)


def limit(field: dict[str, Any] | None) -> str:
    if field is None:
        return "not known"
    return f"{'up to' if field['inclusive'] else 'under'} {field['watt_hour']:g} Wh"


def test_every_value_of_the_table_and_the_file_is_the_one_of_the_api(
    edition: Edition, browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_as_partner(monkeypatch)
    table = rows(get(browser, "/airlines"))
    assert table.keys() == edition.release.shelf.airlines.keys()
    file = {
        row["airline"]: row for row in csv.DictReader(io.StringIO(get(browser, "/airlines.csv"), newline=""))
    }
    assert file.keys() == table.keys()
    for code, cells in table.items():
        body = Client().get(f"/api/airlines/{code}").json()
        fields = body["policy_fields"]
        units, free, approved, use, recharge, overhead, label, _, _, box = cells
        assert box == ""
        most = fields["max_units"]
        if most is None and fields["max_units_over_100_watt_hour"] is None:
            assert units == "not known"
        elif most:
            assert units.startswith(f"at most {most['value']}"), code
        assert (use, recharge) == (words(fields["onboard_use"]), words(fields["onboard_recharge"])), code
        kept = fields["overhead_bin"] is None and words(fields["on_person_or_seat_pocket"]) == "required"
        at_hand = "On the person or in the seat pocket: required"
        assert overhead == (at_hand if kept else words(fields["overhead_bin"])), code
        assert label == words(fields["label"])
        for cell, name in zip((free, approved), WATT_HOURS, strict=True):
            own = limit(fields[name])
            # Where rules around it are stricter, its own limit is beside the one that verdicts follow.
            alone = (f"its own rules: {own}", f"assumed of it alone: {own}")
            assert cell == own or cell.endswith(alone) or fields[name] is None, code
        row = file[code]
        assert set(row) == set(COLUMNS)
        assert all(row.values())
        for name in WATT_HOURS:
            figure = fields[name]
            if figure or not nothing_to_approve(fields):
                said = f"{figure['watt_hour']:g}" if figure else NOT_KNOWN
                assert row[f"alone_{name}"] == said
                said = str(figure["inclusive"]).lower() if figure else NOT_KNOWN
                assert row[f"alone_{name}_inclusive"] == said
        for name in (
            "max_units",
            "onboard_use",
            "onboard_recharge",
            "overhead_bin",
            "on_person_or_seat_pocket",
            "label",
        ):
            assert row[name] == (str(fields[name]["value"]) if fields[name] else NOT_KNOWN)
        assert row["in_force_since"] == (body["effective_from"] or NOT_KNOWN)
        assert (row["policy_read"], row["rule_count"]) == (body["policy_read"], str(body["rule_count"]))


def test_filters_leave_what_fits_and_nothing_that_is_not_known(edition: Edition, browser: Client) -> None:
    one = chosen(edition, Asked(one_unit=True))
    assert one
    assert all(row.fields.max_units and row.fields.max_units.value == 1 for row in one)
    both = rows(get(browser, "/airlines?units=1&use=no"))
    assert "EK" in both
    assert {cells[3] for cells in both.values()} == {"not allowed"}
    assert set(rows(get(browser, "/airlines?country=JP"))) == {
        row.airline.airline for row in chosen(edition, Asked(country="JP"))
    }
    assert list(rows(get(browser, "/airlines?q=emirates"))) == ["EK"]
    assert "CA" in rows(get(browser, "/airlines?q=%E5%9B%BD%E8%88%AA"))
    nothing = get(browser, "/airlines?q=nothing+is+called+so")
    assert "No airline on file fits this." in nothing
    assert not rows(nothing)


@pytest.mark.parametrize("sort", ORDERS)
def test_each_order_has_the_strictest_first_and_what_is_not_known_last(
    edition: Edition, browser: Client, sort: str
) -> None:
    found = chosen(edition, Asked(sort=sort))
    assert list(rows(get(browser, f"/airlines?sort={sort}"))) == [row.airline.airline for row in found]
    place = list(ORDERS).index(sort)
    cells = [row[place] for row in rows(get(browser, f"/airlines?sort={sort}")).values()]
    if sort != "known":
        unknown = [cell.startswith("not known") for cell in cells]
        assert unknown == sorted(unknown)


def test_only_the_whole_list_is_for_search_engines(browser: Client) -> None:
    assert "noindex" not in get(browser, "/airlines")
    for path in ("/airlines?sort=units", "/airlines?units=1", "/airlines?q=ek&country="):
        page = get(browser, path)
        assert '<meta name="robots" content="noindex">' in page
        assert '<link rel="canonical" href="http://127.0.0.1:8000/airlines">' in page
    assert browser.get("/airlines.csv")["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize(
    "path",
    [
        "/airlines?sort=size",
        "/airlines?units=2",
        "/airlines?use=yes",
        "/airlines?country=XX",
        "/airlines?q=%00",
    ],
)
def test_a_value_that_no_link_has_is_not_found(browser: Client, path: str) -> None:
    assert browser.get(path).status_code == 404


def test_a_filter_stays_when_the_order_changes(browser: Client) -> None:
    page = get(browser, "/airlines?units=1&country=AE")
    assert 'href="/airlines?country=AE&amp;units=1&amp;sort=use"' in page
    assert '<option value="AE" selected>' in page


@pytest.mark.parametrize("language", ["", "/de", "/ja"])
def test_the_whole_table_is_small_on_the_way(browser: Client, language: str) -> None:
    page = get(browser, f"{language}/airlines")
    assert len(zlib.compress(page.encode(), 6)) < MOST_BYTES / 2


def test_the_table_exists_as_markdown_without_its_form() -> None:
    text = Client().get("/airlines", headers={"accept": "text/markdown"}).content.decode()
    assert "| [Emirates](http://127.0.0.1:8000/airlines/ek) EK, " in text
    assert "<input" not in text
    assert "\n\n\n" not in text
