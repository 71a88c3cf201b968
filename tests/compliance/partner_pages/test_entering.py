"""Invitations and signing in at /partners: who gets in, and who does not."""

import base64
import datetime
import re

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import Settings

from catalog.errors import NotRecorded, Unfit, WrongState
from compliance.models import Invitation, Notice, Partner, PartnerPerson
from compliance.partners.actions.partners import close_partner
from compliance.partners.people import actions
from compliance.signin.actions import mail_the_locked
from compliance.signin.models import SecondFactor
from tests.support.desk.signing_in import PASSWORD, SECRET, SHOWN_CODE, App, Browser, staff, where, with_app
from tests.support.factories import a_user
from tests.support.partner_people import SIGN_IN, a_person, invited, signed_in

PIA = "pia@acme.example"
NEW = {"new_password1": PASSWORD, "new_password2": PASSWORD}


def test_an_invited_person_sets_a_password_and_a_second_factor_and_is_in(acme: Partner) -> None:
    link = invited(PIA)
    browser = Browser()
    assert PIA in browser.page(link)
    before = browser.client.cookies.get("sessionid")
    answer = browser.submit(link, **NEW)
    assert (answer.status_code, answer["Location"]) == (303, "/partners")
    assert before is None
    assert where(browser.get("/partners")) == "/partners/second-factor/set-up"
    page = browser.page("/partners/second-factor/set-up")
    secret = SECRET.search(page.replace(' class="secret"', ""))
    assert secret is not None
    app = App(base64.b32decode(secret[1].replace("-", "")).hex())
    shown = browser.submit("/partners/second-factor/set-up", code=app.code()).content.decode()
    assert len(SHOWN_CODE.findall(shown)) == 10
    assert 'href="/partners"' in shown
    assert "Acme Travel" in browser.page("/partners")
    user = User.objects.get(username=PIA)
    assert (user.is_staff, user.is_superuser, user.groups.count()) == (False, False, 0)
    assert not Invitation.objects.exists()


def test_a_link_works_once(acme: Partner) -> None:
    link = invited(PIA)
    Browser().submit(link, **NEW)
    assert Browser().get(link).status_code == 404
    # Also for a page that was opened before.
    second = Browser()
    other_link = invited("nia@acme.example")
    assert second.submit(other_link, to=link, **NEW).status_code == 404
    assert User.objects.get(username=PIA).check_password(PASSWORD)


def test_no_log_has_the_secret_of_a_link(acme: Partner, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    link = invited(PIA)
    Browser().get(link)
    Browser().submit(link, new_password1="short", new_password2="short")
    Browser().submit(link, **NEW)
    # What Django says of a refusal is left out of the log (`compliance.operations.logs`).
    said = [line.getMessage() for line in caplog.records if line.name != "django.request"]
    assert "AXES: Successful login by a client." in said
    assert link.rpartition("/")[2] not in " ".join(said)


def test_a_link_ends_after_three_days_or_when_it_is_taken_back_or_sent_again(acme: Partner) -> None:
    manager, now = a_user("manager"), timezone.now()
    link = invited(PIA)
    Invitation.objects.update(ends=now - datetime.timedelta(seconds=1), created_at=now - actions.LINK_VALID)
    assert Browser().get(link).status_code == 404
    second = invited(PIA)
    third = invited(PIA)
    assert [Browser().get(one).status_code for one in (second, third)] == [404, 200]
    actions.take_back(partner="acme", email=PIA)
    assert Browser().get(third).status_code == 404
    with pytest.raises(NotRecorded):
        actions.take_back(partner="acme", email=PIA)
    assert manager.username


def test_opening_a_link_changes_nothing(acme: Partner) -> None:
    link = invited(PIA)
    for _ in range(3):
        assert Browser().get(link).status_code == 200
    assert not User.objects.filter(username=PIA).exists()


def test_the_secret_of_a_link_is_in_no_table_but_that_of_the_mail(acme: Partner) -> None:
    secret = invited(PIA).rpartition("/")[2]
    row = Invitation.objects.get()
    assert secret not in str(Invitation.objects.values().get())
    assert len(row.digest) == 64
    assert secret in Notice.objects.latest("pk").text


@pytest.mark.parametrize(
    "typed",
    [
        {"new_password1": "short", "new_password2": "short"},
        {"new_password1": PASSWORD, "new_password2": f"{PASSWORD}x"},
        {"new_password1": PIA, "new_password2": PIA},
        {"new_password1": "password1234", "new_password2": "password1234"},
    ],
)
def test_a_weak_password_is_refused_as_at_the_desk(acme: Partner, typed: dict[str, str]) -> None:
    link = invited(PIA)
    assert Browser().submit(link, **typed).status_code == 400
    assert not User.objects.filter(username=PIA).exists()
    assert Browser().get(link).status_code == 200


def test_an_account_of_the_desk_is_never_made_a_partners(acme: Partner) -> None:
    staff("rosa", email="Rosa@desk.example")
    staff("eli@desk.example")
    for address in ("rosa@desk.example", "ROSA@DESK.EXAMPLE", "eli@desk.example"):
        with pytest.raises(Unfit, match="belongs to an account"):
            invited(address)
    # Also one that is made between the mail and its link.
    link = invited("late@desk.example")
    staff("late", email="late@desk.example")
    assert Browser().submit(link, **NEW).status_code == 400
    assert not PartnerPerson.objects.exists()


def test_one_person_belongs_to_one_partner(acme: Partner, other: Partner) -> None:
    a_person(PIA)
    for partner in ("acme", "other"):
        with pytest.raises(Unfit):
            invited(PIA, partner)
    invited("nia@acme.example", "acme")
    with pytest.raises(WrongState, match="another partner"):
        invited("nia@acme.example", "other")


def test_a_partner_has_a_limited_number_of_people(acme: Partner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MOST_PEOPLE", 2)
    a_person(PIA)
    invited("nia@acme.example")
    with pytest.raises(actions.TooManyPeople):
        invited("tia@acme.example")


def test_a_removed_person_is_out_at_once_and_begins_again_when_invited(acme: Partner, other: Partner) -> None:
    person = a_person(PIA)
    browser, _ = signed_in(person)
    actions.remove_person(by=a_user("manager"), now=timezone.now(), partner="acme", username=PIA)
    assert where(browser.get("/partners/keys")) == SIGN_IN
    assert Browser().submit(SIGN_IN, username=PIA, password=PASSWORD).status_code == 200
    # Another partner may invite them. Neither the old password nor the old app is worth anything.
    again = Browser()
    again.submit(
        invited(PIA, "other"), new_password1="another-horse-battery", new_password2="another-horse-battery"
    )
    assert where(again.get("/partners")) == "/partners/second-factor/set-up"
    assert not SecondFactor.objects.filter(user=person.user).exists()
    person.refresh_from_db()
    assert (person.partner_id, person.removed_at) == ("other", None)
    assert where(browser.get("/partners/keys")) == SIGN_IN


def test_people_of_a_closed_partner_are_out(acme: Partner) -> None:
    person = a_person(PIA)
    browser, _ = signed_in(person)
    link = invited("nia@acme.example")
    close_partner(by=a_user("manager"), now=timezone.now(), slug="acme")
    assert where(browser.get("/partners")) == SIGN_IN
    assert Browser().get(link).status_code == 404
    refused = Browser().submit(SIGN_IN, username=PIA, password=PASSWORD)
    assert (refused.status_code, "sessionid" in refused.cookies) == (200, False)


def test_signing_in_gives_a_new_session_and_signing_out_ends_it(acme: Partner) -> None:
    person = a_person(PIA)
    app, _ = with_app(person.user)
    browser = Browser()
    browser.client.cookies["sessionid"] = "f" * 32
    browser.submit(SIGN_IN, username=f"  {PIA.upper()} ", password=PASSWORD)
    after_password = browser.session_key
    assert after_password != "f" * 32
    assert where(browser.get("/partners/keys")) == "/partners/second-factor/code"
    browser.submit("/partners/second-factor/code?next=/partners/keys", code=app.code(1))
    after_code = browser.session_key
    assert after_code not in {after_password, "f" * 32}
    browser.submit("/partners", to="/partners/sign-out")
    browser.client.cookies["sessionid"] = after_code
    assert where(browser.get("/partners")) == SIGN_IN


def test_nothing_opens_before_the_second_factor(acme: Partner) -> None:
    person = a_person(PIA)
    with_app(person.user)
    browser = Browser()
    browser.submit(SIGN_IN, username=PIA, password=PASSWORD)
    for path in ("", "/keys", "/keys/new", "/usage", "/account", "/second-factor/set-up", "/sessions"):
        assert where(browser.get(f"/partners{path}")) == "/partners/second-factor/code", path


def test_a_recovery_code_stands_in_for_the_app_once(acme: Partner) -> None:
    person = a_person(PIA)
    _, codes = with_app(person.user)
    for expected in (302, 400):
        browser = Browser()
        browser.submit(SIGN_IN, username=PIA, password=PASSWORD)
        assert browser.submit("/partners/second-factor/recovery", code=codes[0]).status_code == expected


def test_after_signing_in_no_one_is_sent_away_from_the_pages_of_partners(acme: Partner) -> None:
    person = a_person(PIA)
    for wanted in ("https://evil.example/partners", "//evil.example", "/admin/", "/check", "/partnersx"):
        answer = Browser().submit(
            f"{SIGN_IN}?next={wanted}", username=person.user.username, password=PASSWORD
        )
        assert (answer.status_code, answer["Location"]) == (302, "/partners"), wanted


def test_sign_in_says_the_same_to_everyone_who_does_not_get_in(acme: Partner) -> None:
    a_person(PIA)
    staff("editor")
    invited("nia@acme.example")
    a_person("out@acme.example")
    actions.remove_person(
        by=a_user("manager"), now=timezone.now(), partner="acme", username="out@acme.example"
    )
    pages = []
    tries = [(PIA, "wrong"), ("nobody@acme.example", "wrong"), ("editor", PASSWORD)]
    tries += [("nia@acme.example", "wrong"), ("out@acme.example", PASSWORD)]
    for name, password in tries:
        answer = Browser().submit(SIGN_IN, username=name, password=password)
        assert answer.status_code == 200
        page = re.sub(r'value="\w{64}"', "", answer.content.decode()).replace(name, "NAME")
        pages.append(page)
    assert len(set(pages)) == 1
    assert "do not fit together" in pages[0]


def test_a_name_is_locked_after_wrong_passwords_as_at_the_desk(acme: Partner) -> None:
    a_person(PIA)
    browser = Browser()
    for _ in range(4):
        assert browser.submit(SIGN_IN, username=PIA, password="wrong").status_code == 200
    for password in ("wrong", PASSWORD):
        locked = browser.submit(SIGN_IN, username=PIA, password=password)
        assert locked.status_code == 429
        assert "Too many failed attempts" in locked.content.decode()
    # Not from elsewhere, and the owner gets a link to the pages of partners.
    assert Browser().submit(SIGN_IN, username=PIA, password=PASSWORD).status_code == 302
    assert mail_the_locked(now=timezone.now()) == 1
    mail = Notice.objects.filter(recipient=PIA).latest("pk").text
    found = re.search(r"https?://[^/]+(/partners/unlock\?link=\S+)", mail)
    assert found is not None
    browser.submit(found[1])
    assert browser.submit(SIGN_IN, username=PIA, password=PASSWORD).status_code == 302


def test_a_person_of_a_partner_never_reaches_the_desk(acme: Partner) -> None:
    browser, _ = signed_in(a_person(PIA))
    for path in (
        "",
        "compliance/partner/",
        "second-factor/",
        "second-factor/set-up/",
        "sessions/",
        "password_change/",
    ):
        assert where(browser.get(f"/admin/{path}")) == "/admin/login/", path
    assert Browser().sign_in(PIA).status_code == 200
    answer = browser.client.get("/api/devices", headers={"accept": "application/json"})
    assert not answer["Cache-Control"].startswith("private")


def test_the_desk_never_reaches_the_pages_of_partners(acme: Partner, settings: Settings) -> None:
    app, _ = with_app(staff("editor"))
    browser = Browser()
    browser.sign_in("editor")
    browser.submit("/admin/second-factor/code/", code=app.code(1))
    assert browser.get("/admin/").status_code == 200
    for path in ("", "/keys", "/account", "/second-factor", "/sessions"):
        assert where(browser.get(f"/partners{path}")) == SIGN_IN
    assert browser.get("/admin/").status_code == 200


def test_an_account_made_staff_by_other_means_loses_the_pages_of_partners(acme: Partner) -> None:
    browser, _ = signed_in(a_person(PIA))
    User.objects.filter(username=PIA).update(is_staff=True)
    assert where(browser.get("/partners")) == SIGN_IN


def test_another_password_ends_the_other_sessions(acme: Partner) -> None:
    person = a_person(PIA)
    first, _ = signed_in(person)
    second = Browser()
    second.client.cookies["sessionid"] = first.session_key
    new = "another-horse-battery"
    answer = first.submit(
        "/partners/account/password", old_password=PASSWORD, new_password1=new, new_password2=new
    )
    assert answer.status_code == 303
    assert first.get("/partners").status_code == 200
    assert where(second.get("/partners")) == SIGN_IN
    mails = Notice.objects.filter(recipient=PIA).values_list("text", flat=True)
    assert any("The password was changed." in text and "/partners/sessions" in text for text in mails)


def test_a_wrong_present_password_counts_as_one_at_signing_in(acme: Partner) -> None:
    browser, _ = signed_in(a_person(PIA))
    page, new = "/partners/account/password", "another-horse-battery"
    typed = {"new_password1": new, "new_password2": new}
    guesses = [browser.submit(page, old_password=f"wrong {at}", **typed).status_code for at in range(5)]
    assert guesses == [400, 400, 400, 400, 429]
    locked = browser.submit(page, old_password=PASSWORD, **typed)
    assert (locked.status_code, locked["Retry-After"]) == (429, "900")
    assert "Too many failed attempts" in locked.content.decode()
    assert User.objects.get(username=PIA).check_password(PASSWORD)
    # It is the lock of signing in.
    here = Browser(REMOTE_ADDR=browser.client.defaults["REMOTE_ADDR"])
    assert here.submit(SIGN_IN, username=PIA, password=PASSWORD).status_code == 429


def test_a_right_present_password_begins_the_count_again(acme: Partner) -> None:
    browser, _ = signed_in(a_person(PIA))
    page, old = "/partners/account/password", PASSWORD
    for turn in range(3):
        typed = {"new_password1": f"another-horse-{turn}", "new_password2": f"another-horse-{turn}"}
        for _ in range(4):
            assert browser.submit(page, old_password="wrong", **typed).status_code == 400
        assert browser.submit(page, old_password=old, **typed).status_code == 303
        old = f"another-horse-{turn}"
