"""Which quotes of rules a watched page lost, and that one person alone does not read such a page again.

A quote stays lost after its signal is dismissed or its rules are being revised: until a rule that quotes
other words is approved, or two people found it in other words in the present text of the page.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from catalog.errors import WrongState
from rules.watch.models import SignalKind, SignalOutcome, Snapshot, WatchedPage, WatchSignal
from rules.watch.page_list import QuoteOfRule, quotes_by_page
from rules.watch.snapshots import text_of
from rules.watch.text.quotes import occurs_in


def lost_quotes(urls: Collection[str]) -> dict[str, list[QuoteOfRule]]:
    """Return the quotes that some pages lost, by address; a page that lost none is not included."""
    quotes = {url: of_page for url, of_page in quotes_by_page().items() if url in urls}
    pages = WatchedPage.objects.filter(url__in=quotes, newest__isnull=False).select_related("newest")
    found = {}
    for page in pages.defer("newest__body"):
        if page.newest is None:
            continue
        text = text_of(page.newest)
        gone = [one for one in quotes[page.url] if not occurs_in(one.quote.words, text)]
        confirmed = _confirmed(page, page.newest) if gone else set()
        if lost := [one for one in gone if (one.rule_id, one.quote.words) not in confirmed]:
            found[page.url] = lost
    return found


def refuse_one_reader(sender: Any, *, addresses: Mapping[str, str], **_: Any) -> None:
    """Refuse a reading by one person of a page that lost a quote. Raises `WrongState`."""
    lost = lost_quotes(set(addresses.values()))
    for source_id, url in addresses.items():
        if url in lost:
            raise WrongState(source_id, why(lost[url]))


def why(lost: Iterable[QuoteOfRule]) -> str:
    """Return why one person cannot say that a page is unchanged, and what to do."""
    rules = ", ".join(sorted({one.rule_id for one in lost}))
    return (
        f"its page lost words that rules quote ({rules}), so one person alone cannot read it again: propose "
        "“Still true” in its watch signal, with the new words, and another person confirms it. If no signal "
        "is open, “Visit soon” on the watched page opens it again. Or revise or withdraw the rules"
    )


def _confirmed(page: WatchedPage, newest: Snapshot) -> set[tuple[str, str]]:
    """Return the quotes that two people found in other words in the newest text of a page."""
    signals = WatchSignal.objects.filter(
        page=page,
        kind=SignalKind.QUOTE_GONE,
        outcome=SignalOutcome.STILL_TRUE,
        proposed_by__isnull=False,
        after__fingerprint=newest.fingerprint,
    )
    return {
        (quote["rule_id"], quote["words"])
        for quotes in signals.values_list("quotes", flat=True)
        for quote in quotes
    }
