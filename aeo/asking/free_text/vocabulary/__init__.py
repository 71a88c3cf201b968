"""The words in eight languages that a question is read with, from the files of this folder.

README.md describes each list. All languages are merged, because travelers mix them. If a phrase is in several
lists, the stricter reading counts. Called by the readers of sentences in `aeo.asking.free_text`.
"""

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

import yaml

from aeo.asking.names.folding import fold
from aeo.asking.names.scripts import script_of

FOLDER = Path(__file__).parent

Role = Literal["from", "to", "via", "within"]
Determiner = Literal["owner", "indefinite", "definite", "new"]
Verb = Literal["be", "do", "have"]
Kind = Literal["bag", "condition", "label", "mark", "day", "operated_by", "signal"]

STRICT = (("bags", "checked"), ("condition", "damaged"), ("label", "missing"), ("mark", "absent"))
"""The facts that make an answer stricter: these readings of a phrase take precedence."""

KINDS: Mapping[str, Kind] = {"bags": "bag", "condition": "condition", "label": "label", "mark": "mark"}


DOUBTS = ("model_before", "model_behind", "figure_before", "figure_behind", "day_before", "day_behind")
"""Where the words of `doubts` are."""

_SHORT = 3
"""Words of so few letters may also be the ends of two others."""


class Meaning(NamedTuple):
    """What a phrase says: a fact of the question, or (`signal`) something to ask about."""

    kind: Kind
    value: str | int


MILD = frozenset(
    (
        Meaning("bag", "carry_on"),
        Meaning("bag", "on_person"),
        Meaning("condition", "intact"),
        Meaning("label", "legible"),
        Meaning("mark", "present"),
    )
)
"""The facts that may make an answer milder."""


class Vocabulary(NamedTuple):
    """Folded phrases and their meanings. `meanings` are phrases that have a meaning in any position."""

    before: Mapping[str, Role]
    after: Mapping[str, Role]
    numbers: Mapping[str, int]
    counted: frozenset[str]
    plural_before: frozenset[str]
    total: frozenset[str]
    particles: frozenset[str]
    airports: frozenset[str]
    articles: frozenset[str]
    fillers: frozenset[str]
    power_bank: frozenset[str]
    power_banks: frozenset[str]
    plain: frozenset[str]
    wishes: frozenset[str]
    asks_before: frozenset[str]
    asks_behind: frozenset[str]
    conditions: frozenset[str]
    questions: frozenset[str]
    permissions: frozenset[str]
    question_begins: frozenset[str]
    question_tags: frozenset[str]
    verbs: Mapping[str, Verb]
    determiners: Mapping[str, Determiner]
    in_addition: frozenset[str]
    doubts: Mapping[str, frozenset[str]]
    meanings: Mapping[str, Meaning]


@functools.cache
def vocabulary() -> Vocabulary:
    """Return the words of all languages; read at the first call."""
    files = [languages()[name] for name in sorted(languages())]

    def every(key: str) -> frozenset[str]:
        return frozenset(phrase for file in files for phrase in phrases(file.get(key, "")))

    def every_of(key: str, part: str) -> frozenset[str]:
        return frozenset(phrase for file in files for phrase in phrases(file.get(key, {}).get(part, "")))

    def by_meaning(key: str) -> dict[str, Any]:
        return {
            phrase: meaning
            for file in files
            for meaning, text in file.get(key, {}).items()
            for phrase in phrases(text)
        }

    return Vocabulary(
        before=by_meaning("before"),
        after=by_meaning("after"),
        numbers=by_meaning("numbers"),
        counted=every("counted"),
        plural_before=every("plural_before"),
        total=every("total"),
        particles=every("particles"),
        airports=every("airports"),
        articles=every("articles"),
        fillers=every("fillers"),
        power_bank=every("power_bank"),
        power_banks=every("power_banks"),
        plain=every("plain"),
        wishes=every("wishes"),
        asks_before=every("asks_before"),
        asks_behind=every("asks_behind"),
        conditions=every("conditions"),
        questions=every("questions"),
        permissions=every("permissions"),
        question_begins=every("question_begins"),
        question_tags=every("question_tags"),
        verbs=by_meaning("verbs"),
        determiners=by_meaning("determiners"),
        in_addition=every("in_addition"),
        doubts={place: every_of("doubts", place) for place in DOUBTS},
        meanings=dict(reversed(list(_meanings(files)))),
    )


@functools.cache
def languages() -> Mapping[str, Mapping[str, Any]]:
    """Return the lists as they are written, by the name of their file."""
    return {
        path.stem: yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        for path in sorted(FOLDER.glob("*.yaml"))
    }


def phrases(text: str) -> list[str]:
    """Return the folded phrases of a list."""
    return [phrase for part in str(text).split(",") if (phrase := fold(part))]


def pattern(words: Iterable[str]) -> str:
    """Return a regular expression for any of some folded phrases, the longest first.

    Scripts with spaces between words have them as whole words. In Korean, that holds for one syllable alone,
    because particles follow the others.
    """
    latin, syllables, others = list[str](), list[str](), list[str]()
    for word in sorted(words, key=len, reverse=True):
        script = script_of(word[0])
        kind = latin if script == "l" else syllables if script == "g" and len(word) == 1 else others
        kind.append(re.escape(word))
    parts = (
        rf"(?<![a-z0-9])(?:{'|'.join(latin)})(?![a-z0-9])" if latin else "",
        rf"(?<![가-힣])(?:{'|'.join(syllables)})(?![가-힣])" if syllables else "",
        *others,
    )
    return "|".join(filter(None, parts))


@functools.cache
def matcher(words: frozenset[str]) -> re.Pattern[str]:
    """Return the compiled `pattern` of some folded phrases."""
    return re.compile(pattern(words))


@functools.cache
def small_words() -> frozenset[str]:
    """Return every phrase that ends the name of a model. Words for devices do not: some names have them."""
    known = vocabulary()
    said = (phrase for phrase, meaning in known.meanings.items() if meaning.value != "device")
    lists: tuple[Iterable[str], ...] = (
        known.before,
        known.after,
        known.numbers,
        said,
        known.fillers,
        known.total,
        known.plural_before,
    )
    units = known.power_bank | known.power_banks
    return frozenset(phrase for one in lists for phrase in one if phrase not in units)


@functools.cache
def strict_words() -> frozenset[str]:
    """Return each single word that makes an answer stricter, counts power banks or asks a question."""
    known = vocabulary()
    said = (phrase for phrase, meaning in known.meanings.items() if meaning not in MILD)
    words = (*said, *known.numbers, *known.power_banks)
    return frozenset(word for word in words if " " not in word and len(word) > _SHORT)


@functools.cache
def every_word() -> frozenset[str]:
    """Return every word of every phrase, in all languages."""

    def texts(value: Any) -> Iterator[str]:
        if isinstance(value, Mapping):
            for part in value.values():
                yield from texts(part)
        else:
            yield str(value)

    lists = (text for file in languages().values() for text in texts(file))
    return frozenset(word for text in lists for phrase in phrases(text) for word in phrase.split())


def _meanings(files: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Meaning]]:
    """Yield the meanings of phrases: first the strict facts, then what to ask about, then the mild facts."""
    files = list(files)
    for key, value in STRICT:
        for file in files:
            for phrase in phrases(file.get(key, {}).get(value, "")):
                yield phrase, Meaning(KINDS[key], value)
    for file in files:
        for about, text in file.get("signals", {}).items():
            for phrase in phrases(text):
                yield phrase, Meaning("signal", about)
        for phrase in phrases(file.get("devices", "")):
            yield phrase, Meaning("signal", "device")
    for file in files:
        for phrase in phrases(file.get("operated_by", "")):
            yield phrase, Meaning("operated_by", "")
        for days, text in file.get("days", {}).items():
            for phrase in phrases(text):
                yield phrase, Meaning("day", int(days))
        for key, kind in KINDS.items():
            for value, text in file.get(key, {}).items():
                for phrase in phrases(text):
                    yield phrase, Meaning(kind, value)
