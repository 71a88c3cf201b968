"""A full desk: 100,000 models, 50,000 rules, 20,000 recalls, 20,000 sources and 1,150 airlines; or another.

Years of work are written in minutes, directly into the tables of a database for measuring: constraints apply,
triggers are off, and the rows of the triggers (the history) and of the actions (the log) are written as well.
The records are copies of real ones under other names: rules of real airlines for all airlines, models from
`bench.search`. Everything is published, except a few rules at each step of the workflow.
"""

import datetime
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice, product
from string import ascii_uppercase, digits
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import asdict, replace

from bench import search
from bench.desk import daily_work
from rules.engine.document import Content

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.db import models

Stamps = dict[str, Any]
"""Who wrote a row, and when."""


class Size(NamedTuple):
    """How many records of each kind there are at the end, the real ones included.

    `under_way` rules are at each step of the workflow before publishing.
    """

    devices: int
    rules: int
    recalls: int
    sources: int
    airlines: int
    under_way: int = 0


DESK = Size(devices=100_000, rules=50_000, recalls=20_000, sources=20_000, airlines=1_150, under_way=1_700)
"""Some five thousand rules are under way: drafts, in review, and approved but not published."""

POPULAR = "popular"
"""The source of every third rule."""

UNDER_WAY = ("draft", "in_review", "approved")

BATCH = 5_000


def fill(content: Content, *, by: "User") -> None:
    """Fill the database of a published release with records, publish them, and leave daily work."""
    from django.db import connection

    fill_catalog(content, DESK, by=by)
    daily_work.fill(content, by=by)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def fill_catalog(content: Content, size: Size, *, by: "User") -> None:
    """Fill the database of a published release with records, and publish them."""
    from django.utils import timezone

    draw, stamps = random.Random(1), {"created_at": timezone.now(), "created_by": by}
    with _without_triggers():
        sources = _sources(content, size.sources, draw, stamps)
        _devices(content, size.devices, sources, draw, stamps)
    _airlines(content, size.airlines, sources, draw, by)
    with _without_triggers():
        _rules(size, sources, draw)
        _recalls(size.recalls, draw)
        _keep_history()
    _publish(by)


@contextmanager
def _without_triggers() -> Iterator[None]:
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield


def _sources(content: Content, wanted: int, draw: random.Random, stamps: Stamps) -> list[str]:
    from catalog.models import Source

    day = max(source.read_on for source in content.sources)
    made = [
        replace(
            content.sources[0],
            id=POPULAR if number == 0 else f"bench-{number}",
            url=f"https://pages-{number % 900}.example/batteries/{number}",
            title=f"Page {number} about batteries",
            basis="official_page_read",
            page_date=None,
            read_on=day - datetime.timedelta(days=draw.randrange(700)),
        )
        for number in range(wanted - len(content.sources))
    ]
    reading = {name.replace("created", "recorded"): value for name, value in stamps.items()}
    _write(Source(**asdict(source), **stamps, **reading) for source in made)
    return [source.id for source in made]


def _airlines(content: Content, wanted: int, sources: Sequence[str], draw: random.Random, by: "User") -> None:
    from catalog.airlines import actions

    taken = {airline.airline for airline in content.airlines}
    in_use = {airline.icao for airline in content.airlines}
    pairs = ("".join(pair) for pair in product(ascii_uppercase + digits, repeat=2))
    codes = [code for code in pairs if code not in taken and not code.isdecimal()]
    free = (code for parts in product(ascii_uppercase, repeat=3) if (code := "".join(parts)) not in in_use)
    made = [
        replace(
            draw.choice(content.airlines),
            airline=code,
            icao=icao,
            name=f"Airline {code}",
            sources=tuple(draw.sample(sources, 2)),
            changes=(),
        )
        for code, icao in zip(codes[: wanted - len(taken)], free, strict=False)
    ]
    actions.record_airlines(by=by, airlines=made)


def _devices(
    content: Content, wanted: int, sources: Sequence[str], draw: random.Random, stamps: Stamps
) -> None:
    from catalog.models import Brand, Device, DeviceEvidence

    known = {device.model_id for device in content.devices}
    made = (device for device in search.catalog(content.devices, wanted) if device.model_id not in known)
    chosen = list(islice(made, wanted - len(known)))
    brands = {brand.name.casefold(): brand for brand in Brand.objects.all()}
    fresh = []
    for device in chosen:
        if device.brand.casefold() not in brands:
            slug = f"bench-{len(brands)}"
            brands[device.brand.casefold()] = Brand(slug=slug, name=device.brand, **stamps)
            fresh.append(brands[device.brand.casefold()])
    Brand.objects.bulk_create(fresh)
    columns = (
        "model_id",
        "model_name",
        "model_number",
        "capacity_mah",
        "nominal_voltage",
        "watt_hour",
        "watt_hour_basis",
    )
    _write(
        Device(
            brand=brands[device.brand.casefold()],
            aliases=list(device.aliases),
            **{name: getattr(device, name) for name in columns},
            **stamps,
        )
        for device in chosen
    )
    _write(
        DeviceEvidence(device_id=device.model_id, source_id=source, position=position)
        for device in chosen
        for position, source in enumerate(draw.sample(sources, draw.randrange(1, 4)))
    )


def _rules(size: Size, sources: Sequence[str], draw: random.Random) -> None:
    from catalog.models import Airline
    from rules.models import Rule, RuleEvidence

    real = list(Rule.objects.filter(issuer="airline", state="published"))
    airlines = list(Airline.objects.all())
    made = []
    for number in range(size.rules - Rule.objects.count()):
        airline = draw.choice(airlines)
        row = _copy(draw.choice(real), rule_id=f"{airline.code.lower()}.bench-{number}")
        row.airline, row.jurisdiction, row.authority = airline, airline.country_id, airline.name
        if number < len(UNDER_WAY) * size.under_way:
            _set_back(row, UNDER_WAY[number // size.under_way])
        made.append(row)
    _write(iter(made))
    _write(
        RuleEvidence(rule=rule, source_id=source, position=position)
        for number, rule in enumerate(made)
        for position, source in enumerate(
            [POPULAR if number % 3 == 0 else draw.choice(sources[101:]), sources[1 + number % 100]]
        )
    )


def _set_back(row: Any, state: str) -> None:
    """Put a published revision back into an earlier state."""
    row.state, row.published_at, row.published_by = state, None, None
    if state != "approved":
        row.approved_at = row.approved_by = row.second_approved_at = row.second_approved_by = None
    if state == "draft":
        row.submitted_at = row.submitted_by = None


def _recalls(wanted: int, draw: random.Random) -> None:
    from catalog.models import Device
    from recalls.models import Recall, RecallEvidence

    real = list(Recall.objects.filter(state="published").prefetch_related("evidence"))
    model_ids = draw.sample(list(Device.objects.values_list("pk", flat=True)), wanted - len(real))
    pairs = [
        (pattern, _copy(pattern, recall_id=f"bench-{number}", device_id=model_id))
        for number, model_id in enumerate(model_ids)
        for pattern in [draw.choice(real)]
    ]
    _write(row for _, row in pairs)
    _write(
        RecallEvidence(recall=row, source_id=link.source_id, position=link.position)
        for pattern, row in pairs
        for link in pattern.evidence.all()
    )


def _copy(row: Any, **changes: Any) -> Any:
    fields = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return type(row)(**{**fields, "id": None, **changes})


def _write(rows: "Iterator[models.Model]") -> None:
    while batch := list(islice(rows, BATCH)):
        type(batch[0])._default_manager.bulk_create(batch)


def _keep_history() -> None:
    """Write the events of the triggers and the log of the actions."""
    from django.apps import apps
    from django.db import connection

    with connection.cursor() as cursor:
        for model in apps.get_models():
            if hasattr(model, "pgh_event_model"):
                events, rows = model.pgh_event_model._meta.db_table, model._meta.db_table
                key = model._meta.pk.column
                columns = ", ".join(f'"{field.column}"' for field in model._meta.concrete_fields)
                cursor.execute(
                    f'INSERT INTO "{events}" ({columns}, pgh_created_at, pgh_label, pgh_obj_id)'
                    f' SELECT {columns}, now(), \'insert\', "{key}" FROM "{rows}"'
                    f' WHERE "{key}" NOT IN (SELECT pgh_obj_id FROM "{events}" WHERE pgh_obj_id IS NOT NULL)'
                )
        for action, who in (
            ("draft", "created_by_id"),
            ("submit", "submitted_by_id"),
            ("approve", "approved_by_id"),
            ("publish", "published_by_id"),
        ):
            cursor.execute(
                "INSERT INTO catalog_auditentry (done_at, done_by_id, verb, kind, subject, revision, reason,"
                f" details) SELECT now(), {who}, %s, 'rule', rule_id, revision, '', '{{}}' FROM rules_rule"
                f" WHERE rule_id LIKE %s AND {who} IS NOT NULL ORDER BY id",
                [action, "%.bench-%"],
            )


def _publish(by: "User") -> None:
    """Publish the rows. The normal action would first measure for hours what they change."""
    from django.db import transaction
    from django.utils import timezone

    from rules.engine.document import ReleaseDocument, problems
    from rules.models import Release
    from rules.next_release import compile_content
    from rules.publishing.actions.appending import append, next_version
    from rules.releases.ledger import canonical_text, digest

    content, before, now = compile_content(), Release.objects.current(), timezone.now()
    if before is None or (wrong := problems(content)):
        raise RuntimeError(f"this desk cannot be published: {wrong[:3]}")
    version = next_version(before, now)
    document = ReleaseDocument(ruleset_version=version, predecessor=before.sha256, content=content)
    with transaction.atomic():
        append(
            by=by,
            now=now,
            before=before,
            version=version,
            text=canonical_text(document),
            content_sha256=digest(canonical_text(content)),
            note="Many more models and rules.",
            action="publish",  # type: ignore[arg-type]
            reason="Many more models and rules.",
            details={},
        )
