"""A program that uses everything in the client for Python, and makes the mistakes that types must find."""

import datetime

from battery_travel import (
    Advice,
    Answer,
    AsyncClient,
    Client,
    Constraint,
    Flight,
    Item,
    ItineraryAnswer,
    ItineraryQuestion,
    Label,
    ListedCode,
    Lookup,
    Model,
    Patience,
    Question,
    Recall,
    TripQuestion,
    WhyNot,
    legs_through,
)

DAY = datetime.date(2026, 12, 1)
FLIGHT = Question(model_id="anker-a1289", origin="AE", destination="GB", airline="EK", quantity=2)
TRIP = TripQuestion(model_id="anker-a1289", legs=legs_through(["JP", "KR", "SG"], "SQ"))
ITINERARY = ItineraryQuestion(
    passengers=2,
    items=[Item(model_id="anker-a1289", carried_by=1), Item(label=Label(watt_hour=74), ref="other")],
    flights=[Flight(origin="DXB", destination="LHR", operating_airline="EK", date=DAY)],
)


def ask(client: Client) -> list[str]:
    """Ask everything; return what is said."""
    answer: Answer = client.verify(FLIGHT)
    why_not: WhyNot | None = answer.why_not()
    said = [] if why_not is None else [why_not.code, why_not.message, why_not.field or "no field"]
    constraints: tuple[Constraint, ...] = answer.constraints
    warnings: tuple[Advice, ...] = answer.warnings
    said += [rule for claim in (*constraints, *warnings) for rule in claim.rule_ids]
    said += [segment.obstacle or "clear" for segment in client.verify_trip(TRIP).segments]
    itinerary: ItineraryAnswer = client.verify_itinerary(ITINERARY)
    said += [share.ref for passenger in itinerary.passengers for share in passenger.items]
    said += [str(one.clear_to_pack()) for one in client.verify_batch([FLIGHT])]
    said += [str(one.passengers[0].clear_to_pack()) for one in client.verify_itinerary_batch([ITINERARY])]
    models: Lookup[Model] = client.search("anker", limit=3)
    said += [model.model_id for model in models.found or ()]
    codes: Lookup[ListedCode] = client.codes("constraint")
    said += [sentence for code in codes.found or () for sentence in code.sentences]
    recalls: Lookup[Recall] = client.recalls("anker-a1289", serial="AC20007")
    if recalls.found is not None:
        said += [recall.notice_url for recall in recalls.found]

    # What is not known is no empty list.
    said += [recall.title for recall in recalls.found]  # pyright: ignore[reportOptionalIterable]
    # An answer has no verdict to compare.
    said += [answer.verdict]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    # A misspelt field is not ignored.
    Question(model_id="a", origin="AE", destination="GB", airline="EK", quantty=3)  # pyright: ignore[reportCallIssue]
    # An answer is neither true nor false.
    said += ["clear"] if answer else []  # pyright: ignore[reportGeneralTypeIssues]
    # The parentheses are missing.
    said += ["clear"] if answer.clear_to_pack else []  # pyright: ignore[reportUnnecessaryComparison]
    return said


async def ask_async() -> list[Answer]:
    """Ask with the other client."""
    async with AsyncClient("https://service.example", patience=Patience(attempts=1), sandbox=True) as client:
        recalls = await client.recalls("anker-a1289")
        assert recalls.why_not() is None
        return [await client.verify(FLIGHT), *await client.verify_batch([FLIGHT])]
