"""The addresses of the desk's pages that are not about one model. They come before those of the admin."""

from django.contrib import admin
from django.urls import path

from rules.analysis.admin import findings, pending_changes

app_name = "desk"
urlpatterns = [
    path("findings/", admin.site.admin_view(findings.show), name="findings"),
    path("findings/accept/", admin.site.admin_view(findings.accept), name="accept"),
    path("findings/reopen/", admin.site.admin_view(findings.reopen), name="reopen"),
    path("changes/", admin.site.admin_view(pending_changes.show), name="changes"),
]
