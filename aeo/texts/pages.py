"""The sentences of pages that no rule says: how an article opens, who speaks, what a figure means.

What a rule or a verdict says is worded by `rules.wording`; these stand around it. Called by the builders of
pages.
"""

from rules.wording.translating import Plural, Text

TEXTS: dict[str, Text] = {
    "question": ("May the %(model)s travel on %(airline)s flights %(span)s?"),
    # The first sentence of an article: its verdict
    "opening.allowed": (
        "Allowed: one %(model)s may travel in your cabin bag on %(airline)s flights %(span)s."
    ),
    "opening.conditional": (
        "Conditional: one %(model)s may travel in your cabin bag on %(airline)s flights %(span)s only once "
        "every open point is settled."
    ),
    "opening.insufficient": (
        "Not cleared: too little is known to say that one %(model)s may travel in your cabin bag on "
        "%(airline)s flights %(span)s."
    ),
    "opening.banned": ("Banned: one %(model)s may not travel on %(airline)s flights %(span)s."),
    # … and what the flights that are judged less strictly get
    "milder.allowed": ("On its flights %(span)s it is allowed."),
    "milder.conditional": ("On its flights %(span)s it may travel only once every open point is settled."),
    "milder.insufficient": ("On its flights %(span)s too little is known to clear it."),
    # Which flights
    "span.departing": ("from %(country)s"),
    "span.arriving": ("to %(country)s"),
    "span.domestic": ("within %(country)s"),
    "span.departing.arriving": ("from and to %(country)s"),
    "span.departing.domestic": ("from and within %(country)s"),
    "span.arriving.domestic": ("to and within %(country)s"),
    "span.departing.arriving.domestic": ("from, to and within %(country)s"),
    # The device
    "device.rated.maker": (
        "Limits are checked against %(watt_hour)s Wh, the rating of the %(model)s as its maker states it."
    ),
    "device.rated.other": (
        "Limits are checked against %(watt_hour)s Wh, the rating of the %(model)s as stated by %(authority)s."
    ),
    "device.rated.unread": (
        "Limits are checked against %(watt_hour)s Wh for the %(model)s. No source of this rating was read."
    ),
    "device.computed": (
        "Limits are checked against %(watt_hour)s Wh, computed from the %(capacity_mah)s mAh at "
        "%(nominal_voltage)s V of the %(model)s."
    ),
    "device.unknown": ("The watt-hours of the %(model)s are not known, so no limit can be checked."),
    "device.margin": (
        "The rules that permit it cover power banks of %(limit)s, which leaves a margin of %(margin)s Wh."
    ),
    "device.edge": ("The rules that permit it cover power banks of %(limit)s, which is exactly its rating."),
    # Recalls
    "recalls.none": (
        "No recall of exactly this model is on file, and recalls of other models never count against it."
    ),
    "recalls.some": Plural(
        "%(count)d recall of exactly this model is on file, by %(authority)s, announced %(date)s.",
        "%(count)d recalls of exactly this model are on file, the newest by %(authority)s, announced "
        "%(date)s.",
    ),
    # Who speaks
    "airline.permits": ("The own rules of %(airline)s permit a power bank of this rating in the cabin."),
    "airline.silent": (
        "No own rule of %(airline)s that is on file permits a power bank of this rating in the cabin."
    ),
    "authority": ("%(authority)s (%(place)s) sets rules that apply on flights %(span)s."),
    "authority.none": ("No rule of an authority of %(country)s applies to these flights of %(airline)s."),
    "baseline": ("The international baseline of ICAO and IATA applies to each of these flights."),
    # The flights of a page
    "flights.asked": (
        "One unit, in a cabin bag, on %(date)s. The strictest flight gives the verdict of this page."
    ),
    "flights.route": ("%(origin)s to %(destination)s."),
    "flights.route.strictest": (
        "%(origin)s to %(destination)s, which stands for all countries at that end; their own rules may ask "
        "for more."
    ),
    "flights.milder": Plural(
        "It is the strictest: %(count)d of them gets a milder verdict.",
        "It is the strictest: %(count)d of them get a milder verdict.",
    ),
    "flights.asks": ("Each row of the table is the answer of POST /api/verify to one of these:"),
    # Lists
    "list.models": Plural(
        "%(count)d exact model can be asked about, with its watt-hours and its recalls.",
        "%(count)d exact models can be asked about, each with its watt-hours and its own recalls.",
    ),
    "list.airlines": Plural(
        "Flights of %(decided)d of %(count)d airline can be decided on; how well its rules are known stands "
        "with it.",
        "Flights of %(decided)d of %(count)d airlines can be decided on; how well their rules are known "
        "stands with each.",
    ),
    "list.countries": Plural(
        "Authorities of %(count)d country have power bank rules on file; elsewhere a region, the "
        "international baseline and the airline decide.",
        "Authorities of %(count)d countries have power bank rules on file; elsewhere a region, the "
        "international baseline and the airline decide.",
    ),
    "list.recalls": Plural(
        "%(count)d active recall of an exact model is on file. It concerns the model that it names, never a "
        "brand.",
        "%(count)d active recalls of exact models are on file. Each concerns the one model that it names, "
        "never a brand.",
    ),
    # Brands
    "brands.lead": (
        "Exact models, their watt-hours, their recalls, and what airlines and authorities say of them."
    ),
    "brand.title": ("%(brand)s power banks on flights"),
    "brand.lead": Plural(
        "%(count)d model of %(brand)s is in ruleset %(version)s: %(recent)d released this year or last, "
        "%(near)d near a limit of 100 or 160 Wh.",
        "%(count)d models of %(brand)s are in ruleset %(version)s: %(recent)d released this year or last, "
        "%(near)d near a limit of 100 or 160 Wh.",
    ),
    "brand.model.recalls": Plural(
        "%(count)d recall of exactly this model.", "%(count)d recalls of exactly this model."
    ),
    "brand.recalls": ("A recall counts for the exact model that it names, never for the brand."),
    # Guides
    "guides.lead": ("What people ask about power banks on flights, answered from the published rules."),
    "guide.checked": ("Every answer above is one that the engine gives today."),
    "guide.revised": (
        "The rules behind this guide have changed, so it is being revised and says nothing until then."
    ),
    "guide.meanwhile": (
        "Do not rely on a copy of it. Ask about your exact model, airline and route, or read the other "
        "guides."
    ),
    # What the limits of the baseline mean for a model
    "limit.free": (
        "With %(watt_hour)s Wh it is within the international limit for a power bank in the cabin without "
        "the airline's approval (%(limit)s)."
    ),
    "limit.approved": (
        "With %(watt_hour)s Wh it may travel in the cabin only with the airline's approval. It is within "
        "the international limit for a power bank with approval (%(limit)s)."
    ),
    "limit.doubtful": (
        "Its %(watt_hour)s Wh are computed and close to an international limit (%(limit)s), so the rating "
        "printed on the unit decides. Read it before you fly."
    ),
    "limit.over": (
        "With %(watt_hour)s Wh it is over the international limit for a power bank (%(limit)s). It may not "
        "travel with a passenger."
    ),
    "limit.none": (
        "The international rules on file name no limit that %(watt_hour)s Wh can be compared with."
    ),
    "limit.unknown": (
        "Its watt-hours are not known, so no limit can be checked, and no flight can be cleared for it until "
        "the rating on its label is known."
    ),
    # Models
    "model.question": ("May the %(model)s fly?"),
    "model.known": ("The %(model)s is a power bank of %(watt_hour)s Wh."),
    "model.unknown": ("Nobody knows the watt-hours of the %(model)s, so it can be cleared for no flight."),
    "model.recalls": Plural(
        "%(count)d recall of exactly this model is on file: check your unit before you fly.",
        "%(count)d recalls of exactly this model are on file: check your unit before you fly.",
    ),
    "model.route": (
        "The airline and both ends of a flight decide: each verdict below is for one airline and country."
    ),
    "model.unconfirmed": (
        "Nobody has read a source of these facts yet, so a verdict on it carries a warning."
    ),
    # Airlines
    "airline.question": ("What are the power bank rules of %(airline)s?"),
    "airline.lead.free": (
        "%(airline)s accepts a power bank of %(limit)s in the cabin without prior approval."
    ),
    "airline.lead.figureless": Plural(
        "%(count)d rule of %(airline)s on power banks is in force; it names no figure up to which a unit "
        "may travel without approval.",
        "%(count)d rules of %(airline)s on power banks are in force; they name no figure up to which a unit "
        "may travel without approval.",
    ),
    "airline.lead.none": (
        "Nothing can be decided for flights of %(airline)s: no rule of its own is in force, and that is "
        "never a permission."
    ),
    "airline.lead.unverified": (
        "What %(airline)s itself asks of power banks is not known: no page of its policy was read, so every "
        "verdict on its flights is conditional at best."
    ),
    "airline.approved": ("With its approval, it accepts a power bank of %(limit)s."),
    "airline.units": Plural(
        "A passenger may carry at most %(count)d unit.",
        "A passenger may carry at most %(count)d units.",
    ),
    "airline.grade.confirmed": ("Official source: a page of the airline itself was read."),
    "airline.grade.reported": (
        "Secondary source: what was read about this policy is not the airline's own page."
    ),
    "airline.grade.unverified": (
        "Baseline only: no page of this policy was read. The rules kept for it rest on what holds generally."
    ),
    "airline.changes.recorded": Plural(
        "Editors recorded %(count)d dated change of this policy. Partners read it with its source.",
        "Editors recorded %(count)d dated changes of this policy. Partners read them with their sources.",
    ),
    "airline.decides": Plural(
        "%(count)d rule kept for it is in force and executable, so questions about its flights get a "
        "verdict.",
        "%(count)d rules kept for it are in force and executable, so questions about its flights get a "
        "verdict.",
    ),
    "airline.decides.not": (
        "No rule of its own is in force, so every question about its flights is answered AIRLINE_NOT_COVERED."
    ),
    "airline.assumed": (
        "No page of the airline says so. This is what verdicts assume until one is read, and why they are "
        "conditional at best."
    ),
    "airline.alone": (
        "This is what the airline says alone, of an intact, legibly rated unit that is not recalled. "
        "Authorities on the route may be stricter, and the strictest counts."
    ),
    "policy.not_said": (
        "Nothing is known here about: %(topics)s. This does not mean that there is no limit."
    ),
    # Countries
    "country.question": ("What are the power bank rules on flights from, to and within %(country)s?"),
    "country.own": Plural(
        "%(authority)s has %(count)d rule in force on power banks on flights that touch %(country)s, beside "
        "the international baseline and the airline's own.",
        "%(authority)s has %(count)d rules in force on power banks on flights that touch %(country)s, "
        "beside the international baseline and the airline's own.",
    ),
    "country.free": (
        "On flights from %(country)s, a power bank of %(limit)s may travel in the cabin without the "
        "airline's approval."
    ),
    "country.free.international": (
        "On international flights from %(country)s, a power bank of %(limit)s may travel in the cabin "
        "without the airline's approval."
    ),
    "country.within.lead": ("Stricter rules apply to a power bank on flights within %(country)s."),
    "country.within.stricter": (
        "These rules apply on domestic flights, in addition to those for international flights."
    ),
    "country.approved": ("With the airline's approval, a power bank of %(limit)s may travel there."),
    "country.alone": (
        "This is what these authorities say alone of departing flights, of an intact, legibly rated unit "
        "that is not recalled. The airline and the other end may be stricter, and the strictest counts."
    ),
    "country.none": (
        "No rule of an authority of %(country)s is on file: flights that touch it are decided by the "
        "international baseline, the authority at the other end and the airline."
    ),
    "country.domestic": (
        "A flight within %(country)s cannot be cleared: the baseline speaks of international flights, and no "
        "authority of the country is on file."
    ),
    # Recalls
    "recall.question": ("Is the %(model)s under the recall by %(authority)s announced %(date)s?"),
    "recall.lead": (
        "Yes: a recall of exactly the %(model)s by %(authority)s is on file, announced %(date)s."
    ),
    "recall.exact": (
        "This record concerns the %(model)s and no other model. Other models of the brand do not inherit it; "
        "one that the same notice names has a record of its own."
    ),
    "recall.all": ("All units of this model are affected, whatever is printed on them. None may travel."),
    "recall.pattern": (
        "Read the %(identifier)s off the unit and send it with the question: it is compared with the "
        "recall's own pattern, in memory, and never stored."
    ),
    "recall.list": (
        "Only the maker's list can tell whether a unit is affected: look up the %(identifier)s there before "
        "you fly."
    ),
    "recall.list.after": ("What the pattern does not know stands on the maker's list."),
    "recall.nothing": ("Nothing that was published can tell whether a unit is affected, so none is cleared."),
    "recall.unknown": (
        "A unit that is known to be affected is banned from every flight. Until it is known, a verdict is "
        "conditional at best."
    ),
    # The boundary, at the end of every page
    "boundary": (
        "Answers of this service are informational and cited. They are not legal advice, not a certification "
        "and no guarantee that airport, airline or security staff accept a power bank."
    ),
    # The evidence
    "source": ("Source: %(authority)s (%(kind)s, %(jurisdiction)s), read %(date)s."),
}
