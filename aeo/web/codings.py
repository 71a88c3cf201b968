"""Compressed forms of an answer (content codings), and the entity tag of each (RFC 9110, section 8.8.3.3).

Each form has other bytes, so it has a strong tag of its own: that of the plain answer with the coding at its
end. A reader who sends any of them back has the current answer. Called by the middleware that compresses and
by the cache of pages.
"""

import gzip
import re
from collections.abc import Mapping
from functools import lru_cache

import brotli

WORTH_COMPRESSING = 1000
"""Bytes. A shorter answer fits into one packet, and is sent as it is."""

_COMPRESSED = (
    "application/atom+xml", "application/json", "application/xml", "application/yaml", "image/svg+xml",
    "text/css", "text/html", "text/javascript", "text/markdown", "text/plain",
)  # fmt: skip
"""The types that are compressed. Datasets are not: they are many times larger, and are read in parts."""

CODINGS = ("br", "gzip")
"""The better one first: in a large batch Brotli finds all that repeats, gzip only what repeats soon."""

THOROUGH, QUICK = {"br": 5, "gzip": 6}, {"br": 3, "gzip": 4}
"""How hard each coding tries. Twice as quick makes a verdict a twelfth longer."""

_MARK = re.compile(rf'-(?:{"|".join(CODINGS)})(?=")')


def is_compressible(content_type: str) -> bool:
    """Return whether answers of a type, which may have parameters, are compressed."""
    return content_type.partition(";")[0].strip().lower() in _COMPRESSED


def compressed(body: bytes, coding: str, effort: Mapping[str, int] = THOROUGH) -> bytes:
    """Return a body in a coding; the same body and effort always give the same bytes."""
    if coding == "br":
        return brotli.compress(body, quality=effort[coding])
    return gzip.compress(body, compresslevel=effort[coding], mtime=0)


# Browsers and crawlers send only a few different headers.
@lru_cache(maxsize=64)
def coding_of(header: str) -> str:
    """Return the compression for an `Accept-Encoding` header (RFC 9110, section 12.5.3); empty for none."""
    found = max(CODINGS, key=lambda coding: wanted(header, coding))
    return found if wanted(header, found) > 0 else ""


@lru_cache(maxsize=128)
def wanted(header: str, coding: str) -> float:
    """Return how much an `Accept-Encoding` header wants a compression, from 0 to 1."""
    for item in header.lower().split(","):
        name, *parameters = (part.strip() for part in item.split(";"))
        if name == coding:
            quality = next((one[2:] for one in parameters if one.startswith("q=")), "1")
            return float(quality) if re.fullmatch(r"[01](\.[0-9]{0,3})?", quality) else 0.0
    return 0.0


def tag_of(tag: str, coding: str) -> str:
    """Return the tag of a compressed form, from that of the plain answer; a weak tag is for all forms."""
    return tag if not coding or tag.startswith("W/") else f'{tag[:-1]}-{coding}"'


def plain_tags(header: str) -> str:
    """Return a list of tags, such as `If-None-Match`, with those of plain answers in place of all others."""
    return _MARK.sub("", header)


def tag_sent(tag: str, sent: str, coding: str) -> str:
    """Return the tag of an answer as its reader sent it; first that of the coding which the reader wants."""
    tags = (tag_of(tag, one) for one in (coding, *CODINGS, ""))
    return next((one for one in tags if one in sent), tag)
