"""The parts of a page: a title, a first sentence that answers it, and sections with a few kinds of blocks.

Pure values. Builders create them, `html` and `markdown` write them, and the action that keeps page records
uses their hash.
"""

import datetime
import hashlib
from typing import Any, Literal

import msgspec
import rfc8785

from aeo.drawing.signs import Tone, Topic
from aeo.web.jsonld import Crumb, Node
from recalls.serials import RecallScope
from rules.engine.vocabulary import Verdict
from rules.selectors.evidence import Cited


class Link(msgspec.Struct, frozen=True, tag=True):
    """A link with its words: a path of this site, or an address outside."""

    text: str
    url: str


class Note(msgspec.Struct, frozen=True, tag=True):
    """Words in small print."""

    text: str


class Reading(msgspec.Struct, frozen=True, tag=True):
    """The replacement, in a page's hash, for the words about a reading, `pulled_at`, with its day."""

    how: str
    pulled_at: str


class Instant(msgspec.Struct, frozen=True, tag=True):
    """A moment, UTC."""

    at: datetime.datetime


class Mark(msgspec.Struct, frozen=True, tag=True):
    """A verdict and its word."""

    verdict: Verdict
    word: str


class Quote(msgspec.Struct, frozen=True, tag=True):
    """Words of a record in another language than the page; `language` is its BCP 47 tag."""

    text: str
    language: str = "en"


class Excerpt(msgspec.Struct, frozen=True, tag=True):
    """Words of a source, exactly as they are there, in a language that is not recorded.

    It ends a line of bullets, in lines of its own: `label` says what the words are, `source` and `where` say
    where they are from.
    """

    label: str
    words: str
    source: Link
    where: str = ""


class Toned(msgspec.Struct, frozen=True, tag=True):
    """Words that are drawn as a refusal, a statement, or as not known (`aeo.drawing.signs`)."""

    tone: Tone
    text: str


class Box(msgspec.Struct, frozen=True, tag=True):
    """A box that adds a row to a form of the page, for browsers only. `label` says what it chooses."""

    form: str
    name: str
    value: str
    label: str


Run = str | Link | Note | Reading | Instant | Mark | Quote | Excerpt | Toned | Box
Line = tuple[Run, ...]
"""Runs of text one after another; each includes the spaces that it needs."""


class Paragraph(msgspec.Struct, frozen=True, tag=True):
    """A few sentences."""

    line: Line


class Bullets(msgspec.Struct, frozen=True, tag=True):
    """Things of one kind."""

    lines: tuple[Line, ...]


class Facts(msgspec.Struct, frozen=True, tag=True):
    """Names and their values."""

    rows: tuple[tuple[str, Line], ...]


class Table(msgspec.Struct, frozen=True, tag=True):
    """Rows under a header. The first cell of a row says what the row is about.

    On a phone, the rows of a `wide` table are cards with the names of its columns.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]
    wide: bool = False


class Folded(msgspec.Struct, frozen=True, tag=True):
    """A list that opens on demand, under a summary with its length.

    It also opens if a link leads to its `anchor`, the id of its content.
    """

    summary: str
    blocks: tuple[Bullets | Paragraph, ...]
    anchor: str = ""


class Code(msgspec.Struct, frozen=True, tag=True):
    """Text for programs, as it is typed."""

    text: str


class Sources(msgspec.Struct, frozen=True, tag=True):
    """The evidence of a page."""

    citations: tuple[Cited, ...]


class CheckedRecall(msgspec.Struct, frozen=True):
    """A recall by name, with the parts of it that decide about a unit (`recalls.serials`)."""

    name: str
    identifier: str
    scope: RecallScope
    pattern: str | None
    not_affected_pattern: str | None
    exhaustive: bool
    explicit_list_url: str | None


class SerialCheck(msgspec.Struct, frozen=True, tag=True):
    """The check of one unit in the browser. `others`: the model has more recalls than these."""

    recalls: tuple[CheckedRecall, ...]
    others: bool


class Drawing(msgspec.Struct, frozen=True, tag=True):
    """A picture, and the same facts in words.

    `svg` is markup from `aeo.drawing`, for browsers only. A page changes with its facts, not with its look.
    """

    svg: str
    facts: "Block"


class Sign(msgspec.Struct, frozen=True):
    """A fact that is seen at a glance: what it is about, how it is drawn (`aeo.drawing.signs`), its words."""

    topic: Topic
    tone: Tone
    name: str
    value: str


class TextField(msgspec.Struct, frozen=True, tag=True):
    """Words to type."""

    name: str
    label: str
    value: str = ""


class Select(msgspec.Struct, frozen=True, tag=True):
    """One of some values, each with its words."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]
    value: str = ""


class Tick(msgspec.Struct, frozen=True, tag=True):
    """A condition that is on or off."""

    name: str
    value: str
    label: str
    on: bool = False


class Form(msgspec.Struct, frozen=True, tag=True):
    """Fields whose values lead to another address, for browsers only. `name` is its id."""

    name: str
    action: str
    fields: tuple[TextField | Select | Tick, ...]
    button: str


class Button(msgspec.Struct, frozen=True, tag=True):
    """Another button of a form of the page, which sends its fields to another address; for browsers only."""

    form: str
    action: str
    text: str


class Signs(msgspec.Struct, frozen=True, tag=True):
    """A few facts with signs. `note` says whose rules they are."""

    signs: tuple[Sign, ...]
    note: str


Block = (
    Paragraph
    | Bullets
    | Facts
    | Table
    | Folded
    | Code
    | Sources
    | SerialCheck
    | Drawing
    | Signs
    | Form
    | Button
)


class Section(msgspec.Struct, frozen=True):
    """A heading and its content. `within` makes it a part of the section before; `anchor` is its id."""

    heading: str
    blocks: tuple[Block, ...]
    within: bool = False
    anchor: str = ""


class Feed(msgspec.Struct, frozen=True):
    """Where readers and calendars get the news of a page."""

    path: str
    title: str
    media_type: str = "application/atom+xml"


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A page as it is built.

    `glance` is what a page leads with, before its first heading. `crumbs` lead to it, itself included.
    `about` says when and from what it was made: it is shown at the end and is not part of the hash.
    `description` replaces the lead if a short text is needed. `node` is its structured data apart from the
    crumbs, without dates of change. `json_url` is where programs get the same facts, `picture_url` the
    picture for sharing it.
    """

    path: str
    title: str
    lead: str
    sections: tuple[Section, ...]
    crumbs: tuple[Crumb, ...]
    about: tuple[tuple[str, Line], ...]
    glance: tuple[Block, ...] = ()
    description: str | None = None
    node: Node | None = None
    mark: Mark | None = None
    kind: Literal["article", "website"] = "website"
    json_url: str | None = None
    feeds: tuple[Feed, ...] = ()
    picture_url: str | None = None

    @property
    def content_hash(self) -> str:
        """Return the SHA-256, in hex, of the canonical JSON of its content without times.

        Days of reading, pictures and the ids of headings are not part of it: reading a page again without a
        finding changes nothing, and a picture says what the facts beside it say.
        """
        glance = [self.glance] if self.glance else []
        said = msgspec.to_builtins([self.path, self.title, self.lead, self.mark, *glance, self.sections])
        return hashlib.sha256(rfc8785.dumps(_without_days_and_pictures(said))).hexdigest()


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A page and its status: whether it is for the index, since when it exists, and when it last changed.

    A page with `entries` is a page of the list at that path, which readers may filter.
    """

    page: Page
    indexed: bool
    published: datetime.datetime | None = None
    changed: datetime.datetime | None = None
    entries: str = ""


LEFT_OUT = {"pulled_at", "svg", "anchor"}
"""The fields that are not in a page's hash."""


def _without_days_and_pictures(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: _without_days_and_pictures(item) for name, item in value.items() if name not in LEFT_OUT
        }
    if isinstance(value, list | tuple):
        return [_without_days_and_pictures(item) for item in value]
    return value
