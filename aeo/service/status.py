"""/status: whether the service answers, from which ruleset, and whether everything else has followed it."""

import datetime
from typing import NamedTuple

from aeo.editions import Edition
from aeo.page_records.selectors import Followed
from aeo.pages import parts
from aeo.pages.record import Code, Facts, Instant, Line, Page, Paragraph, Run, Section
from aeo.pages.sections import listed, see_also, web_page
from aeo.texts import say
from aeo.web.formatting import instant_words

PATH = "/status"


class State(NamedTuple):
    """The known facts about the service at one time.

    `edition` is None if no ruleset is loaded. What follows a release is None while the database is
    unavailable.
    """

    now: datetime.datetime
    edition: Edition | None
    pages: Followed | None
    datasets: Followed | None
    scorecard: Followed | None

    @property
    def database_answers(self) -> bool:
        """Return whether the database answered."""
        return self.pages is not None


def status(state: State) -> Page:
    """Return the page about the status of the service."""
    edition, title = state.edition, say("status.title")
    lead = (
        say("status.lead.none")
        if edition is None
        else say(
            "status.lead",
            version=edition.release.ruleset_version,
            date=instant_words(edition.release.published_at),
        )
    )
    version = None if edition is None else edition.release.ruleset_version
    about: tuple[tuple[str, Line], ...] = ((say("status.now"), (Instant(state.now),)),)
    return Page(
        path=PATH,
        title=title,
        lead=lead,
        sections=(
            *(() if edition is None else (_answers(edition),)),
            Section(
                say("status.caught_up"),
                (
                    Facts(
                        (
                            (say("status.database"), (_database(state),)),
                            (say("status.pages"), _followed(state.pages)),
                            (say("status.datasets"), _followed(state.datasets)),
                            (say("status.scorecard"), _followed(state.scorecard)),
                        )
                    ),
                ),
            ),
            listed("status.means", "status.means.verdicts", "status.means.pages", "status.means.page"),
            see_also(PATH),
        ),
        crumbs=parts.crumbs((title, PATH)),
        about=about,
        node=web_page(PATH, title, lead, version),
    )


def _answers(edition: Edition) -> Section:
    release = edition.release
    return Section(
        say("status.answers"),
        (
            Facts(
                (
                    (say("status.version"), (release.ruleset_version,)),
                    (say("status.published"), (Instant(release.published_at),)),
                    (say("status.edition"), (Instant(edition.opened_at),)),
                    (say("status.edition.ends"), (Instant(edition.ends_at),)),
                )
            ),
            Paragraph((say("status.digest"),)),
            Code(release.sha256),
        ),
    )


def _database(state: State) -> str:
    if state.database_answers:
        return say("status.database.answers")
    return say("status.database.away" if state.edition else "status.database.away.empty")


def _followed(followed: Followed | None) -> Line:
    if followed is None:
        return (say("status.unknown"),)
    if followed.last is None:
        return (say("status.never"),)
    word = say("status.in_line" if followed.in_line else "status.behind")
    last: Run = followed.last if isinstance(followed.last, str) else Instant(followed.last)
    return word, " ", last
