"""The recalls of the Australian ACCC: an RSS feed of the latest hundred, and a page for each of them.

Pure, apart from `read`, which fetches. The pitfalls of this feed:

- The RSS feed has little more than a title. Number, brand, model and what to do are only on the page, in
  elements whose classes begin `field-psa-`, and the page may refuse programs (403). Then the title has to do.
- A page that refuses today has not been corrected: what it said before still counts.
- The PRA number is only on the page, so notices are stored by the `guid` of the feed.
- Days are in the time zone of Australia: midnight there is the day before in London.
- Older notices drop out of the feed, which means nothing.
"""

import datetime
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from html.parser import HTMLParser
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from recalls.feeds.notices import (
    Ask,
    BadAnswer,
    Known,
    Notice,
    Reading,
    Unreachable,
    announces_again,
    is_about_power_banks,
    needed,
    plain,
    several,
    text_of,
    web_address,
)

ITEM = ("guid", "title", "link", "pubDate", "description")
PAGE_FIELDS = re.compile(r"(?:field--name-)?field-psa-(?:recall-)?([a-z0-9-]+)")
_PRA = re.compile(r"(?:PRA\s*)?([0-9]{4}/[0-9]{3,6})")
_VOID = frozenset(("br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"))


def read(ask: Ask, address: str, known: Known) -> Reading:
    """Read the feed, and the pages of those of its items that are about power banks."""
    reading = Reading()
    items = parse_items(ask(address, accept="application/rss+xml, application/xml, text/xml").body)
    reading.rows = len(items)
    host = re.match(r"https?://[^/]+", address)
    refused = 0
    for number, item in enumerate(items, start=1):
        subject = item["guid"] or item["link"] or f"item {number}"
        if subject not in known.ids and not is_about_power_banks(item["title"], item["description"]):
            reading.skip("other products")
            continue
        # The feed only links to its own site.
        same_site = host is not None and item["link"].startswith(f"{host[0]}/")
        page = _page(ask, item["link"]) if same_site else None
        if page is None:
            refused += 1
            page = (known.raw_of(subject) or {}).get("page")
        reading.keep(subject[:100], lambda item=item, page=page: notice_of(item, page))  # type: ignore[misc]
    reading.settle()
    if refused:
        reading.skipped["pages that refused"] = refused
    oldest = min((day for item in items if (day := _day_or_none(item["pubDate"]))), default=None)
    # Some notices of the oldest day may have left already.
    reading.expected_since = oldest + datetime.timedelta(days=1) if oldest else None
    return reading


def _page(ask: Ask, link: str) -> dict[str, str] | None:
    try:
        return parse_page(ask(link, accept="text/html").body) or None
    except Unreachable:
        return None


def parse_items(body: bytes) -> list[dict[str, str]]:
    """Return the items of the RSS feed as texts by name. Raises `BadAnswer`."""
    try:
        root = fromstring(body, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError) as error:
        begins = body[:60].decode("utf-8", "replace")
        raise BadAnswer(f"The answer is not RSS ({error}); it begins {begins!r}") from None
    if root.tag != "rss":
        raise BadAnswer(f"The answer is XML but not RSS: <{root.tag}>")
    items = [
        {name: " ".join((item.findtext(name) or "").split()) for name in ITEM} for item in root.iter("item")
    ]
    if not items:
        raise BadAnswer("The feed has no items")
    return items


def parse_page(body: bytes) -> dict[str, str]:
    """Return the fields of a page by name, such as `model` and `pra-number`; empty if there are none."""
    reader = _Fields()
    reader.feed(body.decode("utf-8", "replace"))
    reader.close()
    return {name: text for name, parts in reader.found.items() if (text := " ".join("".join(parts).split()))}


def notice_of(item: Mapping[str, str], page: dict[str, str] | None) -> Notice:
    """Return what an item and its page say."""
    title = plain(needed(item, "title"))
    native_id = text_of(item, "guid") or needed(item, "link")
    fields = page or {}
    pra = _PRA.search(fields.get("pra-number", ""))
    day = day_of_rss(needed(item, "pubDate"))
    models = " , ".join(filter(None, (fields.get("model", ""), fields.get("sku", ""))))
    described = {name: fields[name] for name in ("product-desc", "other-identify") if fields.get(name)}
    return Notice(
        feed="accc",
        native_id=native_id[:200],
        number=f"PRA {pra[1]}" if pra else f"ACCC {native_id.rstrip('/').rpartition('/')[2][:60]}",
        title=title,
        url=web_address(text_of(item, "link")),
        announced_on=day,
        announced_precision="day",
        updated_on=day,
        models=several(models),
        texts={"title": title, "description": plain(text_of(item, "description")), **described},
        makers=tuple(filter(None, (fields.get("brand", ""), fields.get("supplier-name", "")))),
        hazard=_first(fields, "hazards", "hazard", "defects", "defect"),
        remedy=_first(fields, "what-to-do", "consumer-action", "what-should-consumers-do"),
        restates=announces_again(title),
        raw={"item": dict(item), "page": page},
    )


def day_of_rss(said: str) -> datetime.date:
    """Return the day of `Fri, 23 May 2025 00:00:00 +1000`, in its own time zone. Raises `ValueError`."""
    return parsedate_to_datetime(said).date()


def _day_or_none(said: str) -> datetime.date | None:
    try:
        return day_of_rss(said)
    except ValueError:
        return None


def _first(fields: Mapping[str, str], *names: str) -> str:
    return next((fields[name] for name in names if fields.get(name)), "")


class _Fields(HTMLParser):
    """Collects the text of the elements whose class names a field, without their labels."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: dict[str, list[str]] = {}
        # For each open element: the field that its text belongs to, or None.
        self._open: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Enter an element."""
        classes = (dict(attrs).get("class") or "").split()
        field = self._open[-1][1] if self._open else None
        if any(name.endswith("label") for name in classes) or tag in {"script", "style"}:
            field = None
        else:
            named = (PAGE_FIELDS.fullmatch(name) for name in classes)
            field = next((match[1] for match in named if match), field)
        if field is not None:
            # Text of two blocks is not one word.
            self.found.setdefault(field, []).append(" ")
        if tag not in _VOID:
            self._open.append((tag, field))

    def handle_endtag(self, tag: str) -> None:
        """Leave an element, and those within it that were not closed."""
        for at in range(len(self._open) - 1, -1, -1):
            if self._open[at][0] == tag:
                del self._open[at:]
                break

    def handle_data(self, data: str) -> None:
        """Add a text."""
        field = self._open[-1][1] if self._open else None
        if field is not None:
            self.found[field].append(data)
