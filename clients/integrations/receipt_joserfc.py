"""A receipt, checked with joserfc: answer.json, receipt.txt and jwks.json are of the service."""

import json
import warnings
from pathlib import Path

import rfc8785
from joserfc import jws
from joserfc.errors import BadSignatureError, SecurityWarning
from joserfc.jwk import KeySet

# Receipts have the older name of the algorithm, which all libraries know; joserfc warns of it.
warnings.filterwarnings("ignore", message="EdDSA is deprecated", category=SecurityWarning)

answer = json.loads(Path("answer.json").read_text())
receipt = Path("receipt.txt").read_text().strip()
keys = KeySet.import_key_set(json.loads(Path("jwks.json").read_text()))


def check(content: object) -> None:
    """Raise `BadSignatureError` unless the receipt is for this content."""
    jws.deserialize_compact(receipt, keys, algorithms=["EdDSA", "Ed25519"], payload=rfc8785.dumps(content))


check(answer)
try:
    check(answer | {"verdict": "allowed"})
except BadSignatureError:
    print("ours; a changed answer is refused")
else:
    raise SystemExit("A changed answer is taken.")
