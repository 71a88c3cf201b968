"""Having a job try again what it gave up on. Called by the editors' desk."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.editorial.audit.actions import log
from catalog.editorial.workflow import Verb
from catalog.jobs import actions
from catalog.models import DeadLetter
from rules.watch import JOB
from rules.watch.actions import visit_again
from rules.watch.models import WatchedPage

LONGEST_SUBJECT = 300


@transaction.atomic
def try_again(*, by: User, letter: DeadLetter) -> None:
    """Take something off the list, and have its job try it with its next run.

    A page that nobody watches any more just leaves the list.
    """
    watched = WatchedPage.objects.filter(url=letter.subject).exists()
    if letter.name == JOB and watched:
        visit_again(by=by, urls=[letter.subject])
        return
    actions.revive(letter.name, letter.subject)
    log(
        by=by,
        at=timezone.now(),
        verb=Verb.RETRY,
        kind="dead letter",
        subjects=[(letter.subject[:LONGEST_SUBJECT], None)],
        details={"job": letter.name},
    )
