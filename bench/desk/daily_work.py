"""What people and jobs leave on a full desk: talk, change sets, signals, notices, partners, verdicts."""

import datetime
import random
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from bench.questions import real_questions
from rules.engine.document import Content

if TYPE_CHECKING:
    from django.contrib.auth.models import User

PEOPLE, COMMENTS, CHANGE_SETS, SIGNALS, NOTICES, PARTNERS = 200, 2_000, 500, 2_000, 2_000, 200
VERDICTS = 100_000
VERDICT_COPIES, NOTICE_COPIES = 500, 50
"""So many records of each answer there are, and of each notice: what counts is the length of the list."""

FACTS_IN_ONE_IMPORT = 1_000
"""The records of the largest change set, which an import made. The others are forms, of one record each."""

SCALE = "bench"


def fill(content: Content, *, by: "User") -> None:
    """Leave all of it, on a desk that is full of records."""
    draw, now = random.Random(2), datetime.datetime.now(datetime.UTC)
    people = _people()
    _conversations(people, by, now, draw)
    _change_sets(people[0], now)
    _signals(now)
    _notices(content, by, now, draw)
    _partners(by, now)
    _verdicts(content, now)


def _people() -> "list[User]":
    from django.contrib.auth.models import User

    return User.objects.bulk_create(
        User(username=f"{SCALE}-{number}", password="!", is_staff=True, first_name=f"Person {number}")
        for number in range(PEOPLE)
    )


def _conversations(people: "list[User]", by: "User", now: datetime.datetime, draw: random.Random) -> None:
    """Talk about drafts, assign half of them to the measuring person, and tell that person of each."""
    from compliance.models import Assignment, Comment, News
    from rules.models import Rule

    drafts = list(Rule.objects.exclude(state="published").order_by("pk").values_list("rule_id", flat=True))
    common = {"kind": "rule", "created_at": now}
    Comment.objects.bulk_create(
        Comment(
            subject=drafts[0] if number % 20 == 0 else draw.choice(drafts),
            text=f"Is sentence {number} of the page meant? @{by.username}",
            mentions=[by.pk],
            created_by=draw.choice(people),
            **common,
        )
        for number in range(COMMENTS)
    )
    Assignment.objects.bulk_create(
        Assignment(
            subject=subject,
            name=subject,
            assignee=by if number % 2 else draw.choice(people),
            due=now.date() + datetime.timedelta(days=number % 30 - 5),
            ends_with_work=True,
            created_by=draw.choice(people),
            **common,
        )
        for number, subject in enumerate(drafts[: COMMENTS // 2])
    )
    News.objects.bulk_create(
        News(
            person=by,
            cause=f"comment {number}",
            about="mentioned",
            kind="rule",
            subject=draw.choice(drafts),
            text=f"Person {number} mentions you.",
            made=now,
            mailed=now,
        )
        for number in range(COMMENTS)
    )


def _change_sets(by: "User", now: datetime.datetime) -> None:
    """Propose facts of models: one import of many records, and one form for each of the other sets."""
    from catalog.devices.bulk import DEVICES
    from catalog.editorial.pending.facts import Edit, pending_change
    from catalog.models import ChangeSet, Device, PendingChange

    sizes = [FACTS_IN_ONE_IMPORT] + [1] * (CHANGE_SETS - 1)
    records = iter(list(Device.objects.order_by("-pk")[: sum(sizes)].records()))
    changes = []
    for number, size in enumerate(sizes):
        subject = "models.csv" if size > 1 else f"model {number}"
        opened = ChangeSet.objects.create(
            subject=subject, reason="New label.", authors=[by.pk], created_at=now, created_by=by
        )
        for record in islice(records, size):
            after = msgspec.structs.replace(record, model_name=f"{record.model_name} II")
            change = pending_change(DEVICES, Edit(record.model_id, record, after))
            change.change_set = opened
            changes.append(change)
    PendingChange.objects.bulk_create(changes)


def _signals(now: datetime.datetime) -> None:
    """Watch every page, and have some of them not answer."""
    from rules.models import SignalKind, Visit, WatchedPage, WatchSignal
    from rules.watch.page_list import host_of, wanted_pages

    pages = WatchedPage.objects.bulk_create(
        (
            WatchedPage(
                url=url,
                host=host_of(url),
                follows_text=wanted.follows_text,
                visit_days=wanted.visit_days,
                due=now + datetime.timedelta(days=1),
                visited=now,
                answered=now,
            )
            for url, wanted in wanted_pages().items()
        ),
        ignore_conflicts=True,
        batch_size=5_000,
    )
    found = list(WatchedPage.objects.order_by("pk")[: len(pages)])
    Visit.objects.bulk_create(
        (Visit(page=page, at=now, outcome="unchanged", status=200, seconds=0.4) for page in found),
        batch_size=5_000,
    )
    WatchSignal.objects.bulk_create(
        WatchSignal(
            page=page,
            kind=SignalKind.DEAD_LINK,
            detail="It answered 404 on three days.",
            opened=now,
            moved=now,
        )
        for page in found[:SIGNALS]
    )


def _notices(content: Content, by: "User", now: datetime.datetime, draw: random.Random) -> None:
    """Take in some notices of recalls as the feeds bring them, and keep copies of these."""
    from django.db import connection

    from catalog.devices.duplicates import Named
    from recalls.feeds.actions import suspect, take_in
    from recalls.feeds.matching import Catalog
    from recalls.feeds.notices import Notice

    catalog = Catalog(Named(*(getattr(device, name) for name in Named._fields)) for device in content.devices)
    for number in range(NOTICES // NOTICE_COPIES):
        device = draw.choice(content.devices)
        notice = Notice(
            feed="cpsc",
            native_id=f"{SCALE}-{number}",
            number=f"26-{number}",
            title=f"{device.brand} power banks recalled",
            url=f"https://www.cpsc.gov/Recalls/2026/{SCALE}-{number}",
            announced_on=now.date(),
            announced_precision="day",
            updated_on=now.date(),
            texts={"Description": f"{device.brand} power banks, {device.model_name}. Burns were reported."},
            makers=(device.brand,),
            raw={"RecallID": number},
        )
        take_in(notice, catalog=catalog, now=now)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO recalls_feednotice SELECT (r).* FROM (SELECT jsonb_populate_record(f,"
            " jsonb_build_object('id', nextval('recalls_feednotice_id_seq'),"
            " 'native_id', f.native_id || '-' || n, 'number', f.number || '-' || n)) AS r"
            " FROM recalls_feednotice f, generate_series(2, %s) n) copies",
            [NOTICE_COPIES],
        )
    suspect("cpsc", "Thirty notices are gone.", now=now)


def _partners(by: "User", now: datetime.datetime) -> None:
    from compliance.partners.actions.keys import issue_key
    from compliance.partners.actions.partners import record_partner
    from compliance.partners.agreement import Agreement
    from compliance.partners.webhooks.actions import register_webhook

    for number in range(PARTNERS):
        slug = f"{SCALE}-{number}"
        agreement = Agreement(
            name=f"Partner {number}",
            contact_email=f"{slug}@partner.example",
            rate_per_minute=600,
            terms_url="https://partner.example/terms",
        )
        record_partner(by=by, now=now, slug=slug, agreement=agreement)
        issue_key(by=by, now=now, partner=slug)
        register_webhook(by=by, now=now, partner=slug, url=f"https://93.184.216.34/{slug}")


def _verdicts(content: Content, now: datetime.datetime) -> None:
    """Answer some questions, and keep each answer many times, as if many had asked."""
    from django.db import connection

    from compliance.records.verdict_log.actions import record_verdicts

    rows = verdict_rows(content, VERDICTS // VERDICT_COPIES, seed=3, now=now)
    record_verdicts(rows=rows, database=connection)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO compliance_verdictrecord SELECT (r).* FROM (SELECT jsonb_populate_record(v,"
            " jsonb_build_object('entry_id', gen_random_uuid(), 'generated',"
            " v.generated - n * interval '1 minute')) AS r FROM compliance_verdictrecord v,"
            " generate_series(2, %s) n) copies",
            [VERDICT_COPIES],
        )


def verdict_rows(content: Content, count: int, *, seed: int, now: datetime.datetime) -> str:
    """Answer so many random questions, and return the rows that the verdict log has of them, as JSON."""
    from compliance.records.verdict_log import entries
    from rules import corpus, verdicts

    release: Any = corpus.current()
    lines = b"".join(
        entries.line(verdicts.answer_from(release, question, now=now), "api", "en", "")
        for question in islice(real_questions(content, seed), count)
    )
    return entries.rows(entries.read(lines)[0])
