"""What has to be settled before an answer can become milder, a sentence for each point.

A `conditional` answer always has at least one: that is what makes it conditional. Called by the pages of
answers and trips.
"""

from collections.abc import Iterator

from rules.answers.guidance import LegGuidance
from rules.answers.rules_in_play import considered
from rules.corpus import Published
from rules.engine.facts import Leg, Question, TripQuestion
from rules.engine.matching import Statement
from rules.engine.outcomes import LegVerdict
from rules.engine.vocabulary import Nature
from rules.wording.names import country_name, model_names
from rules.wording.saying import say
from rules.wording.sentences import lookup_url, sentence
from rules.wording.step_texts import GUIDANCE
from rules.wording.steps import speaker

FIND_WATT_HOURS = ("label", "voltage", "maker", "search", "ask")
"""How to find the watt-hours of a unit whose label only shows a capacity."""


def open_points(
    release: Published,
    question: Question | TripQuestion,
    leg: Leg,
    outcome: LegVerdict | LegGuidance,
    language: str,
) -> tuple[str, ...]:
    """Return what has to be settled for a leg, what is missing first; nothing if nothing is open."""
    if outcome.verdict in {"allowed", "banned"}:
        return ()
    said = [*_gaps(release, leg, outcome, language), *_preconditions(question, outcome, language)]
    if any(warning.name == "airline_policy_unconfirmed" for warning in outcome.warnings):
        airline = release.corpus.airlines[leg.airline].name
        said.append(
            say("next_step.conditional.airline_policy_unconfirmed", language, (("airline", airline),))
        )
    if isinstance(outcome, LegGuidance):
        said.append(say("guidance.model", language))
        said += _named_models(release, question, leg, outcome, language)
    return tuple(dict.fromkeys(said))


def is_open(statement: Statement, question: Question | TripQuestion) -> bool:
    """Return whether a constraint is a precondition that the question does not show to be met."""
    shown = statement.name == "ccc_mark_required" and question.unit.ccc_mark == "present"
    return statement.nature is Nature.PRECONDITION and not shown


def guidance_sentence(statement: Statement, language: str) -> str:
    """Return a statement of guidance in words: it mentions the label, where a verdict mentions records."""
    if statement.name in GUIDANCE:
        return say(f"guidance.{statement.name}", language)
    return sentence(statement, language)


def _preconditions(
    question: Question | TripQuestion, outcome: LegVerdict | LegGuidance, language: str
) -> Iterator[str]:
    for statement in outcome.constraints:
        if not is_open(statement, question):
            continue
        if isinstance(outcome, LegGuidance):
            yield guidance_sentence(statement, language)
        else:
            yield sentence(statement, language, lookup_url(outcome.recalls))


def _named_models(
    release: Published, question: Question | TripQuestion, leg: Leg, outcome: LegGuidance, language: str
) -> Iterator[str]:
    """Name the models for which a rule would speak if the unit were one of them."""
    of_leg = Question(
        unit=question.unit,
        leg=leg,
        travel_date=question.travel_date,
        compartment_intent=question.compartment_intent,
    )
    for unmet in considered(release, of_leg, outcome).unmet:
        if [reason.condition for reason in unmet.reasons] == ["model"]:
            models = model_names(unmet.reasons[0].needs, release.shelf.devices, language)
            issuer = speaker(release, unmet.rule, language).name
            yield say("guidance.named_models", language, (("issuer", issuer), ("models", models)))


def _gaps(release: Published, leg: Leg, outcome: LegVerdict | LegGuidance, language: str) -> Iterator[str]:
    airline, country = release.corpus.airlines[leg.airline], release.corpus.countries[leg.origin]
    values = (("airline", airline.name), ("country", country_name(country.code, country.name, language)))
    for gap in outcome.gaps:
        if gap == "watt_hour_unknown" and isinstance(outcome, LegGuidance):
            yield from (say(f"guidance.find.{way}", language, values) for way in FIND_WATT_HOURS)
        else:
            yield say(f"next_step.insufficient.{gap}", language, values)
