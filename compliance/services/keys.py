"""The secret keys of an embedded installation: made once, kept in one file that only its owner can read."""

import json
import os
import secrets
from pathlib import Path

# SECRET_KEY is Django's. VERDICT_KEY is the HMAC key of verdict ids.
NAMES = ("SECRET_KEY", "VERDICT_KEY")


def load_or_create(path: Path) -> dict[str, str]:
    """Return the keys kept at `path`, made first if there is no such file. One process at a time may call."""
    if not path.exists():
        # Under another name until it is complete, so that a killed process leaves no half file.
        draft = path.with_name(f"{path.name}.new")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump({name: secrets.token_urlsafe(48) for name in NAMES}, file, indent=2)
        draft.rename(path)
    keys: dict[str, str] = json.loads(path.read_text())
    return keys
