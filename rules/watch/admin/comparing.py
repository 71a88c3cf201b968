"""The two texts of a signal side by side, and which of the words that carry rules are still there."""

from collections.abc import Iterable
from typing import NamedTuple

from rules.watch.admin.dependents import RestingRule
from rules.watch.models import WatchSignal
from rules.watch.snapshots import text_of
from rules.watch.text import Row, occurs_in, side_by_side

MOST_ROWS = 1_000
"""How many rows of a comparison are shown. With more differences it is another page, better read whole."""


class Comparison(NamedTuple):
    """What a page said and says: the rows in which it differs, how many are not shown, and both texts."""

    rows: tuple[Row, ...]
    more: int
    before: str
    after: str


class ShownQuote(NamedTuple):
    """Words that carry a rule, and whether they are gone from the page."""

    rule_id: str
    words: str
    where: str
    gone: bool


def comparison_of(signal: WatchSignal) -> Comparison | None:
    """Return the comparison of a signal; None if it is about a link."""
    if signal.after is None:
        return None
    before, after = text_of(signal.before) if signal.before else "", text_of(signal.after)
    rows = side_by_side(before, after)
    return Comparison(rows[:MOST_ROWS], max(0, len(rows) - MOST_ROWS), before, after)


def quotes_of(signal: WatchSignal, rules: Iterable[RestingRule], sources: Iterable[str]) -> list[ShownQuote]:
    """Return the words of a page that carry rules, those that are gone first.

    `sources` are those that cite the page. For a closed signal, only the words that were gone are known.
    """
    gone = [
        ShownQuote(quote["rule_id"], quote["words"], quote.get("where", ""), gone=True)
        for quote in signal.quotes
    ]
    if signal.outcome or signal.after is None:
        return gone
    named, listed = set(sources), {(quote.rule_id, quote.words) for quote in gone}
    after = text_of(signal.after)
    others = [
        ShownQuote(rule.row.rule_id, quote.words, quote.where, gone=not occurs_in(quote.words, after))
        for rule in rules
        for quote in rule.record.quotes
        if quote.source in named and (rule.row.rule_id, quote.words) not in listed
    ]
    return gone + sorted(others, key=lambda quote: not quote.gone)
