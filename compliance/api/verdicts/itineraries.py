"""POST /api/itineraries/verify: several units, several passengers, several flights."""

import datetime
from decimal import Decimal
from typing import Annotated, Literal

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from msgspec import Meta

from compliance.api.protocol.bodies import read_object
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.views import ServiceView
from compliance.api.verdicts.bounds import Citations
from compliance.api.verdicts.evidence import citations_of
from compliance.api.verdicts.itinerary_request import itinerary_request
from compliance.api.verdicts.requests import ItineraryVerifyRequest
from compliance.api.verdicts.shapes import ErrorBody, RuleIds
from compliance.api.verdicts.stamps import ExpiresAt, ItineraryVerdictId, RulesetVersion, VerdictId
from compliance.api.verdicts.trips import PUBLIC_NAME
from compliance.api.verdicts.verify import DeviceResolvedBody, device_body
from rules import wording
from rules.corpus import check_version
from rules.engine.corpus import Citation
from rules.engine.facts import ItineraryQuestion, Label
from rules.engine.outcomes import FlightVerdict, ItineraryItem, Packing, Share
from rules.engine.vocabulary import Severity, Verdict
from rules.verdicts import ItineraryAnswer
from rules.wording import NextStep

UNITS_TO_A_REQUEST = 10
"""So many units on one flight count as one request."""

Refs = Annotated[tuple[str, ...], Meta(description="The items that it is about.")]


class LabelBody(msgspec.Struct, omit_defaults=True):
    """What was said of the label of a unit."""

    watt_hour: Decimal | None = None
    capacity_mah: int | None = None
    voltage: Decimal | None = None


class ItineraryItemBody(msgspec.Struct, omit_defaults=True):
    """An item, and the strictest verdict of its units over all flights.

    It has either `device_resolved` or `label`.
    """

    ref: str
    quantity: int
    verdict: Verdict
    device_resolved: DeviceResolvedBody | None = None
    label: LabelBody | None = None


class ShareBody(msgspec.Struct):
    """Some units of an item."""

    ref: str
    quantity: int


class PassengerBody(msgspec.Struct):
    """What one passenger carries, and the verdict of that bag over all flights."""

    passenger: int
    items: list[ShareBody]
    verdict: Verdict


class StayingBody(msgspec.Struct):
    """Units that must not come."""

    ref: str
    quantity: int
    because: Annotated[
        Literal["numbers", "unit", "route"],
        Meta(
            description="`numbers`: they are too many; each alone may travel. `unit`: something is wrong "
            "with the unit, wherever it travels. `route`: a rule of this route refuses it."
        ),
    ]


class CarriedShareBody(msgspec.Struct):
    """Some units of an item, and who carries them."""

    ref: str
    quantity: int
    carried_by: int


class MayTravelBody(msgspec.Struct):
    """The most units that may travel together. Asked again like this, they get this verdict."""

    verdict: Verdict
    items: list[CarriedShareBody]


class PackingBody(msgspec.Struct, omit_defaults=True):
    """Who carries what. If the itinerary is `banned` or `insufficient`, also what to do about it."""

    passengers: list[PassengerBody]
    move_to_cabin: Annotated[
        tuple[str, ...], Meta(description="Items that are banned only because they are checked.")
    ] = ()
    stays: list[StayingBody] = []
    undecided: Annotated[
        tuple[str, ...], Meta(description="Items that cannot be judged. They are not cleared.")
    ] = ()
    may_travel: MayTravelBody | None = None


class ItineraryConstraintBody(msgspec.Struct):
    """A requirement of a flight."""

    code: str
    message: str
    rule_ids: RuleIds
    refs: Refs


class ItineraryWarningBody(msgspec.Struct):
    """Something that the traveler should know about a flight."""

    code: str
    severity: Severity
    message: str
    rule_ids: RuleIds
    refs: Refs


class ItemOnFlightBody(msgspec.Struct, omit_defaults=True):
    """The verdict of an item on one flight, and the codes that decide it."""

    ref: str
    verdict: Verdict
    decided_by: Annotated[
        tuple[str, ...],
        Meta(description="What bans, what is missing, or what must be settled first; none if it is allowed."),
    ]
    verdict_id: (
        Annotated[
            VerdictId,
            Meta(
                description="Present if this item is alone in its bag: the id that POST /api/verify gives "
                "for this flight."
            ),
        ]
        | None
    ) = None


class ItinerarySegmentBody(msgspec.Struct, omit_defaults=True):
    """One flight. `error` is present if its airline is not covered."""

    index: Annotated[int, Meta(description="Counted from 1.")]
    origin: Annotated[str, Meta(description="The country.")]
    destination: Annotated[str, Meta(description="The country.")]
    date: datetime.date
    verdict: Verdict
    constraints: list[ItineraryConstraintBody]
    warnings: list[ItineraryWarningBody]
    items: list[ItemOnFlightBody]
    origin_airport: str | None = None
    destination_airport: str | None = None
    operating_airline: str | None = None
    marketing_airline: str | None = None
    date_assumed: bool = False
    suggested_next_step: NextStep | None = None
    error: ErrorBody | None = None


class ItineraryBody(msgspec.Struct):
    """The answer of POST /api/itineraries/verify: a Trip Battery Pass for all items and passengers."""

    public_name: str
    itinerary_verdict_id: ItineraryVerdictId
    verdict: Verdict
    summary: str
    ruleset_version: RulesetVersion
    generated_at: datetime.datetime
    expires_at: ExpiresAt
    packing: PackingBody
    items: list[ItineraryItemBody]
    segments: list[ItinerarySegmentBody]
    citations: Annotated[
        tuple[Citation, ...],
        Meta(
            description="The sources of all facts and rules, each once; fewer if "
            "`options.citations` asks for fewer."
        ),
    ]


class ItinerariesVerifyView(ServiceView):
    """One verdict for an itinerary, and one for each passenger, item and flight."""

    operation = Operation(
        operation_id="verifyItinerary",
        tag="Verdicts",
        summary="May these power banks travel with these passengers on all these flights?",
        description=(
            "Judges several power banks, of several passengers, on several flights, each on its own date. "
            "Rules that limit numbers count what one passenger carries on one flight, over all items. Items "
            "without `carried_by` are distributed so that the verdict is the mildest that any distribution "
            "reaches: `packing` says who carries what.\n\n"
            "The operating airline's rules decide. With only a marketing airline the verdict is at best "
            "`conditional`. If the itinerary is not cleared, `packing` says which units stay and which may "
            "travel. "
            "As with POST /api/verify, only `allowed` before `expires_at` means allowed.\n\n"
            f"Every {UNITS_TO_A_REQUEST} units on a flight count as one request against your limit."
        ),
        body=ItineraryVerifyRequest,
        answer=ItineraryBody,
        signed=True,
        errors=(
            "MALFORMED_JSON",
            "QUESTION_TOO_LARGE",
            "BATCH_EXCEEDS_LIMIT",
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
        asked = itinerary_request(read_object(request), today=now.date(), countries=release.corpus.countries)
        check_version(release, asked.ruleset_version)
        self.spend(request, requests_of(asked.question) - 1)
        answer = self.place.itinerary_answer_from(release, asked.question, now=now)
        leg_ids = [self.place.leg_ids(answer, flight) for flight in answer.outcome.flights]
        body = itinerary_body(answer, leg_ids, asked.language, asked.citations)
        return self.place.give(request, answer, body, asked.language)


def requests_of(question: ItineraryQuestion) -> int:
    """Return as how many requests a question counts."""
    units = sum(item.unit.quantity for item in question.items) * len(question.flights)
    return -(-units // UNITS_TO_A_REQUEST)


def itinerary_body(
    answer: ItineraryAnswer, leg_ids: list[dict[str, str]], language: str, citations: Citations = "full"
) -> ItineraryBody:
    """Return an itinerary's answer in a language and with so much evidence.

    `leg_ids` are verdict ids, by flight and ref.
    """
    outcome = answer.outcome
    return ItineraryBody(
        public_name=PUBLIC_NAME,
        itinerary_verdict_id=answer.itinerary_verdict_id,
        verdict=outcome.verdict,
        summary=wording.itinerary_summary(answer, language),
        ruleset_version=answer.release.ruleset_version,
        generated_at=answer.generated_at,
        expires_at=answer.expires_at,
        packing=_packing_body(outcome.packing),
        items=[_item_body(answer, item, language) for item in outcome.items],
        segments=[
            _segment_body(index, answer, flight, ids, language)
            for index, (flight, ids) in enumerate(zip(outcome.flights, leg_ids, strict=True), start=1)
        ],
        citations=citations_of(answer, citations),
    )


def _item_body(answer: ItineraryAnswer, one: ItineraryItem, language: str) -> ItineraryItemBody:
    item, label = one.item, one.item.label
    return ItineraryItemBody(
        ref=item.ref,
        quantity=item.unit.quantity,
        verdict=one.verdict,
        device_resolved=None
        if label is not None
        else device_body(answer.release, one.device, one.impact, item.unit.serial, language),
        label=None if label is None else _label_body(label),
    )


def _label_body(label: Label) -> LabelBody:
    return LabelBody(label.watt_hour, label.capacity_mah, label.voltage)


def _packing_body(packing: Packing) -> PackingBody:
    may_travel = packing.may_travel
    return PackingBody(
        passengers=[
            PassengerBody(
                one.passenger, [ShareBody(share.ref, share.quantity) for share in one.shares], one.verdict
            )
            for one in packing.passengers
        ],
        move_to_cabin=packing.move_to_cabin,
        stays=[StayingBody(one.ref, one.quantity, one.because) for one in packing.stays],
        undecided=packing.undecided,
        may_travel=None
        if may_travel is None
        else MayTravelBody(may_travel.verdict, [_carried(share) for share in may_travel.shares]),
    )


def _carried(share: Share) -> CarriedShareBody:
    return CarriedShareBody(share.ref, share.quantity, share.passenger)


def _segment_body(
    index: int, answer: ItineraryAnswer, one: FlightVerdict, leg_ids: dict[str, str], language: str
) -> ItinerarySegmentBody:
    flight = one.flight
    return ItinerarySegmentBody(
        index=index,
        origin=flight.origin,
        destination=flight.destination,
        date=flight.date,
        verdict=one.verdict,
        constraints=[
            ItineraryConstraintBody(
                said.statement.code, wording.flight_sentence(answer, said, language), said.rule_ids, said.refs
            )
            for said in one.constraints
        ],
        warnings=[
            ItineraryWarningBody(
                said.statement.code,
                said.statement.severity or "advisory",
                wording.flight_sentence(answer, said, language),
                said.rule_ids,
                said.refs,
            )
            for said in one.warnings
        ],
        items=[
            ItemOnFlightBody(item.ref, item.verdict, item.codes, leg_ids.get(item.ref)) for item in one.items
        ],
        origin_airport=flight.origin_airport,
        destination_airport=flight.destination_airport,
        operating_airline=flight.operating_airline,
        marketing_airline=flight.marketing_airline,
        date_assumed=flight.date_assumed,
        suggested_next_step=wording.flight_step(answer, one, language),
        error=_error_body(answer, one, language),
    )


def _error_body(answer: ItineraryAnswer, one: FlightVerdict, language: str) -> ErrorBody | None:
    if one.error is None:
        return None
    airline = one.flight.leg.airline
    return ErrorBody(
        one.error.code,
        wording.coverage_message(airline, language),
        wording.coverage_step(answer.release, airline, language),
    )
