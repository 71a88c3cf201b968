"""A grammar of sentences: whole questions with parts before, after and next to the model.

The meaning of each sentence is known. The parts are in `words.yaml`, models, airlines and places in
`names.yaml`. Nothing of the reader is used, so both sides cannot misread a word in the same way.
"""

import datetime
import functools
import random
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from rules.engine.facts import Leg, Question, Unit

TODAY = datetime.date(2026, 11, 23)

LANGUAGES = ("en", "de", "fr", "es", "ja", "ko", "zh-hans", "zh-hant")

ALPHABETS = {
    "letters": "bdfghjkqvwxz",
    "kana": "ヌヱヂヅヲゑゐぢづ",
    "hangul": "꿻뛟쀍쒫쮆퓿",
    "han": "龘靐齉爩鱻麤",
    "others": "жщыфأغظθψξกฒळञ",
    "signs": "+&%#@=*🔥💥🚫⚠½†",
}  # fmt: skip


class Made(NamedTuple):
    """A sentence, the strictest question that it can mean, and whether no question can express it."""

    language: str
    text: str
    question: Question
    open: bool


@functools.cache
def words() -> dict[str, Any]:
    """Return the parts by language."""
    return _read("words.yaml")


@functools.cache
def names() -> dict[str, dict[str, dict[str, str]]]:
    """Return the names of models, airlines and places, by code and language."""
    return _read("names.yaml")


def _read(file: str) -> dict[str, Any]:
    return dict(
        yaml.load((Path(__file__).parent / file).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    )


def make(choose: random.Random, most_parts: int = 3) -> Made:
    """Make a sentence."""
    language = choose.choice(LANGUAGES)
    known = words()[language]
    model, airline = choose.choice([*names()["models"]]), choose.choice([*names()["airlines"]])
    origin, destination = choose.sample([*names()["places"]], 2) if choose.random() > 0.2 else ["CN", "CN"]
    said: defaultdict[str, set[str]] = defaultdict(set)
    text = _frame(choose, known, language, model, airline, origin, destination)
    is_open = False
    for _ in range(choose.randrange(most_parts + 1)):
        if choose.random() < 0.6:
            fact = choose.choice([*known["facts"]])
            name, _, value = fact.partition("=")
            said[name].add(value)
            part = choose.choice(known["facts"][fact])
        else:
            part, is_open = choose.choice(known["open"]), True
        text = _placed(choose, text, str(part), known["joint"], _name("models", model, language))
    is_open = is_open or any(len(values) > 1 for values in said.values())
    question = _question(model, Leg(origin, destination, airline), {name: min(said[name]) for name in said})
    return Made(language, text, question, is_open or question.travel_date < TODAY)


def unknown_word(choose: random.Random, language: str) -> str:
    """Make a word, or a sign, that no language has."""
    alphabet = choose.choice([words()[language]["unknown"], "letters", "others", "signs"])
    # Shorter words of Latin letters may be codes of airports.
    size = 1 if alphabet == "signs" else choose.randrange(4, 9)
    return "".join(choose.choices(ALPHABETS[alphabet], k=size))


def with_word(choose: random.Random, made: Made, word: str) -> str:
    """Return a sentence with one word added somewhere, between two of its words or at an end."""
    gaps = [at for at, letter in enumerate(made.text) if letter == " "] + [0, len(made.text)]
    at = choose.choice(gaps)
    return f"{made.text[:at]} {word} {made.text[at:]}"


def _frame(
    choose: random.Random,
    known: dict[str, Any],
    language: str,
    model: str,
    airline: str,
    origin: str,
    destination: str,
) -> str:
    return str(choose.choice(known["frames"])).format(
        **{
            "model": _name("models", model, language),
            "airline": _name("airlines", airline, language),
            "from": _name("places", origin, language),
            "to": _name("places", destination, language),
        }
    )


def _name(kind: str, code: str, language: str) -> str:
    known = names()[kind][code]
    return known.get(language, known["any"])


def _placed(choose: random.Random, text: str, part: str, joint: str, model: str) -> str:
    """Return a sentence with a part before it, after it, or directly after the model."""
    match choose.randrange(3):
        case 0:
            return f"{part}{joint}{text}"
        case 1:
            return f"{text}{joint}{part}"
    return text.replace(model, f"{model} {part} ", 1)


def _question(model: str, leg: Leg, said: dict[str, str]) -> Question:
    unit = Unit(
        model_id=model,
        quantity=int(said.get("count", 1)),
        ccc_mark=said.get("mark", "unknown"),  # type: ignore[arg-type]
        capacity_label=said.get("label", "unknown"),  # type: ignore[arg-type]
        condition=said.get("condition", "unknown"),  # type: ignore[arg-type]
    )
    date = datetime.date.fromisoformat(said["date"]) if "date" in said else TODAY
    return Question(
        unit=unit,
        leg=leg,
        travel_date=date,
        compartment_intent=said.get("bag", "carry_on"),  # type: ignore[arg-type]
    )
