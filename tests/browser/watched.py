"""A page of the starter corpus that lost words which carry a rule, and one that says something else.

`python -m tests.browser.watched` leaves them in the database of the environment, as the watch would, and
prints as JSON the number of each signal.
"""

import json

import django

LOST, CHANGED = "gf-official-prohibited-items", "af-official-restricted-items"
"""The sources whose pages they are."""

RULE = "gf.max-units"
QUOTE = "two power banks of up to 100 Wh"
BEFORE = f"Dangerous goods\nEach passenger may carry {QUOTE}.\nKeep them in the cabin."
AFTER = BEFORE.replace("two power banks", "one power bank")


def main() -> None:
    """Make the pages and their signals."""
    django.setup()
    from catalog.models import Source
    from rules.models import SignalKind
    from tests.support.watched_pages import a_page, a_quote, a_signal

    lost, changed = (
        a_page(Source.objects.get(pk=source).url, says=AFTER, known=BEFORE) for source in (LOST, CHANGED)
    )
    quotes = [a_quote(RULE, QUOTE, source=LOST)]
    print(json.dumps([a_signal(lost, SignalKind.QUOTE_GONE, quotes=quotes).pk, a_signal(changed).pk]))


if __name__ == "__main__":
    main()
