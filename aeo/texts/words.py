"""Words and short forms that many pages share: verdicts, flights, grades, counts, figures and dates.

Called by the builders and writers of pages.
"""

from rules.wording.translating import Plural, Text

TEXTS: dict[str, Text] = {
    "verdict.allowed": "Allowed",
    "verdict.conditional": "Conditional",
    "verdict.insufficient": "Not cleared",
    "verdict.banned": "Banned",
    # Flights that touch a country: as the heading of a row, and as a remark in brackets
    "kind.departing": "Departing",
    "kind.arriving": "Arriving",
    "kind.domestic": "Domestic",
    "kind.only": "only on %(kinds)s flights",
    "kind.departing.remark": "departing",
    "kind.arriving.remark": "arriving",
    "kind.domestic.remark": "domestic",
    # The flights to which a rule of an authority applies
    "scope.departure": "departing",
    "scope.arrival": "arriving",
    "scope.domestic": "domestic",
    "scope.operator": "all flights of airlines based there",
    # How well a record is known
    "confidence.confirmed": "confirmed",
    "confidence.reported": "reported",
    "confidence.unverified": "unverified",
    # Who published a source
    "source.kind.regulator": "regulator",
    "source.kind.airline": "airline",
    "source.kind.manufacturer": "manufacturer",
    "source.kind.news": "news",
    "source.read": "read %(date)s",
    "source.read.copy": "a dated copy of it read %(date)s",
    "source.read.report": "a report about it read %(date)s",
    # Above words of a page in the language of that page
    "quote.label": "In the words of the source:",
    # How well the policy of an airline is known
    "uncovered": "No rules in force",
    # Counts
    "count.models": Plural("%(count)d model", "%(count)d models"),
    "count.rules": Plural("%(count)d rule", "%(count)d rules"),
    "count.recalls": Plural("%(count)d recall", "%(count)d recalls"),
    "count.countries": Plural("%(count)d country", "%(count)d countries"),
    "count.airlines_based": Plural("%(count)d airline based there", "%(count)d airlines based there"),
    # Figures
    "not_known": "not known",
    "watt_hour": "%(watt_hour)s Wh",
    "watt_hour.rated": "%(watt_hour)s Wh, rated",
    "watt_hour.computed": "%(watt_hour)s Wh, computed",
    "watt_hour.unknown": "watt-hours not known",
    "capacity": "%(capacity_mah)s mAh",
    "capacity.at": "%(capacity_mah)s mAh at %(nominal_voltage)s V",
    "capacity.unknown.at": "not known at %(nominal_voltage)s V",
    "basis.rated.maker": "as its maker states it",
    "basis.rated.other": "as stated by %(authority)s",
    "basis.rated.unread": "no source of it was read",
    "basis.computed": "computed from capacity and voltage",
    "basis.unknown": "no figure was found",
    # Certificates behind a mark
    "certificate.valid": "CCC (3C): valid",
    "certificate.suspended": "CCC (3C): suspended",
    "certificate.revoked": "CCC (3C): revoked",
    "certificate.number": "certificate number %(number)s",
    # Dates and times
    "moment": "%(day)s, %(time)s UTC",
    "since": "since %(date)s",
    "until": "until %(date)s",
    "window": "%(start)s to %(end)s",
    "announced.report": "%(date)s or earlier",
    "announced.earliest": "%(date)s at the earliest",
    # Joining words
    "in_brackets": "(%(words)s)",
    "named": "%(name)s: %(value)s",
    "quoted": "“%(words)s”",
    "as_sentence": "%(words)s.",
    "apart": "%(first)s; %(next)s",
}
