"""What became of each record, and who did it: the history of a form, and the audit log."""

import re

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace

from catalog.devices.actions import change_device
from catalog.devices.brands.actions import rename_brand
from catalog.models import AuditEntry, ChangeSet, Source
from catalog.sources.actions import change_source, delete_source, record_source
from compliance.signin.groups import EDITOR, REVIEWER, VIEWER
from rules.editing.actions import change_rule, discard_rules, return_rules, revise_rules, submit_rules
from rules.models import Rule
from tests.support.desk.approving import approve_what_waits
from tests.support.desk.filling_in import save
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_device, a_source, a_user
from tests.support.world import build_world

pytestmark = pytest.mark.usefixtures("fresh_desk")


LOG = "/admin/catalog/auditentry/"


@pytest.fixture
def viewer(db: None) -> Visitor:
    build_world(by=a_user("author"))
    return member(VIEWER)


def member(group: str) -> Visitor:
    visitor = Visitor()
    visitor.user.groups.add(Group.objects.get(name=group))
    return visitor


def history_of(visitor: Visitor, path: str) -> list[str]:
    """Return the savings of a history page as plain text, the newest first."""
    chapters = visitor.page(path).split('<section class="desk-chapter')[1:]
    return [" ".join(re.sub(r"<[^>]+>", " ", chapter.split(">", 1)[1]).split()) for chapter in chapters]


def test_what_was_saved_in_a_form_stands_there_with_who_and_both_values(viewer: Visitor) -> None:
    editor = member(EDITOR)
    assert save(editor, "/admin/catalog/source/xa-page/change/", title="Dangerous goods").status_code == 302

    newest, first = history_of(viewer, "/admin/catalog/source/xa-page/history/")

    assert newest.startswith(f"Changed by {editor.user}")
    assert newest.endswith("Title Batteries on board Dangerous goods")
    assert first.startswith("Recorded by author")


def test_an_airline_is_told_with_its_policy_its_sources_and_its_dated_changes(viewer: Visitor) -> None:
    fields = {
        "summary": "One unit.",
        "evidence-source": ["intl-page", "northwing-page"],
        "changes-date": ["2026-11-20"],
        "changes-what": ["One unit only."],
        "changes-source": ["northwing-page"],
    }
    assert save(member(EDITOR), "/admin/catalog/airline/N1/change/", **fields).status_code == 302
    approve_what_waits()

    newest, *_ = history_of(viewer, "/admin/catalog/airline/N1/history/")

    assert "Summary Up to 160 Wh" in newest
    assert "Sources northwing-page intl-page northwing-page" in newest
    assert newest.endswith("northwing-page 20 November 2026 · One unit only. · northwing-page")


def test_a_change_that_another_person_approved_is_told_with_its_author_and_its_reason(
    viewer: Visitor,
) -> None:
    author, reviewer = member(EDITOR), member(REVIEWER)
    path = "/admin/catalog/device/puma-30k/"
    save(author, f"{path}change/", watt_hour="98", reason="The label says 98 Wh.")
    found = ChangeSet.objects.get()
    assert reviewer.post(f"/admin/catalog/changeset/{found.pk}/do/approve/").status_code == 302

    newest, *_ = history_of(viewer, f"{path}history/")

    assert newest.startswith(f"Changed by {author.user}, ")
    assert f"UTC , approved by {reviewer.user} The label says 98 Wh." in newest


def test_a_source_that_was_cited_again_in_the_same_order_is_no_change(viewer: Visitor) -> None:
    device = a_device(sources=("lynx-page",), notes="New.")
    change_device(by=a_user("other"), device=device)
    change_device(by=a_user("other"), device=replace(device, certifications=("CCC", "Qi2")))

    page = " ".join(history_of(viewer, "/admin/catalog/device/lynx-10k/history/"))

    assert "Notes nothing New." in page
    assert "Certifications nothing CCC Qi2" in page


def test_what_is_gone_still_has_a_history(viewer: Visitor) -> None:
    source = a_source(id="gone")
    record_source(by=a_user("author"), source=source)
    change_source(by=a_user("other"), source=replace(source, title="Another"))
    delete_source(by=a_user("other"), source_id="gone")
    assert not Source.objects.filter(pk="gone").exists()

    assert "This record was deleted" in viewer.page("/admin/catalog/source/gone/history/")
    assert viewer.get("/admin/catalog/source/never/history/").status_code == 404


def test_a_brand_is_told_by_its_new_name(viewer: Visitor) -> None:
    slug = rename_brand(by=a_user("other"), slug="lynx", name="Wild Cat")

    assert "Wild Cat" in " ".join(history_of(viewer, f"/admin/catalog/brand/{slug}/history/"))


def test_a_history_costs_the_same_however_long_it_is(viewer: Visitor) -> None:
    path = "/admin/catalog/device/lynx-10k/history/"
    viewer.page(path)

    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            viewer.page(path)
        return len(queries)

    few = cost()
    for number in range(30):
        change_device(by=a_user("other"), device=a_device(sources=("lynx-page",), notes=f"{number}"))
    assert cost() == few


def test_no_one_reads_a_history_who_may_not_read_the_record(viewer: Visitor) -> None:
    assert Visitor().get("/admin/catalog/source/xa-page/history/").status_code == 403


def test_the_log_says_who_did_what_to_which_record_and_why(viewer: Visitor) -> None:
    author, reviewer = a_user("author"), a_user("reviewer")
    revise_rules(by=author, rule_ids=["n1.two-units"], reason="The page changed.")
    draft = Rule.objects.get(rule_id="n1.two-units", state="draft").to_record()
    change_rule(by=author, rule=replace(draft, summary="Two units at most."))
    submit_rules(by=author, rule_ids=["n1.two-units"])
    return_rules(by=reviewer, rule_ids=["n1.two-units"], reason="Cite the section.")

    page = viewer.page(f"{LOG}?q=n1.two")
    assert page.index("Cite the section.") < page.index("The page changed.")
    assert "rule n1.two-units, revision 2" in page
    assert "n1.approval" not in page
    assert "Cite the section." in viewer.page(f"{LOG}?verb__exact=return")
    assert "The page changed." not in viewer.page(f"{LOG}?verb__exact=return")
    assert "Cite the section." not in viewer.page(f"{LOG}?person={author.pk}")
    assert "Cite the section." in viewer.page(f"{LOG}?kind=rule&person={reviewer.pk}")
    assert "n1.two-units" not in viewer.page(f"{LOG}?kind=recall")
    entry = AuditEntry.objects.get(verb="return")
    assert "Cite the section." in viewer.page(f"{LOG}{entry.pk}/change/")


def test_no_one_changes_the_log_here(viewer: Visitor) -> None:
    entry = AuditEntry.objects.first()
    assert entry is not None
    boss = Visitor(superuser=True)

    for path in (f"{LOG}add/", f"{LOG}{entry.pk}/delete/"):
        assert boss.get(path).status_code == 403
    boss.client.handler.enforce_csrf_checks = False
    assert boss.client.post(f"{LOG}{entry.pk}/change/", {"reason": "x"}).status_code == 403


def test_the_log_is_never_counted_as_a_whole(viewer: Visitor) -> None:
    with CaptureQueriesContext(connection) as queries:
        viewer.page(LOG)
    few = len(queries)
    assert not [query for query in queries if "COUNT(*)" in query["sql"] and "auditentry" in query["sql"]]
    for _ in range(3):
        ids = ["n1.two-units", "s2.one-unit"]
        revise_rules(by=a_user("author"), rule_ids=ids, reason="Again.")
        discard_rules(by=a_user("author"), rule_ids=ids, reason="No.")
    with CaptureQueriesContext(connection) as queries:
        viewer.page(LOG)
    assert len(queries) == few


def test_the_log_goes_on_with_its_next_page(viewer: Visitor) -> None:
    first = viewer.page(LOG)
    second = viewer.page(f"{LOG}?p=2")
    found = [set(re.findall(r"/auditentry/(\d+)/change/", page)) for page in (first, second)]
    assert len(found[0]) == 50
    assert found[1]
    assert not found[0] & found[1]


def test_an_entry_of_the_log_leads_no_one_to_accounts_that_they_may_not_look_at(viewer: Visitor) -> None:
    entry = AuditEntry.objects.latest("pk")
    page = viewer.page(f"{LOG}{entry.pk}/change/")
    assert entry.done_by.username in page
    assert "/admin/auth/user/" not in page


def test_a_form_that_is_sent_to_a_history_gets_the_history(committing_db: None) -> None:
    # Other tests run in a transaction. This page opens none, and a row can be locked only in one.
    build_world(by=a_user("author"))
    source = Source.objects.earliest("pk")
    answer = Visitor(superuser=True).post(f"/admin/catalog/source/{source.pk}/history/")
    assert (answer.status_code, "History of" in answer.content.decode()) == (200, True)


def test_the_log_names_no_people_of_partners(viewer: Visitor) -> None:
    a_user("ann@partner.example")
    page = viewer.page(LOG)
    assert "author" in page
    assert "ann@partner.example" not in page
