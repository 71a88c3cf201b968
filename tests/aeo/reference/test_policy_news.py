"""What readers of pages learn of changes: what releases changed, and how many editors recorded."""

import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries

from aeo import editions, tasks
from aeo.discovery import tasks as pages
from aeo.page_records.register import Indexed
from aeo.reference.airline import airline_page
from aeo.reference.indexing import reference_pages
from rules import corpus
from rules.models import PolicyEntry, PolicyHistory
from rules.policy_history import selectors
from rules.policy_history.actions import keep_policy_history
from tests.aeo.policy_histories import AIRLINE, histories
from tests.aeo.service.test_service_pages import words
from tests.support.ledger import DAY, FIRST, publish

PAGE = "/airlines/ek"

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_process", "_two_releases")]


@pytest.fixture
def _two_releases(fresh_process: None) -> None:
    for number, content in enumerate(list(histories())[:2]):
        publish(content, now=FIRST + number * DAY)
    corpus.refresh()


def test_the_page_of_an_airline_tells_what_releases_changed_and_counts_the_rest() -> None:
    keep_policy_history(now=FIRST + DAY)
    said = words(PAGE)
    airline = corpus.current().shelf.airlines[AIRLINE]
    assert "What changed" in said
    assert "A rule was reworded and means the same. It now says: Worded anew. It is now unverified" in said
    assert "The official page is now at https://www.emirates.com/new." in said
    assert "A rule was withdrawn: " in said
    assert "21 November 2026: The official page is now" in said
    assert "remarks" not in said
    recorded = len(airline.changes)
    assert f"Editors recorded {recorded} dated change" in said
    # What editors remarked and recorded is for partners.
    assert "A remark for partners." not in said
    assert not any(change.what in said for change in airline.changes)


def test_the_page_of_changes_names_whose_they_are() -> None:
    keep_policy_history(now=FIRST + DAY)
    said = words("/policy-changes")
    assert "What rulesets changed" in said
    assert "Emirates 21 November 2026: A rule was reworded" in said
    before = next(iter(histories())).rules
    regulator = next(rule for rule in before if rule.airline is None)
    assert f"{regulator.authority} 21 November 2026: A rule was withdrawn: {regulator.summary}" in said


@pytest.mark.parametrize("path", [PAGE, "/policy-changes"])
def test_a_page_changes_when_the_history_is_worked_out_and_costs_nothing_after(
    path: str, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    monkeypatch.setattr(selectors, "PATIENCE_SECONDS", 0)
    browser = Client(headers={"accept": "text/html"})
    before = browser.get(path)["ETag"]
    keep_policy_history(now=FIRST + DAY)
    after = browser.get(path, headers={"if-none-match": before})
    assert after.status_code == 200
    with django_assert_num_queries(0):
        assert browser.get(path, headers={"if-none-match": after["ETag"]}).status_code == 304


@pytest.mark.parametrize("path", [PAGE, "/policy-changes"])
def test_pages_go_on_while_the_database_is_away(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_policy_history(now=FIRST + DAY)

    def away(*args: object, **kwargs: object) -> None:
        raise OperationalError

    with monkeypatch.context() as outage:
        for table in (PolicyEntry, PolicyHistory):
            outage.setattr(table.objects, "filter", away)
        without = Client(headers={"accept": "text/html"}).get(path)
        assert without.status_code == 200
        assert "A rule was withdrawn" not in without.content.decode()
    selectors.forget()
    whole = Client(headers={"accept": "text/html"}).get(path, headers={"if-none-match": without["ETag"]})
    assert "A rule was withdrawn" in whole.content.decode()


def test_the_job_works_it_out_before_it_keeps_page_records(monkeypatch: pytest.MonkeyPatch) -> None:
    known = []
    monkeypatch.setattr(pages, "share_pages", lambda **asked: known.append(PolicyHistory.objects.count()))
    monkeypatch.setattr(tasks, "keep_scorecard", lambda **asked: None)
    monkeypatch.setattr(tasks, "keep_datasets", list)
    tasks.catch_up()
    assert known == [2]


def test_the_record_of_a_page_is_of_what_readers_see() -> None:
    keep_policy_history(now=FIRST + DAY)
    edition = editions.current(FIRST + DAY)
    recorded = {page.path: page for page in reference_pages(edition, Indexed(()))}
    assert "A rule was withdrawn" in str(recorded[PAGE].sections)
    news = selectors.newest(edition.release, AIRLINE)
    assert news is not None
    assert recorded[PAGE] == airline_page(edition, AIRLINE, Indexed(()), news)
