"""The nearest changes that help, in words. Called by answer pages."""

import datetime

import msgspec

from rules.answers.alternatives import Alternative, Alternatives, Change, RecallCheck
from rules.wording.dates import day_in
from rules.wording.saying import say


class AlternativeWords(msgspec.Struct, frozen=True):
    """One way to a milder answer: what to change, a sentence each, and what follows."""

    alternative: Alternative
    changes: tuple[str, ...]
    then: str


class AlternativesWords(msgspec.Struct, frozen=True):
    """All ways, the nearest first. `nothing` says that there is none.

    It is left out if a recall list still has to be checked.
    """

    helping: tuple[AlternativeWords, ...]
    nothing: str | None


def alternatives_words(found: Alternatives, language: str) -> AlternativesWords:
    """Say in a language what would help if an answer is not `allowed`."""
    return AlternativesWords(
        helping=tuple(
            AlternativeWords(
                one,
                tuple(_change(change, language) for change in one.changes),
                say(f"change.then.{one.verdict}", language),
            )
            for one in found.helping
        ),
        nothing=None if found.helping or found.recall_check else say("change.none", language),
    )


def _change(change: Change, language: str) -> str:
    match change.value:
        case datetime.date() as day:
            key = "change.date.certificate" if change.certificate else "change.date"
            return say(key, language, (("date", day_in(day, language)),))
        case int() as units:
            return say("change.quantity", language, (("quantity", units),))
        case _ if change.kind == "compartment":
            return say(f"change.compartment.{change.value}", language)
        case _:
            return say(f"change.{change.kind}", language)


def recall_check_words(check: RecallCheck, language: str) -> str:
    """Say what an open recall requires: the same question, with what the maker's list or the notice says."""
    return say(f"change.recall.{'lookup' if check.lookup_urls else 'identifier'}", language)
