"""The airline that a sentence names.

Called by `aeo.asking.free_text.sentence`.
"""

import re
from collections.abc import Sequence

from aeo.asking.free_text.items import Item, is_code
from aeo.asking.free_text.reading import Reading
from aeo.asking.free_text.understood import Choice
from aeo.asking.names import airlines
from aeo.asking.names.places import is_only_country
from aeo.asking.names.suggestions import MOST, of_airline
from rules.corpus import Published

_LEADS = re.compile(
    r"\b(?:with|on|fly|flying|flight|mit|bei|flug|avec|con|vol|vuelo|(?:avion|vuelo|vol) de)$"
)
"""Words right before the name of an airline: "with Swiss", "on united"."""

_LEADS_A_NAME = re.compile(r"\b(?:by|via|mit der|par|sur|en|por)$")
"""Words that others follow too, so a capital has to show that it is a name: "by Delta", not "by spring"."""

_FLIGHT_BEHIND = re.compile(r" (?:airlines? )?(?:flights?|plane)\b")
"""What flies: "a Delta flight"."""

_POSSESSIVE = re.compile(r" ?[\u306e\u7684\uc758]")

_ENDS = frozenset(".,;:!?()\u2014\u2013-/|\u3001\u3002\u2192>")
"""Signs that set a name apart."""

_CODE_LETTERS = 2

_PEOPLES = frozenset(
    (
        *("american", "austrian", "british", "ethiopian", "hawaiian"),
        *("korean", "norwegian", "swiss", "thai", "turkish"),
    )
)
"""Names that right before a place are no property of a power bank."""


def read_airline(
    reading: Reading, release: Published, things: Sequence[Item], language: str
) -> tuple[Choice | None, bool]:
    """Return the airline that a text names, or those that may be meant, and whether it names several.

    A flight number names the airline that sells the flight. Another airline may operate it. So the number is
    known, but not used.
    """
    items = [item for item in things if item.kind in {"airline", "flight"}]
    if not items:
        return _lone_code(reading, release, things, language), False
    value = _agreed(items)
    several = value is None and len(items) > 1
    for before, item in zip((None, *things), things, strict=False):
        if item not in items:
            continue
        if several or item.kind == "flight":
            reading.set_aside(item.start, item.end, "airline" if several else "flight_number")
            continue
        if _names_branch(reading, release, things, item) or not _is_sure(reading, things, item):
            reading.set_aside(item.start, item.end, "airline_word")
            continue
        reading.take(item.start, item.end, "airline")
        if before and before.kind == "operated_by":
            reading.take(before.start, before.end, "airline")
    codes = dict.fromkeys(code for item in items for code in sorted(item.value))
    offered = tuple(of_airline(release, release.shelf.airlines[code], language) for code in codes)
    named = dict.fromkeys(reading.folded.shown(item.start, item.end) for item in items)
    return Choice(" · ".join(named), value, offered[:MOST]), several


def _names_branch(reading: Reading, release: Published, things: Sequence[Item], item: Item) -> bool:
    """Tell whether a country right next to an airline may name another one: "AirAsia Philippines".

    Its own country does not, and neither does a country with a word such as "from" before it.
    """
    homes = {release.shelf.airlines[code].country for code in item.value}
    at = things.index(item)
    before, after = things[max(0, at - 2) : at], things[at + 1 : at + 2]
    near = [one for one in after if reading.touch(item.end, one.start)]
    if before and reading.touch(before[-1].end, item.start):
        is_led = before[0].kind == "before" and before[0].value is not None
        near += [] if is_led else before[-1:]
    return any(
        one.kind == "place" and is_only_country(one.value) and one.value[0].country not in homes
        for one in near
    )


def _agreed(items: Sequence[Item]) -> str | None:
    """Return the one airline that all names agree on."""
    exact = {code for item in items if len(item.value) == 1 for code in item.value}
    return exact.pop() if len(exact) == 1 and all(exact <= item.value for item in items) else None


def _lone_code(reading: Reading, release: Published, things: Sequence[Item], language: str) -> Choice | None:
    """Return the airline whose code occurs alone in a text in which letters of one kind say nothing.

    It is shown as a word that was read as an airline ("my gf has it"), unless it stands before an airport in
    capitals: "A1340 QR MUC-DOH".
    """
    for span in reading.unused_spans():
        for word in re.finditer(r"[^ ]+", reading.text[slice(*span)]):
            if record := release.shelf.airlines.get(word[0].upper()):
                start, end = span[0] + word.start(), span[0] + word.end()
                if reading.shouting and _is_beside_airport(reading, things, start, end):
                    reading.take(start, end, "airline")
                else:
                    reading.set_aside(start, end, "airline_word")
                return Choice(word[0], None, (of_airline(release, record, language),))
    return None


def _is_beside_airport(reading: Reading, things: Sequence[Item], start: int, end: int) -> bool:
    """Tell whether nothing but space separates a stretch from the code of an airport."""
    return any(
        one.kind == "place"
        and is_code(one.value[0], reading.text[one.start : one.end])
        and (reading.touch(one.end, start) if one.end <= start else reading.touch(end, one.start))
        for one in things
    )


def _is_sure(reading: Reading, things: Sequence[Item], item: Item) -> bool:
    """Tell whether a name or a code is surely meant as an airline. Some are ordinary words too: peach, PC.

    A word before it says so, or it stands alone, with a capital, or right before a place.
    """
    text, shown = reading.text[item.start : item.end], reading.folded.shown(item.start, item.end)
    if item.kind == "flight" or text not in airlines.ordinary_words():
        return not (_POSSESSIVE.match(reading.text, item.end) and reading.leads_to_model(item.end))
    if len(text) == _CODE_LETTERS:
        # "PC DXB-LHR", but not "my PC from Dubai".
        return _is_beside_airport(reading, things, item.start, item.end)
    if reading.leads_to_model(item.end):
        return False
    said, is_name = reading.text[: item.start].rstrip(), shown[:1].isupper() and not reading.shouting
    if is_name and _FLIGHT_BEHIND.match(reading.text, item.end):
        return True
    if _LEADS.search(said) or (is_name and _LEADS_A_NAME.search(said)):
        return True
    at = things.index(item)
    before, after = things[at - 1] if at else None, things[at + 1] if at + 1 < len(things) else None
    to_place = after is not None and after.kind == "place" and reading.touch(item.end, after.start)
    from_place = before is not None and before.kind == "place" and reading.touch(before.end, item.start)
    begins, ends = _is_apart(reading, item.start), _ends(reading, item.end)
    leads = begins and after is not None and after.kind == "before" and after.value is not None
    is_apart = (begins or from_place) and ends
    return (to_place and text in _PEOPLES) or (is_name and (to_place or is_apart or leads))


def _is_apart(reading: Reading, start: int) -> bool:
    """Tell whether a stretch begins the text or a part of it."""
    before = reading.folded.source[: reading.folded.at[start]].rstrip()
    return not before or before[-1] in _ENDS


def _ends(reading: Reading, end: int) -> bool:
    """Tell whether a stretch ends the text or a part of it."""
    behind = reading.folded.source[reading.folded.at[end - 1] + 1 :].lstrip()
    return not behind or behind[0] in _ENDS
