"""The addresses of the desk's pages that are not about one model. They come before those of the admin."""

from django.contrib import admin
from django.urls import path
from django.views.decorators.http import require_POST

from rules.analysis.admin import findings, pending_changes

app_name = "desk"
urlpatterns = [
    path("findings/", admin.site.admin_view(findings.show), name="findings"),
    path("findings/accept/", admin.site.admin_view(findings.accept), name="accept"),
    path("findings/reopen/", admin.site.admin_view(findings.reopen), name="reopen"),
    path(
        "findings/save-search/",
        admin.site.admin_view(require_POST(findings.save_view)),
        name="save_search",
    ),
    path(
        "findings/forget-search/",
        admin.site.admin_view(require_POST(findings.forget_view)),
        name="forget_search",
    ),
    path("changes/", admin.site.admin_view(pending_changes.show), name="changes"),
]
