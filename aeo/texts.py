"""The sentences of pages that no rule says: how an article opens, who speaks, what a figure means.

What a rule or a verdict says is worded by `rules.wording`; these stand around it. Whole sentences only, each
the gettext key of its translations. Called by `aeo.articles` and `aeo.factors`.
"""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

Text = str | Promise

TEXTS: dict[str, Text] = {
    "question": _("May the %(model)s travel on %(airline)s flights %(span)s?"),
    # The first sentence of an article: its verdict
    "opening.allowed": _(
        "Allowed: one %(model)s may travel in your cabin bag on %(airline)s flights %(span)s."
    ),
    "opening.conditional": _(
        "Conditional: one %(model)s may travel in your cabin bag on %(airline)s flights %(span)s only once "
        "every open point is settled."
    ),
    "opening.insufficient": _(
        "Not cleared: too little is known to say that one %(model)s may travel in your cabin bag on "
        "%(airline)s flights %(span)s."
    ),
    "opening.banned": _("Banned: one %(model)s may not travel on %(airline)s flights %(span)s."),
    # … and what the flights that are judged less strictly get
    "milder.allowed": _("On its flights %(span)s it is allowed."),
    "milder.conditional": _("On its flights %(span)s it may travel only once every open point is settled."),
    "milder.insufficient": _("On its flights %(span)s too little is known to clear it."),
    # Which flights
    "span.departing": _("from %(country)s"),
    "span.arriving": _("to %(country)s"),
    "span.domestic": _("within %(country)s"),
    "span.departing.arriving": _("from and to %(country)s"),
    "span.departing.domestic": _("from and within %(country)s"),
    "span.arriving.domestic": _("to and within %(country)s"),
    "span.departing.arriving.domestic": _("from, to and within %(country)s"),
    # The device
    "device.rated": _(
        "Limits are checked against the rating of the %(model)s by its maker, %(watt_hour)s Wh."
    ),
    "device.computed": _(
        "Limits are checked against %(watt_hour)s Wh, computed from the %(capacity_mah)s mAh at "
        "%(nominal_voltage)s V of the %(model)s."
    ),
    "device.unknown": _("The watt-hours of the %(model)s are not known, so no limit can be checked."),
    "device.margin": _(
        "The permits that apply to it reach up to %(limit)s Wh, which leaves a margin of %(margin)s Wh."
    ),
    "device.edge": _("The permits that apply to it reach up to %(limit)s Wh, exactly its figure."),
    # Recalls
    "recalls.none": _(
        "No recall of exactly this model is on file, and recalls of other models never count against it."
    ),
    "recalls.some": ngettext_lazy(
        "%(count)d recall of exactly this model is on file, by %(authority)s, announced %(date)s.",
        "%(count)d recalls of exactly this model are on file, the newest by %(authority)s, "
        "announced %(date)s.",
        "count",
    ),
    # Who speaks
    "airline.permits": _("The own rules of %(airline)s permit a power bank of this rating in the cabin."),
    "airline.silent": _(
        "No own rule of %(airline)s that is on file permits a power bank of this rating in the cabin."
    ),
    "authority": _("%(authority)s (%(place)s) sets rules that apply on flights %(span)s."),
    "authority.none": _("No rule of an authority of %(country)s applies to these flights of %(airline)s."),
    "baseline": _("The international baseline of ICAO and IATA applies to each of these flights."),
    # The evidence
    "source": _("Source: %(authority)s (%(kind)s, %(jurisdiction)s), read %(date)s."),
}

TAKES_THE = {
    "AE", "BS", "CC", "CD", "CF", "CG", "CK", "DO", "FK", "FO", "GB", "GM", "IM", "IO", "KM", "KY", "MH",
    "MP", "MV", "NL", "PH", "SB", "SC", "TC", "TF", "UM", "US", "VG", "VI",
}  # fmt: skip
"""Countries whose English name stands with an article inside a sentence."""


def say(key: str, **values: str | int) -> str:
    """Return a text, filled in, in the active language. A number that decides a plural is an `int`."""
    return str(TEXTS[key] % values)


def in_sentence(code: str, name: str) -> str:
    """Return a country's name as it stands inside an English sentence."""
    plain = name.removesuffix(" (The)")
    return f"the {plain}" if code in TAKES_THE else plain
