"""Partners and keys in the admin: what a partner manager sees and does."""

import datetime
import re

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog.errors import WrongState
from compliance.models import Partner, PartnerKey
from compliance.partners.actions.keys import issue_key, note_keys_used, revoke_key
from compliance.partners.actions.partners import record_partner
from compliance.partners.admin import partners as screens
from compliance.partners.keys import digest
from compliance.partners.register import partner_for
from tests.support.desk.filling_in import fields_of, send
from tests.support.desk.visiting import ACME, KEYS, PARTNERS, PLAIN_KEY, Visitor, key_on
from tests.support.factories import a_user
from tests.support.partners import AGREEMENT, NOON

pytestmark = pytest.mark.usefixtures("fresh_desk")


FILLED_IN = {
    "name": "The Shop",
    "contact_email": "it@shop.example",
    "rate_per_minute": "60",
    "allowed_origins": "HTTPS://Shop.example/\r\nhttp://localhost:3000\r\n",
    "terms_url": "https://shop.example/terms",
}


def issue(now: datetime.datetime = NOON) -> PartnerKey:
    return issue_key(by=a_user("manager"), now=now, partner="acme").row


def text_of(page: str) -> str:
    """Return what a reader of a page sees, without the markup."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_a_partner_is_recorded_by_who_is_signed_in(manager: Visitor) -> None:
    response = manager.submit(f"{PARTNERS}add/", slug="shop", **FILLED_IN)

    assert (response.status_code, response["Location"]) == (302, f"{PARTNERS}shop/change/")
    shop = Partner.objects.get()
    assert (shop.slug, shop.name, shop.rate_per_minute) == ("shop", "The Shop", 60)
    assert shop.allowed_origins == ["https://shop.example", "http://localhost:3000"]
    assert shop.created_by == manager.user
    assert "was added successfully" in manager.page(response["Location"])


def test_bad_input_is_explained_and_nothing_typed_is_lost(manager: Visitor) -> None:
    typed = FILLED_IN | {
        "slug": "The Shop",
        "rate_per_minute": "0",
        "allowed_origins": "https://shop.example/app\nhttp://shop.example",
        "terms_url": "http://shop.example/terms",
    }
    response = manager.submit(f"{PARTNERS}add/", **typed)

    page = response.content.decode()
    assert response.status_code == 200
    assert not Partner.objects.exists()
    for complaint in (
        "the slug is lower-case words joined by hyphens",
        "`rate_per_minute` is above zero",
        "https://shop.example/app must be a scheme, a host and a port alone",
        "http://shop.example must begin with https://",
        "the support terms are at an https address",
    ):
        assert complaint in page
    for value in typed.values():
        assert value in page


def test_a_partner_is_changed_but_never_renamed(manager: Visitor, acme: Partner) -> None:
    response = manager.submit(f"{ACME}change/", slug="other", **FILLED_IN)

    assert response.status_code == 302
    changed = Partner.objects.get()
    assert (changed.slug, changed.name, changed.terms_url) == (
        "acme",
        "The Shop",
        "https://shop.example/terms",
    )
    assert (changed.created_at, changed.changed_by) == (NOON, manager.user)


@pytest.mark.parametrize("wrong", [{"name": ""}, {"contact_email": "nope"}, {"rate_per_minute": "-1"}])
def test_a_refused_change_of_a_partner_with_a_key_keeps_what_was_typed(
    manager: Visitor, acme: Partner, wrong: dict[str, str]
) -> None:
    issue()
    typed = FILLED_IN | {"terms_url": "https://shop.example/typed"} | wrong
    response = manager.submit(f"{ACME}change/", **typed)
    assert response.status_code == 200
    assert "https://shop.example/typed" in response.content.decode()


def test_what_only_the_action_can_refuse_is_said_on_the_page(
    manager: Visitor, acme: Partner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> None:
        raise WrongState("acme", "the partner is closed")

    monkeypatch.setattr(screens, "change_partner", refuse)
    response = manager.submit(f"{ACME}change/", **FILLED_IN)

    page = response.content.decode()
    assert "the partner is closed." in page
    assert FILLED_IN["terms_url"] in page
    assert Partner.objects.get().name == "Acme Travel"


def test_the_list_shows_what_matters(manager: Visitor, acme: Partner) -> None:
    note_keys_used(used={issue().public_id: NOON})

    assert "Acme Travel acme 600 https://app.acme.example 1 20 November 2026, 12:00 UTC active" in text_of(
        manager.page(PARTNERS)
    )


@pytest.mark.parametrize("path", [PARTNERS, KEYS])
def test_a_list_costs_a_constant_number_of_queries(manager: Visitor, acme: Partner, path: str) -> None:
    issue()
    with CaptureQueriesContext(connection) as few:
        manager.page(path)
    for number in range(12):
        slug = f"partner-{number}"
        record_partner(by=manager.user, now=NOON, slug=slug, agreement=AGREEMENT)
        issue_key(by=manager.user, now=NOON, partner=slug)
    with CaptureQueriesContext(connection) as many:
        page = manager.page(path)

    assert "partner-11" in page
    assert len(many) == len(few)


def test_issuing_asks_first(manager: Visitor, acme: Partner) -> None:
    page = manager.page(f"{ACME}issue/")

    assert "Issue the key" in page
    assert not PartnerKey.objects.exists()


def test_a_key_is_shown_once_on_the_answer_that_nothing_keeps(manager: Visitor, acme: Partner) -> None:
    response = manager.submit(f"{ACME}issue/", days="30")
    key = key_on(response)

    row = PartnerKey.objects.get()
    assert (row.digest, row.created_by) == (digest(key), manager.user)
    assert row.valid_until == row.created_at + datetime.timedelta(days=30)
    assert partner_for(key, row.created_at) is not None
    assert "no-store" in response["Cache-Control"]
    assert response["Referrer-Policy"] == "no-referrer"
    # Not passed on through messages, the session, cookies or the address.
    for path in (f"{ACME}change/", f"{ACME}issue/", f"{ACME}history/", PARTNERS, KEYS, "/admin/"):
        assert not PLAIN_KEY.search(manager.page(path))
    assert f"Issued key {row}." in LogEntry.objects.get().change_message


def test_the_same_form_sent_twice_issues_one_key_and_shows_it_once(manager: Visitor, acme: Partner) -> None:
    fields = fields_of(manager, f"{ACME}issue/")
    key_on(send(manager, f"{ACME}issue/", fields))
    again = send(manager, f"{ACME}issue/", fields)

    assert again.headers["Location"] == f"{ACME}change/"
    page = manager.page(f"{ACME}change/")
    assert "This was done already, and is not done twice." in page
    assert not PLAIN_KEY.search(page)
    assert PartnerKey.objects.count() == 1


def test_a_form_that_was_refused_can_be_sent_again_from_the_page_before(
    manager: Visitor, acme: Partner
) -> None:
    for _ in range(2):
        manager.submit(f"{ACME}issue/", days="")
    fields = fields_of(manager, f"{ACME}issue/")
    assert send(manager, f"{ACME}issue/", fields).status_code == 409

    first = PartnerKey.objects.order_by("created_at")[0]
    revoke_key(by=manager.user, now=timezone.now(), public_id=first.pk)

    key_on(send(manager, f"{ACME}issue/", fields))
    assert PartnerKey.objects.count() == 3


def test_a_key_without_an_end_is_issued_where_none_is_given(manager: Visitor, acme: Partner) -> None:
    assert "is valid until it is revoked" in manager.submit(f"{ACME}issue/", days="").content.decode()
    assert PartnerKey.objects.get().valid_until is None


def test_a_third_live_key_is_refused_on_the_page(manager: Visitor, acme: Partner) -> None:
    for _ in range(2):
        manager.submit(f"{ACME}issue/")
    response = manager.submit(f"{ACME}issue/", days="30")

    assert response.status_code == 409
    page = response.content.decode()
    assert "acme: the partner has 2 live keys; revoke one of them first" in page
    assert 'value="30"' in page
    assert PartnerKey.objects.count() == 2


@pytest.mark.parametrize(
    ("step", "field"), [("issue", "days"), ("rotate", "days"), ("rotate", "overlap_days")]
)
def test_a_number_of_days_that_makes_no_sense_is_refused(
    manager: Visitor, acme: Partner, step: str, field: str
) -> None:
    issue()
    for days in ("-1", "many"):
        response = manager.submit(f"{ACME}{step}/", **{"overlap_days": "7", field: days})
        assert response.status_code == 400
        assert f'value="{days}"' in response.content.decode()
    assert PartnerKey.objects.count() == 1


def test_rotating_issues_a_key_and_ends_the_present_one_later(manager: Visitor, acme: Partner) -> None:
    old = issue()
    assert 'value="7"' in manager.page(f"{ACME}rotate/")
    key = key_on(manager.submit(f"{ACME}rotate/", days="", overlap_days="3"))

    old.refresh_from_db()
    new = PartnerKey.objects.exclude(pk=old.pk).get()
    assert new.digest == digest(key)
    assert old.valid_until == new.created_at + datetime.timedelta(days=3)


def test_revoking_asks_first_and_happens_once(manager: Visitor, acme: Partner) -> None:
    row = issue()
    address = f"{KEYS}{quote(str(row))}/revoke/"
    assert "This cannot be undone" in manager.page(address)
    row.refresh_from_db()
    assert row.revoked_at is None

    response = manager.submit(address)

    row.refresh_from_db()
    assert row.revoked_by == manager.user
    assert (response.status_code, response["Location"]) == (302, f"{ACME}change/")
    page = text_of(manager.page(response["Location"]))
    assert f"Key {row} is revoked." in page
    assert f"{row} revoked" in page
    again = manager.submit(address)
    assert again.status_code == 409
    assert "is already revoked" in again.content.decode()


def test_closing_asks_first_and_leaves_nothing_to_change(manager: Visitor, acme: Partner) -> None:
    row = issue()
    manager.page(f"{ACME}close/")
    assert Partner.objects.get().closed_at is None

    response = manager.submit(f"{ACME}close/")

    assert (response.status_code, response["Location"]) == (302, PARTNERS)
    assert Partner.objects.get().closed_by == manager.user
    row.refresh_from_db()
    assert row.revoked_by == manager.user
    assert 'name="name"' not in manager.page(f"{ACME}change/")
    assert manager.submit(f"{ACME}issue/").status_code == 409
    assert manager.client.post(f"{ACME}change/", FILLED_IN).status_code == 403


def test_keys_are_rows_to_read_without_their_digest(manager: Visitor, acme: Partner) -> None:
    row = issue()

    for path in (PARTNERS, f"{ACME}change/", KEYS, f"{KEYS}{quote(str(row))}/change/", f"{KEYS}?q={row}"):
        page = manager.page(path)
        assert row.digest not in page
    for path in (f"{ACME}change/", KEYS, f"{KEYS}{quote(str(row))}/change/"):
        page = text_of(manager.page(path))
        assert str(row) in page
        assert "20 November 2026, 12:00 UTC" in page
    assert 'name="keys-0-valid_until"' not in manager.page(f"{ACME}change/")


def test_no_one_deletes_or_edits_what_is_on_record(acme: Partner) -> None:
    row = issue()
    boss = Visitor(superuser=True)

    for path in (f"{ACME}delete/", f"{KEYS}{quote(str(row))}/delete/", f"{KEYS}add/"):
        assert boss.get(path).status_code == 403
    assert "delete_selected" not in boss.page(PARTNERS) + boss.page(KEYS)
    boss.submit(PARTNERS, action="delete_selected", _selected_action="acme", post="yes")
    boss.submit(KEYS, action="delete_selected", _selected_action=row.pk, post="yes")
    assert (Partner.objects.count(), PartnerKey.objects.count()) == (1, 1)


@pytest.mark.parametrize(
    "path", [f"{PARTNERS}nobody/issue/", f"{PARTNERS}nobody/rotate/", f"{KEYS}btk_x/revoke/"]
)
def test_what_is_not_there_is_404(manager: Visitor, path: str) -> None:
    assert manager.get(path).status_code == 404
