"""The texts about unused words, and about a thing that is not a power bank.

In words, in the active language. Called by `aeo.checker.views`.
"""

from collections.abc import Container, Iterable
from typing import NamedTuple

from aeo.asking import Asked
from aeo.asking.free_text.understood import Unused
from aeo.editions import Edition
from aeo.texts import TEXTS, say
from aeo.web.formatting import comma

MOST_SOURCES = 4


class Authority(NamedTuple):
    """An authority, and a page of it that an editor read."""

    name: str
    url: str


class OtherDevice(NamedTuple):
    """The text of a page about a thing that is not a power bank."""

    lead: str
    authorities: tuple[Authority, ...]


def unused_words(unused: Iterable[Unused], without: Container[str] = ()) -> tuple[str, ...]:
    """Return one line for all unused words about one thing, in the order of the first of each.

    Subjects of `without` get no advice: it would send the traveler away from the form that has them.
    """
    by_key: dict[str, list[str]] = {}
    for one in unused:
        key = f"unused.{one.about}"
        is_advised = key in TEXTS and one.about not in without
        by_key.setdefault(key if is_advised else "", []).append(one.words)
    return tuple(say(key, words=_quoted(words)) if key else _quoted(words) for key, words in by_key.items())


def other_device(asked: Asked, edition: Edition) -> OtherDevice:
    """Return whom to ask about a thing that is not a power bank."""
    words = _quoted(one.words for one in asked.unused if one.about == "device")
    return OtherDevice(say("other_device.lead", words=words), _authorities(asked, edition))


def _quoted(words: Iterable[str]) -> str:
    return comma().join(say("unused.word", word=word) for word in words)


def _authorities(asked: Asked, edition: Edition) -> tuple[Authority, ...]:
    """Return the authorities of the country of departure, or else the international ones."""
    release = edition.release
    origin = asked.departure.country
    here = {origin, *release.corpus.places(origin)}
    official = [one for one in release.shelf.sources.values() if one.kind == "regulator" and one.citable]
    near = [one for one in official if one.jurisdiction in here]
    chosen = near or [one for one in official if one.jurisdiction == "INTL"]
    each = {one.authority: Authority(one.authority, one.url) for one in reversed(chosen)}
    return tuple(reversed(each.values()))[:MOST_SOURCES]
