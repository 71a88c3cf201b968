"""What each page of the admin asks the database: as often, however many rows there are.

Every address is looked at, without being named here, for rows that have as much to show as can be. What
cannot be made by the dozen fails.
"""

import math
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from msgspec import to_builtins
from msgspec.structs import replace

from catalog.airlines.actions import change_airline, record_airlines
from catalog.devices.actions import change_device, record_devices
from catalog.editorial.models import Revision
from catalog.editorial.screens.workflow import ACTIONS
from catalog.editorial.workflow import EditorAction
from catalog.places.actions import record_countries, record_jurisdictions
from catalog.records import Certificate, Country, PolicyChange
from catalog.sources.actions import record_sources
from checks.hostile.addresses import admin_addresses
from compliance.models import Assignment, Comment, CorpusProposal, News, Partner
from compliance.partners.actions.keys import issue_key, revoke_key
from compliance.partners.actions.partners import record_partner
from recalls.editing import actions as recalls
from recalls.feeds.actions import mark_missing, suspect, take_in
from recalls.feeds.matching import Catalog
from recalls.models import FeedNotice, FeedRecall, Recall
from rules.editing import actions
from rules.impact.actions.measuring import measure_revisions
from rules.models import Announcement, PublishRequest, Rule, SignalKind, WatchedPage, WatchSignal
from rules.publishing.actions.releases import Shown, publish_release
from rules.publishing.actions.requests import request_publishing
from tests.compliance.records.verdict_log.answers import a_leg, keep
from tests.support.announcements import an_announcement
from tests.support.desk.visiting import Visitor
from tests.support.factories import (
    READ_ON,
    a_device,
    a_jurisdiction,
    a_notice,
    a_recall,
    a_rule,
    a_source,
    a_user,
    an_airline,
)
from tests.support.partners import AGREEMENT
from tests.support.watched_pages import ONE, URL, a_letter, a_page, a_quote, a_run, a_signal, a_visit
from tests.support.world import build_world

pytestmark = pytest.mark.usefixtures("fresh_desk")


PAGE = 100
"""More than any list shows on a page, but for that of the countries."""

BUDGET = 20
"""So many queries no list, no form and no other page needs, whatever is on it."""

OF_EVERY_TABLE = {
    # All that a release holds, and beside it the cases, plans and change sets that decide what can go out.
    "/admin/rules/release/publish/": 29,
}
"""What pages need that ask each table once: all that a release holds."""

NOT_FOUND = ("/admin/unlock/", "/admin/news/1.atom")

DRAFT, IN_REVIEW, REVISED, OFTEN = "many-0", "in-review", "revised", "often"
"""Rules and recalls: a draft, one to review and one that is revised, all of them with every source; and one
that was revised often."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CODES = [f"{first}{second}" for first in "QXYZ" for second in LETTERS] + [
    f"{first}{second}" for first in LETTERS[:12] for second in "0123456789"
]


def grow(by: User, start: int, stop: int) -> None:
    """Add rows of every kind, and make one of each refer to all of the others that it can."""
    now, numbers = timezone.now(), range(start, stop)
    ids = tuple(f"many-{number}" for number in range(stop))
    new = ids[start:]
    record_countries(
        by=by,
        countries=[
            Country(code=f"{LETTERS[10 + n // 26]}{LETTERS[n % 26]}", name=f"Land {n}") for n in numbers
        ],
    )
    record_jurisdictions(
        by=by,
        jurisdictions=[
            a_jurisdiction(code=f"Z{LETTERS[n // 26]}{LETTERS[n % 26]}", name=f"Place {n}", member_of=("XR",))
            for n in numbers
        ],
    )
    record_sources(by=by, sources=[a_source(id=source_id) for source_id in new])
    record_devices(by=by, devices=[a_device(model_id=name, brand=name, sources=ids[:3]) for name in new])
    record_airlines(
        by=by,
        airlines=[
            an_airline(airline=CODES[n], icao=f"Q{LETTERS[n // 26]}{LETTERS[n % 26]}", sources=ids[:3])
            for n in numbers
        ],
    )
    actions.draft_rules(by=by, rules=[a_rule(rule_id=f"n1.{name}", sources=ids[:3]) for name in new])
    recalls.draft_recalls(
        by=by, recalls=[a_recall(recall_id=name, model_id=name, sources=ids[:3]) for name in new]
    )
    changes = tuple(PolicyChange(date=READ_ON, what="One unit.", source=name) for name in ids)
    certificates = tuple(Certificate(mark="CCC", status="valid", source=name) for name in ids)
    full_device = a_device(
        model_id=ids[0], brand=ids[0], sources=ids, certifications=ids, certificates=certificates
    )
    change_device(by=by, device=full_device)
    change_airline(
        by=by,
        airline=an_airline(airline=CODES[0], icao="QAA", sources=ids, changes=changes, notes=ids),
    )
    grow_revisions(by, ids, first=start == 0)
    grow_watch(new, first=start == 0)
    grow_feeds(new, first=start == 0)
    grow_teamwork(by, new)
    keep(*(a_leg() for _ in new))
    grow_proposals(by, numbers)
    for name in new:
        record_partner(by=by, now=now, slug=name, agreement=AGREEMENT)
        issued = issue_key(by=by, now=now, partner=ids[0])
        # Of keys that count there are two at most.
        revoke_key(by=by, now=now, public_id=issued.row.public_id)
        User.objects.create_user(name, is_staff=True).groups.add(Group.objects.create(name=name))
        Permission.objects.create(
            codename=name, name=name, content_type=ContentType.objects.get_for_model(Partner)
        )
    crowd = User.objects.get(username=ids[0])
    crowd.groups.set(Group.objects.all())
    Group.objects.get(name=ids[0]).permissions.set(Permission.objects.all())


def grow_proposals(by: User, numbers: range) -> None:
    """Have the corpus propose something of an airline for each number."""
    CorpusProposal.objects.bulk_create(
        CorpusProposal(
            kind="airlines",
            record_id=CODES[number],
            change="gone",
            corpus=READ_ON,
            before=to_builtins(an_airline(airline=CODES[number])),
            reason="No longer in the corpus.",
            state="open",
            created_at=timezone.now(),
            created_by=by,
        )
        for number in numbers
    )


def grow_revisions(by: User, ids: tuple[str, ...], *, first: bool) -> None:
    """Give every source to rules and recalls at each step of the workflow, and revise others often."""
    reviewer = a_user("reviewer")
    named = (IN_REVIEW, REVISED, OFTEN)
    dotted = tuple(f"n1.{name}" for name in named)
    if first:
        actions.draft_rules(by=by, rules=[a_rule(rule_id=name) for name in dotted])
        recalls.draft_recalls(by=by, recalls=[a_recall(recall_id=name) for name in named])
        agree(by, reviewer, REVISED)
    else:
        actions.return_rules(by=reviewer, rule_ids=dotted[:1], reason="More sources.")
        recalls.return_recalls(by=reviewer, recall_ids=named[:1], reason="More sources.")
    full = (DRAFT, IN_REVIEW, REVISED)
    actions.change_rules(by=by, rules=[a_rule(rule_id=f"n1.{name}", sources=ids) for name in full])
    recalls.change_recalls(by=by, recalls=[a_recall(recall_id=name, sources=ids) for name in full])
    actions.submit_rules(by=by, rule_ids=dotted[:1])
    recalls.submit_recalls(by=by, recall_ids=named[:1])
    for _ in range(2 if first else 8):
        agree(by, reviewer, OFTEN)
    an_announcement(by=by, rules=Rule.objects.filter(rule_id__in=dotted, announced=None).order_by("pk"))


def grow_watch(names: tuple[str, ...], *, first: bool) -> None:
    """Add pages with signals, visits, runs and dead letters; every source stands for the first page."""
    for name in ("", *names) if first else names:
        page = a_page(f"{URL}{name}", says=ONE) if name else a_page(says=ONE)
        for _ in range(3):
            a_visit(page)
        a_signal(page, SignalKind.QUOTE_GONE, quotes=[a_quote(f"n1.{REVISED}", "two power banks")])
        a_letter(page.url)
        a_run()
    page = WatchedPage.objects.get(url=URL)
    for name in names:
        a_visit(page)
        a_page(f"{URL}/{name}/unchanged")


def grow_feeds(names: tuple[str, ...], *, first: bool) -> None:
    """Add notices of feeds, one of them with many recalls and versions, and a review that is open."""
    catalog = Catalog([])
    for name in ("", *names) if first else names:
        take_in(
            a_notice(native_id=name or "crowded", number=f"26-{name}"), catalog=catalog, now=timezone.now()
        )
        full = a_notice(native_id="crowded", remedy=name, raw={"remedy": name})
        take_in(full, catalog=catalog, now=timezone.now())
        row = FeedNotice.objects.get(native_id="crowded")
        FeedRecall.objects.get_or_create(
            notice=row, recall_id=name or OFTEN, model_id="lynx-10k", drafted=True
        )
    mark_missing("cpsc", ["crowded", *names], now=timezone.now())
    suspect("cpsc", "30 notices are gone.", now=timezone.now())


def agree(by: User, reviewer: User, name: str) -> None:
    """Have a rule and a recall say something new and be approved, and open the next revision of each."""
    rule = Rule.objects.get(rule_id=f"n1.{name}", state="draft")
    actions.change_rule(by=by, rule=replace(rule.to_record(), summary=f"Revision {rule.revision}."))
    recall = Recall.objects.get(recall_id=name, state="draft")
    recalls.change_recall(by=by, recall=replace(recall.to_record(), title=f"Revision {recall.revision}"))
    actions.submit_rules(by=by, rule_ids=[f"n1.{name}"])
    actions.approve_rules(by=reviewer, rule_ids=[f"n1.{name}"])
    actions.revise_rules(by=by, rule_ids=[f"n1.{name}"], reason="Once more.")
    recalls.submit_recalls(by=by, recall_ids=[name])
    recalls.approve_recalls(by=reviewer, recall_ids=[name])
    recalls.revise_recalls(by=by, recall_ids=[name], reason="Once more.")


def grow_teamwork(by: User, names: tuple[str, ...]) -> None:
    """Have somebody comment on a draft, and assign and tell the others so, for each name."""
    now = timezone.now()
    for name in names:
        Comment.objects.create(
            kind="rule", subject=f"n1.{DRAFT}", text=name, created_at=now, created_by=by, mentions=[by.pk]
        )
        for person in User.objects.filter(is_superuser=True):
            News.objects.create(
                person=person, cause=name, about="due", kind="rule", subject=name, text=name, made=now
            )
            Assignment.objects.create(
                kind="rule",
                subject=f"n1.{name}",
                name=name,
                assignee=person,
                due=now,
                ends_with_work=True,
                created_at=now,
                created_by=by,
            )


def crowded() -> dict[str, list[Any]]:
    """Return the keys of the rows of each model that have most to show."""
    keys: dict[str, list[Any]] = {
        "catalog/device": ["many-0"],
        "catalog/airline": [CODES[0]],
        "catalog/source": ["many-0"],
        "catalog/brand": ["many-0"],
        "catalog/jurisdiction": ["XR"],
        "rules/announcement": [Announcement.objects.earliest("pk").pk],
        "rules/rule": revisions(Rule, "n1.{}"),
        "rules/watchedpage": [WatchedPage.objects.get(url=URL).pk],
        "rules/watchsignal": [WatchSignal.objects.get(page__url=URL).pk],
        "recalls/recall": revisions(Recall, "{}"),
        "recalls/feednotice": [FeedNotice.objects.get(native_id="crowded").pk],
        "compliance/partner": ["many-0"],
        "auth/user": [User.objects.get(username="many-0").pk],
        "auth/group": [Group.objects.get(name="many-0").pk],
    }
    for model in admin.site._registry:
        room = f"{model._meta.app_label}/{model._meta.model_name}"
        keys.setdefault(room, list(model._default_manager.values_list("pk", flat=True)[:1]))
    return keys


def revisions(model: type[Revision], ids: str) -> list[int]:
    """Return the keys of the newest revision of each record with most to show, and of the first of many."""
    names = [ids.format(name) for name in (DRAFT, IN_REVIEW, REVISED, OFTEN)]
    found: Any = model._default_manager.filter(**{f"{model.id_field}__in": names})
    return list(
        found.exclude(**{model.id_field: names[-1], "revision__gt": 1}).newest().values_list("pk", flat=True)
    )


def pages() -> list[str]:
    """Return every address of the admin, for the fullest rows of each model."""
    keys = crowded()
    found = [f"/admin/{app}/" for app in {room.split("/")[0] for room in keys}]
    # Neither what leads out of the admin nor what nobody has given a name is a page.
    for address in sorted({*admin_addresses()} - {"/admin/1", "/admin/1/", "/admin/r/1/1/"}):
        address = address.replace("/conversation/1/1/", f"/conversation/rule/n1.{DRAFT}/")
        room = "/".join(address.split("/")[2:4])
        offered: Iterable[str] = [""] if "/do/1/" not in address else ACTIONS
        if f"/{room}/do/1/" in address:
            screen: Any = admin.site.get_model_admin(apps.get_model(room.replace("/", ".")))
            offered = screen.many
        for key in keys[room] if f"/{room}/1/" in address else [""]:
            row = quote(str(key).replace("_", "_5F"))
            for action in offered:
                if room == "rules/disagreement" and action == EditorAction.APPROVE_AGAIN:
                    # A disagreement changes no answer, so nobody approves it twice.
                    continue
                filled = address.replace("/do/1/", f"/do/{action}/").replace("/export/1/", "/export/csv/")
                filled = filled.replace("/requests/1/", f"/requests/{PublishRequest.objects.get().pk}/")
                found.append(filled.replace(f"/{room}/1/", f"/{room}/{row}/"))
    return [*found, *choices(), "/admin/search/?q=lynx"]


def choices() -> list[str]:
    """Return what the inputs ask that look up a row as somebody types."""
    fields = [
        ("catalog", "device", "brand"),
        ("catalog", "deviceevidence", "source"),
        ("catalog", "deviceevidence", "device"),
        ("catalog", "airline", "country"),
        ("rules", "rule", "airline"),
        ("recalls", "recall", "device"),
    ]
    names = ("app_label", "model_name", "field_name")
    return [
        f"/admin/autocomplete/?{urlencode(dict(zip(names, field, strict=True)) | {'term': 'a'})}"
        for field in fields
    ]


def costs(visitor: Visitor, paths: list[str]) -> dict[str, int]:
    """Return how often each page asks. What may not be opened so is refused, and some lead on.

    The page that ends a lock is not found without the link of a mail, and a feed without its secret.
    There is no part of an import, no picture and no approved change of that name.
    """
    counted = {}
    for path in paths:
        with CaptureQueriesContext(connection) as queries:
            response = visitor.get(path)
            # An export is written while it is sent.
            b"".join(response) if response.streaming else None
        lost = path in NOT_FOUND or path.endswith(("/import/1/", "/label/1/", "/take-back/1/"))
        expected = {404} if lost else {200, 302, 403, 405}
        assert response.status_code in expected, (path, response.status_code)
        if path.endswith("/change/"):
            assert response.status_code in {200, 302}, path
        counted[path] = len(queries)
    return counted


@pytest.fixture
def boss(db: None, monkeypatch: pytest.MonkeyPatch) -> Visitor:
    """Somebody who may see everything, in a world with a full page of rows of every kind."""
    # Once in a while a session is noted to be in use, by whichever page is opened then.
    monkeypatch.setattr("compliance.signin.session_state.USE_SECONDS", math.inf)
    build_world(by=a_user("author"))
    publish_release(by=a_user("publisher"), note="First.", now=timezone.now(), cases=[])
    visitor = Visitor(superuser=True)
    grow(a_user("author"), 0, PAGE + 1)
    draft = Rule.objects.get(rule_id=f"n1.{DRAFT}")
    measure_revisions(by=a_user("author"), now=timezone.now(), revisions=[draft])
    request_publishing(by=a_user("publisher"), note="Second.", shown=Shown("", ""), now=timezone.now())
    return visitor


def test_no_page_asks_more_often_when_there_is_more_nor_more_often_than_the_budget(boss: Visitor) -> None:
    listed = pages()
    costs(boss, listed)
    few = costs(boss, listed)

    grow(a_user("author"), PAGE + 1, PAGE + 30)
    # The first page after a change may have the rows looked at; here that is done before it is sent.
    boss.get("/admin/")
    many = costs(boss, listed)

    assert {path: (few[path], count) for path, count in many.items() if count != few[path]} == {}
    assert {path: count for path, count in many.items() if count > OF_EVERY_TABLE.get(path, BUDGET)} == {}
