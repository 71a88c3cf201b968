"""Guides: their allowed content, and a strict reader of their files."""

import functools
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import yaml

from rules.cases import Case, load_cases
from rules.engine.facts import Source
from rules.wording.translating import SOURCE_LANGUAGE, unfilled

DIRECTORY = Path(__file__).parent

AS_OF = "{as_of}"
"""The placeholder in a short answer for the day of the release that it was checked against."""

MIN_SHORT_ANSWER_CHARACTERS = 80
FEWEST_PASSAGES = FEWEST_SOURCES = 3

ListName = Literal["take_one_unit", "ask_for_a_label", "refuse_over_100_wh", "forbid_use"]
"""A list of those who have a rule of one kind: `aeo.guides.lists` makes it from the release."""

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
    """A guide: its prose, and the questions whose answers the prose states.

    `own` are the translations that editors wrote with it, by language and English text. They come before
    those of the files of translations.
    """

    slug: str
    prose: Prose
    cases: tuple[Case, ...]
    own: dict[str, dict[str, str]] = {}

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

    def said(self, text: str, language: str) -> str | None:
        """Return one of its texts in a language; None if nobody has translated it."""
        if language == SOURCE_LANGUAGE:
            return text
        found = self.own.get(language, {}).get(text) or unfilled(text, language)
        return None if found == text else found

    def is_in(self, language: str) -> bool:
        """Tell whether all of its texts are translated into a language."""
        return all(self.said(text, language) is not None for text in self.texts().values())

    def prose_in(self, language: str) -> Prose:
        """Return its prose in a language, or all of it in English if a text is not translated."""
        if not self.is_in(language):
            return self.prose
        prose = self.prose
        return msgspec.structs.replace(
            prose,
            title=self._say(prose.title, language),
            description=self._say(prose.description, language),
            short_answer=self._say(prose.short_answer, language),
            answers=tuple(
                Passage(self._say(one.question, language), self._say(one.answer, language), one.who)
                for one in prose.answers
            ),
        )

    def _say(self, text: str, language: str) -> str:
        return self.said(text, language) or text


@functools.cache
def load_guides(directory: Path = DIRECTORY) -> tuple[Guide, ...]:
    """Read every guide of a directory, by slug.

    Raises `GuideError` for a guide that cannot be read or is not whole (`require_whole`), and
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
        require_whole(guide)
    if cases:
        raise GuideError(f"{', '.join(sorted(cases))}: there are questions but no guide")
    return guides


def require_whole(guide: Guide) -> None:
    """Check that a guide has questions, gives its day, and asks about no fixed day as if it were today.

    Raises `GuideError`.
    """
    if not guide.cases:
        raise GuideError(f"{guide.slug}: states no answer of the engine: its cases are missing")
    for language, short_answer in _short_answers(guide):
        if AS_OF not in short_answer:
            raise GuideError(f"{guide.slug}: the short answer ({language}) does not say its day with {AS_OF}")
    if any(case.given.today is None and _has_dates(case) for case in guide.cases):
        raise GuideError(f"{guide.slug}: a case without `today` is asked for any day, so it has no dates")


def plain(where: str, text: str) -> Any:
    """Return YAML as texts, lists and mappings. Raises `GuideError`."""
    try:
        # As in the verdict cases: every scalar is text, so none is read as a number or a truth value.
        return yaml.load(text, Loader=yaml.CBaseLoader)
    except yaml.YAMLError as error:
        raise GuideError(f"{where}: cannot be read: {error}") from error


def prose_of(slug: str, document: object) -> Prose:
    """Return prose from its fields, as plain values. Raises `GuideError`."""
    try:
        return msgspec.convert(document, type=Prose)
    except msgspec.ValidationError as error:
        raise GuideError(f"{slug}: cannot be read: {error}") from error


def _short_answers(guide: Guide) -> Iterator[tuple[str, str]]:
    english = guide.prose.short_answer
    yield SOURCE_LANGUAGE, english
    yield from ((language, texts[english]) for language, texts in guide.own.items() if english in texts)


def _has_dates(case: Case) -> bool:
    return any(segment.date is not None for segment in case.given.segments or ())


def _prose(path: Path) -> Prose:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise GuideError(f"{path.name}: cannot be read: {error}") from error
    return prose_of(path.name, plain(path.name, text))
