"""Reading a watch by its secret, with all its verdicts. Reads only."""

import datetime
import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from django.db.models import OuterRef, Subquery

from aeo.texts import say
from aeo.web.formatting import verdict_word
from compliance.trip_watch import questions
from compliance.trip_watch.evaluation import TripContent, flights_in_words
from compliance.trip_watch.models import TripWatch, TripWatchState
from compliance.trip_watch.secret import digest, is_secret
from rules.corpus import Published
from rules.engine.facts import BY_LABEL
from rules.engine.vocabulary import Verdict

LONGEST_SILENCE = datetime.timedelta(hours=1)
"""Each release and each day brings a new judgment, within seconds.

After a longer wait an old verdict is not shown.
"""


class State(NamedTuple):
    """A verdict, the time since when it is valid, and its text."""

    number: int
    since: datetime.datetime
    ruleset_version: str
    verdict: Verdict
    content: TripContent

    @property
    def word(self) -> str:
        """The word for the verdict, in the active language."""
        return verdict_word(self.verdict)


class FlightShown(NamedTuple):
    """A watched flight in words, with its verdict; without, if there is no answer."""

    words: str
    verdict: str
    word: str


class Watched(NamedTuple):
    """A watch with its states, the newest first. There is always one."""

    watch: TripWatch
    question: questions.Watched
    states: tuple[State, ...]

    @property
    def now(self) -> State:
        """The present verdict."""
        return self.states[0]

    @property
    def days(self) -> tuple[datetime.date, ...]:
        """The days of travel, in order."""
        return questions.days(self.question)

    @property
    def last_day(self) -> datetime.date:
        """The last day (UTC) on which the watch is active."""
        return (self.watch.ends - datetime.timedelta(microseconds=1)).date()

    def is_behind(self, release_sha256: str, today: datetime.date) -> bool:
        """Whether a release has not judged the trip yet on a day (UTC)."""
        return not self.watch.is_judged_by(release_sha256, today)

    def is_lost(self, release: Published, now: datetime.datetime) -> bool:
        """Whether a new judgment is so late that the last state is no longer valid."""
        due = []
        if self.watch.release_sha256 != release.sha256:
            due.append(release.published_at)
        if self.watch.judged_on < now.astimezone(datetime.UTC).date():
            next_day = self.watch.judged_on + datetime.timedelta(days=1)
            due.append(datetime.datetime.combine(next_day, datetime.time(), datetime.UTC))
        return bool(due) and now - min(due) > LONGEST_SILENCE

    @property
    def trip(self) -> str:
        """The path of the page that answers for the trip, in English."""
        return questions.page(self.question)


def find(secret: str, *, now: datetime.datetime) -> Watched | None:
    """Return the watch of a secret; none if there is no such watch, or if it is over."""
    if not is_secret(secret):
        return None
    watch = TripWatch.objects.filter(digest=digest(secret), ends__gt=now).first()
    return None if watch is None else watched(watch)


class ListedWatch(NamedTuple):
    """A watch in the list of its partner, with its newest state."""

    watch: TripWatch
    model_ids: list[str]
    travel_date: datetime.date
    verdict: Verdict
    since: datetime.datetime
    ruleset_version: str


class ListedWatches(NamedTuple):
    """A part of the watches of a partner, and how many there are."""

    watches: list[ListedWatch]
    total: int


def watches_of(partner: str, *, now: datetime.datetime, after: str | None, most: int) -> ListedWatches:
    """Return watches of a partner that are not over, in the order of their ids, after an id."""
    own = TripWatch.objects.filter(partner=partner, ends__gt=now)
    newest = TripWatchState.objects.filter(watch=OuterRef("pk")).order_by("-number")
    rows = own.annotate(
        verdict=Subquery(newest.values("verdict")[:1]),
        since=Subquery(newest.values("since")[:1]),
        ruleset_version=Subquery(newest.values("ruleset_version")[:1]),
    ).order_by("watch_id")
    if after is not None:
        rows = rows.filter(watch_id__gt=after)
    return ListedWatches([_listed(row) for row in rows[:most]], own.count())


def _listed(row: Any) -> ListedWatch:
    models = [one for one in questions.model_ids(row.question) if one != BY_LABEL]
    first_day = questions.first_day(row.question)
    return ListedWatch(row, models, first_day, row.verdict, row.since, row.ruleset_version)


def watched(watch: TripWatch) -> Watched:
    """Return a watch with all its states."""
    states = tuple(map(state_of, watch.states.order_by("-number")))
    return Watched(watch, questions.asked(watch.question), states)


def state_of(row: TripWatchState) -> State:
    """Return a state as readers see it."""
    return State(
        row.number,
        row.since,
        row.ruleset_version,
        row.verdict,  # type: ignore[arg-type]
        msgspec.convert(row.content, TripContent),
    )


def flights(watched: Watched, release: Published) -> Iterator[FlightShown]:
    """Yield the flights of a watch in order, in the active language."""
    judged = watched.now.content.flights
    for words, one in itertools.zip_longest(flights_in_words(release, watched.question), judged):
        verdict, word = (one.verdict, verdict_word(one.verdict)) if one else ("", "")
        yield FlightShown(words, verdict, word)


def what(watched: Watched, day: str) -> str:
    """Say in the active language what a watch is about; `day` is its first day of travel in words."""
    return say("watch.of", model=watched.now.content.model, day=day)
