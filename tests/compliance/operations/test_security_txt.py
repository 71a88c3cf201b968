"""Where somebody tells of a weakness, for people and programs that look for it (RFC 9116)."""

import datetime

import time_machine
from django.test import Client
from pytest_django import Settings

ADDRESS = "/.well-known/security.txt"


def test_it_says_where_and_until_when(settings: Settings) -> None:
    settings.SECURITY_CONTACT, settings.SITE_URL = (
        "mailto:security@batteries.example",
        "https://batteries.example",
    )
    with time_machine.travel(datetime.datetime(2026, 11, 22, 12, tzinfo=datetime.UTC), tick=False):
        answer = Client().get(ADDRESS)
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert dict(line.split(": ", 1) for line in answer.content.decode().splitlines()) == {
        "Contact": "mailto:security@batteries.example",
        # RFC 9116 recommends less than a year.
        "Expires": "2027-02-20T00:00:00Z",
        "Preferred-Languages": "en",
        "Canonical": "https://batteries.example/.well-known/security.txt",
    }
    assert Client().post(ADDRESS).status_code == 405


def test_without_a_contact_there_is_none() -> None:
    assert Client().get(ADDRESS).status_code == 404
