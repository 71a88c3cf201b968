"""The tools that read: each calls one view of the API, as an HTTP request would.

Pages are shorter than those of the API, because an agent reads everything that it gets.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import msgspec

from compliance.api.protocol import arguments as reading_of
from compliance.api.protocol import parameters
from compliance.api.protocol.errors import ApiError
from compliance.api.protocol.paging import LIMIT
from compliance.api.protocol.parameters import AnyParameter, Query
from compliance.api.protocol.views import Reading, ReadView
from compliance.api.reads.airlines import AirlineBody, AirlineView
from compliance.api.reads.devices import (
    MODEL_ID,
    SERIAL,
    SERIAL_HASH,
    DeviceFactsBody,
    DevicesBody,
    DevicesView,
    DeviceView,
    together_body,
)
from compliance.api.reads.evidence import LANGUAGE
from compliance.api.reads.policy_changes import PolicyChangesBody, PolicyChangesView
from compliance.api.reads.recalls import DeviceRecallsBody, DeviceRecallsView
from compliance.api.reads.rules import RulesBody, RulesView
from compliance.api.reads.sources import SourcesBody, SourcesView
from compliance.api.verdicts.shapes import SerialEvaluationBody
from compliance.channels.mcp import texts
from compliance.channels.mcp.airlines import AIRLINE_ABOUT, code_of
from compliance.channels.mcp.calls import Arguments, Call, Gap, Outcome, ToolStep
from compliance.channels.mcp.gaps import failure, recall_gap
from compliance.channels.mcp.schemas import given, taken_by_parameters
from compliance.channels.mcp.tools import Tool
from recalls.serials import RecallCheckMethod, RecallStatus
from rules import corpus
from rules.corpus import Published
from rules.engine.facts import Unit
from rules.selectors import recalls

Body = TypeVar("Body", bound=msgspec.Struct)

MOST, USUAL = 50, 10
FEW = parameters.whole_number("limit", "Records on a page.", 1, MOST, USUAL)

SERIAL_OF_UNIT = replace(
    SERIAL,
    about=(
        "The identifier that a recall asks for, as printed on the unit: `affected_serials.identifier` names "
        "it; mostly it is the serial number. It is compared in memory and never stored or logged."
    ),
)
OF_UNIT = (SERIAL_OF_UNIT, SERIAL_HASH)
"""The arguments that name one unit."""

AIRLINE = parameters.text("airline", AIRLINE_ABOUT, most=100, example="EK")

NO_RULE = Gap(
    "NO_RULE_FOUND",
    "No rule in force matches. That is no permission: other rules may apply to the flight.",
    ToolStep("verify_power_bank", "Ask for a verdict for the flight.", tool="verify_power_bank"),
)

NAMED_AT_MOST = 5
"""How many names a gap lists for a person to choose from."""


class RecallCheckBody(DeviceRecallsBody, kw_only=True, omit_defaults=True):
    """The recalls of one model, and what all of them together say about the unit.

    `serial_evaluation` is present if a serial was sent and the model has an active recall.
    """

    recall_status: RecallStatus
    recall_check_method: RecallCheckMethod
    serial_evaluation: SerialEvaluationBody | None = None


def ask(
    view: type[ReadView],
    call: Call,
    published: Published,
    sent: Arguments,
    optional: Sequence[AnyParameter],
    **path: str,
) -> Any:
    """Return what a view of the API answers to arguments from a release. Raises the errors of the view."""
    read = reading_of.read(sent, (), optional)
    query = Query({FEW.name: FEW.default, **read.values})
    asked = view()
    extra_state = asked.extra_state(published, call.caller, **path)
    return asked.answer(Reading(published, call.now, query, call.caller, extra_state), **path)


def search_models(call: Call, sent: Arguments) -> Outcome:
    """Find models."""
    found: DevicesBody = ask(DevicesView, call, corpus.current(), sent, _optional(DevicesView))
    return Outcome(found, _which_model(found))


def get_model(call: Call, sent: Arguments) -> Outcome:
    """Read the facts of a model. Open questions of its recalls for the unit are a gap here, too."""
    model_id, rest = _path(sent, MODEL_ID)
    published = corpus.current()
    facts = _of_model(DeviceView, call, published, rest, model_id)
    return Outcome(facts, _open_question(published, model_id, rest))


def check_recall(call: Call, sent: Arguments) -> Outcome:
    """Say what the recalls of a model mean for a unit."""
    model_id, rest = _path(sent, MODEL_ID)
    # One release for all lookups.
    published = corpus.current()
    listed: DeviceRecallsBody = _of_model(DeviceRecallsView, call, published, rest, model_id)
    unit = _unit(model_id, rest)
    impact = recalls.impact(published, unit)
    body = RecallCheckBody(
        **{name: getattr(listed, name) for name in listed.__struct_fields__},
        recall_status=impact.status,
        recall_check_method=impact.method,
        serial_evaluation=together_body(published.corpus.device(model_id), unit),
    )
    return Outcome(body, _open_question(published, model_id, rest))


def _unit(model_id: str, sent: Arguments) -> Unit:
    """Return the unit that arguments name, after a view read them."""
    return Unit(model_id=model_id, serial=sent.get(SERIAL.name), serial_hash=sent.get(SERIAL_HASH.name))


def _open_question(published: Published, model_id: str, sent: Arguments) -> Gap | None:
    unit = _unit(model_id, sent)
    given = unit.serial is not None or unit.serial_hash is not None
    return recall_gap(recalls.impact(published, unit), serial_given=given)


def _of_model(view: type[ReadView], call: Call, published: Published, sent: Arguments, model_id: str) -> Any:
    return ask(view, call, published, sent, OF_UNIT, model_id=model_id)


def get_airline_policy(call: Call, sent: Arguments) -> Outcome:
    """Read the policy of an airline, named by its code or its name."""
    named, rest = _path(sent, AIRLINE)
    published = corpus.current()
    code = code_of(named, published)
    policy: AirlineBody = ask(AirlineView, call, published, rest, (LANGUAGE,), code=code)
    if not policy.covered:
        why = f"No rules of {policy.name} are in force today, so no verdict can be given for it."
        return replace(failure(call, ApiError("AIRLINE_NOT_COVERED", why)), answer=policy)
    return Outcome(policy)


def search_rules(call: Call, sent: Arguments) -> Outcome:
    """Find rules. An empty result is no permission."""
    found: RulesBody = ask(RulesView, call, corpus.current(), sent, _optional(RulesView))
    return Outcome(found, None if found.total else NO_RULE)


def _listing(view: type[ReadView]) -> Callable[[Call, Arguments], Outcome]:
    """Return the function that asks a view for a list of records."""

    def run(call: Call, sent: Arguments) -> Outcome:
        return Outcome(ask(view, call, corpus.current(), sent, _optional(view)))

    return run


def _optional(view: type[ReadView]) -> tuple[AnyParameter, ...]:
    """Return the parameters of a view's query, with the page length for agents."""
    return tuple(FEW if one is LIMIT else one for one in view.operation.query)


def _path(sent: Arguments, parameter: AnyParameter) -> tuple[str, Arguments]:
    """Return the argument that is in the address of the API, and the others. Raises `ApiError`."""
    rest = {name: value for name, value in sent.items() if name != parameter.name}
    one = {name: value for name, value in sent.items() if name == parameter.name}
    return reading_of.read(one, (parameter,), ())[parameter], rest


def _which_model(found: DevicesBody) -> Gap | None:
    """Return the open question after a search: nothing if exactly one model was found."""
    if found.total == 1:
        return None
    if not found.total:
        return Gap(
            "MODEL_NOT_FOUND",
            "No model of the catalog matches. Nothing is known about it, so it is not cleared.",
            ToolStep(
                "search_models",
                "Search again with the model number on the label, or with the brand alone. If it is not "
                "listed, ask the airline.",
                tool="search_models",
            ),
        )
    names = [f"{one.brand} {one.model_name} (`{one.model_id}`)" for one in found.devices[:NAMED_AT_MOST]]
    more = ", …" if found.total > len(names) else ""
    return Gap(
        "SEVERAL_MODELS",
        f"{found.total} models match: {', '.join(names)}{more}.",
        ToolStep(
            "ask_which_model",
            "Ask the person which of these it is, by the model number on the label. Do not choose for them.",
        ),
    )


def _tool(
    name: str,
    title: str,
    description: str,
    answer: type[msgspec.Struct],
    run: Callable[[Call, Arguments], Outcome],
    *,
    needs: tuple[AnyParameter, ...] = (),
    takes: tuple[AnyParameter, ...] = (),
) -> Tool:
    return Tool(
        name=name,
        title=title,
        description=description,
        takes=taken_by_parameters(needs, takes),
        gives=given(answer, verdict=False),
        run=run,
    )


TOOLS = (
    _tool(
        "search_models",
        "Find the exact model",
        texts.SEARCH_MODELS,
        DevicesBody,
        search_models,
        takes=_optional(DevicesView),
    ),
    _tool(
        "get_model",
        "Read the facts of a model",
        texts.GET_MODEL,
        DeviceFactsBody,
        get_model,
        needs=(MODEL_ID,),
        takes=OF_UNIT,
    ),
    _tool(
        "check_recall",
        "Check a model or unit against recalls",
        texts.CHECK_RECALL,
        RecallCheckBody,
        check_recall,
        needs=(MODEL_ID,),
        takes=OF_UNIT,
    ),
    _tool(
        "get_airline_policy",
        "Read an airline's policy",
        texts.GET_AIRLINE_POLICY,
        AirlineBody,
        get_airline_policy,
        needs=(AIRLINE,),
        takes=(LANGUAGE,),
    ),
    _tool(
        "search_rules",
        "Search the rules in force",
        texts.SEARCH_RULES,
        RulesBody,
        search_rules,
        takes=_optional(RulesView),
    ),
    _tool(
        "get_sources",
        "Read the evidence",
        texts.GET_SOURCES,
        SourcesBody,
        _listing(SourcesView),
        takes=_optional(SourcesView),
    ),
    _tool(
        "list_policy_changes",
        "Follow changes of policies",
        texts.LIST_POLICY_CHANGES,
        PolicyChangesBody,
        _listing(PolicyChangesView),
        takes=_optional(PolicyChangesView),
    ),
)
