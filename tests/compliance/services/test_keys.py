"""The secret keys of an embedded installation: made once, completed by later versions, never changed."""

import json
from pathlib import Path

from catalog.signing_keys import signing_key
from compliance.services import keys


def test_all_are_made_and_only_their_owner_can_read_them(tmp_path: Path) -> None:
    made = keys.load_or_create(tmp_path / "secrets")
    assert made.keys() == {"SECRET_KEY", "VERDICT_KEY", "RECEIPT_KEYS"}
    assert len(set(made.values())) == 3
    assert signing_key(made["RECEIPT_KEYS"])
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o600
    assert keys.load_or_create(tmp_path / "secrets") == made


def test_a_file_of_an_earlier_version_gets_what_it_lacks_and_keeps_what_it_has(tmp_path: Path) -> None:
    earlier = {"SECRET_KEY": "kept", "VERDICT_KEY": "kept too"}
    (tmp_path / "secrets").write_text(json.dumps(earlier))
    made = keys.load_or_create(tmp_path / "secrets")
    assert {**made, **earlier} == made
    assert signing_key(made["RECEIPT_KEYS"])
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o600
    assert keys.load_or_create(tmp_path / "secrets") == made
    assert [path.name for path in tmp_path.iterdir()] == ["secrets"]
