"""How long a session lasts, and what ends it."""

import datetime

import pytest
import time_machine
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from compliance.signin.session_store import SessionStore
from compliance.signin.sessions import sessions_of
from rules.corpus import Published
from tests.support.desk.signing_in import (
    INDEX,
    LOGIN,
    LOGOUT,
    PASSWORD,
    Browser,
    is_staff_to_the_api,
    staff,
    where,
)
from tests.support.desk.visiting import Visitor

MINUTE = datetime.timedelta(minutes=1)

pytestmark = [pytest.mark.usefixtures("fresh_desk", "clock", "quick_passwords"), pytest.mark.django_db]


def inside() -> Browser:
    """Return a browser of somebody who has just signed in."""
    staff()
    browser = Browser()
    browser.sign_in("editor")
    browser.page(INDEX)
    return browser


def test_half_an_hour_without_use_ends_a_session(
    clock: time_machine.Traveller, starter_release: Published
) -> None:
    browser = inside()
    clock.shift(29 * MINUTE)
    browser.page(INDEX)
    clock.shift(29 * MINUTE)
    browser.page(INDEX)
    assert is_staff_to_the_api(browser)
    clock.shift(30 * MINUTE)
    assert not is_staff_to_the_api(browser)
    assert where(browser.get(INDEX)) == LOGIN


def test_twelve_hours_end_a_session_however_much_it_is_used(
    clock: time_machine.Traveller, starter_release: Published
) -> None:
    browser = inside()
    for _ in range(12 * 3 - 1):
        clock.shift(20 * MINUTE)
        browser.page(INDEX)
    assert browser.client.cookies["sessionid"]["max-age"] == 20 * 60
    clock.shift(19 * MINUTE)
    browser.page(INDEX)
    assert is_staff_to_the_api(browser)
    clock.shift(MINUTE)
    assert not is_staff_to_the_api(browser)
    assert where(browser.get(INDEX)) == LOGIN


def test_both_times_are_settings(clock: time_machine.Traveller, settings: Settings) -> None:
    settings.SESSION_COOKIE_AGE = 10 * 60
    settings.DESK_SESSION_HOURS = 1
    browser = inside()
    clock.shift(10 * MINUTE)
    assert where(browser.get(INDEX)) == LOGIN
    browser.sign_in("editor")
    for _ in range(6):
        browser.page(INDEX)
        clock.shift(9.9 * MINUTE)
    browser.page(INDEX)
    clock.shift(MINUTE)
    assert where(browser.get(INDEX)) == LOGIN


def test_use_is_written_down_once_a_minute(clock: time_machine.Traveller) -> None:
    browser = inside()

    def writes() -> int:
        with CaptureQueriesContext(connection) as queries:
            browser.page(INDEX)
        return sum(query["sql"].startswith(("UPDATE", "INSERT", "DELETE")) for query in queries)

    assert writes() == 0
    clock.shift(61)
    assert (writes(), writes()) == (1, 0)


def test_a_session_gets_a_new_key_at_sign_in() -> None:
    staff()
    browser = Browser()
    session = SessionStore()
    session["planted"] = True
    session.create()
    planted = session.session_key
    assert planted is not None
    browser.client.cookies["sessionid"] = planted

    browser.sign_in("editor")
    assert browser.session_key != planted
    browser.page(INDEX)
    assert Session.objects.filter(pk=planted).count() == 0


def test_the_cookie_stays_away_from_scripts_and_from_other_sites() -> None:
    cookie = inside().client.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 30 * 60)


def test_signing_out_is_a_post_and_ends_the_session() -> None:
    browser = inside()
    key = browser.session_key
    assert browser.get(LOGOUT).status_code == 405
    assert browser.client.post(LOGOUT).status_code == 403
    browser.page(INDEX)

    out = browser.submit(INDEX, LOGOUT)
    assert out.status_code == 200
    assert not Session.objects.filter(pk=key).exists()
    assert where(browser.get(INDEX)) == LOGIN


@pytest.mark.parametrize("how", ["by oneself", "by a manager", "by a command"])
def test_a_new_password_ends_all_other_sessions(how: str, starter_release: Published) -> None:
    other = inside()
    user = User.objects.get(username="editor")
    here = Browser()
    here.sign_in("editor")
    new = "another-battery-staple"
    if how == "by oneself":
        changed = here.submit(
            "/admin/password_change/", old_password=PASSWORD, new_password1=new, new_password2=new
        )
        assert changed.status_code == 302
        here.page(INDEX)
    elif how == "by a manager":
        boss = Visitor("view_user", "change_user", superuser=True)
        path = f"/admin/auth/user/{user.pk}/password/"
        assert boss.submit(path, usable_password="true", password1=new, password2=new).status_code == 302
        assert where(here.get(INDEX)) == LOGIN
    else:
        user.set_password(new)
        user.save()
        assert where(here.get(INDEX)) == LOGIN

    assert not is_staff_to_the_api(other)
    assert where(other.get(INDEX)) == LOGIN
    user.refresh_from_db()
    still_open = [session.key for session in sessions_of(user)]
    assert still_open == ([here.session_key] if how == "by oneself" else [])


def test_who_is_no_longer_active_is_out_at_once() -> None:
    browser = inside()
    User.objects.update(is_active=False)
    assert where(browser.get(INDEX)) == LOGIN


def test_sessions_that_are_over_are_swept_away_when_a_person_signs_in(clock: time_machine.Traveller) -> None:
    inside()
    clock.shift(31 * MINUTE)
    Browser().sign_in("editor")
    assert Session.objects.count() == 1


# --- One's own sessions -----------------------------------------------------------------------------------

SESSIONS = "/admin/sessions/"


def test_people_see_where_they_are_signed_in_and_nobody_elses_sessions(clock: time_machine.Traveller) -> None:
    staff("colleague")
    Browser(HTTP_USER_AGENT="Foreign/1").sign_in("colleague")
    staff()
    old = Browser(HTTP_USER_AGENT="Old <b>phone</b>/2\x07", REMOTE_ADDR="203.0.113.7")
    old.sign_in("editor")
    clock.shift(10 * MINUTE)
    browser = Browser(HTTP_USER_AGENT="Firefox/140", REMOTE_ADDR="198.51.100.8")
    browser.sign_in("editor")

    page = " ".join(browser.page(SESSIONS).split())
    assert page.index("This browser") < page.index("Another browser")
    for shown in (
        "198.51.100.8",
        "Firefox/140",
        "203.0.113.7",
        "Old &lt;b&gt;phone&lt;/b&gt;/2",
        "20 November 2026, 12:00 UTC",
    ):
        assert shown in page
    assert "Foreign/1" not in page
    assert old.session_key not in page
    assert browser.session_key not in page


def test_signing_out_everywhere_ends_all_sessions_of_the_person_and_none_of_others(
    starter_release: Published,
) -> None:
    staff("colleague")
    colleague = Browser()
    colleague.sign_in("colleague")
    staff()
    browsers = [Browser() for _ in range(3)]
    for browser in browsers:
        browser.sign_in("editor")
    first = browsers[0]
    assert first.get(f"{SESSIONS}end/").status_code == 405
    assert first.client.post(f"{SESSIONS}end/").status_code == 403
    assert is_staff_to_the_api(first)

    assert where(first.submit(SESSIONS, to=f"{SESSIONS}end/")) == INDEX
    for browser in browsers:
        assert where(browser.get(INDEX)) == LOGIN
        assert not is_staff_to_the_api(browser)
    assert colleague.page(INDEX)
    assert is_staff_to_the_api(colleague)
