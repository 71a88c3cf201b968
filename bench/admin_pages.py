"""What the catalog's screens cost with 100,000 models, 50,000 rules, 20,000 sources and 1,200 airlines.

`python -m bench.admin_pages` fills a throw-away database, opens each page as somebody signed in would, and
prints the queries and the median and slowest time of some visits. Times are those of the answer alone,
without a network or a browser.
"""

import datetime
import os
import random
import time
from collections.abc import Callable
from itertools import islice, product
from statistics import median
from string import ascii_uppercase, digits

from compliance.services import throwaway

DEVICES, RULES, SOURCES, AIRLINES, VISITS = 100_000, 50_000, 20_000, 1_200, 5
TODAY = datetime.date(2026, 11, 20)

PAGES = [
    "device/",
    "device/?p=1000",
    "device/?o=-3",
    "device/?o=5",
    "device/?q=powercore",
    "device/?q=a1263",
    "device/?q=anker+20000",
    "device/?energy=near",
    "device/?recalled=yes",
    "device/?evidence=180",
    "device/?brand__slug__exact=anker",
    "device/?_facets=True",
    "device/anker-a1263/change/",
    "device/add/",
    "device/duplicates/",
    "airline/",
    "airline/?q=emirates",
    "airline/?o=4",
    "airline/EK/change/",
    "source/",
    "source/?o=3",
    "source/?q=battery",
    "source/?used=no",
    "source/?age=180",
    "source/popular/change/",
    "source/popular/delete/",
    "brand/",
    "brand/?o=-2",
    "country/",
    "jurisdiction/",
    "device/export/csv/?brand__slug__exact=anker",
    "device/export/csv/",
]


def main() -> None:
    """Fill, visit, print."""
    with throwaway.services() as addresses:
        os.environ.update(
            DATABASE_URL=addresses.database_url, SECRET_KEY="bench", VERDICT_KEY="bench", LOG_LEVEL="ERROR"
        )
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
        import django

        django.setup()
        _measure()


def _measure() -> None:
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    call_command("migrate", verbosity=0)
    _timed("fill", _fill)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    client = Client(headers={"host": "localhost", "accept": "text/html"})
    client.force_login(User.objects.create_superuser("bench"))
    print(f"{'page':45} {'queries':>7} {'median ms':>9} {'slowest':>8} {'kB':>7}")
    for page in PAGES:
        times = []
        for _ in range(VISITS if "export/csv/" not in page else 2):
            started = time.perf_counter()
            with CaptureQueriesContext(connection) as queries:
                response = client.get(f"/admin/catalog/{page}")
                size = len(response.content)
            times.append((time.perf_counter() - started) * 1000)
            assert response.status_code == 200, (page, response.status_code)
        print(
            f"{page:45} {len(queries):7} {median(times):9.0f} {max(times):8.0f} {size / 1000:7.0f}",
            flush=True,
        )
    _imports()


def _imports() -> None:
    from django.contrib.auth.models import User
    from msgspec.structs import replace

    from catalog.bulk import files, importing
    from catalog.bulk.tables import DEVICES as TABLE
    from catalog.models import Device

    by = User.objects.get(username="bench")
    for count in (1_000, 10_000):
        records = list(Device.objects.order_by("pk")[:count].records())
        content = files.write("csv", records, TABLE.record_type)
        for what, version in (
            ("unchanged", content),
            (
                "changed",
                files.write("csv", [replace(row, notes="New.") for row in records], TABLE.record_type),
            ),
            (
                "new",
                files.write(
                    "csv",
                    [replace(row, model_id=f"new-{row.model_id}"[:80]) for row in records],
                    TABLE.record_type,
                ),
            ),
        ):
            started = time.perf_counter()
            plan = importing.preview(TABLE, "a.csv", version, by=by)
            kinds = {kind: plan.count(kind) for kind in ("new", "changed", "same", "error")}
            print(
                f"preview of {count:,} {what} rows: {time.perf_counter() - started:.1f} s, {kinds}",
                flush=True,
            )


def _fill() -> None:
    from msgspec.structs import replace

    from bench.search import catalog
    from catalog import actions, records
    from catalog.models import Airline, Source
    from compliance.seeding import STARTER_CORPUS, load
    from compliance.starter_release import starter_content
    from rules.models import Rule, RuleEvidence

    load(STARTER_CORPUS)
    by = actions.program_account("bench-author")
    rng = random.Random(1)
    pattern = starter_content().sources[0]
    extra = [
        replace(
            pattern,
            id="popular" if number == 0 else f"bench-{number}",
            title=f"Page {number} about batteries",
            basis="official_page_read",
            page_date=None,
            read_on=TODAY - datetime.timedelta(days=rng.randrange(700)),
        )
        for number in range(SOURCES - Source.objects.count())
    ]
    actions.record_sources(by=by, sources=extra)
    ids = [source.id for source in extra]
    known = {device.model_id for device in starter_content().devices}
    devices = [
        device for device in catalog(starter_content().devices, DEVICES) if device.model_id not in known
    ]
    brands: dict[str, str] = {}
    recorded: list[records.Device] = []
    for device in islice(devices, DEVICES - len(known)):
        brand = brands.setdefault(device.brand.lower(), device.brand)
        recorded.append(replace(device, brand=brand, sources=tuple(rng.sample(ids, rng.randrange(1, 4)))))
    for start in range(0, len(recorded), 10_000):
        actions.record_devices(by=by, devices=recorded[start : start + 10_000])
    taken = set(Airline.objects.values_list("pk", flat=True))
    icaos = set(Airline.objects.values_list("icao", flat=True))
    codes = [f"{a}{b}" for a, b in product(ascii_uppercase + digits, repeat=2) if f"{a}{b}" not in taken]
    free = (f"{a}{b}{c}" for a, b, c in product(ascii_uppercase, repeat=3) if f"{a}{b}{c}" not in icaos)
    actions.record_airlines(
        by=by,
        airlines=[
            replace(
                starter_content().airlines[0],
                airline=code,
                icao=icao,
                name=f"Airline {code}",
                sources=tuple(rng.sample(ids, 2)),
                changes=(),
            )
            for code, icao in zip(codes[: AIRLINES - len(taken)], free, strict=False)
        ],
    )
    # Straight into the table: what is measured reads rules, and 50,000 at once are no editor's work.
    first = Rule.objects.filter(issuer="airline").first()
    assert first is not None
    airlines = list(Airline.objects.values_list("pk", flat=True))
    fields = {
        field.attname: getattr(first, field.attname)
        for field in Rule._meta.concrete_fields
        if field.attname not in {"rule_id", "airline_id"}
    }
    more = [
        Rule(**fields, rule_id=f"bench.rule-{number}", airline_id=rng.choice(airlines))
        for number in range(RULES - Rule.objects.count())
    ]
    Rule.objects.bulk_create(more, batch_size=5_000)
    RuleEvidence.objects.bulk_create(
        [
            RuleEvidence(
                rule_id=rule.rule_id, source_id="popular" if at % 3 == 0 else rng.choice(ids[1:]), position=0
            )
            for at, rule in enumerate(more)
        ],
        batch_size=5_000,
    )


def _timed(what: str, act: Callable[[], object]) -> None:
    started = time.perf_counter()
    act()
    print(f"{what}: {time.perf_counter() - started:.1f} s", flush=True)


if __name__ == "__main__":
    main()
