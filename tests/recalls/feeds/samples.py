"""Answers of the four feeds. ALL HAND-MADE in the shape that consumers of the feeds report.

No feed was ever called from here. Once a machine with internet has recorded one real answer of each, it
belongs beside these (docs/evidence-watch.md says which).
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

CPSC_PAGE = (
    "https://www.cpsc.gov/Recalls/2025/More-than-One-Million-Anker-Power-Banks-Recalled-Due-to-Fire-and-Burn-"
    "Hazards-Manufactured-by-Anker-Innovations"
)


def a_cpsc_row(**changes: Any) -> dict[str, Any]:
    """Return a row of the CPSC about the Anker A1263."""
    row = {
        "RecallID": 10999,
        "RecallNumber": "25338",
        "RecallDate": "2025-06-12T00:00:00",
        "Description": "HAND-MADE SAMPLE. This recall involves power banks with model number A1263. The "
        "model and serial number are on the bottom of the unit. Only units with qualifying serial numbers "
        "are included.",
        "URL": CPSC_PAGE,
        "Title": "HAND-MADE SAMPLE: Power Banks Recalled Due to Fire and Burn Hazards",
        "ConsumerContact": "Toll-free number, e-mail and recall page of the firm.",
        "LastPublishDate": "2025-06-12T00:00:00",
        "Products": [
            {
                "Name": "PowerCore 10000 power banks",
                "Description": "",
                "Model": "",
                "Type": "Batteries / Power Banks",
                "CategoryID": "0",
                "NumberOfUnits": "About 1,158,000",
            }
        ],
        "Inconjunctions": [],
        "Images": [{"URL": "https://www.cpsc.gov/s3fs-public/sample.jpg", "Caption": "Recalled power bank"}],
        "Injuries": [{"Name": "19 reports, including two minor burns"}],
        "Manufacturers": [{"Name": "Example manufacturer, of China", "CompanyID": ""}],
        "Retailers": [{"Name": "Online and in stores, June 2016 through December 2022", "CompanyID": ""}],
        "Importers": [],
        "Distributors": [],
        "SoldAtLabel": "Sold At",
        "ManufacturerCountries": [{"Country": "China"}],
        "ProductUPCs": [],
        "Hazards": [
            {
                "Name": "The lithium-ion battery can overheat, posing fire and burn hazards.",
                "HazardType": "",
                "HazardTypeID": "",
            }
        ],
        "Remedies": [{"Name": "Consumers should stop using the unit and contact the firm."}],
        "RemedyOptions": [{"Option": "Replace"}],
    }
    return row | changes


CPSC_ERROR = [
    {"RecallID": 0, "RecallNumber": None, "Title": "Error retrieving Recalls: HAND-MADE", "URL": None}
]


def a_notification(**changes: str) -> dict[str, str]:
    """Return a notification of Safety Gate about the AmazonBasics PB6S."""
    fields = {
        "caseNumber": "A12/0428/18",
        "reference": "https://ec.europa.eu/consumers/consumers_safety/safety_products/rapex/alerts/"
        "?event=viewProduct&reference=A12/0428/18&lng=en",
        "category": "Electrical appliances and equipment",
        "product": "Portable power bank",
        "brand": "AmazonBasics",
        "name": "",
        "type_numberOfModel": "PB6S",
        "batchNumber": "",
        "barcode": "",
        "description": "HAND-MADE: portable charger, 5,600 mAh",
        "riskType": "Burns, Fire",
        "danger": "HAND-MADE: the battery can overheat",
        "measures": "Recall of the product from end users",
        "level": "Serious risk",
        "notifyingCountry": "SAMPLE",
        "countryOfOrigin": "People's Republic of China",
        "URLrecall": "",
        "companyRecallCode": "",
        "onlineTrader": "",
    }
    return fields | changes


def a_report(day: str, *notifications: Mapping[str, str]) -> bytes:
    """Return a weekly report of Safety Gate."""
    rows = "".join(
        f"<notifications>{''.join(f'<{name}><![CDATA[{text}]]></{name}>' for name, text in row.items())}"
        "</notifications>"
        for row in notifications
    )
    date = f"<report_date><![CDATA[{day}]]></report_date>"
    return f"<report><!-- HAND-MADE SAMPLE -->{date}{rows}</report>".encode()


def an_index(reports: Mapping[str, tuple[str, str]]) -> bytes:
    """Return the index of Safety Gate: references with day and id."""
    rows = "".join(
        f"<weeklyReport><reference>{reference}</reference><publicationDate>{day}</publicationDate>"
        f"<URL>https://ec.europa.eu/safety-gate-alerts/api/download/weeklyReport/detail/xml/{number}"
        "?language=en</URL></weeklyReport>"
        for reference, (day, number) in reports.items()
    )
    return f'<?xml version="1.0"?><Safety-Gate><!-- HAND-MADE -->{rows}</Safety-Gate>'.encode()


def a_canadian_row(**changes: Any) -> dict[str, Any]:
    """Return a row of Health Canada about three models of Anker."""
    row = {
        "NID": "99999",
        "Title": "HAND-MADE SAMPLE: Anker power banks recalled due to fire hazard",
        "URL": "https://recalls-rappels.canada.ca/en/alert-recall/sample",
        "Organization": "Consumer product safety",
        "Product": "Anker power banks, models A1647, A1681 and A1689",
        "Issue": "Consumer products - Fire hazard",
        "Category": "Electronics",
        "Recall class": None,
        "Last updated": "2025-06-27",
        "Archived": "0",
        "What you should do": "<p>Stop using the product. Joint recall with ...</p>",
    }
    return row | changes


def an_item(**changes: str) -> dict[str, str]:
    """Return an item of the ACCC's RSS feed about the Baseus BS-30KP365."""
    item = {
        "title": "Baseus 65W 30,000mAh Power Bank BS-30KP365",
        "link": "https://www.productsafety.gov.au/recalls/sample",
        "guid": "sample-1",
        "pubDate": "Fri, 23 May 2025 00:00:00 +1000",
        "description": "HAND-MADE: may overheat and catch fire",
    }
    return item | changes


def an_rss(items: Sequence[Mapping[str, str]]) -> bytes:
    """Return the ACCC's RSS feed."""
    rows = "".join(
        f"<item>{''.join(f'<{name}>{escape(text)}</{name}>' for name, text in item.items())}</item>"
        for item in items
    )
    return f'<rss version="2.0"><channel><title>HAND-MADE SAMPLE</title>{rows}</channel></rss>'.encode()


A_PAGE = b"""<!doctype html><html><head><title>HAND-MADE SAMPLE</title></head><body><main>
<div class="field field--name-field-psa-recall-pra-number field--label-inline">
  <div class="field__label">PRA number</div><div class="field__item">PRA 2025/20555</div></div>
<div class="field field--name-field-psa-recall-brand"><div class="field__item">Baseus</div></div>
<div class="field field--name-field-psa-recall-model"><div class="field__label">Model<br>number</div>
  <div class="field__items"><div class="field__item">BS-30KP365</div></div></div>
<div class="field field--name-field-psa-recall-hazards"><p>Risk of <b>fire</b>.</p></div>
<div class="field field--name-field-psa-recall-what-to-do"><p>Stop using it.<p>Contact the supplier.</div>
<p>Models A1263 of other makers stand elsewhere on the page.</p></main></body></html>"""


def as_json(rows: object) -> bytes:
    """Return rows as an answer."""
    return json.dumps(rows).encode()
