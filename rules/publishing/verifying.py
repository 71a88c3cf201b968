"""Checks everything that was published: the ledger, and the rows that were published from.

Called by `manage.py release verify`, `manage.py restore` and the nightly job.
"""

from collections.abc import Iterator

from catalog.editorial.workflow import State
from rules.engine.document import ID_FIELD, Content, Problem
from rules.next_release import REVISED
from rules.publishing.only_adding import SINGULAR
from rules.releases.ledger import content_or_none, verify_ledger
from rules.releases.models import Release


def verify_all(*, is_whole: bool = True) -> list[Problem]:
    """Return what is wrong with the ledger, the audit log of its releases, and the published revisions.

    Without `is_whole`, the ledger may end before the last release that is known, as a restored one does.
    """
    found = verify_ledger(is_whole=is_whole)
    current = Release.objects.current()
    content = content_or_none(current)
    # A release that cannot be read has its own problem.
    return found if current is None or content is None else [*found, *_altered_rows(content)]


def _altered_rows(content: Content) -> Iterator[Problem]:
    """Compare the published revisions with the current release, which contains each of them word for word."""
    for kind, model in REVISED.items():
        rows = model.objects.filter(state=State.PUBLISHED, withdraws=False)
        published = {getattr(one, ID_FIELD[kind]): one for one in rows.records()}
        released = {getattr(one, ID_FIELD[kind]): one for one in getattr(content, kind)}
        for name in sorted(published.keys() | released.keys()):
            where = f"{SINGULAR[kind]} {name}"
            if name not in released:
                yield Problem(where, "is published in its table, but is not in the current release")
            elif name not in published:
                yield Problem(where, "is in the current release, but is not published in its table")
            elif published[name] != released[name]:
                yield Problem(where, "differs in its table from what was published")
