"""The table of answers that are given once."""

from django.db import models

from catalog.tables.constraints import spelled

_SHA256 = r"^[0-9a-f]{64}$"


class KeptAnswer(models.Model):
    """An answer to a request with an `Idempotency-Key`.

    `digest` is of the caller and the key, `request_digest` of the request, and `about` of the id of what was
    created, with which the answer ends. They are keyed, so no one who reads the table can try guesses.
    `sealed` is the answer, encrypted (`sealing`). `made` is when it was given.
    """

    digest = models.CharField(primary_key=True, max_length=64, editable=False)
    request_digest = models.CharField(max_length=64, editable=False)
    sealed = models.BinaryField(editable=False)
    about = models.CharField(max_length=64, blank=True, default="", editable=False)
    made = models.DateTimeField(editable=False)

    class Meta:
        ordering = ["made"]
        # No one reads or changes rows.
        default_permissions = ()
        indexes = [
            models.Index(name="kept_answers_by_time", fields=["made"]),
            models.Index(name="kept_answers_by_subject", fields=["about"]),
        ]
        constraints = [
            spelled(
                "kept_answer_digest_is_spelled", "digest", _SHA256, "`digest` is 64 lower-case hex digits"
            ),
            spelled(
                "kept_answer_request_is_spelled",
                "request_digest",
                _SHA256,
                "`request_digest` is 64 lower-case hex digits",
            ),
        ]

    def __str__(self) -> str:
        return f"kept answer {self.digest[:8]}"
