"""Sentences as travelers type them, in eight languages, and how a release answers them.

Each file of this folder holds the sentences of one language. A sentence is one of three kinds:

- `plain` is answered at once, as exactly these facts;
- `facts` is answered no milder than these facts, or leads to a question;
- `ask` leads to a question, or is banned; its value says why.

Facts are the parameters of the form. Called by the job that counts the scorecard, and by tests.
"""

import datetime
import functools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, get_args

import msgspec
import yaml
from django.http import QueryDict

from aeo.asking.asked import Asked
from aeo.asking.reading import read
from aeo.texts import speaking
from rules import verdicts
from rules.answers.guidance import trip_guidance_from
from rules.corpus import Published
from rules.engine.errors import AirlineNotCovered
from rules.engine.vocabulary import STRICTNESS, Verdict

FOLDER = Path(__file__).parent

WRITTEN = datetime.date(2026, 11, 23)
"""The day on which the sentences are typed: their days count from it."""

Kind = Literal["plain", "facts", "ask"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Sentence(msgspec.Struct, frozen=True):
    """A sentence of one language. `facts` are parameters of the form; an `ask` sentence has none."""

    language: str
    say: str
    kind: Kind
    facts: Mapping[str, str | list[str]]
    why: str = ""


class Heard(msgspec.Struct, frozen=True):
    """How a release treats a sentence. `verdict` is None if it leads to a question.

    `milder`: the answer is less strict than the facts require; for an `ask` sentence, less strict than
    banned. `as_said`: it is answered at once, and as exactly its facts.
    """

    sentence: Sentence
    verdict: Verdict | None
    milder: bool
    as_said: bool


class Spoken(msgspec.Struct, frozen=True, kw_only=True):
    """How many sentences were asked, in how many languages, and how many answers were too mild.

    For the plain sentences: how many there are, and how many were answered at once, as exactly their facts.
    """

    sentences: int
    languages: int
    milder: int
    plain: int
    plain_answered: int


def count(release: Published) -> Spoken:
    """Ask a release every sentence. Takes some seconds."""
    heard = [hear(release, sentence) for sentence in sentences()]
    plain = [one for one in heard if one.sentence.kind == "plain"]
    return Spoken(
        sentences=len(heard),
        languages=len({one.sentence.language for one in heard}),
        milder=sum(one.milder for one in heard),
        plain=len(plain),
        plain_answered=sum(one.as_said for one in plain),
    )


@functools.cache
def sentences() -> tuple[Sentence, ...]:
    """Return all sentences; read at the first call."""
    return tuple(_sentences())


def hear(release: Published, sentence: Sentence) -> Heard:
    """Ask a release a sentence, in its language."""
    with speaking(sentence.language):
        asked = _asked(release, {"q": sentence.say})
        verdict = verdict_of(release, asked) if asked.complete else None
        if sentence.kind == "ask":
            return Heard(sentence, verdict, milder=verdict not in {None, "banned"}, as_said=False)
        meant = _asked(release, sentence.facts)
    if verdict is None:
        return Heard(sentence, None, milder=False, as_said=False)
    strict = verdict_of(release, meant) if meant.complete else "banned"
    milder = STRICTNESS[verdict] < STRICTNESS[strict]
    return Heard(sentence, verdict, milder, as_said=_question(asked) == _question(meant))


def verdict_of(release: Published, asked: Asked) -> Verdict:
    """Return the verdict for a complete question, asked on the day of the sentences.

    For an airline without coverage it is insufficient.
    """
    now = datetime.datetime.combine(WRITTEN, datetime.time(12), datetime.UTC)
    try:
        if asked.rating is not None:
            return trip_guidance_from(release, asked.rating, asked.trip_question, now=now).outcome.verdict
        return verdicts.judge_trip_from(release, asked.trip_question, today=WRITTEN)
    except AirlineNotCovered:
        return "insufficient"


def _asked(release: Published, facts: Mapping[str, str | list[str]]) -> Asked:
    parameters = QueryDict(mutable=True)
    for name, value in facts.items():
        parameters.setlist(name, value if isinstance(value, list) else [value])
    return read(parameters, release, WRITTEN)


def _question(asked: Asked) -> tuple[object, ...]:
    return asked.rating, asked.trip_question if asked.complete else None


def _sentences() -> Iterator[Sentence]:
    for path in sorted(FOLDER.glob("*.yaml")):
        for row in yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader):
            kind = next(kind for kind in KINDS if kind in row)
            facts = {} if kind == "ask" else {name: _written(value) for name, value in row[kind].items()}
            yield Sentence(path.stem, row["say"], kind, facts, row[kind] if kind == "ask" else "")


def _written(value: object) -> str | list[str]:
    return [str(one) for one in value] if isinstance(value, list) else str(value)
