"""What is read out of the answers of the four feeds, with every trap that is known of them."""

import datetime
import itertools
import json
from typing import Any

import pytest

from recalls.feeds import accc, cpsc, health_canada, safety_gate
from recalls.feeds.notices import (
    BadAnswer,
    Known,
    Notice,
    Reading,
    first_number,
    is_about_power_banks,
    several,
)
from tests.recalls.feeds import samples

DAY = datetime.date(2026, 11, 22)
KNOWN = Known(today=DAY, marks={}, ids=(), raw_of=lambda key: None)
REPORT = safety_gate.Report(2018, 11, "10000001")


def of_cpsc(*rows: Any) -> Reading:
    reading = Reading()
    cpsc.parse(samples.as_json(rows), reading, KNOWN)
    reading.settle()
    return reading


def of_safety_gate(*rows: dict[str, str]) -> Reading:
    reading = Reading()
    safety_gate.parse_report(samples.a_report("16/03/2018", *rows), REPORT, reading, KNOWN)
    reading.settle()
    return reading


def of_health_canada(*rows: Any) -> Reading:
    reading = Reading()
    health_canada.parse(samples.as_json(rows), reading, KNOWN)
    reading.settle()
    return reading


def only(reading: Reading) -> Notice:
    assert reading.bad == []
    (notice,) = reading.notices
    return notice


# --- CPSC ---


def test_an_error_of_the_cpsc_that_comes_with_status_200_is_no_empty_feed() -> None:
    with pytest.raises(BadAnswer, match="Error retrieving"):
        of_cpsc(*samples.CPSC_ERROR)


@pytest.mark.parametrize(
    "body", [b"<ArrayOfRecall/>", b"", b"{}", b"null", b"[{]", b"<!doctype html>", b"\xff\xfe["]
)
def test_what_is_no_json_array_is_no_answer_of_the_cpsc(body: bytes) -> None:
    with pytest.raises(BadAnswer):
        cpsc.parse(body, Reading(), KNOWN)


def test_no_request_spans_more_than_a_year_and_none_leaves_a_day_out() -> None:
    spans = list(cpsc.spans(cpsc.FIRST_DAY, DAY))
    assert max(end - start for start, end in spans) < datetime.timedelta(days=365)
    days = [start + datetime.timedelta(days=n) for start, end in spans for n in range((end - start).days + 1)]
    assert days[0] == cpsc.FIRST_DAY
    assert days[-1] == DAY
    assert {later - day for day, later in itertools.pairwise(days)} == {datetime.timedelta(days=1)}


def test_the_cpsc_is_asked_for_json_by_the_day_of_publication() -> None:
    span = (datetime.date(2025, 1, 1), datetime.date(2025, 12, 31))
    address = cpsc.address_of("https://cpsc.example/Recall", span)
    assert address == (
        "https://cpsc.example/Recall?format=json&LastPublishDateStart=2025-01-01&LastPublishDateEnd=2025-12-31"
    )


@pytest.mark.parametrize(
    "name",
    [
        "Portable Charger",
        "battery packs",
        "Power Pod",
        "Battery Charger",
        "Magnetic Battery",
        "Powerbank",
        "power-bank",
    ],
)
def test_a_power_bank_is_recognized_by_any_of_its_names(name: str) -> None:
    row = samples.a_cpsc_row(
        Title="Recalled", Description="", Products=[{"Name": name, "NumberOfUnits": "About 10"}]
    )
    assert only(of_cpsc(row)).units == 10


def test_other_products_are_left_out_and_counted() -> None:
    row = samples.a_cpsc_row(Title="Cribs Recalled", Description="Cribs.", Products=[{"Name": "Cribs"}])
    reading = of_cpsc(row, samples.a_cpsc_row())
    assert reading.skipped == {"other products": 1}
    assert len(reading.notices) == 1


def test_a_warning_is_no_recall() -> None:
    warning = samples.a_cpsc_row(RecallID=10998, URL="https://www.cpsc.gov/Warnings/2026/Hererod-Power-Banks")
    reading = of_cpsc(warning, samples.a_cpsc_row())
    assert [notice.native_id for notice in reading.notices] == ["10999"]
    assert reading.skipped == {"warnings": 1}


def test_a_recall_that_is_announced_again_says_that_it_counts_the_same_units() -> None:
    again = samples.a_cpsc_row(Title="Casely Reannounces Recall of Power Banks Due to Fire")
    assert only(of_cpsc(again)).restates
    assert not only(of_cpsc(samples.a_cpsc_row())).restates


@pytest.mark.parametrize(
    ("said", "units"),
    [
        ("About 1,158,000", 1_158_000),
        ("About 83,500 (In addition, about 2,385 were sold in Canada)", 83_500),
        ("429200", 429_200),
        ("", None),
        ("Unknown", None),
        ("0", None),
        ("9" * 30, None),
    ],
)
def test_units_are_the_first_number_of_what_is_said(said: str, units: int | None) -> None:
    assert first_number(said) == units


def test_units_of_several_products_are_not_added_up() -> None:
    products = [{"Name": "Power bank", "NumberOfUnits": said} for said in ("About 10", "20")]
    notice = only(of_cpsc(samples.a_cpsc_row(Products=products)))
    assert (notice.units, notice.units_said) == (None, "About 10 / 20")


def test_an_empty_model_a_missing_list_and_null_are_all_nothing() -> None:
    row = samples.a_cpsc_row(Hazards=None, RemedyOptions=[], Inconjunctions=[{"Country": "Canada"}], URL=None)
    del row["Remedies"]
    notice = only(of_cpsc(row))
    assert (notice.models, notice.hazard, notice.remedy, notice.joint, notice.url) == ((), "", "", (), "")


def test_the_number_of_a_recall_is_what_its_notice_prints() -> None:
    assert only(of_cpsc(samples.a_cpsc_row())).number == "25-338"
    assert only(of_cpsc(samples.a_cpsc_row(RecallNumber=None))).number == "10999"


@pytest.mark.parametrize(
    "broken",
    [
        {"RecallDate": "June 12"},
        {"RecallDate": None, "LastPublishDate": None},
        {"RecallID": None},
        {"RecallID": "x"},
        {"Products": "none"},
        {"Products": ["none"]},
        {"Title": {"en": "x"}},
        {"Description": "power bank \x00"},
        {"ConsumerContact": "\x00"},
        {"Images": [1e999]},
        {"Description": "power bank " * 20_000},
    ],
)
def test_one_broken_row_is_set_aside_with_its_reason_and_loses_no_other(broken: dict[str, Any]) -> None:
    rows = [samples.a_cpsc_row(**broken), samples.a_cpsc_row(RecallID=11000)]
    body = json.dumps(rows).replace("Infinity", "1e999").encode()
    reading = Reading()
    cpsc.parse(body, reading, KNOWN)
    reading.settle()
    assert [notice.native_id for notice in reading.notices] == ["11000"]
    assert len(reading.bad) == 1
    assert reading.bad[0].reason.endswith(".")


def test_where_most_rows_are_broken_the_feed_has_changed_its_shape() -> None:
    with pytest.raises(BadAnswer, match="3 of 4 rows"):
        of_cpsc({"id": 1}, {"id": 2}, {"id": 3}, samples.a_cpsc_row())


# --- Safety Gate ---


def test_days_of_safety_gate_begin_with_the_day() -> None:
    notice = only(of_safety_gate(samples.a_notification()))
    assert (notice.announced_on, notice.announced_precision) == (datetime.date(2018, 3, 16), "report")
    assert safety_gate.day_of_europe("05/04/2026") == datetime.date(2026, 4, 5)
    for said in ("2018-03-16", "03/16/2018", "16/03/18", ""):
        with pytest.raises(ValueError, match=r"is not a day|must be in"):
            safety_gate.day_of_europe(said)


@pytest.mark.parametrize(
    ("numbers", "parts"),
    [
        ("PB6S", ("PB6S",)),
        ("A1647, A1681 / A1689", ("A1647", "A1681", "A1689", "A1647, A1681 / A1689")),
        ("A1647/A1681", ("A1647", "A1681", "A1647/A1681")),
        ("", ()),
        (" , / ", (", /",)),
    ],
)
def test_a_list_of_model_numbers_is_split(numbers: str, parts: tuple[str, ...]) -> None:
    assert several(numbers) == parts


@pytest.mark.parametrize("brand", ["Unknown", "unknown", "", "Unbranded", "N/A"])
def test_an_unknown_brand_is_no_one(brand: str) -> None:
    notice = only(of_safety_gate(samples.a_notification(brand=brand)))
    assert notice.makers == ()
    assert notice.title == "Portable power bank"


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("A12/00328/22", "A12/00328/22"),
        ("SR/01326/26", "SR/01326/26"),
        ("A12/0428/18", "A12/00428/18"),
        (" a12/0428/18 ", "A12/00428/18"),
    ],
)
def test_all_forms_of_a_case_number_lead_to_one_key(said: str, key: str) -> None:
    assert safety_gate.case_key(said) == key


def test_a_number_that_is_none_costs_only_its_own_row() -> None:
    reading = of_safety_gate(samples.a_notification(caseNumber="to follow"), samples.a_notification())
    assert [row.subject for row in reading.bad] == ["to follow"]
    assert len(reading.notices) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"<!doctype html><html><script>app()</script></html>",
        b"",
        b"<report></report>",
        samples.a_report("16/03/2018"),
        samples.a_report("soon", samples.a_notification()),
        b'<!DOCTYPE r [<!ENTITY a "b">]><report><report_date>&a;</report_date></report>',
        b'<!DOCTYPE r SYSTEM "http://127.0.0.1/x.dtd"><report/>',
    ],
)
def test_what_is_no_report_is_refused_as_a_whole(body: bytes) -> None:
    with pytest.raises(BadAnswer):
        safety_gate.parse_report(body, REPORT, Reading(), KNOWN)


def test_the_index_names_reports_by_week_and_leads_to_their_ids() -> None:
    reading = Reading()
    index = samples.an_index(
        {"Report-2026-46": ("13/11/2026", "10000320"), "Report-2026-9": ("1/3/2026", "12")}
    )
    reports = safety_gate.parse_index(index, reading)
    assert reports == [(2026, 46, "10000320"), (2026, 9, "12")]
    assert reports[1].reference == "Report-2026-09"
    assert safety_gate.address_of("https://sg.example/weeklyReport", reports[0]) == (
        "https://sg.example/weeklyReport/detail/xml/10000320?language=en&search=WEB_REPORT%7C:%7C10000320"
    )


def test_an_index_without_reports_is_no_index() -> None:
    with pytest.raises(BadAnswer):
        safety_gate.parse_index(b"<Safety-Gate/>", Reading())


def test_of_a_case_in_two_reports_the_later_telling_counts() -> None:
    reading = Reading()
    later = samples.a_report("23/03/2018", samples.a_notification(measures="Ban"))
    safety_gate.parse_report(later, REPORT, reading, KNOWN)
    safety_gate.parse_report(samples.a_report("16/03/2018", samples.a_notification()), REPORT, reading, KNOWN)
    reading.settle()
    assert only(reading).remedy == "Ban"


# --- Health Canada ---


def test_the_day_of_an_update_is_not_taken_for_the_first_day() -> None:
    notice = only(of_health_canada(samples.a_canadian_row()))
    assert notice.announced_precision == "earliest"
    assert notice.updated_on == datetime.date(2025, 6, 27)


def test_only_consumer_products_that_are_power_banks_are_kept() -> None:
    reading = of_health_canada(
        samples.a_canadian_row(NID="1", Organization="Transport Canada"),
        samples.a_canadian_row(NID="2", Organization=None),
        samples.a_canadian_row(NID="3", Title="Cribs", Product="Cribs"),
        samples.a_canadian_row(NID="4", Title=None),
        samples.a_canadian_row(NID="5", Product=None, Archived="1", URL=None, Issue=None),
    )
    assert [notice.native_id for notice in reading.notices] == ["4", "5"]
    assert reading.skipped == {"other organizations": 2, "other products": 1}
    assert reading.rows == 5


def test_advice_in_html_is_read_as_text_and_names_the_joint_recall() -> None:
    advice = '<p>Stop &amp; ask. <a href="https://www.cpsc.gov/Recalls/2025/Anker">US</a></p>'
    notice = only(of_health_canada(samples.a_canadian_row(**{"What you should do": advice})))
    assert notice.remedy == "Stop & ask. US"
    assert notice.joint == ("https://www.cpsc.gov/Recalls/2025/Anker",)


@pytest.mark.parametrize("body", [b"[]", b"{}", b'[{"NID":"1","Organization":"CFIA"}]', b"<html>"])
def test_a_file_without_consumer_products_is_broken(body: bytes) -> None:
    with pytest.raises(BadAnswer):
        health_canada.parse(body, Reading(), KNOWN)


# --- ACCC ---


def test_midnight_in_australia_is_not_the_day_before() -> None:
    assert accc.notice_of(samples.an_item(), None).announced_on == datetime.date(2025, 5, 23)


def test_the_page_gives_number_brand_model_and_what_to_do_without_their_labels() -> None:
    assert accc.parse_page(samples.A_PAGE) == {
        "pra-number": "PRA 2025/20555",
        "brand": "Baseus",
        "model": "BS-30KP365",
        "hazards": "Risk of fire.",
        "what-to-do": "Stop using it. Contact the supplier.",
    }
    notice = accc.notice_of(samples.an_item(), accc.parse_page(samples.A_PAGE))
    assert (notice.number, notice.native_id, notice.models) == ("PRA 2025/20555", "sample-1", ("BS-30KP365",))


def test_without_its_page_a_notice_goes_by_its_guid_and_title() -> None:
    notice = accc.notice_of(samples.an_item(), None)
    assert (notice.number, notice.recall_id) == ("ACCC sample-1", "au-accc-sample-1")
    assert notice.models == ()


@pytest.mark.parametrize(
    "body",
    [b"", b"<html/>", b"<rss><channel/></rss>", b'<!DOCTYPE r [<!ENTITY a "b">]><rss/>', b"403 Forbidden"],
)
def test_what_is_no_rss_feed_is_refused_as_a_whole(body: bytes) -> None:
    with pytest.raises(BadAnswer):
        accc.parse_items(body)


@pytest.mark.parametrize("text", ["Powered banking", "Batteries", "A bank of power", "", "charger"])
def test_not_everything_with_power_is_a_power_bank(text: str) -> None:
    assert not is_about_power_banks(text)
