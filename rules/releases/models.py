"""Published releases, the ledger that every verdict points back to, and records held back from it.

A release is written once, by `rules.publishing.actions.releases`, and never changed or deleted. Models and
querysets refuse both here; the triggers of migration 0002 refuse it for every other way.
`rules.releases.ledger` checks that both work.
"""

from typing import Any, NoReturn, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from catalog.tables.authorship import Created
from catalog.tables.constraints import check, one_of, same, spelled
from catalog.tables.tracking import tracked
from rules.engine.document import ReleaseDocument, decode

SHA256 = r"^[0-9a-f]{64}$"


class PublishedReleaseCannotChange(Exception):
    """An attempt to change or delete a published release. A correction is another release."""

    def __init__(self) -> None:
        super().__init__("a published release cannot be changed or deleted; publish another one instead")


class ReleaseQuerySet(models.QuerySet["Release"]):
    """Releases, without the methods that change them."""

    def current(self) -> "Release | None":
        """Return the release that answers now: the last of the chain. None if nothing is published."""
        return self.order_by("-sequence").first()

    def without_document(self) -> Self:
        """Leave the document, which can be megabytes, in the database until it is needed."""
        return self.defer("document")

    def update(self, **kwargs: Any) -> NoReturn:
        """Refuse. Raises `PublishedReleaseCannotChange`."""
        raise PublishedReleaseCannotChange

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse. Raises `PublishedReleaseCannotChange`."""
        raise PublishedReleaseCannotChange

    def delete(self) -> NoReturn:
        """Refuse. Raises `PublishedReleaseCannotChange`."""
        raise PublishedReleaseCannotChange


class Release(models.Model):
    """One published release, the link of a chain.

    `document` is the canonical text of `rules.engine.document.ReleaseDocument` and `sha256` the digest of its
    UTF-8 bytes. `content_sha256` is that of the content alone, so it shows whether two releases say the same.

    The last release is the current one. There is no pointer to set: a predecessor has one successor, so the
    chain cannot fork, and going back means publishing the older content again. So `published_at` alone shows
    which release answered at any instant.
    """

    ruleset_version = models.CharField(max_length=20, unique=True)
    sequence = models.PositiveIntegerField(unique=True)
    document = models.TextField()
    sha256 = models.CharField(max_length=64, unique=True)
    content_sha256 = models.CharField(max_length=64)
    predecessor = models.OneToOneField(
        "self",
        on_delete=models.PROTECT,
        to_field="sha256",
        db_column="predecessor_sha256",
        related_name="successor",
        null=True,
        editable=False,
    )
    note = models.TextField()
    published_at = models.DateTimeField()
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        ordering = ["sequence"]
        default_permissions = ("view",)
        permissions = [("publish_release", "Can publish release")]
        constraints = [
            spelled(
                "release_version_is_a_date",
                "ruleset_version",
                r"^\d{4}-\d{2}-\d{2}(\.([2-9]|[1-9]\d+))?$",
                "the version is a date, with .2, .3 … for later releases of that day",
            ),
            spelled("release_sha256_is_a_digest", "sha256", SHA256, "`sha256` is 64 lower-case hex digits"),
            spelled(
                "release_content_sha256_is_a_digest",
                "content_sha256",
                SHA256,
                "`content_sha256` is 64 lower-case hex digits",
            ),
            check(
                "release_first_has_no_predecessor",
                same(Q(sequence=1), Q(predecessor__isnull=True)),
                "the first release has no predecessor, and every other one has",
            ),
            spelled("release_note_is_written", "note", r"\S", "a release has a note"),
        ]

    def __str__(self) -> str:
        return self.ruleset_version

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store a new release. Raises `PublishedReleaseCannotChange` for one that is stored already."""
        if not self._state.adding:
            raise PublishedReleaseCannotChange
        # Without force_insert a given primary key would make this an update.
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse. Raises `PublishedReleaseCannotChange`."""
        raise PublishedReleaseCannotChange

    def read(self) -> ReleaseDocument:
        """Return the document, decoded. Raises `rules.engine.document.UnreadableDocument`."""
        return decode(self.document.encode())


class ReleaseSignature(models.Model):
    """One signature of a release: `statement` is the signed text, `kid` the thumbprint of the key.

    It is written once, like its release: the triggers of migration 0010 refuse every change.
    `rules.releases.signing` makes and checks it.
    """

    # The triggers of the release refuse its deletion.
    release = models.ForeignKey(
        Release, on_delete=models.DO_NOTHING, related_name="signatures", editable=False
    )
    kid = models.CharField(max_length=43, editable=False)
    statement = models.TextField(editable=False)
    signature = models.CharField(max_length=86, editable=False)

    class Meta:
        ordering = ["id"]
        default_permissions = ()
        constraints = [models.UniqueConstraint(name="release_signature_once", fields=["release", "kid"])]

    def __str__(self) -> str:
        return f"signature of release {self.release_id} by {self.kid}"


HELD_BACK_KINDS = ("countries", "jurisdictions", "sources", "airlines", "devices")
"""The kinds of records that have no revisions, as a release document calls them."""


@tracked
class HeldBack(Created):
    """One record that stays in the tables but is left out of releases, until a user releases the hold.

    Rolling back to a release without this record holds it back. A rule would be withdrawn, but a row of the
    catalog has no revisions, and deleting it would lose what editors wrote. `since` is the release with which
    the hold began.
    """

    kind = models.CharField(max_length=20, choices=[(kind, kind) for kind in HELD_BACK_KINDS])
    record_id = models.CharField(max_length=80)
    since = models.ForeignKey("rules.Release", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["kind", "record_id"]
        verbose_name = "record held back"
        verbose_name_plural = "records held back"
        default_permissions = ("view",)
        constraints = [
            one_of("held_back_kind_is_known", "kind", HELD_BACK_KINDS),
            models.UniqueConstraint(
                name="held_back_once",
                fields=["kind", "record_id"],
                violation_error_message="is held back already",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.record_id}"
