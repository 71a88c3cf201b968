"""The sentences of a code in every language, with names in braces where values go.

An answer has one of them, filled in. Programs that show codes in their own pages read them all at once, from
`GET /api/codes`. Called by the list of codes of the API.
"""

import functools
import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from django.conf import settings

from rules.wording.next_steps import STEPS, StepCode
from rules.wording.texts import NEXT_STEPS, STATEMENTS, SUMMARIES
from rules.wording.translating import Plural, Text, translations

Number = Literal["one", "other"]
"""The form of a sentence that counts: for one unit, or for several."""

_NAME = re.compile(r"%\((\w+)\)[ds]")


class CodeSentence(NamedTuple):
    """One sentence: its text by language, the names of the values in it, and its form if it counts."""

    text: dict[str, str]
    parameters: tuple[str, ...] = ()
    number: Number | None = None


def statement_sentences(name: str) -> tuple[CodeSentence, ...]:
    """Return the sentences of a name of the registry: first the plain one, then those with more values."""
    keys = [key for key in STATEMENTS if key == name or key.startswith(f"{name}.")]
    return tuple(one for key in keys for one in _sentences(STATEMENTS[key]))


def gap_sentences(gap: str) -> tuple[CodeSentence, ...]:
    """Return the sentence of what is missing for a verdict."""
    return tuple(_sentences(SUMMARIES[f"insufficient.{gap}"]))


def step_sentences(code: StepCode) -> tuple[CodeSentence, ...]:
    """Return the sentences of a next step: one for each reason that leads to it, each once."""
    texts = dict.fromkeys(NEXT_STEPS[reason] for reason, (step, _) in STEPS.items() if step == code)
    return tuple(one for text in texts for one in _sentences(text))


def _sentences(text: Text) -> Iterable[CodeSentence]:
    forms: list[tuple[Number, int]] = [("one", 1), ("other", 2)]
    if isinstance(text, str):
        yield _sentence(text, 1, None)
    else:
        for number, count in forms:
            yield _sentence(text, count, number)


def _sentence(text: Text, count: int, number: Number | None) -> CodeSentence:
    english = text.other if isinstance(text, Plural) else text
    return CodeSentence(
        {language: _unfilled(text, language, count) for language, _ in settings.LANGUAGES},
        tuple(dict.fromkeys(_NAME.findall(english))),
        number,
    )


@functools.cache
def _unfilled(text: Text, language: str, count: int) -> str:
    catalog = translations(language)
    if isinstance(text, Plural):
        template = catalog.ngettext(text.one, text.other, count)
    else:
        template = catalog.gettext(text)
    return _NAME.sub(r"{\1}", template).replace("%%", "%")
