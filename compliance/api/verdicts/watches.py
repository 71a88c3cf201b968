"""POST /api/watches: make a watch of a trip or an itinerary, with a secret address."""

import datetime
from collections.abc import Container
from typing import Annotated, Any, ClassVar

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from msgspec import UNSET, Meta, UnsetType

from compliance.api.protocol.bodies import encode, read_object
from compliance.api.protocol.callers import caller_of, is_of_another_site
from compliance.api.protocol.corrections import offers_correction
from compliance.api.protocol.errors import ApiError, FieldError
from compliance.api.protocol.idempotency import created_once
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.views import ServiceView
from compliance.api.verdicts import own_watches, questions
from compliance.api.verdicts.itinerary_request import itinerary_request
from compliance.api.verdicts.questions import Asked
from compliance.api.verdicts.requests import (
    CapacityLabel,
    CccMark,
    Condition,
    ItineraryRequest,
    LabelItemRequest,
    ModelId,
    MustBeAbsent,
    OptionsRequest,
    Quantity,
    RecallCheck,
    RequestPart,
    TravelerRequest,
    WatchedModelItemRequest,
)
from compliance.partners.register import KnownKey
from compliance.records.idempotency.actions import Made
from compliance.trip_watch.actions import QuotaReached, TooManyWatches, make_watch
from compliance.trip_watch.formats import WRITTEN
from compliance.trip_watch.questions import Watched
from compliance.trip_watch.rate_limit import too_many
from rules import corpus, verdicts
from rules.corpus import Published
from rules.engine.facts import ItineraryQuestion, TripQuestion, Unit
from rules.engine.vocabulary import MAX_ITEMS
from rules.verdicts import ItineraryAnswer, TripAnswer

ITINERARY_FIELDS = frozenset(TravelerRequest.__struct_fields__)
"""The fields that only an itinerary has."""

AskedWatched = Asked[TripQuestion] | Asked[ItineraryQuestion]

NOT_KEPT = (
    "A watch stores no serial number and no hash of one. Leave it out, and use it when you ask for a verdict."
)


OTHER_SITE = (
    "Without a key, only our own pages and programs make watches. Pages of a partner send its key, from an "
    "origin that the key allows."
)


class WatchedDeviceRequest(RequestPart, kw_only=True):
    """The power bank in question. Identifiers of a single unit are refused, because a watch is stored."""

    model_id: ModelId
    ccc_mark: CccMark | UnsetType = UNSET
    quantity: Quantity | UnsetType = UNSET
    capacity_label: CapacityLabel | UnsetType = UNSET
    condition: Condition | UnsetType = UNSET
    recall_check: RecallCheck | UnsetType = UNSET
    serial: MustBeAbsent = UNSET
    serial_hash: MustBeAbsent = UNSET


class WatchRequest(RequestPart, kw_only=True):
    """A trip of one power bank. A field that is not listed here is refused, never ignored."""

    device: WatchedDeviceRequest
    trip: ItineraryRequest
    options: OptionsRequest | UnsetType = UNSET
    ruleset_version: MustBeAbsent = UNSET


class WatchedItemRequest:
    """Some equal power banks of an itinerary: of an exact model, or by their label."""

    one_of: ClassVar = (WatchedModelItemRequest, LabelItemRequest)


class ItineraryWatchRequest(TravelerRequest, kw_only=True):
    """An itinerary, as for POST /api/itineraries/verify, but without serials and `ruleset_version`.

    A field that is not listed here is refused, never ignored.
    """

    items: Annotated[list[WatchedItemRequest], Meta(min_length=1, max_length=MAX_ITEMS)]  # type: ignore[assignment]
    options: OptionsRequest | UnsetType = UNSET
    ruleset_version: MustBeAbsent = UNSET


class AnyWatchRequest:
    """The body of POST /api/watches: a trip, or (with `items`) an itinerary."""

    one_of: ClassVar = (WatchRequest, ItineraryWatchRequest)


class WatchMadeBody(msgspec.Struct):
    """The answer of POST /api/watches. The addresses contain the secret, and are given only here."""

    watch_id: Annotated[str, Meta(description="The id of the watch in webhooks. It gives no access.")]
    page_url: Annotated[
        str,
        Meta(description="The page for people. A POST to this address followed by `/end` ends the watch."),
    ]
    atom_url: str
    calendar_url: str
    json_url: str
    ends_at: Annotated[
        datetime.datetime,
        Meta(
            description="The watch is deleted at this time: the end of the day after the last flight (UTC)."
        ),
    ]


class WatchesView(ServiceView):
    """A new watch, and the list of a partner's."""

    operation = Operation(
        operation_id="watchTrip",
        tag="Verdicts",
        summary="Watch a trip for changes of its verdict",
        description=(
            "Watches a trip, or an itinerary with the body of POST /api/itineraries/verify. "
            "Makes a secret address, which gives a page, an Atom feed, a calendar and JSON. Their content "
            "changes only when the verdict of the trip, the verdict of a flight or a constraint changes; for "
            "an itinerary also when other units must stay or may travel. "
            "Anyone who has the address may read the watch and end it. The service cannot "
            "show the address again.\n\n"
            "The question and the language are stored until the day after the last flight, but never a "
            "serial number. A watch clears nothing: ask POST /api/trips/verify or POST "
            "/api/itineraries/verify before anyone relies on a verdict.\n\n"
            "Changes of trips that are watched with a partner key are also sent to the partner's webhooks; "
            "what was sent is stored for two weeks. The number of watches that a partner has at a time is "
            "limited. Without a key, the number of new watches from one address in a day is limited, and "
            "pages of other sites are refused."
        ),
        body=AnyWatchRequest,
        answer=WatchMadeBody,
        errors=(
            "MALFORMED_JSON",
            "MODEL_NOT_FOUND",
            "BODY_TOO_LARGE",
            "UNSUPPORTED_MEDIA_TYPE",
            "WATCH_QUOTA_REACHED",
        ),
        creates=True,
    )
    operations = {"GET": own_watches.LISTING}
    http_method_names = ["get", "head", "post", "options"]

    def get(self, request: HttpRequest) -> HttpResponse:
        """List the watches of a partner."""
        return own_watches.listed(request)

    def post(self, request: HttpRequest) -> HttpResponse:
        """Make a watch of a valid question."""
        key = caller_of(request).key
        # With a key, the origins of the partner were compared.
        if key is None and is_of_another_site(request):
            raise ApiError("ORIGIN_NOT_ALLOWED", OTHER_SITE)
        body = read_object(request)
        return created_once(request, body, lambda: self._make(request, body, key))

    def _make(self, request: HttpRequest, body: dict[str, Any], key: KnownKey | None) -> Made:
        now, release = timezone.now(), corpus.current()
        countries = release.corpus.countries
        asked = _watched(body, today=now.date(), countries=countries)
        # A model that is not in the catalog is an error now; its watch would never change.
        _answer(release, asked.question, now)
        if key is None and (seconds := too_many(request)):
            raise ApiError("RATE_LIMITED", headers={"Retry-After": str(seconds)})
        try:
            made = make_watch(
                release=release,
                question=asked.question,
                language=asked.language,
                now=now,
                partner=None if key is None else key.partner,
            )
        except QuotaReached:
            raise ApiError("WATCH_QUOTA_REACHED", _quota()) from None
        except TooManyWatches as refusal:
            raise ApiError("SERVICE_UNAVAILABLE", f"{refusal}.", headers={"Retry-After": "3600"}) from None
        page = f"{settings.SITE_URL}/watch/{made.secret}"
        atom, calendar, data = (f"{page}.{ending}" for ending in WRITTEN)
        watch_id = str(made.row.watch_id)
        return Made(watch_id, encode(WatchMadeBody(watch_id, page, atom, calendar, data, made.row.ends)))


def _quota() -> str:
    most = settings.PARTNER_WATCHES
    return (
        f"A partner may have {most:,} watches at a time. End watches that are no longer needed; all others "
        "end by themselves the day after travel."
    )


@offers_correction
def _watched(body: dict[str, Any], *, today: datetime.date, countries: Container[str]) -> AskedWatched:
    """Read what is to be watched. Raises `ApiError`, also for what no watch keeps."""
    asked = _asked(body, today=today, countries=countries)
    _refuse_what_is_not_kept(asked)
    return asked


def _asked(body: dict[str, Any], *, today: datetime.date, countries: Container[str]) -> AskedWatched:
    """Read what is to be watched: an itinerary if the body has its fields, else a trip."""
    if all(body.get(name) is None for name in ITINERARY_FIELDS):
        return questions.trip_request(body, today=today, countries=countries)
    return itinerary_request(body, today=today, countries=countries, citations=None)


def _answer(release: Published, question: Watched, now: datetime.datetime) -> TripAnswer | ItineraryAnswer:
    if isinstance(question, ItineraryQuestion):
        return verdicts.itinerary_answer_from(release, question, now=now)
    return verdicts.trip_answer_from(release, question, now=now)


def _refuse_what_is_not_kept(asked: AskedWatched) -> None:
    errors = [
        FieldError(f"{place}.{name}", "not_kept", NOT_KEPT)
        for place, unit in _units(asked.question).items()
        for name in ("serial", "serial_hash")
        if getattr(unit, name) is not None
    ]
    if asked.ruleset_version is not None:
        why = "A watch follows the releases. Leave it out."
        errors.append(FieldError("ruleset_version", "unknown_field", why))
    if errors:
        raise ApiError("VALIDATION_ERROR", "A watch cannot have the fields in `errors`.", errors)


def _units(question: Watched) -> dict[str, Unit]:
    """Return the units of a question by their places in the body."""
    if isinstance(question, TripQuestion):
        return {"device": question.unit}
    return {f"items[{at}]": item.unit for at, item in enumerate(question.items)}
