"""Mails wait in the database until they are sent, and one that cannot be sent keeps no other back."""

import datetime
from collections.abc import Sequence

import pytest
import time_machine
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.utils import timezone
from pytest_django import Settings

from compliance.notices import actions
from compliance.notices.models import Notice

pytestmark = [pytest.mark.usefixtures("clock"), pytest.mark.django_db]


def record(recipient: str = "a@desk.example", subject: str = "Changed") -> None:
    actions.notify(recipient=recipient, subject=subject, text="It was changed.", now=timezone.now())


class Refuses(EmailBackend):
    """A mail server that refuses one mailbox."""

    def send_messages(self, messages: Sequence[mail.EmailMessage]) -> int:
        if messages[0].to == ["full@desk.example"]:
            raise ConnectionRefusedError("secret details")
        return super().send_messages(messages)


def test_a_mail_is_sent_once_and_then_forgotten(settings: Settings) -> None:
    settings.DEFAULT_FROM_EMAIL = "desk@battery.example"
    settings.SITE_URL = "https://battery.example"
    record()
    assert (actions.send_due(now=timezone.now()), actions.send_due(now=timezone.now())) == (1, 0)
    (message,) = mail.outbox
    assert (message.to, message.from_email) == (["a@desk.example"], "desk@battery.example")
    assert "Sent by https://battery.example" in message.body
    assert not Notice.objects.exists()


def test_without_an_address_nothing_is_recorded() -> None:
    record("")
    assert not Notice.objects.exists()


def test_a_name_with_a_line_break_adds_no_header() -> None:
    record(subject="Your account\nBcc: all@desk.example")
    actions.send_due(now=timezone.now())
    assert mail.outbox[0].subject == "Your account Bcc: all@desk.example"


def test_a_mail_that_is_refused_is_tried_again_and_given_up_and_others_are_sent(
    settings: Settings, clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.Refuses"
    record("full@desk.example")
    record()
    assert actions.send_due(now=timezone.now()) == 1
    assert actions.send_due(now=timezone.now()) == 0
    for pause in actions.PAUSES:
        assert Notice.objects.count() == 1
        clock.shift(pause - datetime.timedelta(seconds=1))
        tries = Notice.objects.get().tries
        actions.send_due(now=timezone.now())
        assert Notice.objects.get().tries == tries
        clock.shift(datetime.timedelta(seconds=1))
        actions.send_due(now=timezone.now())
    assert not Notice.objects.exists()
    assert "was given up after 6 tries: ConnectionRefusedError" in caplog.text
    assert "full@desk.example" not in caplog.text
    assert "secret details" not in caplog.text
