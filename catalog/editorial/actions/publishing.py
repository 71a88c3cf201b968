"""What publishing does to the revisions of one kind of record. Called by `rules.publishing.actions`."""

import datetime

from django.contrib.auth.models import User

from catalog.editorial.actions.workflow import move
from catalog.editorial.models import Revision
from catalog.editorial.workflow import AGREED, State, Verb


def mark_published(model: type[Revision], *, by: User, at: datetime.datetime, release: str) -> None:
    """Mark the newest agreed revision of each record published, and take those before it out of force.

    The caller holds the table against other writers, in the transaction that writes the release.
    """
    agreed = model._default_manager.filter(state__in=AGREED)
    waiting = agreed.filter(state=State.APPROVED).values(model.id_field)
    superseded: list[Revision] = []
    ended: list[Revision] = []
    published: list[Revision] = []
    for revisions in agreed.filter(**{f"{model.id_field}__in": waiting}).by_record().values():
        *earlier, newest = revisions
        if newest.state == State.APPROVED:
            published.append(newest)
        for row in earlier:
            ends = newest.withdraws and row.state == State.PUBLISHED and not row.withdraws
            (ended if ends else superseded).append(row)
    details = {"release": release}
    # What was in force goes first: only one revision of a record is published at any moment.
    move(superseded, Verb.SUPERSEDE, by=by, at=at, details=details)
    move(ended, Verb.END, by=by, at=at, details=details)
    move(published, Verb.PUBLISH, by=by, at=at, details=details, published_at=at, published_by=by)
