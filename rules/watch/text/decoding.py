"""Decodes the bytes of a page into characters.

A byte order mark decides. Without one, the order is: the encoding that HTTP names, the one that the page
names, then UTF-8. The first encoding in which (nearly) every byte is valid is taken. Names are understood as
browsers understand them: `gb2312` means GB 18030, `iso-8859-1` means Windows-1252. In some encodings every
byte is valid, which proves nothing, so UTF-8 is preferred to them if the bytes are valid UTF-8.
"""

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_MEANT = {
    "ascii": "cp1252",
    "big5": "big5hkscs",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "shift_jis": "cp932",
}
"""Python's name of an encoding, and the wider one that pages mean by it."""

_OF_LANGUAGES = (
    (b"zh-tw", "big5hkscs"),
    (b"zh-hk", "big5hkscs"),
    (b"zh-hant", "big5hkscs"),
    (b"zh", "gb18030"),
    (b"ja", "cp932"),
    (b"ko", "cp949"),
)
"""The old encoding of a page that names none, by the language that it names."""

_NAMED = re.compile(rb"<meta[^>]{0,400}?charset\s*=\s*[\"']?\s*([a-z0-9_.:-]{2,40})", re.IGNORECASE)
_LANGUAGE = re.compile(rb"<html[^>]{0,400}?\slang\s*=\s*[\"']?([a-z-]{2,12})", re.IGNORECASE)
_BEGINNING = 4096
_BAD_SHARE = 0.01
"""The share of damaged characters up to which a page is still taken to be in an encoding."""


def decode(body: bytes, charset: str | None) -> str:
    """Return the characters of `body`; `charset` is what HTTP says of them. Never fails."""
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    if body[:2] in (b"<\0", b"\0<"):
        return body.decode("utf-16-le" if body[0] else "utf-16-be", "replace")
    candidates = [name for name in (_known(charset), _named_in(body)) if name]
    if not candidates or all(_is_single_byte(name) for name in candidates):
        candidates.insert(0, "utf-8")
    candidates += ["utf-8", _by_language(body), "cp1252"]
    for encoding in candidates:
        text = body.decode(encoding, "replace")
        if text.count("\ufffd") <= len(text) * _BAD_SHARE:
            return text
    return body.decode(candidates[0], "replace")


def _named_in(body: bytes) -> str | None:
    found = _NAMED.search(body[:_BEGINNING])
    name = _known(found[1].decode("ascii")) if found else None
    # A page whose `<meta>` can be read byte by byte is not in UTF-16, whatever it says.
    return "utf-8" if name and name.startswith("utf-16") else name


def _known(charset: str | None) -> str | None:
    """Python's name of an encoding of text, None for anything else."""
    try:
        info = codecs.lookup((charset or "").strip("\"' "))
    except (LookupError, ValueError):
        return None
    if not info._is_text_encoding or info.name in ("idna", "punycode", "utf-7"):
        return None
    return _MEANT.get(info.name, info.name)


def _is_single_byte(encoding: str) -> bool:
    return encoding.startswith(("cp125", "iso8859", "koi8", "mac"))


def _by_language(body: bytes) -> str:
    found = _LANGUAGE.search(body[:_BEGINNING])
    language = found[1].lower() if found else b""
    return next((encoding for prefix, encoding in _OF_LANGUAGES if language.startswith(prefix)), "cp1252")
