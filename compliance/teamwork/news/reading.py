"""What a person may read of their news now: rights may have been taken since it was told. Reads only."""

from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse

from compliance.teamwork import topics
from compliance.teamwork.news.collecting import PLAN
from compliance.teamwork.news.models import News, NewsChoice
from compliance.teamwork.news.secret import digest, secret_of


def news_of(user: User, most: int) -> list[tuple[News, str]]:
    """Return the newest news of a person, each with the address of its record."""
    found = News.objects.filter(person=user)[:most]
    return [(one, link(one.kind, one.subject)) for one in found if _sees(user, one)]


def link(kind: str, subject: str) -> str:
    """Return the address that leads to a record that something happened to."""
    if kind == PLAN:
        return reverse("admin:rules_release_publish")
    return reverse("teamwork:go", args=[kind, subject])


def feed_address(choice: NewsChoice | None) -> str:
    """Return the address of a person's feed; empty if there is none."""
    if choice is None or choice.feed_digest is None:
        return ""
    secret = secret_of(choice.person_id, choice.feed_number, key=settings.VERDICT_KEY)
    # It is another one once the key of this service was changed.
    same = digest(secret) == choice.feed_digest
    return f"{settings.SITE_URL}{reverse('teamwork:feed', args=[secret])}" if same else ""


def _sees(user: User, one: News) -> bool:
    return user.has_perm("rules.view_release") if one.kind == PLAN else topics.sees(user, one.kind)
