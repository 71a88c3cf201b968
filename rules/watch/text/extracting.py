"""The text of a body as people read it: one paragraph, heading, list item or row of a table on each line.

Every way to read a body has a name with versions: of the library, of our own code (raised by hand when it
reads anything differently) and of the comparable form. The name is kept with each fingerprint: if another
extractor reads another text, that is not a change of the page.
"""

import re

import msgspec

from rules.watch.text.decoding import decode
from rules.watch.text.fingerprints import COMPARABLE_FORM
from rules.watch.text.pages import PAGE_EXTRACTOR, page_text
from rules.watch.text.pdf import PDF_EXTRACTOR, pdf_text
from rules.watch.text.unreadable import Unreadable

MAX_CHARACTERS = 400_000
"""How many characters of a text are read: the longest rulebooks of regulators have about as many."""

PLAIN_EXTRACTOR = "plain+1"

_BEGINNING = 65_536
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
_ODD_SHARE = 0.05

_HTML = frozenset({"text/html", "application/xhtml+xml"})
_UNKNOWN = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/x-download"})


class Extracted(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a body, and which extractor read it; `cut` if there is more text than is read."""

    text: str
    extractor: str
    cut: bool = False


def extract(body: bytes, media_type: str, charset: str | None) -> Extracted:
    """Return what `body` says; `media_type` and `charset` are what HTTP says of it.

    Raises:
        Unreadable: it is not text, has no text, or is a wall in front of the page.
    """
    kind = media_type.partition(";")[0].strip().lower()
    if body[:1024].lstrip().startswith(b"%PDF-"):
        return _extracted(pdf_text(body), PDF_EXTRACTOR)
    if kind == "application/pdf":
        raise Unreadable("broken_pdf")
    if kind not in _HTML and kind != "text/plain" and kind not in _UNKNOWN:
        raise Unreadable("not_text")
    text = decode(body, charset)
    if _is_binary(text):
        raise Unreadable("not_text")
    if kind in _HTML or (kind in _UNKNOWN and "<html" in text[:2048].lower()):
        said, full = page_text(text)
        return _extracted(said, PAGE_EXTRACTOR, cut=full)
    if kind == "text/plain":
        return _extracted(text, PLAIN_EXTRACTOR)
    raise Unreadable("not_text")


def _is_binary(text: str) -> bool:
    """Return whether a text is full of characters that no text has, such as a picture sent as a page."""
    beginning = text[:_BEGINNING]
    odd = len(_CONTROLS.findall(beginning))
    return odd > _ODD_SHARE * len(beginning)


def _extracted(text: str, extractor: str, *, cut: bool = False) -> Extracted:
    if not text.strip():
        raise Unreadable("no_text")
    return Extracted(
        text=text[:MAX_CHARACTERS],
        extractor=f"{extractor}.{COMPARABLE_FORM}",
        cut=cut or len(text) > MAX_CHARACTERS,
    )
