"""Every address of the service. The path of the admin is a setting, and never equal to another path."""

from django.conf import settings
from django.contrib import admin
from django.core.exceptions import ImproperlyConfigured
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

import aeo.urls
import compliance.api.urls
import compliance.channels.client_packages.urls
import compliance.channels.embed.urls
import compliance.partner_pages.urls
from compliance.api.contract import views as contract
from compliance.channels.mcp import listing
from compliance.channels.mcp import views as mcp
from compliance.channels.sandbox import urls as sandbox
from compliance.health import views as health
from compliance.operations import security_txt
from compliance.records import proofs
from compliance.records.receipts import views as receipts
from compliance.trip_watch import views as trip_watch
from compliance.trip_watch.formats import WRITTEN

ADMIN = f"{settings.ADMIN_PATH}/"

MOST_FREQUENT: list[URLPattern | URLResolver] = [
    *compliance.api.urls.urlpatterns,
    path("p/", include(aeo.urls.of_verdicts)),
]

PUBLIC: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", health.metrics),
    path("openapi.yaml", contract.openapi),
    path("mcp", mcp.endpoint),
    path("mcp/server.json", listing.server_json),
    path("mcp/server-card", listing.card),
    path(".well-known/ai-catalog.json", listing.catalog),
    path(".well-known/security.txt", security_txt.show),
    path(".well-known/jwks.json", receipts.keys),
    path("rulesets/<str:version>/proof.json", proofs.proof),
    path("api/docs/", contract.docs),
    path("sandbox/", include(sandbox)),
    *compliance.channels.client_packages.urls.urlpatterns,
    *compliance.channels.embed.urls.urlpatterns,
    path("partners/", compliance.partner_pages.urls.SIGN_IN),
    path("partners", include("compliance.partner_pages.urls")),
    path("watch", trip_watch.make),
    *(path(f"watch/<str:secret>.{ending}", trip_watch.subscribed, {"ending": ending}) for ending in WRITTEN),
    path("watch/ended", trip_watch.ended),
    path("watch/<str:secret>/end", trip_watch.end),
    path("watch/<str:secret>", trip_watch.page),
    *aeo.urls.urlpatterns,
]

taken = {str(entry.pattern).partition("/")[0] for entry in [*MOST_FREQUENT, *PUBLIC]}
if settings.ADMIN_PATH.partition("/")[0] in taken | {"static"} | {*dict(settings.LANGUAGES)}:
    raise ImproperlyConfigured(f"ADMIN_PATH: `{settings.ADMIN_PATH}` is the address of something else.")

# No record has a page outside the admin, so Django's redirect to it is left out.
_patterns, _app, _namespace = admin.site.urls
ADMIN_SITE = (
    [entry for entry in _patterns if getattr(entry, "name", "") != "view_on_site"],
    _app,
    _namespace,
)

urlpatterns = [
    # First: the most frequent addresses are found soonest.
    *MOST_FREQUENT,
    path(settings.ADMIN_PATH, RedirectView.as_view(pattern_name="admin:index")),
    path(ADMIN, include("compliance.signin.urls")),
    path(ADMIN, include("compliance.teamwork.urls")),
    path(ADMIN, include("rules.analysis.admin.urls")),
    path(ADMIN, include("aeo.admin.urls")),
    path(ADMIN, include("compliance.records.use.urls")),
    # In place of the theme's own search at this address.
    path(ADMIN, include("compliance.desk.search")),
    path(ADMIN, ADMIN_SITE),
    *PUBLIC,
]

handler400 = "compliance.middleware.failure_pages.bad_request"
handler403 = "compliance.middleware.failure_pages.permission_denied"
handler404 = "compliance.middleware.failure_pages.page_not_found"
handler500 = "compliance.middleware.failure_pages.server_error"
