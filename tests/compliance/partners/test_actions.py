"""Recording, changing and closing partners; issuing, rotating and revoking keys."""

import datetime
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from catalog.errors import AlreadyRecorded, NotRecorded, Refused, Unfit, WrongState
from compliance.models import Partner, PartnerKey
from compliance.partners.actions.keys import TooManyLiveKeys, note_keys_used, revoke_key
from compliance.partners.keys import digest
from tests.support.partners import DAY, MINUTE, NOON, SECOND, Desk


def live(now: datetime.datetime = NOON) -> list[str]:
    return sorted(PartnerKey.objects.live(now).values_list("public_id", flat=True))


def test_a_partner_is_recorded_with_its_origins_as_browsers_spell_them(desk: Desk) -> None:
    origins = ("HTTPS://Shop.Example:443/", "https://shop.example", "http://localhost:3000")
    partner = desk.record("shop", name=" The Shop ", allowed_origins=origins)

    partner.refresh_from_db()
    assert partner.name == "The Shop"
    assert partner.allowed_origins == ["https://shop.example", "http://localhost:3000"]
    assert (partner.created_at, partner.created_by) == (NOON, desk.manager)
    assert partner.keys.count() == 0


@pytest.mark.parametrize(
    ("slug", "changes", "refusal", "why"),
    [
        ("acme", {}, AlreadyRecorded, "already recorded"),
        ("No Slug", {}, Unfit, "hyphens"),
        ("shop", {"name": " "}, Unfit, "name"),
        ("shop", {"contact_email": "nobody"}, Unfit, "contact_email"),
        ("shop", {"rate_per_minute": 0}, Unfit, "above zero"),
        ("shop", {"rate_per_minute": -1}, Unfit, "rate_per_minute"),
        ("shop", {"terms_url": "http://shop.example"}, Unfit, "https"),
        ("shop", {"terms_url": "https://shop.example/x>; rel=y"}, Unfit, "https"),
        ("shop", {"allowed_origins": ("http://shop.example",)}, Unfit, "only for localhost"),
    ],
)
def test_what_is_no_partner_is_refused_by_name(
    desk: Desk, slug: str, changes: dict[str, Any], refusal: type[Refused], why: str
) -> None:
    with pytest.raises(refusal, match=f"^{slug}: .*{why}"):
        desk.record(slug, **changes)
    assert list(Partner.objects.values_list("slug", flat=True)) == ["acme"]


def test_a_change_replaces_the_agreement_and_says_who_and_when(desk: Desk) -> None:
    desk.change(rate_per_minute=900, allowed_origins=(), now=NOON + DAY)

    partner = Partner.objects.get(slug="acme")
    assert (partner.rate_per_minute, partner.allowed_origins) == (900, [])
    assert (partner.changed_at, partner.changed_by) == (NOON + DAY, desk.manager)
    assert partner.created_at == NOON


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"rate_per_minute": 0}, "above zero"),
        ({"name": ""}, "name"),
        ({"terms_url": "ftp://x"}, "https"),
        ({"allowed_origins": ("nonsense",)}, "https://"),
    ],
)
def test_a_change_that_is_refused_changes_nothing(desk: Desk, changes: dict[str, Any], why: str) -> None:
    before = Partner.objects.values().get()

    with pytest.raises(Unfit, match=f"^acme: .*{why}"):
        desk.change(**changes)

    assert Partner.objects.values().get() == before


def test_a_key_is_kept_only_as_its_digest(desk: Desk) -> None:
    row, plain = desk.issue(valid_until=NOON + DAY)

    row.refresh_from_db()
    assert row.digest == digest(plain.reveal())
    assert (row.public_id, row.partner_id) == (plain.public_id, "acme")
    assert (row.created_at, row.created_by, row.valid_until) == (NOON, desk.manager, NOON + DAY)
    assert row.state(NOON + DAY - SECOND) == "live"
    assert row.state(NOON + DAY) == "expired"


def test_a_third_live_key_is_refused_until_one_has_ended(desk: Desk) -> None:
    desk.issue(valid_until=NOON + DAY)
    second = desk.issue()

    refusal = r"^acme: the partner has 2 live keys; revoke one of them first$"
    with pytest.raises(TooManyLiveKeys, match=refusal):
        desk.issue()
    assert len(live()) == 2

    third = desk.issue(now=NOON + DAY)
    desk.revoke(second, now=NOON + DAY)
    fourth = desk.issue(now=NOON + DAY)
    assert live(NOON + DAY) == sorted([third.row.public_id, fourth.row.public_id])


def test_keys_of_other_partners_do_not_count(desk: Desk) -> None:
    desk.record("shop")
    for _ in range(2):
        desk.issue("shop")

    assert desk.issue("acme").row.public_id in live()


@pytest.mark.parametrize("ends", [NOON, NOON - SECOND])
def test_a_key_that_has_expired_already_is_not_issued(desk: Desk, ends: datetime.datetime) -> None:
    with pytest.raises(Unfit, match="expired already"):
        desk.issue(valid_until=ends)
    assert not PartnerKey.objects.exists()


def test_rotation_leaves_the_old_key_a_week(desk: Desk) -> None:
    old = desk.issue()
    new = desk.rotate(now=NOON + DAY)

    old.row.refresh_from_db()
    assert old.row.valid_until == NOON + 8 * DAY
    assert new.row.valid_until is None
    assert new.plain.reveal() != old.plain.reveal()
    assert live(NOON + 8 * DAY - SECOND) == sorted([old.row.public_id, new.row.public_id])
    assert live(NOON + 8 * DAY) == [new.row.public_id]


def test_rotation_never_makes_an_old_key_last_longer(desk: Desk) -> None:
    old = desk.issue(valid_until=NOON + DAY)
    desk.rotate(overlap=3 * DAY)

    old.row.refresh_from_db()
    assert old.row.valid_until == NOON + DAY


def test_rotation_with_two_live_keys_is_refused_and_changes_nothing(desk: Desk) -> None:
    desk.issue()
    desk.rotate()
    before = list(PartnerKey.objects.values())

    with pytest.raises(TooManyLiveKeys):
        desk.rotate(overlap=DAY)

    assert list(PartnerKey.objects.values()) == before


def test_rotation_with_no_overlap_ends_every_old_key_at_once(desk: Desk) -> None:
    desk.issue()
    desk.issue()

    assert live() != [desk.rotate(overlap=0 * DAY).row.public_id] == live()


def test_rotation_needs_a_live_key_and_time_that_does_not_run_backwards(desk: Desk) -> None:
    with pytest.raises(WrongState, match="no live key"):
        desk.rotate()
    desk.issue()
    with pytest.raises(Unfit, match="overlap"):
        desk.rotate(overlap=-DAY)


def test_a_key_is_revoked_once_by_a_person(desk: Desk) -> None:
    issued = desk.issue()
    desk.revoke(issued, now=NOON + MINUTE)

    issued.row.refresh_from_db()
    assert (issued.row.revoked_at, issued.row.revoked_by) == (NOON + MINUTE, desk.manager)
    assert issued.row.state(NOON + MINUTE) == "revoked"
    with pytest.raises(WrongState, match=f"^{issued.row}: is already revoked$"):
        desk.revoke(issued, now=NOON + DAY)
    issued.row.refresh_from_db()
    assert issued.row.revoked_at == NOON + MINUTE


def test_closing_a_partner_ends_its_keys_and_everything_else(desk: Desk) -> None:
    first = desk.issue()
    desk.revoke(first)
    desk.issue()
    desk.close(now=NOON + DAY)

    assert live(NOON + DAY) == []
    # What was revoked before stays as it was.
    assert {row.revoked_at for row in PartnerKey.objects.all()} == {NOON, NOON + DAY}
    partner = Partner.objects.get(slug="acme")
    assert (partner.closed_at, partner.closed_by) == (NOON + DAY, desk.manager)
    for action in (desk.issue, desk.rotate, desk.change, desk.close):
        with pytest.raises(WrongState, match="closed"):
            action()


def test_what_is_not_there_is_named(desk: Desk) -> None:
    desk_actions: list[Callable[[str], object]] = [desk.issue, desk.rotate, desk.change, desk.close]
    for action in desk_actions:
        with pytest.raises(NotRecorded, match=r"^nobody: "):
            action("nobody")
    with pytest.raises(NotRecorded, match=r"^btk_aaaaaaaa: "):
        revoke_key(by=desk.manager, now=NOON, public_id="btk_aaaaaaaa")


def test_uses_are_noted_in_one_statement_and_never_go_back(
    desk: Desk, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    one, other = (desk.issue().row.public_id for _ in range(2))

    with django_assert_num_queries(1):
        note_keys_used(used={one: NOON + DAY, other: NOON, "btk_aaaaaaaa": NOON})
    note_keys_used(used={one: NOON, other: NOON + MINUTE})

    assert dict(PartnerKey.objects.values_list("public_id", "last_used")) == {
        one: NOON + DAY,
        other: NOON + MINUTE,
    }


@pytest.mark.parametrize("present", [0, 1])
def test_keys_that_are_issued_at_once_are_never_more_than_two(committing_desk: Desk, present: int) -> None:
    for _ in range(present):
        committing_desk.issue()
    callers = 6
    start = threading.Barrier(callers)

    def issue() -> str:
        try:
            start.wait(20)
            return committing_desk.issue().row.public_id
        except TooManyLiveKeys:
            return "refused"
        finally:
            connection.close()

    with ThreadPoolExecutor(callers) as threads:
        answers = [future.result(20) for future in [threads.submit(issue) for _ in range(callers)]]

    assert answers.count("refused") == callers - 2 + present
    assert len(live()) == 2
