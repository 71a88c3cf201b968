"""What is said of a change that a release brought, in English. `policy_history` picks and fills these.

Whole sentences. `says` and `said` are themselves one or more whole sentences: what a rule says now, and what
it said before. `saying.say` says them.
"""

from rules.wording.translating import Text

HISTORY: dict[str, Text] = {
    "back_to": "Ruleset %(version)s went back to ruleset %(earlier)s.",
    # Rules
    "rule.added": "A rule was added: %(says)s",
    "rule.removed": "A rule was withdrawn: %(says)s",
    "rule.says": "A rule was changed. It says now: %(says)s It said before: %(said)s",
    "rule.reworded": "A rule was worded anew and means the same. It says now: %(says)s",
    "rule.changed": "The record of a rule was changed. It says, as before: %(says)s",
    "rule.added.unworded": "A rule was added.",
    "rule.removed.unworded": "A rule was withdrawn.",
    "rule.changed.unworded": "A rule was changed.",
    "rule.from": "It holds from %(date)s.",
    "rule.effective_from": "It holds from %(date)s.",
    "rule.effective_from.none": "It has no first day any more.",
    "rule.effective_until": "Its last day is %(date)s.",
    "rule.effective_until.none": "It has no last day any more.",
    "rule.confidence.confirmed": "It is confirmed now: an official page that says so was read.",
    "rule.confidence.reported": "It is reported now: a page that says so was read, and no official one.",
    "rule.confidence.unverified": "It is unverified now: no page that says so was read.",
    "rule.sources": "It rests on other sources than before.",
    "rule.quotes": "Other words of its sources are quoted for it than before.",
    "rule.applies": "It holds on other flights than before.",
    "rule.authority": "Its authority is named in another way.",
    # What is known of an airline's policy
    "airline.added": "The airline is on file from now on.",
    "airline.removed": "The airline is no longer on file.",
    "airline.confidence.confirmed": "The policy is confirmed now: an official page was read.",
    "airline.confidence.reported": "The policy is reported now: a page was read, and no official one.",
    "airline.confidence.unverified": "The policy is unverified now: no page of it was read.",
    "airline.summary": "The policy is described in other words.",
    "airline.summary.words": "The policy in short is now: %(says)s It was before: %(said)s",
    "airline.policy_url": "The official page is now at %(url)s.",
    "airline.effective_from": "The policy holds as described since %(date)s.",
    "airline.effective_from.none": "It is not known since when the policy holds as described.",
    "airline.sources": "What is known of the policy rests on other sources than before.",
    "airline.notes": "The editors' remarks were changed.",
    "airline.name": "The name, a code or the country of the airline was changed.",
}
