"""What is assigned to a person and what they were told last. Called by `sections`. Two queries."""

import datetime
from collections.abc import Iterator

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from catalog.dates import day_words
from compliance.desk.shapes import FEW, Line, Row, Section
from compliance.teamwork.conversation.selectors import Assigned, assigned_to
from compliance.teamwork.news.reading import news_of


def sections(user: User, now: datetime.datetime) -> Iterator[Section]:
    """Yield both sections."""
    page, today = reverse("teamwork:news"), timezone.localdate(now)
    assigned = assigned_to(user)
    overdue = sum(one.due is not None and one.due < today for one in assigned)
    # A viewer does nothing, so nothing is assigned to them.
    if assigned or user.has_perm("compliance.add_assignment"):
        yield Section(
            title="Assigned to you",
            calm="Nothing is assigned to you.",
            lines=(
                Line(count=overdue, what="Overdue", link=f"{page}?assigned=overdue", tone="danger"),
                Line(count=len(assigned), what="Assigned", link=f"{page}?assigned=all", tone="info"),
            ),
            rows=tuple(_row(one) for one in assigned[:FEW]),
        )
    news = news_of(user, FEW)
    yield Section(
        title="Your news",
        calm="The last that happened:" if news else "Nothing happened yet.",
        rows=tuple(Row(name=one.text, says="", link=link, at=one.made) for one, link in news),
    )


def _row(one: Assigned) -> Row:
    says = f"due on {day_words(one.due)}" if one.due else "without a day"
    return Row(name=one.name, says=f"{says}, assigned by {one.by}", link=one.link)
