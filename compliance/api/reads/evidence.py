"""The shared parts of the lists of airlines, policy changes, rules and sources: parameters, rule bodies.

If a filter names one record of the release (an airline, a model, a rule) that does not exist, the answer is
404 with that record's code; for a place that does not exist it is 400. An empty list would read as "no rule"
or "no evidence", a strong statement for a typing error.
"""

import datetime

import msgspec
from django.conf import settings

from compliance.api.protocol import parameters
from compliance.api.protocol.errors import ApiError
from compliance.api.protocol.fields import Report
from compliance.api.protocol.parameters import Query
from compliance.api.verdicts.bounds import LANGUAGES
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.document import AIRLINE_CODE, JURISDICTION_CODE
from rules.engine.facts import Airline, Params, Rule, When
from rules.engine.vocabulary import CODES, Confidence, Effect, Issuer, Nature, Scope
from rules.selectors import evidence
from rules.selectors.disagreements import Disputed, on_rule
from rules.wording import rule_message

AIRLINE = parameters.coded(
    "airline",
    "Only records of this airline, by its IATA code. The answer is 404 if the ruleset has no such airline.",
    AIRLINE_CODE,
    "Send the two characters of the airline's IATA code, upper case, such as `EK`. GET /api/airlines?q= "
    "finds it by a name.",
    example="EK",
)
JURISDICTION = parameters.coded(
    "jurisdiction",
    "Only records of this place: an ISO 3166-1 country code, a region such as `EU`, or `INTL`. Records of a "
    "region or of `INTL` are not listed under its member countries.",
    JURISDICTION_CODE,
    "Send the two to four upper-case letters of a jurisdiction, such as `JP`, `EU` or `INTL`.",
    example="JP",
)
LANGUAGE = parameters.language(
    "language",
    f"The language of `message`; `{settings.LANGUAGE_CODE}` if absent. A regional tag of BCP 47, such as "
    "`en-GB`, counts as its language.",
    LANGUAGES,
)


class QuoteBody(msgspec.Struct):
    """The words of a page that support a rule, exactly as on the page: in its own language, untranslated.

    - `source_id` names the page in GET /api/sources; `url` is its address, as in `citations`.
    - `where` says in English where on the page the words are; null if that is obvious.
    """

    source_id: str
    url: str
    words: str
    where: str | None


class SideBody(msgspec.Struct):
    """One answer to a disputed question, in English, with the sources that give it (there may be none)."""

    says: str
    citations: tuple[Citation, ...]


class DisagreementBody(msgspec.Struct):
    """A question that sources answer differently, as editors describe it in English.

    - It is about an airline or a jurisdiction; the other field is null.
    - `rule_id` is the rule that verdicts follow. `because` is the reason: mostly the stricter reading counts,
      but not always.
    """

    disagreement_id: str
    airline: str | None
    jurisdiction: str | None
    question: str
    sides: tuple[SideBody, ...]
    rule_id: str
    because: str


class RuleBody(msgspec.Struct):
    """A rule as editors entered it, with the sentence that a traveler reads if it applies.

    - `applies` says to which flights a regulator's rule applies: `global`, `departure`, `arrival`,
      `domestic`, `operator`. An airline's own rules (`airline`) apply to all of its flights.
    - `when` has the conditions of the rule; all of them must be met. Watt-hours: `watt_hour_over` is >,
      `watt_hour_at_least` is >=, `watt_hour_up_to` is <=.
    - `code`, `nature` and `message` are null for a permit, which says that carriage is possible.
    - `in_force` says whether the rule is in force on the requested day, whatever its conditions.
    - `quotes` are the words of its pages that support the rule, if editors recorded them.
    - `disagreements` are questions that sources answer differently and that this rule settles, each with its
      sides and the reason. They explain the rule and change no verdict.
    """

    rule_id: str
    issuer: Issuer
    authority: str
    jurisdiction: str
    airline: str | None
    applies: tuple[Scope, ...]
    when: When
    effect: Effect
    code: str | None
    params: Params
    nature: Nature | None
    effective_from: datetime.date | None
    effective_until: datetime.date | None
    in_force: bool
    summary: str
    message: str | None
    confidence: Confidence
    citations: tuple[Citation, ...]
    quotes: tuple[QuoteBody, ...]
    disagreements: tuple[DisagreementBody, ...]


def rule_body(rule: Rule, published: Published, day: datetime.date, query: Query) -> RuleBody:
    """Return a rule as of a day, in the language of the query."""
    return RuleBody(
        rule_id=rule.rule_id,
        issuer=rule.issuer,
        authority=rule.authority,
        jurisdiction=rule.jurisdiction,
        airline=rule.airline,
        applies=rule.applies,
        when=rule.when,
        effect=rule.effect,
        code=rule.code,
        params=rule.params,
        nature=CODES[rule.code].nature if rule.code else None,
        effective_from=rule.effective_from,
        effective_until=rule.effective_until,
        in_force=rule.in_force(day),
        summary=rule.summary,
        message=rule_message(rule, query[LANGUAGE] or settings.LANGUAGE_CODE),
        confidence=rule.confidence,
        citations=evidence.citations(published, rule.sources),
        quotes=tuple(
            QuoteBody(one.source_id, one.url, one.words, one.where)
            for one in evidence.excerpts(published, rule)
        ),
        disagreements=tuple(_disagreement(one) for one in on_rule(published, rule.rule_id)),
    )


def _disagreement(one: Disputed) -> DisagreementBody:
    return DisagreementBody(
        disagreement_id=one.disagreement_id,
        airline=one.airline,
        jurisdiction=one.jurisdiction,
        question=one.question,
        sides=tuple(SideBody(side.says, side.citations) for side in one.sides),
        rule_id=one.rule_id,
        because=one.because,
    )


def airline_of_code(published: Published, code: str) -> Airline:
    """Return an airline of the release by its IATA code. Raises `ApiError`."""
    airlines = published.shelf.airlines
    if code in airlines:
        return airlines[code]
    why = f"Airline `{code}` is not in the current ruleset. GET /api/airlines lists the airlines in it."
    raise ApiError("AIRLINE_NOT_COVERED", f"{why} Ask the airline itself.")


def airline_asked(published: Published, query: Query) -> str | None:
    """Return the code of the airline that a query filters by, if it names one. Raises `ApiError`."""
    code = query[AIRLINE]
    return None if code is None else airline_of_code(published, code).airline


def rule_named(published: Published, rule_id: str) -> Rule:
    """Return a rule of the release, in force or not. Raises `ApiError`."""
    rule = published.shelf.rules.get(rule_id)
    if rule is None:
        why = "No rule of the current ruleset has this id. GET /api/rules lists the rules in force."
        raise ApiError("NOT_FOUND", why)
    return rule


def check_jurisdiction(published: Published, code: str | None) -> None:
    """Raise `ApiError` for a place that the release does not know."""
    places = (published.corpus.countries, published.shelf.jurisdictions)
    if code is None or any(code in codes for codes in places):
        return
    report = Report()
    report.add(
        "jurisdiction",
        "unknown_jurisdiction",
        f"`{code}` is not a jurisdiction of the current ruleset. Send another, or none.",
    )
    report.check()
