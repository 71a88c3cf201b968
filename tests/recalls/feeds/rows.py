"""What rounds of the feeds leave in the database, and answers that differ from the samples."""

import datetime
from typing import Any

from django.contrib.auth.models import User
from msgspec.structs import replace

from catalog.editorial.audit.models import AuditEntry
from catalog.models import DeadLetter, Source
from catalog.sources.actions import change_source
from recalls.editing.actions import submit_recalls
from recalls.models import FeedNotice, FeedRecall, FeedReview, FeedState, FeedVersion, Recall
from tests.recalls.feeds import samples
from tests.recalls.feeds.server import FeedServer

TODAY = datetime.datetime(2026, 11, 22, 4, 0, tzinfo=datetime.UTC)
NEXT_DAY = TODAY + datetime.timedelta(days=1)

TABLES = (
    FeedNotice,
    FeedVersion,
    FeedRecall,
    FeedReview,
    FeedState,
    Recall,
    Source,
    AuditEntry,
    User,
    DeadLetter,
)


def dump() -> dict[str, list[Any]]:
    """Return all rows that a round may write, but those that tell of the rounds themselves."""
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in TABLES}


def submit_once_read(by: User) -> None:
    """Note that the notice of the draft was read, and submit the draft."""
    notice = Source.objects.get(pk="us-cpsc-25-338-notice").to_record()
    change_source(by=by, source=replace(notice, basis="official_page_read"))
    submit_recalls(by=by, recall_ids=[A1263])


def drafts() -> list[str]:
    return list(Recall.objects.order_by("recall_id").values_list("recall_id", flat=True))


def correct_cpsc(server: FeedServer, **changes: Any) -> None:
    """Let the CPSC tell the sample in other words, as published in November 2026."""
    row = samples.a_cpsc_row(LastPublishDate="2026-11-20T00:00:00", **changes)
    server.answers["/RestWebServices/Recall"] = lambda asked: samples.as_json(
        [row] if "End=2026-11-2" in asked else []
    )


def reviews() -> list[tuple[str, int, int, list[Any]]]:
    """Return the open reviews: kind, versions before and after, and the recalls."""
    rows = FeedReview.objects.filter(closed_at__isnull=True).select_related("before", "after")
    return [(row.kind, row.before.number, row.after.number, row.recalls) for row in rows]


A1263 = "us-cpsc-25-338-a1263"


def many(count: int, **changes: Any) -> bytes:
    """Return a file of Health Canada with many rows about power banks, none of them in the catalog."""
    address = "https://recalls-rappels.canada.ca/en/alert-recall"
    rows = [
        samples.a_canadian_row(NID=str(n), URL=f"{address}/{n}", Product=f"Power banks, QQ{n}")
        for n in range(1, count + 1)
    ]
    return samples.as_json([row | changes for row in rows])
