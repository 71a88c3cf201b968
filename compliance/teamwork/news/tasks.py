"""The jobs of news: tell people, mail it, end assignments of finished work, and delete what is old."""

from celery import shared_task
from django.utils import timezone

from compliance.teamwork.conversation.actions import end_finished
from compliance.teamwork.news import actions


@shared_task(name="compliance.teamwork.news.tasks.tell_people")
def tell_people() -> int:
    """Note what there is to tell, and write the mails that are due; return how many things are new."""
    end_finished()
    now = timezone.now()
    told = actions.tell(now)
    actions.mail(now)
    return told


@shared_task(name="compliance.teamwork.news.tasks.forget_news")
def forget_news() -> int:
    """Delete old news; return how many."""
    return actions.forget(timezone.now())
