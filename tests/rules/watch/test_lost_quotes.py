"""A page that lost a quote: still true only with the new words, a reason, and two people."""

from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Group, User
from django.test import Client

from catalog.models import Source
from rules.models import WatchSignal
from tests.rules.watch.days import TEXT, URL, Days, quoted
from tests.support.factories import a_user
from tests.support.world import build_world

pytestmark = pytest.mark.django_db

NEW = TEXT.replace("two per", "one per")


def person(name: str) -> Client:
    user = a_user(name)
    User.objects.filter(pk=user.pk).update(is_staff=True)
    user.refresh_from_db()
    user.groups.set(Group.objects.filter(name__in=["Editor", "Reviewer", "Publisher"]))
    client = Client(headers={"accept": "text/html"})
    client.force_login(user)
    return client


def still_true(by: Client, **fields: Any) -> str:
    signal = WatchSignal.objects.get()
    seen = signal.after.fingerprint if signal.after else ""
    answer = by.post(f"/admin/rules/watchsignal/{signal.pk}/still-true/", {"seen": seen, **fields})
    return "" if answer.status_code == 302 else answer.content.decode()


def test_still_true_of_a_lost_quote_takes_new_words_a_reason_and_two_people() -> None:
    with time_machine.travel("2026-11-30T09:00:00Z", tick=False) as clock:
        _lost_quote(clock)


def _lost_quote(clock: time_machine.Traveller) -> None:
    build_world(by=a_user())
    Source.objects.filter(pk="northwing-page").update(url=URL)
    days = Days(quotes=quoted())
    days.says(TEXT)
    days.says(NEW)
    signal = WatchSignal.objects.get()
    assert signal.kind == "quote_gone"
    before = set(Source.objects.values_list("pk", "recorded_at"))
    one, other = person("one"), person("other")
    words = next(line for line in NEW.splitlines() if "one per" in line)

    assert "a reason is required" in still_true(one)
    assert "give the new words of the page" in still_true(one, reason="Reworded.")
    refused = still_true(one, reason="Reworded.", quote="Three per person.")
    assert "not on the page as it was read" in refused
    # What was typed is still in the form.
    assert ">Three per person.</textarea>" in refused
    assert ">Reworded.</textarea>" in refused
    clock.shift(60)
    assert still_true(one, reason="Reworded.", quote=words) == ""
    assert "you proposed this" in still_true(one, reason="Reworded.", quote=words)
    assert set(Source.objects.values_list("pk", "recorded_at")) == before
    assert (
        "Propose: still true"
        not in other.get(f"/admin/rules/watchsignal/{signal.pk}/change/").content.decode()
    )
    assert still_true(other) == ""
    signal.refresh_from_db()
    assert (signal.outcome, str(signal.closed_by), str(signal.proposed_by)) == ("still_true", "other", "one")
    assert set(Source.objects.values_list("pk", "recorded_at")) != before
