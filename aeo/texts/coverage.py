"""How rules were read, and where an editor's hour helps most."""

from rules.wording.translating import Plural, Text

TEXTS: dict[str, Text] = {
    # How rules were read
    "read.own_page": "Own page read",
    "read.dated_copy": "Dated copy of its page read",
    "read.reports": "Only reports read",
    "read.nothing": "Nothing read",
    "read.last": "%(how)s, last on %(date)s",
    "read.title": "How the rules were read",
    "read.how": "How it was read",
    "read.airlines": "Airlines",
    "read.covered": "With rules in force",
    "read.uncovered": "Without a rule in force",
    "read.what": (
        "Own page: the airline's own words were read. Dated copy: a third party's dated, word-for-word copy "
        "of its page was read. Reports: only what others wrote about it was read."
    ),
    "read.rules": "How well the rules are known",
    "read.rules.what": (
        "How many of the %(total)s rules on file are confirmed by an official page, reported by a copy or by "
        "others, or unverified."
    ),
    "read.rules.confidence": "Rules",
    "read.rules.count": "Number",
    "read.rules.confirmed": "Confirmed",
    "read.rules.reported": "Reported",
    "read.rules.unverified": "Unverified",
    # Where reading helps most
    "next.title": "Where an editor's hour helps most",
    "next.order": Plural(
        "The order is a product of two scores from 1 to 4: how often flights were asked about in the last "
        "%(count)d day, and how weak the evidence is. Among equals, the oldest reading comes first.",
        "The order is a product of two scores from 1 to 4: how often flights were asked about in the last "
        "%(count)d days, and how weak the evidence is. Among equals, the oldest reading comes first.",
    ),
    "next.classes": "Each number of flights is published only as one of four classes.",
    "next.uncounted": "Flights have not been counted yet, so the first number is 1 for all of them.",
    "next.issuer": "Airline or authority",
    "next.read": "How and when it was read",
    "next.asked": "Asked about",
    "next.asked.rarely": "fewer than 100 flights",
    "next.asked.from_100": "100 flights or more",
    "next.asked.from_1000": "1,000 flights or more",
    "next.asked.from_10000": "10,000 flights or more",
    "next.asked.unknown": "not counted yet",
    "next.all": "The whole list",
    # On the page of an airline
    "airline.read.own_page": "The airline's own page was read, last on %(date)s.",
    "airline.read.unconfirmed": "It confirms none of the rules on file.",
    "airline.read.own_page.silent": (
        "A page of the airline was read, last on %(date)s. It does not state the power bank policy."
    ),
    "airline.read.dated_copy": (
        "A third party's dated, word-for-word copy of the airline's page was read, last on %(date)s. The "
        "page itself was not."
    ),
    "airline.read.dated_copy.silent": (
        "A dated copy of a page of the airline was read, last on %(date)s. It does not state the power bank "
        "policy."
    ),
    "airline.read.reports": (
        "Reports by others were read, last on %(date)s. No page of the airline was read."
    ),
    "airline.read.nothing": (
        "No page of this policy was read. The rules on file for it are those that apply in general."
    ),
    "airline.read.partly": Plural(
        ("The policy as a whole is not confirmed, but %(count)d of the rules was read on an official page."),
        ("The policy as a whole is not confirmed, but %(count)d of the rules were read on an official page."),
    ),
    "airline.rules.known": (
        "%(count)s (confirmed: %(confirmed)s, reported: %(reported)s, unverified: %(unverified)s)"
    ),
}
