"""The texts of an answer page around the verdict: headings, freshness, and unanswerable questions."""

from rules.wording.translating import Plural, Text

TEXTS: dict[str, Text] = {
    # The question as it was understood
    "answer.title": "%(model)s with %(airline)s",
    "answer.question": "Your question",
    "answer.units": Plural("%(count)d power bank", "%(count)d power banks"),
    "answer.route": "%(origin)s to %(destination)s",
    "share.link": "Link to this answer",
    "share.button": "Share this answer",
    "share.copy": "Copy the link to this answer",
    "share.copied": "The link was copied.",
    "answer.today": "today (no date given)",
    "answer.bag.carry_on": "in a cabin bag",
    "answer.bag.on_person": "on the person",
    "answer.bag.checked": "in checked baggage",
    "answer.mark.present": "with a CCC (3C) mark",
    "answer.mark.absent": "without a CCC (3C) mark",
    "answer.label.legible": "rating can be read",
    "answer.label.missing": "rating cannot be read",
    "answer.condition.intact": "intact",
    "answer.condition.damaged": "damaged",
    "answer.recall_check.not_affected": "the maker's list: not affected",
    "answer.recall_check.affected": "the maker's list: affected",
    "answer.rating": "A power bank of %(watt_hour)s Wh",
    "answer.rating.capacity": "A power bank of %(capacity_mah)s mAh",
    "answer.operated": "Operated by %(airline)s",
    "answer.future": "This answer follows the rules in force on %(date)s.",
    "answer.assumed": "This answer is for an intact power bank whose rating can be read. Look at yours.",
    "answer.assumed.intact": "This answer is for an intact power bank. Look at yours.",
    "answer.unjudged.label": (
        "Staff can only judge a rating that they can read. Carry other proof of the watt-hours, or expect a "
        "refusal."
    ),
    "answer.unjudged.mark": (
        "Flights within %(country)s refuse a power bank without a CCC (3C) mark. Do not plan to take it on "
        "one."
    ),
    "answer.known": "This answer says what is known today. Ask again shortly before you fly.",
    "answer.expires": "This answer is valid until %(instant)s. After that, check again.",
    # The consequences
    "answer.bans": "Why it may not travel",
    "answer.now": "What to do now",
    "answer.settle": "Settle this first",
    "answer.do": "What to do",
    "answer.dont": "What not to do",
    "answer.others": "Conditions for power banks that may travel",
    "answer.warnings": "Know before you go",
    "answer.helps": "What would change it",
    "answer.why": "Why",
    "answer.why.lead": "What decides, step by step, with the sources.",
    "answer.why.others": Plural(
        "%(count)d more rule applies to this flight", "%(count)d more rules apply to this flight"
    ),
    "answer.sources": Plural("%(count)d source, read %(date)s", "%(count)d sources, last read %(date)s"),
    "answer.considered": "What was considered and did not apply",
    "answer.considered.unmet": "Rules whose conditions are not met",
    "answer.considered.out_of_force": "Rules that are not in force on the day of the flight",
    "answer.considered.none": "Every rule on file for this flight applied.",
    # Recalls
    "answer.recalls": "Recalls",
    "answer.recalls.check": "Check the serial number of your unit. It does not leave your browser.",
    "answer.recall.list": "Open the maker's recall list",
    "answer.recall.list.not_affected": "The list says mine is not affected",
    "answer.recall.list.affected": "The list says mine is affected",
    "answer.recall.notice": "Open the recall notice",
    "answer.recall.notice.search": "Search for the recall notice",
    "answer.recall.notice.not_affected": "The notice says mine is not affected",
    "answer.recall.notice.affected": "The notice says mine is affected",
    # Freshness and ids
    "answer.fresh": "How fresh this is",
    "answer.fresh.ruleset": "Ruleset version",
    "answer.fresh.generated": "Answered",
    "answer.fresh.expires": "Valid until",
    "answer.fresh.again": "Ask again after",
    "answer.fresh.oldest": "Oldest evidence read",
    "answer.fresh.newest": "Newest evidence read",
    "answer.fresh.id": "Verdict ID",
    "answer.programs": "The same answer for programs",
    "answer.programs.lead": "Send the question to the API, and treat only “allowed” as allowed.",
    # Questions without an answer
    "answer.not_covered.title": "No answer for %(airline)s",
    "answer.not_covered": (
        "No rules of %(airline)s are on file for %(date)s, so this flight cannot be cleared. Ask the airline "
        "before you fly."
    ),
    "answer.not_covered.change": "Rules of this airline are on file from %(date)s.",
    "answer.ask.airline": "Ask the airline: see its website or contact its customer service.",
    "answer.ask.authority": "Ask the aviation authority of the country of departure.",
    "answer.whom": "Who to ask",
    # A unit that is not on file
    "answer.guidance": "General guidance, not a verdict on a model",
    "answer.helps.this": "Check this instead",
}
