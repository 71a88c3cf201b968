"""May this power bank travel on this flight? A client that fails closed.

    from battery_travel import Client, Question

    with Client("https://example.org") as client:
        answer = client.verify(
            Question(model_id="anker-a1289", origin="AE", destination="GB", airline="EK")
        )
    if answer.clear_to_pack():
        print(answer.summary)
    else:
        print("Not cleared:", answer.why_not().message)

`answer.clear_to_pack()` is the only green light. It is false for every other verdict, every error, a
time-out, an answer that has expired or cannot be read, and if clocks disagree.
"""

from battery_travel.answers import Answer, ItineraryAnswer, Passenger
from battery_travel.clients import AsyncClient, Client
from battery_travel.lookups import ListedCode, Lookup, Model, Recall
from battery_travel.questions import (
    Flight,
    Item,
    ItineraryQuestion,
    Label,
    Leg,
    Question,
    TripQuestion,
    legs_through,
)
from battery_travel.reasons import WhyNot
from battery_travel.records import (
    Advice,
    Citation,
    Constraint,
    Device,
    NextStep,
    Problem,
    Segment,
    Share,
)
from battery_travel.retrying import Patience

__all__ = [
    "Advice",
    "Answer",
    "AsyncClient",
    "Citation",
    "Client",
    "Constraint",
    "Device",
    "Flight",
    "Item",
    "ItineraryAnswer",
    "ItineraryQuestion",
    "Label",
    "Leg",
    "ListedCode",
    "Lookup",
    "Model",
    "NextStep",
    "Passenger",
    "Patience",
    "Problem",
    "Question",
    "Recall",
    "Segment",
    "Share",
    "TripQuestion",
    "WhyNot",
    "legs_through",
]
