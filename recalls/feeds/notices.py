"""A notice of a recall as one value, whichever feed it comes from, and how the feeds' texts are read.

Pure: no Django, no clock, no I/O. Made by the modules of the four feeds, used by `matching`, `actions` and
`syncing`.

It guarantees: a row that cannot be read is one `BadRow` with its reason and affects no other row; an answer
that cannot be read as a whole raises `BadAnswer`, so that it is not mistaken for an empty feed.
"""

import datetime
import hashlib
import html
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Literal, Protocol, get_args

import msgspec
import rfc8785

from recalls.records import AnnouncedPrecision

Feed = Literal["cpsc", "safety_gate", "health_canada", "accc"]
FEEDS: tuple[Feed, ...] = get_args(Feed)

ANNOUNCED_TWICE: frozenset[Feed] = frozenset(("safety_gate",))
"""The feeds that have an older version of a notice next to the newer one."""

FEED_NAMES: dict[Feed, str] = {
    "cpsc": "CPSC (United States)",
    "safety_gate": "Safety Gate (European Union)",
    "health_canada": "Health Canada",
    "accc": "ACCC Product Safety (Australia)",
}
AUTHORITIES: dict[Feed, str] = {
    "cpsc": "U.S. Consumer Product Safety Commission",
    "safety_gate": "European Commission (Safety Gate / RAPEX)",
    "health_canada": "Health Canada",
    "accc": "Australian Competition and Consumer Commission",
}
"""The authority of each feed, spelled as in recorded recalls."""

HOMES: dict[Feed, str] = {
    "cpsc": "https://www.cpsc.gov/Recalls",
    "safety_gate": "https://ec.europa.eu/safety-gate-alerts/screen/search",
    "health_canada": "https://recalls-rappels.canada.ca/en",
    "accc": "https://www.productsafety.gov.au/recalls",
}
"""Where people read the notices of a feed."""

JURISDICTIONS: dict[Feed, str] = {"cpsc": "US", "safety_gate": "EU", "health_canada": "CA", "accc": "AU"}

MOST_CHARACTERS = 100_000
"""A row with a longer text is not a notice."""

MOST_UNITS = 2_000_000_000

PRODUCT_WORDS = (
    "power bank",
    "power banks",
    "powerbank",
    "powerbanks",
    "power pack",
    "power packs",
    "powerpack",
    "power pod",
    "power pods",
    "battery pack",
    "battery packs",
    "battery charger",
    "battery chargers",
    "battery bank",
    "portable charger",
    "portable chargers",
    "portable battery",
    "portable batteries",
    "portable wireless charger",
    "portable wireless chargers",
    "portable power",
    "external battery",
    "external batteries",
    "magnetic battery",
    "magnetic batteries",
    "mobile charger",
    "mobile power",
    "charging bank",
    "battery case",
)
"""What notices call a power bank. One term alone would miss most of them."""

_PRODUCT = re.compile(rf"\b({'|'.join(PRODUCT_WORDS)})\b".replace(" ", r"[\s-]+"), re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_SEVERAL = re.compile(r"[,;/|\n]| and | & ")
_WEB_ADDRESS = re.compile(r"https?://[^\s\"'<>]+", re.IGNORECASE)
_AGAIN = re.compile(r"\bre-?announce(s|d|ment)?\b|\brecall\s+reminder\b", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+")


class BadAnswer(ValueError):
    """The answer of a feed does not have the form of such an answer. No part of it may be used."""


class Unreachable(Exception):
    """An address did not answer, or not with the requested content. The message is a sentence for editors."""


class BadRow(msgspec.Struct, frozen=True):
    """One row that cannot be read: which one, if that is known, and why."""

    subject: str
    reason: str


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """What an authority says about a recall.

    `native_id` is the key of the feed, `number` the number printed on the notice. `announced_on` goes with
    `updated_on`: some feeds only give the day of an update, so `announced_precision` says how exact the first
    is.

    `models` are fields that contain only model numbers; `texts` is prose in which there may be some, by the
    feed's own names; `makers` says who made or sold it. `units` counts all models of the notice and must
    never be added to those of another notice; a notice that `restates` counts units that were counted before.
    `joint` are the addresses of the same recall elsewhere. `raw` is the original row, and `raw_sha256` its
    digest.
    """

    feed: Feed
    native_id: str
    number: str
    title: str
    url: str
    announced_on: datetime.date
    announced_precision: AnnouncedPrecision
    updated_on: datetime.date
    models: tuple[str, ...] = ()
    texts: dict[str, str] = msgspec.field(default_factory=dict)
    makers: tuple[str, ...] = ()
    units: int | None = None
    units_said: str = ""
    hazard: str = ""
    remedy: str = ""
    restates: bool = False
    joint: tuple[str, ...] = ()
    raw: dict[str, Any]

    @property
    def raw_sha256(self) -> str:
        """The SHA-256 of the row in canonical JSON: another one means that the notice was corrected.

        Raises `ValueError` for a row that has no such form, or that the database cannot store.
        """
        canonical = rfc8785.dumps(self.raw)
        if rb"\u0000" in canonical:
            raise ValueError("it has a null character")
        return hashlib.sha256(canonical).hexdigest()

    @property
    def recall_id(self) -> str:
        """The id of the notice among recorded recalls, where the model's id follows it."""
        return f"{_PREFIXES[self.feed]}-{'-'.join(re.findall('[a-z0-9]+', self.number.lower()))}"


_PREFIXES: dict[Feed, str] = {
    "cpsc": "us-cpsc",
    "safety_gate": "eu",
    "health_canada": "ca-hc",
    "accc": "au",
}


class Answer(Protocol):
    """The answer to a request."""

    @property
    def body(self) -> bytes:
        """The whole answer; empty if nothing changed."""
        ...

    @property
    def etag(self) -> str | None:
        """The value for the next conditional request."""
        ...

    @property
    def last_modified(self) -> str | None:
        """The value for the next conditional request."""
        ...

    @property
    def not_modified(self) -> bool:
        """Whether nothing changed since the last time."""
        ...


class Ask(Protocol):
    """Fetches one address, with retries."""

    def __call__(
        self, url: str, *, accept: str, etag: str | None = None, last_modified: str | None = None
    ) -> Answer:
        """Return the answer. Raises `Unreachable`."""
        ...


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """What was read from a feed before: its marks, the ids of its notices, and their original rows."""

    today: datetime.date
    marks: dict[str, Any]
    ids: Collection[str]
    raw_of: Callable[[str], dict[str, Any] | None]


class Reading(msgspec.Struct, kw_only=True):
    """The result of one round of a feed.

    `rows` is the number of rows if the feed is answered as a whole, else None. Notices read before should
    come again if they were updated on one of `expected_days`, or not before `expected_since`. `skipped`
    counts by reason the rows that are not recalls of power banks. `marks` are for the next round.
    """

    notices: list[Notice] = msgspec.field(default_factory=list)
    bad: list[BadRow] = msgspec.field(default_factory=list)
    skipped: dict[str, int] = msgspec.field(default_factory=dict)
    rows: int | None = None
    expected_since: datetime.date | None = None
    expected_days: tuple[datetime.date, ...] = ()
    marks: dict[str, Any] = msgspec.field(default_factory=dict)
    unchanged: bool = False

    def skip(self, reason: str) -> None:
        """Count a row that is not a recall of a power bank."""
        self.skipped[reason] = self.skipped.get(reason, 0) + 1

    def keep(
        self, subject: str, make: Callable[[], Notice | None], otherwise: str = "other products"
    ) -> None:
        """Keep the notice of a row; count the row as skipped if it has none, or set it aside if it is bad."""
        try:
            notice = make()
            if notice is not None:
                notice.raw_sha256  # noqa: B018 -- what has no canonical form cannot be kept either
        except (ValueError, TypeError) as error:
            self.bad.append(BadRow(subject, f"This row cannot be read: {error}."))
            return
        if notice is None:
            self.skip("other products")
        else:
            self.notices.append(notice)

    def settle(self) -> None:
        """Keep one notice for each id, the newest; two reports may be about one case.

        Raises `BadAnswer` if most rows cannot be read: then the format of the feed has changed.
        """
        newest: dict[str, Notice] = {}
        for notice in self.notices:
            other = newest.get(notice.native_id)
            if other is None or notice.updated_on >= other.updated_on:
                newest[notice.native_id] = notice
        self.notices = [newest[native_id] for native_id in sorted(newest)]
        read = len(self.notices) + sum(self.skipped.values())
        if len(self.bad) > read:
            raise BadAnswer(
                f"{len(self.bad)} of {len(self.bad) + read} rows cannot be read, the first because: "
                f"{self.bad[0].reason}"
            )


def is_about_power_banks(*texts: str) -> bool:
    """Return whether some text calls its product by one of the names of power banks."""
    return any(_PRODUCT.search(text) for text in texts)


def announces_again(*texts: str) -> bool:
    """Return whether a notice announces again what was announced before."""
    return any(_AGAIN.search(text) for text in texts)


def first_number(said: str) -> int | None:
    """Return the first number of a free text such as `About 83,500 (In addition, about 2,385 …)`."""
    found = _NUMBER.search(said)
    number = int(found[0].replace(",", "")) if found else 0
    return number if 0 < number <= MOST_UNITS else None


def text_of(row: Mapping[str, Any], name: str) -> str:
    """Return a text of a row, trimmed; empty for null. Raises `ValueError` for anything else."""
    value = row.get(name)
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise ValueError(f"`{name}` is not text")
    if len(value) > MOST_CHARACTERS:
        raise ValueError(f"`{name}` is longer than {MOST_CHARACTERS:,} characters")
    return " ".join(value.split())


def needed(row: Mapping[str, Any], name: str) -> str:
    """Return a required text of a row. Raises `ValueError` if it is missing."""
    value = text_of(row, name)
    if not value:
        raise ValueError(f"`{name}` is missing")
    return value


def rows_of(row: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """Return the rows within a row; none for null. Raises `ValueError` for anything else."""
    value = row.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(part, dict) for part in value):
        raise ValueError(f"`{name}` is not a list of objects")
    return value


def day_of(said: str, name: str) -> datetime.date:
    """Return the day of `2025-06-12` or `2025-06-12T00:00:00`. Raises `ValueError`."""
    try:
        return datetime.date.fromisoformat(said[:10])
    except ValueError:
        raise ValueError(f"`{name}` is not a day: {said[:40]!r}") from None


def web_address(said: str) -> str:
    """Return a web address, or an empty text if it is none, so that no link leads elsewhere."""
    return said if re.fullmatch(r"https?://[^\s/]+\.[^\s]+", said) and len(said) <= 2000 else ""


def web_addresses(said: str) -> tuple[str, ...]:
    """Return the addresses in a text or in HTML, each once."""
    found = (address.rstrip(".,;)") for address in _WEB_ADDRESS.findall(html.unescape(said)))
    return tuple(dict.fromkeys(filter(None, map(web_address, found))))


def plain(said: str) -> str:
    """Return HTML as plain text, on one line."""
    return " ".join(html.unescape(_TAG.sub(" ", said)).split())


def without_addresses(said: str) -> str:
    """Return a text without its web addresses, whose words do not name models."""
    return _WEB_ADDRESS.sub(" ", said)


def several(numbers: str) -> tuple[str, ...]:
    """Return the numbers of a list that commas or slashes divide, and also the whole text."""
    parts = [part.strip() for part in _SEVERAL.split(numbers)]
    return tuple(dict.fromkeys(filter(None, [*parts, numbers.strip()])))


def same_page(url: str) -> str:
    """Return a web address in a form that is equal for two addresses of the same page."""
    address = re.sub(r"^https?://(www\.)?", "", url.strip().lower())
    return address.partition("#")[0].rstrip("/")


def json_rows(body: bytes) -> Iterator[Mapping[str, Any] | str]:
    """Yield the rows of a JSON array, one by one; if one is not an object, the reason.

    Only the current row is decoded, so a file of many megabytes needs little more than its bytes. Raises
    `BadAnswer` if it is not a JSON array.
    """
    try:
        parts = msgspec.json.decode(body, type=list[msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        begins = body[:60].decode("utf-8", "replace")
        raise BadAnswer(f"The answer is not a JSON array ({error}); it begins {begins!r}") from None
    for part in parts:
        try:
            row = msgspec.json.decode(part)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            yield f"is not valid JSON: {error}"
            continue
        yield row if isinstance(row, dict) else "is not an object"
