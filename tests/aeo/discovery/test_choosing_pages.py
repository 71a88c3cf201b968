"""Editors choose by which rules pages are indexed, and see before what a choice would change."""

import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, transaction

from aeo import editions
from aeo.discovery import actions, admin
from aeo.discovery.actions import choose_pages, recompute_pages
from aeo.discovery.curation import curated
from aeo.discovery.selectors import difference
from aeo.editions import Edition
from aeo.page_records.models import Curation, IndexedPage
from aeo.page_records.register import Combination
from aeo.page_records.selectors import choice_in_force
from catalog.errors import Unfit
from compliance.signin.groups import EDITOR
from tests.support import starter
from tests.support.desk.visiting import member
from tests.support.factories import a_user

pytestmark = pytest.mark.django_db

ADD = "/admin/aeo/curation/add/"
FEW = 40


@pytest.fixture(autouse=True)
def _starter(edition: Edition, now: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """The starter corpus is published, and nobody recomputes thousands of pages meanwhile."""
    monkeypatch.setattr(editions, "current", lambda now: edition)
    monkeypatch.setattr(admin, "send_for_records", lambda: None)


@pytest.fixture
def cataloger(db: None) -> User:
    """Whoever chooses."""
    return a_user("cataloger")


def choose(by: User, edition: Edition, **numbers: Any) -> Curation:
    choice = Curation(**{"most_pages": FEW, "reason": "Tried out.", **numbers})
    return choose_pages(by=by, choice=choice, edition=edition, now=starter.NOW)


def form(**typed: Any) -> dict[str, Any]:
    """Return the form as it opens, with what is typed in it."""
    choice = choice_in_force()
    return {
        **{name: getattr(choice, name) for name in actions.CHOSEN if not name.startswith("without_")},
        "reason": "Tried out.",
        **typed,
    }


def test_pages_are_indexed_by_the_newest_choice(cataloger: User, edition: Edition) -> None:
    choose(cataloger, edition)
    recompute_pages(edition=edition, now=starter.NOW)
    assert IndexedPage.objects.count() == FEW

    choose(cataloger, edition, most_pages=10)
    recompute_pages(edition=edition, now=starter.NOW + datetime.timedelta(hours=1))
    assert IndexedPage.objects.count() == 10
    # What stays has not changed for that.
    assert set(IndexedPage.objects.values_list("last_changed", flat=True)) == {
        starter.NOW.replace(microsecond=0)
    }


def test_what_is_left_out_is_on_no_indexed_page(edition: Edition) -> None:
    first = curated(edition, Curation(most_pages=FEW))[0]
    without = Curation(
        most_pages=FEW,
        without_models=[first.model_id],
        without_airlines=[first.airline],
        without_countries=[first.country],
    )
    pages = curated(edition, without)
    assert len(pages) == FEW
    for field in Combination._fields:
        assert getattr(first, field) not in {getattr(page, field) for page in pages}


def test_points_decide_what_comes_first(edition: Edition) -> None:
    nothing = dict.fromkeys((name for name in actions.CHOSEN if name.startswith(("model_", "airline_"))), 0)
    by_recalls = Curation(**nothing | {"most_pages": 10, "model_recalled": 1000})
    shelf = edition.release.shelf
    assert all(shelf.recalls_of(page.model_id) for page in curated(edition, by_recalls))
    assert not all(
        shelf.recalls_of(page.model_id) for page in curated(edition, Curation(**nothing, most_pages=10))
    )


def test_a_choice_is_refused_where_it_changes_nothing_or_names_what_is_not_there(
    cataloger: User, edition: Edition
) -> None:
    with pytest.raises(Unfit, match="this is the choice in force"):
        choose(cataloger, edition, most_pages=Curation().most_pages)
    with pytest.raises(Unfit, match="`without_airlines`: not in the current release: ZZ"):
        choose(cataloger, edition, without_airlines=["QR", "ZZ"])
    assert not Curation.objects.exists()


def test_a_choice_stays_as_it_was_made(cataloger: User, edition: Edition) -> None:
    choice = choose(cataloger, edition)
    choice.most_pages = 7
    for write in (choice.save, choice.delete):
        with pytest.raises(DatabaseError, match="a choice stays as it is"), transaction.atomic():
            write()


def test_a_preview_names_what_would_enter_and_leave(cataloger: User, edition: Edition) -> None:
    choose(cataloger, edition)
    recompute_pages(edition=edition, now=starter.NOW)
    first = choice_in_force()
    gone = curated(edition, first)[0]

    shown = difference(Curation(most_pages=FEW, without_models=[gone.model_id]), edition)

    assert shown.pages == FEW
    assert len(shown.entering) == len(shown.leaving) > 0
    assert all(
        f"/p/{gone.model_id}/" in path for path in shown.leaving if path not in shown.entering[:1]
    ) or (f"/p/{gone.model_id}/" in shown.leaving[0])


def test_the_form_begins_with_the_choice_in_force_and_previews_without_writing(
    cataloger: User, edition: Edition
) -> None:
    choose(cataloger, edition)
    editor = member(EDITOR)
    assert f'name="most_pages" value="{FEW}"' in editor.page(ADD)

    page = editor.post(ADD, **form(most_pages=10, _preview="1")).content.decode()

    assert "10 pages would be indexed: 10 would enter, 0 would leave." in page
    assert 'name="most_pages" value="10"' in page
    assert choice_in_force().most_pages == FEW


def test_an_editor_makes_a_choice_and_it_stands_in_the_list_with_its_reason(edition: Edition) -> None:
    editor = member(EDITOR)
    response = editor.post(ADD, **form(most_pages=10, without_countries="FR", reason="Too many."))
    assert response.status_code == 302
    choice = choice_in_force()
    assert (choice.most_pages, choice.reason, choice.created_by) == (10, "Too many.", editor.user)
    assert "Too many." in editor.page("/admin/aeo/curation/")
    assert editor.get(f"/admin/aeo/curation/{choice.pk}/change/").status_code == 200


def test_bad_numbers_and_unknown_names_are_refused_at_their_fields_and_nothing_typed_is_lost(
    edition: Edition,
) -> None:
    editor = member(EDITOR)
    page = editor.post(ADD, **form(most_pages=0, model_recent=1001, without_countries="FR, XX", reason=" "))
    text = page.content.decode()
    assert page.status_code == 200
    for sentence in (
        "Ensure this value is greater than or equal to 1.",
        "Ensure this value is less than or equal to 1000.",
        "Not in the current release: XX.",
        "This field is required.",
    ):
        assert sentence in text
    assert "FR,XX" in text.replace(" ", "")
    assert not Curation.objects.exists()
