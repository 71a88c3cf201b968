"""The sentences of pages that no rule says: how an article starts, which party is meant, what a figure means.

`rules.wording` has the words of rules and verdicts; these texts surround them. Called by the builders of
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
    # … the same below its question, which names model and airline, and beside the word of the verdict
    "lead.allowed": ("One unit may travel in your cabin bag."),
    "lead.conditional": (
        "One unit may travel in your cabin bag only once each point “to settle” is settled."
    ),
    "lead.insufficient": ("Too little is known to say that one unit may travel in your cabin bag."),
    "lead.banned": ("Not even one unit may travel."),
    "lead.conditional.some": (
        "On its flights %(span)s, one unit may travel in your cabin bag only once each point “to settle” is "
        "settled."
    ),
    "lead.insufficient.some": (
        "On its flights %(span)s, too little is known to say that one unit may travel in your cabin bag."
    ),
    "lead.banned.some": ("On its flights %(span)s, not even one unit may travel."),
    # … and the verdict of the flights that are judged less strictly
    "milder.allowed": ("On its flights %(span)s it is allowed."),
    "milder.conditional": (
        "On its flights %(span)s it may travel only once each point “to settle” is settled."
    ),
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
    "model.recalls.all": "Stop using yours: every unit of this model is affected.",
    "model.recalls.stop": "Stop using yours until a check shows that it is not affected.",
    # Recalls
    "recalls.none": (
        "No recall of exactly this model is on file, and recalls of other models never count against it."
    ),
    "recalls.some": Plural(
        "%(count)d recall of exactly this model is on file, by %(authority)s, announced %(date)s.",
        "%(count)d recalls of exactly this model are on file, the newest by %(authority)s, announced "
        "%(date)s.",
    ),
    # The parties
    "airline.permits": ("The rules of %(airline)s permit a power bank of this rating in the cabin."),
    "airline.silent": ("No rule of %(airline)s on file permits a power bank of this rating in the cabin."),
    "authority": ("%(authority)s (%(place)s) sets rules that apply on flights %(span)s."),
    "authority.none": ("No rule of an authority of %(country)s applies to these flights of %(airline)s."),
    "baseline": ("The international baseline of ICAO and IATA applies to each of these flights."),
    # The flights of a page
    "flights.asked": (
        "One unit, in a cabin bag, on %(date)s. The strictest flight gives the verdict of this page."
    ),
    "flights.route": ("%(origin)s to %(destination)s."),
    "flights.example": ("Example: %(route)s"),
    "flights.examples": (
        "No other country gets a stricter verdict than an example, but additional conditions may apply."
    ),
    "flights.milder": Plural(
        "For %(count)d other country, the verdict is milder.",
        "For %(count)d other countries, the verdict is milder.",
    ),
    # Lists
    "list.models": Plural(
        "%(count)d exact model is listed, with its watt-hours and its recalls.",
        "%(count)d exact models are listed, each with its watt-hours and its own recalls.",
    ),
    "list.airlines": Plural(
        (
            "Flights of %(decided)d of %(count)d airline can be decided. The entry shows how well its "
            "rules are known."
        ),
        (
            "Flights of %(decided)d of %(count)d airlines can be decided. Each entry shows how well the "
            "airline's rules are known."
        ),
    ),
    "list.countries": Plural(
        (
            "Authorities of %(count)d country have power bank rules on file. For other countries, the "
            "rules of the region, the international baseline and the airline decide."
        ),
        (
            "Authorities of %(count)d countries have power bank rules on file. For other countries, the "
            "rules of the region, the international baseline and the airline decide."
        ),
    ),
    "list.recalls": Plural(
        "%(count)d active recall of an exact model is on file. It concerns the model that it names, never a "
        "brand.",
        "%(count)d active recalls of exact models are on file. Each concerns the one model that it names, "
        "never a brand.",
    ),
    # Brands
    "brands.lead": (
        "Exact models, their watt-hours, their recalls, and the rules of airlines and authorities for them."
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
    "brand.recalls": ("A recall applies to the exact model that it names, never to the brand."),
    # Guides
    "guides.lead": ("What people ask about power banks on flights, answered from the published rules."),
    "guide.checked": ("Every answer above was checked against the rules of today."),
    "guide.revised": (
        "The rules behind this guide have changed. It is being revised and gives no answer until then."
    ),
    "guide.untranslated": ("This guide is not yet translated. You can read it in English."),
    "guide.meanwhile": (
        "Do not rely on a copy of it. Check your exact model, airline and route, or read the other guides."
    ),
    "guide.who.airlines": Plural("%(count)d airline with such a rule", "%(count)d airlines with such a rule"),
    "guide.who.assumed": Plural(
        "%(count)d airline for which it is assumed, because its policy was not read",
        "%(count)d airlines for which it is assumed, because their policies were not read",
    ),
    "guide.who.places": Plural(
        "%(count)d country or territory with such a rule for some or all of its flights",
        "%(count)d countries or territories with such a rule for some or all of their flights",
    ),
    "guide.who": (
        "This list is made from the rules on file today, and each name leads to them. A missing name means "
        "only that no such rule is on file."
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
    "model.question": ("Can I fly with the %(model)s?"),
    "model.known": ("The %(model)s is a power bank of %(watt_hour)s Wh."),
    "model.unknown": (
        "The watt-hours of the %(model)s are not known, so it cannot be cleared for any flight."
    ),
    "model.recalls": Plural(
        "%(count)d recall of exactly this model is on file: check your unit before you fly.",
        "%(count)d recalls of exactly this model are on file: check your unit before you fly.",
    ),
    "model.recalled": ("All units of this model are recalled. None may travel."),
    "model.route": (
        "The airline and both countries of a flight decide: each verdict below is for one airline "
        "and one country."
    ),
    "model.certificates.note": (
        "A valid certificate does not prove that a unit bears the mark: look at the unit. On a flight that "
        "demands the mark, look up a suspended or revoked certificate before you fly."
    ),
    "model.unconfirmed": (
        "No source of these facts has been read yet, so a verdict on this model carries a warning."
    ),
    # Airlines
    "airline.question": ("What are the power bank rules of %(airline)s?"),
    "airline.lead.free": (
        "%(airline)s accepts a power bank of %(limit)s in the cabin without prior approval."
    ),
    "airline.lead.figureless": Plural(
        (
            "%(count)d rule of %(airline)s on power banks is in force. It states no watt-hour limit for "
            "travel without approval."
        ),
        (
            "%(count)d rules of %(airline)s on power banks are in force. They state no watt-hour limit "
            "for travel without approval."
        ),
    ),
    "airline.lead.none": (
        "Flights of %(airline)s cannot be decided: no rule of the airline is in force. That is never "
        "a permission."
    ),
    "airline.lead.unverified": (
        "The power bank policy of %(airline)s is not known: no page of it has been read, so every "
        "verdict on its flights is conditional at best."
    ),
    "airline.lead.partly": Plural(
        (
            "The power bank policy of %(airline)s as a whole is not confirmed. %(count)d of its rules was "
            "read on an official page. Every verdict on its flights is conditional at best."
        ),
        (
            "The power bank policy of %(airline)s as a whole is not confirmed. %(count)d of its rules were "
            "read on an official page. Every verdict on its flights is conditional at best."
        ),
    ),
    "airline.approved": ("With its approval, it accepts a power bank of %(limit)s."),
    "airline.units": Plural(
        "A passenger may carry at most %(count)d unit.",
        "A passenger may carry at most %(count)d units.",
    ),
    "airline.changes.recorded": Plural(
        ("Editors recorded %(count)d dated change of this policy. Partners can read it with its source."),
        (
            "Editors recorded %(count)d dated changes of this policy. Partners can read them with their "
            "sources."
        ),
    ),
    "airline.decides": Plural(
        "%(count)d rule on file for it is in force, so questions about its flights get a verdict.",
        "%(count)d rules on file for it are in force, so questions about its flights get a verdict.",
    ),
    "airline.decides.not": (
        "No rule of the airline is in force, so every question about its flights is answered with "
        "AIRLINE_NOT_COVERED."
    ),
    "airline.assumed": (
        "No page of the airline says so. Verdicts assume this until a page of the airline is read, "
        "and they are conditional at best."
    ),
    "airline.partly": (
        "Only the confirmed rules were read on an official page. Verdicts assume the rest until the "
        "airline's policy is read, and they are conditional at best."
    ),
    "airline.alone": (
        "These are the airline's own rules for an undamaged unit with a readable rating that is not "
        "under recall. Authorities on the route may be stricter, and the strictest rule applies."
    ),
    "airline.alone.approval": (
        "The limits in watt-hours also follow the international rules and the rules of the airline's home "
        "country."
    ),
    "policy.not_said": (
        "The rules on file say nothing about: %(topics)s. This means not known. It never means that "
        "there is no limit."
    ),
    # Countries
    "country.question": ("What are the power bank rules on flights from, to and within %(country)s?"),
    "country.own": Plural(
        (
            "%(authority)s has %(count)d rule in force for power banks on flights from, to or within "
            "%(country)s, in addition to the international baseline and the airline's own rules."
        ),
        (
            "%(authority)s has %(count)d rules in force for power banks on flights from, to or within "
            "%(country)s, in addition to the international baseline and the airline's own rules."
        ),
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
    "country.alone.approval": ("The limits in watt-hours also follow the international rules."),
    "country.alone": (
        "These are the rules of these authorities on departing flights, for an undamaged unit with a "
        "readable rating that is not under recall. The airline and the country of arrival may be "
        "stricter, and the strictest rule applies."
    ),
    "country.none": (
        "No rule of an authority of %(country)s is on file. The international baseline, the "
        "authority of the other country and the airline decide on flights from and to it."
    ),
    "country.domestic": (
        "A flight within %(country)s cannot be cleared: the baseline covers international flights, "
        "and no rule of an authority of the country is on file."
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
        "Read the %(identifier)s off the unit. The check on this page compares it with the recall's own "
        "pattern in your browser and sends it nowhere. Programs can send it to the API, which compares it in "
        "memory and never stores it."
    ),
    "recall.list": (
        "Only the maker's list shows whether a unit is affected: look up the %(identifier)s there before you "
        "fly."
    ),
    "recall.list.after": ("For a unit that the pattern does not cover, see the maker's list."),
    "recall.nothing": (
        "The notice gives no number to compare, so no unit is cleared here. Read what the notice says about "
        "dates and places, and ask the maker. If its answer or its list says that yours is not affected, "
        "choose that where you check a flight, and carry the proof."
    ),
    "recall.unknown": (
        "A unit that is known to be affected is banned from every flight. Until that is known, a "
        "verdict is conditional at best."
    ),
    # The boundary, at the end of every page
    "boundary": (
        "Answers of this service are informational and cited. They are not legal advice, not a certification "
        "and no guarantee that airport, airline or security staff accept a power bank."
    ),
    # The evidence
    "source": ("Source: %(authority)s (%(kind)s, %(jurisdiction)s), read %(date)s."),
}
