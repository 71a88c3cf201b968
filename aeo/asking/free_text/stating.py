"""Whether a text states a fact of the unit, or asks about it, wishes, supposes or plans it.

A fact such as a 3C mark can make an answer milder, so it counts only as a statement: "with a 3C mark" and "it
has a 3C mark", but not "is it 3C certified?". Called by `aeo.asking.free_text.facts`.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from operator import attrgetter

from aeo.asking.free_text.items import Item
from aeo.asking.free_text.reading import Reading
from aeo.asking.free_text.vocabulary import KINDS, STRICT, matcher, pattern, vocabulary

ENDS_PHRASE = frozenset(",.;:!\u3001\u3002\uff0c\uff1b\uff01")

_QUESTION_MARK = re.compile(r"[^\w)?\u00bf]*[?\u00bf]")

_QUESTION_ENDS = re.compile(r"\?|[吗嗎咩]|か(?=[\s\u3002]|$)|(?:나요|까요|가요)(?=\W|$)")

_SENTENCE_ENDS = re.compile(r"(?<=[?\u3002\uff01])|(?<=[.!;])(?=\s)|\n")

_QUOTES = frozenset("\"'\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019\u300c\u300d")

STRICT_OF_UNIT = {(KINDS[key], value) for key, value in STRICT if key != "bags"}


def is_asked(reading: Reading, item: Item) -> bool:
    """Tell whether a fact is asked about or demanded, and not stated."""
    source, text, words = reading.folded.source, reading.text, vocabulary()
    before, after = text[: item.start].rstrip(), text[item.end :].lstrip()
    asked = source[: reading.folded.at[item.start]]
    return (
        _is_doubted(reading, item.end)
        or asked.rfind("\u00bf") > asked.rfind("?")
        or any(after.startswith(word) for word in words.asks_behind)
        or any(before.endswith(word) for word in words.asks_before)
        or (words.verbs.get(before.rpartition(" ")[2]) == "be" and _asks(source, text))
        or _matches(words.questions, text)
        or _is_in_question(reading, item)
    )


def _is_doubted(reading: Reading, end: int) -> bool:
    """Tell whether a question mark behind a fact asks about it: "3C mark(?)", "with a 3C mark, right?"."""
    begin = len(reading.text) - len(reading.text[end:].lstrip())
    tag = matcher(vocabulary().question_tags).match(reading.text, begin)
    return any(
        _QUESTION_MARK.match(reading.folded.source, reading.folded.at[at - 1] + 1)
        for at in (end, tag.end() if tag else end)
    )


def _asks(source: str, text: str) -> bool:
    return "?" in source or _matches(vocabulary().question_begins, text)


def _is_in_question(reading: Reading, item: Item) -> bool:
    """Tell whether the sentence with a fact asks about it, and not for a permission, or quotes it."""
    source, start = reading.folded.source, reading.folded.at[item.start]
    behind = reading.folded.at[item.end - 1] + 1
    if source[start - 1 : start] in _QUOTES and source[behind : behind + 1] in _QUOTES and start:
        return True
    begin = max((found.end() for found in _SENTENCE_ENDS.finditer(source, 0, start)), default=0)
    end = next((found.end() for found in _SENTENCE_ENDS.finditer(source, behind)), len(source))
    span = reading.folded_span(begin, end)
    may = _matches(vocabulary().permissions, reading.text, *span)
    if _QUESTION_ENDS.search(source, begin, end) and not may:
        return True
    # "Is an undamaged Anker 737 allowed?" states it, "Is my Anker 737 undamaged?" does not.
    return _is_inverted(reading, *span) and not reading.leads_to_model(item.end)


def _is_inverted(reading: Reading, start: int, end: int) -> bool:
    """Tell whether a sentence asks what something is or has: "is my Anker 737 3C certified", "tiene 3C"."""
    words, text = vocabulary(), reading.text
    for verb in matcher(frozenset(words.verbs)).finditer(text, start, end):
        before = len(text[: verb.start()].rstrip())
        begins = not before or ENDS_PHRASE & set(reading.between(before, verb.start()))
        if (begins and words.verbs[verb[0]] == "have") or _about_unit().match(text, verb.end(), end):
            return True
    return False


@functools.cache
def _about_unit() -> re.Pattern[str]:
    """Return the pattern of what begins with a unit: "my …", "737"."""
    return re.compile(rf" (?:{pattern(vocabulary().determiners)}) | \S*[0-9]")


def _matches(words: frozenset[str], text: str, start: int = 0, end: int | None = None) -> bool:
    """Tell whether a stretch of a folded text has one of some words."""
    return matcher(words).search(text, start, len(text) if end is None else end) is not None


def is_stated(reading: Reading, items: Sequence[Item], item: Item) -> bool:
    """Tell whether a fact is alone or among plain words: no "if", no wish, no bag that has it."""
    at, text = items.index(item), reading.text
    if any(text[other.start : other.end] in vocabulary().wishes for other in items):
        return False
    if _matches(vocabulary().conditions, text, 0, item.start):
        return False
    behind = tuple(_fillers(reading, item, items[at + 1 :]))
    if _is_undone(reading, (item, *behind)[-1], items[at + 1 + len(behind) :]):
        return False
    near = (*_fillers(reading, item, items[:at][::-1]), *behind)
    return all(text[one.start : one.end] in vocabulary().plain for one in near)


def _is_undone(reading: Reading, last: Item, others: Sequence[Item]) -> bool:
    """Tell whether a strict fact directly follows a mild one: "with a 3C mark scratched off"."""
    if not others or (others[0].kind, others[0].value) not in STRICT_OF_UNIT:
        return False
    return reading.touch(last.end, others[0].start)


def _fillers(reading: Reading, item: Item, others: Sequence[Item]) -> Iterator[Item]:
    """Yield the fillers next to an item, from it outward, up to the first other word.

    Punctuation before a fact ends the phrase there. After a fact it does not: "intact, if I remember".
    """
    last = item
    for other in others:
        left, right = sorted((last, other), key=attrgetter("start"))
        apart = other is left and set(reading.between(left.end, right.start)) & ENDS_PHRASE
        if other.kind != "filler" or apart or reading.text[left.end : right.start].strip():
            return
        yield other
        last = other
