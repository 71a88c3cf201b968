"""The private feed of a person's news. Its address is the only key: there is no session.

An unknown secret, one that was renewed, and one of a person who may no longer sign in get the same answer.
"""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import escape
from django.views.decorators.http import require_safe

from aeo.feeds.atom import Feed, tag
from compliance.teamwork.news.models import NewsChoice
from compliance.teamwork.news.reading import news_of
from compliance.teamwork.news.secret import digest

MOST = 100
"""How many pieces of news the feed has."""


@require_safe
def show(request: HttpRequest, secret: str) -> HttpResponse:
    """Give the feed."""
    found = NewsChoice.objects.select_related("person").filter(feed_digest=digest(secret)).first()
    if found is None or not (found.person.is_active and found.person.is_staff):
        raise Http404
    person = found.person
    feed = Feed(
        person.date_joined,
        title=f"Editors' desk: news for {person.get_username()}",
        link=settings.SITE_URL,
        feed_guid=tag(f"desk-news/{person.pk}"),
    )
    for one, link in news_of(person, MOST):
        feed.add_item(
            title=one.text,
            link=f"{settings.SITE_URL}{link}",
            description=f"<p>{escape(one.text)}.</p>",
            pubdate=one.made,
            updateddate=one.made,
            unique_id=tag(f"desk-news/{person.pk}/{one.pk}"),
        )
    return HttpResponse(
        feed.writeString("utf-8"),
        content_type="application/atom+xml; charset=utf-8",
        headers={"Referrer-Policy": "no-referrer"},
    )
