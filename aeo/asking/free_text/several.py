"""Words of a sentence that `/check` has no field for: people, who operates, a return, different models.

In eight languages, as closed lists. What they say fills the form of an itinerary. Called by its reader
(`aeo.itineraries.hearing`), and by the page of the checker, which sends such sentences there.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from aeo.asking.free_text.understood import Unused
from aeo.asking.free_text.vocabulary import phrases, vocabulary
from aeo.asking.names.folding import fold

MOST_NAMED = 9

_PEOPLE = (
    r"\b(?:we are|family of|group of|party of|wir sind zu|wir sind|nous sommes|famille de|somos|familia de)"
    r" (\w+)",
    r"\b(\w+) (?:people|persons|passengers|adults|travelers|travellers|of us|personen|passagiere|erwachsene"
    r"|personnes|passagers|adultes|personas|pasajeros|adultos)\b",
    r"([1-9一二两兩三四五六七八九])\s?(?:个人|個人|位旅客|名旅客|位乘客|名乘客|人)",
    r"([1-9]|두|세|네|다섯|여섯)\s?명",
)
_TWO_PEOPLE = (
    r"\bmy (?:wife|husband|partner|girlfriend|boyfriend|friend) and i\b",
    r"\bmeine? (?:frau|mann|partnerin|partner|freundin|freund) und ich\b",
    r"\bm(?:a|on) (?:femme|mari|compagne|compagnon|amie|ami) et moi\b",
    r"\bmi (?:mujer|esposa|marido|esposo|pareja|amiga|amigo) y yo\b",
    r"我(?:和|跟)(?:我)?(?:妻子|太太|老婆|丈夫|先生|老公)",
    r"(?:妻|夫)と私",
    r"(?:아내|남편)(?:와|과|랑) (?:나|저)",
)
_DIFFERENT = (
    r"\b(\w+) (?:[\w-]+ ){0,2}(?:different|distinct|verschiedene\w*|unterschiedliche\w*|différente?s"
    r"|distint[oa]s|diferentes)\b",
    r"([2-9两兩二三四五六])\s?(?:个|個|块|塊|款|种|種|つの)?(?:不同|異なる|違う)",
    r"서로 다른 (?:[^ ]+ )?([2-9]|두|세|네)",
)

BARE_RETURN = frozenset(phrases("back, zurück"))
"""Words for a way back that may say something else."""

RETURN = frozenset(
    phrases(
        "and back, back, return, return trip, return flight, round trip, roundtrip, there and back, "
        "both ways, and return, coming back, hin und zurück, hin- und Rückflug, zurück, und zurück, "
        "Rückflug, Rückreise, aller-retour, aller et retour, retour, et retour, vol retour, ida y vuelta, "
        "vuelta, y vuelta, regreso, y regreso, "
        "往返, 来回, 來回, 返程, 回程, 往復, 往復で, 帰り, 帰りは, 왕복, 왕복으로, 돌아오는"
    )
)
"""Words for a flight back. Others of that list, such as "one way", say something else."""

JOINING = frozenset(phrases("and, plus, und, sowie, et, y, e, 和, 与, 與, 及, 跟, と, および, 와, 과"))
"""Words that join two things of one kind, and say nothing else."""

_OPERATES = (
    "operated by", "flown by", "durchgeführt von", "geflogen von", "ausgeführt von", "opéré par",
    "assuré par", "exploité par", "operado por", "volado por", "实际承运", "實際承運", "由", "実際の運航は",
)  # fmt: skip
_OPERATES_BEHIND = ("执飞", "執飛", "承运", "承運", "执行", "執行", "運航", "운항")
_SELLS = (
    "sold by", "marketed by", "booked with", "booked through", "ticketed by", "ticket by", "verkauft von",
    "gebucht bei", "vendu par", "vendido por",
)  # fmt: skip
_SELLS_BEHIND = ("出售", "销售", "銷售", "售票", "販売", "発券", "판매", "발권")
_PARTICLES = " 이가은는がはの"
MARKERS = frozenset(map(fold, (*_OPERATES, *_OPERATES_BEHIND, *_SELLS, *_SELLS_BEHIND)))

_SEVERAL = ("model", "rating", "airline")
"""The subjects of unused words that are about an itinerary if there are several of them."""

_ABOUT_ITINERARIES = ("people", "return", "operator", "flight_number")
"""The subjects of unused words for which an itinerary has a field."""

_PLAIN = re.compile(r"[^ ]+")


class Number(NamedTuple):
    """A number, and the words that say it."""

    value: int
    words: str


def is_of_several(text: str, unused: Sequence[Unused]) -> bool:
    """Tell whether a sentence is about several models, people or flights, or names who sold the flight."""
    about = Counter(one.about for one in unused)
    if any(about[one] > 1 for one in _SEVERAL) or any(about[one] for one in _ABOUT_ITINERARIES):
        return True
    return bool(unused) and (people(text) is not None or different(text) is not None)


def people(text: str) -> Number | None:
    """Return how many people a text says travel; None if it says none, or several numbers."""
    found = list(_numbers(_PEOPLE, text))
    found += [Number(2, match[0]) for pattern in _TWO_PEOPLE for match in re.finditer(pattern, text, re.I)]
    return found[0] if len({one.value for one in found}) == 1 else None


def different(text: str) -> Number | None:
    """Return how many different models a text speaks of, from two on."""
    found = [one for one in _numbers(_DIFFERENT, text) if one.value > 1]
    return found[0] if len({one.value for one in found}) == 1 else None


def counted(words: str) -> int | None:
    """Return the number at the start of some words, such as "five power banks"."""
    first = _PLAIN.match(words)
    return _number(first[0]) if first else None


def has_number(text: str) -> bool:
    """Tell whether a text has any number: in figures, or as a word."""
    return bool(re.search(r"[0-9]", text)) or any(
        word in vocabulary().numbers for word in re.findall(r"\w+", fold(text))
    )


def operates(text: str, start: int, end: int) -> bool:
    """Tell whether a text says that the airline at a place operates the flight."""
    return _marked(text, start, end, _OPERATES, _OPERATES_BEHIND)


def sells(text: str, start: int, end: int) -> bool:
    """Tell whether a text says that the airline at a place sold the flight."""
    return _marked(text, start, end, _SELLS, _SELLS_BEHIND)


def _marked(text: str, start: int, end: int, before: tuple[str, ...], behind: tuple[str, ...]) -> bool:
    left = text[:start].rstrip().lower()
    return left.endswith(before) or text[end:].lstrip(_PARTICLES).startswith(behind)


def _numbers(patterns: tuple[str, ...], text: str) -> list[Number]:
    matches = [match for pattern in patterns for match in re.finditer(pattern, text, re.IGNORECASE)]
    return [Number(value, match[0]) for match in matches if (value := _number(match[1])) is not None]


def _number(word: str) -> int | None:
    value = int(word) if re.fullmatch(r"[0-9]{1,2}", word) else vocabulary().numbers.get(fold(word))
    return value if value and value <= MOST_NAMED else None
