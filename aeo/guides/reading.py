"""The files of guides: their allowed content, and a strict reader."""

import functools
from collections import defaultdict
from pathlib import Path
from typing import Annotated, Any

import msgspec
import yaml

from aeo.guides.lists import ListName
from rules.cases import Case, load_cases
from rules.engine.facts import Source
from rules.wording.translating import unfilled

DIRECTORY = Path(__file__).parent

AS_OF = "{as_of}"
"""The placeholder in a short answer for the day of the release that it was checked against."""

MIN_SHORT_ANSWER_CHARACTERS = 80
FEWEST_PASSAGES = FEWEST_SOURCES = 3

Text = Annotated[str, msgspec.Meta(min_length=1)]


class GuideError(ValueError):
    """A guide that cannot be read; the message names the file and the reason."""


class Passage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question and its answer. `who` names the list below it."""

    question: Text
    answer: Text
    who: ListName | None = None


class Prose(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a guide. `sources` are ids of sources of the release.

    `reports` are sources behind no rule, for example about rules for products, so no release contains them.
    """

    title: Text
    description: Text
    short_answer: Annotated[str, msgspec.Meta(min_length=MIN_SHORT_ANSWER_CHARACTERS)]
    answers: Annotated[tuple[Passage, ...], msgspec.Meta(min_length=FEWEST_PASSAGES)]
    sources: Annotated[tuple[str, ...], msgspec.Meta(min_length=FEWEST_SOURCES)]
    reports: tuple[Source, ...] = ()


class Guide(msgspec.Struct, frozen=True):
    """A guide: its prose, and the questions whose answers the prose states."""

    slug: str
    prose: Prose
    cases: tuple[Case, ...]

    @property
    def path(self) -> str:
        """Return the address below the site's base."""
        return f"/guides/{self.slug}"

    def texts(self) -> dict[str, str]:
        """Return its texts, by their place in the guide."""
        prose = self.prose
        found = {"title": prose.title, "description": prose.description, "short answer": prose.short_answer}
        for number, passage in enumerate(prose.answers, start=1):
            found |= {f"question {number}": passage.question, f"answer {number}": passage.answer}
        return found

    def prose_in(self, language: str) -> Prose:
        """Return its prose in a language."""
        prose = self.prose
        return msgspec.structs.replace(
            prose,
            title=unfilled(prose.title, language),
            description=unfilled(prose.description, language),
            short_answer=unfilled(prose.short_answer, language),
            answers=tuple(
                Passage(unfilled(one.question, language), unfilled(one.answer, language), one.who)
                for one in prose.answers
            ),
        )


@functools.cache
def load_guides(directory: Path = DIRECTORY) -> tuple[Guide, ...]:
    """Read every guide of a directory, by slug.

    Raises `GuideError` for a guide that cannot be read, has no questions, does not give its day or asks about
    flights on fixed days as if they were today's, and
    `rules.cases.CaseError` for a question that cannot be read.
    """
    cases: dict[str, list[Case]] = defaultdict(list)
    for case in load_cases(directory / "cases"):
        cases[Path(case.file).stem].append(case)
    guides = tuple(
        Guide(path.stem, _prose(path), tuple(cases.pop(path.stem, ())))
        for path in sorted(directory.glob("*.yaml"))
    )
    for guide in guides:
        if not guide.cases:
            raise GuideError(
                f"{guide.slug}: states no answer of the engine: cases/{guide.slug}.yaml is missing"
            )
        if AS_OF not in guide.prose.short_answer:
            raise GuideError(f"{guide.slug}: the short answer does not say its day with {AS_OF}")
        if any(case.given.today is None and _has_dates(case) for case in guide.cases):
            raise GuideError(f"{guide.slug}: a case without `today` is asked for any day, so it has no dates")
    if cases:
        raise GuideError(f"{', '.join(sorted(cases))}: there are questions but no guide")
    return guides


def _has_dates(case: Case) -> bool:
    return any(segment.date is not None for segment in case.given.segments or ())


def _prose(path: Path) -> Prose:
    try:
        # As in the verdict cases: every scalar is text, so none is read as a number or a truth value.
        document: Any = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)
        return msgspec.convert(document, type=Prose)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, msgspec.ValidationError) as error:
        raise GuideError(f"{path.name}: cannot be read: {error}") from error
