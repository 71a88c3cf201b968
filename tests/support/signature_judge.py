"""Checks HTTP message signatures (RFC 9421) with code of its own, from what a client has of both messages."""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Headers = Mapping[str, str]


def digest_of(content: bytes) -> str:
    """Return `Content-Digest` of some content."""
    return f"sha-256=:{base64.b64encode(hashlib.sha256(content).digest()).decode()}:"


def parameters_of(headers: Headers, label: str) -> str:
    """Return what `Signature-Input` says under a label."""
    stated = re.search(
        rf"(?:^|, ){re.escape(label)}=(\(.*?\)[^(]*?)(?:, [\w*.-]+=\(|$)", headers["Signature-Input"]
    )
    assert stated is not None, headers["Signature-Input"]
    return stated[1]


def is_signed(
    *,
    label: str,
    url: str,
    sent: bytes,
    sent_digest: str,
    status: int,
    headers: Headers,
    content: bytes,
    jwks: Mapping[str, Any],
) -> bool:
    """Return whether the signature under a label is by a published key, for this question and this answer.

    Args:
        label: The name of the signature.
        url: Where the request went.
        sent: The body of the request.
        sent_digest: `Content-Digest` of the request.
        status: The status of the answer.
        headers: Its headers.
        content: Its content, as it was sent.
        jwks: The published keys.

    """
    if headers["Content-Digest"] != digest_of(content) or digest_of(sent) not in sent_digest:
        return False
    address = urlsplit(url)
    known = {
        '"@status"': str(status),
        '"content-digest"': headers["Content-Digest"],
        '"content-type"': headers["Content-Type"],
        '"@method";req': "POST",
        '"@path";req': address.path,
        '"@query";req': f"?{address.query}",
        '"@authority";req': address.netloc,
        '"@scheme";req': address.scheme,
        '"@target-uri";req': url,
        '"@request-target";req': address.path + (f"?{address.query}" if address.query else ""),
        '"content-digest";req': sent_digest,
        '"content-type";req': "application/json",
    }
    stated = parameters_of(headers, label)
    covered = re.findall(r'"[^"]+"(?:;req)?', stated[1 : stated.index(")")])
    lines = [f"{name}: {known[name]}" for name in covered] + [f'"@signature-params": {stated}']
    found = re.search(rf"(?:^|, ){re.escape(label)}=:([A-Za-z0-9+/=]+):", headers["Signature"])
    kid = re.search(r';keyid="([^"]+)"', stated)
    assert found is not None
    assert kid is not None
    (key,) = (one for one in jwks["keys"] if one["kid"] == kid[1])
    public = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(key["x"] + "="))
    try:
        public.verify(base64.b64decode(found[1]), "\n".join(lines).encode())
    except InvalidSignature:
        return False
    return True


def as_json(value: Any) -> bytes:
    """Return the bytes that a client sends."""
    return json.dumps(value).encode()
