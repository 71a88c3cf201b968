"""The secret keys of an embedded installation: made once, kept in one file that only its owner can read."""

import json
import os
import secrets
from pathlib import Path

# SECRET_KEY is Django's. VERDICT_KEY is the HMAC key of verdict ids. RECEIPT_KEYS has one seed of exactly 32
# bytes, which signs receipts.
LENGTHS = {"SECRET_KEY": 48, "VERDICT_KEY": 48, "RECEIPT_KEYS": 32}
"""The number of random bytes of each key."""


def load_or_create(path: Path) -> dict[str, str]:
    """Return the keys kept at `path`. One process at a time may call.

    Missing keys are made first: all of them if there is no file, and the new ones if the file is from an
    earlier version. Existing keys stay unchanged.
    """
    keys: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    if missing := LENGTHS.keys() - keys.keys():
        keys |= {name: secrets.token_urlsafe(LENGTHS[name]) for name in LENGTHS if name in missing}
        # It has another name until it is complete, so a killed process leaves no half file.
        draft = path.with_name(f"{path.name}.new")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(keys, file, indent=2)
        draft.rename(path)
    return keys
