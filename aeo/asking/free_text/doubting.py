"""Words right before or behind a model, a figure or a day that make it another one, or an uncertain one.

"A power bank like the Anker 737" is not that model, "going on 100 Wh" is not that figure, and "by 5 December"
is not that day. Such a word is set aside, so the page asks about it. Called by the readers of sentences in
`aeo.asking.free_text`.
"""

import functools
import re
from collections.abc import Iterable
from typing import Literal

from aeo.asking.free_text.reading import Reading
from aeo.asking.free_text.vocabulary import matcher, pattern, vocabulary

_ENDS = frozenset(".:;!?\u3002\uff01\uff1f")
"""Signs that end a phrase: "Type: Anker 737" names the model."""

_LINKS = ("of", "von", "vom", "de", "d", "du", "des", "del")
"""Words between a doubt and what it is about."""

Said = Literal["model", "figure", "day"]


def set_doubts_aside(reading: Reading, said: Said, spans: Iterable[tuple[int, int]]) -> None:
    """Set the words aside that make one of some stretches uncertain."""
    words = vocabulary()
    may = matcher(words.permissions)
    ends = _ENDS - {"."} if said == "figure" else _ENDS
    for start, end in spans:
        before = _before(said).search(reading.text, 0, start)
        if before and ends.isdisjoint(reading.between(before.end("word"), start)):
            reading.set_aside(*before.span("word"), "doubt")
        behind = _behind(said).match(reading.text, end)
        if behind and behind["word"] in words.asks_behind and may.search(reading.text):
            # 可以带Anker 737吗 asks for a permission.
            continue
        if behind and _ENDS.isdisjoint(reading.between(end, behind.start("word"))):
            reading.set_aside(*behind.span("word"), "doubt")


@functools.cache
def _before(said: Said) -> re.Pattern[str]:
    """Return the pattern of a doubt before a stretch, with words such as "of the" between."""
    words = vocabulary()
    links = pattern({*words.determiners, *_LINKS})
    return re.compile(rf"(?P<word>{_any(f'{said}_before')})(?: ?(?:{links}))* ?$")


@functools.cache
def _behind(said: Said) -> re.Pattern[str]:
    return re.compile(rf" ?(?:[\u306e\u7684\uc758] ?)?(?P<word>{_any(f'{said}_behind')})")


def _any(place: str) -> str:
    return pattern(vocabulary().doubts[place]) or "(?!)"
