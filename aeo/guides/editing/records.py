"""A guide as an editor writes it: a flat record whose parts `aeo.guides.reading` reads strictly. Pure."""

from collections import defaultdict
from collections.abc import Iterable

import msgspec
import yaml

from aeo.guides.reading import (
    DIRECTORY,
    Guide,
    GuideError,
    ListName,
    load_guides,
    plain,
    prose_of,
    require_whole,
)
from catalog.records import Record
from rules.cases import CaseError, cases_in
from rules.engine.facts import Source


class WrittenPassage(Record, frozen=True):
    """A question and its answer. `who` names the list below it."""

    question: str
    answer: str
    who: ListName | None = None


class Translation(Record, frozen=True):
    """What one English text is in one language."""

    language: str
    english: str
    text: str


class WrittenGuide(Record, frozen=True, kw_only=True):
    """All that an editor writes of a guide. `reports` and `cases` are YAML, as in the files of guides."""

    slug: str
    title: str
    description: str
    short_answer: str
    answers: tuple[WrittenPassage, ...]
    sources: tuple[str, ...]
    reports: str = ""
    cases: str
    translations: tuple[Translation, ...] = ()


def guide_of(written: WrittenGuide) -> Guide:
    """Return the guide that was written, without translations of texts that it no longer has.

    Raises `GuideError`, with a sentence that begins with the field where one is wrong.
    """
    document = {
        "title": written.title,
        "description": written.description,
        "short_answer": written.short_answer,
        "answers": msgspec.to_builtins(written.answers),
        "sources": list(written.sources),
        "reports": plain("`reports`", written.reports) or [],
    }
    try:
        cases = cases_in(f"{written.slug}.yaml", written.cases)
    except CaseError as error:
        raise GuideError(f"`cases`: {error}") from error
    guide = Guide(written.slug, prose_of(written.slug, document), cases)
    texts = set(guide.texts().values())
    own: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for one in written.translations:
        if one.english in texts:
            own[one.language][one.english] = one.text
    guide = msgspec.structs.replace(guide, own=dict(own))
    require_whole(guide)
    return guide


def of_the_program(slug: str) -> WrittenGuide | None:
    """Return a guide of the files as an editor would have written it; None if there is none."""
    guide = next((one for one in load_guides() if one.slug == slug), None)
    if guide is None:
        return None
    prose = guide.prose
    return WrittenGuide(
        slug=guide.slug,
        title=prose.title,
        description=prose.description,
        short_answer=prose.short_answer,
        answers=tuple(WrittenPassage(one.question, one.answer, one.who) for one in prose.answers),
        sources=prose.sources,
        reports=_yaml(prose.reports) if prose.reports else "",
        cases=(DIRECTORY / "cases" / f"{guide.slug}.yaml").read_text(encoding="utf-8"),
    )


def _yaml(reports: Iterable[Source]) -> str:
    """Return reports as YAML, with the fields that say something."""
    items = [
        {name: value for name, value in msgspec.to_builtins(report).items() if value} for report in reports
    ]
    return str(yaml.safe_dump(items, allow_unicode=True, sort_keys=False, width=110))
