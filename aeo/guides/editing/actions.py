"""The only code that writes guides, from the first draft to the withdrawal.

Each action names guides by their slugs, writes all or nothing, names its user (`by=`) and logs it. A guide is
shown from the instant of its approval, and a withdrawal takes it off the site at once: no release is needed,
because the engine checks it against every release. All actions raise the errors of `catalog.errors`;
`catalog.editorial.workflow` has the states.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from aeo.guides.editing.models import GuideText
from aeo.guides.editing.records import Translation, WrittenGuide, guide_of
from aeo.guides.reading import GuideError
from catalog.editorial.actions import workflow
from catalog.editorial.audit.actions import log_revisions
from catalog.editorial.workflow import EditorAction
from catalog.errors import Unfit
from catalog.tables.actions.updating import write


@transaction.atomic
def draft_guide(*, by: User, guide: WrittenGuide, reason: str = "") -> None:
    """Write the first revision of a guide, also of one that came with the program as a file."""
    _check(guide)
    workflow.draft([GuideText(slug=guide.slug, **_columns(guide))], by=by, reason=reason)


@transaction.atomic
def change_guide(*, by: User, guide: WrittenGuide) -> None:
    """Rewrite the draft of a guide. The user becomes one of its authors."""
    (row,) = workflow.drafts_to_change(GuideText, by=by, ids=[guide.slug])
    _check(guide)
    for column, value in _columns(guide).items():
        setattr(row, column, value)
    write([row], {"authors", *_columns(guide)}, owner="slug")
    log_revisions([row], by=by, at=timezone.now(), action=EditorAction.CHANGE)


@transaction.atomic
def translate_guide(*, by: User, slug: str, translations: Sequence[Translation]) -> None:
    """Write translations of texts of a draft, in any languages. An empty one removes what was there."""
    (row,) = workflow.drafts_to_change(GuideText, by=by, ids=[slug])
    written = row.to_record()
    known = {(one.language, one.english): one for one in (*written.translations, *translations)}
    kept = tuple(one for one in known.values() if one.text)
    change_guide(by=by, guide=msgspec.structs.replace(written, translations=kept))


def revise_guides(*, by: User, slugs: Sequence[str], reason: str) -> None:
    """Open the next revision of guides, as a copy to edit. Until its approval the present one is shown."""
    workflow.revise(GuideText, by=by, ids=slugs, reason=reason)


def withdraw_guides(*, by: User, slugs: Sequence[str], reason: str) -> None:
    """Open a revision that takes guides off the site, once another person has approved it."""
    workflow.withdraw(GuideText, by=by, ids=slugs, reason=reason)


def discard_guides(*, by: User, slugs: Sequence[str], reason: str) -> None:
    """Delete drafts."""
    workflow.discard(GuideText, by=by, ids=slugs, reason=reason)


def submit_guides(*, by: User, slugs: Sequence[str]) -> None:
    """Submit drafts for review."""
    workflow.submit(GuideText, by=by, ids=slugs)


def return_guides(*, by: User, slugs: Sequence[str], reason: str) -> None:
    """Return drafts in review to their authors, and say what is wrong with them."""
    workflow.return_to_author(GuideText, by=by, ids=slugs, reason=reason)


@transaction.atomic
def approve_guides(*, by: User, slugs: Sequence[str]) -> None:
    """Approve what others have submitted: from now on readers see these guides, or see them no more."""
    workflow.approve(GuideText, by=by, ids=slugs)
    workflow.mark_published(GuideText, by=by, at=timezone.now(), only=slugs)


def _check(guide: WrittenGuide) -> None:
    """Read a guide as the site will. Raises `Unfit`."""
    try:
        guide_of(guide)
    except GuideError as error:
        raise Unfit(guide.slug, str(error).removeprefix(f"{guide.slug}: ")) from error


def _columns(guide: WrittenGuide) -> dict[str, Any]:
    """Return what a guide says as the columns of its row, without its slug."""
    columns: dict[str, Any] = msgspec.to_builtins(guide)
    del columns["slug"]
    return columns
