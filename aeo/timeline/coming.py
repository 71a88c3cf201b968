"""The next days on which rules start or end, in a few lines for the home page."""

from aeo.editions import Edition
from aeo.pages.record import Bullets, Link, Paragraph, Section
from aeo.texts import say
from aeo.timeline.dates import COMING, MOST, found
from aeo.timeline.page import short_line


def coming(edition: Edition) -> tuple[Section, ...]:
    """Return the next days in a section of their own; empty if none is known."""
    days = found(edition, COMING)[:MOST]
    if not days:
        return ()
    lines = tuple(short_line(edition.release, one) for one in days)
    more = Paragraph((Link(say("home.coming.all"), COMING.path),))
    return (Section(say("home.coming"), (Bullets(lines), more)),)
