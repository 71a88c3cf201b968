"""What the pages of a full editors' desk cost: queries and seconds.

The seconds are those of the answer alone, without a network or a browser; `cpu_s` is the computing time of
the web process, without the database. Everything that a first visit builds is built before the first round.
"""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bench.desk import full_desk
from bench.report import Line, say, value
from rules.engine.document import Content

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

BUDGET_QUERIES = 20
"""As in tests/compliance/desk/test_queries.py."""

WANTED_SECONDS = 1.5
VISITS = 3

LISTS = {
    "catalog/device": [
        "?o=5",
        "?energy=near",
        "?recalled=yes",
        "?evidence=180",
        "?q=powercore",
        "?q=anker+20000",
    ],
    "catalog/airline": ["?o=4", "?q=emirates"],
    "catalog/source": ["?o=3", "?used=no", "?age=180", "?q=battery"],
    "catalog/changeset": [],
    "catalog/brand": ["?o=-2", "?q=anker"],
    "catalog/airportfact": ["?q=mail"],
    "catalog/country": ["?q=united"],
    "catalog/jurisdiction": ["?q=union"],
    "catalog/auditentry": ["?q=bench-4711", "?verb=publish"],
    "rules/rule": [
        "?o=6",
        "?state=in_review",
        "?desk=waits",
        "?desk=returned",
        "?effect__exact=prohibit",
        "?in_force=now",
        "?jurisdiction=US",
        "?evidence=180",
        "?nature=limit",
        "?days=30",
        "?q=max_units",
        "?q=emirates",
    ],
    "rules/announcement": ["?q=notice"],
    "rules/release": ["?q=more"],
    "rules/impactmeasurement": [],
    "aeo/guidetext": ["?state=every"],
    "recalls/recall": ["?state=every", "?evidence=none", "?q=anker"],
    "auth/user": ["?q=bench"],
    "auth/group": [],
    "compliance/partner": [],
    "compliance/partnerkey": [],
    # Lists that are short, or empty, on this desk.
    "aeo/curation": [],
    "aeo/indexedpage": [],
    "catalog/deadletter": [],
    "catalog/run": [],
    "compliance/corpusproposal": [],
    "compliance/deskdelivery": [],
    "compliance/deskwebhook": [],
    "compliance/verdictrecord": [],
    "compliance/webhook": [],
    "compliance/webhookdelivery": [],
    "recalls/feednotice": [],
    "recalls/feedstate": [],
    "rules/disagreement": [],
    "rules/verdictcase": ["?state=every", "?answer=fails", "?q=emirates"],
    "rules/watchedpage": [],
    "rules/watchsignal": [],
}
"""The lists, with an order, filters and searches of each."""

PAGES = [
    "",
    "findings/",
    "findings/?state=all&page=9",
    "findings/?kind=gap",
    "changes/",
    "rules/release/compare/",
    "search/?q=anker",
    "search/?q=nothing+of+this+kind",
    "autocomplete/?app_label=recalls&model_name=recall&field_name=device&term=powercore",
    "autocomplete/?app_label=catalog&model_name=deviceevidence&field_name=source&term=battery",
    "autocomplete/?app_label=rules&model_name=rule&field_name=airline&term=air",
]
"""The pages of the desk that do not belong to one row."""

MOST_PAGES = 1_000

OF_EVERYTHING = [
    "catalog/device/duplicates/",
    "rules/impactmeasurement/publishing/",
    "rules/release/publish/",
]
"""Slow pages that read every row. Each is opened once, and has no time limit."""

EXPORTS = ["catalog/device/export/csv/?brand__slug__exact=anker", "catalog/device/export/csv/"]
IMPORTED_ROWS = (1_000, 10_000)


def measure(content: Content) -> Iterator[Line]:
    """Fill the desk, read its rows as the job does, then open every list, every form and every page."""
    from django.contrib.auth.models import User
    from django.test import Client
    from django.utils import timezone

    from rules.analysis import report

    started = time.perf_counter()
    by = User.objects.create_superuser("bench")
    full_desk.fill(content, by=by)
    say(f"  the desk was filled in {time.perf_counter() - started:.0f} s")
    started = time.process_time()
    seen = report.refresh(timezone.now())
    yield value("admin_outlook_job_s", [time.process_time() - started], "s", findings=len(seen.findings))
    client = Client(headers={"host": "localhost", "accept": "text/html"})
    client.force_login(by)
    found = []
    for page in _pages(client):
        found.append(_visited(client, page))
        yield found[-1]
    yield value(
        "admin_pages",
        [len(found)],
        "pages",
        digits=0,
        over_budget=[line["page"] for line in found if line["queries"] > BUDGET_QUERIES],
        slower_than_wanted=[line["page"] for line in found if line["value"] > WANTED_SECONDS],
    )
    for name, pages in (("admin_export_s", EXPORTS), ("admin_page_of_everything_s", OF_EVERYTHING)):
        for page in pages:
            yield _visited(client, page, name=name, visits=1)
    yield from _imports(by)


def _visited(client: "Client", page: str, name: str = "admin_page_s", visits: int = VISITS) -> Line:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    seconds, cpu_seconds = [], []
    for _ in range(visits):
        started, computed = time.perf_counter(), time.process_time()
        with CaptureQueriesContext(connection) as queries:
            response: Any = client.get(f"/admin/{page}")
            body = b"".join(response) if response.streaming else response.content
        seconds.append(time.perf_counter() - started)
        cpu_seconds.append(time.process_time() - computed)
        if response.status_code != 200:
            raise RuntimeError(f"/admin/{page} answers {response.status_code}")
    return value(
        name,
        seconds,
        "s",
        digits=3,
        page=f"/admin/{page}",
        queries=len(queries),
        cpu_s=round(min(cpu_seconds), 3),
        kilobytes=len(body) // 1000,
    )


def _pages(client: "Client") -> Iterator[str]:
    from django.contrib import admin

    yield from PAGES
    registered = {f"{model._meta.app_label}/{model._meta.model_name}" for model in admin.site._registry}
    if registered != set(LISTS):
        raise RuntimeError(f"the lists of {registered ^ set(LISTS)} are not known here")
    for room, queries in LISTS.items():
        first: Any = client.get(f"/admin/{room}/")
        last = first.context_data["cl"].paginator.num_pages
        # The log does not count itself.
        last = min(last, MOST_PAGES)
        yield f"{room}/"
        yield from (f"{room}/{query}" for query in [*([f"?p={last}"] if last > 1 else []), *queries])
        if client.get(f"/admin/{room}/add/").status_code == 200:
            yield f"{room}/add/"
        yield from (f"{room}/{page}" for key in _keys(room) for page in (f"{key}/change/", f"{key}/history/"))


def _keys(room: str) -> Iterator[str]:
    """Return the rows of a model whose forms are opened, those with the most data."""
    from django.apps import apps

    from rules.models import Rule

    model = apps.get_model(room.replace("/", "."))
    if model is Rule:
        for state in ("published", *full_desk.UNDER_WAY):
            yield str(Rule.objects.filter(state=state).order_by("-pk").values_list("pk", flat=True)[0])
        return
    known = {
        "catalog/device": "anker-a1263",
        "catalog/airline": "EK",
        "catalog/source": full_desk.POPULAR,
        "catalog/changeset": [],
        "catalog/brand": "anker",
        "catalog/jurisdiction": "EU",
    }
    last = model._default_manager.order_by("-pk").values_list("pk", flat=True).first()
    if last is not None:
        yield str(known.get(room, last)).replace("_", "_5F")


def _imports(by: "User") -> Iterator[Line]:
    """Read files of models that are recorded, changed, and new."""
    from msgspec.structs import replace

    from catalog.bulk import files, importing
    from catalog.devices.bulk import DEVICES
    from catalog.models import Device

    for count in IMPORTED_ROWS:
        recorded = list(Device.objects.order_by("pk")[:count].records())
        for what, rows in (
            ("unchanged", recorded),
            ("changed", [replace(row, notes="New.") for row in recorded]),
            ("new", [replace(row, model_id=f"new-{row.model_id}"[:80]) for row in recorded]),
        ):
            file = files.write("csv", rows, DEVICES.record_type)
            started = time.perf_counter()
            importing.preview(DEVICES, "models.csv", file, by=by)
            yield value(
                "admin_import_preview_s", [time.perf_counter() - started], "s", rows=count, rows_are=what
            )
