"""The words of the desk for what the watch knows: kinds, outcomes, troubles and spans of time. Pure."""

import datetime

from catalog.dates import moment_words
from rules.watch import BROKEN
from rules.watch.actions.recording import BY_LEAVE
from rules.watch.models import SignalKind, SignalOutcome, VisitOutcome, WatchedPage, WatchSignal

BY_HAND = "robots"
"""The trouble of a page that no program may read; a person has to."""

KINDS = {
    SignalKind.QUOTE_GONE: "Quote gone",
    SignalKind.TEXT_CHANGED: "Text changed",
    SignalKind.DEAD_LINK: "Link dead",
}
KIND_COLORS = {"Quote gone": "danger", "Text changed": "warning", "Link dead": "warning"}
"""The color of each kind's pill, which contains its word."""

SAID = {
    SignalKind.QUOTE_GONE: "A quote of a rule is no longer on the page.",
    SignalKind.TEXT_CHANGED: "The text of the page has changed.",
    SignalKind.DEAD_LINK: "The page did not answer on three different days.",
}
"""What happened, in one sentence."""

OUTCOMES = {
    "": "Open",
    SignalOutcome.DISMISSED: "Dismissed",
    SignalOutcome.STILL_TRUE: "Still true",
    SignalOutcome.REVISED: "Rules revised",
    SignalOutcome.CAME_BACK: "Page answered again",
}

VISITS = {
    VisitOutcome.FIRST: "First seen",
    VisitOutcome.UNCHANGED: "Unchanged",
    VisitOutcome.CHANGED: "Changed",
    VisitOutcome.ANSWERED: "Answered",
    VisitOutcome.FAILED: "Failed",
}

TROUBLES = {
    "bad_url": "its address is not that of a public web page",
    "forbidden_address": "it leads into a private network",
    "unknown_host": "its host is not found",
    "no_connection": "its host accepts no connection",
    "tls": "its host cannot prove its identity",
    "timed_out": "it took too long",
    "busy": "our other visits to its host took too long",
    "robots": "its site does not allow visits by programs",
    "too_many_redirects": "it redirects too often",
    "bad_redirect": "it redirects to an address that is not followed",
    "http_status": "its host answered with an error",
    "too_large": "it is too large",
    "bad_answer": "its host sent an unreadable answer",
    "bot_wall": "it requires a person or a browser",
    "broken_page": "its markup cannot be read",
    "broken_pdf": "its PDF file cannot be read",
    "no_text": "it has no text",
    "not_text": "it is not text",
    "took_too_long": "its PDF file takes too long to read",
    BROKEN: "this program failed to process it",
}
"""Why a visit failed, by the words of the fetcher, of the reader of texts and of the watch."""

PAGE_COLORS = {
    "Unchanged": "success",
    "Changed": "warning",
    "Does not answer": "danger",
    "A person must read it": "info",
    "Link answers": "success",
    "Not visited yet": "info",
    "No longer visited": "default",
}
"""The color of the pill of each state of a page."""


def trouble(word: str) -> str:
    """Return why a visit failed; empty if it did not."""
    return TROUBLES.get(word, word.replace("_", " "))


def page_status(page: WatchedPage) -> str:
    """Return the state of a page, as a key of `PAGE_COLORS`."""
    if page.due is None:
        return "No longer visited"
    if page.trouble == BY_HAND:
        return "A person must read it"
    if page.trouble and page.trouble not in BY_LEAVE:
        return "Does not answer"
    if page.visited is None:
        return "Not visited yet"
    if page.newest_id is None:
        return "Link answers"
    return "Unchanged" if page.newest_id == page.reviewed_id else "Changed"


def state(signal: WatchSignal) -> str:
    """Return the outcome of a signal, or that it is open."""
    return OUTCOMES[signal.outcome]


def since(then: datetime.datetime | None, now: datetime.datetime) -> str:
    """Return how long ago an instant was: `3 hours ago`."""
    return "never" if then is None else f"{span_of(now - then)} ago"


def span_of(span: datetime.timedelta) -> str:
    """Return a span in its largest unit: `5 minutes`, `1 day`."""
    for unit, seconds in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        count = int(span.total_seconds() // seconds)
        if count:
            return f"{count:,} {unit}{'' if count == 1 else 's'}"
    return "less than a minute"


def counted(count: int, one: str, many: str = "") -> str:
    """Return how many of something there are: `1 rule`, `2 rules`."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def instant(then: datetime.datetime | None) -> str:
    """Return an instant as tables show it."""
    return moment_words(then) if then else ""
