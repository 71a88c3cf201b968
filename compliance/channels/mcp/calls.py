"""A call of a tool: the caller, the time, and the result."""

import datetime
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from django.http import HttpRequest
from msgspec import Meta

from compliance.api.protocol.callers import Caller
from compliance.api.protocol.errors import FieldError
from compliance.api.protocol.limits import Spent
from rules.verdicts import AnyAnswer

Arguments = dict[str, Any]


@dataclass
class Call:
    """A caller asks at an instant.

    `spent` is what is left of the caller's limit, and `headers` are those that the answer needs in any case.
    `refusal` is the reason if nothing is answered, such as too many requests. `receipt` says whether the
    caller asks for the receipt of a verdict. `given` is the verdict of the answer, when there is one.
    """

    request: HttpRequest
    caller: Caller
    now: datetime.datetime
    spent: Spent
    headers: dict[str, str]
    refusal: Exception | None = None
    receipt: bool = False
    given: AnyAnswer | None = None


class ToolStep(msgspec.Struct, omit_defaults=True):
    """What to do next. `tool` is present if another tool is the next step, `url` if one page says more."""

    code: Annotated[
        str,
        Meta(description="For programs. Codes may be added: for an unknown code, follow its `message`."),
    ]
    message: str
    tool: str | None = None
    url: str | None = None


class Gap(msgspec.Struct, omit_defaults=True):
    """Why there is no clear answer, and what to do about it. A gap is never a permission.

    `errors` names each wrong argument; `corrected_arguments` is present if only one correction is possible:
    call the tool again with it. `retry_after_seconds` is present if waiting helps, `request_id` if
    support can help.
    """

    reason_code: Annotated[
        str,
        Meta(
            description="For programs: an error code of the API, or what is missing or not settled.",
            examples=["MODEL_NOT_FOUND", "airline_approval_required"],
        ),
    ]
    message: str
    suggested_next_step: ToolStep
    errors: tuple[FieldError, ...] = ()
    corrected_arguments: Arguments | None = None
    retry_after_seconds: int | None = None
    request_id: str | None = None


@dataclass(frozen=True)
class Outcome:
    """The result of a call. An answer can have a gap; without an answer there is always a gap.

    `failed` says that the call itself failed: it was refused, or the service has an error. `clear_to_pack` is
    for verdicts alone. `receipt` proves the answer, if one was asked for.
    """

    answer: msgspec.Struct | None = None
    gap: Gap | None = None
    failed: bool = False
    clear_to_pack: bool | None = None
    receipt: str | None = None


class Unanswered(Exception):
    """What a tool raises if it can only answer with a gap, and the call itself did not fail."""

    def __init__(self, gap: Gap) -> None:
        super().__init__(gap.reason_code)
        self.gap = gap
