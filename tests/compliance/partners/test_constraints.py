"""What the database refuses of partners and their keys, past every check of Django's."""

import pytest

from compliance.models import Partner, PartnerKey
from tests.support.constraints import Write, change, constraints_of, copy, violated
from tests.support.factories import a_user
from tests.support.partners import DAY, NOON, Desk


@pytest.fixture(autouse=True)
def _one_partner_with_one_key(desk: Desk) -> None:
    desk.issue()


def of_partner(**changes: object) -> Write:
    return change(Partner, "acme", **changes)


def of_key(**changes: object) -> Write:
    return lambda: change(PartnerKey, PartnerKey.objects.get().pk, **changes)()


LOCALHOST = ["http://localhost:3000", "http://127.0.0.1", "https://[::1]:8443", "https://a.example"]

REFUSED: list[tuple[str, Write]] = [
    ("partner_slug_is_a_slug", copy(Partner, {"slug": "Acme Travel"}, slug="acme")),
    ("partner_name_is_written", of_partner(name=" ")),
    ("partner_email_is_written", of_partner(contact_email="")),
    ("partner_rate_is_above_zero", of_partner(rate_per_minute=0)),
    *[
        ("partner_origins_are_spelled_as_browsers_do", of_partner(allowed_origins=origins))
        for origins in (
            [""],
            ["null"],
            ["https://a.example/"],
            ["https://A.example"],
            ["http://a.example"],
            ["https://a.example", "ftp://b.example"],
            ["https://a.example", None],
            ["https://a.example\nhttps://b.example"],
        )
    ],
    *[
        ("partner_terms_are_at_an_https_address", of_partner(terms_url=url))
        for url in (
            "",
            "http://acme.example/terms",
            "https://acme.example/>; rel=x",
            "https://acme.example/a\r\nX: y",
            "https://acme.example/ä",
        )
    ],
    ("partner_change_is_a_pair", of_partner(changed_at=NOON)),
    ("partner_closing_is_a_pair", of_partner(closed_at=NOON)),
    (
        "partner_closed_after_creation",
        lambda: of_partner(closed_at=NOON - DAY, closed_by=a_user("manager"))(),
    ),
    ("partner_key_public_id_is_spelled", of_key(public_id="acme")),
    ("partner_key_digest_is_sha256", of_key(digest="A" * 64)),
    ("partner_key_revocation_is_a_pair", of_key(revoked_at=NOON)),
    ("partner_key_valid_after_creation", of_key(valid_until=NOON - DAY)),
    (
        "partner_key_revoked_after_creation",
        lambda: of_key(revoked_at=NOON - DAY, revoked_by=a_user("manager"))(),
    ),
]


@pytest.mark.parametrize(("constraint", "write"), REFUSED)
def test_the_database_refuses(constraint: str, write: Write) -> None:
    assert violated(write) == constraint


def test_every_constraint_is_shown_above() -> None:
    assert {constraint for constraint, _ in REFUSED} == constraints_of("compliance", "Partner", "PartnerKey")


@pytest.mark.parametrize(
    "write", [of_partner(allowed_origins=[]), of_partner(allowed_origins=LOCALHOST), of_key(valid_until=NOON)]
)
def test_the_database_takes(write: Write) -> None:
    assert violated(write) is None


def test_two_keys_never_share_a_digest() -> None:
    digest = PartnerKey.objects.get().digest
    same = copy(PartnerKey, {"public_id": "btk_aaaaaaaa"}, digest=digest)

    assert "digest" in str(violated(same))
