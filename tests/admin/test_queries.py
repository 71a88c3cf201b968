"""What each list and each form of the admin asks the database: as often, however many rows there are.

Every model with screens is looked at, without being named here. What cannot be made by the dozen fails.
"""

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from catalog import actions as catalog
from catalog.records import Country, PolicyChange
from compliance import actions as partners
from compliance.models import Partner
from rules.actions.impact import measure_revisions
from rules.actions.releases import publish_release
from rules.actions.rules import change_rule, draft_rules
from rules.models import Rule
from tests.factories import READ_ON, a_device, a_jurisdiction, a_rule, a_source, a_user, an_airline
from tests.partners.partners import AGREEMENT
from tests.world import build_world

from .visiting import Visitor

PAGE = 100
"""More than any list shows on a page, but for that of the countries."""

BUDGET = 20
"""So many queries no list and no form needs, whatever is on it."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CODES = [f"{first}{second}" for first in "QXYZ" for second in LETTERS] + [
    f"{first}{second}" for first in LETTERS[:12] for second in "0123456789"
]


def grow(by: User, start: int, stop: int) -> None:
    """Add rows of every kind, and make one of each refer to all of the others that it can."""
    now, numbers = timezone.now(), range(start, stop)
    ids = tuple(f"many-{number}" for number in range(stop))
    new = ids[start:]
    catalog.record_countries(
        by=by,
        countries=[
            Country(code=f"{LETTERS[10 + n // 26]}{LETTERS[n % 26]}", name=f"Land {n}") for n in numbers
        ],
    )
    catalog.record_jurisdictions(
        by=by,
        jurisdictions=[
            a_jurisdiction(code=f"Z{LETTERS[n // 26]}{LETTERS[n % 26]}", name=f"Place {n}", member_of=("XR",))
            for n in numbers
        ],
    )
    catalog.record_sources(by=by, sources=[a_source(id=source_id) for source_id in new])
    catalog.record_devices(
        by=by, devices=[a_device(model_id=name, brand=name, sources=ids[:3]) for name in new]
    )
    catalog.record_airlines(
        by=by,
        airlines=[
            an_airline(airline=CODES[n], icao=f"Q{LETTERS[n // 26]}{LETTERS[n % 26]}", sources=ids[:3])
            for n in numbers
        ],
    )
    draft_rules(by=by, rules=[a_rule(rule_id=f"n1.{name}", sources=ids[:3]) for name in new])
    changes = tuple(PolicyChange(date=READ_ON, what="One unit.", source=name) for name in ids)
    catalog.change_device(
        by=by, device=a_device(model_id=ids[0], brand=ids[0], sources=ids, certifications=ids)
    )
    catalog.change_airline(
        by=by,
        airline=an_airline(airline=CODES[0], icao="QAA", sources=ids, changes=changes, notes=ids),
    )
    change_rule(by=by, rule=a_rule(rule_id=f"n1.{ids[0]}", sources=ids))
    for name in new:
        partners.record_partner(by=by, now=now, slug=name, agreement=AGREEMENT)
        issued = partners.issue_key(by=by, now=now, partner=ids[0])
        # Of keys that count there are two at most.
        partners.revoke_key(by=by, now=now, public_id=issued.row.public_id)
        User.objects.create_user(name, is_staff=True).groups.add(Group.objects.create(name=name))
        Permission.objects.create(
            codename=name, name=name, content_type=ContentType.objects.get_for_model(Partner)
        )
    crowd = User.objects.get(username=ids[0])
    crowd.groups.set(Group.objects.all())
    Group.objects.get(name=ids[0]).permissions.set(Permission.objects.all())


def crowded() -> dict[str, Any]:
    """Return the key of the row of each model that has most to show."""
    return {
        "catalog.device": "many-0",
        "catalog.airline": CODES[0],
        "catalog.source": "many-0",
        "catalog.brand": "many-0",
        "catalog.jurisdiction": "XR",
        "rules.rule": Rule.objects.get(rule_id="n1.many-0").pk,
        "compliance.partner": "many-0",
        "auth.user": User.objects.get(username="many-0").pk,
        "auth.group": Group.objects.get(name="many-0").pk,
    }


def pages() -> list[str]:
    """Return the list of every model, the form to add one, and the form and history of its fullest row."""
    keys, found = crowded(), []
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        key = keys.get(model._meta.label_lower) or model._default_manager.values_list("pk", flat=True)[0]
        found += [reverse(f"{name}_changelist"), reverse(f"{name}_add")]
        found += [
            reverse(f"{name}_{page}", args=[str(key).replace("_", "_5F")]) for page in ("change", "history")
        ]
    return [reverse("admin:index"), reverse("desk:findings"), reverse("desk:changes"), *found]


def costs(visitor: Visitor, paths: list[str]) -> dict[str, int]:
    """Return how often each page asks. What may not be added is refused, and one leads on."""
    counted = {}
    for path in paths:
        with CaptureQueriesContext(connection) as queries:
            response = visitor.get(path)
        assert response.status_code in {200, 302, 403}, path
        counted[path] = len(queries)
    return counted


def test_no_list_and_no_form_asks_more_often_when_there_is_more(db: None) -> None:
    build_world(by=a_user("author"))
    by, boss = a_user("author"), Visitor(superuser=True)
    publish_release(by=a_user("publisher"), note="First.", now=timezone.now(), cases=[])
    grow(by, 0, PAGE + 1)
    measure_revisions(by=by, now=timezone.now(), revisions=[Rule.objects.get(rule_id="n1.many-0")])
    listed = pages()
    costs(boss, listed)
    few = costs(boss, listed)

    grow(by, PAGE + 1, PAGE + 30)
    many = costs(boss, listed)

    assert {path: (few[path], count) for path, count in many.items() if count != few[path]} == {}
    budgets = {path: PANEL_BUDGET if path.startswith("/admin/recalls/recall/") else BUDGET for path in many}
    assert {path: count for path, count in many.items() if count > budgets[path]} == {}


PANEL_BUDGET = 40
"""That of recalls, whose form tests the pattern as it opens."""
