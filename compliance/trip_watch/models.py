"""Watched trips: the question, the end of the watch, and all verdicts so far.

The person who watches is not known. Anyone with the secret address may read; only its SHA-256 is stored.
"""

import datetime
import uuid

from django.db import models

from catalog.tables.constraints import choices, not_after, one_of, spelled, words
from compliance.partners.models import Partner
from compliance.records.verdict_log.models import names_no_unit
from rules.engine.vocabulary import Verdict


class TripWatch(models.Model):
    """A trip, or an itinerary, that is judged again after each release, until it is over.

    `watch_id` names the watch where its secret must not appear; `digest` is the SHA-256 of that secret.
    `question` is the canonical question of `rules.engine.verdict_ids`, without a serial. `partner` is the
    partner whose key made the watch, if any. `release_sha256` and `judged_on` are the release and the day of
    the last judgment. From `ends` on the watch is over and is deleted.
    """

    watch_id = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    question = models.JSONField(editable=False)
    language = models.CharField(max_length=10, editable=False)
    partner = models.ForeignKey(
        Partner, on_delete=models.PROTECT, related_name="trip_watches", null=True, editable=False
    )
    made = models.DateTimeField(editable=False)
    ends = models.DateTimeField(editable=False)
    release_sha256 = models.CharField(max_length=64, editable=False)
    judged_on = models.DateField(editable=False)

    class Meta:
        ordering = ["id"]
        # Staff do not look at the trips of others.
        default_permissions = ()
        indexes = [models.Index(name="trip_watches_by_end", fields=["ends"])]
        constraints = [
            spelled(
                "trip_watch_digest_is_sha256",
                "digest",
                r"^[0-9a-f]{64}$",
                "`digest` is 64 lower-case hex digits",
            ),
            names_no_unit(
                "trip_watch_names_no_unit", "a watched question holds no serial and no hash of one"
            ),
            not_after("trip_watch_ends_after_its_start", "made", "ends", "a watch ends after it was made"),
        ]

    def __str__(self) -> str:
        return str(self.watch_id)

    def is_judged_by(self, release_sha256: str, today: datetime.date) -> bool:
        """Say whether a release has judged the watch on a day (UTC)."""
        return (self.release_sha256, self.judged_on) == (release_sha256, today)


class TripWatchState(models.Model):
    """The verdict of a watched trip since some time; states are counted from 0. A state never changes.

    `ruleset_version` is the release that brought it. `fingerprint` is the digest of the verdicts and of the
    codes of the constraints; another digest makes another state. `content` is the text of the state
    (`compliance.trip_watch.evaluation.TripContent`), in the language of the watch.
    """

    watch = models.ForeignKey(TripWatch, on_delete=models.CASCADE, related_name="states", editable=False)
    number = models.PositiveIntegerField(editable=False)
    since = models.DateTimeField(editable=False)
    ruleset_version = models.CharField(max_length=20, editable=False)
    verdict = models.CharField(max_length=12, choices=choices(Verdict), editable=False)
    fingerprint = models.CharField(max_length=64, editable=False)
    content = models.JSONField(editable=False)

    class Meta:
        ordering = ["watch", "-number"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(name="trip_watch_state_once", fields=["watch", "number"]),
            one_of("trip_watch_state_verdict_is_known", "verdict", words(Verdict)),
            spelled(
                "trip_watch_state_fingerprint_is_sha256",
                "fingerprint",
                r"^[0-9a-f]{64}$",
                "`fingerprint` is 64 lower-case hex digits",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.watch_id}, state {self.number}"
