"""Which screens of a full desk are opened: every list, and every address, of the fullest rows."""

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from bench.desk import full_desk

LISTS = {
    "catalog/device": [
        "?o=5",
        "?energy=near",
        "?recalled=yes",
        "?evidence=180",
        "?q=powercore",
        "?q=anker+20000",
    ],
    "catalog/airline": ["?o=4", "?q=emirates"],
    "catalog/source": ["?o=3", "?used=no", "?age=180", "?q=battery"],
    "catalog/changeset": [],
    "catalog/brand": ["?o=-2", "?q=anker"],
    "catalog/airportfact": ["?q=mail"],
    "catalog/country": ["?q=united"],
    "catalog/jurisdiction": ["?q=union"],
    "catalog/auditentry": ["?q=bench-4711", "?verb=publish"],
    "rules/rule": [
        "?o=6",
        "?state=in_review",
        "?desk=waits",
        "?desk=returned",
        "?effect__exact=prohibit",
        "?in_force=now",
        "?jurisdiction=US",
        "?evidence=180",
        "?nature=limit",
        "?days=30",
        "?q=max_units",
        "?q=emirates",
    ],
    "rules/announcement": ["?q=notice"],
    "rules/release": ["?q=more"],
    "rules/impactmeasurement": [],
    "aeo/guidetext": ["?state=every"],
    "recalls/recall": ["?state=every", "?evidence=none", "?q=anker"],
    "auth/user": ["?q=bench"],
    "auth/group": [],
    "compliance/partner": [],
    "compliance/partnerkey": [],
    # Lists that are short, or empty, on this desk.
    "aeo/curation": [],
    "aeo/indexedpage": [],
    "catalog/deadletter": [],
    "catalog/run": [],
    "compliance/corpusproposal": [],
    "compliance/deskdelivery": [],
    "compliance/deskwebhook": [],
    "compliance/verdictrecord": [],
    "compliance/webhook": [],
    "compliance/webhookdelivery": [],
    "recalls/feednotice": [],
    "recalls/feedstate": [],
    "rules/disagreement": [],
    "rules/verdictcase": ["?state=every", "?answer=fails", "?q=emirates"],
    "rules/watchedpage": [],
    "rules/watchsignal": [],
}
"""The lists, with an order, filters and searches of each."""

PAGES = [
    "findings/?state=all&page=9",
    "findings/?kind=gap",
    "read-next/?page=9",
    "search/?q=anker",
    "search/?q=nothing+of+this+kind",
    "catalog/device/export/csv/?brand__slug__exact=anker",
]
"""Pages that do not belong to one row, with what they are asked."""

LOOK_UPS = [
    ("recalls", "recall", "device", "powercore"),
    ("catalog", "deviceevidence", "source", "battery"),
    ("catalog", "device", "brand", "ank"),
    ("catalog", "airline", "country", "uni"),
    ("rules", "rule", "airline", "air"),
]
"""Fields that look up a row while somebody types: model, field, and what is typed."""

MANY = 100
"""How many rows are chosen on a list for a page about many."""

MOST_PAGES = 1_000
"""The last page that is opened of a list: the log of everything does not count itself."""


class Screen(NamedTuple):
    """A screen: its address, and the fields that are sent to reach it, if any."""

    address: str
    sent: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        step = dict(self.sent).get("action", "").removesuffix("_many")
        return f"{self.address} {step} {MANY} rows" if step else self.address


def screens() -> Iterator[Screen]:
    """Return each screen once. Some addresses only take forms, or lead on: they are no screens."""
    for address in dict.fromkeys([*_addresses(), *_asked(), *_lists()]):
        yield Screen(address)
    yield from _about_many()


def _addresses() -> Iterator[str]:
    """Return every address of the admin; if it is of a row, then of each row with most to show."""
    from django.apps import apps
    from django.contrib import admin

    from catalog.editorial.screens.workflow import ACTIONS
    from checks.hostile.addresses import admin_addresses
    from rules.models import PublishRequest, Rule

    rooms = {f"{model._meta.app_label}/{model._meta.model_name}" for model in admin.site._registry}
    draft = Rule.objects.filter(state="draft").earliest("pk").rule_id
    request = PublishRequest.objects.values_list("pk", flat=True).last()
    for address in dict.fromkeys(admin_addresses()):
        room = "/".join(address.split("/")[2:4])
        filled = address.replace("/conversation/1/1/", f"/conversation/rule/{draft}/")
        filled = filled.replace("/export/1/", "/export/csv/").replace("/requests/1/", f"/requests/{request}/")
        keys = _keys(apps.get_model(room.replace("/", "."))) if room in rooms else []
        for key in keys if f"/{room}/1/" in filled else [""]:
            of_row = filled.replace(f"/{room}/1/", f"/{room}/{quote(key)}/")
            for action in ACTIONS if "/do/1/" in of_row else [""]:
                yield of_row.replace("/do/1/", f"/do/{action}/")


def _asked() -> Iterator[str]:
    from catalog.models import Device
    from rules.models import Rule

    yield from (f"/admin/{page}" for page in PAGES)
    for app, model, field, term in LOOK_UPS:
        asked = {"app_label": app, "model_name": model, "field_name": field, "term": term}
        yield f"/admin/autocomplete/?{urlencode(asked)}"
    drafts = Rule.objects.filter(state="draft").order_by("pk").values_list("pk", flat=True)[:50]
    models = Device.objects.order_by("pk").values_list("pk", flat=True)[:50]
    for room, chosen in (("rules/rule", drafts), ("catalog/device", models)):
        yield f"/admin/{room}/grid/?{urlencode({'row': list(chosen)}, doseq=True)}"
    keep, gone = Device.objects.order_by("pk").values_list("pk", flat=True)[:2]
    yield f"/admin/catalog/device/merge/?{urlencode({'keep': keep, 'gone': gone})}"


def _lists() -> Iterator[str]:
    from django.apps import apps
    from django.contrib import admin

    registered = {f"{model._meta.app_label}/{model._meta.model_name}" for model in admin.site._registry}
    if registered != set(LISTS):
        raise RuntimeError(f"the lists of {registered ^ set(LISTS)} are not known here")
    for room, queries in LISTS.items():
        model = apps.get_model(room.replace("/", "."))
        rows = model._default_manager.count()
        last = min(-(-rows // admin.site.get_model_admin(model).list_per_page), MOST_PAGES)
        yield f"/admin/{room}/"
        # Lists show the rows of one state, so the last page of all rows may be beyond theirs.
        yield from (f"/admin/{room}/{query}" for query in [*([f"?p={last}"] if last > 1 else []), *queries])


def _about_many() -> Iterator[Screen]:
    """Return the pages that ask before something is done to many rows."""
    from catalog.models import ChangeSet
    from recalls.models import Recall
    from rules.models import Rule

    for model, state, action in (
        (Rule, "draft", "submit"),
        (Rule, "in_review", "approve"),
        (Recall, "in_review", "approve"),
        (ChangeSet, "waiting", "approve"),
    ):
        rows = model.objects.filter(state=state).order_by("pk").values_list("pk", flat=True)[:MANY]
        fields = [("action", f"{action}_many"), *(("_selected_action", str(row)) for row in rows)]
        room = f"{model._meta.app_label}/{model._meta.model_name}"
        yield Screen(f"/admin/{room}/?state={state}", tuple(fields))


def _keys(model: Any) -> list[str]:
    """Return the rows of a model with most to show, as an address spells them."""
    from django.contrib.admin.utils import quote as spelled

    from catalog.editorial.models import Revision
    from rules.models import Rule

    rows = model._default_manager.order_by("-pk")
    if issubclass(model, Revision):
        states = ("published", *full_desk.UNDER_WAY) if model is Rule else ("published", "in_review")
        found = [rows.filter(state=state).values_list("pk", flat=True).first() for state in states]
    else:
        room = f"{model._meta.app_label}/{model._meta.model_name}"
        found = [FULLEST[room] if room in FULLEST else rows.values_list("pk", flat=True).first()]
    if model._meta.model_name == "changeset":
        found.append(rows.values_list("pk", flat=True).last())
    return [str(spelled(key)) for key in found if key is not None]


FULLEST = {
    "catalog/device": "anker-a1263",
    "catalog/airline": "EK",
    "catalog/source": full_desk.POPULAR,
    "catalog/brand": "anker",
    "catalog/jurisdiction": "EU",
}
"""The rows with most that refers to them."""
