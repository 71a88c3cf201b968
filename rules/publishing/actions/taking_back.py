"""Taking back a change set of the catalog that was approved and is in no release yet.

As for rules, one reviewer is enough: travelers never read it.
"""

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import connection, transaction

from catalog.bulk.tables import Table
from catalog.editorial.pending import actions
from catalog.editorial.pending.models import ChangeSet
from catalog.errors import NotRecorded, WrongState
from rules.publishing.change_sets import is_in_releases, is_published
from rules.releases.ledger import content_or_none
from rules.releases.models import Release


@transaction.atomic
def take_back_change_set(*, by: User, change_set: int, reason: str, tables: Mapping[str, Table]) -> None:
    """Undo an approved change set. Its records are as they were before; `tables` are by kind.

    Raises `WrongState` if a release contains some of it, if readers see it without a release, or if one of
    its records was changed since, and `Refused` for what a table refuses.
    """
    found = ChangeSet.objects.filter(pk=change_set).first()
    if found is None:
        raise NotRecorded(str(change_set), "there is no such change set")
    with connection.cursor() as cursor:
        # A release that is being made now is finished first, and the next one sees what this does.
        cursor.execute("LOCK TABLE rules_rule IN ROW EXCLUSIVE MODE")
    if not is_in_releases(found):
        raise WrongState(f"change set {found.pk}", "was public as soon as it was approved: change it again")
    content = content_or_none(Release.objects.current())
    if content is None or is_published(found, content):
        raise WrongState(f"change set {found.pk}", "is published already: change its records again")
    actions.take_back(found.pk, by=by, reason=reason, tables=tables)
