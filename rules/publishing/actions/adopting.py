"""Adopting a ledger: signing releases that were published before this key existed.

It vouches for what is there. So it is a command of operators, and a start of `make run` or `make up` does it
only with a key that has never signed.
"""

from django.conf import settings
from django.db import transaction

from rules.publishing.actions.appending import wait_for_the_ledger
from rules.publishing.refusals import KeyMissing, NotTrusted
from rules.releases import head, log_pieces, signing
from rules.releases.actions import store
from rules.releases.head import Head
from rules.releases.ledger import verify_ledger
from rules.releases.models import Release, ReleaseSignature


def adopt(*, older: bool = False) -> int:
    """Sign every release that the key of this process has not signed, and return how many.

    Either no release is signed, or all of them are signed by known keys: then this adds a new key's
    signatures. `older` also takes a ledger that ends earlier than what was noted, such as a restored one.

    Raises `KeyMissing`, and `NotTrusted` for a ledger that is damaged.
    """
    if not settings.RELEASE_KEY:
        raise KeyMissing
    with transaction.atomic():
        wait_for_the_ledger(one_snapshot=False)
        is_signed = ReleaseSignature.objects.exists()
        _refuse_damage(is_signed=is_signed, older=older)
        adopted = _sign_again() if is_signed else _sign_all()
        last = Release.objects.without_document().current()
    if last is not None:
        head.note(Head(last.sequence, last.sha256))
    return adopted


def _refuse_damage(*, is_signed: bool, older: bool) -> None:
    for problem in verify_ledger(are_signed=is_signed, is_whole=not older):
        raise NotTrusted(f"{problem.where}: {problem.reason}")


def _sign_all() -> int:
    """Sign a ledger without signatures. The last statement covers the whole audit log."""
    releases = list(Release.objects.select_related("published_by").order_by("sequence"))
    before = None
    for release in releases:
        log = log_pieces.piece_after(None) if release == releases[-1] else log_pieces.NOTHING
        before = signing.statement(
            release, before=before, log=log, publisher=release.published_by.get_username(), adopted=True
        )
        store(release, signing.sign(before))
    return len(releases)


def _sign_again() -> int:
    """Add the signature of this key to the statements that other known keys have signed."""
    adopted = 0
    for release in Release.objects.without_document().order_by("sequence"):
        row, signatures = signing.row_of(release), signing.signatures_of(release)
        believed = next(one for one in signatures if signing.believed(row, [one]) is not None)
        own = signing.sign(believed.statement)
        if own.kid not in {one.kid for one in signatures}:
            store(release, own)
            adopted += 1
    return adopted
