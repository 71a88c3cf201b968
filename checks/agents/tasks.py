"""Twenty-one tasks of people, each as the calls that an agent makes for it.

The calls are written down, so two versions of the service are asked the same.
"""

from collections.abc import Mapping
from typing import NamedTuple

from checks.agents.endpoint import Json, Send, call, read_first, tokens

Call = tuple[str, Json]

DUBAI_LONDON = {"origin": "AE", "destination": "GB"}
ANKER = {"model_id": "anker-a1289"}
RECALLED = {"model_id": "anker-a1263"}
ATLANTIC = {"origin": "US", "destination": "GB", "airline": "BA"}
IN_CHINA = {"origin": "CN", "destination": "CN", "airline": "CA"}

TASKS: Mapping[str, tuple[Call, ...]] = {
    "May I take my Anker A1289 from Dubai to London on Emirates?": (
        ("search_models", {"q": "Anker A1289"}),
        ("verify_power_bank", {**ANKER, **DUBAI_LONDON, "airline": "Emirates"}),
    ),
    "And an Anker 20k? It says A1268.": (
        ("search_models", {"q": "Anker 20k"}),
        ("search_models", {"q": "Anker A1268"}),
        ("verify_power_bank", {"model_id": "anker-a1268", **DUBAI_LONDON, "airline": "EK"}),
    ),
    "May I take two of them on Emirates?": (
        ("verify_power_bank", {**ANKER, **DUBAI_LONDON, "airline": "EK", "quantity": 2}),
    ),
    "May I take my Anker A1263 from New York to London?": (
        ("search_models", {"q": "Anker A1263"}),
        ("check_recall", RECALLED),
        ("verify_power_bank", {**RECALLED, **ATLANTIC}),
    ),
    "Its serial is 35S24B8A013027, and the maker's list does not have it.": (
        ("check_recall", {**RECALLED, "serial": "35S24B8A013027"}),
        (
            "verify_power_bank",
            {**RECALLED, **ATLANTIC, "serial": "35S24B8A013027", "recall_check": "not_affected"},
        ),
    ),
    "May I take it inside China? There is a 3C mark.": (
        ("verify_power_bank", {**ANKER, **IN_CHINA}),
        ("verify_power_bank", {**ANKER, **IN_CHINA, "ccc_mark": "present"}),
    ),
    "May I take a 130 Wh unit to Japan?": (
        ("search_models", {"q": "130 Wh"}),
        (
            "verify_itinerary",
            {
                "items": [{"label": {"watt_hour": 130}}],
                "segments": [{"origin": "US", "destination": "JP", "operating_airline": "NH"}],
            },
        ),
    ),
    "May it go into my checked bag?": (
        ("verify_power_bank", {**ANKER, **ATLANTIC, "compartment_intent": "checked"}),
    ),
    "From Tokyo over Seoul to Singapore, all on Singapore Airlines?": (
        (
            "verify_trip",
            {
                **ANKER,
                "origin": "JP",
                "transit": ["KR"],
                "destination": "SG",
                "airline": "Singapore Airlines",
            },
        ),
    ),
    "With IndiGo to Dubai, then with Emirates to London?": (
        (
            "verify_trip",
            {
                **ANKER,
                "legs": [
                    {"origin": "IN", "destination": "AE", "airline": "IndiGo"},
                    {**DUBAI_LONDON, "airline": "Emirates"},
                ],
            },
        ),
    ),
    "Two of us, two power banks, there and back with Emirates?": (
        (
            "verify_itinerary",
            {
                "passengers": 2,
                "items": [{"ref": "anker", **ANKER, "condition": "intact"}, {"label": {"watt_hour": 74}}],
                "segments": [
                    {"origin": "DXB", "destination": "LHR", "operating_airline": "EK"},
                    {"origin": "GB", "destination": "AE", "operating_airline": "EK"},
                ],
            },
        ),
    ),
    "I am alone and have three. What must stay?": (
        (
            "verify_itinerary",
            {
                "items": [{**ANKER, "quantity": 3}],
                "segments": [{**DUBAI_LONDON, "operating_airline": "EK"}],
            },
        ),
    ),
    "What does Emirates say about the overhead bin?": (
        ("get_airline_policy", {"airline": "Emirates"}),
        ("search_rules", {"airline": "EK", "q": "overhead bin"}),
    ),
    "Who says that only one is allowed?": (
        ("verify_power_bank", {**ANKER, **DUBAI_LONDON, "airline": "EK"}),
        ("get_sources", {"rule_id": "ek.max-units"}),
    ),
    "I have an Acme 5000.": (("search_models", {"q": "Acme 5000"}),),
    "May I fly with an airline that is not covered?": (
        ("verify_power_bank", {**ANKER, **DUBAI_LONDON, "airline": "ZZ"}),
    ),
    "I fly with China … something. Air China!": (
        ("get_airline_policy", {"airline": "china"}),
        ("verify_power_bank", {**ANKER, "origin": "CN", "destination": "DE", "airline": "Air China"}),
    ),
    "A call with a slip, and the call corrected": (
        ("verify_power_bank", {**ANKER, **DUBAI_LONDON, "airline": "EK", "quantiti": 1}),
        ("verify_power_bank", {**ANKER, **DUBAI_LONDON, "airline": "EK", "quantity": 1}),
    ),
    "Darf ich sie von Frankfurt nach New York mitnehmen?": (
        (
            "verify_power_bank",
            {**ANKER, "origin": "DE", "destination": "US", "airline": "Lufthansa", "language": "de"},
        ),
    ),
    "What changed at Emirates?": (("list_policy_changes", {"airline": "EK"}),),
    "It is damaged, and its label cannot be read.": (
        ("verify_power_bank", {**ANKER, **ATLANTIC, "condition": "damaged", "capacity_label": "missing"}),
    ),
}


class Effort(NamedTuple):
    """What an agent reads, in tokens: before its first call, and for each task the results of its calls."""

    first: int
    of_tasks: tuple[int, ...]

    @property
    def mean_of_results(self) -> int:
        """Return the mean of the results of a task."""
        return round(sum(self.of_tasks) / len(self.of_tasks))

    @property
    def mean(self) -> int:
        """Return the mean of a task in a conversation of its own: what is read first, and the results."""
        return self.first + self.mean_of_results


def effort(send: Send) -> Effort:
    """Carry out all tasks."""
    return Effort(
        tokens(read_first(send)),
        tuple(
            tokens(sum(call(send, tool, arguments).characters for tool, arguments in calls))
            for calls in TASKS.values()
        ),
    )
