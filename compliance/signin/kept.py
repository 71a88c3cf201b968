"""The page for a form that is not taken: its sender is signed out or signed in again, or another person is.

It shows what was sent and offers to send it again. The fields are in that page alone: nothing of them is
written on the server. Only what a page of ours sent is kept, so no other site can have a person send its
fields; passwords, codes and serials never are.
"""

from http import HTTPStatus
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.views.csrf import csrf_failure as plain_failure

from catalog.screens.kept import kept_fields
from compliance.operations.accounting import ADMIN_PREFIX
from compliance.signin.sender import FIELD, TAKEN_BY, is_from_another, mark_of, sender_of

NOT_TO_REPEAT = {"login", "logout", "password_change", "auth_user_password_change"}
"""Pages of signing in, in addition to those of this package."""


def kept_page(request: HttpRequest, title: str) -> HttpResponse | None:
    """Return the page that keeps the fields of a POST; None if they are not to be sent again."""
    if not _is_from_here(request) or not _may_be_repeated(request):
        return None
    sender, another = sender_of(request), is_from_another(request)
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "title": "Another person is signed in now" if another else title,
        "fields": kept_fields(request),
        "sender": User.objects.filter(pk=sender).first() if sender is not None else None,
        "another": another,
        "sender_field": FIELD,
        "sender_mark": request.POST.get(FIELD, "") if sender is not None else "",
        "taken_by_field": TAKEN_BY,
        "taken_by_mark": mark_of(request.user) if another else "",
        "had_files": bool(request.FILES),
        "address": request.get_full_path(),
    }
    return render(request, "admin/sign_in/kept.html", context, status=HTTPStatus.FORBIDDEN)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a POST with an old token: keep its fields if a page of ours sent it. The settings name it."""
    kept = kept_page(request, "Please send it again") if request.path_info.startswith(ADMIN_PREFIX) else None
    return plain_failure(request, reason) if kept is None else kept


def _is_from_here(request: HttpRequest) -> bool:
    """Tell whether a page of this site sent a request: browsers say so with each POST."""
    return request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"


def _may_be_repeated(request: HttpRequest) -> bool:
    try:
        match = resolve(request.path_info)
    except Resolver404:
        return False
    return "signin" not in match.namespaces and match.url_name not in NOT_TO_REPEAT
