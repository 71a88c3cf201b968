"""What the tools are given: an answer with its receipt, the keys, and a delivery of a webhook."""

import datetime
import json
import re
import urllib.request
from pathlib import Path

from compliance.partners.webhooks import signing
from compliance.services.embedded import REPOSITORY

RECEIPTS = REPOSITORY / "docs" / "receipts.md"
HEADERS = {"content-type": "application/json", "prefer": "receipt"}


def write(folder: Path, address: str) -> None:
    """Write the samples into a folder with a question; `receipt.sh` is the program of docs/receipts.md."""
    question = urllib.request.Request(
        f"{address}/api/verify", (folder / "question.json").read_bytes(), HEADERS
    )
    with urllib.request.urlopen(question) as answer:
        (folder / "answer.json").write_bytes(answer.read())
        (folder / "receipt.txt").write_text(answer.headers["X-Service-Receipt"])
    with urllib.request.urlopen(f"{address}/.well-known/jwks.json") as keys:
        (folder / "jwks.json").write_bytes(keys.read())
    (folder / "delivery.json").write_text(json.dumps(_delivery()))
    [program] = re.findall(r"```sh\n(.*?)```", RECEIPTS.read_text(), re.DOTALL)
    (folder / "receipt.sh").write_text(program)


def _delivery() -> dict[str, object]:
    """Return a delivery, signed by the code that sends it."""
    now = datetime.datetime.now(datetime.UTC)
    webhook = signing.make_id()
    secret = signing.secret_of(webhook, key="only-for-this-check")
    body = json.dumps(
        {"type": "webhook.registered", "timestamp": now.isoformat(), "data": {"webhook_id": webhook}}
    )
    headers = signing.signed_headers(secret, "made-for-this-check", body.encode(), now=now)
    return {"secret": secret, "headers": headers, "body": body}
