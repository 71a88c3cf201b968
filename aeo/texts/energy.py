"""The texts of the picture that shows a unit against its limits. Called by `aeo.pages.energy`."""

from rules.wording.translating import Plural, Text

TEXTS: dict[str, Text] = {
    "energy.title": "Energy and limits",
    "energy.label": "Watt-hours of the power bank, and the limits in the cabin",
    "energy.unit": "This power bank: %(figure)s",
    "energy.computed": ("%(unit)s. The rating printed on it can be higher, up to %(watt_hour)s Wh."),
    "energy.unknown": "%(unit)s. No limit can be compared.",
    "energy.international": "International rules",
    "energy.strictest": "Strictest energy limits",
    "energy.uncovered": Plural(
        "No limit is known for flight %(numbers)s.", "No limit is known for flights %(numbers)s."
    ),
    "energy.flights": Plural("%(name)s on flight %(numbers)s", "%(name)s on flights %(numbers)s"),
    # What is said of some figures; a range is "up to 100 Wh"
    "energy.between": "%(low)s and %(high)s",
    "energy.free": "%(range)s without approval",
    "energy.approval": "%(range)s with the airline's approval",
    "energy.refused": "%(range)s not permitted",
    "energy.silent": "%(range)s no rule known",
    "energy.any.free": "no limit",
    "energy.any.approval": "only with the airline's approval",
    "energy.any.refused": "not permitted",
    "energy.any.silent": "no rule known for this flight",
    # What that means for the unit
    "energy.here.free": "within the limit",
    "energy.here.approval": "approval needed",
    "energy.here.refused": "over the limit",
    "energy.here.silent": "no rule known",
    "energy.here.doubtful": "check the label",
    "energy.here.unknown": "cannot be compared",
    "energy.row": "%(names)s: %(limits)s. Here: %(here)s.",
    # The legend
    "energy.legend.free": "without approval",
    "energy.legend.approval": "with approval",
    "energy.legend.refused": "not permitted",
    "energy.legend.silent": "no rule known",
    "energy.only": (
        "This is about energy alone, in a cabin bag. The number, the marks, the condition, checked baggage "
        "and recalls can decide as well."
    ),
}
