"""The keys of this installation, from the settings: the signing key, and the keys of our receipts."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings

from catalog.signing_keys import PublicKey, SigningKey, public_key, signing_key
from compliance.records.receipts.jws import ALGORITHMS, Algorithm, protected_header


@dataclass(frozen=True)
class Signer:
    """The key that signs, and the part of each receipt that depends only on the key."""

    key: SigningKey
    header: bytes


@dataclass(frozen=True)
class Keyring:
    """All keys. `by_header` finds the key of a receipt by the receipt's first part."""

    signer: Signer | None
    published: tuple[PublicKey, ...]
    by_header: Mapping[bytes, PublicKey]


def keyring() -> Keyring:
    """Return the keys of the settings: those of RECEIPT_KEYS (the first one signs) and the retired ones."""
    return _keyring(settings.RECEIPT_KEYS, settings.RECEIPT_RETIRED_KEYS, settings.RECEIPT_ALGORITHM)


@functools.lru_cache(maxsize=4)
def _keyring(seeds: tuple[str, ...], retired: tuple[str, ...], algorithm: Algorithm) -> Keyring:
    signing = [signing_key(seed) for seed in seeds]
    # A key that signs and is also listed as retired is published once.
    published = tuple(
        {key.kid: key for key in (*(one.public for one in signing), *map(public_key, retired))}.values()
    )
    return Keyring(
        signer=Signer(signing[0], protected_header(signing[0].public.kid, algorithm)) if signing else None,
        published=published,
        by_header={protected_header(key.kid, name): key for key in published for name in ALGORITHMS},
    )
