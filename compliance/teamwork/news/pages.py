"""The page of a person: what is assigned to them, what happened, which of it is mailed, and the feed."""

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from catalog.screens.confirmation import acting_user
from compliance.teamwork.conversation.selectors import assigned_to
from compliance.teamwork.news import actions
from compliance.teamwork.news.models import About, NewsChoice
from compliance.teamwork.news.reading import feed_address, news_of

MOST = 50
"""How many pieces of news the page shows."""


class MailsForm(forms.Form):
    """Which news a person gets by mail."""

    wanted = forms.MultipleChoiceField(
        label="By mail, tell me that",
        choices=About.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="One mail an hour at most. No mail quotes what people wrote.",
    )


@require_safe
@admin.site.admin_view
def show(request: HttpRequest) -> HttpResponse:
    """Show the news of the person who asks."""
    user = acting_user(request)
    choice = NewsChoice.objects.filter(person=user).first()
    wanted = [one for one in About.values if choice is None or one not in choice.not_mailed]
    today, asked = timezone.localdate(), request.GET.get("assigned")
    assigned = [
        one for one in assigned_to(user) if asked != "overdue" or (one.due is not None and one.due < today)
    ]
    context = {
        **admin.site.each_context(request),
        "title": "Your news",
        "assigned": assigned,
        "today": today,
        "only_overdue": asked == "overdue",
        "news": news_of(user, MOST),
        "form": MailsForm(initial={"wanted": wanted}),
        "mail": user.email,
        "feed": feed_address(choice),
    }
    return TemplateResponse(request, "admin/teamwork/news.html", context)


@require_POST
@admin.site.admin_view
def choose(request: HttpRequest) -> HttpResponse:
    """Note which news a person gets by mail."""
    form = MailsForm(request.POST)
    if form.is_valid():
        actions.choose_mails(by=acting_user(request), wanted=form.cleaned_data["wanted"])
        messages.success(request, "Your choice is saved.")
    else:
        messages.error(request, "Choose from the list.")
    return HttpResponseRedirect(reverse("teamwork:news"))


@require_POST
@admin.site.admin_view
def renew(request: HttpRequest) -> HttpResponse:
    """Give the feed of a person a new address, or end it."""
    user = acting_user(request)
    if "end" in request.POST:
        actions.end_feed(by=user)
        messages.success(request, "Your feed is ended.")
    else:
        actions.renew_feed(by=user)
        messages.success(request, "Your feed has a new address. The one before finds nothing any more.")
    return HttpResponseRedirect(reverse("teamwork:news"))
