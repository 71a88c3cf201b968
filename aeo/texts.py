"""The sentences of pages that no rule says: how an article opens, who speaks, what a figure means.

What a rule or a verdict says is worded by `rules.wording`; these stand around it. Whole sentences only, each
the gettext key of its translations. Called by `aeo.articles` and `aeo.factors`.
"""

from functools import lru_cache

from django.utils.functional import Promise
from django.utils.translation import get_language, ngettext_lazy
from django.utils.translation import gettext_lazy as _

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
        "%(count)d recalls of exactly this model are on file, the newest by %(authority)s, announced "
        "%(date)s.",
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
    # The flights of a page
    "flights.asked": _(
        "One unit, in a cabin bag, on %(date)s. The strictest flight gives the verdict of this page."
    ),
    "flights.route": _("%(origin)s to %(destination)s."),
    "flights.route.strictest": _(
        "%(origin)s to %(destination)s, which stands for all countries at that end; their own rules may ask "
        "for more."
    ),
    "flights.milder": ngettext_lazy(
        "It is the strictest: %(count)d of them gets a milder verdict.",
        "It is the strictest: %(count)d of them get a milder verdict.",
        "count",
    ),
    "flights.asks": _("Each row of the table is the answer of POST /api/verify to one of these:"),
    # Lists
    "list.models": ngettext_lazy(
        "%(count)d exact model can be asked about, with its watt-hours and its recalls.",
        "%(count)d exact models can be asked about, each with its watt-hours and its own recalls.",
        "count",
    ),
    "list.airlines": ngettext_lazy(
        "Flights of %(decided)d of %(count)d airline can be decided on; how well its rules are known stands "
        "with it.",
        "Flights of %(decided)d of %(count)d airlines can be decided on; how well their rules are known "
        "stands with each.",
        "count",
    ),
    "list.countries": ngettext_lazy(
        "Authorities of %(count)d country have power bank rules on file; elsewhere a region, the "
        "international baseline and the airline decide.",
        "Authorities of %(count)d countries have power bank rules on file; elsewhere a region, the "
        "international baseline and the airline decide.",
        "count",
    ),
    "list.recalls": ngettext_lazy(
        "%(count)d active recall of an exact model is on file. It concerns the model that it names, never a "
        "brand.",
        "%(count)d active recalls of exact models are on file. Each concerns the one model that it names, "
        "never a brand.",
        "count",
    ),
    # Brands
    "brands.lead": _(
        "Exact models, their watt-hours, their recalls, and what airlines and authorities say of them."
    ),
    "brand.title": _("%(brand)s power banks on flights"),
    "brand.lead": ngettext_lazy(
        "%(count)d model of %(brand)s is in ruleset %(version)s: %(recent)d released this year or last, "
        "%(near)d near a limit of 100 or 160 Wh.",
        "%(count)d models of %(brand)s are in ruleset %(version)s: %(recent)d released this year or last, "
        "%(near)d near a limit of 100 or 160 Wh.",
        "count",
    ),
    "brand.recalls": _("A recall counts for the exact model that it names, never for the brand."),
    # Guides
    "guides.lead": _("What people ask about power banks on flights, answered from the published rules."),
    "guide.checked": _("Every answer above is one that the engine gives today."),
    "guide.revised": _(
        "The rules behind this guide have changed, so it is being revised and says nothing until then."
    ),
    "guide.meanwhile": _(
        "Do not rely on a copy of it. Ask about your exact model, airline and route, or read the other "
        "guides."
    ),
    # What the limits of the baseline mean for a model
    "limit.free": _(
        "Its %(watt_hour)s Wh stay within the %(limit)s Wh up to which the international baseline lets a "
        "power bank into the cabin without the airline's approval."
    ),
    "limit.approved": _(
        "Its %(watt_hour)s Wh are more than the international baseline lets into the cabin freely, and "
        "within the %(limit)s Wh up to which it may travel there once the airline has approved it."
    ),
    "limit.doubtful": _(
        "Its %(watt_hour)s Wh are computed and so near the %(limit)s Wh of the international baseline that "
        "the rating on the unit decides: read it before you fly."
    ),
    "limit.over": _(
        "Its %(watt_hour)s Wh are over the %(limit)s Wh above which the international baseline lets no power "
        "bank travel with a passenger."
    ),
    "limit.none": _(
        "The international baseline on file names no limit that %(watt_hour)s Wh can be held against."
    ),
    "limit.unknown": _(
        "Its watt-hours are not known, so no limit can be checked, and no flight can be cleared for it until "
        "the rating on its label is known."
    ),
    # Models
    "model.question": _("May the %(model)s fly?"),
    "model.known": _("The %(model)s is a power bank of %(watt_hour)s Wh."),
    "model.unknown": _("Nobody knows the watt-hours of the %(model)s, so it can be cleared for no flight."),
    "model.recalls": ngettext_lazy(
        "%(count)d recall of exactly this model is on file: check your unit before you fly.",
        "%(count)d recalls of exactly this model are on file: check your unit before you fly.",
        "count",
    ),
    "model.route": _(
        "The airline and both ends of a flight decide: each verdict below is for one airline and country."
    ),
    "model.unconfirmed": _(
        "Nobody has read a source of these facts yet, so a verdict on it carries a warning."
    ),
    # Airlines
    "airline.question": _("What are the power bank rules of %(airline)s?"),
    "airline.lead.free": _(
        "%(airline)s accepts a power bank of up to %(free)s Wh in the cabin without being asked first."
    ),
    "airline.lead.figureless": ngettext_lazy(
        "%(count)d rule of %(airline)s on power banks is in force; it names no figure up to which a unit "
        "may travel without approval.",
        "%(count)d rules of %(airline)s on power banks are in force; they name no figure up to which a unit "
        "may travel without approval.",
        "count",
    ),
    "airline.lead.none": _(
        "Nothing can be decided for flights of %(airline)s: no rule of its own is in force, and that is "
        "never a permission."
    ),
    "airline.lead.unverified": _(
        "What %(airline)s itself asks of power banks is not known: no page of its policy was read, so every "
        "verdict on its flights is conditional at best."
    ),
    "airline.approved": _("With its approval it accepts up to %(approved)s Wh."),
    "airline.units": ngettext_lazy(
        "A passenger may carry at most %(count)d unit.",
        "A passenger may carry at most %(count)d units.",
        "count",
    ),
    "airline.grade.confirmed": _("Official source: a page of the airline itself was read."),
    "airline.grade.reported": _(
        "Secondary source: what was read about this policy is not the airline's own page."
    ),
    "airline.grade.unverified": _(
        "Baseline only: no page of this policy was read. The rules kept for it rest on what holds generally."
    ),
    "airline.decides": ngettext_lazy(
        "%(count)d rule kept for it is in force and executable, so questions about its flights get a "
        "verdict.",
        "%(count)d rules kept for it are in force and executable, so questions about its flights get a "
        "verdict.",
        "count",
    ),
    "airline.decides.not": _(
        "No rule of its own is in force, so every question about its flights is answered AIRLINE_NOT_COVERED."
    ),
    "airline.assumed": _(
        "No page of the airline says so. This is what verdicts assume until one is read, and why they are "
        "conditional at best."
    ),
    "airline.alone": _(
        "This is what the airline says alone, of an intact, legibly rated unit that is not recalled. "
        "Authorities on the route may be stricter, and the strictest counts."
    ),
    "policy.not_said": _(
        "No such rule on file says anything of: %(topics)s. That means not known, never that there is no "
        "limit."
    ),
    # Countries
    "country.question": _("What are the power bank rules on flights from, to and within %(country)s?"),
    "country.own": ngettext_lazy(
        "%(authority)s has %(count)d rule in force on power banks on flights that touch %(country)s, beside "
        "the international baseline and the airline's own.",
        "%(authority)s has %(count)d rules in force on power banks on flights that touch %(country)s, "
        "beside the international baseline and the airline's own.",
        "count",
    ),
    "country.free": _(
        "On flights from %(country)s they let a power bank of up to %(free)s Wh into the cabin without the "
        "airline's approval."
    ),
    "country.approved": _("Up to %(approved)s Wh it may travel there with the approval of the airline."),
    "country.alone": _(
        "This is what these authorities say alone of departing flights, of an intact, legibly rated unit "
        "that is not recalled. The airline and the other end may be stricter, and the strictest counts."
    ),
    "country.none": _(
        "No rule of an authority of %(country)s is on file: flights that touch it are decided by the "
        "international baseline, the authority at the other end and the airline."
    ),
    "country.domestic": _(
        "A flight within %(country)s cannot be cleared: the baseline speaks of international flights, and no "
        "authority of the country is on file."
    ),
    # Recalls
    "recall.question": _("Is the %(model)s under the recall by %(authority)s announced %(date)s?"),
    "recall.lead": _(
        "Yes: a recall of exactly the %(model)s by %(authority)s is on file, announced %(date)s."
    ),
    "recall.exact": _(
        "This record concerns the %(model)s and no other model. Other models of the brand do not inherit it; "
        "one that the same notice names has a record of its own."
    ),
    "recall.all": _("All units of this model are affected, whatever is printed on them. None may travel."),
    "recall.pattern": _(
        "Read the %(identifier)s off the unit and send it with the question: it is compared with the "
        "recall's own pattern, in memory, and never stored."
    ),
    "recall.list": _(
        "Only the maker's list can tell whether a unit is affected: look up the %(identifier)s there before "
        "you fly."
    ),
    "recall.list.after": _("What the pattern does not know stands on the maker's list."),
    "recall.nothing": _(
        "Nothing that was published can tell whether a unit is affected, so none is cleared."
    ),
    "recall.unknown": _(
        "A unit that is known to be affected is banned from every flight. Until it is known, a verdict is "
        "conditional at best."
    ),
    # The boundary, as `templates/_parts/boundary.html` has it
    "boundary": _(
        "Answers of this service are informational and cited. They are not legal advice, not a certification "
        "and no guarantee that airport, airline or security staff accept a power bank."
    ),
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
    text = TEXTS[key]
    # Only the form of a plural waits for its number.
    if "count" in values:
        return str(text % values)
    return _template(key, get_language()) % values


# A page says some thirty of these, and a look-up in gettext costs more than filling one in.
@lru_cache(maxsize=1024)
def _template(key: str, language: str | None) -> str:
    """Return a text as it is in a language, which is the active one."""
    return str(TEXTS[key])


def in_sentence(code: str, name: str) -> str:
    """Return a country's name as it stands inside an English sentence."""
    plain = name.removesuffix(" (The)")
    return f"the {plain}" if code in TAKES_THE else plain
