"""The tables of the people of partners, and of open invitations."""

from django.conf import settings
from django.db import models

from catalog.tables.authorship import Created, optional_user
from catalog.tables.constraints import both_or_neither, not_after, spelled
from compliance.partners.models import Partner


class PartnerPerson(Created):
    """An account that belongs to a partner, until it is `removed`. It is no account of the desk.

    `created_by` is who invited the person. An account belongs to one partner.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="partner_person", editable=False
    )
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="people", editable=False)
    removed_at = models.DateTimeField(null=True, editable=False)
    removed_by = optional_user()

    class Meta:
        ordering = ["partner", "user"]
        verbose_name_plural = "partner people"
        # A partner manager invites and removes people; rows stay, as a record of the past.
        default_permissions = ()
        constraints = [
            both_or_neither("partner_person_removal_is_a_pair", "removed_at", "removed_by"),
            not_after(
                "partner_person_removed_after_creation",
                "created_at",
                "removed_at",
                "a person is not removed before they are there",
            ),
        ]

    def __str__(self) -> str:
        return self.user.get_username()


class Invitation(Created):
    """An open invitation of a mail address to a partner. It is deleted when it is used or taken back.

    `digest` is the SHA-256 of the secret in its link; `ends` is when the link no longer works.
    """

    email = models.EmailField(max_length=150, unique=True, editable=False)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="invitations", editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    ends = models.DateTimeField(editable=False)

    class Meta:
        ordering = ["partner", "email"]
        default_permissions = ()
        constraints = [
            spelled(
                "partner_invitation_digest_is_sha256",
                "digest",
                r"^[0-9a-f]{64}$",
                "`digest` is 64 lower-case hex digits",
            ),
            not_after(
                "partner_invitation_ends_after_creation",
                "created_at",
                "ends",
                "an invitation does not end before it is sent",
            ),
        ]

    def __str__(self) -> str:
        return self.email
