"""GET /api/airlines and GET /api/airlines/{code}: airlines' policies on power banks.

Every caller sees the preview; partners and signed-in staff also see the evidence.
"""

import datetime
from typing import Literal, get_args

import msgspec
from msgspec import UNSET, UnsetType

from aeo.asking.names.airlines import find
from aeo.asking.names.which_airline import meant_airline
from aeo.datasets.rows import AirlinePolicyRow, airline_policy
from catalog.records import Confidence
from compliance.api.protocol import parameters
from compliance.api.protocol.caching import ExtraState
from compliance.api.protocol.callers import Caller
from compliance.api.protocol.fields import Report, country
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.paging import CURSOR, LIMIT, page
from compliance.api.protocol.views import Reading, ReadView
from compliance.api.reads.airline_names import code_meant
from compliance.api.reads.change_log import AirlineChangeCountsBody, ChangeBody, airline_counts, change_body
from compliance.api.reads.evidence import LANGUAGE, RuleBody, airline_of_code, rule_body
from compliance.api.reads.policy_state import policy_state, policy_state_of
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.document import COUNTRY_CODE
from rules.engine.facts import Airline, Rule
from rules.policy_history.log import LogEntry, PolicyLog, newest_of
from rules.policy_history.selectors import Narrowed
from rules.selectors import airlines, evidence, rules
from rules.selectors.policy_fields import PolicyFields, policy_fields

Q = parameters.text(
    "q",
    "Only airlines with this IATA or ICAO code, or with a name in any of the eight languages that is, begins "
    "with or contains these words, or whose code a flight number begins with: `Air China`, `国航`, `KE085`. "
    "Letter case, accents and punctuation make no difference. An exact code or name comes first.",
    most=100,
    example="emirates",
)
CONFIDENCE = parameters.choice(
    "confidence",
    "Only airlines whose policy has this confidence: an official page was read (`confirmed`), another page "
    "was read (`reported`), or no page of the policy was read (`unverified`).",
    get_args(Confidence),
)
COUNTRY = parameters.coded(
    "country",
    "Only airlines based in this country, by its ISO 3166-1 code.",
    COUNTRY_CODE,
    "Send an ISO 3166-1 country code of two upper-case letters, such as `JP`.",
    example="AE",
)
CODE = parameters.text(
    "code",
    "The airline's IATA code, its ICAO code, or a name that means this airline alone, in any of the eight "
    "languages.",
    most=100,
    example="EK",
)


class AirlinePreviewBody(AirlinePolicyRow, frozen=True, kw_only=True):
    """An airline's policy in short.

    - `policy_read` says where the policy was read: on the airline's own page (`own_page`), in a third party's
      dated word-for-word copy of it (`dated_copy`), in reports by others (`reports`), or nowhere (`nothing`).
      `policy_read_on` is the last day of such a reading, null if nothing was read. A page that was read does
      not mean coverage: see `covered`.
    - `policy_url` is the airline's official page, read or not.
    - `last_checked` is the last day on which a source of this record was read, null if none was read. With
      `confidence` `unverified`, none of these sources states the airline's own policy.
    - `rule_count` counts the airline's own rules in force today (UTC). `covered` says whether there is at
      least one. If there is none, POST /api/verify answers `AIRLINE_NOT_COVERED`.
    """


class AirlinesBody(msgspec.Struct):
    """The answer of GET /api/airlines. `total` counts all pages; `next_cursor` is null on the last one.

    `meant_airline` is the code of the one airline that `q` means: by its code, or by its exact name, which no
    other airline has. It is null if that is not clear, and for a flight number, because another airline may
    operate the flight: then the traveler has to choose.
    """

    airlines: list[AirlinePreviewBody]
    total: int
    next_cursor: str | None
    meant_airline: str | None
    ruleset_version: str


class AirlineBody(AirlinePreviewBody, frozen=True, kw_only=True):
    """The answer of GET /api/airlines/{code}.

    `total_changes` and `change_counts` count the changes of this airline's policy, recorded and by releases.
    With `depth` `preview`, all later fields are absent. With `full`:

    - `effective_from` is the day since which this policy has been in force, null if it is not known.
    - `policy_fields` is computed from `rules`, the airline's own rules in force today.
    - `change_log` has the changes that editors recorded and the newest 100 changes by releases, newest first;
      GET /api/policy-changes lists all of them. `notes` are an editor's remarks.
    - `citations` are the sources of the record, of its rules and of its recorded changes, each once.
    """

    depth: Literal["preview", "full"]
    ruleset_version: str
    total_changes: int
    change_counts: AirlineChangeCountsBody
    effective_from: datetime.date | UnsetType | None = UNSET
    policy_fields: PolicyFields | UnsetType = UNSET
    rules: list[RuleBody] | UnsetType = UNSET
    change_log: list[ChangeBody] | UnsetType = UNSET
    notes: tuple[str, ...] | UnsetType = UNSET
    citations: tuple[Citation, ...] | UnsetType = UNSET


class AirlinesView(ReadView):
    """The airlines, found by words or listed."""

    operation = Operation(
        operation_id="listAirlines",
        tag="Airlines",
        summary="Search the airlines' policies",
        description=(
            "Previews of airlines' policies on power banks, in the order of the codes; with `q`, the best "
            "match comes first. `total` counts all matches. To read the rest, follow `next_cursor` until it "
            "is null.\n\n"
            "An airline that is not listed, or not `covered`, gets no verdict. That is never a permission. "
            "With an `unverified` policy, every verdict is `conditional` at best."
        ),
        answer=AirlinesBody,
        query=(Q, CONFIDENCE, COUNTRY, LIMIT, CURSOR),
    )

    def answer(self, reading: Reading, **path: str) -> AirlinesBody:
        """Return one page of the result. Raises `ApiError` for a country that does not exist."""
        query, published = reading.query, reading.published
        if query[COUNTRY] is not None:
            report = Report()
            country(query[COUNTRY], published.corpus.countries, report, COUNTRY.name)
            report.check()
        found = airlines.find(published, confidence=query[CONFIDENCE], country=query[COUNTRY])
        if text := query[Q]:
            found = [airline for airline in _named(published, text) if airline in found]
        shown = page(found, reading)
        return AirlinesBody(
            airlines=[preview_body(airline, reading) for airline in shown.items],
            total=shown.total,
            next_cursor=shown.next_cursor,
            meant_airline=_meant(published, text) if text else None,
            ruleset_version=published.ruleset_version,
        )


def _named(published: Published, text: str) -> list[Airline]:
    """Return the airlines that a text finds, best first, or the one of a flight number."""
    found = find(published, text, len(published.shelf.airlines))
    meant = meant_airline(published, text)
    return found or (list(meant.offered) if meant.why == "flight" else [])


def _meant(published: Published, text: str) -> str | None:
    code = meant_airline(published, text).code
    return code if code in published.shelf.airlines else None


class AirlineView(ReadView):
    """One airline's policy."""

    operation = Operation(
        operation_id="getAirline",
        tag="Airlines",
        summary="Read one airline's policy",
        description=(
            "Anonymous callers get the preview (`depth` is `preview`). A partner key or a signed-in member "
            "of staff gets `depth` `full`: the airline's own rules in force today with the sentence that a "
            "traveler reads, their citations, the same rules as `policy_fields`, and the change log.\n\n"
            "`policy_fields` is computed from the rules on every request, and each field names its rules. "
            "Null means that no rule of the airline says anything, so the value is not known. It never "
            "means that there is no limit. `depends` means that the rules say it only in some cases: read "
            "their `when`. Authorities on the route may be stricter than the airline."
        ),
        answer=AirlineBody,
        path=(CODE,),
        query=(LANGUAGE,),
        errors=("AIRLINE_NOT_COVERED", "AIRLINE_NAME_UNKNOWN"),
    )

    def extra_state(self, published: Published, caller: Caller, **path: str) -> ExtraState:
        """Return the state of the history, with the newest changes for callers who may see them."""
        code = meant_airline(published, path["code"]).code
        return policy_state(published, code if caller.sees_everything else None)

    def answer(self, reading: Reading, **path: str) -> AirlineBody:
        """Return the part of the policy that the caller may see. Raises `ApiError`."""
        airline = airline_of_code(reading.published, code_meant(reading.published, path["code"]))
        log = _log(airline, reading)
        body = AirlineBody(
            **msgspec.structs.asdict(preview_body(airline, reading)),
            depth="preview",
            ruleset_version=reading.published.ruleset_version,
            total_changes=len(log),
            change_counts=airline_counts(log, reading.today),
        )
        if not reading.caller.sees_everything:
            return body
        active = rules.active(reading.published, airline.airline, reading.today)
        return msgspec.structs.replace(
            body,
            depth="full",
            effective_from=airline.effective_from,
            policy_fields=policy_fields(active),
            rules=[rule_body(rule, reading.published, reading.today, reading.query) for rule in active],
            change_log=[change_body(one, reading) for one in _newest(airline, reading)],
            notes=airline.notes,
            citations=_citations(airline, active, reading),
        )


def preview_body(airline: Airline, reading: Reading) -> AirlinePreviewBody:
    """Return the part of an airline's policy that every caller may see."""
    return airline_policy(reading.published, airline, reading.today, AirlinePreviewBody)


def _log(airline: Airline, reading: Reading) -> PolicyLog:
    history = policy_state_of(reading).history
    return PolicyLog(reading.published, history, Narrowed(airline.airline))


def _newest(airline: Airline, reading: Reading) -> list[LogEntry]:
    return newest_of(reading.published, airline.airline, policy_state_of(reading).newest)


def _citations(airline: Airline, active: list[Rule], reading: Reading) -> tuple[Citation, ...]:
    of_rules = (name for rule in active for name in rule.sources)
    of_changes = (change.source for change in airline.changes)
    return evidence.citations(reading.published, [*airline.sources, *of_rules, *of_changes])
