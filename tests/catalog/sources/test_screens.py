"""The screens of evidence: what was read, when, and what rests on it."""

import datetime
import re

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from msgspec.structs import replace

from catalog.models import Source
from catalog.records import Source as SourceRecord
from catalog.sources import actions
from tests.support.desk.filling_in import save
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import READ_ON, a_source

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")


SOURCES = "/admin/catalog/source/"
NORTHWING = f"{SOURCES}northwing-page/"
NOW = datetime.datetime(2026, 12, 30, 12, 0, tzinfo=datetime.UTC)


@pytest.fixture
def editor(db: None) -> Visitor:
    return Visitor("add_source", "change_source", "view_source", "delete_source")


@pytest.fixture(autouse=True)
def _forty_days_later(editor: Visitor) -> object:
    with time_machine.travel(NOW, tick=False) as traveller:
        # Signed in again, by the clock of the test.
        editor.client.force_login(editor.user)
        yield traveller


def record(source_id: str = "northwing-page") -> SourceRecord:
    (found,) = Source.objects.filter(pk=source_id).records()
    return found


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def found_on(page: str) -> set[str]:
    return set(re.findall(rf"{SOURCES}([a-z0-9-]+)/change/", page))


def test_the_list_answers_what_an_editor_asks(editor: Visitor) -> None:
    page = text_of(editor.page(SOURCES))

    assert "xr-page regulator official page 20 November 2026, 40 days ago 18 February 2027, weekly 1" in page
    assert "untold-pointer airline not read never - 2" in page


def test_sources_are_found_by_what_is_known_of_them(editor: Visitor) -> None:
    actions.record_source(by=editor.user, source=a_source(id="old-page", read_on=datetime.date(2026, 1, 1)))

    assert found_on(editor.page(f"{SOURCES}?used=no")) == {"old-page"}
    assert found_on(editor.page(f"{SOURCES}?age=90")) == {"old-page"}
    assert found_on(editor.page(f"{SOURCES}?freshness=due")) == {"old-page"}
    assert found_on(editor.page(f"{SOURCES}?freshness=overdue")) == {"old-page"}
    actions.record_source(by=editor.user, source=a_source(id="daily", cadence="daily"))
    assert found_on(editor.page(f"{SOURCES}?cadence=daily")) == {"daily"}
    assert found_on(editor.page(f"{SOURCES}?freshness=due")) == {"daily", "old-page"}
    actions.delete_source(by=editor.user, source_id="daily")
    assert len(found_on(editor.page(f"{SOURCES}?used=yes"))) == Source.objects.count() - 1
    assert found_on(editor.page(f"{SOURCES}?basis__exact=secondary_read")) == {"southern-star-report"}
    assert found_on(editor.page(f"{SOURCES}?q=puma.example")) == {"puma-page"}


def test_a_new_source_that_lacks_fields_is_shown_again_with_what_was_typed(editor: Visitor) -> None:
    answer = editor.post(f"{SOURCES}add/", id="\ufffd%", title="Batteries")
    assert answer.status_code == 200
    assert 'value="Batteries"' in answer.content.decode()


def test_saving_what_the_form_shows_changes_nothing(editor: Visitor) -> None:
    for source in Source.objects.all():
        before = record(source.pk)
        assert save(editor, f"{SOURCES}{source.pk}/change/").status_code == 302
        assert record(source.pk) == before
    assert not Source.objects.exclude(changed_at=None).exists()


def test_a_source_is_recorded_and_changed(editor: Visitor) -> None:
    fields = {
        "kind": "news",
        "authority": "Daily",
        "jurisdiction": "XB",
        "title": "Power banks",
        "url": "https://daily.example/1",
        "basis": "secondary_read",
        "read_on": "2026-12-01",
    }
    assert save(editor, f"{SOURCES}add/", id="daily-1", **fields).status_code == 302
    recorded = a_source(id="daily-1", **{**fields, "read_on": datetime.date(2026, 12, 1)})
    assert record("daily-1") == recorded

    save(
        editor,
        f"{SOURCES}daily-1/change/",
        page_date="2026-11-30",
        read_url="urn:copy:1",
        cadence="quarterly",
    )
    assert record("daily-1") == replace(
        recorded, page_date=datetime.date(2026, 11, 30), read_url="urn:copy:1", cadence="quarterly"
    )


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"jurisdiction": "xa"}, "jurisdiction"),
        ({"url": "drawer"}, "url"),
        ({"read_url": "a drawer"}, "read_url"),
        ({"page_date": "2026-12-01"}, "page_date"),
        ({"title": ""}, "title"),
    ],
)
def test_an_error_stands_at_its_field(editor: Visitor, changes: dict[str, str], field: str) -> None:
    response = save(editor, f"{NORTHWING}change/", **changes)
    assert list(response.context_data["adminform"].form.errors) == [field]  # type: ignore[attr-defined]


def test_the_form_says_when_it_was_read_and_what_rests_on_it(editor: Visitor) -> None:
    page = text_of(Visitor(superuser=True).page(f"{NORTHWING}change/"))

    assert "Last read 20 November 2026, 40 days ago" in page
    assert "1 airline: N1" in page
    assert re.search(r"\d rules: n1\.", page)


def test_what_was_read_again_and_still_says_so_is_as_fresh_as_today(editor: Visitor) -> None:
    address = f"{NORTHWING}read-again/"
    assert "https://northwing.example/batteries" in editor.page(address)
    assert record().read_on == READ_ON

    response = editor.submit(address)

    assert response["Location"] == f"{NORTHWING}change/"
    assert record().read_on == NOW.date()
    assert "Last read 30 December 2026, today" in text_of(editor.page(f"{NORTHWING}change/"))
    assert "read_on: 20 November 2026 → 30 December 2026" in LogEntry.objects.get().change_message


def test_a_reviewer_reads_a_page_again_by_a_button_and_changes_nothing_else_of_its_source() -> None:
    reviewer = member("Reviewer")
    assert f'href="{NORTHWING}read-again/"' in reviewer.page(f"{NORTHWING}change/")

    assert reviewer.submit(f"{NORTHWING}read-again/").status_code == 302

    assert (record().read_on, Source.objects.get(pk="northwing-page").recorded_by) == (
        NOW.date(),
        reviewer.user,
    )
    page = text_of(Visitor("view_source").page(f"{NORTHWING}change/"))
    assert f"{reviewer.user}, 30 December 2026, 12:00 UTC" in page
    history = text_of(reviewer.page(f"{NORTHWING}history/"))
    assert history.index(str(reviewer.user)) < history.index("30 December 2026, 12:00:00 UTC")
    assert reviewer.post(f"{NORTHWING}change/", title="Another").status_code == 403
    assert 'read-again/"' not in member("Viewer").page(f"{NORTHWING}change/")


def test_what_was_never_read_cannot_be_read_again(editor: Visitor) -> None:
    page = editor.page(f"{SOURCES}untold-pointer/change/")
    assert "read-again/" not in page
    assert "A page that was never read has no such button" in page
    response = editor.submit(f"{SOURCES}untold-pointer/read-again/")

    assert response.status_code == 409
    assert "was never read, so it cannot be read again" in response.content.decode()


def test_only_a_source_that_nothing_rests_on_can_be_deleted(editor: Visitor) -> None:
    page = editor.page(f"{SOURCES}untold-pointer/delete/")
    assert "1 airline (U3)" in page
    assert "1 rule (u3.cabin-up-to-100wh)" in page

    actions.record_source(by=editor.user, source=a_source(id="unused"))
    assert editor.submit(f"{SOURCES}unused/delete/", post="yes").status_code == 302
    assert not Source.objects.filter(pk="unused").exists()


def test_a_refusal_that_comes_late_is_said_on_the_list(
    editor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if somebody had referred to it while the question was on the screen.
    monkeypatch.setattr("catalog.screens.record_forms.references", lambda row: [])
    response = editor.submit(f"{SOURCES}untold-pointer/delete/", post="yes")

    assert "Not deleted. untold-pointer: is used by 1 airline" in editor.page(response["Location"])
    assert Source.objects.filter(pk="untold-pointer").exists()
