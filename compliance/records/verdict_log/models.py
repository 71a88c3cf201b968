"""The verdict log: the answer, its release, the time; and the use of each key.

Nothing in it identifies a unit or a person.
"""

from typing import Literal

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import CheckConstraint, Func, Q, Value

from catalog.tables.constraints import check, choices, one_of, positive, spelled, words
from catalog.tables.triggers import refuse
from recalls.serials import RecallStatus
from rules.engine.vocabulary import Verdict

Kind = Literal["leg", "trip", "itinerary"]
Channel = Literal["api", "page", "mcp"]
SerialGiven = Literal["none", "serial", "hash"]


_NAMES_A_UNIT = Func(
    "question",
    Value('$.items[*].unit.keyvalue() ? (@.key starts with "serial")'),
    function="jsonb_path_exists",
    output_field=models.BooleanField(),
)
"""Whether an item of an itinerary has a serial or a hash of one."""


def names_no_unit(name: str, sentence: str) -> CheckConstraint:
    """Require a stored `question`, of whatever kind, to hold no serial and no hash of one."""
    return check(
        name, ~Q(question__unit__has_any_keys=["serial", "serial_hash"]) & ~Q(_NAMES_A_UNIT), sentence
    )


class VerdictRecord(models.Model):
    """One verdict as it was given. It never changes, and is deleted when it is old enough.

    `question` is the canonical question of `rules.engine.verdict_ids`, whose digest the id is. `segment_ids`
    are the ids of a trip's flights; flights have no rows of their own. `serial_given` says whether a serial,
    or a hash of one, was sent; neither is stored. `recall_status` is the meaning of the recalls for the unit
    (of an itinerary the gravest), empty if no flight of a trip was covered. `partner` is the public id of a
    key, empty for anonymous callers. `generated` and `expires` are those of the answer; `recorded` is when
    the row was written.
    """

    entry_id = models.UUIDField(primary_key=True, editable=False)
    verdict_id = models.CharField(max_length=31)
    segment_ids = ArrayField(models.CharField(max_length=31), default=list, blank=True)
    kind = models.CharField(max_length=9, choices=choices(Kind))
    channel = models.CharField(max_length=4, choices=choices(Channel))
    question = models.JSONField()
    serial_given = models.CharField(max_length=6, choices=choices(SerialGiven))
    recall_status = models.CharField(max_length=30, choices=choices(RecallStatus), blank=True)
    release_sha256 = models.CharField(max_length=64)
    ruleset_version = models.CharField(max_length=20)
    verdict = models.CharField(max_length=12, choices=choices(Verdict))
    language = models.CharField(max_length=10)
    generated = models.DateTimeField()
    expires = models.DateTimeField()
    partner = models.CharField(max_length=12, blank=True)
    recorded = models.DateTimeField()

    class Meta:
        ordering = ["-generated", "entry_id"]
        # Rows come from answers, and are deleted by age.
        default_permissions = ("view",)
        permissions = [("export_verdictrecord", "Can export verdict record")]
        indexes = [
            models.Index(name="verdict_records_by_id", fields=["verdict_id"]),
            GinIndex(name="verdict_records_by_segment", fields=["segment_ids"]),
            models.Index(name="verdict_records_by_age", fields=["-generated", "entry_id"]),
        ]
        constraints = [
            spelled(
                "verdict_record_id_is_spelled",
                "verdict_id",
                r"^(vdt|trip|itn)_[a-z2-7]{26}$",
                "a verdict id is `vdt_`, `trip_` or `itn_` and 26 characters",
            ),
            one_of("verdict_record_verdict_is_known", "verdict", words(Verdict)),
            names_no_unit(
                "verdict_record_names_no_unit", "a recorded question holds no serial and no hash of one"
            ),
        ]
        triggers = [
            refuse(
                "stays_as_it_was_given",
                pgtrigger.Update,
                pgtrigger.Condition("TRUE"),
                "what is recorded of a verdict does not change",
            )
        ]

    def __str__(self) -> str:
        return self.verdict_id


USE_DAYS = 30
"""For how many days, with today (UTC), people see the use of keys, at the desk as at `/partners`."""


class KeyUsage(models.Model):
    """How many verdicts were given with a key of a partner on a day (UTC).

    `key` is its public id. It is counted when the verdicts are recorded, so that no one has to count the log.
    """

    key = models.CharField(max_length=12, editable=False)
    day = models.DateField(editable=False)
    verdicts = models.PositiveBigIntegerField(editable=False)

    class Meta:
        ordering = ["key", "day"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(name="key_usage_once_a_day", fields=["key", "day"]),
            positive("key_usage_is_above_zero", "verdicts"),
        ]

    def __str__(self) -> str:
        return f"{self.key} on {self.day}"
