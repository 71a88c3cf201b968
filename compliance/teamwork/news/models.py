"""The tables of what people are told, and how they want to be told. Only the actions of this folder write."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from catalog.tables.constraints import one_of, spelled


class About(models.TextChoices):
    """What happened."""

    MENTIONED = "mentioned", "A comment mentions me"
    ASSIGNED = "assigned", "Something is assigned to me"
    DUE = "due", "What is assigned to me is due tomorrow, or overdue"
    RETURNED = "returned", "My work is returned"
    OWED = "owed", "A second approval is owed that I can give"
    PLAN_FAILED = "plan_failed", "A planned publishing failed"


class News(models.Model):
    """One thing that a person is told, once: `cause` names what happened.

    `kind` and `subject` name its record, as in the audit log. `mailed` is when a mail said it, if one did.
    """

    id = models.BigAutoField(primary_key=True)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", editable=False
    )
    cause = models.CharField(max_length=120, editable=False)
    about = models.CharField(max_length=12, choices=About.choices, editable=False)
    kind = models.CharField(max_length=20, editable=False)
    subject = models.CharField(max_length=300, editable=False)
    text = models.CharField(max_length=400, editable=False)
    made = models.DateTimeField(editable=False)
    mailed = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-id"]
        default_permissions = ()
        indexes = [
            models.Index(name="news_of_a_person", fields=["person", "-id"]),
            models.Index(name="news_to_mail", fields=["made"], condition=models.Q(mailed=None)),
        ]
        constraints = [
            models.UniqueConstraint(name="news_once_for_a_person", fields=["person", "cause"]),
            one_of("news_about_is_known", "about", About.values),
            spelled("news_text_is_one_line", "text", r"^[^\r\n]+$", "a text of news is one line"),
        ]

    def __str__(self) -> str:
        return f"news {self.pk} for {self.person_id}"


class NewsChoice(models.Model):
    """How a person wants to be told. `not_mailed` is what no mail says to them.

    `feed_number` counts the addresses of their feed, 0 for none, and `feed_digest` is the SHA-256 of the
    secret in the present one. `last_mail` is when the last mail was written.
    """

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="+",
        editable=False,
    )
    not_mailed = ArrayField(models.CharField(max_length=12), default=list, blank=True)
    feed_number = models.PositiveIntegerField(default=0, editable=False)
    feed_digest = models.CharField(max_length=64, null=True, unique=True, editable=False)  # noqa: DJ001
    last_mail = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["person"]
        default_permissions = ()

    def __str__(self) -> str:
        return f"how {self.person_id} is told"
