"""A page that is visited by hand, day by day: what a test says it answered is written down for good."""

import datetime
import random

from rules.engine.facts import Quote
from rules.models import VisitOutcome, WatchedPage, WatchSignal
from rules.watch.actions.recording import align_pages, record_visit
from rules.watch.actions.text_changes import QuotesOf
from rules.watch.page_list import QuoteOfRule, Wanted
from rules.watch.text import fingerprint
from rules.watch.visiting import Said, Visited

MONDAY = datetime.datetime(2026, 11, 23, 9, tzinfo=datetime.UTC)
URL = "https://northwing.example/batteries"
NEIGHBOR = "https://south.example/batteries"
TEXT = "Power banks\nUp to 100 Wh: two per passenger, in the cabin.\nKeep them where you can see them."
WORDS = "two per passenger"


def quoted(words: str = WORDS) -> QuotesOf:
    """Return that a rule rests on these words of the page."""
    return {URL: (QuoteOfRule("n1.two-units", Quote(source="northwing-page", words=words)),)}


class Days:
    """The days of one page. `day` counts from a Monday; while `online`, another page answers each day."""

    def __init__(self, *, follows_text: bool = True, quotes: QuotesOf | None = None) -> None:
        self.quotes = quotes or {}
        self.follows_text = follows_text
        self.day = 0
        self.online = True
        self.align()

    @property
    def now(self) -> datetime.datetime:
        return MONDAY + datetime.timedelta(days=self.day)

    @property
    def page(self) -> WatchedPage:
        return WatchedPage.objects.get(url=URL)

    @property
    def signals(self) -> list[tuple[str, str]]:
        """The kind and the outcome of each signal, the first one first."""
        return list(WatchSignal.objects.order_by("id").values_list("kind", "outcome"))

    def align(self) -> None:
        wanted = {URL: Wanted(self.follows_text, 7)}
        align_pages(wanted=wanted, quotes=self.quotes, now=self.now)

    def says(
        self, text: str, *, extractor: str = "reader-1", days: int = 1, body: bytes | None = None
    ) -> VisitOutcome:
        """Visit the page when some days are over; it says this."""
        self.day += days
        said = Said(
            text=text,
            fingerprint=fingerprint(text),
            extractor=extractor,
            body=text.encode(),
            media_type="text/plain",
            charset="utf-8",
        )
        return self._visited(answered=True, status=200, said=said, etag='"1"')

    def is_not_modified(self) -> VisitOutcome:
        """Visit the page the next day; the server says that it is still the same."""
        self.day += 1
        return self._visited(answered=True, status=304)

    def fails(self, trouble: str, *, days: int = 1, answered: bool = False, **more: object) -> VisitOutcome:
        """Visit the page when some days are over, in vain."""
        self.day += days
        return self._visited(answered=answered, trouble=trouble, detail="It did not work.", **more)

    def _visited(self, **what: object) -> VisitOutcome:
        if self.online:
            WatchedPage.objects.update_or_create(
                url=NEIGHBOR,
                defaults={
                    "host": "south.example",
                    "follows_text": False,
                    "visit_days": 7,
                    "answered": self.now,
                },
            )
        visited = Visited(page_id=self.page.pk, at=self.now, seconds=0.1, **what)  # type: ignore[arg-type]
        return record_visit(visited, quotes=self.quotes, now=self.now, chance=random.Random(1))
