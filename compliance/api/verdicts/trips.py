"""POST /api/trips/verify: may this unit travel on this whole trip?"""

import datetime
from decimal import Decimal
from typing import Annotated

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from msgspec import Meta

from compliance.api.protocol.bodies import read_object
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.views import ServiceView
from compliance.api.verdicts import questions
from compliance.api.verdicts.requests import TripRequest
from compliance.api.verdicts.shapes import ConstraintBody, ErrorBody, WarningBody, demands_of
from compliance.api.verdicts.stamps import ExpiresAt, RulesetVersion, TripVerdictId, VerdictId
from rules import wording
from rules.corpus import check_version
from rules.engine.outcomes import Segment
from rules.engine.vocabulary import Verdict
from rules.verdicts import TripAnswer, segment_answer
from rules.wording import NextStep

PUBLIC_NAME = "Trip Battery Pass"


class SegmentVerdictBody(msgspec.Struct):
    """The verdict of one segment. Its id is the same as if the segment had been asked about alone."""

    verdict: Verdict
    ruleset_version: RulesetVersion
    verdict_id: VerdictId


class SegmentBody(msgspec.Struct, omit_defaults=True):
    """One flight of a trip, with what it demands: as POST /api/verify says for it alone.

    `error` is present if its airline is not covered. A `conditional` or `insufficient` flight has a
    `suggested_next_step`.
    """

    index: Annotated[int, Meta(description="Counted from 1.")]
    origin: str
    destination: str
    airline: str
    verdict: SegmentVerdictBody
    constraints: Annotated[
        list[ConstraintBody],
        Meta(description="The requirements: first those that ban, then those to settle, then the rest."),
    ]
    warnings: list[WarningBody]
    error: ErrorBody | None = None
    suggested_next_step: (
        Annotated[NextStep, Meta(description="What to do first about this flight.")] | None
    ) = None


class TripDeviceBody(msgspec.Struct):
    """The exact model. `watt_hour` is null if it is not known."""

    model_id: str
    watt_hour: Decimal | None


class TripBody(msgspec.Struct, omit_defaults=True):
    """The answer of POST /api/trips/verify: a Trip Battery Pass.

    A `conditional` or `insufficient` answer has a `suggested_next_step`.
    """

    public_name: str
    trip_verdict_id: TripVerdictId
    verdict: Verdict
    summary: str
    segments: list[SegmentBody]
    device_resolved: TripDeviceBody
    citation_count: Annotated[int, Meta(description="How many different sources all segments are based on.")]
    ruleset_version: RulesetVersion
    generated_at: datetime.datetime
    expires_at: ExpiresAt
    suggested_next_step: (
        Annotated[
            NextStep,
            Meta(
                description=(
                    "What to do first about the strictest flight. Do it, then ask again: the step alone "
                    "clears nothing."
                )
            ),
        ]
        | None
    ) = None


class TripsVerifyView(ServiceView):
    """One verdict for a trip, and one for each of its flights."""

    operation = Operation(
        operation_id="verifyTrip",
        tag="Verdicts",
        summary="May this power bank travel on this whole trip?",
        description=(
            "Judges every flight of a journey. The trip gets the strictest of their verdicts. Describe the "
            "journey by its stops (`origin`, `transit`, `destination`, `airline`) or flight by flight "
            "(`legs`), not both.\n\n"
            "A flight with an airline that is not covered is `insufficient` and has an `error`; the request "
            "does not fail. Each flight has its constraints and warnings; POST /api/verify gives its "
            "citations too, with the same `verdict_id`. As there, only `allowed` before `expires_at` means "
            "allowed."
        ),
        body=TripRequest,
        answer=TripBody,
        signed=True,
        errors=(
            "MALFORMED_JSON",
            "RULESET_VERSION_NOT_CURRENT",
            "MODEL_NOT_FOUND",
            "BODY_TOO_LARGE",
            "UNSUPPORTED_MEDIA_TYPE",
        ),
    )
    http_method_names = ["post", "options"]

    def post(self, request: HttpRequest) -> HttpResponse:
        """Answer with 200, whatever the verdict is."""
        now = timezone.now()
        release = self.place.release(now)
        asked = questions.trip_request(
            read_object(request), today=now.date(), countries=release.corpus.countries
        )
        check_version(release, asked.ruleset_version)
        answer = self.place.trip_answer_from(release, asked.question, now=now)
        return self.place.give(request, answer, trip_body(answer, asked.language), asked.language)


def trip_body(answer: TripAnswer, language: str) -> TripBody:
    """Return a trip's answer in the form of the specification, in a language."""
    outcome = answer.outcome
    return TripBody(
        public_name=PUBLIC_NAME,
        trip_verdict_id=answer.trip_verdict_id,
        verdict=outcome.verdict,
        summary=wording.trip_summary(answer, language),
        segments=[
            _segment_body(answer, place, segment, language) for place, segment in enumerate(outcome.segments)
        ],
        device_resolved=TripDeviceBody(outcome.device.model_id, outcome.device.watt_hour),
        citation_count=len(outcome.citations),
        ruleset_version=answer.release.ruleset_version,
        generated_at=answer.generated_at,
        expires_at=answer.expires_at,
        suggested_next_step=wording.trip_next_step(answer, language),
    )


def _segment_body(answer: TripAnswer, place: int, segment: Segment, language: str) -> SegmentBody:
    """Return a flight, by its place in the trip, counted from 0."""
    leg, alone, release = segment.leg, segment_answer(answer, place), answer.release
    step = None if alone is None else wording.next_step(alone, language)
    constraints, warnings = ([], []) if alone is None else demands_of(alone.outcome, language)
    error = None
    if segment.error is not None:
        step = wording.coverage_step(release, leg.airline, language)
        error = ErrorBody(segment.error.code, wording.coverage_message(leg.airline, language), step)
    return SegmentBody(
        index=place + 1,
        origin=leg.origin,
        destination=leg.destination,
        airline=leg.airline,
        verdict=SegmentVerdictBody(segment.verdict, release.ruleset_version, answer.segment_ids[place]),
        constraints=constraints,
        warnings=warnings,
        error=error,
        suggested_next_step=step,
    )
