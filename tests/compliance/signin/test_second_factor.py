"""The second factor: set up at the first sign-in, asked for at each, lost, replaced and reset."""

import base64
import hashlib
import os
from collections.abc import Iterator
from urllib.parse import unquote

import pytest
import time_machine
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from checks.hostile.addresses import admin_addresses
from checks.production import PRODUCTION
from compliance.signin.models import LockMail, RecoveryCode, SecondFactor
from rules.corpus import Published
from tests.support.constraints import Write, constraints_of, copy, violated
from tests.support.desk.signing_in import (
    CODE,
    FACTOR,
    INDEX,
    LOGIN,
    LOGOUT,
    PASSKEY,
    RECOVERY,
    RENEW,
    SECRET,
    SET_UP,
    SHOWN_CODE,
    App,
    Browser,
    is_staff_to_the_api,
    staff,
    where,
    with_app,
)
from tests.support.desk.visiting import Visitor
from tests.support.fresh_settings import Reader, reading

USERS = "/admin/auth/user/"


pytestmark = pytest.mark.usefixtures("fresh_desk", "quick_passwords")


@pytest.fixture(autouse=True)
def _enforced(db: None, settings: Settings) -> None:
    settings.DESK_SECOND_FACTOR = True


def signed_in(user: User, app: App, steps: int = 0) -> Browser:
    """Return a browser that has come all the way."""
    browser = Browser()
    browser.sign_in(user.username)
    assert where(browser.submit(CODE, code=app.code(steps))) == INDEX
    return browser


# --- Setting up -------------------------------------------------------------------------------------------


def test_the_first_sign_in_leads_to_setting_up_an_app_and_then_to_where_one_was_heading() -> None:
    staff("editor", is_superuser=True)
    browser = Browser()
    browser.sign_in("editor")
    sent = browser.get(USERS)
    assert where(sent) == SET_UP
    page = browser.page(sent["Location"])
    secret = SECRET.search(page)
    assert secret is not None
    assert "<svg" in page
    assert "viewBox" in page
    plain = secret[1].replace("-", "")
    assert f"secret={plain}" in unquote(page)
    app = App(base64.b32decode(plain).hex())
    # A reload shows the same secret, or what was scanned would be worth nothing.
    assert secret[1] in browser.page(SET_UP)

    wrong = browser.submit(sent["Location"], code=app.wrong())
    assert wrong.status_code == 400
    assert "The new app shows another code" in wrong.content.decode()
    assert not SecondFactor.objects.exists()

    shown = browser.submit(sent["Location"], code=f" {app.code()[:3]} {app.code()[3:]} ")
    assert shown.status_code == 200
    codes = SHOWN_CODE.findall(shown.content.decode())
    assert len(set(codes)) == 10
    assert f'href="{USERS}"' in shown.content.decode()
    assert "no-store" in shown["Cache-Control"]
    browser.page(USERS)


def test_recovery_codes_are_kept_as_hashes_alone() -> None:
    user = staff()
    _, codes = with_app(user)

    kept = list(RecoveryCode.objects.values_list("digest", flat=True))
    assert kept == [hashlib.sha256(code.replace("-", "").encode()).hexdigest() for code in codes]


def test_the_session_forgets_the_secret_once_it_is_confirmed() -> None:
    staff()
    browser = Browser()
    browser.sign_in("editor")
    secret = SECRET.search(browser.page(SET_UP))
    assert secret is not None
    key = base64.b32decode(secret[1].replace("-", "")).hex()
    browser.submit(SET_UP, code=App(key).code())

    (session,) = Session.objects.all()
    assert key not in str(session.get_decoded())


def test_of_two_sessions_that_set_one_up_the_first_wins_and_the_other_ends() -> None:
    staff()
    browsers = [Browser(), Browser()]
    apps = []
    for browser in browsers:
        browser.sign_in("editor")
        secret = SECRET.search(browser.page(SET_UP))
        assert secret is not None
        apps.append(App(base64.b32decode(secret[1].replace("-", "")).hex()))

    assert browsers[0].submit(SET_UP, code=apps[0].code()).status_code == 200
    assert where(browsers[1].get(SET_UP)) == LOGIN
    assert TOTPDevice.objects.get().key == apps[0].key


# --- What is reached before -------------------------------------------------------------------------------


@pytest.mark.parametrize(("has_app", "sent_to"), [(False, SET_UP), (True, CODE)])
def test_without_the_second_factor_nothing_of_the_admin_is_reached(has_app: bool, sent_to: str) -> None:
    user = staff("boss", is_superuser=True)
    if has_app:
        with_app(user)
    client = Client(headers={"accept": "text/html"})
    client.force_login(user)
    open_pages = {LOGIN, LOGOUT, CODE, PASSKEY, RECOVERY} if has_app else {LOGIN, LOGOUT, SET_UP}
    addresses = admin_addresses()
    assert f"{USERS}1/change/" in addresses
    assert len(addresses) > 40

    for path in [*addresses, "/admin/nothing/", "/admin//", "/admin/auth/../auth/user/"]:
        if path in open_pages:
            continue
        for method in (client.get, client.post, client.head, client.put, client.delete):
            assert where(method(path)) == sent_to, path
    assert User.objects.filter(is_staff=True).get() == user


@pytest.mark.parametrize("has_app", [False, True])
def test_without_the_second_factor_a_session_is_anonymous_to_the_api(
    starter_release: Published, has_app: bool
) -> None:
    user = staff()
    if has_app:
        _, codes = with_app(user)
    browser = Browser()
    browser.sign_in("editor")

    assert not is_staff_to_the_api(browser)
    if has_app:
        browser.submit(RECOVERY, code=codes[0])
        assert is_staff_to_the_api(browser)
        TOTPDevice.objects.all().delete()
        assert not is_staff_to_the_api(browser)


def test_the_pages_before_the_second_factor_show_nothing_of_the_admin() -> None:
    user = staff("boss", is_superuser=True)
    browser = Browser()
    browser.sign_in("boss")
    pages = [browser.page(SET_UP)]
    with_app(user)
    browser = Browser()
    browser.sign_in("boss")
    pages += [browser.page(CODE), browser.page(RECOVERY)]

    for page in pages:
        assert USERS not in page
        assert "/admin/compliance/" not in page


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_no_one_is_led_elsewhere_after_the_code(elsewhere: str) -> None:
    _, codes = with_app(staff())
    browser = Browser()
    browser.sign_in("editor")
    assert browser.submit(f"{RECOVERY}?next={elsewhere}", code=codes[0])["Location"] == INDEX


# --- Codes ------------------------------------------------------------------------------------------------


def test_every_later_sign_in_asks_for_a_code_and_gives_the_session_a_new_key(
    clock: time_machine.Traveller,
) -> None:
    app, _ = with_app(staff())
    clock.shift(60)
    browser = Browser()
    browser.sign_in("editor")
    assert where(browser.get(INDEX)) == CODE
    pending = browser.session_key

    wrong = browser.submit(CODE, code=app.wrong())
    assert (wrong.status_code, where(browser.get(INDEX))) == (400, CODE)
    clock.shift(1)
    assert where(browser.submit(f"{CODE}?next={FACTOR}", code=app.code())) == FACTOR
    assert browser.session_key != pending
    assert not Session.objects.filter(pk=pending).exists()
    browser.page(INDEX)
    # Who goes back to the page is not asked again.
    assert where(browser.get(CODE)) == INDEX


def test_a_code_counts_once_also_the_one_that_confirmed_the_app(clock: time_machine.Traveller) -> None:
    user = staff()
    app, _ = with_app(user)
    browser = Browser()
    browser.sign_in("editor")
    assert browser.submit(CODE, code=app.code()).status_code == 400

    clock.shift(30)
    first = signed_in(user, app)
    first.page(INDEX)
    clock.shift(1)
    assert browser.submit(CODE, code=app.code()).status_code == 400
    # Nor does the one before it any more.
    clock.shift(10)
    assert browser.submit(CODE, code=app.code(-1)).status_code == 400


def test_of_two_requests_with_one_code_the_second_waits_for_the_first() -> None:
    app, _ = with_app(staff())
    browser = Browser()
    browser.sign_in("editor")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        browser.submit(CODE, code=app.wrong())
    assert any(
        'FROM "otp_totp_totpdevice"' in query["sql"] and "FOR UPDATE" in query["sql"] for query in queries
    )


@pytest.mark.parametrize(
    ("steps", "counts"), [(-2, False), (-1, True), (0, True), (1, True), (2, False), (20, False)]
)
def test_the_clock_of_an_app_may_be_one_step_off(
    clock: time_machine.Traveller, steps: int, counts: bool
) -> None:
    user = staff()
    app, _ = with_app(user)
    clock.shift(600)
    browser = Browser()
    browser.sign_in("editor")
    assert browser.submit(CODE, code=app.code(steps)).status_code == (302 if counts else 400)

    if counts:
        # What was accepted does not widen what is accepted next.
        clock.shift(600)
        again = Browser()
        again.sign_in("editor")
        assert again.submit(CODE, code=app.code(2 * steps or 2)).status_code == 400


@pytest.mark.parametrize(
    "code",
    ["", "12345", "1234567", "abcdef", "\uff11\uff12\uff13\uff14\uff15\uff16", "-12345", "1e5", "0x1234"],
)
def test_what_is_no_code_of_an_app_is_said_to_be_none_and_counts_as_no_try(code: str) -> None:
    with_app(staff())
    browser = Browser()
    browser.sign_in("editor")

    assert browser.submit(CODE, code=code).status_code == 400
    assert TOTPDevice.objects.get().throttling_failure_count == 0


def test_each_wrong_code_doubles_the_wait_and_the_right_one_must_wait_too(
    clock: time_machine.Traveller,
) -> None:
    app, codes = with_app(staff())
    clock.shift(600)
    browser = Browser()
    browser.sign_in("editor")

    for wait in (1, 2, 4, 8):
        assert browser.submit(CODE, code=app.wrong()).status_code == 400
        for path, code in ((CODE, app.code()), (RECOVERY, codes[0])):
            early = browser.submit(path, code=code)
            assert (early.status_code, early["Retry-After"]) == (429, str(wait))
            seconds = "one second" if wait == 1 else f"{wait} seconds"
            assert f"wait {seconds}, then" in early.content.decode()
        clock.shift(wait)
    # Wrong recovery codes count as well.
    assert browser.submit(RECOVERY, code="aaaa-bbbb-cccc-dddd").status_code == 400
    assert browser.submit(CODE, code=app.code())["Retry-After"] == "16"
    clock.shift(16)
    assert where(browser.submit(CODE, code=app.code())) == INDEX
    assert TOTPDevice.objects.get().throttling_failure_count == 0


# --- A lost app -------------------------------------------------------------------------------------------


def test_a_recovery_code_counts_once_however_it_is_typed(clock: time_machine.Traveller) -> None:
    _, codes = with_app(staff())
    for code in (codes[0], codes[1].upper(), codes[2].replace("-", ""), f" {codes[3].replace('-', ' ')} "):
        browser = Browser()
        browser.sign_in("editor")
        assert where(browser.submit(RECOVERY, code=code)) == INDEX
        again = Browser()
        again.sign_in("editor")
        assert again.submit(RECOVERY, code=code).status_code == 400
        clock.shift(2)

    assert "6 unused recovery codes" in " ".join(browser.page(FACTOR).split())


def test_a_recovery_code_of_another_person_is_worth_nothing() -> None:
    with_app(staff())
    _, codes = with_app(staff("colleague"))
    browser = Browser()
    browser.sign_in("editor")

    assert browser.submit(RECOVERY, code=codes[0]).status_code == 400
    assert not RecoveryCode.objects.exclude(used=None).exists()


def test_new_recovery_codes_take_a_code_and_replace_those_before(clock: time_machine.Traveller) -> None:
    user = staff()
    app, codes = with_app(user)
    clock.shift(60)
    browser = signed_in(user, app)
    clock.shift(60)

    assert browser.submit(RENEW, proof=app.wrong()).status_code == 400
    clock.shift(1)
    shown = browser.submit(RENEW, proof=app.code())
    new = SHOWN_CODE.findall(shown.content.decode())
    assert len(new) == 10
    assert not set(new) & set(codes)
    other = Browser()
    other.sign_in("editor")
    assert other.submit(RECOVERY, code=codes[0]).status_code == 400
    clock.shift(1)
    assert where(other.submit(RECOVERY, code=new[0])) == INDEX


@pytest.mark.parametrize("proven_by", ["app", "recovery code"])
def test_an_app_is_replaced_by_the_person_who_has_a_code_that_counts_and_other_sessions_end(
    clock: time_machine.Traveller, proven_by: str
) -> None:
    user = staff()
    old, codes = with_app(user)
    clock.shift(60)
    browser = signed_in(user, old)
    clock.shift(60)
    other = signed_in(user, old)
    clock.shift(60)
    secret = SECRET.search(browser.page(SET_UP))
    assert secret is not None
    new = App(base64.b32decode(secret[1].replace("-", "")).hex())
    proof = old.code() if proven_by == "app" else codes[0]

    # A slip with the new app does not use the proof up.
    assert browser.submit(SET_UP, code=new.wrong(), proof=proof).status_code == 400
    assert browser.submit(SET_UP, code=new.code()).status_code == 400
    assert browser.submit(SET_UP, code=new.code(), proof=old.wrong()).status_code == 400
    assert TOTPDevice.objects.get().key == old.key
    clock.shift(1)
    assert browser.submit(SET_UP, code=new.code(), proof=proof).status_code == 200

    browser.page(INDEX)
    assert where(other.get(INDEX)) == LOGIN
    assert TOTPDevice.objects.get().key == new.key
    later = Browser()
    later.sign_in("editor")
    clock.shift(60)
    assert later.submit(CODE, code=old.code()).status_code == 400
    clock.shift(1)
    assert where(later.submit(CODE, code=new.code())) == INDEX


# --- Resetting somebody's ---------------------------------------------------------------------------------


def manager(*, superuser: bool = False) -> Visitor:
    """Return a visitor who may change users, and has come all the way."""
    visitor = Visitor("view_user", "change_user", superuser=superuser)
    _, codes = with_app(visitor.user)
    visitor.client.force_login(visitor.user)
    visitor.submit(RECOVERY, code=codes[0])
    return visitor


def test_a_manager_resets_a_second_factor_and_all_sessions_of_that_person_end(
    clock: time_machine.Traveller,
) -> None:
    boss = manager()
    user = staff()
    app, _ = with_app(user)
    pending = Browser()
    pending.sign_in("editor")
    clock.shift(60)
    inside = signed_in(user, app)
    path = f"{USERS}{user.pk}/reset-second-factor/"
    assert path in boss.page(f"{USERS}{user.pk}/change/")

    boss.page(path)
    assert boss.client.post(path).status_code == 403
    assert SecondFactor.objects.filter(user=user).exists()
    assert where(boss.submit(path)) == f"{USERS}{user.pk}/change/"

    assert not TOTPDevice.objects.filter(user=user).exists()
    # Ended, and not only sent to set up an app: whoever sits there may be somebody else.
    for browser in (inside, pending):
        assert where(browser.get(INDEX)) == LOGIN
        assert browser.client.cookies["sessionid"].value == ""
    second_browser = Browser()
    second_browser.sign_in("editor")
    assert where(second_browser.get(INDEX)) == SET_UP
    assert path not in boss.page(f"{USERS}{user.pk}/change/")
    assert "Second factor reset" in boss.page(f"{USERS}{user.pk}/history/")


def test_no_one_resets_their_own_nor_that_of_a_superuser_without_being_one() -> None:
    boss, root = manager(), manager(superuser=True)
    looker = Visitor("view_user")
    _, codes = with_app(looker.user)
    looker.client.force_login(looker.user)
    looker.submit(RECOVERY, code=codes[0])

    def may(visitor: Visitor, whose: Visitor) -> bool:
        path = f"{USERS}{whose.user.pk}/reset-second-factor/"
        allowed = visitor.get(path).status_code == 200
        assert (path in visitor.page(f"{USERS}{whose.user.pk}/change/")) == allowed
        assert allowed or visitor.client.post(path).status_code == 403
        return allowed

    assert not may(boss, boss)
    assert not may(root, root)
    assert not may(boss, root)
    assert not may(looker, boss)
    assert may(boss, looker)
    assert may(root, boss)


def test_the_pages_of_users_show_no_secret() -> None:
    boss = manager(superuser=True)
    user = staff()
    app, codes = with_app(user)
    secret = base64.b32encode(bytes.fromhex(app.key)).decode()

    for path in (USERS, f"{USERS}{user.pk}/change/", f"{USERS}{user.pk}/delete/", FACTOR):
        page = boss.page(path)
        for hidden in (app.key, secret, codes[0], RecoveryCode.objects.all()[0].digest):
            assert hidden not in page
    assert boss.get("/admin/otp_totp/totpdevice/").status_code == 404


# --- The setting ------------------------------------------------------------------------------------------


def test_where_it_is_not_enforced_only_those_who_have_one_are_asked(settings: Settings) -> None:
    settings.DESK_SECOND_FACTOR = False
    user = staff()
    browser = Browser()
    assert where(browser.sign_in("editor")) != SET_UP
    assert "You have none" in browser.page(FACTOR)
    assert f'href="{SET_UP}"' in browser.page(FACTOR)

    with_app(user)
    assert where(browser.get(INDEX)) == LOGIN
    browser.sign_in("editor")
    assert where(browser.get(INDEX)) == CODE


def test_who_has_none_is_sent_to_set_one_up_as_soon_as_it_is_enforced(settings: Settings) -> None:
    settings.DESK_SECOND_FACTOR = False
    staff()
    browser = Browser()
    browser.sign_in("editor")
    browser.page(INDEX)
    settings.DESK_SECOND_FACTOR = True
    assert where(browser.get(INDEX)) == SET_UP


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with reading({name: value for name, value in os.environ.items() if name != "ALLOWED_HOSTS"}) as reader:
        yield reader


@pytest.mark.parametrize(
    ("variables", "enforced"),
    [
        ({}, False),
        ({"ALLOWED_HOSTS": "localhost,127.0.0.1"}, False),
        (PRODUCTION, True),
        ({"TRUSTED_PROXIES": "1"}, True),
        ({"DESK_SECOND_FACTOR": "true"}, True),
        (PRODUCTION | {"DESK_SECOND_FACTOR": "false"}, False),
    ],
)
def test_it_is_enforced_wherever_a_person_from_outside_can_sign_in_unless_the_setting_says_else(
    reader: Reader, variables: dict[str, str], enforced: bool
) -> None:
    assert reader.value("s.DESK_SECOND_FACTOR", **variables) == enforced


# --- What the database refuses ----------------------------------------------------------------------------

REFUSED: list[tuple[str, Write]] = [
    (
        "recovery_code_digest_is_sha256",
        lambda: RecoveryCode.objects.update(digest="aaaa-bbbb-cccc-dddd"),
    ),
    ("signin_recoverycode_digest_key", lambda: copy(RecoveryCode, {}, pk=RecoveryCode.objects.all()[0].pk)()),
    ("signin_secondfactor_user_id_key", lambda: _another_app()),
    ("lock_mail_once", lambda: _mailed_twice()),
]


def _mailed_twice() -> None:
    user = User.objects.get(is_staff=True)
    for _ in range(2):
        LockMail.objects.create(user=user, address="203.0.113.7", sent=timezone.now())


def _another_app() -> None:
    factor = SecondFactor.objects.get()
    copy(TOTPDevice, {}, pk=factor.device_id)()
    other = TOTPDevice.objects.exclude(pk=factor.device_id).get()
    copy(SecondFactor, {"device": other}, pk=factor.pk)()


@pytest.mark.parametrize(("constraint", "write"), REFUSED, ids=[name for name, _ in REFUSED])
def test_the_database_refuses(constraint: str, write: Write) -> None:
    with_app(staff())
    assert violated(write) == constraint


def test_every_constraint_is_broken_here() -> None:
    named = {name for name, _ in REFUSED if not name.startswith("signin_")}
    assert constraints_of("signin") == named
