"""The actions of news: tell people what happened, mail it, and what each person wants."""

import datetime
from collections import defaultdict
from collections.abc import Collection, Sequence

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse

from compliance.notices.actions import notify
from compliance.teamwork.news.collecting import WINDOW, collect
from compliance.teamwork.news.models import About, News, NewsChoice
from compliance.teamwork.news.secret import digest, secret_of

PAUSE = datetime.timedelta(hours=1)
"""A person gets one mail in so long at most; it says all that happened since the one before."""

KEPT = datetime.timedelta(days=90)

MOST_IN_A_MAIL = 50


@transaction.atomic
def tell(now: datetime.datetime) -> int:
    """Note what there is to tell and was not told yet; return how many things."""
    told = list(collect(now))
    known = set(News.objects.filter(cause__in={one.cause for one in told}).values_list("person_id", "cause"))
    new = [
        News(
            person_id=one.person,
            cause=one.cause,
            about=one.about,
            kind=one.kind,
            subject=one.subject,
            text=" ".join(one.text.split())[:400],
            made=now,
        )
        for one in told
        if (one.person, one.cause) not in known
    ]
    # Another process may have noted some at the same moment.
    News.objects.bulk_create(new, ignore_conflicts=True)
    return len(new)


def mail(now: datetime.datetime) -> int:
    """Write a mail to each person who has news that no mail said, and no mail in the last hour."""
    waiting = News.objects.filter(mailed=None, made__gt=now - WINDOW, person__is_active=True)
    by_person = defaultdict[int, list[News]](list)
    for one in waiting.exclude(person__email="").order_by("pk"):
        by_person[one.person_id].append(one)
    return sum(_mail_to(person, news, now) for person, news in by_person.items())


@transaction.atomic
def _mail_to(person: int, news: Sequence[News], now: datetime.datetime) -> bool:
    """Write one mail, unless another process just did, or the person wants none of this."""
    NewsChoice.objects.get_or_create(person_id=person)
    choices = NewsChoice.objects.select_for_update(of=("self",)).select_related("person")
    choice = choices.get(person_id=person)
    if choice.last_mail is not None and choice.last_mail > now - PAUSE:
        return False
    wanted = [one for one in news if one.about not in choice.not_mailed]
    left = News.objects.select_for_update().filter(pk__in=[one.pk for one in wanted], mailed=None)
    said = list(left.order_by("pk"))
    if not said or not choice.person.is_staff:
        return False
    notify(recipient=choice.person.email, subject=_subject(len(said)), text=_text(said), now=now)
    left.update(mailed=now)
    choice.last_mail = now
    choice.save(update_fields=["last_mail"])
    return True


def _subject(count: int) -> str:
    return "1 piece of news at the editors' desk" if count == 1 else f"{count} news at the editors' desk"


def _text(news: Sequence[News]) -> str:
    page = f"{settings.SITE_URL}{reverse('teamwork:news')}"
    lines = [f"- {one.text}." for one in news[:MOST_IN_A_MAIL]]
    more = [f"- and {len(news) - MOST_IN_A_MAIL} more."] if len(news) > MOST_IN_A_MAIL else []
    return (
        "\n".join([*lines, *more]) + f"\n\nAll of it, with links, and which of these mails you get: {page}\n"
    )


def forget(now: datetime.datetime) -> int:
    """Delete old news, and return how many there were."""
    return News.objects.filter(made__lt=now - KEPT).delete()[0]


@transaction.atomic
def choose_mails(*, by: User, wanted: Collection[str]) -> None:
    """Say which news a person wants by mail."""
    NewsChoice.objects.update_or_create(
        person=by, defaults={"not_mailed": [one for one in About.values if one not in wanted]}
    )


@transaction.atomic
def renew_feed(*, by: User) -> None:
    """Give a person's feed a new address. The one before finds nothing any more."""
    NewsChoice.objects.get_or_create(person=by)
    choice = NewsChoice.objects.select_for_update().get(person=by)
    choice.feed_number += 1
    choice.feed_digest = digest(secret_of(by.pk, choice.feed_number, key=settings.VERDICT_KEY))
    choice.save(update_fields=["feed_number", "feed_digest"])


@transaction.atomic
def end_feed(*, by: User) -> None:
    """End a person's feed: its address finds nothing any more."""
    NewsChoice.objects.filter(person=by).update(feed_digest=None)
