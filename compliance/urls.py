"""Every address of the service."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from compliance.api.contract import views as contract
from compliance.health import views as health
from compliance.receipts import views as receipts

urlpatterns = [
    path("admin", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", include("compliance.signin.urls")),
    path("admin/", include("rules.admin.urls")),
    path("admin/", include("aeo.admin.urls")),
    path("admin/", admin.site.urls),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", health.metrics),
    path("openapi.yaml", contract.openapi),
    path(".well-known/jwks.json", receipts.keys),
    path("api/docs/", contract.docs),
    path("", include("compliance.api.urls")),
    path("", include("aeo.urls")),
]
