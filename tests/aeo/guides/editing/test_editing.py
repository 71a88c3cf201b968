"""Editors write guides at the desk: another person approves, the engine checks, readers see them at once."""

import re
from typing import Any

import msgspec
import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.utils.html import escape

from aeo.guides import in_force, load_guides
from aeo.guides.editing import actions
from aeo.guides.editing.languages import missing, shown_until
from aeo.guides.editing.models import GuideText
from aeo.guides.editing.records import Translation, WrittenGuide, guide_of, of_the_program
from catalog.errors import OwnWork, Unfit
from rules.corpus import Published
from tests.support.desk.filling_in import fields_of, save
from tests.support.desk.visiting import member
from tests.support.factories import a_user

SLUG = "power-banks-singapore"
GUIDE = f"/guides/{SLUG}"
DESK = "/admin/aeo/guidetext/"
HTML = {"accept": "text/html"}


@pytest.fixture(autouse=True)
def _reads_the_table(db: None, fresh_desk: None, starter_release: Published) -> Any:
    """Read approved guides from the table of this test."""
    in_force.forget()
    yield
    in_force.forget()


def written(slug: str = SLUG) -> WrittenGuide:
    found = of_the_program(slug)
    assert found is not None
    return found


def shown(path: str = GUIDE) -> str:
    in_force.forget()
    response = Client(headers=HTML).get(path)
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def approved(guide: WrittenGuide, *, by: User) -> None:
    if GuideText.objects.filter(slug=guide.slug).exists():
        actions.revise_guides(by=by, slugs=[guide.slug], reason="News.")
        actions.change_guide(by=by, guide=guide)
    else:
        actions.draft_guide(by=by, guide=guide)
    actions.submit_guides(by=by, slugs=[guide.slug])
    actions.approve_guides(by=a_user("a-reviewer"), slugs=[guide.slug])


@pytest.fixture
def editor(db: None) -> User:
    return a_user("an-editor")


def changed(**fields: Any) -> WrittenGuide:
    return msgspec.structs.replace(written(), **fields)


NEW = "Which power banks may leave Singapore?"


@pytest.mark.parametrize("slug", [one.slug for one in load_guides()])
def test_every_guide_of_the_program_is_the_same_after_the_form(slug: str) -> None:
    found = written(slug)
    guide = next(one for one in load_guides() if one.slug == slug)
    assert guide_of(found) == guide


def test_readers_see_a_change_when_another_person_has_approved_it(editor: User) -> None:
    before = shown()
    actions.draft_guide(by=editor, guide=changed(title=NEW))
    actions.submit_guides(by=editor, slugs=[SLUG])
    assert shown() == before
    with pytest.raises(OwnWork):
        actions.approve_guides(by=editor, slugs=[SLUG])
    actions.approve_guides(by=a_user("a-reviewer"), slugs=[SLUG])
    assert NEW in shown()
    assert NEW in shown("/guides")


def test_a_reader_who_has_the_former_page_gets_the_new_one(editor: User) -> None:
    client = Client(headers=HTML)
    etag = client.get(GUIDE)["ETag"]
    assert client.get(GUIDE, headers={"if-none-match": etag}).status_code == 304
    approved(changed(title=NEW), by=editor)
    in_force.forget()
    assert client.get(GUIDE, headers={"if-none-match": etag}).status_code == 200


def test_a_guide_that_the_release_contradicts_is_not_shown_and_the_desk_says_why(editor: User) -> None:
    wrong = written().cases.replace("verdict: banned, first_constraint: max_units_2", "verdict: allowed")
    approved(changed(cases=wrong), by=editor)
    page = shown()
    assert "It may not fly" not in page
    assert 'content="noindex' in page
    desk = member("Editor").page("/admin/guides/")
    assert "A third unit from Singapore is refused" in desk
    assert f"{DESK}{GuideText.objects.get().pk}/change/" in desk


def test_a_withdrawn_guide_is_gone_also_if_the_program_has_it(editor: User) -> None:
    approved(changed(title=NEW), by=editor)
    actions.withdraw_guides(by=editor, slugs=[SLUG], reason="Nobody reads it.")
    actions.submit_guides(by=editor, slugs=[SLUG])
    assert NEW in shown()
    actions.approve_guides(by=a_user("a-reviewer"), slugs=[SLUG])
    in_force.forget()
    assert Client(headers=HTML).get(GUIDE).status_code == 404
    assert NEW not in shown("/guides")


def test_a_new_guide_has_its_own_address(editor: User) -> None:
    approved(changed(slug="from-singapore", title=NEW), by=editor)
    assert NEW in shown("/guides/from-singapore")
    assert NEW not in shown()


def test_a_language_without_a_text_leads_to_the_english_page_and_shows_none_of_it(editor: User) -> None:
    approved(changed(title=NEW), by=editor)
    page = shown(f"/de{GUIDE}")
    assert f'{GUIDE}" rel="external"' in page
    assert "hand luggage" not in page
    assert 'content="noindex' in page
    assert "Dieser Ratgeber ist noch nicht übersetzt. Sie können ihn auf Englisch lesen." in page
    listed = shown("/de/guides").partition("Noch nicht übersetzt, auf Englisch")[2]
    assert f'<q lang="en">{NEW}</q>' in listed
    assert f'{GUIDE}" rel="external"' in listed


def test_the_texts_that_did_not_change_keep_the_translations_of_the_program(editor: User) -> None:
    before = shown(f"/de{GUIDE}")
    approved(changed(), by=editor)
    german = re.search(r"<main.*?</main>", before, re.DOTALL)
    assert german is not None
    assert german[0] in shown(f"/de{GUIDE}")


def test_an_editor_translates_the_new_texts_and_readers_see_them(editor: User) -> None:
    actions.draft_guide(by=editor, guide=changed(title=NEW))
    visitor = member("Editor")
    row = GuideText.objects.get()
    form = visitor.page(f"{DESK}{row.pk}/change/")
    assert f"{DESK}{row.pk}/language/de/" in form
    assert "1 not translated" in form
    page = visitor.page(f"{DESK}{row.pk}/language/de/")
    texts = dict(re.findall(r'<textarea[^>]*name="(de-\d+)"[^>]*>([^<]*)</textarea>', page))
    assert [name for name, text in texts.items() if not text] == ["de-0"]
    sent = texts | {"de-0": "Welche Powerbanks dürfen Singapur verlassen?"}
    assert visitor.post(f"{DESK}{row.pk}/language/de/", **sent).status_code == 302
    actions.submit_guides(by=editor, slugs=[SLUG])
    actions.approve_guides(by=a_user("a-reviewer"), slugs=[SLUG])
    assert "Welche Powerbanks dürfen Singapur verlassen?" in shown(f"/de{GUIDE}")
    assert visitor.user.pk in GuideText.objects.get().authors


def test_a_translation_without_the_day_is_refused_and_stays_in_the_form(editor: User) -> None:
    actions.draft_guide(by=editor, guide=changed(title=NEW))
    visitor, row = member("Editor"), GuideText.objects.get()
    refused = visitor.post(f"{DESK}{row.pk}/language/de/", **{"de-2": "Zwei Powerbanks sind erlaubt."})
    assert refused.status_code == 400
    assert "Zwei Powerbanks sind erlaubt." in refused.content.decode()
    assert "does not say its day" in refused.content.decode()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"cases": "- name: x"}, "cases"),
        ({"cases": "given: ["}, "cannot be read"),
        ({"cases": "- !!python/object/apply:os.system [ls]"}, "cases"),
        ({"short_answer": "x" * 100}, "does not say its day"),
        ({"answers": ()}, "answers"),
        ({"sources": ("one",)}, "sources"),
        ({"reports": "- id: x"}, "reports"),
    ],
)
def test_what_the_site_could_not_show_is_not_saved(editor: User, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(Unfit, match=said):
        actions.draft_guide(by=editor, guide=changed(**fields))
    assert not GuideText.objects.exists()


def test_the_form_begins_with_the_guide_of_the_program_and_saves_it(editor: User) -> None:
    visitor = member("Editor")
    begun = f"{DESK}add/?slug={SLUG}"
    assert f"/admin/aeo/guidetext/add/?slug={SLUG}" in visitor.page("/admin/guides/")
    assert "What happens to a third unit?" in visitor.page(begun)
    response = save(visitor, begun, title=NEW)
    assert response.status_code == 302, response.content.decode()
    assert guide_of(GuideText.objects.get().to_record()) == guide_of(changed(title=NEW))


def test_a_refused_form_keeps_what_was_typed(editor: User) -> None:
    visitor = member("Editor")
    response = save(visitor, f"{DESK}add/?slug={SLUG}", title=NEW, cases="- name: no question")
    assert response.status_code == 200
    assert NEW in response.content.decode()
    assert "no question" in response.content.decode()
    assert not GuideText.objects.exists()


def test_only_editors_write_and_only_reviewers_approve(editor: User) -> None:
    actions.draft_guide(by=editor, guide=changed(title=NEW))
    row = GuideText.objects.get()
    for group in ("Reviewer", "Publisher", "Viewer"):
        visitor = member(group)
        visitor.page(f"{DESK}{row.pk}/change/")
        assert visitor.get(f"{DESK}add/").status_code == 403
        assert visitor.post(f"{DESK}{row.pk}/language/de/", **{"de-0": "x"}).status_code == 403
    assert member("Editor").post(f"{DESK}{row.pk}/do/approve/").status_code == 403
    assert fields_of(member("Editor"), f"{DESK}{row.pk}/change/")


def test_who_approves_the_first_change_of_a_guide_sees_what_it_changes(editor: User) -> None:
    before = written().short_answer
    now = "Yes, as of {as_of}: as many units as you like may go into any bag, whatever their energy."
    actions.draft_guide(by=editor, guide=changed(short_answer=now))
    actions.submit_guides(by=editor, slugs=[SLUG])
    row = GuideText.objects.get()
    reviewer = member("Reviewer")

    page = reviewer.page(f"{DESK}{row.pk}/change/")
    assert "Differences from the guide of the program" in page
    many = reviewer.post(DESK, action="approve_many", _selected_action=str(row.pk), index="0")
    assert many.status_code == 200
    for shown_page in (page, many.content.decode()):
        assert escape(before) in shown_page
        assert now in shown_page


def test_a_draft_that_says_nothing_new_is_not_submitted(editor: User) -> None:
    approved(changed(title=NEW), by=editor)
    actions.revise_guides(by=editor, slugs=[SLUG], reason="News.")
    with pytest.raises(Unfit, match="says the same as revision 1, so there is nothing to review"):
        actions.submit_guides(by=editor, slugs=[SLUG])
    title = Translation("de", NEW, "Welche Powerbanks?")
    actions.change_guide(by=editor, guide=changed(title=NEW, translations=(title,)))
    actions.submit_guides(by=editor, slugs=[SLUG])


@pytest.mark.usefixtures("now")
@pytest.mark.parametrize("path", ["/guides", GUIDE, f"/de{GUIDE}"])
def test_caches_show_a_guide_for_seconds_and_then_ask_again(path: str) -> None:
    answer = Client(headers=HTML).get(path)
    assert answer["Cache-Control"] == "public, max-age=5, stale-if-error=3600"
    assert "guides" in answer["Surrogate-Key"].split()


def test_a_reader_who_asks_only_by_date_gets_the_new_one_too(editor: User) -> None:
    client = Client(headers=HTML)
    before = client.get(GUIDE)["Last-Modified"]
    assert client.get(GUIDE, headers={"if-modified-since": before}).status_code == 304
    approved(changed(title=NEW), by=editor)
    in_force.forget()
    assert client.get(GUIDE, headers={"if-modified-since": before}).status_code == 200


LANGUAGES = 7
"""How many languages there are but English."""


def test_a_draft_says_which_languages_readers_would_get_in_english(editor: User) -> None:
    actions.draft_guide(by=editor, guide=changed(title=NEW))
    row = GuideText.objects.get()
    page = member("Editor").page(f"{DESK}{row.pk}/change/")
    assert "7 languages lack texts." in page
    assert page.count("in English once this revision is approved") == LANGUAGES
    assert f"{DESK}{row.pk}/language/de/#de-0" in page
    assert f"{DESK}{row.pk}/missing/" in page
    actions.submit_guides(by=editor, slugs=[SLUG])
    review = member("Reviewer").page(f"{DESK}{row.pk}/change/")
    assert review.count("in English once this revision is approved") == LANGUAGES
    assert f"{DESK}{row.pk}/missing/" not in review


def test_it_says_since_when_readers_get_a_guide_in_english_and_what_comes_new(editor: User) -> None:
    with time_machine.travel("2026-11-03T12:00Z", tick=False):
        approved(changed(), by=editor)
    with time_machine.travel("2026-11-09T12:00Z", tick=False):
        approved(changed(title=NEW), by=editor)
    with time_machine.travel("2026-11-20T12:00Z", tick=False):
        approved(changed(title=NEW, description="Another one."), by=editor)
        actions.revise_guides(by=editor, slugs=[SLUG], reason="News.")
    draft = GuideText.objects.get(state="draft")
    third = "A third text that no one has translated."
    actions.change_guide(by=editor, guide=changed(title=NEW, description=third))
    first, *_ = missing(guide_of(GuideText.objects.get(pk=draft.pk).to_record()), shown_until(draft))
    assert first.since is not None
    assert first.since.date().isoformat() == "2026-11-09"
    assert [(one.what, one.since is None) for one in first.texts] == [("title", False), ("description", True)]
    page = member("Editor").page(f"{DESK}{draft.pk}/change/")
    assert page.count("9 November 2026</time>") >= LANGUAGES
    assert page.count("</a> (new)") == LANGUAGES
    desk = member("Editor").page("/admin/guides/")
    assert "In English for readers of" in desk


def test_all_languages_are_translated_on_one_page_and_go_out_with_one_approval(editor: User) -> None:
    actions.draft_guide(by=editor, guide=changed(title=NEW))
    visitor, row = member("Editor"), GuideText.objects.get()
    page = visitor.page(f"{DESK}{row.pk}/missing/")
    names = re.findall(r'<textarea[^>]*name="([\w-]+)"', page)
    assert len(names) == LANGUAGES
    assert visitor.post(f"{DESK}{row.pk}/missing/", **dict.fromkeys(names, "X?")).status_code == 302
    assert not missing(guide_of(GuideText.objects.get().to_record()))
    assert "Every text is translated into every language." in visitor.page(f"{DESK}{row.pk}/missing/")
    assert "lack texts" not in visitor.page(f"{DESK}{row.pk}/change/")
    actions.submit_guides(by=editor, slugs=[SLUG])
    actions.approve_guides(by=a_user("a-reviewer"), slugs=[SLUG])
    assert "X?" in shown(f"/ko{GUIDE}")
    assert "X?" in shown("/ja/guides")


def test_what_is_left_open_for_now_stays_missing_and_what_is_there_stays(editor: User) -> None:
    actions.draft_guide(by=editor, guide=changed(title=NEW, description="Another one."))
    visitor, row = member("Editor"), GuideText.objects.get()
    visitor.post(f"{DESK}{row.pk}/missing/", **{"de-0": "Titel", "fr-1": "Une autre."})
    visitor.post(f"{DESK}{row.pk}/missing/", **{"de-1": "Ein anderer."})
    lacking = {
        one.code: [text.what for text in one.texts]
        for one in missing(guide_of(GuideText.objects.get().to_record()))
    }
    assert "de" not in lacking
    assert lacking["fr"] == ["title"]
    assert lacking["ja"] == ["title", "description"]


def test_save_and_submit_stops_once_where_languages_would_fall_back_to_english(editor: User) -> None:
    visitor = member("Editor")
    assert save(visitor, f"{DESK}add/?slug={SLUG}", title=NEW, _submit="1").status_code == 302
    row = GuideText.objects.get()
    assert row.state == "draft"
    page = visitor.page(f"{DESK}{row.pk}/change/")
    assert "not submitted yet: readers of some languages would get the English page" in page
    assert "/do/submit/" in page
    same = written().title
    assert save(visitor, f"{DESK}{row.pk}/change/", title=same, _submit="1").status_code == 302
    assert GuideText.objects.get().state == "in_review"


def test_who_may_not_write_reads_what_is_missing_and_sends_nothing(editor: User) -> None:
    actions.draft_guide(by=editor, guide=changed(title=NEW))
    row, reviewer = GuideText.objects.get(), member("Reviewer")
    assert "Not translated." in reviewer.page(f"{DESK}{row.pk}/missing/")
    assert reviewer.post(f"{DESK}{row.pk}/missing/", **{"de-0": "X"}).status_code == 403
