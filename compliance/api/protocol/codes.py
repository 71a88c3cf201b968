"""Every code that answers and errors can have, as data.

`GET /api/codes` lists them, the enumerations of the contract are made from them, and so is `docs/codes.md`.
The codes themselves are defined where they are used: the registry of the engine, the steps of `rules.wording`
and the table of errors.
"""

import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from django.conf import settings

from compliance.api.protocol.errors import PROBLEMS, SUGGESTIONS, SuggestionCode
from compliance.api.protocol.field_codes import MEANINGS, FieldCode
from rules.engine.vocabulary import CODES, Nature, Severity
from rules.engine.weighing import Gap
from rules.wording.code_sentences import (
    CodeSentence,
    gap_sentences,
    statement_sentences,
    step_sentences,
)
from rules.wording.next_steps import StepCode

Kind = Literal["constraint", "warning", "gap", "next_step", "error", "field_error"]

SINCE = Path(settings.BASE_DIR) / "docs" / "contract" / "codes.json"
"""Since which version of the contract each code exists, by kind: written and reviewed with the contract."""

VERSION = str(settings.SPECTACULAR_SETTINGS["VERSION"])
"""The version of the contract."""

MAX_UNITS = re.compile(r"max_units(_over_[0-9]+(\.[0-9]+)?wh)?_([1-9]|1[0-9]|20)")
"""How answers write `max_units`: with its number, and with the watt-hours above which it counts, if any."""

WRITTEN_AS = {"max_units": MAX_UNITS}
"""The codes that answers write with their numbers."""

EXAMPLES = {"max_units": ("max_units_2", "max_units_over_100wh_2")}
"""How some of them are written."""

_WARNINGS = {Nature.ADVICE, Nature.NOTICE}


class ListedCode(NamedTuple):
    """A code with all that is known of it. `status` and `title` are those of an error."""

    kind: Kind
    code: str
    sentences: tuple[CodeSentence, ...]
    nature: Nature | None = None
    severity: Severity | None = None
    at_worst: Severity | None = None
    status: int | None = None
    title: str | None = None

    @property
    def since(self) -> str:
        """Return the version of the contract that has it first: this one, if it is not yet recorded."""
        return recorded().get(self.kind, {}).get(self.code, VERSION)


@functools.cache
def listed() -> tuple[ListedCode, ...]:
    """Return all codes: by kind, and in the order of their definitions."""
    return (*_statements(), *_gaps(), *_steps(), *_errors(), *_field_errors())


def names(kind: Kind) -> list[str]:
    """Return the codes of one kind."""
    return [one.code for one in listed() if one.kind == kind]


@functools.cache
def recorded() -> dict[str, dict[str, str]]:
    """Return the version of each code, as it was written with the contract."""
    found: dict[str, dict[str, str]] = json.loads(SINCE.read_text()) if SINCE.exists() else {}
    return found


def _statements() -> Iterator[ListedCode]:
    for kind in ("constraint", "warning"):
        for code in CODES.values():
            if (code.nature in _WARNINGS) == (kind == "warning"):
                said = statement_sentences(code.name)
                yield ListedCode(kind, code.name, said, code.nature, code.severity, code.at_worst)


def _gaps() -> Iterator[ListedCode]:
    for gap in get_args(Gap):
        yield ListedCode("gap", gap, gap_sentences(gap))


def _steps() -> Iterator[ListedCode]:
    of_verdicts, of_errors = get_args(StepCode), get_args(SuggestionCode)
    for code in dict.fromkeys((*of_verdicts, *of_errors)):
        said = step_sentences(code) if code in of_verdicts else ()
        yield ListedCode("next_step", code, (*said, *_english(SUGGESTIONS.get(code, ()))))


def _errors() -> Iterator[ListedCode]:
    for code, problem in PROBLEMS.items():
        said = _english((problem.detail,))
        yield ListedCode("error", code, said, status=problem.status.value, title=problem.title)


def _field_errors() -> Iterator[ListedCode]:
    for code in get_args(FieldCode):
        yield ListedCode("field_error", code, _english((MEANINGS[code],)))


def _english(texts: tuple[str, ...]) -> tuple[CodeSentence, ...]:
    """Return sentences for the developers of clients, which are in English alone."""
    return tuple(CodeSentence({settings.LANGUAGE_CODE: text}) for text in texts)
