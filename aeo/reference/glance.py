"""The six facts that pages of airlines, countries and models lead with.

Units, energy, checked baggage, use on board, recharging and the overhead bin. Each is what the fields of a
policy say (`rules.selectors.policy_fields`); a field without a rule is not known. Called by the builders of
pages.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from aeo.drawing.signs import Tone, Topic
from aeo.pages.record import Sign, Signs
from aeo.reference.limits import Limits, Standing, standing
from aeo.reference.policy import label, value_words
from aeo.texts import say
from aeo.web.formatting import apart, up_to
from rules.engine.facts import Device, Recall
from rules.engine.matching import plain
from rules.selectors import recalls
from rules.selectors.policy_fields import PolicyFields, RestrictionField, is_kept_elsewhere

_HUNDRED = Decimal(100)

OfSome = Sequence[tuple[str, PolicyFields]]
"""What stricter rules say for some flights only, with the key of the text for these flights."""

_RESTRICTIONS: tuple[tuple[Topic, str], ...] = (
    ("checked", "checked_baggage"),
    ("use", "onboard_use"),
    ("recharge", "onboard_recharge"),
    ("bin", "overhead_bin"),
)
"""The topics that one field answers, in the order in which pages show them."""


def of_policy(fields: PolicyFields, note: str, some: OfSome = ()) -> Signs:
    """Return the facts of a policy. `note` says whose policy it is.

    `some` is what stricter rules say for some flights only, each with the key of the text for these flights.
    """
    facts = (_units(units_words(fields)), _energy(energy_words(fields)), *_conduct(fields, some))
    return Signs(facts, note)


def prohibited_on_some(name: str, some: OfSome) -> list[str]:
    """Return, in words, the flights for which stricter rules prohibit what a field is about."""
    parts = ((key, getattr(part, name)) for key, part in some)
    return [
        say(key, value=restriction_words(name, field))
        for key, field in parts
        if field is not None and field.value == "prohibited"
    ]


def of_model(device: Device, known: Limits, found: Sequence[Recall]) -> Signs:
    """Return what the baseline says about a model. Its recalls come before its energy."""
    stands, _ = standing(device, known)
    none_may = stands == "over" or recalls.of_all_units(found)
    # Only a unit that surely has at most 100 Wh may use the limit for any rating.
    small = stands == "free" and device.watt_hour is not None and device.watt_hour <= _HUNDRED
    counted = known.fields.max_units if small else known.fields.max_units_over_100_watt_hour
    return Signs(
        (
            _refused("units", label("max_units"))
            if none_may
            else _units(None if counted is None else value_words("max_units", counted)),
            _energy_of(device, stands, found),
            *_conduct(known.fields),
        ),
        say("glance.model"),
    )


def units_words(fields: PolicyFields) -> str | None:
    """Return how many units a passenger may carry; None if that is not known."""
    words = [] if fields.max_units is None else [value_words("max_units", fields.max_units)]
    large = fields.max_units_over_100_watt_hour
    if large is not None and (fields.max_units is None or large.value < fields.max_units.value):
        words.append(say("glance.units.large", units=value_words("max_units", large)))
    return apart(words) if words else None


def energy_words(fields: PolicyFields) -> str | None:
    """Return up to which energy a unit may travel, without and with approval; None if that is not known."""
    words = []
    if (free := fields.carry_on_max_watt_hour_without_approval) is not None:
        words.append(up_to(free.bound))
    if (approved := fields.carry_on_max_watt_hour_with_approval) is not None:
        words.append(say("glance.approved", limit=up_to(approved.bound)))
    if not words and (refused := fields.carry_on_prohibited_over_watt_hour) is not None:
        name = "carry_on_prohibited_over_watt_hour"
        words.append(say("named", name=label(name), value=value_words(name, refused)))
    return apart(words) if words else None


def restriction_words(name: str, field: RestrictionField | None) -> str:
    """Return whether something is refused or restricted, in words."""
    return say("not_known") if field is None else value_words(name, field)


def restriction_tone(field: RestrictionField | None) -> Tone:
    """Return how a restriction is drawn."""
    if field is None:
        return "unknown"
    return "no" if field.value == "prohibited" else "limit"


def kept_elsewhere(fields: PolicyFields) -> str:
    """Return where a unit must be kept, if that leaves no room for the overhead bin; else nothing."""
    name, kept = "on_person_or_seat_pocket", fields.on_person_or_seat_pocket
    if kept is None or not is_kept_elsewhere(fields):
        return ""
    return say("named", name=label(name), value=value_words(name, kept))


def _conduct(fields: PolicyFields, some: OfSome = ()) -> Iterator[Sign]:
    for topic, name in _RESTRICTIONS:
        field = getattr(fields, name)
        tone, words = restriction_tone(field), restriction_words(name, field)
        if topic == "bin" and (kept := kept_elsewhere(fields)):
            tone, words = "limit", kept
        stricter = [] if tone == "no" else prohibited_on_some(name, some)
        yield Sign(topic, "limit" if stricter else tone, label(name), apart([*stricter, words]))


def _units(words: str | None) -> Sign:
    return _stated("units", label("max_units"), words)


def _energy(words: str | None) -> Sign:
    return _stated("energy", say("label.watt_hour"), words)


def _energy_of(device: Device, stands: Standing, found: Sequence[Recall]) -> Sign:
    if device.watt_hour is None and not found:
        return _energy(None)
    watt_hour = device.watt_hour
    words = say("watt_hour.unknown") if watt_hour is None else say("watt_hour", watt_hour=plain(watt_hour))
    key: str = stands
    if recalls.of_all_units(found):
        key = "all_recalled"
    elif found and stands != "over":
        key = "recalled"
    value = words if key == "none" else say(f"glance.energy.{key}", watt_hour=words)
    tone: Tone = "no" if key in {"over", "all_recalled"} else "limit"
    return Sign("energy", tone, say("label.watt_hour"), value)


def _stated(topic: Topic, name: str, words: str | None) -> Sign:
    return (
        Sign(topic, "unknown", name, say("not_known")) if words is None else Sign(topic, "limit", name, words)
    )


def _refused(topic: Topic, name: str) -> Sign:
    return Sign(topic, "no", name, say("policy.value.prohibited"))
