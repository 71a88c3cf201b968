"""People of partners for tests: invited by mail, with a password and an app, in a browser of their own."""

import re

from django.contrib.auth.models import User
from django.utils import timezone

from compliance.models import Notice, PartnerPerson
from compliance.partners.people.actions import accept, invite
from tests.support.desk.signing_in import PASSWORD, App, Browser, with_app
from tests.support.factories import a_user

LINK = re.compile(r"https?://[^/]+(/partners/invitation/\S+)")
SIGN_IN = "/partners/sign-in"


def link_mailed_to(email: str) -> str:
    """Return the path of the link in the newest mail to an address."""
    mail = Notice.objects.filter(recipient=email, text__contains="/partners/invitation/").latest("made", "pk")
    found = LINK.search(mail.text)
    assert found is not None
    return found[1]


def invited(email: str, partner: str = "acme") -> str:
    """Invite a person, and return the path of their link."""
    invite(by=a_user("manager"), now=timezone.now(), partner=partner, email=email)
    return link_mailed_to(email)


def a_person(email: str = "pia@acme.example", partner: str = "acme") -> PartnerPerson:
    """Return a person of a partner, with a password and no second factor."""
    secret = invited(email, partner).rpartition("/")[2]
    user: User = accept(secret=secret, password=PASSWORD, now=timezone.now())
    return PartnerPerson.objects.get(user=user)


def signed_in(person: PartnerPerson) -> tuple[Browser, App]:
    """Return a browser in which a person has signed in with password and app."""
    app, _ = with_app(person.user)
    browser = Browser()
    browser.submit(SIGN_IN, username=person.user.username, password=PASSWORD)
    browser.submit("/partners/second-factor/code", code=app.code(1))
    assert browser.get("/partners").status_code == 200
    return browser, app
