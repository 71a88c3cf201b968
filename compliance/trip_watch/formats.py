"""A watch in the formats of feed readers, calendars and programs: the same bytes until its verdict changes.

Everything is written from the stored states, in the language of the watch. The secret is in none of the
formats, so a copy that is passed on does not reveal the address. Called by the views.
"""

import datetime
import uuid
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import msgspec
from django.conf import settings
from django.utils.html import escape
from icalendar import Calendar, Event

from aeo.feeds.atom import Feed, tag
from aeo.texts import say
from aeo.web.addresses import address
from aeo.web.formatting import day, instant_words, verdict_word
from aeo.web.languages import tag as language_tag
from catalog.free_text import writable
from compliance.trip_watch.evaluation import Flight
from compliance.trip_watch.reading import State, Watched, what
from rules.engine.facts import TripQuestion
from rules.engine.vocabulary import Verdict

PRODUCT = "-//Battery travel compliance//Trip watch//EN"

ASK_AGAIN_HOURS = 6
"""How often calendars should update."""


class Change(msgspec.Struct, frozen=True):
    """One of the verdicts so far. `number` counts them from 0."""

    number: int
    since: datetime.datetime
    verdict: Verdict
    ruleset_version: str
    summary: str


class WatchBody(msgspec.Struct, frozen=True, kw_only=True):
    """A watch as data. `notice` says that it allows nothing; `check_url` is the page that gives a verdict.

    `model_id` is the model of a trip; an itinerary has none. `travel_date` is the first day of travel.
    """

    watch_id: uuid.UUID
    notice: str
    check_url: str
    travel_date: datetime.date
    ends: datetime.datetime
    model_id: str | None
    model: str
    verdict: Verdict
    since: datetime.datetime
    ruleset_version: str
    summary: str
    error: str
    flights: tuple[Flight, ...]
    changes: tuple[Change, ...]


def as_json(watched: Watched) -> bytes:
    """Write a watch as JSON."""
    now = watched.now
    return msgspec.json.encode(
        WatchBody(
            watch_id=watched.watch.watch_id,
            notice=say("watch.notice"),
            check_url=_check_url(watched),
            travel_date=watched.days[0],
            ends=watched.watch.ends,
            model_id=watched.question.unit.model_id if isinstance(watched.question, TripQuestion) else None,
            model=now.content.model,
            verdict=now.verdict,
            since=now.since,
            ruleset_version=now.ruleset_version,
            summary=now.content.summary,
            error=now.content.error,
            flights=now.content.flights,
            changes=tuple(
                Change(one.number, one.since, one.verdict, one.ruleset_version, one.content.summary)
                for one in watched.states
            ),
        )
    )


def as_atom(watched: Watched) -> bytes:
    """Write a watch as a feed, with one entry for each of its verdicts."""
    name = f"trip-watches/{watched.watch.watch_id}"
    feed = Feed(
        watched.watch.made,
        language=language_tag(),
        title=_subject(watched),
        link=_check_url(watched),
        feed_guid=tag(name),
    )
    for state in watched.states:
        feed.add_item(
            title=say("watch.told", what=_subject(watched), verdict=state.word),
            link=_check_url(watched),
            description="".join(f"<p>{escape(line)}</p>" for line in _lines(state)),
            pubdate=state.since,
            updateddate=state.since,
            unique_id=tag(f"{name}/{state.number}"),
        )
    return str(feed.writeString("utf-8")).encode()


def as_calendar(watched: Watched) -> bytes:
    """Write a watch as a calendar: an event on each day of travel, which shows the verdict."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", writable(_subject(watched)))
    calendar.add("refresh-interval", datetime.timedelta(hours=ASK_AGAIN_HOURS), {"value": "DURATION"})
    for number, travel_date in enumerate(watched.days, start=1):
        calendar.add_component(_event(watched, number, travel_date))
    return bytes(calendar.to_ical())


def _event(watched: Watched, number: int, travel_date: datetime.date) -> Event:
    """Return the event of a day of travel. Days are counted from 1."""
    now, host = watched.now, urlsplit(settings.SITE_URL).hostname
    event = Event()
    event.add("uid", f"{watched.watch.watch_id}{'' if number == 1 else f'-{number}'}@{host}")
    event.add("sequence", now.number)
    event.add("dtstamp", now.since.astimezone(datetime.UTC))
    event.add("last-modified", now.since.astimezone(datetime.UTC))
    event.add("dtstart", travel_date)
    # A calendar that was not updated for a while still shows how old the verdict is.
    since = day(now.since.astimezone(datetime.UTC).date())
    told = say("watch.told.since", what=now.content.model, verdict=now.word, day=since)
    event.add("summary", writable(told))
    event.add("description", writable("\n".join(_lines(now))))
    event.add("url", _check_url(watched))
    # A verdict makes no one busy.
    event.add("transp", "TRANSPARENT")
    return event


WRITTEN: Mapping[str, tuple[str, Callable[[Watched], bytes]]] = {
    "atom": (Feed.content_type, as_atom),
    "ics": ("text/calendar; charset=utf-8", as_calendar),
    "json": ("application/json", as_json),
}
"""Each way to subscribe, by the end of its address: the type and the function that writes it."""


def _lines(state: State) -> list[str]:
    """Return the lines that describe a state, with one or two sentences in each."""
    lines = [state.content.summary]
    for flight in state.content.flights:
        lines.append(say("watch.told", what=flight.says, verdict=verdict_word(flight.verdict)))
        lines += [limit.message for limit in flight.constraints]
    return [
        *lines,
        say("watch.since", instant=instant_words(state.since), version=state.ruleset_version),
        say("watch.notice"),
    ]


def _subject(watched: Watched) -> str:
    return what(watched, day(watched.days[0]))


def _check_url(watched: Watched) -> str:
    return address(watched.trip)
