"""The secret keys of an embedded installation: made once, kept in files that only their owner can read.

The key of releases has a file of its own, which only publishers and commands of operators are given.
"""

import json
import secrets
from pathlib import Path

from catalog.signing_keys import signing_key
from compliance.services import private_files

# SECRET_KEY is Django's. VERDICT_KEY is the HMAC key of verdict ids. RECEIPT_KEYS has one seed of exactly 32
# bytes, which signs receipts.
SEED_BYTES = 32
LENGTHS = {"SECRET_KEY": 48, "VERDICT_KEY": 48, "RECEIPT_KEYS": SEED_BYTES}
"""The number of random bytes of each key."""

RELEASE_KEY = "RELEASE_KEY"


def load_or_create(path: Path, lengths: dict[str, int] = LENGTHS) -> dict[str, str]:
    """Return the keys kept at `path`. One process at a time may call.

    Missing keys are made first: all of them if there is no file, and the new ones if the file is from an
    earlier version. Existing keys stay unchanged.
    """
    keys: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    if missing := lengths.keys() - keys.keys():
        keys |= {name: secrets.token_urlsafe(lengths[name]) for name in lengths if name in missing}
        private_files.write(path, json.dumps(keys, indent=2))
    return keys


def of_releases(path: Path, *, secret: bool) -> dict[str, str]:
    """Return the variables of the key of releases kept at `path`, which is made first if there is none.

    That is its public key, by which releases are known, and with `secret` the key itself.
    """
    both = _of_seed(load_or_create(path, {RELEASE_KEY: SEED_BYTES})[RELEASE_KEY])
    return {name: value for name, value in both.items() if secret or name != RELEASE_KEY}


def new_release_key() -> dict[str, str]:
    """Return the variables of a new key of releases that is kept nowhere, for tests and measurements."""
    return _of_seed(secrets.token_urlsafe(SEED_BYTES))


def _of_seed(seed: str) -> dict[str, str]:
    return {RELEASE_KEY: seed, "RELEASE_PUBLIC_KEYS": signing_key(seed).public.x}
