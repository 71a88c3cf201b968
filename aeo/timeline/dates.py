"""The days on which rules start and end, by who made the rules, and what a reader wants to see of them.

An issuer is the airline or the jurisdiction of a rule, written `airline-ek` or `place-cn` in addresses.
"""

from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlencode

from aeo.editions import Edition
from aeo.feeds.calendar import Day, every_day
from rules.corpus import Published
from rules.engine.facts import Rule

PATH = "/timeline"


class Wanted(NamedTuple):
    """What a reader wants to see: the days of one issuer, of one year, or only those to come. Empty: all."""

    who: str = ""
    year: str = ""
    coming: str = ""

    @property
    def path(self) -> str:
        """Return the address of what is wanted; all days have the plain one."""
        query = urlencode({name: value for name, value in self._asdict().items() if value})
        return f"{PATH}?{query}" if query else PATH


EVERYTHING, COMING = Wanted(), Wanted(coming="1")

MOST = 3
"""How many of the next days are named where the whole list is one page further."""


def issuer(rule: Rule) -> str:
    """Return who made a rule, as in addresses."""
    code, kind = (rule.jurisdiction, "place") if rule.airline is None else (rule.airline, "airline")
    return f"{kind}-{code.lower()}"


def found(edition: Edition, wanted: Wanted) -> list[Day]:
    """Return the wanted days, the first one first."""
    return [day for day in every_day(edition.release) if _is_wanted(edition, day, wanted)]


def issuers(release: Published) -> frozenset[str]:
    """Return everyone with a rule that starts or ends on a known day."""
    return frozenset(issuer(day.rule) for day in every_day(release))


def years(days: Iterable[Day]) -> list[int]:
    """Return the years of days, the newest first, each once."""
    return sorted({day.date.year for day in days}, reverse=True)


def is_known(edition: Edition, wanted: Wanted) -> bool:
    """Tell whether it can be asked for: an issuer or a year of the release, and `1` or nothing."""
    return (
        wanted.who in {"", *issuers(edition.release)}
        and wanted.year in {"", *map(str, years(every_day(edition.release)))}
        and wanted.coming in {"", "1"}
    )


def _is_wanted(edition: Edition, day: Day, wanted: Wanted) -> bool:
    return (
        wanted.who in ("", issuer(day.rule))
        and wanted.year in ("", str(day.date.year))
        and (not wanted.coming or day.date >= edition.today)
    )
