"""The facts that a sentence states in words: bag, condition, label, mark, and days such as tomorrow.

Contradicting facts are not used, and neither are facts without a field. They are set aside with their
subject. Called by `aeo.asking.free_text.sentence`.
"""

import re
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from aeo.asking.free_text.items import Item
from aeo.asking.free_text.reading import Reading
from aeo.asking.free_text.vocabulary import KINDS, MILD, STRICT, vocabulary
from rules.engine.vocabulary import Compartment, LabelIndication, MarkIndication, UnitCondition

ENDS_PHRASE = frozenset(",.;:!\u3001\u3002\uff0c\uff1b\uff01")

_CONDITION = re.compile(
    r"\b(?:if|whether|provided|wenn|falls|ob|sofern|si)\b|もし|如果|要是|假如|若|만약|만일"
)
"""Words after which a fact may be only supposed, wherever they stand before it."""

_DOUBTED = re.compile(
    r"[^\w)?\u00bf]*(?:(?:(?:is|does|has|can|isn.?t|doesn.?t|hasn.?t|can.?t) it|right|correct"
    r"|oder|nicht wahr|non|n.est.ce pas|no|verdad)\W*)?[?\u00bf]",
    re.IGNORECASE,
)
"""A question mark behind a fact, which asks about it: "3C mark(?)", "with a 3C mark, right?"."""

_ASKED = re.compile(
    r"\b(?:must|needs?|should|plan(?:ning)?|hope|which|muss|brauche|soll(?:te)?|welche[rsmn]?|faut|dois|besoin"
    r"|quel(?:le)?s?|debo|debe|tengo que|necesit[oa]|cu[a\u00e1]l(?:es)?)\b"
    r"|是不是|是否|需要|规定|規定|计划|計劃|哪个|哪個|哪些|どの|どれ|お願い|必要|予定|어떤|어느|인가요|필요|계획"
)
"""Words of questions, needs and plans: with one of them a fact may be only asked about or meant."""

_INVERTED = re.compile(
    r"(?:^|[.!?]\s|\u00bf)\W*(?:is|are|was|does|do|did|has|ist|sind|hat|es|est\u00e1|est|a)\b"
    r"(?!.ce\b|\s(?:it|this|that)\s(?:ok(?:ay)?|allowed|possible|permitted|legal|fine|all\sright)\b)"
)
"""The beginning of a question about what something is or has: "Is my Anker 737 3C certified?"."""

_IS_QUESTION = re.compile(r"\?|\best.ce\b")

_COPULA = re.compile(r"\b(?:is|are|ist|sind|est|es|est\u00e1)$")

MILD_OF_UNIT = frozenset(one for one in MILD if one.kind != "bag")


STRICT_OF_UNIT = {(KINDS[key], value) for key, value in STRICT if key != "bags"}


class Facts(NamedTuple):
    """What a text says in words; None if it says nothing, or two things at once. `day` counts from today."""

    bag: Compartment | None
    condition: UnitCondition | None
    label: LabelIndication | None
    mark: MarkIndication | None
    day: int | None


def read_facts(reading: Reading, items: Sequence[Item]) -> Facts:
    """Return the facts of a text, and set its signals aside."""
    for item in items:
        if item.kind == "signal":
            reading.set_aside(item.start, item.end, item.value)
    return Facts(*(_one(reading, items, kind) for kind in Facts._fields))


def without_mild(facts: Facts) -> Facts:
    """Return facts without those that may make an answer about the unit milder."""
    mild = {kind for kind, value in facts._asdict().items() if (kind, value) in MILD_OF_UNIT}
    return facts._replace(**dict.fromkeys(mild))


def _is_asked(reading: Reading, item: Item) -> bool:
    """Tell whether a fact is asked about or demanded, and not stated."""
    source, text, words = reading.folded.source, reading.text, vocabulary()
    behind = source[reading.folded.at[item.end - 1] + 1 :]
    before, after = text[: item.start].rstrip(), text[item.end :].lstrip()
    asked = source[: reading.folded.at[item.start]]
    return (
        _DOUBTED.match(behind) is not None
        or asked.rfind("\u00bf") > asked.rfind("?")
        or any(after.startswith(word) for word in words.asks_behind)
        or any(before.endswith(word) for word in words.asks_before)
        or (_COPULA.search(before) is not None and _IS_QUESTION.search(source.lower()) is not None)
        or _ASKED.search(source.lower()) is not None
        # "Is an undamaged Anker 737 allowed?" states it, "Is my Anker 737 undamaged?" does not.
        or (_INVERTED.search(source.lower()) is not None and not reading.leads_to_model(item.end))
    )


def _is_stated(reading: Reading, items: Sequence[Item], item: Item) -> bool:
    """Tell whether a fact is alone or among plain words: no "if", no wish, no bag that has it."""
    at, text = items.index(item), reading.text
    if any(text[other.start : other.end] in vocabulary().wishes for other in items):
        return False
    if _CONDITION.search(text, 0, item.start):
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
    return not reading.between(last.end, others[0].start).strip()


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


def _one(reading: Reading, items: Sequence[Item], kind: str) -> Any:
    """Return the one value that a text gives for a kind of fact."""
    said = [item for item in items if item.kind == kind]
    values = {item.value for item in said}
    mild = [item for item in said if (item.kind, item.value) in MILD_OF_UNIT]
    if any(_is_asked(reading, item) or not _is_stated(reading, items, item) for item in mild):
        # "Is it with a 3C mark?" does not say that it is, and neither does "if it has one".
        values |= {None}
    for item in said:
        if len(values) == 1:
            reading.take(item.start, item.end, "fact")
        else:
            reading.set_aside(item.start, item.end, kind)
    return values.pop() if len(values) == 1 else None
