"""The first page of the admin, and the navigation and header of every page of it.

Each count on the first page links to the list of exactly those rows. The settings name `fill`, `header` and
`navigation`; the theme calls them.
"""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from catalog.screens.confirmation import acting_user
from compliance.desk.sections import sections
from rules.models import Release

CURRENT = "desk_release"
"""The attribute of a request that holds the current release."""

ROOMS = ("rules", "recalls", "catalog", "aeo", "compliance", "auth")
"""The order of the rooms in the navigation."""


def fill(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Fill the first page for the signed-in user."""
    shown = sections(acting_user(request), timezone.now(), _current(request))
    return context | {"title": "Editor desk", "sections": shown}


def header(request: HttpRequest) -> tuple[str, str]:
    """Return the text of every page's header, and its color: the name of this copy, and its release."""
    current = _current(request)
    release = f"release {current}" if current else "nothing published"
    return f"{settings.DESK_ENVIRONMENT} · {release}", "warning" if settings.IS_PUBLIC else "info"


def _current(request: HttpRequest) -> Release | None:
    """Return the current release, read once for each page. Who is signed in sees who published it."""
    if not hasattr(request, CURRENT):
        rows = Release.objects.without_document()
        if request.user.is_authenticated:
            rows = rows.select_related("published_by")
        setattr(request, CURRENT, rows.current())
    found: Release | None = getattr(request, CURRENT)
    return found


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the groups of the navigation: the desk, then each room with the pages that the user may see."""
    pages = [("Editor desk", "home", "admin:index", "")] + [
        page for page in PAGES if not page[3] or request.user.has_perm(page[3])
    ]
    desk = [
        {"title": title, "icon": icon, "link": reverse(name), "key": KEYS.get(name)}
        for title, icon, name, _ in pages
    ]
    rooms = {room["app_label"]: room for room in admin.site.get_app_list(request)}
    ordered = [rooms.pop(name) for name in ROOMS if name in rooms] + list(rooms.values())
    return [
        {"items": desk},
        *(
            {
                "title": room["name"],
                "separator": True,
                "items": [
                    {
                        "title": model["name"],
                        "link": model["admin_url"],
                        "key": KEYS.get(f"{room['app_label']}.{model['object_name']}"),
                    }
                    for model in room["models"]
                    if model["admin_url"]
                ],
            }
            for room in ordered
        ),
    ]


PAGES = [
    ("Your news", "notifications", "teamwork:news", "rules.view_rule"),
    ("Findings", "troubleshoot", "desk:findings", "rules.view_acceptedfinding"),
    ("Pending changes", "difference", "desk:changes", "rules.view_release"),
    ("Read next", "queue", "pages:read_next", "catalog.view_source"),
    ("Use of the service", "monitoring", "use:use", "compliance.view_verdictrecord"),
    ("Guides", "menu_book", "pages:guides", "aeo.view_curation"),
]
"""The pages of the desk that belong to no table: title, icon, address, and the permission to see each."""

KEYS = {
    "admin:index": "h",
    "desk:findings": "f",
    "desk:changes": "p",
    "pages:read_next": "n",
    "rules.Rule": "r",
    "rules.Disagreement": "d",
    "rules.Release": "l",
    "rules.WatchSignal": "w",
    "recalls.Recall": "c",
    "recalls.FeedNotice": "o",
    "catalog.Airline": "a",
    "catalog.ChangeSet": "t",
    "catalog.Device": "m",
    "catalog.Source": "s",
    "compliance.Partner": "k",
}
"""The letters that lead to the pages of the navigation after a `g`."""
