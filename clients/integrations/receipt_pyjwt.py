"""A receipt, checked with PyJWT: answer.json, receipt.txt and jwks.json are of the service."""

import base64
import json
from pathlib import Path

import jwt
import rfc8785

answer = json.loads(Path("answer.json").read_text())
header, _, signature = Path("receipt.txt").read_text().strip().split(".")
keys = jwt.PyJWKSet.from_dict(json.loads(Path("jwks.json").read_text()))
key = keys[jwt.get_unverified_header(f"{header}..{signature}")["kid"]]


def check(content: object) -> None:
    """Raise `InvalidSignatureError` unless the receipt is for this content."""
    payload = base64.urlsafe_b64encode(rfc8785.dumps(content)).rstrip(b"=").decode()
    jwt.PyJWS().decode(f"{header}.{payload}.{signature}", key, algorithms=["EdDSA"])


check(answer)
try:
    check(answer | {"verdict": "allowed"})
except jwt.InvalidSignatureError:
    print("ours; a changed answer is refused")
else:
    raise SystemExit("A changed answer is taken.")
