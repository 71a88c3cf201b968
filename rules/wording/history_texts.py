"""The English texts about a change by a release. `policy_history` picks and fills them.

Whole sentences. `says` and `said` are themselves one or more whole sentences: what a rule says now, and what
it said before. `saying.say` fills them in.
"""

from rules.wording.translating import Text

HISTORY: dict[str, Text] = {
    "back_to": "Ruleset %(version)s restored ruleset %(earlier)s.",
    # Rules
    "rule.added": "A rule was added: %(says)s",
    "rule.removed": "A rule was withdrawn: %(says)s",
    "rule.says": "A rule was changed. It now says: %(says)s It previously said: %(said)s",
    "rule.reworded": "A rule was reworded and means the same. It now says: %(says)s",
    "rule.changed": "The record of a rule was changed. It still says: %(says)s",
    "rule.added.unworded": "A rule was added.",
    "rule.removed.unworded": "A rule was withdrawn.",
    "rule.changed.unworded": "A rule was changed.",
    "rule.from": "It applies from %(date)s.",
    "rule.effective_from": "It applies from %(date)s.",
    "rule.effective_from.none": "It no longer has a first day.",
    "rule.effective_until": "Its last day is %(date)s.",
    "rule.effective_until.none": "It no longer has a last day.",
    "rule.confidence.confirmed": "It is now confirmed: an official page that says so was read.",
    "rule.confidence.reported": "It is now reported: a page that says so was read, but no official one.",
    "rule.confidence.unverified": "It is now unverified: no page that says so was read.",
    "rule.sources": "It now has different sources.",
    "rule.quotes": "It now quotes different words of its sources.",
    "rule.applies": "It now applies to different flights.",
    "rule.authority": "The name of its authority was changed.",
    # The known policy of an airline
    "airline.added": "The airline is now on file.",
    "airline.removed": "The airline is no longer on file.",
    "airline.confidence.confirmed": "The policy is now confirmed: an official page was read.",
    "airline.confidence.reported": "The policy is now reported: a page was read, but no official one.",
    "airline.confidence.unverified": "The policy is now unverified: no page of it was read.",
    "airline.summary": "The description of the policy was reworded.",
    "airline.summary.words": "The summary of the policy now says: %(says)s It previously said: %(said)s",
    "airline.policy_url": "The official page is now at %(url)s.",
    "airline.effective_from": "The policy has applied as described since %(date)s.",
    "airline.effective_from.none": "It is not known since when the policy has applied as described.",
    "airline.sources": "The policy now has different sources.",
    "airline.notes": "The editors' remarks were changed.",
    "airline.name": "The name, a code or the country of the airline was changed.",
}
