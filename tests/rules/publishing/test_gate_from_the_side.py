"""More attacks at the desk: signals, findings, imports, proposals, plans, holds, cases, keys.

One person has every role, a second account may only view, as in `test_gate_over_http`. Each attack tries to
get something milder out alone, or to lose who wrote or read what.
"""

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from msgspec.structs import replace

from catalog.airlines.bulk import AIRLINES
from catalog.bulk import files
from catalog.devices.actions import change_device, record_device
from catalog.devices.bulk import DEVICES as MODELS
from catalog.editorial.pending import actions as pending
from catalog.editorial.selectors import audit_log
from catalog.models import ChangeSet, Device, Source
from catalog.screens.record_forms import digest
from catalog.sources.actions import reread_source
from compliance.models import CorpusProposal
from compliance.partners.actions.keys import issue_key
from compliance.partners.actions.partners import record_partner
from compliance.starter_corpus.actions import propose
from compliance.starter_corpus.kinds import KIND_OF
from recalls.editing.actions import (
    approve_recalls,
    approve_recalls_again,
    discard_recalls,
    draft_recall,
    return_recalls,
    submit_recalls,
    withdraw_recalls,
)
from recalls.models import Recall
from rules.analysis.models import AcceptedFinding
from rules.analysis.report import refresh
from rules.cases import Case, Expect, outcome_digest
from rules.disagreements.actions import (
    approve_disagreements,
    draft_disagreement,
    submit_disagreements,
    withdraw_disagreements,
)
from rules.editing.actions import (
    approve_rules,
    approve_rules_again,
    change_rule,
    draft_rule,
    return_rules,
    revise_rules,
    submit_rules,
)
from rules.engine.facts import Quote, When
from rules.engine.facts import Rule as RuleRecord
from rules.models import AcceptedCase, Disagreement, PlannedRelease, Release, Rule, WatchedPage, WatchSignal
from rules.next_release import compile_content
from rules.publishing import gate
from rules.publishing.actions.plans import carry_out_plans
from rules.publishing.actions.selections import keep_selection
from rules.publishing.authors import authors_of
from rules.publishing.candidate import candidate
from rules.watch.page_list import quotes_by_page
from tests.rules.publishing.test_gate import (
    ITS_SOURCE,
    MINUTE,
    ONE_ONLY,
    ONE_UNIT,
    OWN,
    OWN_PUBLISHING,
    OWN_READING,
    PUBLISH,
    START,
    Person,
    accept,
    cases,
    clock,
    loosen,
    published,
    read_again,
    roll_back,
    tighten,
    world,
)
from tests.rules.publishing.test_gate_over_http import (
    ADDS,
    EVERY_ROLE,
    FORBIDDEN,
    LATER,
    MASKED,
    NOTHING_CHOSEN,
    OWN_EVIDENCE,
    PUMA,
    TWO_PEOPLE,
    TWO_UNITS,
    Attack,
    alone,
    approve_set,
    lower,
    plan,
    press,
    publish,
    ready,
    said,
    verdicts,
)
from tests.rules.watch.days import TEXT, URL, WORDS, Days
from tests.support import world as drawn
from tests.support.desk.filling_in import save
from tests.support.desk.publishing import answered, shown_alone
from tests.support.factories import a_device, a_disagreement, a_rule, a_source, a_user, an_airline
from tests.support.partners import AGREEMENT
from tests.support.world import APPROVER

__all__ = ["cases", "clock", "published", "world"]

pytestmark = pytest.mark.usefixtures("fresh_desk")

NEW = TEXT.replace(WORDS, "three per passenger")
CHANGED_IT = "you changed it or released its hold, so another person must publish it"
WROTE_BEFORE = "a person who approved it wrote in an earlier revision of it"
WROTE_IT = "wrote what would make answers less strict"
AFTER = "changed after this was shown"
LOST = "its page lost words that rules quote"
SIGN_IN = "302 /admin/login/"
SIGNAL = "/admin/rules/watchsignal/"
OVER_ONE = a_rule(
    rule_id="n1.approval-over-one",
    when=When(quantity_over=1),
    effect="require",
    code="airline_approval_required",
    summary="Northwing must approve more than one unit.",
)


def where(answer: Any) -> str:
    """Return the status of a redirect, with where it leads."""
    return f"{answer.status_code} {answer.headers.get('Location', '')}"


# --- Signals ---


def watch(one: Attack, *, quoted: bool = False) -> Days:
    """Let the page of the report on Southern Star say something else; also lose a quote of its rule."""
    Source.objects.filter(pk=ITS_SOURCE).update(url=URL)
    if quoted:
        other = a_user("other")
        revise_rules(by=other, rule_ids=[ONE_UNIT], reason="The words.")
        record = Rule.objects.get(rule_id=ONE_UNIT, state="draft").to_record()
        change_rule(by=other, rule=replace(record, quotes=(Quote(source=ITS_SOURCE, words=WORDS),)))
        submit_rules(by=other, rule_ids=[ONE_UNIT])
        approve_rules(by=a_user(APPROVER), rule_ids=[ONE_UNIT])
    assert publish(Person("publisher", "Publisher")) == ""
    days = Days(quotes=quotes_by_page())
    days.says(TEXT)
    days.says(NEW)
    later(one, days)
    return days


def later(one: Attack, days: Days) -> None:
    """Let the clock follow the watch. Sessions end meanwhile, so both sign in again."""
    one.clock.move_to(days.now)
    one.clock.shift(MINUTE)
    for person in (one.me, one.second):
        person.client.force_login(person.user)


def signal() -> WatchSignal:
    return WatchSignal.objects.select_related("after").get()


def button(by: Person, name: str, **fields: Any) -> str:
    found = signal()
    assert found.after is not None
    sent = {"seen": found.after.fingerprint, **fields}
    return said(by.post(f"{SIGNAL}{found.pk}/{name}/", **sent))


def confirm_the_own_new_words(one: Attack) -> str:
    watch(one, quoted=True)
    words = next(line for line in NEW.splitlines() if "three per" in line)
    assert button(one.me, "still-true", reason="Reworded.", quote=words) == ""
    assert signal().outcome == ""
    return button(Person(str(one.me.user), *EVERY_ROLE), "still-true", reason="Yes.", quote=words)


def record_a_page_that_lost_a_quote_as_a_new_source(one: Attack) -> str:
    """One person may not read the page again. So record it once more, as another source."""
    watch(one, quoted=True)
    copy = "/admin/catalog/source/add/"
    source = replace(a_source(id="second-report", kind="news", basis="secondary_read"), url=URL)
    sent = {
        "id": source.id,
        "kind": source.kind,
        "authority": source.authority,
        "jurisdiction": "XB",
        "url": source.url,
        "title": source.title,
        "basis": source.basis,
        "read_on": str(timezone.localdate()),
    }
    return said(save(one.me, copy, **sent))  # type: ignore[arg-type]


def point_another_source_at_a_page_that_lost_a_quote(one: Attack) -> str:
    watch(one, quoted=True)
    page = "/admin/catalog/source/intl-page/change/"
    return said(save(one.me, page, url=URL, read_on=str(timezone.localdate())))  # type: ignore[arg-type]


def read_the_own_evidence_by_a_signal(one: Attack) -> str:
    watch(one)
    loosen(one.me.user, approver=a_user(APPROVER), second=a_user("second"))
    assert button(one.me, "still-true") == ""
    return publish(Person("publisher", "Publisher"))


def read_by_a_signal_and_publish(one: Attack) -> str:
    watch(one)
    tighten(a_user("other"))
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    assert button(one.me, "still-true") == ""
    return publish(one.me)


def confirm_an_unchanged_page_and_publish(one: Attack) -> str:
    """Let the watch read, and publish what it read."""
    days = watch(one)
    assert button(one.me, "dismiss", reason="Layout.") == ""
    days.says(NEW, days=3)
    later(one, days)
    page = WatchedPage.objects.get(url=URL)
    assert page.newest_since is not None
    read = {"read_on": page.newest_since.date(), "recorded_at": page.newest_since}
    Source.objects.filter(url=URL).update(**read)
    shown = one.me.post("/admin/rules/watchedpage/confirm/", page=str(page.pk)).content.decode()
    assert ITS_SOURCE in shown
    return publish(one.me)


def confirm_an_older_text(one: Attack) -> str:
    days = watch(one)
    seen = signal().after
    assert seen is not None
    days.says(NEW.replace("three", "five"))
    return said(one.me.post(f"{SIGNAL}{signal().pk}/still-true/", seen=seen.fingerprint))


def still_true_with_the_second_account(one: Attack) -> str:
    watch(one)
    return button(one.second, "still-true")


def dismiss_with_the_second_account(one: Attack) -> str:
    watch(one, quoted=True)
    return button(one.second, "dismiss", reason="No.")


def revise_from_a_signal_and_approve(one: Attack) -> str:
    watch(one)
    assert button(one.me, "revise", reason="It says three.", rule=ONE_UNIT) == ""
    record = Rule.objects.get(rule_id=ONE_UNIT, state="draft").to_record()
    change_rule(by=a_user("other"), rule=replace(record, params=replace(record.params, max_units=3)))
    submit_rules(by=a_user("other"), rule_ids=[ONE_UNIT])
    return press(one.me, "approve")


# --- Findings and disagreements ---


def accept_findings_and_publish(one: Attack) -> str:
    """A finding that is accepted replaces no approval."""
    ready(one.me, one.clock)
    refresh(now=timezone.now())
    page = one.me.page("/admin/findings/")
    names = [part.partition('"')[0] for part in page.split('name="finding" value="')[1:]]
    assert names
    query = "&".join(f"finding={name}" for name in names)
    assert where(one.me.post(f"/admin/findings/accept/?{query}", reason="So.")).startswith("302")
    assert AcceptedFinding.objects.exists()
    return publish(one.me)


def accept_a_finding_with_the_second_account(one: Attack) -> str:
    return said(one.second.post("/admin/findings/accept/?finding=x", reason="So."))


def reopen_a_finding_with_the_second_account(one: Attack) -> str:
    return said(one.second.post("/admin/findings/reopen/", finding="x"))


def a_disagreement_of_mine(one: Attack) -> str:
    draft_disagreement(by=one.me.user, disagreement=a_disagreement())
    submit_disagreements(by=one.me.user, disagreement_ids=["n1-cabin-limit"])
    return f"/admin/rules/disagreement/{Disagreement.objects.get().pk}/do/approve/"


def approve_the_own_disagreement(one: Attack) -> str:
    address = a_disagreement_of_mine(one)
    return said(one.me.post(address, seen=digest(Disagreement.objects.get().to_record())))


def alone_the_end_of_a_disagreement(one: Attack) -> str:
    a_disagreement_of_mine(one)
    approve_disagreements(by=a_user(APPROVER), disagreement_ids=["n1-cabin-limit"])
    assert publish(Person("publisher", "Publisher")) == ""
    one.clock.shift(MINUTE)
    withdraw_disagreements(by=one.me.user, disagreement_ids=["n1-cabin-limit"], reason="Over.")
    submit_disagreements(by=one.me.user, disagreement_ids=["n1-cabin-limit"])
    approve_disagreements(by=a_user(APPROVER), disagreement_ids=["n1-cabin-limit"])
    return alone(one.me)


# --- Imports ---


def send_file(by: Person, path: str, name: str, content: bytes, **fields: str) -> str:
    """Choose a file and press the button of its preview. Return a refusal; empty if it is imported."""
    answer = by.post(f"{path}import/", file=SimpleUploadedFile(name, content), **fields)
    agreed = answer.content.decode().partition('name="agreed" value="')[2].partition('"')[0]
    return said(by.post(f"{path}import/", agreed=agreed)) if agreed else said(answer)


def import_a_looser_rule_and_approve(one: Attack) -> str:
    sheet = f"rule_id,params.max_units\n{ONE_UNIT},2\n".encode()
    assert send_file(one.me, "/admin/rules/rule/", "rules.csv", sheet, reason="News.") == ""
    submit_rules(by=one.me.user, rule_ids=[ONE_UNIT])
    return press(one.me, "approve")


def import_over_a_rule_in_review(one: Attack) -> str:
    """Change what others wrote, after it was submitted, without being its author."""
    loosen(a_user("other"))
    sheet = f"rule_id,params.max_units\n{ONE_UNIT},9\n".encode()
    return send_file(one.me, "/admin/rules/rule/", "rules.csv", sheet, reason="News.")


def import_an_approval(one: Attack) -> str:
    loosen(one.me.user)
    sheet = f"rule_id,state,approved_by,second_approved_by\n{ONE_UNIT},approved,{APPROVER},second\n".encode()
    refused = send_file(one.me, "/admin/rules/rule/", "rules.csv", sheet, reason="News.")
    assert Rule.objects.get(rule_id=ONE_UNIT, revision=2).state == "in_review"
    return refused


def import_a_recall_for_fewer_and_approve(one: Attack) -> str:
    rows = json.loads(one.me.client.get("/admin/recalls/recall/export/json/").content)
    (row,) = [row for row in rows if row["recall_id"] == "xa-lynx-10k-2026"]
    for name in ("revision", "state"):
        row.pop(name, None)
    row["affected_serials"] |= {"pattern": "^LX-0000$", "affected_samples": ["LX-0000"]}
    content = json.dumps([row]).encode()
    assert send_file(one.me, "/admin/recalls/recall/", "recalls.json", content, reason="News.") == ""
    submit_recalls(by=one.me.user, recall_ids=[row["recall_id"]])
    draft = Recall.objects.get(recall_id=row["recall_id"], state="in_review")
    address = f"/admin/recalls/recall/{draft.pk}/do/approve/"
    return said(one.me.post(address, seen=digest(draft.to_record())))


def import_a_sheet_of_airlines_and_approve(one: Attack) -> str:
    (airline,) = AIRLINES.model.objects.filter(pk="S2").records()
    changed = replace(airline, confidence="confirmed", sources=("northwing-page",))
    content = files.write("xlsx", [changed], AIRLINES.record_type)
    assert send_file(one.me, "/admin/catalog/airline/", "airlines.xlsx", content) == ""
    return approve_set(one.me)


def write_notes_for_partners_and_approve(one: Attack) -> str:
    page = "/admin/catalog/airline/S2/change/"
    assert said(save(one.me, page, **{"notes-text": ["Takes two units."]})) == ""  # type: ignore[arg-type]
    assert not ChangeSet.objects.get().changes.get().before["notes"]
    return approve_set(one.me)


# --- Change sets ---


def publish_what_one_wrote_first_and_another_corrected(one: Attack) -> str:
    """Let another person correct the own change set, so that the rows name only them."""
    assert lower(one.me) == ""
    found = ChangeSet.objects.get()
    pending.return_to_author(found.pk, by=a_user("reviewer"), reason="Say why.")
    other = a_user("other")
    record = replace(Device.objects.get(pk=PUMA).to_record(), watt_hour=Decimal("98.50"))
    corrected = pending.propose(MODELS, [record], by=other, subject=PUMA, replaces=found.pk, reason="Label.")
    assert corrected is not None
    pending.approve(corrected.pk, by=a_user("reviewer"), tables={"device": MODELS})
    assert Device.objects.get(pk=PUMA).changed_by == other
    return publish(one.me)


def publish_what_one_approved(one: Attack) -> str:
    other = Person("other", "Editor")
    assert lower(other) == ""
    assert approve_set(one.me) == ""
    return publish(one.me)


def lower_on_evidence_never_read(one: Attack) -> str:
    """Lower a computed energy, as one knows it, of a model about which no page was read."""
    assert publish_unread(one) == ""
    assert lower(one.me, watt_hour_basis="rated", reason="I know it.") == ""
    assert approve_set(Person("reviewer", "Reviewer")) == ""
    page = Person("viewer", "Viewer").page()
    assert "record the page where this was read" in page
    return publish(Person("publisher", "Publisher"))


def publish_unread(one: Attack) -> str:
    record = Device.objects.get(pk=PUMA).to_record()
    unread = replace(record, watt_hour_basis="computed", sources=("heron-pointer",))
    change_device(by=a_user("other"), device=unread)
    refused = publish(Person("publisher", "Publisher"))
    one.clock.shift(MINUTE)
    return refused


def lower_on_the_last_reading(one: Attack) -> str:
    assert lower(one.me) == ""
    assert approve_set(Person("reviewer", "Reviewer")) == ""
    return publish(Person("publisher", "Publisher"))


def lower_on_a_page_that_was_read_for_something_else(one: Attack) -> str:
    """Cite a page that was read long ago for a model whose own page no one ever read."""
    unread = Device.objects.get(pk="heron-9").to_record()
    lower = replace(unread, watt_hour=Decimal(20), watt_hour_basis="rated", sources=("lynx-page",))
    found = pending.propose(MODELS, [lower], by=one.me.user, subject="heron-9", reason="Its label.")
    assert found is not None
    assert approve_set(Person("reviewer", "Reviewer")) == ""
    return publish(Person("publisher", "Publisher"))


def lower_on_the_own_reading(one: Attack) -> str:
    assert lower(one.me) == ""
    assert approve_set(Person("reviewer", "Reviewer")) == ""
    one.clock.shift(MINUTE)
    assert said(one.me.post("/admin/catalog/source/puma-page/read-again/")) == ""
    return publish(Person("publisher", "Publisher"))


def returned_to_me(one: Attack) -> ChangeSet:
    assert lower(one.me) == ""
    found = ChangeSet.objects.get()
    pending.return_to_author(found.pk, by=one.me.user, reason="Later.")
    return found


def approve_the_own_words_that_another_saved(one: Attack) -> str:
    """Let another person save the own returned words in a new set that does not say what it corrects."""
    returned_to_me(one)
    assert lower(Person("emil", "Editor"), replaces="") == ""
    return approve_set(one.me)


def approve_the_own_figure_that_another_wrote_in_another_way(one: Attack) -> str:
    """Let another person save 99.0 instead of the own returned 99."""
    returned_to_me(one)
    assert lower(Person("emil", "Editor"), replaces="", watt_hour="99.0") == ""
    return approve_set(one.me)


def approve_the_own_names_that_another_saved_in_another_order(one: Attack) -> str:
    names = ["Puma Slim", "Puma Travel"]
    for by, aliases in ((one.me, names), (Person("emil", "Editor"), names[::-1])):
        record = replace(Device.objects.get(pk=PUMA).to_record(), aliases=tuple(aliases))
        found = pending.propose(MODELS, [record], by=by.user, subject=PUMA)
        assert found is not None
        if by is one.me:
            pending.return_to_author(found.pk, by=a_user("reviewer"), reason="Later.")
    return approve_set(one.me)


def discard_a_set_about_another_model(one: Attack) -> str:
    """Name the returned set of another person, about another model, in the hidden field."""
    heron = replace(Device.objects.get(pk="heron-9").to_record(), model_name="Heron Nine")
    theirs = pending.propose(MODELS, [heron], by=a_user("other"), subject="heron-9")
    assert theirs is not None
    pending.return_to_author(theirs.pk, by=a_user("reviewer"), reason="Why?")
    refused = lower(one.me, replaces=str(theirs.pk))
    assert ChangeSet.objects.get().state == "returned"
    return refused


def accept_a_case_of_the_own_words_that_another_corrected(one: Attack) -> str:
    """Propose a lower energy, return it, let another person save it, and accept what fails by it."""
    found = returned_to_me(one)
    assert lower(Person("emil", "Editor"), replaces=str(found.pk)) == ""
    assert approve_set(Person("rita", "Reviewer")) == ""
    assert Device.objects.get(pk=PUMA).changed_by == a_user("emil")
    question = replace(ONE_ONLY.given, model_id=PUMA, quantity=1, route=("XA", "XB"))
    one.cases.append(replace(ONE_ONLY, given=question))
    (failing,) = candidate(one.cases).failing
    sent = {"name": ONE_ONLY.name, "reason": "So.", "shown": outcome_digest(failing.judged)}
    return said(one.me.post(f"{PUBLISH}accept-case/", **sent))


def publish_the_own_words_that_another_corrected(one: Attack) -> str:
    found = returned_to_me(one)
    assert lower(Person("emil", "Editor"), replaces=str(found.pk)) == ""
    assert approve_set(Person("rita", "Reviewer")) == ""
    return publish(one.me)


def roll_back_to_the_own_energy_that_another_requested(one: Attack) -> str:
    """Carry out what another publisher requested: the way back to the own lower energy."""
    mild = a_mild_release_of_mine(one)
    before = verdicts()
    assert roll_back(Person("pavel", "Publisher"), mild, request="yes") == ""
    refused = roll_back(one.me, mild)
    assert verdicts() == before
    return refused


def alone_what_was_rewritten_meanwhile(one: Attack) -> str:
    """Ask for a stricter rule alone, and let its text become another one before the publisher looks."""
    tighten(one.me.user)
    sent = {**shown_alone(), "reason": "Hurry.", "rule": TWO_UNITS}
    asked = one.me.client.post(f"{PUBLISH}alone/", sent)
    return_rules(by=a_user("reviewer"), rule_ids=[TWO_UNITS], reason="No.")
    emil = a_user("emil")
    record = Rule.objects.get(rule_id=TWO_UNITS, state="draft").to_record()
    change_rule(by=emil, rule=replace(record, summary="Words of another person."))
    submit_rules(by=emil, rule_ids=[TWO_UNITS])
    return said(answered(one.me.client, asked))


def alone_what_was_rewritten_before_the_button(one: Attack) -> str:
    tighten(one.me.user)
    before = shown_alone()
    return_rules(by=a_user("reviewer"), rule_ids=[TWO_UNITS], reason="No.")
    record = Rule.objects.get(rule_id=TWO_UNITS, state="draft").to_record()
    change_rule(by=one.me.user, rule=replace(record, summary="Other words."))
    submit_rules(by=one.me.user, rule_ids=[TWO_UNITS])
    return alone(one.me, rule=TWO_UNITS, **before)


# --- Proposals of the starter corpus ---


def propose_an_energy(folder: Path) -> CorpusProposal:
    """Let the next corpus say that a model has less energy."""
    folder.mkdir()
    devices = [replace(row, watt_hour=Decimal(99)) if row.model_id == PUMA else row for row in drawn.DEVICES]
    for name, rows in (
        ("sources", drawn.SOURCES),
        ("airline_policies", drawn.AIRLINES),
        ("devices", devices),
    ):
        (folder / f"{name}.json").write_bytes(msgspec.json.encode(rows))
    propose(folder, now=timezone.now(), kinds=[KIND_OF[name] for name in ("sources", "airlines", "devices")])
    return CorpusProposal.objects.get(record_id=PUMA)


def decide(by: Person, way: str, found: CorpusProposal, **fields: str) -> str:
    path = f"/admin/compliance/corpusproposal/{way}/?p={found.pk}"
    page = by.client.get(path).content.decode()
    seen = page.partition(f'name="seen-{found.pk}" value="')[2].partition('"')[0]
    answer = by.post(path, **{f"seen-{found.pk}": seen, **fields})
    return "" if answer.status_code in (200, 302) else said(answer)


# --- Plans ---


def plan_what_waits_too_long_by_then(one: Attack) -> str:
    """Plan something milder while a release of one person waits, for a time after its day is over."""
    tighten(one.me.user)
    assert alone(one.me, rule=TWO_UNITS) == ""
    one.clock.shift(MINUTE)
    ready(Person("other", "Editor"), one.clock)
    due = START + gate.PATIENCE + 10 * MINUTE
    assert plan(Person("publisher", "Publisher"), due=f"{due:%Y-%m-%dT%H:%M}") == ""
    one.clock.move_to(due)
    carry_out_plans(now=due)
    return PlannedRelease.objects.get().failure


def plan_and_read_until_then(one: Attack) -> str:
    tighten(a_user("other"))
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    read_again(a_user("reader"), "northwing-page")
    assert plan(one.me) == ""
    assert said(save(one.me, "/admin/catalog/source/northwing-page/change/", title="Newer rules")) == ""  # type: ignore[arg-type]
    one.clock.move_to(LATER)
    carry_out_plans(now=LATER)
    return PlannedRelease.objects.get().failure


def plan_a_second_one(one: Attack) -> str:
    tighten(a_user("other"))
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    assert plan(Person("publisher", "Publisher")) == ""
    again = keep_selection([f"rules:{TWO_UNITS}"], now=timezone.now())
    return plan(one.me, note="Mine.", choice=again.pk)


def cancel_with_the_second_account(one: Attack) -> str:
    tighten(a_user("other"))
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    assert plan(Person("publisher", "Publisher")) == ""
    return said(one.second.post(f"{PUBLISH}cancel/", plan=str(PlannedRelease.objects.get().pk)))


# --- Holds and roll-backs ---


def hold(one: Attack) -> None:
    """Let two people roll back a release with a new model, which is held back from then on."""
    first = Release.objects.current()
    assert first is not None
    record_device(by=a_user("other"), device=a_device(model_id="lynx-new", model_name="Lynx New"))
    read_again(a_user("reader"), "northwing-page")
    assert publish(Person("publisher", "Publisher")) == ""
    one.clock.shift(MINUTE)
    assert roll_back(Person("publisher", "Publisher"), first, request="yes") == ""
    assert roll_back(Person("other-publisher", "Publisher"), first) == ""
    one.clock.shift(MINUTE)


def release_a_hold_and_publish_alone(one: Attack) -> str:
    hold(one)
    assert said(one.me.post(f"{PUBLISH}let-go/", kind="devices", record="lynx-new")) == ""
    return alone(one.me)


def release_a_hold_with_the_second_account(one: Attack) -> str:
    hold(one)
    return said(one.second.post(f"{PUBLISH}let-go/", kind="devices", record="lynx-new"))


def release_a_hold_that_is_none(one: Attack) -> str:
    return said(one.me.post(f"{PUBLISH}let-go/", kind="rules", record=ONE_UNIT))


def give_the_name_of_a_held_model_to_another(one: Attack) -> str:
    hold(one)
    other = Device.objects.get(pk="heron-9").to_record()
    found = pending.propose(
        MODELS,
        [replace(other, aliases=("Lynx-NEW",))],
        by=one.me.user,
        subject="heron-9",
        reason="Its label.",
    )
    if found is not None:
        pending.approve(found.pk, by=a_user("rita"), tables={"device": MODELS})
    return publish(one.me)


def give_the_name_of_a_held_model_to_a_new_one(one: Attack) -> str:
    hold(one)
    new = a_device(model_id="heron-10", model_name="Heron 10", aliases=("Lynx New", "lynx-new"))
    record_device(by=one.me.user, device=new)
    return publish(one.me)


def lower_while_it_is_held(one: Attack) -> None:
    """Lower a model that is held back, and wait until releases and another edit have come after that."""
    first = Release.objects.current()
    assert first is not None
    publisher = Person("publisher", "Publisher")
    held = a_device(
        model_id="lynx-new",
        model_name="Lynx New",
        capacity_mah=30_000,
        watt_hour=Decimal(108),
        watt_hour_basis="rated",
        sources=("lynx-page",),
    )
    record_device(by=a_user("other"), device=held)
    read_again(a_user("reader"), "lynx-page")
    assert publish(publisher) == ""
    one.clock.shift(MINUTE)
    assert roll_back(publisher, first, request="yes") == ""
    assert roll_back(Person("other-publisher", "Publisher"), first) == ""
    one.clock.shift(MINUTE)
    lowered = replace(held, watt_hour=Decimal("79.2"))
    for by, record in ((one.me.user, lowered), (a_user("erin"), replace(lowered, model_number="LN-1"))):
        found = pending.propose(MODELS, [record], by=by, subject="lynx-new", reason="Its page.")
        assert found is not None
        pending.approve(found.pk, by=a_user("rita"), tables={"device": MODELS})
        for note in ("One.", "Two."):
            one.clock.shift(2 * MINUTE)
            other = Device.objects.get(pk="heron-9").to_record()
            change_device(by=a_user("other"), device=replace(other, notes=f"{note} {found.pk}"))
            assert publish(publisher) == ""
    one.clock.shift(2 * MINUTE)
    letting_go = Person("other-publisher", "Publisher")
    assert said(letting_go.post(f"{PUBLISH}let-go/", kind="devices", record="lynx-new")) == ""


def publish_what_one_wrote_while_it_was_held(one: Attack) -> str:
    lower_while_it_is_held(one)
    read_again(a_user("reader"), "lynx-page")
    return publish(one.me)


def read_for_what_one_wrote_while_it_was_held(one: Attack) -> str:
    lower_while_it_is_held(one)
    read_again(one.me.user, "lynx-page")
    return publish(Person("publisher", "Publisher"))


def move_the_release_past_what_i_wrote(one: Attack) -> None:
    """Lower an energy; then roll back something else, and let another person write a note of the model."""
    first = Release.objects.current()
    assert first is not None
    read_again(a_user("other"), "northwing-page")
    assert publish(Person("publisher", "Publisher")) == ""
    one.clock.shift(2 * MINUTE)
    assert lower(one.me) == ""
    assert approve_set(Person("reviewer", "Reviewer")) == ""
    one.clock.shift(2 * MINUTE)
    assert roll_back(one.me, first) == ""
    one.clock.shift(2 * MINUTE)
    lowered = Device.objects.get(pk=PUMA).to_record()
    change_device(by=a_user("erin"), device=replace(lowered, notes="Seen."))


def publish_what_one_wrote_before_a_roll_back(one: Attack) -> str:
    move_the_release_past_what_i_wrote(one)
    read_again(a_user("reader"), "puma-page")
    return publish(one.me)


def read_for_what_one_wrote_before_a_roll_back(one: Attack) -> str:
    move_the_release_past_what_i_wrote(one)
    read_again(one.me.user, "puma-page")
    return publish(Person("publisher", "Publisher"))


def roll_back_to_what_one_wrote_before_a_roll_back(one: Attack) -> str:
    move_the_release_past_what_i_wrote(one)
    read_again(a_user("reader"), "puma-page")
    assert publish(Person("publisher", "Publisher")) == ""
    mild = Release.objects.current()
    assert mild is not None
    one.clock.shift(2 * MINUTE)
    correct = replace(Device.objects.get(pk=PUMA).to_record(), watt_hour=Decimal(111))
    change_device(by=a_user("other"), device=correct)
    assert publish(Person("publisher", "Publisher")) == ""
    one.clock.shift(2 * MINUTE)
    assert roll_back(one.me, mild, request="yes") == ""
    return roll_back(Person("publisher", "Publisher"), mild)


def lower_on_the_last_reading_while_it_is_held(one: Attack) -> str:
    lower_while_it_is_held(one)
    return publish(Person("publisher", "Publisher"))


def a_mild_release_of_mine(one: Attack) -> Release:
    """Write a lower energy, let others publish it, and then correct it. Return the milder release."""
    assert lower(one.me) == ""
    assert approve_set(Person("reviewer", "Reviewer")) == ""
    one.clock.shift(MINUTE)
    read_again(a_user("reader"), "puma-page")
    assert publish(Person("publisher", "Publisher")) == ""
    mild = Release.objects.current()
    assert mild is not None
    one.clock.shift(MINUTE)
    other = Person("other", "Editor")
    assert said(save(other, f"/admin/catalog/device/{PUMA}/change/", watt_hour="111")) == ""  # type: ignore[arg-type]
    assert approve_set(Person("reviewer", "Reviewer")) == ""
    assert publish(Person("publisher", "Publisher")) == ""
    one.clock.shift(MINUTE)
    return mild


def roll_back_to_the_own_energy(one: Attack) -> str:
    """Write a lower energy, see it corrected, and request the way back."""
    mild = a_mild_release_of_mine(one)
    before = verdicts()
    assert roll_back(one.me, mild, request="yes") == ""
    refused = roll_back(Person("publisher", "Publisher"), mild)
    assert verdicts() == before
    return refused


def alone_a_permit_that_a_recall_hides(one: Attack) -> str:
    """Permit a recalled model, which counts as soon as its recall is over."""
    permit = a_rule(rule_id="n1.puma", when=When(model=("puma-50k",)), sources=("northwing-page",))
    draft_rule(by=one.me.user, rule=permit)
    submit_rules(by=one.me.user, rule_ids=["n1.puma"])
    return alone(one.me, rule="n1.puma")


# --- Cases ---


def accept_and_then_write(one: Attack) -> str:
    """Accept a failing case as a stranger to the release, and write in it afterwards."""
    loosen(a_user("other"), approver=a_user(APPROVER))
    one.cases.append(ONE_ONLY)
    assert accept(one.me) == ""
    assert accept(Person("second-reviewer", "Reviewer")) == ""
    assert AcceptedCase.objects.get().counts
    tighten(one.me.user)
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    approve_rules_again(by=a_user("second"), rule_ids=[ONE_UNIT])
    one.clock.shift(MINUTE)
    read_again(a_user("reader"))
    return publish(Person("publisher", "Publisher"))


def accept_another_outcome(one: Attack) -> str:
    loosen(a_user("other"), approver=a_user(APPROVER))
    one.cases.append(ONE_ONLY)
    sent = {"name": ONE_ONLY.name, "reason": "So.", "shown": "0" * 64}
    return said(one.me.post(f"{PUBLISH}accept-case/", **sent))


def reopen_a_case_with_the_second_account(one: Attack) -> str:
    return said(one.second.post(f"{PUBLISH}reopen-case/", name=ONE_ONLY.name))


def publish_something_milder_on_an_old_failure(one: Attack) -> str:
    """Break a case alone, by something stricter; then it fails already when something milder comes."""
    question = replace(ONE_ONLY.given, airline="N1", route=("XA", "XB"))
    one.cases.append(replace(ONE_ONLY, given=question, expect=Expect(verdict="allowed")))
    tighten(one.me.user)
    assert alone(one.me, rule=TWO_UNITS) == ""
    strict = verdicts()
    one.clock.shift(MINUTE)
    ready(Person("other", "Editor"), one.clock)
    refused = publish(one.me)
    assert verdicts() == strict
    return refused


# --- What no single question shows ---


def publish_others(one: Attack, *records: RuleRecord) -> None:
    """Let other people publish some rules."""
    names = [record.rule_id for record in records]
    for record in records:
        draft_rule(by=a_user("other"), rule=record)
    submit_rules(by=a_user("other"), rule_ids=names)
    approve_rules(by=a_user(APPROVER), rule_ids=names)
    assert publish(Person("publisher", "Publisher")) == ""
    one.clock.shift(MINUTE)


def halves() -> tuple[RuleRecord, RuleRecord]:
    """Return a rule that counts units up to 60 Wh, and one that counts those above."""
    up_to = replace(OVER_ONE, when=replace(OVER_ONE.when, watt_hour_up_to=Decimal(60)))
    above = replace(OVER_ONE, when=replace(OVER_ONE.when, watt_hour_over=Decimal(60)))
    return up_to, replace(above, rule_id="n1.approval-over-one-large")


def split_a_rule_that_counts(one: Attack) -> str:
    """Let one rule count units up to 60 Wh and another one those above, so that one of each is not two."""
    publish_others(one, OVER_ONE)
    strict = verdicts()
    up_to, above = halves()
    revise_rules(by=one.me.user, rule_ids=[OVER_ONE.rule_id], reason="Clearer in two.")
    change_rule(by=one.me.user, rule=up_to)
    draft_rule(by=one.me.user, rule=above)
    names = [up_to.rule_id, above.rule_id]
    submit_rules(by=one.me.user, rule_ids=names)
    approve_rules(by=a_user(APPROVER), rule_ids=names)
    assert "No answer would change" in Person("viewer", "Viewer").page().replace("\n", " ")
    refused = publish(one.me)
    assert "it needs a second approval" in refused
    assert verdicts() == strict
    return refused


def raise_a_limit_under_a_stricter_one(one: Attack) -> str:
    """Let a second rule repeat a limit, and raise the limit, so that only the second one has to go later."""
    repeats = replace(Rule.objects.get(rule_id=ONE_UNIT).to_record(), rule_id="s2.one-for-now")
    publish_others(one, repeats)
    strict = verdicts()
    loosen(one.me.user, approver=a_user(APPROVER))
    page = Person("viewer", "Viewer").page().replace("\n", " ")
    assert "No answer would change" in page
    assert "is less strict by itself than before" in page
    refused = publish(one.me)
    assert ONE_UNIT in refused
    assert verdicts() == strict
    return refused


def let_a_model_count_elsewhere(one: Attack) -> str:
    """Lower a model, so that it is counted by another rule than the models it is carried with."""
    publish_others(one, *halves())
    strict = verdicts()
    page = "/admin/catalog/device/lynx-27k/change/"
    assert said(save(one.me, page, watt_hour="55", reason="Label.")) == ""  # type: ignore[arg-type]
    assert approve_set(Person("reviewer", "Reviewer")) == ""
    refused = publish(one.me)
    assert CHANGED_IT in refused
    assert verdicts() == strict
    return refused


def lower_a_model_that_a_recall_hides(one: Attack) -> str:
    """Lower a model all units of which are recalled, so that it counts when the recall is over."""
    page = "/admin/catalog/device/puma-50k/change/"
    assert said(save(one.me, page, watt_hour="55", reason="Label.")) == ""  # type: ignore[arg-type]
    assert approve_set(Person("reviewer", "Reviewer")) == ""
    refused = publish(one.me)
    assert CHANGED_IT in refused
    return refused


def trust_an_airline_before_it_has_rules(one: Attack) -> str:
    """Record an airline as read, so that no one asks about it when its permits come."""
    record = an_airline(airline="U9", icao="XXR", name="Unread Air")
    proposed = pending.propose(AIRLINES, [record], by=one.me.user, subject="U9")
    assert proposed is not None
    assert approve_set(Person("reviewer", "Reviewer")) == ""
    refused = publish(one.me)
    assert CHANGED_IT in refused
    return refused


# --- Revisions ---


def approve_at_the_address_of_an_older_revision(one: Attack) -> str:
    """Open the published revision, and let its button approve the newer one."""
    loosen(a_user("other"))
    older = Rule.objects.get(rule_id=ONE_UNIT, revision=1)
    sent = {"seen": digest(older.to_record())}
    refused = said(one.me.post(f"/admin/rules/rule/{older.pk}/do/approve/", **sent))
    assert Rule.objects.get(rule_id=ONE_UNIT, revision=2).state == "in_review"
    return refused


def approve_what_was_written_again_meanwhile(one: Attack) -> str:
    """Approve the text that was returned, although another text was submitted since."""
    loosen(a_user("other"))
    row = Rule.objects.get(rule_id=ONE_UNIT, revision=2)
    seen = digest(row.to_record())
    return_rules(by=a_user("reviewer"), rule_ids=[ONE_UNIT], reason="No.")
    record = replace(row.to_record(), params=replace(row.to_record().params, max_units=9))
    change_rule(by=one.me.user, rule=record)
    submit_rules(by=one.me.user, rule_ids=[ONE_UNIT])
    return press(Person("reviewer", "Reviewer"), "approve", seen=seen)


def keep_the_second_approval_of_an_older_text(one: Attack) -> str:
    """Write another text on top of what two people approved."""
    ready(Person("other", "Editor"), one.clock)
    revise_rules(by=one.me.user, rule_ids=[ONE_UNIT], reason="More.")
    record = Rule.objects.get(rule_id=ONE_UNIT, state="draft").to_record()
    change_rule(by=one.me.user, rule=replace(record, params=replace(record.params, max_units=9)))
    submit_rules(by=one.me.user, rule_ids=[ONE_UNIT])
    approve_rules(by=a_user(APPROVER), rule_ids=[ONE_UNIT])
    return publish(Person("publisher", "Publisher"))


def discard_the_own_words(one: Attack) -> None:
    """Write two units, get them back, and discard the draft. The rows do not know it any more."""
    loosen(one.me.user)
    return_rules(by=a_user("rita"), rule_ids=[ONE_UNIT], reason="Why?")
    assert press(one.me, "discard", reason="A slip.") == ""
    assert not Rule.objects.filter(rule_id=ONE_UNIT, authors__contains=[one.me.user.pk]).exists()


def approve_the_own_discarded_words_that_another_wrote(one: Attack) -> str:
    discard_the_own_words(one)
    loosen(a_user("erin"))
    assert press(one.me, "approve") == ""
    approve_rules_again(by=a_user("rita"), rule_ids=[ONE_UNIT])
    one.clock.shift(MINUTE)
    read_again(a_user("reader"))
    return publish(Person("publisher", "Publisher"))


def approve_again_the_own_discarded_words_that_another_wrote(one: Attack) -> str:
    discard_the_own_words(one)
    loosen(a_user("erin"), approver=a_user(APPROVER))
    assert press(one.me, "approve_again") == ""
    one.clock.shift(MINUTE)
    read_again(a_user("reader"))
    return publish(Person("publisher", "Publisher"))


def read_for_the_own_discarded_words_that_another_wrote(one: Attack) -> str:
    discard_the_own_words(one)
    loosen(a_user("erin"), approver=a_user(APPROVER), second=a_user("second"))
    one.clock.shift(MINUTE)
    read_again(one.me.user)
    return publish(Person("publisher", "Publisher"))


def publish_the_own_discarded_words_that_another_wrote(one: Attack) -> str:
    discard_the_own_words(one)
    ready(Person("erin", "Editor"), one.clock)
    return publish(one.me)


def accept_a_case_of_the_own_discarded_words(one: Attack) -> str:
    discard_the_own_words(one)
    loosen(a_user("erin"), approver=a_user(APPROVER))
    one.cases.append(ONE_ONLY)
    return accept(one.me)


def approve_the_end_of_a_recall_that_one_wrote_and_discarded(one: Attack) -> str:
    names = ["xb-puma-30k-2026"]
    for by in (one.me.user, a_user("erin")):
        withdraw_recalls(by=by, recall_ids=names, reason="Its authority ended it.")
        submit_recalls(by=by, recall_ids=names)
        if by == one.me.user:
            return_recalls(by=a_user("rita"), recall_ids=names, reason="Why?")
            discard_recalls(by=by, recall_ids=names, reason="A slip.")
    approve_recalls(by=one.me.user, recall_ids=names)
    approve_recalls_again(by=a_user("rita"), recall_ids=names)
    one.clock.shift(MINUTE)
    for source in Recall.objects.get(recall_id=names[0], revision=1).to_record().sources:
        reread_source(by=a_user("reader"), source_id=source, read_on=timezone.localdate())
    return publish(Person("publisher", "Publisher"))


def alone_nothing(one: Attack) -> str:
    """Open a second approval, to have one that anyone closes."""
    return alone(one.me)


def go_back_and_forward_again(one: Attack) -> str:
    """Roll back alone to what is stricter, and forward to what is milder, as if it were undone."""
    strict = Release.objects.current()
    assert strict is not None
    ready(Person("other", "Editor"), one.clock)
    assert publish(Person("publisher", "Publisher")) == ""
    mild = Release.objects.current()
    assert mild is not None
    one.clock.shift(MINUTE)
    assert roll_back(one.me, strict) == ""
    one.clock.shift(MINUTE)
    return roll_back(one.me, mild)


def use_a_request_for_an_earlier_release(one: Attack) -> str:
    """Let another publisher's request for a roll-back count after other releases."""
    mild = Release.objects.current()
    assert mild is not None
    tighten(a_user("other"))
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    assert publish(Person("publisher", "Publisher")) == ""
    one.clock.shift(MINUTE)
    assert roll_back(Person("publisher", "Publisher"), mild, request="yes") == ""
    known = Recall.objects.get(recall_id=MASKED).to_record()
    draft_recall(by=a_user("other"), recall=replace(known, recall_id="xa-puma-50k-2026"))
    submit_recalls(by=a_user("other"), recall_ids=["xa-puma-50k-2026"])
    approve_recalls(by=a_user(APPROVER), recall_ids=["xa-puma-50k-2026"])
    assert publish(Person("publisher", "Publisher")) == ""
    one.clock.shift(MINUTE)
    return roll_back(one.me, mild)


# --- Keys and partners ---


def publish_with_a_key(one: Attack) -> str:
    """Send the key of a partner instead of a session."""
    now = timezone.now()
    record_partner(by=one.me.user, now=now, slug="acme", agreement=AGREEMENT)
    key = issue_key(by=one.me.user, now=now, partner="acme").plain.reveal()
    ready(Person("other", "Editor"), one.clock)
    headers = {"authorization": f"Bearer {key}", "x-service-key": key, "accept": "text/html"}
    return where(Client(headers=headers).post(PUBLISH, {"note": "News."}))


def publish_as_a_partner_manager(one: Attack) -> str:
    ready(Person("other", "Editor"), one.clock)
    return publish(Person("manager", "Partner manager"))


def approve_as_a_partner_manager(one: Attack) -> str:
    loosen(one.me.user)
    return press(Person("manager", "Partner manager", "Auditor"), "approve")


def make_a_partner_with_the_second_account(one: Attack) -> str:
    return said(one.second.post("/admin/compliance/partner/add/", slug="acme", name="Acme"))


ATTACKS: list[tuple[str, Callable[[Attack], str]]] = [
    ("you proposed this, so another person must confirm it", confirm_the_own_new_words),
    (LOST, record_a_page_that_lost_a_quote_as_a_new_source),
    (LOST, point_another_source_at_a_page_that_lost_a_quote),
    (OWN_READING, read_the_own_evidence_by_a_signal),
    (OWN_EVIDENCE, read_by_a_signal_and_publish),
    (OWN_EVIDENCE, confirm_an_unchanged_page_and_publish),
    ("the page has changed again since it was shown", confirm_an_older_text),
    (FORBIDDEN, still_true_with_the_second_account),
    (FORBIDDEN, dismiss_with_the_second_account),
    (OWN, revise_from_a_signal_and_approve),
    (OWN_PUBLISHING, accept_findings_and_publish),
    (FORBIDDEN, accept_a_finding_with_the_second_account),
    (FORBIDDEN, reopen_a_finding_with_the_second_account),
    (OWN, approve_the_own_disagreement),
    (NOTHING_CHOSEN, alone_the_end_of_a_disagreement),
    (OWN, import_a_looser_rule_and_approve),
    ("is in review; it can be changed only after it is returned", import_over_a_rule_in_review),
    ("There is no column `approved_by`", import_an_approval),
    (OWN, import_a_recall_for_fewer_and_approve),
    (OWN, import_a_sheet_of_airlines_and_approve),
    (OWN, write_notes_for_partners_and_approve),
    (CHANGED_IT, publish_what_one_wrote_first_and_another_corrected),
    (CHANGED_IT, publish_what_one_approved),
    ("record the page where this was read", lower_on_evidence_never_read),
    ("read it again after", lower_on_the_last_reading),
    ("read it again after", lower_on_a_page_that_was_read_for_something_else),
    (OWN_READING, lower_on_the_own_reading),
    (OWN, approve_the_own_words_that_another_saved),
    (OWN, approve_the_own_figure_that_another_wrote_in_another_way),
    (OWN, approve_the_own_names_that_another_saved_in_another_order),
    ("is about other records, so this does not replace it", discard_a_set_about_another_model),
    ("you wrote something in the next release", accept_a_case_of_the_own_words_that_another_corrected),
    (CHANGED_IT, publish_the_own_words_that_another_corrected),
    (AFTER, alone_what_was_rewritten_meanwhile),
    (AFTER, alone_what_was_rewritten_before_the_button),
    ("alone more than 24 hours ago", plan_what_waits_too_long_by_then),
    ("source northwing-page was changed after it was planned", plan_and_read_until_then),
    ("is already planned for", plan_a_second_one),
    (FORBIDDEN, cancel_with_the_second_account),
    (NOTHING_CHOSEN, release_a_hold_and_publish_alone),
    (FORBIDDEN, release_a_hold_with_the_second_account),
    ("is not held back", release_a_hold_that_is_none),
    (CHANGED_IT, give_the_name_of_a_held_model_to_another),
    (CHANGED_IT, give_the_name_of_a_held_model_to_a_new_one),
    (CHANGED_IT, publish_what_one_wrote_while_it_was_held),
    (OWN_READING, read_for_what_one_wrote_while_it_was_held),
    ("read it again after", lower_on_the_last_reading_while_it_is_held),
    (CHANGED_IT, publish_what_one_wrote_before_a_roll_back),
    ("its own author recorded the reading", read_for_what_one_wrote_before_a_roll_back),
    (WROTE_IT, roll_back_to_what_one_wrote_before_a_roll_back),
    (WROTE_IT, roll_back_to_the_own_energy),
    (WROTE_IT, roll_back_to_the_own_energy_that_another_requested),
    (ADDS, alone_a_permit_that_a_recall_hides),
    ("block publishing", accept_and_then_write),
    ("now fails in another way than was shown", accept_another_outcome),
    (FORBIDDEN, reopen_a_case_with_the_second_account),
    ("about several models in one bag, or as soon as", split_a_rule_that_counts),
    ("it needs a second approval", raise_a_limit_under_a_stricter_one),
    ("no longer counts together with other models", let_a_model_count_elsewhere),
    ("model puma-50k: says something from which answers", lower_a_model_that_a_recall_hides),
    ("airline U9: says something from which answers", trust_an_airline_before_it_has_rules),
    ("because answers become less strict", publish_something_milder_on_an_old_failure),
    ("has a newer revision; this is revision 1", approve_at_the_address_of_an_older_revision),
    ("has changed since you opened it", approve_what_was_written_again_meanwhile),
    ("it needs a second approval", keep_the_second_approval_of_an_older_text),
    (WROTE_BEFORE, approve_the_own_discarded_words_that_another_wrote),
    (WROTE_BEFORE, approve_again_the_own_discarded_words_that_another_wrote),
    (OWN_READING, read_for_the_own_discarded_words_that_another_wrote),
    (OWN_PUBLISHING, publish_the_own_discarded_words_that_another_wrote),
    ("you wrote something in the next release", accept_a_case_of_the_own_discarded_words),
    (WROTE_BEFORE, approve_the_end_of_a_recall_that_one_wrote_and_discarded),
    (NOTHING_CHOSEN, alone_nothing),
    (TWO_PEOPLE, go_back_and_forward_again),
    (TWO_PEOPLE, use_a_request_for_an_earlier_release),
    (SIGN_IN, publish_with_a_key),
    (FORBIDDEN, publish_as_a_partner_manager),
    (FORBIDDEN, approve_as_a_partner_manager),
    (FORBIDDEN, make_a_partner_with_the_second_account),
]
OTHERS_FIRST = {
    go_back_and_forward_again,
    let_a_model_count_elsewhere,
    plan_what_waits_too_long_by_then,
    publish_something_milder_on_an_old_failure,
    raise_a_limit_under_a_stricter_one,
    roll_back_to_the_own_energy,
    roll_back_to_the_own_energy_that_another_requested,
    split_a_rule_that_counts,
    use_a_request_for_an_earlier_release,
}
"""Attacks that begin with a release that goes: a stricter one, or one of enough people."""


@pytest.fixture
def one(world: time_machine.Traveller, cases: list[Case]) -> Attack:
    return Attack(Person("mallory", *EVERY_ROLE), Person("mallory-too", "Viewer"), world, cases)


@pytest.mark.parametrize(("sentence", "attack"), ATTACKS, ids=[attack.__name__ for _, attack in ATTACKS])
def test_it_is_refused(one: Attack, sentence: str, attack: Callable[[Attack], str]) -> None:
    before = verdicts()
    refusal = attack(one)
    assert refusal.startswith(sentence) if sentence in (FORBIDDEN, SIGN_IN) else sentence in refusal
    if attack not in OTHERS_FIRST:
        assert verdicts() == before


def test_all_authors_of_a_corrected_change_set_and_not_its_approver_wrote_what_is_new(one: Attack) -> None:
    """They are the authors of a release that one person publishes alone, too."""
    found = returned_to_me(one)
    assert lower(Person("emil", "Editor"), replaces=str(found.pk)) == ""
    rita = Person("rita", "Reviewer", "Publisher")
    assert approve_set(rita) == ""
    authors = authors_of(Release.objects.current(), compile_content())
    assert authors == {one.me.user.pk, a_user("emil").pk}
    # She approved it, so she does not publish it.
    assert CHANGED_IT in publish(rita)


def test_who_wrote_in_a_model_while_it_was_held_wrote_what_is_new(one: Attack) -> None:
    lower_while_it_is_held(one)
    assert one.me.user.pk in authors_of(Release.objects.current(), compile_content())
    read_again(a_user("reader"), "lynx-page")
    assert publish(Person("publisher", "Publisher")) == ""


def test_an_approver_of_a_change_set_keeps_what_they_accepted(one: Attack) -> None:
    loosen(a_user("other"), approver=a_user(APPROVER))
    one.cases.append(ONE_ONLY)
    rita = Person("rita", "Reviewer")
    assert (accept(rita), accept(Person("second-reviewer", "Reviewer"))) == ("", "")
    assert lower(Person("emil", "Editor")) == ""
    assert approve_set(rita) == ""
    assert not candidate(one.cases).unaccepted


def test_an_energy_of_the_next_corpus_is_not_approved_by_who_accepted_it(one: Attack, tmp_path: Path) -> None:
    before = verdicts()
    found = propose_an_energy(tmp_path / "next")
    assert decide(one.second, "accept", found).startswith(FORBIDDEN)
    assert decide(one.second, "decline", found, reason="No.").startswith(FORBIDDEN)
    assert decide(one.me, "accept", found) == ""
    assert OWN in approve_set(one.me)
    assert approve_set(Person("reviewer", "Reviewer")) == ""
    assert CHANGED_IT in publish(one.me)
    assert verdicts() == before
    assert [entry.done_by.username for entry in audit_log("device", PUMA) if entry.verb == "submit"] == [
        "mallory"
    ]


def test_a_declined_proposal_stays_in_the_log(one: Attack, tmp_path: Path) -> None:
    found = propose_an_energy(tmp_path / "next")
    assert decide(one.me, "decline", found, reason="Not so.") == ""
    found.refresh_from_db()
    assert (found.state, found.decided_by) == ("declined", one.me.user)
    assert said(one.me.post(f"/admin/compliance/corpusproposal/{found.pk}/delete/", post="yes")).startswith(
        FORBIDDEN
    )


def test_with_enough_people_signals_and_change_sets_let_the_milder_out(one: Attack) -> None:
    """The refusals above come from the missing people."""
    before = verdicts()
    watch(one)
    loosen(one.me.user, approver=a_user(APPROVER), second=a_user("second"))
    assert button(Person("reader", "Editor"), "still-true") == ""
    assert lower(one.me) == ""
    assert approve_set(Person("reviewer", "Reviewer")) == ""
    read_again(a_user("reader"), "puma-page")
    assert publish(Person("publisher", "Publisher")) == ""
    assert verdicts() != before
