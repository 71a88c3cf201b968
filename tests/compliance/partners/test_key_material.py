"""What a key is made of."""

import copy
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compliance.partners import keys as partner_keys
from compliance.partners.keys import PlainKey, digest, make_key, public_id


def test_a_key_is_recognizable_and_holds_at_least_160_random_bits() -> None:
    text = make_key().reveal()

    found = re.fullmatch(rf"({partner_keys.PUBLIC_ID})_([a-z2-7]+)", text)
    assert found is not None
    # Each character of base32 holds five bits.
    assert 5 * len(found[2]) >= 160


def test_no_two_keys_share_a_part() -> None:
    keys = [make_key() for _ in range(200)]

    assert len({key.public_id for key in keys}) == len(keys)
    assert len({key.reveal().rpartition("_")[2] for key in keys}) == len(keys)


def test_a_key_is_named_by_its_public_id_and_known_by_its_sha_256() -> None:
    key = PlainKey("btk_k3vq7m2a_abc")

    assert key.public_id == "btk_k3vq7m2a"
    # printf btk_k3vq7m2a_abc | sha256sum
    assert key.digest == digest("btk_k3vq7m2a_abc")
    assert digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@given(st.text())
def test_every_text_has_a_digest_and_none_is_named_by_more_than_a_public_id(text: str) -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", digest(text))
    assert re.fullmatch(partner_keys.PUBLIC_ID, public_id(text) or "btk_aaaaaaaa")


# A text with half of a surrogate pair cannot be encoded, and Python's error would quote all of it.
def test_a_text_that_cannot_be_encoded_has_a_digest_too() -> None:
    assert digest("btk_\ud800") != digest("btk_\ud801x")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("btk_k3vq7m2a", "btk_k3vq7m2a"),
        ("btk_k3vq7m2a_secret", "btk_k3vq7m2a"),
        ("btk_k3vq7m2asecret", None),
        ("btk_short", None),
        ("xbtk_k3vq7m2a", None),
        ("", None),
    ],
)
def test_the_public_id_of_a_text(text: str, named: str | None) -> None:
    assert public_id(text) == named


def test_a_plain_key_shows_only_its_public_id_and_is_not_stored() -> None:
    key = make_key()
    secret = key.reveal().rpartition("_")[2]

    for shown in (repr(key), str(key), f"{key}", "%s" % key, repr([key]), repr({"key": key})):  # noqa: UP031
        assert secret not in shown
        assert key.public_id in shown
    for store in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="not to be stored") as refusal:
            store(key)
        assert secret not in str(refusal.value)
