"""Who guesses passwords is locked out, learns nothing, and disturbs nobody else."""

import datetime
from io import StringIO

import pytest
import time_machine
from axes.models import AccessAttempt
from django.contrib.auth import hashers
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from catalog.errors import WrongState
from compliance.signin import actions
from rules.corpus import Published
from tests.support.api_callers import a_client, new_address
from tests.support.api_requests import VERIFY, a_request, post
from tests.support.desk.signing_in import LOGIN, PASSWORD, Browser, staff, where, with_app
from tests.support.desk.visiting import TOKEN, Visitor
from tests.support.factories import a_user

LIMIT = 5
MINUTE = datetime.timedelta(minutes=1)

pytestmark = [pytest.mark.usefixtures("fresh_desk", "clock", "quick_passwords"), pytest.mark.django_db]


def guess(browser: Browser, times: int = LIMIT, username: str = "editor") -> list[int]:
    """Return the statuses of so many wrong passwords."""
    return [browser.sign_in(username, "wrong").status_code for _ in range(times)]


def gets_in(browser: Browser, username: str = "editor") -> bool:
    """Tell whether the right password opens the admin."""
    return browser.sign_in(username).status_code == 302


# --- Being locked out -------------------------------------------------------------------------------------


def test_the_fifth_wrong_password_locks_and_the_right_one_does_not_help_any_more() -> None:
    staff()
    browser = Browser()
    assert guess(browser) == [200, 200, 200, 200, 429]

    locked = browser.sign_in("editor")
    assert (locked.status_code, locked["Retry-After"]) == (429, "900")
    page = " ".join(locked.content.decode().split())
    assert "Too many failed attempts" in page
    assert "Wait 15 minutes" in page
    assert where(browser.get("/admin/")) == LOGIN


def test_a_right_password_begins_the_count_again() -> None:
    staff()
    browser = Browser()
    guess(browser, LIMIT - 1)
    assert gets_in(browser)
    assert guess(Browser(REMOTE_ADDR=browser.client.defaults["REMOTE_ADDR"]), LIMIT - 1)[-1] == 200


def test_the_lock_ends_by_itself_and_trying_meanwhile_does_not_make_it_longer(
    clock: time_machine.Traveller,
) -> None:
    staff()
    browser = Browser()
    guess(browser)
    clock.shift(14 * MINUTE)
    assert guess(browser, 3) == [429] * 3
    assert not gets_in(browser)
    clock.shift(MINUTE + datetime.timedelta(seconds=1))
    assert gets_in(browser)


def test_anyone_who_guesses_locks_neither_the_owner_at_another_address_nor_other_names_out() -> None:
    staff()
    staff("colleague")
    guesser = Browser()
    guess(guesser)

    assert gets_in(Browser())
    assert gets_in(guesser, "colleague")


def test_another_browser_at_the_same_address_is_locked_out_too() -> None:
    staff()
    address = new_address()
    guess(Browser(REMOTE_ADDR=address), 3)
    other = Browser(REMOTE_ADDR=address, HTTP_USER_AGENT="other")
    assert guess(other, 2) == [200, 429]


def test_addresses_of_one_network_count_as_one() -> None:
    staff()
    network = new_address().removesuffix("::1")
    for host in range(LIMIT):
        guess(Browser(REMOTE_ADDR=f"{network}::{host + 1:x}"), 1)
    assert not gets_in(Browser(REMOTE_ADDR=f"{network}:1:2:3:4"))


def test_a_forged_address_helps_no_one(settings: Settings) -> None:
    staff()
    browser = Browser()
    for number in range(LIMIT):
        browser.client.defaults["HTTP_X_FORWARDED_FOR"] = f"192.0.2.{number}"
        guess(browser, 1)
    assert not gets_in(browser)

    settings.TRUSTED_PROXIES = 1
    behind = Browser()
    for number in range(LIMIT):
        behind.client.defaults["HTTP_X_FORWARDED_FOR"] = f"192.0.2.{number}, 198.51.100.7"
        guess(behind, 1)
    assert not gets_in(behind)
    behind.client.defaults["HTTP_X_FORWARDED_FOR"] = "198.51.100.8"
    assert gets_in(behind)


def test_who_is_called_without_an_address_is_locked_out_as_well() -> None:
    staff()
    browser = Browser(REMOTE_ADDR="")
    assert guess(browser)[-1] == 429
    assert not gets_in(browser)


def test_one_address_cannot_try_on_and_on_with_ever_new_names(clock: time_machine.Traveller) -> None:
    staff()
    browser = Browser()
    assert {browser.sign_in(f"name-{number}", "wrong").status_code for number in range(30)} == {200}
    with CaptureQueriesContext(connection) as queries:
        stopped = browser.client.post(
            LOGIN, {"username": "editor", "password": PASSWORD, "csrfmiddlewaretoken": token(browser)}
        )
    assert stopped.status_code == 429
    assert 1 <= int(stopped["Retry-After"]) <= 301
    # Not a password looked at, nor a row written.
    assert not any("auth_user" in query["sql"] for query in queries)
    assert gets_in(Browser())
    clock.shift(6 * MINUTE)
    assert gets_in(browser)


def test_right_passwords_are_no_tries_of_their_address() -> None:
    staff()
    office = new_address()
    seen = {Browser(REMOTE_ADDR=office).sign_in("editor").status_code for _ in range(40)}
    assert seen == {302}


def test_anyone_who_tries_a_locked_name_on_and_on_locks_no_colleague_out() -> None:
    staff()
    staff("colleague")
    office = Browser()
    assert guess(office, 40)[LIMIT - 1 :] == [429] * 36
    assert gets_in(office, "colleague")


def test_a_wrong_present_password_at_the_desk_counts_as_one_at_signing_in() -> None:
    staff()
    browser = Browser()
    browser.sign_in("editor")
    page, new = "/admin/password_change/", "another-battery-staple"
    typed = {"new_password1": new, "new_password2": new}
    guesses = [browser.submit(page, old_password="wrong", **typed).status_code for _ in range(LIMIT)]
    assert guesses == [200, 200, 200, 200, 429]
    assert browser.submit(page, old_password=PASSWORD, **typed).status_code == 429
    assert User.objects.get(username="editor").check_password(PASSWORD)


def token(browser: Browser) -> str:
    """Return the token of a page to sign in with."""
    found = TOKEN.search(browser.page(LOGIN))
    assert found is not None
    return found[1]


def test_nothing_of_it_concerns_the_api(starter_release: Published) -> None:
    staff()
    client = a_client()
    guess(Browser(REMOTE_ADDR=client.defaults["REMOTE_ADDR"]))
    with CaptureQueriesContext(connection) as queries:
        assert post(client, VERIFY, a_request()).status_code == 200
    assert len(queries) == 0


# --- Learning nothing -------------------------------------------------------------------------------------


def test_an_unknown_name_an_inactive_one_and_one_of_no_staff_get_the_same_answers_and_the_same_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    staff("known")
    staff("gone", is_active=False)
    User.objects.create_user("customer", password=PASSWORD)
    a_user("program")
    hashed: list[str] = []
    encode = hashers.MD5PasswordHasher.encode

    def counted(self: hashers.MD5PasswordHasher, password: str, salt: str) -> str:
        hashed.append(salt)
        return encode(self, password, salt)

    monkeypatch.setattr(hashers.MD5PasswordHasher, "encode", counted)

    def course(username: str, password: str) -> list[tuple[int, str, int, int]]:
        browser = Browser()
        seen = []
        for _ in range(LIMIT + 1):
            fields = {
                "username": username,
                "password": password,
                "csrfmiddlewaretoken": token(browser),
            }
            hashed.clear()
            with CaptureQueriesContext(connection) as queries:
                answer = browser.client.post(LOGIN, fields)
            page = plain(answer.content.decode(), username)
            seen.append((answer.status_code, page, len(queries), len(hashed)))
        return seen

    expected = course("known", "wrong")
    assert [step[0] for step in expected] == [200] * (LIMIT - 1) + [429] * 2
    assert [step[3] for step in expected] == [1] * LIMIT + [0]
    for username, password in (
        ("nobody", "wrong"),
        ("gone", PASSWORD),
        ("customer", PASSWORD),
        ("customer", "wrong"),
        ("program", "wrong"),
    ):
        assert course(username, password) == expected, username


def plain(page: str, username: str) -> str:
    """Return a page without what differs by name and visit."""
    return TOKEN.sub("", page).replace(username, "")


# --- Being let in again -----------------------------------------------------------------------------------


def test_a_manager_unlocks_a_name_by_a_button_that_posts() -> None:
    user = staff()
    boss = Visitor("view_user", "change_user")
    path = f"/admin/auth/user/{user.pk}/unlock/"
    assert path not in boss.page(f"/admin/auth/user/{user.pk}/change/")
    assert boss.get(path).status_code == 403
    browser = Browser()
    guess(browser)

    assert path in boss.page(f"/admin/auth/user/{user.pk}/change/")
    boss.page(path)
    assert boss.client.post(path).status_code == 403
    assert not gets_in(browser)
    assert where(boss.submit(path)) == f"/admin/auth/user/{user.pk}/change/"
    assert gets_in(browser)
    assert "Unlocked" in boss.page(f"/admin/auth/user/{user.pk}/history/")


def test_who_may_not_change_users_unlocks_no_one() -> None:
    user = staff()
    guess(Browser())
    path = f"/admin/auth/user/{user.pk}/unlock/"
    looker = Visitor("view_user")
    assert path not in looker.page(f"/admin/auth/user/{user.pk}/change/")
    assert (looker.get(path).status_code, looker.client.post(path).status_code) == (403, 403)


def command(*words: str) -> str:
    """Return what `manage.py staff` prints."""
    out = StringIO()
    call_command("staff", *words, stdout=out)
    return out.getvalue()


def test_the_command_line_lists_unlocks_and_resets(clock: time_machine.Traveller) -> None:
    assert "No one may sign in yet" in command("list")
    user = staff()
    with_app(user)
    staff("colleague")
    browser = Browser()
    guess(browser)

    listed = command("list")
    assert "second factor since 2026-11-20" in listed
    assert "second factor none" in listed
    assert [line.split()[0] for line in listed.splitlines() if line.endswith("locked")] == ["editor"]
    assert command("unlock", "editor") == "Unlocked editor.\n"
    assert gets_in(browser)
    assert "must set up a new" in command("reset-second-factor", "editor")
    assert "second factor since" not in command("list")
    for words, complaint in (
        (("unlock", "editor"), "editor: this name is not locked"),
        (("reset-second-factor", "editor"), "editor: there is no second factor to reset"),
        (("reset-second-factor", "nobody"), "There is no user nobody"),
    ):
        with pytest.raises(CommandError, match=complaint):
            command(*words)


def test_what_is_over_is_no_lock_and_is_swept_away(clock: time_machine.Traveller) -> None:
    staff()
    guess(Browser())
    clock.shift(16 * MINUTE)
    with pytest.raises(WrongState):
        actions.unlock(by=a_user("manager"), username="editor")
    guess(Browser(), 1, "somebody")
    assert AccessAttempt.objects.get().username == "somebody"


def test_neither_names_nor_passwords_reach_the_log(caplog: pytest.LogCaptureFixture) -> None:
    staff()
    browser = Browser()
    browser.sign_in("my-password-in-the-wrong-line", "hunter2-hunter2")
    assert "hunter2" not in caplog.text
    assert "my-password" not in caplog.text
    assert "hunter2" not in str(AccessAttempt.objects.values())
