"""`manage.py partner`: what a person at the command line reads."""

from collections.abc import Iterator
from io import StringIO

import pytest
import time_machine
from django.core.management import CommandError, call_command

from compliance.models import Partner, PartnerKey
from compliance.partners.keys import digest
from compliance.partners.register import partner_for
from tests.support.partners import DAY, NOON, Desk

ADD = (
    "--name",
    "The Shop",
    "--email",
    "it@shop.example",
    "--rate",
    "60",
    "--terms",
    "https://shop.example/terms",
)


@pytest.fixture(autouse=True)
def _noon() -> Iterator[None]:
    with time_machine.travel(NOON, tick=False):
        yield


def partner(*arguments: str) -> str:
    out = StringIO()
    call_command("partner", *arguments, stdout=out)
    return out.getvalue()


def key_in(printed: str) -> str:
    (key,) = [line for line in printed.splitlines() if line.startswith("btk_") and " " not in line]
    return key


def test_add_records_a_partner_who_has_no_key_yet(desk: Desk) -> None:
    origins = ("--origin", "https://Shop.example/", "--origin", "http://localhost:1")
    printed = partner("add", "shop", *ADD, *origins, "--receipts")

    assert printed == "Recorded partner shop. It has no key yet: `partner issue shop`.\n"
    shop = Partner.objects.get(slug="shop")
    assert (shop.name, shop.contact_email, shop.rate_per_minute) == ("The Shop", "it@shop.example", 60)
    assert (shop.terms_url, shop.created_by.username) == ("https://shop.example/terms", "command-line")
    assert shop.allowed_origins == ["https://shop.example", "http://localhost:1"]
    assert shop.receipts
    assert "receipts  with every verdict" in partner("show", "shop")


def test_issue_prints_a_key_that_works_and_says_when_it_expires(desk: Desk) -> None:
    printed = partner("issue", "acme", "--days", "90")

    key = key_in(printed)
    row = PartnerKey.objects.get()
    assert printed.splitlines() == [
        f"Key {row} of acme, shown only this once:",
        key,
        "It expires 2027-02-18 12:00:00Z.",
    ]
    assert row.digest == digest(key)
    assert row.created_by.username == "command-line"
    known = partner_for(key, NOON)
    assert known is not None
    assert known.public_id == row.public_id


def test_issue_says_so_where_a_key_never_expires(desk: Desk) -> None:
    assert partner("issue", "acme").splitlines()[-1] == "It is valid until it is revoked."


@pytest.mark.parametrize(
    ("options", "until"), [((), "2026-11-27 12:00:00Z"), (("--overlap-days", "2"), "2026-11-22 12:00:00Z")]
)
def test_rotate_says_how_long_the_old_key_still_counts(
    desk: Desk, options: tuple[str, ...], until: str
) -> None:
    old = key_in(partner("issue", "acme"))
    printed = partner("rotate", "acme", *options)

    assert key_in(printed) != old
    assert printed.splitlines()[-1] == f"{old[:12]} stays valid until {until}."


def test_rotate_with_no_overlap_leaves_one_key(desk: Desk) -> None:
    partner("issue", "acme")
    printed = partner("rotate", "acme", "--overlap-days", "0")

    assert "stays valid" not in printed
    assert PartnerKey.objects.live(NOON).get().public_id == key_in(printed)[:12]


def test_revoke_takes_the_public_id(desk: Desk) -> None:
    issued = desk.issue()

    assert partner("revoke", issued.row.public_id) == f"Revoked {issued.row} of acme.\n"
    assert partner_for(issued.plain.reveal(), NOON) is None


def test_revoke_does_not_repeat_a_whole_key_that_a_person_typed(desk: Desk) -> None:
    issued = desk.issue()

    with pytest.raises(CommandError, match=f"`partner revoke {issued.row}`") as refusal:
        partner("revoke", issued.plain.reveal())

    assert issued.plain.reveal() not in str(refusal.value)
    assert PartnerKey.objects.live(NOON).exists()


def test_list_shows_each_partner_in_a_line(desk: Desk) -> None:
    desk.record("shop", name="The Shop", rate_per_minute=60)
    desk.close("shop")
    desk.issue()

    assert partner("list").splitlines() == [
        "acme                     1 live keys      600/min  last used never                 Acme Travel",
        "shop                     closed            60/min  last used never                 The Shop",
    ]


def test_list_says_where_there_is_none(db: None) -> None:
    assert partner("list") == "No partner is recorded.\n"


def test_show_tells_all_but_the_keys_themselves(desk: Desk) -> None:
    first = desk.issue(now=NOON - DAY, valid_until=NOON)
    second = desk.issue()
    partner_for(second.plain.reveal(), NOON)

    printed = partner("show", "acme")

    assert printed.splitlines() == [
        "Partner acme: Acme Travel",
        "  contact   ops@acme.example",
        "  rate      600 requests per minute for each key",
        "  origins   https://app.acme.example",
        "  terms     https://acme.example/terms",
        "  receipts  only if a request asks for one",
        "  watches   0 of 10,000 trips",
        "  recorded  2026-11-20 12:00:00Z by manager",
        "  closed    no",
        f"  {second.row}  live     issued 2026-11-20 12:00:00Z  expires never  "
        "last used 2026-11-20 12:00:00Z",
        f"  {first.row}  expired  issued 2026-11-19 12:00:00Z  expires 2026-11-20 12:00:00Z  last used never",
    ]
    assert first.row.digest not in printed


def test_close_ends_everything(desk: Desk) -> None:
    key = desk.issue().plain.reveal()

    assert partner("close", "acme") == "Closed partner acme; none of its keys is valid any longer.\n"
    assert partner_for(key, NOON) is None
    assert "  closed    2026-11-20 12:00:00Z by command-line" in partner("show", "acme").splitlines()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("issue", "nobody"), "nobody: there is no such partner"),
        (("rotate", "acme"), "acme: has no live key to rotate; issue one"),
        (("rotate", "acme", "--overlap-days", "-1"), "acme: `overlap` is zero or more"),
        (("issue", "acme", "--days", "0"), "acme: the key would have expired already"),
        (("issue", "acme", "--days", "soon"), "argument --days: invalid days value: 'soon'"),
        (("revoke", "btk_aaaaaaaa"), "btk_aaaaaaaa: there is no such key"),
        (("revoke", "whatever"), "this key: there is no such key"),
        (("show", "nobody"), "There is no partner nobody; `partner list` shows all."),
        (("add", "acme", *ADD), "acme: is already recorded"),
        (("add", "shop", *ADD, "--rate", "0"), "shop: `rate_per_minute` is above zero"),
        ((), "VERB"),
    ],
)
def test_a_refusal_is_one_clear_sentence(desk: Desk, arguments: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(CommandError) as refusal:
        partner(*arguments)
    assert complaint in str(refusal.value)
