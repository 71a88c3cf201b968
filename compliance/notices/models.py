"""The table of mails that wait to be sent."""

from django.db import models

from catalog.tables.constraints import spelled


class Notice(models.Model):
    """A mail to one address. It is tried when it is `due`, and deleted once it is sent or given up."""

    recipient = models.EmailField(editable=False)
    subject = models.CharField(max_length=200, editable=False)
    text = models.TextField(editable=False)
    made = models.DateTimeField(editable=False)
    due = models.DateTimeField(editable=False)
    tries = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        ordering = ["due", "pk"]
        # No one reads the mail of others.
        default_permissions = ()
        indexes = [models.Index(name="notices_due", fields=["due"])]
        constraints = [
            # A line break in a header would begin another one.
            spelled("notice_subject_is_one_line", "subject", r"^[^\r\n]+$", "a subject is one line"),
        ]

    def __str__(self) -> str:
        return f"notice {self.pk}"
