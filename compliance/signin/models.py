"""The database tables of second factors, and of mails about locked names.

The secret of an app is in django-otp's table, in clear text, because each check computes with it. Of recovery
codes only hashes are stored.
"""

from django.conf import settings
from django.db import models
from django_otp.plugins.otp_totp.models import TOTPDevice

from catalog.tables.constraints import spelled


class SecondFactor(models.Model):
    """The second factor of a user, and when it was set up: one app (`device`), and recovery codes.

    Replacing it makes another row. Each session stores the number of the row with which it was opened.
    Sessions with another number end.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="second_factor", editable=False
    )
    device = models.OneToOneField(
        TOTPDevice, on_delete=models.CASCADE, related_name="second_factor", editable=False
    )
    since = models.DateTimeField(editable=False)

    class Meta:
        ordering = ["user"]
        # No one sees or changes rows; users have their own page, and managers a button.
        default_permissions = ()

    def __str__(self) -> str:
        return f"second factor {self.pk}"


class LockMail(models.Model):
    """A mail to the owner of a name about a lock: for which network address, and when."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="lock_mails", editable=False
    )
    address = models.CharField(max_length=45, editable=False)
    sent = models.DateTimeField(editable=False)

    class Meta:
        ordering = ["-sent"]
        default_permissions = ()
        constraints = [models.UniqueConstraint(name="lock_mail_once", fields=["user", "address"])]

    def __str__(self) -> str:
        return f"lock mail {self.pk}"


class RecoveryCode(models.Model):
    """The SHA-256 of a code that opens the admin once in place of the app; `used` is when it did."""

    second_factor = models.ForeignKey(
        SecondFactor, on_delete=models.CASCADE, related_name="recovery_codes", editable=False
    )
    digest = models.CharField(max_length=64, unique=True, editable=False)
    used = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["pk"]
        default_permissions = ()
        constraints = [
            spelled(
                "recovery_code_digest_is_sha256",
                "digest",
                r"^[0-9a-f]{64}$",
                "`digest` is 64 lower-case hex digits",
            ),
        ]

    def __str__(self) -> str:
        return f"recovery code {self.pk}"
