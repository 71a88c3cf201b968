"""The page of a conversation, and its buttons. Pages of records load it as a part of themselves.

A refusal shows the page again, with what was typed.
"""

from http import HTTPStatus
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from catalog.errors import NotRecorded, Refused
from catalog.screens.confirmation import acting_user
from compliance.teamwork import topics
from compliance.teamwork.conversation import actions
from compliance.teamwork.conversation.forms import AssignForm, CommentForm
from compliance.teamwork.conversation.mentions import Mentioned
from compliance.teamwork.conversation.models import Assignment, Comment
from compliance.teamwork.topics import KINDS, Topic

MOST_SHOWN = 200
"""How many comments a page shows, the newest of all."""


@require_safe
@admin.site.admin_view
def show(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Show what people said about a topic, and who does it."""
    return _page(request, _topic(request, kind, key))


@require_safe
@admin.site.admin_view
def go(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Lead to the page of a topic."""
    return HttpResponseRedirect(_topic(request, kind, key).address)


@require_POST
@admin.site.admin_view
def comment(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Add a comment."""
    topic, by = _topic(request, kind, key), acting_user(request)
    _require(may_comment(by, kind))
    form = CommentForm(request.POST)
    if not form.is_valid():
        return _page(request, topic, comment_form=form)
    try:
        meant = actions.comment(by=by, topic=topic, text=form.cleaned_data["text"], now=timezone.now())
    except Refused as refusal:
        form.add_error("text", f"{refusal.reason[0].upper()}{refusal.reason[1:]}.")
        return _page(request, topic, comment_form=form)
    _say_who_is_told(request, meant)
    return HttpResponseRedirect(topic.conversation)


@require_POST
@admin.site.admin_view
def assign(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Assign a topic to a person, or to no one."""
    topic, by = _topic(request, kind, key), acting_user(request)
    _require(may_assign(by, kind))
    form = AssignForm(request.POST, kind, None)
    if not form.is_valid():
        return _page(request, topic, assign_form=form)
    to, due = form.cleaned_data["assignee"], form.cleaned_data["due"]
    try:
        actions.assign(by=by, topic=topic, to=to, due=due, now=timezone.now())
    except Refused as refusal:
        form.add_error("due" if "`due`" in refusal.reason else "assignee", f"{refusal.reason}.")
        return _page(request, topic, assign_form=form)
    messages.success(request, f"Assigned to {to}." if to else "Assigned to no one.")
    return HttpResponseRedirect(topic.conversation)


@require_POST
@admin.site.admin_view
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a comment."""
    by = acting_user(request)
    found = Comment.objects.filter(pk=pk).first()
    if found is None:
        raise Http404
    topic = _topic(request, found.kind, found.subject)
    _require(may_remove(by, found))
    try:
        actions.remove_comment(by=by, comment_id=pk, may_remove_all=_removes_all(by), now=timezone.now())
        messages.success(request, "The comment is removed.")
    except NotRecorded:
        raise Http404 from None
    except Refused as refusal:
        messages.error(request, f"{refusal.reason}.")
    return HttpResponseRedirect(topic.conversation)


def may_comment(user: Any, kind: str) -> bool:
    """Return whether a user may say something about topics of a kind."""
    return topics.sees(user, kind) and user.has_perm("compliance.add_comment")


def may_assign(user: Any, kind: str) -> bool:
    """Return whether a user may assign topics of a kind."""
    return topics.sees(user, kind) and user.has_perm("compliance.add_assignment")


def may_remove(user: Any, found: Comment) -> bool:
    """Return whether a user may remove a comment: their own, or any with a permission of its own."""
    return found.removed_at is None and (found.created_by_id == user.pk or _removes_all(user))


def _removes_all(user: Any) -> bool:
    return user.has_perm("compliance.delete_comment")


def _require(allowed: bool) -> None:
    if not allowed:
        raise PermissionDenied


def _topic(request: HttpRequest, kind: str, key: str) -> Topic:
    """Return a topic that the user may see. Raises `Http404` or `PermissionDenied`."""
    if kind not in KINDS:
        raise Http404
    _require(topics.sees(acting_user(request), kind))
    found = topics.topic(kind, key)
    if found is None:
        raise Http404
    return found


def _say_who_is_told(request: HttpRequest, meant: Mentioned) -> None:
    told = ", ".join(user.get_username() for user in meant.people)
    messages.success(
        request, f"Your comment is added, and {told} will be told." if told else "Your comment is added."
    )
    if meant.without_sight:
        messages.warning(
            request, f"Not told, because they may not see this: {', '.join(meant.without_sight)}."
        )
    if meant.unknown:
        messages.warning(request, f"The desk has no account of this name: {', '.join(meant.unknown)}.")


def _page(
    request: HttpRequest, topic: Topic, *, comment_form: Form | None = None, assign_form: Form | None = None
) -> HttpResponse:
    user = acting_user(request)
    part = request.headers.get("HX-Request") == "true"
    said = Comment.objects.filter(kind=topic.kind, subject=topic.key).select_related(
        "created_by", "removed_by"
    )
    newest = list(said.order_by("-pk")[: MOST_SHOWN + 1])
    assignment = Assignment.objects.filter(kind=topic.kind, subject=topic.key)
    assigned = assignment.select_related("assignee", "created_by").first()
    context = {
        **({} if part else admin.site.each_context(request)),
        "title": f"Conversation: {topic.name}",
        "topic": topic,
        "kind": KINDS[topic.kind],
        "comments": [(one, may_remove(user, one)) for one in reversed(newest[:MOST_SHOWN])],
        "more": len(newest) > MOST_SHOWN,
        "assigned": assigned,
        "overdue": assigned is not None and assigned.due is not None and assigned.due < timezone.localdate(),
        "comment_form": (comment_form or CommentForm()) if may_comment(user, topic.kind) else None,
        "assign_form": (assign_form or AssignForm(None, topic.kind, assigned))
        if may_assign(user, topic.kind)
        else None,
    }
    refused = comment_form or assign_form
    template = "admin/teamwork/_conversation.html" if part else "admin/teamwork/conversation.html"
    return TemplateResponse(
        request, template, context, status=HTTPStatus.BAD_REQUEST if refused else HTTPStatus.OK
    )
