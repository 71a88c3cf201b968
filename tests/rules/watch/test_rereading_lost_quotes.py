"""A page that lost a quote is read again by two people, whatever the way: button, form, list, import."""

import datetime
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from msgspec.structs import replace

from catalog.models import Source
from catalog.sources.actions import reread_source
from rules.editing.actions import approve_rules, change_rule, revise_rules, submit_rules
from rules.engine.facts import Quote
from rules.models import Rule, WatchedPage, WatchSignal
from rules.watch.page_list import quotes_by_page
from tests.rules.watch.days import TEXT, URL, WORDS, Days
from tests.rules.watch.test_lost_quotes import NEW
from tests.support.desk.filling_in import save
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import a_user
from tests.support.world import APPROVER, build_world

pytestmark = pytest.mark.usefixtures("fresh_desk")

SOURCE = "northwing-page"
PAGE = f"/admin/catalog/source/{SOURCE}/"
TODAY = datetime.date(2026, 11, 30)
REFUSED = "its page lost words that rules quote (n1.two-units)"


def quote(words: str) -> None:
    """Let the approved rule quote some words of the page."""
    revise_rules(by=a_user(), rule_ids=["n1.two-units"], reason="The words.")
    record = Rule.objects.get(rule_id="n1.two-units", state="draft").to_record()
    change_rule(by=a_user(), rule=replace(record, quotes=(Quote(source=SOURCE, words=words),)))
    submit_rules(by=a_user(), rule_ids=["n1.two-units"])
    approve_rules(by=a_user(APPROVER), rule_ids=["n1.two-units"])


@pytest.fixture
def days(db: None) -> Iterator[Days]:
    """A page that lost the words that a rule quotes, and whose signal one person dismissed."""
    with time_machine.travel("2026-11-30T09:00:00Z", tick=False) as clock:
        build_world(by=a_user())
        Source.objects.filter(pk=SOURCE).update(url=URL)
        quote(WORDS)
        days = Days(quotes=quotes_by_page())
        days.says(TEXT)
        days.says(NEW)
        clock.shift(60)
        yield days


def dismiss(person: Visitor) -> None:
    signal = WatchSignal.objects.get(outcome="")
    assert signal.kind == "quote_gone"
    assert signal.after is not None
    address = f"/admin/rules/watchsignal/{signal.pk}/dismiss/"
    assert person.post(address, seen=signal.after.fingerprint, reason="Layout.").status_code == 302


def still_true(person: Visitor, **fields: str) -> None:
    signal = WatchSignal.objects.get(outcome="")
    assert signal.after is not None
    address = f"/admin/rules/watchsignal/{signal.pk}/still-true/"
    assert person.post(address, seen=signal.after.fingerprint, **fields).status_code == 302


def shown(answer: HttpResponse) -> str:
    return answer.content.decode()


def press_the_button(person: Visitor) -> str:
    return shown(person.post(f"{PAGE}read-again/"))


def save_the_form(person: Visitor) -> str:
    return shown(save(person, f"{PAGE}change/", read_on=str(TODAY)))


def give_another_address(person: Visitor) -> str:
    return shown(save(person, f"{PAGE}change/", url="https://northwing.example/other", read_on=str(TODAY)))


def call_it_never_read(person: Visitor) -> str:
    return shown(save(person, f"{PAGE}change/", basis="general_knowledge"))


def read_a_copy(person: Visitor) -> str:
    return shown(save(person, f"{PAGE}change/", read_url="https://archive.example/northwing"))


def import_a_file(person: Visitor) -> str:
    sources = "/admin/catalog/source/"
    rows = json.loads(person.get(f"{sources}export/json/").content)
    changed = [row | {"read_on": str(TODAY)} for row in rows if row["id"] == SOURCE]
    sent: Any = SimpleUploadedFile("sources.json", json.dumps(changed).encode())
    return shown(person.post(f"{sources}import/", file=sent))


def compared() -> str:
    """Let the last reading be of the text that the watch knows. Return the key of the page."""
    Source.objects.filter(pk=SOURCE).update(read_on=datetime.date(2026, 11, 25))
    page = WatchedPage.objects.get(url=URL)
    WatchedPage.objects.filter(pk=page.pk).update(answered="2026-11-29T09:00:00Z")
    return str(page.pk)


def confirm_pages(person: Visitor) -> str:
    return shown(person.post("/admin/rules/watchedpage/confirm/", page=compared()))


def confirm_all_pages(person: Visitor) -> str:
    path = "/admin/rules/watchedpage/unchanged/"
    assert person.post(path, shown=compared()).status_code == 302
    return person.page(path)


WAYS: list[Callable[[Visitor], str]] = [
    press_the_button,
    save_the_form,
    give_another_address,
    call_it_never_read,
    read_a_copy,
    import_a_file,
]
OF_PAGES = [confirm_pages, confirm_all_pages]
"""They leave out pages with an open signal."""


@pytest.mark.parametrize(
    ("way", "dismissed"), [*((way, False) for way in WAYS), *((way, True) for way in [*WAYS, *OF_PAGES])]
)
def test_one_person_alone_does_not_read_it_again(
    days: Days, way: Callable[[Visitor], str], dismissed: bool
) -> None:
    person = member("Editor", "Reviewer", "Publisher")
    before = Source.objects.get(pk=SOURCE).recorded_at
    if dismissed:
        dismiss(person)
    assert REFUSED in way(person)
    assert Source.objects.get(pk=SOURCE).recorded_at == before


def test_a_draft_with_the_new_words_of_one_person_changes_nothing(days: Days) -> None:
    person = member("Editor")
    dismiss(person)
    revise_rules(by=person.user, rule_ids=["n1.two-units"], reason="Reworded.")
    record = Rule.objects.get(rule_id="n1.two-units", state="draft").to_record()
    new = (Quote(source=SOURCE, words="one per passenger"),)
    change_rule(by=person.user, rule=replace(record, quotes=new))
    assert REFUSED in press_the_button(person)
    submit_rules(by=person.user, rule_ids=["n1.two-units"])
    approve_rules(by=a_user(APPROVER), rule_ids=["n1.two-units"])
    assert press_the_button(person) == ""


def test_visit_soon_opens_the_signal_again_and_two_people_read_the_page(days: Days) -> None:
    one, other = member("Editor"), member("Editor")
    dismiss(one)
    page = WatchedPage.objects.get(url=URL)
    one.post("/admin/rules/watchedpage/", action="visit_many", _selected_action=str(page.pk))
    days.is_not_modified()
    words = next(line for line in NEW.splitlines() if "one per" in line)
    still_true(one, reason="Reworded.", quote=words)
    still_true(other)
    assert Source.objects.get(pk=SOURCE).recorded_by == other.user
    # The same text needs no third person; another one does.
    reread_source(by=one.user, source_id=SOURCE, read_on=TODAY)
    days.says(NEW.replace("one per passenger", "none"))
    assert REFUSED in press_the_button(one)


def test_a_page_with_its_quotes_is_read_again_by_one_person(days: Days) -> None:
    days.says(TEXT)
    assert press_the_button(member("Editor")) == ""
    assert Source.objects.get(pk=SOURCE).read_on == TODAY
