"""How a rule reads: one English sentence for editors, and what travelers read of it in each language.

Every condition that is set is named, so two rules read differently unless they differ only in id, sources or
summary. Nothing here decides: the sentence is made from the same record that the engine weighs. Pure; the
caller passes the names of airlines and places. Called by the editors' desk.
"""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple, get_args

from django.conf import settings

from catalog.dates import day_words
from catalog.energy import bound
from recalls.serials import RecallStatus
from rules.engine.document import Content
from rules.engine.facts import Rule, When
from rules.engine.matching import plain, statement_of
from rules.engine.vocabulary import COMPARTMENT_WORDS, Confidence, Scope, UnitCondition
from rules.wording.saying import say
from rules.wording.sentences import sentence
from rules.wording.translating import joined

SOURCE_LANGUAGE = "en"
"""The language of the original texts; the others are translations of it."""

CONFIDENCE: dict[Confidence, str] = {
    "confirmed": "confirmed",
    "reported": "reported, not confirmed",
    "unverified": "unverified",
}

# The words for one unit, and for several.
CONDITIONS: dict[UnitCondition, tuple[str, str]] = {
    "intact": ("is intact", "are intact"),
    "damaged": ("is damaged", "are damaged"),
    "unknown": ("is in an unknown condition", "are in an unknown condition"),
}
RECALL_STATUSES: dict[RecallStatus, tuple[str, str]] = {
    "not_affected": ("falls under no recall", "fall under no recall"),
    "affected": ("falls under a recall", "fall under a recall"),
    "serial_unknown": ("may fall under a recall of the model", "may fall under a recall of the model"),
    "external_check_required": (
        "must be looked up in a maker's recall list",
        "must be looked up in a maker's recall list",
    ),
}

REQUIRED = {
    "carry_on_only": "to travel in the cabin only",
    "airline_approval_required": "to be approved by the airline before the flight",
    "ccc_mark_required": "to show a readable CCC (3C) mark",
    "label_required": "to show a readable rating",
    "terminals_protected": "to have protected terminals",
    "no_onboard_use": "not to be used on board",
    "onboard_use_restricted": "to be used on board only when the airline allows it",
    "no_onboard_recharge": "not to be recharged on board",
    "keep_within_reach": "to be kept within reach",
    "keep_visible": "to be taken out of the bag and kept in sight",
    "visible_when_in_use": "to be kept in sight whenever charging or in use",
    "on_person_or_seat_pocket": "to be kept on the person or in the seat pocket",
    "no_overhead_bin": "to be kept out of the overhead bin",
    "remove_before_gate_check": "to be taken out of a bag that is checked at the gate",
    "switched_off": "to stay switched off during the whole flight",
    "personal_use_only": "to be for personal use, not for sale",
    "un38_3_type_tested": "to contain a battery of a type that passed the UN 38.3 tests",
}
"""What a requirement without a parameter demands: `requires power banks …`."""

PROHIBITED = {
    "over_watt_hour_limit": "the limit is {limit_watt_hour} Wh",
    "recalled_not_permitted": "recalled units may not travel",
    "damaged_not_permitted": "damaged units may not travel",
}
"""Why a prohibition prohibits."""

ADVISED = {
    "onboard_use_discouraged": "should not be used on board",
    "onboard_use_airline_decides": "may be used on board only as the airline decides",
    "overhead_bin_discouraged": "should be kept out of the overhead bin",
    "keep_within_reach_advised": "should be kept within reach and in sight",
    "ccc_mark_enforcement_varies": "may need a CCC (3C) mark even if no rule requires one",
    "ccc_applies_to_connections": "also need a CCC (3C) mark after an international flight",
    "confiscation_risk": "are sometimes confiscated on departure, according to reports",
    "over_100wh_refusal_likely": "are likely to be refused by airlines that follow IATA's 2027 edition",
}
"""What advice says: `advises that power banks …`."""

_SCOPES: dict[Scope, tuple[str, str]] = {
    "global": ("on every flight", "on every flight"),
    "departure": ("on departures from {place}", "on departures from there"),
    "arrival": ("on arrivals in {place}", "on arrivals there"),
    "domestic": ("on flights within {place}", "on flights within it"),
    "operator": ("on flights of airlines based in {place}", "on flights of airlines based there"),
    "airline": ("on all its flights", "on all its flights"),
}
"""Where a rule applies: the form for the first mention, and the one for later mentions."""

# Names that take an article in English.
_BODIES = re.compile(
    r"\b(Administration|Agency|Association|Authority|Bureau|Department|Directorate|Ministry|Office|Organization)\b"
)
_PLACES = re.compile(
    r"^(United|European Union|Philippines|Netherlands|Maldives|Bahamas)\b|\b(Republic|Islands)\b"
)


def reads_as(rule: Rule, *, airline: str | None = None, place: str | None = None) -> str:
    """Return how a rule reads to an editor, as one English sentence.

    Args:
        rule: Any rule that could be released (`rules.engine.document.problems` is empty).
        airline: The name of its airline; without one, its code is used.
        place: The name of its jurisdiction; without one, its code is used.

    """
    return f"{_sentence(rule, airline, place)} ({CONFIDENCE[rule.confidence]})."


def _sentence(rule: Rule, airline: str | None, place: str | None) -> str:
    """Return the sentence without its confidence and its full stop."""
    place = _with_article(place or rule.jurisdiction, _PLACES)
    said = _says(rule).rstrip(",")
    if rule.when.quantity_over is not None:
        said += f" if one passenger carries more than {rule.when.quantity_over}"
    parts = [f"{_issuer(rule, airline, place)} {said}", _where(rule, place), *_dates(rule)]
    reason = f": {PROHIBITED[rule.code].format(**_numbers(rule))}" if rule.code in PROHIBITED else ""
    return f"{', '.join(parts)}{reason}"


class Message(NamedTuple):
    """What travelers read of a rule in one language. `text` is None if it is not translated yet."""

    language: str
    language_name: str
    text: str | None


def travelers_read(rule: Rule) -> tuple[Message, ...]:
    """Return what travelers read of a rule, in each language of the service.

    For a permit, which has no sentence of its own: how an answer can open if nothing stricter speaks.
    """
    return tuple(
        Message(language, str(name), _translated(rule, language)) for language, name in settings.LANGUAGES
    )


PERMIT_MEANS = (
    "A permit has no sentence of its own. An answer can begin like this if both the authorities "
    "and the airline permit the unit and no stricter rule applies:"
)
"""What editors read above `travelers_read` of a permit."""


STEPS = {
    "device.resolved": "The model is on file.",
    "recall.not_affected": "No recall covers this unit.",
    "recall.affected": "A recall covers this unit.",
    "recall.serial_unknown": "The model is recalled, and it is unknown whether this unit is covered.",
    "recall.external_check_required": (
        "The model is recalled, and only the maker's list can decide about this unit."
    ),
    "certificate.suspended": "A CCC certificate of the model is suspended on the day of travel.",
    "certificate.revoked": "A CCC certificate of the model is revoked on the day of travel.",
    "verdict.allowed": "Allowed.",
    "verdict.conditional": "Allowed only if the traveler shows that the conditions are met.",
    "verdict.insufficient": "Not enough is known.",
    "verdict.banned": "Not allowed.",
}
"""The steps of a path that are not rules."""


def step_reads(step: str, rules: Mapping[str, Rule], names: "Names") -> str:
    """Return what one step of a verdict's path says; `rules` are those that may be in it, by id."""
    return STEPS[step] if step in STEPS else names.read(rules[step])


class Names:
    """The names of airlines and places, so that a rule reads naturally."""

    def __init__(self, airlines: Mapping[str, str], places: Mapping[str, str]) -> None:
        self._airlines, self._places = airlines, places

    def read(self, rule: Rule) -> str:
        """Return how a rule reads."""
        airline, place = self._names_of(rule)
        return reads_as(rule, airline=airline, place=place)

    def say(self, rule: Rule) -> str:
        """Return what a rule says, however well it is known: a summary."""
        return f"{_sentence(rule, *self._names_of(rule))}."

    def _names_of(self, rule: Rule) -> tuple[str | None, str | None]:
        return self._airlines.get(rule.airline or ""), self._places.get(rule.jurisdiction)


def names_in(*contents: Content) -> Names:
    """Return the names of the airlines and places of some releases. If two differ, the later one counts."""
    return Names(
        {one.airline: one.name for content in contents for one in content.airlines},
        {
            **{one.code: one.name for content in contents for one in content.countries},
            **{one.code: one.name for content in contents for one in content.jurisdictions},
        },
    )


# --- Who says what ----------------------------------------------------------------------------------------


def _issuer(rule: Rule, airline: str | None, place: str) -> str:
    if rule.issuer == "regulator":
        authority = _with_article(rule.authority, _BODIES)
        # `…, Taiwan` is set off by two commas; `… of Land, Infrastructure and Transport` is a list.
        set_off = "," in authority and " and " not in authority.rpartition(",")[2]
        return f"{authority[0].upper()}{authority[1:]}{',' if set_off else ''}"
    named = f"{airline} ({rule.airline}, {place})" if airline else f"{rule.airline} ({place})"
    return named if rule.authority == airline else f"{rule.authority}, for {named},"


def _says(rule: Rule) -> str:
    """Return the verb of the sentence and what it is about."""
    match rule.effect, rule.code:
        case "permit", _:
            return f"permits {_units(rule)}"
        case "require", "max_units":
            return f"limits each passenger to {rule.params.max_units} {_units(rule, rule.params.max_units)}"
        case "require", code:
            return f"requires {_units(rule)} {REQUIRED[str(code)]}"
        case "prohibit", _:
            return f"prohibits {_units(rule)}"
        case "advise", "quantity_advice":
            most = rule.params.max_units
            return f"advises each passenger to carry at most {most} {_units(rule, most)}"
        case _, code:
            return f"advises that {_units(rule)} {ADVISED[str(code)]}"


def _units(rule: Rule, number: int | None = None) -> str:
    """Return which units are meant: their properties, and where they are carried."""
    when, several = rule.when, number != 1
    clauses = [
        *_clause(when.condition, CONDITIONS, several),
        *_clause(when.recall_status, RECALL_STATUSES, several),
        *(
            [f"{'do' if several else 'does'} not show a {when.certification_missing} mark"]
            if when.certification_missing
            else []
        ),
        *([f"{'are' if several else 'is'} {_either(when.model)}"] if when.model else []),
    ]
    noun = f"power bank{'s' if several else ''}{_watt_hours(when)}"
    such = f" that {', and that '.join(clauses)}" if clauses else ""
    carried = _carried(rule)
    # Set off by commas, so that the place does not read as a property of the unit.
    return f"{noun}{such}, {carried}," if such and carried else f"{noun}{such} {carried}".rstrip()


def _clause(
    values: Iterable[Any] | None, words: Mapping[Any, tuple[str, str]], several: bool
) -> Iterable[str]:
    if values is not None:
        chosen = set(values)
        yield _either(words[value][several] for value in words if value in chosen)


def _watt_hours(when: When) -> str:
    lower = [
        *([f"more than {plain(when.watt_hour_over)} Wh"] if when.watt_hour_over is not None else []),
        *([f"{plain(when.watt_hour_at_least)} Wh or more"] if when.watt_hour_at_least is not None else []),
    ]
    upper = [_up_to(when.watt_hour_up_to)] if when.watt_hour_up_to is not None else []
    bounds = [*lower, *upper]
    return f" of {' and '.join(bounds)}" if bounds else ""


def _up_to(highest: Decimal) -> str:
    limit = bound(highest)
    return f"{'up to' if limit.inclusive else 'less than'} {plain(limit.watt_hour)} Wh"


def _carried(rule: Rule) -> str:
    if rule.when.compartment is None:
        # "In the cabin" is not a condition here, but what the rule demands.
        return "" if rule.code == "carry_on_only" else "in any compartment"
    return _either(words for value, words in COMPARTMENT_WORDS.items() if value in rule.when.compartment)


# --- Where and when ---------------------------------------------------------------------------------------


def _where(rule: Rule, place: str) -> str:
    scopes = [_SCOPES[scope] for scope in get_args(Scope) if scope in rule.applies]
    named = [words[at > 0].format(place=place) for at, words in enumerate(scopes)]
    return _joined(named, "and")


def _dates(rule: Rule) -> Iterable[str]:
    bounds = [
        *([f"from {day_words(rule.effective_from)}"] if rule.effective_from else []),
        *([f"through {day_words(rule.effective_until)}"] if rule.effective_until else []),
    ]
    if bounds:
        yield " ".join(bounds)


def _numbers(rule: Rule) -> dict[str, str]:
    return {
        name: plain(value) if isinstance(value, Decimal) else str(value)
        for name in rule.params.__struct_fields__
        if (value := getattr(rule.params, name)) is not None
    }


def _with_article(name: str, takes_one: re.Pattern[str]) -> str:
    return f"the {name}" if takes_one.search(name) else name


def _either(words: Iterable[str]) -> str:
    return _joined(list(words), "or")


def _joined(words: list[str], conjunction: str) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


# --- For travelers ----------------------------------------------------------------------------------------


def _translated(rule: Rule, language: str) -> str | None:
    sentences = list(_sentences(rule, language))
    originals = list(_sentences(rule, SOURCE_LANGUAGE))
    # Text without a translation comes back in English, and no whole sentence is the same in two languages.
    if language != SOURCE_LANGUAGE and any(map(str.__eq__, sentences, originals)):
        return None
    return joined(sentences, language)


def _sentences(rule: Rule, language: str) -> Iterable[str]:
    statement = statement_of(rule)
    if statement is not None:
        yield sentence(statement, language)
        return
    for compartment in COMPARTMENT_WORDS:
        if rule.when.compartment is None or compartment in rule.when.compartment:
            yield say(f"summary.flight.allowed.{compartment}", language)
