"""Who may do what in the admin: every role at every address, to look and to send.

The table says who may; whoever has several roles may what any of them may. An address without a line in the
table fails, so a new page comes with the decision who may reach it.
"""

import math
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.template.response import SimpleTemplateResponse
from django.test import Client
from django.urls.resolvers import RegexPattern
from django.utils import timezone

from aeo import editions
from aeo.discovery.actions import choose_pages
from aeo.guides.editing.actions import draft_guide
from aeo.guides.editing.models import GuideText
from aeo.guides.editing.records import of_the_program
from aeo.page_records.models import Curation, IndexedPage
from catalog.airports.actions import record_airport_facts
from catalog.devices.bulk import DEVICES
from catalog.editorial.pending.actions import propose
from catalog.editorial.workflow import EditorAction
from catalog.models import AuditEntry
from checks.hostile.addresses import PLACE, admin_patterns
from compliance.models import Comment, CorpusProposal
from compliance.partners.actions.keys import issue_key
from compliance.partners.actions.partners import record_partner
from compliance.partners.webhooks.actions import Subscription, register_webhook
from compliance.signin.groups import EDITOR, GROUPS, PARTNER_MANAGER, PUBLISHER, REVIEWER, VIEWER
from recalls.feeds.actions import suspect, take_in
from recalls.feeds.matching import Catalog
from recalls.models import FeedNotice, Recall
from rules.case_editing.actions import draft_case
from rules.cases import load_cases
from rules.disagreements.actions import draft_disagreement
from rules.editing.actions import draft_rule
from rules.impact.actions.measuring import measure_revisions
from rules.models import Disagreement, Rule, VerdictCase
from rules.publishing.actions.releases import Shown, publish_release
from rules.publishing.actions.requests import request_publishing
from tests.compliance.records.verdict_log.answers import a_leg, keep
from tests.support.announcements import an_announcement
from tests.support.factories import a_device, a_disagreement, a_notice, a_rule, a_user, an_airport_fact
from tests.support.partners import AGREEMENT
from tests.support.watched_pages import ONE, a_letter, a_page, a_run, a_signal
from tests.support.world import build_world

pytestmark = pytest.mark.usefixtures("fresh_desk")


NO_GROUP = "nobody in particular"
ROLES = {**{name: {name} for name in GROUPS}, "editor and publisher": {EDITOR, PUBLISHER}, NO_GROUP: set()}

Who = frozenset[str]
ALL: Who = frozenset([*GROUPS, NO_GROUP])
NONE: Who = frozenset()
DESK: Who = frozenset({EDITOR, REVIEWER, PUBLISHER, VIEWER})
WRITE: Who = frozenset({EDITOR})
REVIEW: Who = frozenset({REVIEWER})
PUBLISH: Who = frozenset({PUBLISHER})
TALK: Who = frozenset({EDITOR, REVIEWER, PUBLISHER})
MANAGE: Who = frozenset({PARTNER_MANAGER})
KNOWN: Who = DESK | MANAGE


def screens(
    model: str, view: Who, *, add: Who = NONE, change: Who = NONE, delete: Who = NONE
) -> dict[str, tuple[Who, Who]]:
    """Return the lines of a model's screens."""
    return {
        f"{model}_changelist": (view, view),
        f"{model}_add": (add, add),
        f"{model}_change": (view, change),
        f"{model}_history": (view, view),
        f"{model}_delete": (delete, delete),
    }


def read_only_screens(model: str) -> dict[str, tuple[Who, Who]]:
    """Return the lines of a model with pages of its own, which show the same however they are asked for."""
    return screens(model, DESK, change=DESK)


def bulk(model: str) -> dict[str, tuple[Who, Who]]:
    """Return the lines of a model's import and export."""
    return {
        f"{model}_import": (WRITE, WRITE),
        # Nobody has chosen a file.
        f"{model}_import_part": (NONE, NONE),
        f"{model}_export": (DESK, DESK),
    }


def saved_searches(model: str) -> dict[str, tuple[Who, Who]]:
    """Return the lines of the saved searches of a list: everyone who sees the list has their own."""
    return {f"{model}_save_search": (NONE, DESK), f"{model}_forget_search": (NONE, DESK)}


def action_screens(model: str) -> dict[str, tuple[Who, Who]]:
    """Return the lines of the buttons of a kind of revisions."""
    written = (EditorAction.REVISE, EditorAction.WITHDRAW, EditorAction.DISCARD, EditorAction.SUBMIT)
    reviewed = (EditorAction.RETURN, EditorAction.APPROVE, EditorAction.APPROVE_AGAIN, EditorAction.TAKE_BACK)
    many_written, many_reviewed = (
        (EditorAction.DISCARD, EditorAction.SUBMIT),
        (EditorAction.RETURN, EditorAction.APPROVE, EditorAction.APPROVE_AGAIN),
    )
    return {
        **{f"{model}_do_many {action}": (WRITE, WRITE) for action in many_written},
        **{f"{model}_do_many {action}": (REVIEW, REVIEW) for action in many_reviewed},
        **{f"{model}_do {action}": (WRITE, WRITE) for action in written},
        **{f"{model}_do {action}": (REVIEW, REVIEW) for action in reviewed},
    }


MAY: dict[str, tuple[Who, Who]] = {
    # Everybody who signs in.
    "index": (ALL, ALL),
    "login": (ALL, ALL),
    "sign-in": (ALL, ALL),
    "logout": (NONE, ALL),
    "second-factor": (ALL, ALL),
    "verify": (ALL, ALL),
    "recover": (ALL, ALL),
    "set-up": (ALL, ALL),
    "renew": (ALL, ALL),
    "sessions": (ALL, ALL),
    "sign-out-everywhere": (NONE, ALL),
    "stay": (ALL, NONE),
    "passkeys": (ALL, ALL),
    "add-passkey": (NONE, ALL),
    "remove-passkey": (NONE, ALL),
    "passkey": (ALL, ALL),
    # Without a link from a mail there is nothing to unlock.
    "unlock": (NONE, NONE),
    "password_change": (ALL, ALL),
    "password_change_done": (ALL, NONE),
    "jsi18n": (ALL, NONE),
    # What a person is told: everyone's own. A secret that no one has finds no feed.
    "news": (ALL, NONE),
    "choose-mails": (NONE, ALL),
    "renew-feed": (NONE, ALL),
    "feed": (NONE, NONE),
    # Comments on a rule, and who does it. Another person wrote the comment.
    "conversation": (DESK, NONE),
    "go": (DESK, NONE),
    "comment": (NONE, TALK),
    "assign": (NONE, TALK),
    "remove-comment": (NONE, NONE),
    # They find only what somebody may look at.
    "search": (ALL, ALL),
    "autocomplete": (DESK, NONE),
    "app_list": (DESK, DESK),
    "elsewhere": (NONE, NONE),
    # The desk.
    "findings": (DESK, DESK),
    "accept": (REVIEW, REVIEW),
    "reopen": (NONE, REVIEW),
    "changes": (DESK, DESK),
    "save_search": (NONE, DESK),
    "forget_search": (NONE, DESK),
    **saved_searches("catalog_changeset"),
    **saved_searches("rules_rule"),
    **saved_searches("recalls_recall"),
    **saved_searches("rules_disagreement"),
    **saved_searches("rules_watchsignal"),
    **screens("catalog_auditentry", DESK),
    "catalog_auditentry_history": (DESK, NONE),
    # What a newer starter corpus proposes.
    **read_only_screens("compliance_corpusproposal"),
    "compliance_corpusproposal_accept": (WRITE | REVIEW, WRITE | REVIEW),
    "compliance_corpusproposal_decline": (WRITE | REVIEW, WRITE | REVIEW),
    "compliance_corpusproposal_measure": (DESK, DESK),
    # The catalog.
    **read_only_screens("catalog_changeset"),
    "catalog_changeset_do approve": (REVIEW, REVIEW),
    "catalog_changeset_do return": (REVIEW, REVIEW),
    "catalog_changeset_do discard": (WRITE, WRITE),
    # Only what was approved is undone; this one waits.
    "catalog_changeset_undo": (NONE, NONE),
    "catalog_changeset_do_many approve": (REVIEW, REVIEW),
    "catalog_changeset_do_many return": (REVIEW, REVIEW),
    "catalog_changeset_do_many discard": (WRITE, WRITE),
    **screens("catalog_airline", DESK, add=WRITE, change=WRITE, delete=WRITE),
    **bulk("catalog_airline"),
    **screens("catalog_airportfact", DESK, add=WRITE, change=WRITE, delete=WRITE),
    **bulk("catalog_airportfact"),
    **screens("catalog_brand", DESK, add=WRITE, change=WRITE, delete=WRITE),
    **screens("catalog_country", DESK),
    **screens("catalog_device", DESK, add=WRITE, change=WRITE, delete=WRITE),
    **bulk("catalog_device"),
    "catalog_device_grid": (WRITE, WRITE),
    "catalog_device_duplicates": (DESK, DESK),
    "catalog_device_merge": (WRITE, WRITE),
    "catalog_device_label": (DESK, WRITE),
    # There is no such picture.
    "catalog_device_label_picture": (NONE, NONE),
    "catalog_device_label_remove": (NONE, NONE),
    **screens("catalog_jurisdiction", DESK),
    **screens("catalog_source", DESK, add=WRITE, change=WRITE, delete=WRITE),
    **bulk("catalog_source"),
    "catalog_source_read_again": (WRITE | REVIEW, WRITE | REVIEW),
    # Disagreements, which change no answer and so take no second approval.
    **screens("rules_disagreement", DESK, add=WRITE, change=WRITE),
    **{
        name: who for name, who in action_screens("rules_disagreement").items() if "approve_again" not in name
    },
    **bulk("rules_disagreement"),
    # Verdict cases. No one takes one back alone: it counts from its approval on.
    **screens("rules_verdictcase", DESK, add=WRITE, change=WRITE),
    **{
        name: who
        for name, who in action_screens("rules_verdictcase").items()
        if "approve_again" not in name and "take_back" not in name
    },
    "rules_verdictcase_ask": (DESK, DESK),
    # Guides. No one takes one back alone: readers see it from its approval on.
    **screens("aeo_guidetext", DESK, add=WRITE, change=WRITE),
    **{
        name: who
        for name, who in action_screens("aeo_guidetext").items()
        if "approve_again" not in name and "take_back" not in name
    },
    # A row is no language.
    # A row is no language.
    "aeo_guidetext_language": (NONE, NONE),
    "aeo_guidetext_missing": (DESK, WRITE),
    # Rules.
    **screens("rules_rule", DESK, add=WRITE, change=WRITE),
    **action_screens("rules_rule"),
    "rules_rule_reading": (NONE, WRITE),
    "rules_rule_reading_of": (NONE, DESK),
    "rules_rule_try": (NONE, WRITE),
    "rules_rule_try_of": (NONE, DESK),
    **bulk("rules_rule"),
    # Announcements, which are read only once they are made.
    **screens("rules_announcement", DESK, add=WRITE, change=DESK),
    "rules_announcement_meaning": (NONE, WRITE),
    "rules_rule_grid": (WRITE, WRITE),
    # Recalls. The one that is asked about is published, so nobody changes it.
    **screens("recalls_recall", DESK, add=WRITE),
    **action_screens("recalls_recall"),
    **bulk("recalls_recall"),
    "recalls_recall_test": (NONE, WRITE),
    "recalls_recall_test_of": (NONE, DESK),
    # The feeds of recalls.
    **read_only_screens("recalls_feednotice"),
    "recalls_feednotice_draft": (WRITE, WRITE),
    "recalls_feednotice_link": (WRITE, WRITE),
    "recalls_feednotice_set-aside": (WRITE, WRITE),
    "recalls_feednotice_take-up": (WRITE, WRITE),
    "recalls_feednotice_looked": (WRITE, WRITE),
    **screens("recalls_feedstate", DESK),
    "recalls_feedstate_history": (DESK, NONE),
    "recalls_feedstate_accept": (WRITE, WRITE),
    # What would change.
    "rules_impact_publishing": (DESK, DESK),
    "rules_impact_drafts": (DESK, DESK),
    "rules_impact": (DESK, DESK),
    "rules_impact_go_on": (DESK, DESK),
    **screens("rules_impactmeasurement", DESK),
    # It leads on to the page above, which asks who comes.
    "rules_impactmeasurement_change": (ALL, ALL),
    # Releases.
    **screens("rules_release", DESK, change=DESK),
    "rules_release_document": (DESK, DESK),
    "rules_release_compare": (DESK, DESK),
    "rules_release_publish": (DESK, PUBLISH),
    "rules_release_before": (DESK, NONE),
    "rules_release_request": (DESK, NONE),
    "rules_release_measure": (NONE, PUBLISH),
    "rules_release_choose": (NONE, DESK),
    "rules_release_measure-chosen": (NONE, DESK),
    "rules_release_take_back": (REVIEW, REVIEW),
    "rules_release_plan": (NONE, PUBLISH),
    "rules_release_cancel": (NONE, PUBLISH),
    "rules_release_let-go": (NONE, PUBLISH),
    "rules_release_alone": (PUBLISH, PUBLISH),
    "rules_release_measure-alone": (NONE, PUBLISH),
    "rules_release_approve": (NONE, PUBLISH | REVIEW),
    "rules_release_roll_back": (PUBLISH, PUBLISH),
    "rules_release_accept-case": (NONE, REVIEW),
    "rules_release_accept-cases": (NONE, REVIEW),
    "rules_release_reopen-case": (NONE, REVIEW),
    # The watch.
    **read_only_screens("rules_watchsignal"),
    "rules_watchsignal_revise": (NONE, WRITE),
    "rules_watchsignal_still-true": (NONE, WRITE),
    "rules_watchsignal_dismiss": (NONE, WRITE),
    **read_only_screens("rules_watchedpage"),
    "rules_watchedpage_unchanged": (DESK, WRITE),
    "rules_watchedpage_confirm": (NONE, WRITE),
    "rules_watchedpage_visit": (NONE, WRITE),
    "rules_watchedpage_ask": (NONE, WRITE),
    **screens("catalog_deadletter", DESK),
    "catalog_deadletter_history": (DESK, NONE),
    "catalog_deadletter_try_one_again": (WRITE, WRITE),
    **screens("catalog_run", DESK),
    "catalog_run_history": (DESK, NONE),
    # Pages.
    "guides": (DESK, DESK),
    "read_next": (DESK, DESK),
    **screens("aeo_curation", DESK, add=WRITE),
    **screens("aeo_indexedpage", DESK),
    # Partners.
    **screens("compliance_partner", MANAGE, add=MANAGE, change=MANAGE),
    "compliance_partner_issue": (MANAGE, MANAGE),
    "compliance_partner_rotate": (MANAGE, MANAGE),
    "compliance_partner_close": (MANAGE, MANAGE),
    "compliance_partner_invite": (MANAGE, MANAGE),
    "compliance_partner_remove_person": (MANAGE, MANAGE),
    **screens("compliance_partnerkey", MANAGE),
    "compliance_partnerkey_revoke": (MANAGE, MANAGE),
    "compliance_partner_webhook": (MANAGE, MANAGE),
    **screens("compliance_webhook", MANAGE),
    "compliance_webhook_end": (MANAGE, MANAGE),
    "compliance_webhook_test": (MANAGE, MANAGE),
    "compliance_webhook_subscribe": (MANAGE, MANAGE),
    **screens("compliance_webhookdelivery", MANAGE),
    "compliance_webhookdelivery_send_again": (MANAGE, MANAGE),
    # Webhooks of the desk.
    **screens("compliance_deskwebhook", PUBLISH, add=PUBLISH),
    "compliance_deskwebhook_end": (PUBLISH, PUBLISH),
    "compliance_deskwebhook_test": (PUBLISH, PUBLISH),
    "compliance_deskwebhook_subscribe": (PUBLISH, PUBLISH),
    "compliance_deskwebhook_resume": (PUBLISH, PUBLISH),
    **screens("compliance_deskdelivery", PUBLISH),
    "compliance_deskdelivery_send_again": (PUBLISH, PUBLISH),
    # The verdict log.
    **screens("compliance_verdictrecord", KNOWN, change=KNOWN),
    # What partners use is on it for partner managers alone.
    "use": (KNOWN, KNOWN),
    "compliance_verdictrecord_replay": (NONE, KNOWN),
    # Accounts: superusers, and whom they allow it by hand.
    **screens("auth_user", NONE),
    "auth_user_password_change": (NONE, NONE),
    "auth_user_reset_second_factor": (NONE, NONE),
    "auth_user_unlock": (NONE, NONE),
    **screens("auth_group", NONE),
}
"""By the name of each address: who may look, and who may send."""


@pytest.fixture
def rows(db: None) -> dict[str, Any]:
    """The key of a row of each model that has screens."""
    build_world(by=a_user("author"))
    record_airport_facts(by=a_user("author"), facts=[an_airport_fact()])
    manager, now = a_user("manager"), timezone.now()
    release = publish_release(by=a_user("publisher"), note="First.", now=now, cases=[])
    draft_rule(by=a_user("author"), rule=a_rule(rule_id="n1.draft"))
    draft = Rule.objects.get(rule_id="n1.draft")
    draft_disagreement(by=a_user("author"), disagreement=a_disagreement())
    draft_case(by=a_user("author"), case=load_cases()[0])
    guide = of_the_program("power-banks-singapore")
    assert guide is not None
    draft_guide(by=a_user("author"), guide=guide)
    measurement = measure_revisions(by=a_user("author"), now=now, revisions=[draft]).pk
    record_partner(by=manager, now=now, slug="acme", agreement=AGREEMENT)
    key = issue_key(by=manager, now=now, partner="acme").row
    webhook = register_webhook(by=manager, now=now, partner="acme", url="https://hooks.acme.example/battery")
    of_the_desk = register_webhook(
        by=manager,
        now=now,
        partner=None,
        url="https://chat.example/hook",
        wants=Subscription(["desk.submitted"]),
    )
    IndexedPage.objects.create(
        path="/p/lynx-10k/n1/xa",
        model_id="lynx-10k",
        airline="N1",
        country="XA",
        rank=1,
        content_hash="0" * 64,
        last_changed=now,
    )
    chosen = choose_pages(
        by=manager,
        choice=Curation(most_pages=1, reason="One will do."),
        edition=editions.current(now),
        now=now,
    )
    page = a_page(says=ONE)
    take_in(a_notice(), catalog=Catalog([]), now=now)
    suspect("cpsc", "Most is gone.", now=now)
    proposal = CorpusProposal.objects.create(
        kind="airlines",
        record_id="N1",
        change="gone",
        corpus=now.date(),
        before={},
        reason="No longer in the corpus.",
        state="open",
        created_at=now,
        created_by=a_user("author"),
    )
    model = a_device(model_id="lynx-new")
    waiting = propose(DEVICES, [model], by=a_user("author"), subject="lynx-new", reason="New.")
    assert waiting is not None
    asked = request_publishing(by=manager, note="News.", shown=Shown("", ""), now=now)
    talked = {"kind": "rule", "subject": draft.rule_id}
    said = Comment.objects.create(text="Hm.", created_at=now, created_by=a_user("author"), **talked)
    return {
        "aeo_curation": chosen.pk,
        "aeo_guidetext": GuideText.objects.get().pk,
        "aeo_indexedpage": "_2Fp_2Flynx-10k_2Fn1_2Fxa",
        "auth_group": Group.objects.get(name=VIEWER).pk,
        "auth_user": manager.pk,
        "catalog_airline": "N1",
        "catalog_airportfact": "xax-storage",
        "catalog_auditentry": AuditEntry.objects.values_list("pk", flat=True)[0],
        "catalog_brand": "lynx",
        "catalog_changeset": waiting.pk,
        "catalog_country": "XA",
        "catalog_deadletter": a_letter().pk,
        "catalog_device": "lynx-10k",
        "catalog_jurisdiction": "INTL",
        "catalog_run": a_run().pk,
        "catalog_source": "xa-page",
        "compliance_corpusproposal": proposal.pk,
        "compliance_deskdelivery": of_the_desk.row.deliveries.get().pk,
        "compliance_deskwebhook": of_the_desk.row.pk.replace("_", "_5F"),
        "compliance_partner": "acme",
        "compliance_partnerkey": key.pk.replace("_", "_5F"),
        "compliance_verdictrecord": keep(a_leg())[0].pk,
        "compliance_webhook": webhook.row.pk.replace("_", "_5F"),
        "compliance_webhookdelivery": webhook.row.deliveries.get().pk,
        "recalls_feednotice": FeedNotice.objects.get().pk,
        "recalls_feedstate": "cpsc",
        "recalls_recall": Recall.objects.values_list("pk", flat=True)[0],
        "rules_announcement": an_announcement(by=a_user("author"), rules=[draft]).pk,
        "rules_disagreement": Disagreement.objects.get().pk,
        "rules_verdictcase": VerdictCase.objects.get().pk,
        "rules_impact": measurement,
        "rules_impactmeasurement": measurement,
        "rules_release": release.pk,
        "rules_release_request": asked.pk,
        "rules_release_take_back": waiting.pk,
        "rules_rule": draft.pk,
        "rules_watchedpage": page.pk,
        "rules_watchsignal": a_signal(page).pk,
        "remove-comment": said.pk,
    }


def addresses(rows: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Return the name of every address with one that leads to something, one for each verb of a button."""
    for path, found in admin_patterns():
        name = found.name or "elsewhere"
        route = str(found.pattern)
        if isinstance(found.pattern, RegexPattern):
            yield name, "/admin/catalog/" if name == "app_list" else "/admin/nowhere/"
        elif name == "elsewhere":
            # Old addresses of rows, which lead on to the form.
            assert route == "<path:object_id>/"
        else:
            before = path[: len(path) - len(PLACE.sub("1", route))]
            models = [model for model in rows if f"{name}_".startswith(f"{model}_")]
            key = str(rows[max(models, key=len)]) if models else "1"
            route = route.replace("<str:file_format>", "csv")
            route = route.replace("<slug:kind>/<path:key>", "rule/n1.draft")
            for action in EditorAction if "<slug:action>" in route else [None]:
                filled = PLACE.sub(key, route.replace("<slug:action>", str(action)))
                yield name if action is None else f"{name} {action}", before + filled


def opened(client: Client, method: str, path: str) -> bool:
    """Tell whether an address lets somebody in. Whatever it does is undone."""
    with transaction.atomic():
        response = getattr(client, method)(path, QUERY.get(path, {}) if method == "get" else {})
        transaction.set_rollback(True)
    assert response.status_code < 500, path
    assert not response.headers.get("Location", "").startswith("/admin/login/"), path
    return response.status_code not in {403, 404, 405}


QUERY = {
    "/admin/autocomplete/": {"app_label": "catalog", "model_name": "deviceevidence", "field_name": "source"}
}
"""What some addresses need to be asked."""


def test_every_role_may_at_every_address_what_the_table_says_and_nothing_else(
    rows: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Who gets a page is what counts here, not what stands on it, which takes most of the time.
    monkeypatch.setattr(SimpleTemplateResponse, "rendered_content", "")
    # Every request is undone, and with it the note that the session is in use: each would note it again.
    monkeypatch.setattr("compliance.signin.session_state.USE_SECONDS", math.inf)
    clients = []
    for role, groups in ROLES.items():
        user = User.objects.create_user(role, is_staff=True)
        user.groups.set(Group.objects.filter(name__in=groups))
        client = Client(headers={"accept": "text/html"})
        client.force_login(user)
        clients.append((role, groups or {NO_GROUP}, client, client.cookies["sessionid"].value))

    wrong = []
    for name, path in addresses(rows):
        if name not in MAY and not name.partition(" ")[1]:
            wrong.append(f"{name} ({path}) has no line in the table")
            continue
        # What is no button of a screen is not there for anybody.
        for method, allowed in zip(("get", "post"), MAY.get(name, (NONE, NONE)), strict=True):
            for role, groups, client, session in clients:
                # Signing out ended the last one.
                client.cookies["sessionid"] = session
                # Two roles are asked for together where one of them may and the other may not.
                if len(groups) > 1 and groups & allowed in (set(), groups):
                    continue
                if opened(client, method, path) != bool(groups & allowed):
                    wrong.append(f"{role}: {method} {name} ({path})")
    assert wrong == []


def test_nothing_stands_in_the_table_that_is_not_there(rows: dict[str, Any]) -> None:
    assert {name for name, _ in addresses(rows)} >= set(MAY) - {"elsewhere"}
