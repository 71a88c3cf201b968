"""Whether a text states a fact of the unit, or asks about it, wishes, supposes or plans it.

A fact such as a 3C mark can make an answer milder, so it counts only as a statement: "with a 3C mark" and "it
has a 3C mark", but not "is it 3C certified?". Called by `aeo.asking.free_text.facts`.
"""

import re
from collections.abc import Iterator, Sequence
from operator import attrgetter

from aeo.asking.free_text.items import Item
from aeo.asking.free_text.reading import Reading
from aeo.asking.free_text.vocabulary import KINDS, STRICT, vocabulary

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
    r"\b(?:must|needs?|should|plan(?:ning)?|hope|which|how|when|where|who|why|what"
    r"|going to (?:have|get)|will (?:have|get)|allows|accepts|permits|requires"
    r"|muss|brauche|soll(?:te)?|welche[rsmn]?|wie|wann|wo|was|warum|wird|wenn"
    r"|faut|dois|besoin|quel(?:le)?s?|quand|o\u00f9|comment|pourquoi"
    r"|debo|debe|tengo que|necesit[oa]|cu[a\u00e1]l(?:es)?|cu[a\u00e1]ndo"
    r"|d[o\u00f3]nde|c[o\u00f3]mo|por qu[e\u00e9])\b"
    r"|是不是|是否|需要|规定|規定|计划|計劃|哪个|哪個|哪些|怎么|怎麼|哪里|哪裡"
    r"|什么|什麼|会不会|會不會|係唔係|有没有|有沒有"
    r"|どの|どれ|お願い|必要|予定|いつ|何|どう|どこ|なぜ|어떤|어느|인가요|필요|계획|혹시|언제|어디|무엇|어떻게"
)
"""Words of questions, needs and plans: with one of them a fact may be only asked about or meant."""

_INVERTED = re.compile(
    r"\b(?:is|are|was|does|do|did|has|ist|sind|hat|es|est\u00e1|tiene|est)\s"
    r"(?=(?:my|the|this|that|our|your|an?|mein\w*|die|der|das|diese\w*|ein\w*)\s"
    r"|(?:mi|la|el|esta|mon|ma|cette)\s|\S*\d)"
    r"|(?:^|[.!?:;,\n\u00bf])\W*(?:has|hat|tiene|a)\s"
)
"""A question about what something is or has: "is my Anker 737 3C certified", "tiene marca 3C mi Anker"."""

_MAY = re.compile(
    r"\b(?:can|may|could|allow|allowed|ok|okay|permit|permitted|accept|accepted|legal|possible|fine"
    r"|darf|d\u00fcrfen|kann|k\u00f6nnen|erlaubt|zul\u00e4ssig|mitnehmen"
    r"|puis|peut|peux|autoris\w*|permis\w*|accept\w*|admis\w*|puedo|puede|permit\w*|admit\w*)\b"
    r"|可以|可不可以|能|带|帶|允许|允許|持ち込|乗れ|大丈夫|いい|可能|でき|許可"
    r"|가능|괜찮|되나|돼|될까|가져|탈 수|허용"
)
"""Words that ask for a permission: such a question may state facts of the unit."""

_QUESTION_ENDS = re.compile(r"\?|[吗嗎咩]|か(?=[\s\u3002]|$)|(?:나요|까요|가요)(?=\W|$)")

_SENTENCE_ENDS = re.compile(r"(?<=[?\u3002\uff01])|(?<=[.!;])(?=\s)|\n")

_QUOTES = frozenset("\"'\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019\u300c\u300d")

_IS_QUESTION = re.compile(r"\?|\best.ce\b")

_COPULA = re.compile(r"\b(?:is|are|ist|sind|est|es|est\u00e1)$")

STRICT_OF_UNIT = {(KINDS[key], value) for key, value in STRICT if key != "bags"}


def is_asked(reading: Reading, item: Item) -> bool:
    """Tell whether a fact is asked about or demanded, and not stated."""
    source, text, words = reading.folded.source, reading.text, vocabulary()
    behind = source[reading.folded.at[item.end - 1] + 1 :]
    before, after = text[: item.start].rstrip(), text[item.end :].lstrip()
    asked, whole = source[: reading.folded.at[item.start]], source.lower()
    return (
        _DOUBTED.match(behind) is not None
        or asked.rfind("\u00bf") > asked.rfind("?")
        or any(after.startswith(word) for word in words.asks_behind)
        or any(before.endswith(word) for word in words.asks_before)
        or (_COPULA.search(before) is not None and _IS_QUESTION.search(whole) is not None)
        or _ASKED.search(whole) is not None
        or _is_in_question(reading, item)
    )


def _is_in_question(reading: Reading, item: Item) -> bool:
    """Tell whether the sentence with a fact asks about it, and not for a permission, or quotes it."""
    source, start = reading.folded.source, reading.folded.at[item.start]
    behind = reading.folded.at[item.end - 1] + 1
    if source[start - 1 : start] in _QUOTES and source[behind : behind + 1] in _QUOTES and start:
        return True
    begin = max((found.end() for found in _SENTENCE_ENDS.finditer(source, 0, start)), default=0)
    end = next((found.end() for found in _SENTENCE_ENDS.finditer(source, behind)), len(source))
    sentence = source[begin:end].lower()
    if _QUESTION_ENDS.search(sentence) and not _MAY.search(sentence):
        return True
    # "Is an undamaged Anker 737 allowed?" states it, "Is my Anker 737 undamaged?" does not.
    return _INVERTED.search(sentence) is not None and not reading.leads_to_model(item.end)


def is_stated(reading: Reading, items: Sequence[Item], item: Item) -> bool:
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
