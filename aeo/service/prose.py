"""/about, /data-boundary and /limits-of-this-check: what it is, what it stores, what it cannot see."""

from django.conf import settings

from aeo.editions import Edition
from aeo.pages.record import Facts, Line, Link, Page, Paragraph, Section
from aeo.pages.sections import listed, page, questions
from aeo.texts import say
from aeo.web.formatting import number
from catalog.fetching import policy_from_settings
from rules.selectors import readings

UNSEEN = (
    "staff",
    "condition",
    "marks",
    "model",
    "new_policy",
    "stale",
    "baggage",
    "codeshare",
    "subsidiary",
    "transfer",
    "security",
    "recall",
    "route",
)
"""What no verdict knows, in the order of the page."""


def about(edition: Edition) -> Page:
    """Return what the service is, what it is not, and how much it has on file."""
    shelf = edition.release.shelf
    own_page = readings.airlines_by_reading(edition.release)["own_page"]
    size: list[tuple[str, Line]] = [
        (say("about.size.models"), (Link(number(len(shelf.devices)), "/models"),)),
        (say("about.size.airlines"), (Link(number(len(shelf.airlines)), "/airlines"),)),
        (say("about.size.own_page"), (Link(number(own_page), "/coverage"),)),
        (say("about.size.rules"), (number(len(shelf.rules)),)),
        (say("about.size.recalls"), (Link(number(len(shelf.recalls)), "/recalls"),)),
        (say("about.size.sources"), (number(len(shelf.sources)),)),
    ]
    return page(
        edition,
        "/about",
        title=say("about.title"),
        lead=say("about.lead"),
        sections=(
            _listed("about.why", "fire", "unknown"),
            _listed("about.what", "rules", "recalls", "verdicts"),
            _listed("about.not", "law", "promise", "airline"),
            _listed("about.visits", "why", "manners", name=policy_from_settings().robot),
            Section(say("about.size"), (Facts(tuple(size)),)),
        ),
    )


def data_boundary(edition: Edition) -> Page:
    """Return what happens to the data that readers and programs send."""
    return page(
        edition,
        "/data-boundary",
        title=say("data.title"),
        lead=say("data.lead"),
        sections=(
            _listed(
                "data.asked",
                "none",
                "memory",
                "record",
                "nobody",
                "kept",
                "counted",
                "address",
                count=settings.VERDICT_LOG_DAYS,
            ),
            _listed("data.serials", "pages", "api", "echo"),
            _listed("data.watched", "kept", "secret", "ends", "partner"),
            _listed("data.logged", "network", "errors", "server", "staff"),
            _listed("data.pages", "cookies", "third"),
            _listed("data.partners", "hash", "limits"),
        ),
    )


def limits_of_this_check(edition: Edition) -> Page:
    """Return what a verdict cannot know, each with what to do about it."""
    path = "/limits-of-this-check"
    answered = [(say(f"limits.{name}.asked"), say(f"limits.{name}")) for name in UNSEEN]
    return page(
        edition,
        path,
        title=say("limits.title"),
        lead=say("limits.lead"),
        sections=tuple(Section(question, (Paragraph((answer,)),)) for question, answer in answered),
        node=questions(path, answered),
    )


def _listed(group: str, *names: str, **values: str | int) -> Section:
    return listed(group, *(f"{group}.{name}" for name in names), **values)
