"""Two answers in comparable form: without the parts that differ between any two services.

Ids, times, and what is computed from them or from whole files (digests, signatures, entity tags, versions of
scripts) are each replaced by a word. A receipt is compared by its signed content. Everything else must be
equal, byte for byte.
"""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from typing import NamedTuple

COMPARED_HEADERS = ("content-type", "cache-control", "location", "link", "vary", "allow", "retry-after")

_RECEIPT = re.compile(r"eyJ[\w-]{10,}\.[\w-]*\.[\w-]{20,}")
_VARYING = (
    (re.compile(r"127\.0\.0\.1:\d+"), "<service>"),
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "<id>"),
    # Markdown has a backslash before the underscore.
    (re.compile(r"\b[a-z]{2,5}\\?_[a-z2-7]{26}\b"), "<id>"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)"), "<instant>"),
    (re.compile(r"\b\d{8}T\d{6}Z\b"), "<instant>"),
    (re.compile(r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT"), "<instant>"),
    (re.compile(r"(?<![\d.])\d\d?:\d\d(?::\d\d)?(?!\d)"), "<time>"),
    (re.compile(r"\?v=[0-9a-f]{12}\b"), "?v=<digest>"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "<digest>"),
    (re.compile(r"\b[0-9a-f]{32}\b"), "<digest>"),
)


class Answer(NamedTuple):
    """An answer of a service."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def comparable(answer: Answer) -> str:
    """Return an answer as one text, without what may differ."""
    try:
        body = answer.body.decode()
    except UnicodeDecodeError:
        body = hashlib.sha256(answer.body).hexdigest()[:40]
    headers = "\n".join(
        f"{name}: {answer.headers[name]}" for name in COMPARED_HEADERS if name in answer.headers
    )
    return neutral(f"{answer.status}\n{headers}\n\n{body}")


def neutral(text: str) -> str:
    """Return a text with a word in place of everything that may differ."""
    text = _RECEIPT.sub(_signed, text)
    for pattern, word in _VARYING:
        text = pattern.sub(word, text)
    return text


def _signed(found: re.Match[str]) -> str:
    """Return the content of a receipt in place of the receipt."""
    payload = found[0].split(".")[1]
    if not payload:
        return "<receipt>"
    try:
        said = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except ValueError:
        return "<receipt>"
    return f"<receipt {json.dumps(said, sort_keys=True)}>"
