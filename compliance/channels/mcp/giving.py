"""What the tools that give verdicts share: names of arguments, and giving an answer.

Some arguments are flat that are inside an object of the API's bodies.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from compliance.api.protocol.corrections import corrected_request
from compliance.api.protocol.errors import ApiError
from compliance.api.protocol.fields import Report, did_you_mean
from compliance.api.verdicts.bounds import LANGUAGES
from compliance.api.verdicts.itineraries import ItineraryBody
from compliance.api.verdicts.trips import TripBody
from compliance.api.verdicts.verify import VerifyBody
from compliance.channels.mcp.calls import Arguments, Call, Outcome
from compliance.channels.mcp.gaps import verdict_gap
from compliance.records.receipts.attaching import receipt_of
from compliance.records.verdict_log import recording
from rules.verdicts import AnyAnswer

Language = Annotated[
    str,
    Meta(
        description="Of summary and messages. Absent: `en`.",
        extra_json_schema={"enum": list(LANGUAGES)},
    ),
]

AnyBody = VerifyBody | TripBody | ItineraryBody

OPTIONS = ("language", "citations")
"""The arguments that are options in a body."""

HOW = (*OPTIONS, "ruleset_version")
"""The arguments that say how to answer."""

_INSIDE = ("trip.", "device.", "options.")
"""The place in a body of the fields that are flat here."""


def check_names(arguments: Arguments, known: Collection[str], also: Collection[str] = ()) -> None:
    """Accept only known arguments, and those in `also`, which the reader answers. Raises `ApiError`."""
    report = Report()
    for name in arguments:
        if name not in known and name not in also:
            advice = did_you_mean(name, known, report)
            report.add(name[:80], "unknown_field", f"This argument is not known here. {advice}")
    report.check()


def brief(arguments: Arguments) -> Arguments:
    """Return arguments that choose citations: the deciding ones, if none are chosen.

    The citations of all rules are most of an answer.
    """
    return arguments if arguments.get("citations") is not None else arguments | {"citations": "deciding"}


def how_to_answer(arguments: Arguments) -> Arguments:
    """Return arguments with the options at their place in a body."""
    body = {name: value for name, value in arguments.items() if name not in OPTIONS}
    if options := {name: arguments[name] for name in OPTIONS if name in arguments}:
        body["options"] = options
    return body


@contextmanager
def flat_names(arguments: Arguments) -> Iterator[None]:
    """Make errors name arguments as they were sent, and correct those."""
    try:
        yield
    except ApiError as error:
        error.errors = tuple(replace(one, field=_flat(one.field)) for one in error.errors)
        if error.corrected is not None:
            error.corrected = corrected_request(arguments, error.errors)
        raise


def _flat(name: str) -> str:
    for place in _INSIDE:
        name = name.removeprefix(place)
    return name


def give(call: Call, answer: AnyAnswer, body: AnyBody, language: str) -> Outcome:
    """Return an answer of the door after it is recorded. Raises `NotRecorded`."""
    partner = "" if call.caller.key is None else call.caller.key.public_id
    outcome = Outcome(
        answer=body,
        gap=verdict_gap(answer, body.summary, language),
        clear_to_pack=answer.outcome.verdict == "allowed",
        receipt=receipt_of(body) if call.receipt else None,
    )
    recording.record(answer, channel="mcp", language=language, partner=partner)
    call.given = answer
    return outcome
