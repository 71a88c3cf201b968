"""GET /api/rules and GET /api/rules/{rule_id}: requirements of authorities and airlines, with evidence."""

import datetime
from typing import get_args

import msgspec

from compliance.api.protocol import parameters
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.paging import CURSOR, LIMIT, page
from compliance.api.protocol.views import Reading, ReadView
from compliance.api.reads.evidence import (
    AIRLINE,
    JURISDICTION,
    LANGUAGE,
    RuleBody,
    airline_asked,
    check_jurisdiction,
    rule_body,
    rule_named,
)
from rules.engine.document import RULE_ID as RULE_ID_PATTERN
from rules.engine.vocabulary import CODES, Effect
from rules.selectors import rules

Q = parameters.text(
    "q",
    "Only rules whose id, authority or summary contains all of these words or parts of words. Letter case "
    "and accents make no difference.",
    most=200,
    example="overhead bin",
)
CODE = parameters.choice(
    "code",
    "Only rules with this code. Permits have no code.",
    sorted(code.name for code in CODES.values() if code.from_rules),
    example="max_units",
)
EFFECT = parameters.choice(
    "effect",
    "Only rules with this effect.",
    get_args(Effect),
    example="prohibit",
)
IN_FORCE_ON = parameters.date(
    "in_force_on",
    "Only rules in force on this day, in the past or in the future. Absent: today (UTC).",
)
RULE_ID = parameters.coded(
    "rule_id",
    "The id of the rule, as in `verdict_path` and GET /api/rules.",
    RULE_ID_PATTERN,
    "Send the id of a rule, such as `ek.max-units`: lower-case words joined by dots and hyphens.",
    example="ek.max-units",
)


class RulesBody(msgspec.Struct):
    """The answer of GET /api/rules. `total` counts all pages; `next_cursor` is null on the last one."""

    rules: list[RuleBody]
    total: int
    next_cursor: str | None
    in_force_on: datetime.date
    ruleset_version: str


class OneRuleBody(RuleBody):
    """The answer of GET /api/rules/{rule_id}."""

    ruleset_version: str


class RulesView(ReadView):
    """The rules in force on a day."""

    operation = Operation(
        operation_id="listRules",
        tag="Rules and evidence",
        summary="Search the rules in force",
        description=(
            "The rules of authorities and airlines that verdicts are based on, in the order of their ids. "
            "Only rules in force on `in_force_on` are listed. To find a rule that has ended or has not "
            "started, use its id or another day. `total` counts all matches. To read the rest, follow "
            "`next_cursor` until it is null.\n\n"
            "A rule is listed if it meets all filters. One rule says only what one issuer requires under "
            "its conditions. Whether a power bank may travel depends on all rules of a route together: ask "
            "POST /api/verify. An empty list is no permission."
        ),
        answer=RulesBody,
        query=(Q, AIRLINE, JURISDICTION, CODE, EFFECT, IN_FORCE_ON, LANGUAGE, LIMIT, CURSOR),
        errors=("AIRLINE_NOT_COVERED",),
    )

    def answer(self, reading: Reading, **path: str) -> RulesBody:
        """Return one page of the result. Raises `ApiError` for an unknown airline or place."""
        query, published = reading.query, reading.published
        check_jurisdiction(published, query[JURISDICTION])
        day = query[IN_FORCE_ON] or reading.today
        found = rules.find(
            published,
            in_force_on=day,
            q=query[Q],
            airline=airline_asked(published, query),
            jurisdiction=query[JURISDICTION],
            code=query[CODE],
            effect=query[EFFECT],
        )
        shown = page(found, reading)
        return RulesBody(
            rules=[rule_body(rule, published, day, query) for rule in shown.items],
            total=shown.total,
            next_cursor=shown.next_cursor,
            in_force_on=day,
            ruleset_version=published.ruleset_version,
        )


class RuleView(ReadView):
    """One rule."""

    operation = Operation(
        operation_id="getRule",
        tag="Rules and evidence",
        summary="Read one rule",
        description=(
            "One rule of the current ruleset with its evidence, in force or not: `in_force` says whether it "
            "is in force today (UTC). Every rule that a `verdict_path` of the current ruleset names can be "
            "read here."
        ),
        answer=OneRuleBody,
        path=(RULE_ID,),
        query=(LANGUAGE,),
        errors=("NOT_FOUND",),
    )

    def answer(self, reading: Reading, **path: str) -> OneRuleBody:
        """Return the rule. Raises `ApiError`."""
        rule = rule_named(reading.published, path["rule_id"])
        body = rule_body(rule, reading.published, reading.today, reading.query)
        return OneRuleBody(**msgspec.structs.asdict(body), ruleset_version=reading.published.ruleset_version)
