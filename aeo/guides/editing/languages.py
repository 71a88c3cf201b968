"""Which texts of a guide no one has translated, and since when readers of a language get it in English."""

import datetime
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from django.conf import settings

from aeo.guides.editing.models import GuideText
from aeo.guides.editing.records import guide_of
from aeo.guides.reading import Guide, GuideError


class Shown(NamedTuple):
    """A revision that readers saw, and since when."""

    guide: Guide
    since: datetime.datetime


class MissingText(NamedTuple):
    """A text without a translation: its place in the guide, and what it is.

    `since` is when readers began to miss it; None if they do so with this revision.
    """

    place: int
    what: str
    english: str
    since: datetime.datetime | None


class MissingLanguage(NamedTuple):
    """A language in which readers get the English page, since when, and the texts that it lacks."""

    code: str
    name: str
    texts: list[MissingText]
    since: datetime.datetime | None


def other_languages() -> dict[str, str]:
    """Return the languages but English: their names by their codes."""
    return {code: str(name) for code, name in settings.LANGUAGES if code != settings.LANGUAGE_CODE}


def missing(guide: Guide, shown: Sequence[Shown] = ()) -> list[MissingLanguage]:
    """Return the languages that lack a text of a guide. `shown` is what readers saw, the newest first."""
    found = []
    for code, name in other_languages().items():
        if texts := list(_missing_texts(guide, code, shown)):
            found.append(MissingLanguage(code, name, texts, _since(shown, _is_incomplete(code))))
    return found


def shown_until(row: GuideText) -> list[Shown]:
    """Return what readers saw of a guide up to a revision, the newest first. One query."""
    rows = GuideText.objects.filter(
        slug=row.slug, published_at__isnull=False, withdraws=False, revision__lte=row.revision
    ).order_by("-revision")
    return list(_readable(rows))


def _readable(rows: Iterable[GuideText]) -> Iterator[Shown]:
    """Yield revisions until one that this version of the program cannot read."""
    for row in rows:
        try:
            guide = guide_of(row.to_record())
        except GuideError:
            return
        if row.published_at is not None:
            yield Shown(guide, row.published_at)


def _missing_texts(guide: Guide, code: str, shown: Sequence[Shown]) -> Iterator[MissingText]:
    for place, (what, english) in enumerate(guide.texts().items()):
        if guide.said(english, code) is None:
            yield MissingText(place, what, english, _since(shown, _lacks(english, code)))


def _lacks(english: str, code: str) -> Callable[[Guide], bool]:
    return lambda guide: english in guide.texts().values() and guide.said(english, code) is None


def _is_incomplete(code: str) -> Callable[[Guide], bool]:
    return lambda guide: not guide.is_in(code)


def _since(shown: Sequence[Shown], lacks: Callable[[Guide], bool]) -> datetime.datetime | None:
    """Return since when, without a break, readers have been shown guides that lack something."""
    lacking = list(takewhile(lambda one: lacks(one.guide), shown))
    return lacking[-1].since if lacking else None
