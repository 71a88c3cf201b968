"""The sentences of the pages for judging the service itself: how it decides, how well, from what.

Short whole sentences; a heading is a text of its own. Called by `aeo.service`.
"""

from rules.wording.translating import Plural, Text

TEXTS: dict[str, Text] = {
    # What several of these pages share
    "service.see_also": ("Read next"),
    "service.more": Plural("%(count)d more is not shown here.", "%(count)d more are not shown here."),
    "service.programs.manifest": ("The list of pages for programs"),
    "service.programs.changes": ("The list of changes"),
    "service.yes": ("yes"),
    "service.no": ("no"),
    # How a verdict is made
    "methodology.title": ("How a verdict is made"),
    "methodology.lead": (
        "A verdict follows from your question, a published set of rules and the day, and from "
        "nothing else. The strictest finding decides, and what is not known is never allowed."
    ),
    "methodology.answers": ("The four answers, strictest first"),
    "methodology.answer.banned": ("A rule or a recall forbids it. It may not travel."),
    "methodology.answer.insufficient": ("A fact or a permission is missing. Do not count it as allowed."),
    "methodology.answer.conditional": ("Something must be settled before the flight. The answer names it."),
    "methodology.answer.allowed": (
        "The airline and an authority permit it, and nothing that is known prevents it."
    ),
    "methodology.decides": ("What decides"),
    "methodology.decides.lead": (
        "Everything that is found on a flight contributes one answer. The strictest of them is the verdict. "
        "The verdict of a trip is the strictest of its flights."
    ),
    "methodology.found": ("What is found"),
    "methodology.contributes": ("Answer"),
    "methodology.found.prohibit": ("A rule forbids this unit on this flight."),
    "methodology.found.fails": (
        "The unit fails a requirement. For example, it is in checked baggage, there are too many units, or a "
        "required mark is absent."
    ),
    "methodology.found.recalled": ("The unit is known to be affected by a recall of exactly this model."),
    "methodology.found.watt_hours": ("The watt-hours of the model are not known."),
    "methodology.found.airline_silent": ("No rule of the airline permits it."),
    "methodology.found.authority_silent": (
        "No rule of an authority permits it. On a domestic flight the international baseline is not enough."
    ),
    "methodology.found.unproven": (
        "A requirement cannot be proved from the question. For example, the airline must approve it, or the "
        "mark on the unit is not known."
    ),
    "methodology.found.recall_unknown": (
        "The model is under recall, and it is not known whether this unit is affected."
    ),
    "methodology.found.computed": (
        "The watt-hours are computed, not read from the label, and too close to a limit to decide."
    ),
    "methodology.found.unverified": ("Nothing that states the airline's policy was read."),
    "methodology.found.nothing": ("None of these is found."),
    "methodology.limits": ("Limits and conduct"),
    "methodology.limits.met": ("The answer lists a limit even if it is met. It says how to carry the unit."),
    "methodology.limits.unmet": ("A limit that is not met bans the unit."),
    "methodology.limits.conduct": (
        "Conduct rules say what to do on board. For example, do not charge devices from it. They "
        "never make a verdict milder."
    ),
    "methodology.limits.warnings": (
        "A warning says what could matter. For example, the evidence is old, or a rule changes soon."
    ),
    "methodology.speaks": ("Whose rules apply to a flight"),
    "methodology.speaks.baseline": ("The international baseline applies to every flight."),
    "methodology.speaks.departure": (
        "Rules of the authorities of the country of departure apply to flights that leave it."
    ),
    "methodology.speaks.arrival": (
        "Rules of the authorities of the country of arrival apply where they say so."
    ),
    "methodology.speaks.domestic": ("Some rules apply only to flights within one country."),
    "methodology.speaks.operator": (
        "Rules of the authorities of the country where the airline is based apply where they say so."
    ),
    "methodology.speaks.airline": (
        "Rules of the airline that operates the flight apply to each of its flights."
    ),
    "methodology.speaks.dates": (
        "A rule applies only on days on which it is in force. The day of travel counts, not the day "
        "of asking."
    ),
    "methodology.speaks.uncovered": (
        "An airline without a rule in force gets no verdict. The answer is AIRLINE_NOT_COVERED, and that is "
        "never a permission."
    ),
    "methodology.evidence": ("How rules are read"),
    "methodology.evidence.own_page": (
        "Own page read: the words of the airline or of the authority itself. What it says counts as official "
        "only where a rule that the engine can apply is based on it."
    ),
    "methodology.evidence.dated_copy": (
        "Dated copy read: a third party's word-for-word copy of that page, with its day. It never makes a "
        "rule confirmed."
    ),
    "methodology.evidence.reports": (
        "Only reports read: others wrote about the rule, and their page was read. A flight of an airline "
        "that is known only from reports can be allowed."
    ),
    "methodology.evidence.nothing": (
        "Nothing read: nothing that states this airline's policy was read. Its flights get no answer milder "
        "than conditional."
    ),
    "methodology.evidence.cited": (
        "Each answer cites the sources of every rule that it applies, each with the day on which it "
        "was read. A source that has not been read is never cited."
    ),
    "methodology.evidence.age": ("Old evidence"),
    "methodology.evidence.good": (
        "A reading of a source is good for %(daily)s, %(weekly)s, %(monthly)s or %(quarterly)s days, "
        "depending on how fast the page can change."
    ),
    "methodology.evidence.stale": (
        "If every reading behind an applied rule is older, the answer says so and is valid for half the time."
    ),
    "methodology.evidence.very_stale": (
        "Beyond twice that age, the warning is a caution and the answer is valid for a quarter of the time."
    ),
    "methodology.recalls": ("How recalls are applied"),
    "methodology.recalls.exact": (
        "A recall applies to the exact model that it names. Nothing is inferred from a brand."
    ),
    "methodology.recalls.all": ("Where all units of a model are recalled, none of them may travel."),
    "methodology.recalls.pattern": (
        "Where a recall names serials or batches, yours is compared with the pattern of the recall."
    ),
    "methodology.recalls.list": (
        "If only the maker's list can tell, the answer is conditional at best, and it names the list."
    ),
    "methodology.recalls.unknown": ("A unit that is not known to be free of a recall is never allowed."),
    "methodology.watt_hours": ("Watt-hours"),
    "methodology.watt_hours.exact": ("Figures are exact to a hundredth of a watt-hour."),
    "methodology.watt_hours.computed": Plural(
        "A computed figure may be %(count)d percent too low. Where that could cross a limit, the rating on "
        "the label decides.",
        "A computed figure may be %(count)d percent too low. Where that could cross a limit, the rating on "
        "the label decides.",
    ),
    "methodology.releases": ("Releases and corrections"),
    "methodology.releases.what": (
        "A release contains all rules, recalls and sources that are used together. It has a version and a "
        "digest, and it never changes."
    ),
    "methodology.releases.two": (
        "Editors draft rules from sources, and reviewers approve them before they are released."
    ),
    "methodology.releases.cases": (
        "Before a release is published, it answers every verdict case. Reviewers look at each case that "
        "is not answered as expected."
    ),
    "methodology.corrections": (
        "A correction is a new release with a note. Published releases never change, so an earlier answer "
        "can be explained."
    ),
    "methodology.withdrawn": (
        "If a release is wrong, its content is replaced by that of an earlier one. This is a new release too."
    ),
    "methodology.link.scorecard": ("How often it is right: the scorecard"),
    "methodology.link.coverage": ("What it can decide: the coverage"),
    "methodology.link.limits": ("What this check cannot see"),
    "methodology.link.rulesets": ("All releases and what each changed"),
    "methodology.link.policy_changes": ("Changes of policies"),
    "methodology.link.data": ("What happens to your data"),
    "methodology.link.recalls": ("All recalls"),
    "methodology.link.about": ("About this service"),
    "methodology.link.status": ("Status of this service"),
    "methodology.link.methodology": ("How a verdict is made"),
    # The scorecard
    "scorecard.title": ("Scorecard"),
    "scorecard.lead": (
        "Ruleset %(version)s answers %(agreeing)s of %(cases)s verdict cases as expected. It allows "
        "%(false_allowed)s where the case expects anything else."
    ),
    "scorecard.lead.none": (
        "The verdict cases have not been counted for ruleset %(version)s yet. Please come back in a minute."
    ),
    "scorecard.cases": ("Verdict cases"),
    "scorecard.cases.what": (
        "A verdict case is a real route with the answer that editors expect. The cases come with the "
        "service. All were run on the current ruleset."
    ),
    "scorecard.cases.run": ("Cases run"),
    "scorecard.cases.agree": ("Answered as expected"),
    "scorecard.cases.differ": ("Answered differently"),
    "scorecard.cases.false_allowed": ("Wrongly allowed"),
    "scorecard.cases.milder": ("Milder than expected"),
    "scorecard.cases.counted_at": ("Counted at"),
    "scorecard.false_allowed.what": (
        "Wrongly allowed counts the cases that are allowed where the case expects anything stricter. It must "
        "be 0. It is counted, not claimed."
    ),
    "scorecard.false_allowed.found": Plural(
        "%(count)d case is allowed and should not be. Check with the airline before you rely on an answer.",
        "%(count)d cases are allowed and should not be. Check with the airline before you rely on an answer.",
    ),
    "scorecard.differing": ("Cases that are answered differently"),
    "scorecard.differing.what": (
        "The world may have changed after the case was written, or the ruleset is wrong. Reviewers look at "
        "each of them."
    ),
    "scorecard.differing.allowed": ("wrongly allowed"),
    "scorecard.spoken": ("Sentences as travelers type them"),
    "scorecard.spoken.what": (
        "The sentences come with the service, in %(languages)s languages. The plain ones must be answered at "
        "once. The others contain a fact that makes the answer stricter or needs another question: damage, a "
        "second power bank, another airline. All were run on the current ruleset."
    ),
    "scorecard.spoken.asked": ("Sentences asked"),
    "scorecard.spoken.milder": ("Answered less strictly than the words say"),
    "scorecard.spoken.plain": ("Plain sentences"),
    "scorecard.spoken.answered": ("Plain sentences answered at once"),
    "scorecard.spoken.at_once": ("Answered at once"),
    "scorecard.spoken.asks": ("Not answered at once"),
    "scorecard.promises": ("Tested promises"),
    "scorecard.promises.what": (
        "%(questions)s questions were drawn from the ruleset by its digest, for travel on %(day)s. "
        "Each promise was tested on them. The same ruleset gives the same questions."
    ),
    "scorecard.promise": ("Promise"),
    "scorecard.proof": ("Proof of this ruleset"),
    "scorecard.proof.what": (
        "Two programs that share no code are compared for every possible question about one model on one "
        "flight. Questions that no rule can tell apart are compared once. The promises are checked for the "
        "same questions."
    ),
    "scorecard.proof.wait": ("The proof of this ruleset is not finished yet."),
    "scorecard.proof.questions": ("Possible questions"),
    "scorecard.proof.cells": ("Comparisons that decide them"),
    "scorecard.proof.differing": ("Different answers"),
    "scorecard.proof.broken": ("Broken promises"),
    "scorecard.proof.finished": ("Finished at"),
    "scorecard.proof.file": ("Signed statement of this proof (JSON)"),
    "scorecard.releases": ("The last rulesets"),
    "scorecard.releases.what": (
        "Each column is a ruleset, the newest on the right. Its height is the number of verdict cases that "
        "were run. The mark below says what its proof found."
    ),
    "scorecard.releases.yes": ("Proof finished, nothing found"),
    "scorecard.releases.no": ("Proof finished, something found"),
    "scorecard.releases.unknown": ("No finished proof"),
    "scorecard.promise.tried": ("Tested"),
    "scorecard.promise.broken": ("Broken"),
    "scorecard.promise.permission": (
        "Nothing is allowed without a permission of the airline and of an authority."
    ),
    "scorecard.promise.unverified": ("Nothing is allowed on an airline about which nothing was read."),
    "scorecard.promise.uncovered": ("An airline without a rule in force gets no verdict."),
    "scorecard.promise.watt_hours": ("A unit of unknown watt-hours is never allowed."),
    "scorecard.promise.recalled": ("Where all units of a model are recalled, every unit is banned."),
    "scorecard.promise.exact_model": ("A recall applies to the model that it names and to no other."),
    "scorecard.promise.unknown_facts": (
        "Where a fact about a unit is not known, the answer lies between the best and the worst case."
    ),
    "scorecard.promise.list_answer": (
        "A unit that the maker's recall list names is banned, and a list that clears it makes no answer "
        "milder."
    ),
    "scorecard.promise.more_units": ("More units never make the answer milder."),
    "scorecard.promise.more_legs": ("A trip is as strict as its strictest flight."),
    "scorecard.promise.cited": ("Every source that was read for an applied rule is cited."),
    "scorecard.promise.order": ("The order of records changes no answer."),
    "scorecard.freshness": ("How fresh the evidence is"),
    "scorecard.freshness.lead": (
        "A reading of a source is good for %(daily)s, %(weekly)s, %(monthly)s or %(quarterly)s days, "
        "depending on how fast the page can change. After that the source is due to be read again. Beyond "
        "twice that time it is overdue."
    ),
    "scorecard.freshness.unread": Plural(
        "%(count)d more source was never read. It is a pointer for editors and is never cited.",
        "%(count)d more sources were never read. They are pointers for editors and are never cited.",
    ),
    "scorecard.kind": ("Sources"),
    "scorecard.kind.regulator": ("Authorities"),
    "scorecard.kind.airline": ("Airlines"),
    "scorecard.kind.manufacturer": ("Manufacturers"),
    "scorecard.kind.news": ("News and others"),
    "scorecard.kind.all": ("All"),
    "scorecard.standing.fresh": ("Fresh"),
    "scorecard.standing.stale": ("Due"),
    "scorecard.standing.very_stale": ("Overdue"),
    "scorecard.standing.unread": ("Not read"),
    "scorecard.due": Plural(
        "%(count)d source is due to be read again", "%(count)d sources are due to be read again"
    ),
    "scorecard.due.daily": Plural(
        "Daily. Last read on %(read_on)s, good for %(good_days)s days, %(count)d day late.",
        "Daily. Last read on %(read_on)s, good for %(good_days)s days, %(count)d days late.",
    ),
    "scorecard.due.weekly": Plural(
        "Weekly. Last read on %(read_on)s, good for %(good_days)s days, %(count)d day late.",
        "Weekly. Last read on %(read_on)s, good for %(good_days)s days, %(count)d days late.",
    ),
    "scorecard.due.monthly": Plural(
        "Monthly. Last read on %(read_on)s, good for %(good_days)s days, %(count)d day late.",
        "Monthly. Last read on %(read_on)s, good for %(good_days)s days, %(count)d days late.",
    ),
    "scorecard.due.quarterly": Plural(
        "Quarterly. Last read on %(read_on)s, good for %(good_days)s days, %(count)d day late.",
        "Quarterly. Last read on %(read_on)s, good for %(good_days)s days, %(count)d days late.",
    ),
    "scorecard.airlines": ("How fresh the policies of airlines are"),
    "scorecard.airlines.what": (
        "Each airline is counted by the freshest source of its policy. An airline about which nothing was "
        "read counts as not read."
    ),
    "scorecard.airlines.due": Plural(
        "%(count)d airline whose policy is due to be read again",
        "%(count)d airlines whose policies are due to be read again",
    ),
    "scorecard.airlines.unread": Plural(
        "%(count)d airline about which nothing was read",
        "%(count)d airlines about which nothing was read",
    ),
    "scorecard.models": ("Models and recalls"),
    "scorecard.models.rated": ("Models with rated watt-hours"),
    "scorecard.models.computed": ("Models with computed watt-hours"),
    "scorecard.models.unknown": ("Models without watt-hours"),
    "scorecard.recalls.all": ("Recalls of all units of a model"),
    "scorecard.recalls.pattern": ("Recalls with a pattern that serials are compared with"),
    "scorecard.recalls.list": ("Recalls that only the maker's list can settle"),
    "scorecard.recalls.nothing": ("Recalls that no published information can settle"),
    # The coverage
    "coverage.title": ("Coverage: what can be decided"),
    "coverage.lead": (
        "The engine can decide flights of %(decided)s of %(airlines)s airlines. For %(own)s of these, a page "
        "of the airline itself was read; for %(confirmed)s, it confirms rules."
    ),
    "coverage.what": (
        "Coverage says what the engine can decide, not how many pages were read. An airline without a rule "
        "in force is not covered, even if its page was read."
    ),
    "coverage.airlines": ("Airlines"),
    "coverage.own_page.what": ("A page of the airline itself was read, and it has rules in force."),
    "coverage.dated_copy.what": (
        "A third party's dated, word-for-word copy of the airline's page was read, and it has rules in force."
    ),
    "coverage.reports.what": ("Others reported the policy, and it has rules in force."),
    "coverage.nothing.what": (
        "No page of the policy was read. The rules are those that apply in general. No answer is "
        "milder than conditional."
    ),
    "coverage.none": ("Not covered"),
    "coverage.none.what": (
        "No rule of the airline is in force, even if a page was read. Every question about its flights is "
        "answered with AIRLINE_NOT_COVERED."
    ),
    "coverage.topics": ("What airlines' rules decide"),
    "coverage.topics.what": (
        "How many of the %(decided)s airlines with rules in force cover each topic. What an airline does not "
        "say is not known. It never means that there is no limit."
    ),
    "coverage.topics.decided": ("Their rules cover it"),
    "coverage.topics.silent": ("Their rules say nothing about it"),
    "coverage.topic": ("Topic"),
    "coverage.topic.cabin": ("limit in the cabin"),
    "coverage.topic.approval": ("approval by the airline"),
    "coverage.topic.units": ("number of units"),
    "coverage.topic.checked": ("checked baggage"),
    "coverage.topic.use": ("use on board"),
    "coverage.topic.place": ("place on board"),
    "coverage.topic.terminals": ("protected terminals"),
    "coverage.topic.damaged": ("damaged units"),
    "coverage.topic.recalled": ("recalled units"),
    "coverage.topic.label": ("label or mark on the unit"),
    "coverage.line.rules": Plural("%(code)s, %(count)d rule.", "%(code)s, %(count)d rules."),
    "coverage.line.read": ("%(how)s."),
    "coverage.line.unverified": ("What was read does not state its policy."),
    "coverage.line.unconfirmed": ("Its page confirms no rule."),
    "coverage.line.says": ("Covers: %(topics)s."),
    "coverage.line.silent": ("Says nothing about: %(topics)s."),
    "coverage.countries": ("Countries"),
    "coverage.countries.what": (
        "For each country, the list shows whose rules apply to flights from it, in addition to the "
        "airline's rules and the international baseline."
    ),
    "coverage.countries.own": Plural(
        "%(count)d country has rules of its own authority.",
        "%(count)d countries have rules of their own authority.",
    ),
    "coverage.countries.region": Plural(
        "%(count)d country has the rules of its region.",
        "%(count)d countries have the rules of their region.",
    ),
    "coverage.countries.baseline": Plural(
        ("%(count)d country has only the international baseline. A domestic flight there cannot be cleared."),
        (
            "%(count)d countries have only the international baseline. A domestic flight there cannot be "
            "cleared."
        ),
    ),
    "coverage.countries.rules": Plural("%(count)d rule in force", "%(count)d rules in force"),
    "coverage.countries.own.name": ("Own authority"),
    "coverage.countries.region.name": ("Rules of the region"),
    "coverage.countries.baseline.name": ("International baseline only"),
    "coverage.link": ("what this means"),
    # Rulesets
    "rulesets.title": ("Rulesets"),
    "rulesets.lead": Plural(
        "%(count)d ruleset has been published. The newest is %(version)s.",
        "%(count)d rulesets have been published. The newest is %(version)s.",
    ),
    "rulesets.lead.none": ("No ruleset has been published yet."),
    "rulesets.what": (
        "A ruleset is a release of all rules, recalls, models, airlines and sources together. Each verdict "
        "names its ruleset. A ruleset never changes."
    ),
    "rulesets.newest": ("Newest first"),
    "rulesets.place": ("page %(number)s of %(pages)s"),
    "rulesets.newer": ("Newer rulesets"),
    "rulesets.older": ("Older rulesets"),
    "rulesets.other": ("Other pages of this list"),
    "ruleset.title": ("Ruleset %(version)s"),
    "ruleset.lead": ("Ruleset %(version)s was published on %(date)s."),
    "ruleset.published": ("Published"),
    "ruleset.place": ("Place in the ledger"),
    "ruleset.digest": ("SHA-256"),
    "ruleset.current": ("Answers now"),
    "ruleset.facts": ("This release"),
    "ruleset.changes": ("What it changed"),
    "ruleset.changes.none": ("It changed no public record."),
    "ruleset.changes.wait": ("Its changes are being computed. Please come back in a minute."),
    "ruleset.kind.rules": ("Rules"),
    "ruleset.kind.recalls": ("Recalls"),
    "ruleset.kind.devices": ("Models"),
    "ruleset.kind.airline-policies": ("Airlines"),
    "ruleset.counts": ("%(kind)s: %(added)s added, %(changed)s changed, %(withdrawn)s withdrawn."),
    "ruleset.rules": ("Rules that it added, changed or withdrew"),
    "ruleset.recalls": ("Recalls that it added, changed or withdrew"),
    "ruleset.shown": ("%(shown)s of %(total)s are shown. The list of changes has all of them."),
    "ruleset.change.added": ("added"),
    "ruleset.change.changed": ("changed"),
    "ruleset.change.withdrawn": ("withdrawn"),
    "ruleset.replay": ("Reproducing its answers"),
    "ruleset.replay.public": (
        "Its files can be downloaded. They never change, and each has a checksum, so anyone can "
        "compare two releases."
    ),
    "ruleset.replay.staff": (
        "The operators of this service keep the whole release. They can load it by its digest and explain "
        "any answer it gave."
    ),
    "ruleset.replay.answers": (
        "New questions are answered from the newest release only. A program that asks for an older "
        "one gets an error and no answer."
    ),
    "ruleset.files": ("Its files"),
    # Changes of policies
    "policy_changes.title": ("Changes of policies"),
    "policy_changes.lead": (
        "%(total)s dated changes of airlines' policies are on file. %(in_effect)s are in effect, and "
        "%(upcoming)s take effect later."
    ),
    "policy_news.title": ("What rulesets changed"),
    "policy_news.on": ("%(date)s:"),
    "policy_news.none": ("No ruleset after the first one has changed a policy."),
    "policy_news.shown": ("%(shown)s of %(total)s changes are shown, the newest first."),
    "policy_changes.airlines": ("Changes by airline"),
    "policy_changes.airlines.count": Plural("%(count)d change", "%(count)d changes"),
    "policy_changes.none": ("No airline has a dated change on file."),
    "policy_changes.watched": ("Watched sources"),
    "policy_changes.watched.all": ("Sources of rules and policies"),
    "policy_changes.watched.official": ("Official pages that were read"),
    "policy_changes.watched.copy": ("Dated copies of official pages that were read"),
    "policy_changes.watched.secondary": ("Secondary sources that were read"),
    "policy_changes.watched.unread": ("References that have not been read"),
    "policy_changes.watched.oldest": ("Oldest reading"),
    "policy_changes.watched.newest": ("Newest reading"),
    "policy_changes.upcoming": ("Rules that start or end soon"),
    "policy_changes.upcoming.none": ("No rule on file starts or ends on a future day."),
    "policy_changes.recent": ("Rules that started or ended in the past 90 days"),
    "policy_changes.recent.none": ("No rule on file started or ended in the past 90 days."),
    "policy_changes.starts": ("In force from %(date)s."),
    "policy_changes.ends": ("Last day in force: %(date)s."),
    "policy_changes.shown": ("%(shown)s of %(total)s days are shown. The calendar has all of them."),
    "policy_changes.follow": ("How to follow changes"),
    "policy_changes.follow.calendar": ("The days on which rules start and end, as a calendar"),
    "policy_changes.follow.rulesets": ("New rulesets, as a feed"),
    "policy_changes.follow.airline": ("Each airline has a feed of its own. Its page leads to it."),
    "policy_changes.partners": ("What partners see"),
    "policy_changes.partners.what": (
        "Anyone can see how many changes there are and when rules start and end. Partners can also "
        "read each change with its source, the watched sources and the items that editors should "
        "review. A key never changes a verdict."
    ),
    "policy_changes.programs": ("The same counts"),
    # Status
    "status.title": ("Status"),
    "status.lead": ("The service answers from ruleset %(version)s, published %(date)s."),
    "status.lead.none": (
        "The service has no ruleset, so it answers no question. Do not treat this as allowed."
    ),
    "status.answers": ("What answers now"),
    "status.version": ("Ruleset"),
    "status.published": ("Published"),
    "status.digest": ("SHA-256"),
    "status.edition": ("Pages show the state of"),
    "status.edition.ends": ("Next update of pages"),
    "status.now": ("Checked at"),
    "status.caught_up": ("What is updated after a release"),
    "status.pages": ("Page records"),
    "status.datasets": ("Datasets"),
    "status.scorecard": ("Scorecard"),
    "status.in_line": ("Up to date."),
    "status.behind": ("Behind."),
    "status.never": ("Not done yet."),
    "status.unknown": ("Not known now. The database does not answer."),
    "status.database": ("Database"),
    "status.database.answers": ("It answers."),
    "status.database.away": ("It does not answer. Verdicts still come from memory."),
    "status.database.away.empty": ("It does not answer."),
    "status.means": ("What this means"),
    "status.means.verdicts": (
        "Verdicts need only the ruleset in memory, so they also work while the database does not answer."
    ),
    "status.means.pages": (
        "Page records, datasets and the scorecard follow a new ruleset within a minute. No verdict waits for "
        "them."
    ),
    "status.means.page": ("This page is never cached. It shows the state at the time of your request."),
    # About
    "about.title": ("About this service"),
    "about.lead": (
        "This service answers one question: may this power bank travel on this flight? Each answer cites its "
        "sources and says how long it is valid."
    ),
    "about.why": ("Why it is careful"),
    "about.why.fire": (
        "A power bank can catch fire, and in a cabin no one can leave. An answer that allows too "
        "much is the worst mistake that this service can make."
    ),
    "about.why.unknown": ("So what is not known is never allowed, and the strictest rule counts."),
    "about.what": ("What it is"),
    "about.what.rules": ("Rules of authorities and airlines, typed so that a program can execute them."),
    "about.what.recalls": ("Recalls of exact models, each with its notice."),
    "about.what.verdicts": ("Verdicts on pages and through an API. Both give the same answer."),
    "about.not": ("What it is not"),
    "about.not.law": ("It is not legal advice, and it is not a certification of a product."),
    "about.not.promise": (
        "It cannot promise that airport, airline or security staff accept a power bank. They decide."
    ),
    "about.not.airline": ("It does not speak for an airline, an authority or a manufacturer."),
    "about.visits": ("If our program visits your website"),
    "about.visits.why": (
        "It checks whether the pages behind our rules have changed. A person reviews every change."
    ),
    "about.visits.manners": (
        "It opens one page at a time, waits between pages, and follows your robots.txt. Its name there is "
        "%(name)s."
    ),
    "about.size": ("What is on file"),
    "about.size.models": ("Models"),
    "about.size.airlines": ("Airlines"),
    "about.size.own_page": ("Airlines whose own page was read"),
    "about.size.rules": ("Rules"),
    "about.size.recalls": ("Recalls"),
    "about.size.sources": ("Sources"),
    # What happens to data
    "data.title": ("What happens to your data"),
    "data.lead": (
        "You need no account and no personal data to get a verdict. The record of a question says nothing "
        "about you."
    ),
    "data.asked": ("What you ask"),
    "data.asked.none": ("No name, no booking, no flight number and no e-mail address is asked for."),
    "data.asked.memory": (
        "A question is answered in memory. If the answer has a verdict id, a record is kept, so that the "
        "answer can be explained and proved later."
    ),
    "data.asked.record": (
        "The record holds the model, its condition, its marks, what the maker's recall list said, the number "
        "of units, where they are carried, the flights, the date and the verdict."
    ),
    "data.asked.nobody": (
        "The record does not say who asked. It holds no network address, no serial, no hash of a "
        "serial and no text that was typed. For a partner's request it holds the public id of the "
        "key."
    ),
    "data.asked.kept": Plural(
        "The record is deleted after %(count)d day.", "The record is deleted after %(count)d days."
    ),
    "data.asked.counted": (
        "Once a day, the flights in these records are counted by airline and country, to see where rules "
        "should be read first. Only a coarse class of each number is published."
    ),
    "data.asked.address": (
        "The words after the question mark of an address are removed from what the service logs."
    ),
    "data.serials": ("Serials"),
    "data.serials.pages": ("On pages, a serial is compared in your browser. It never leaves your device."),
    "data.serials.api": (
        "Through the API, send a hash of the serial if you can. A serial or its hash is sent in the body of "
        "a request, compared in memory and then forgotten."
    ),
    "data.serials.echo": ("An answer that repeats a serial is marked so that no cache keeps it."),
    "data.watched": ("A trip that you watch"),
    "data.watched.kept": (
        "Only for a trip that you watch, we keep the trip, the model, the language and how the verdict "
        "changed. No serial, no name and no e-mail address is kept."
    ),
    "data.watched.secret": (
        "Anyone with the secret address can read the watch. Only a hash of the address is kept, so "
        "no one can tell who watches which trip."
    ),
    "data.watched.ends": (
        "You can delete the watch at any time. On the second day after your trip it is deleted in any case."
    ),
    "data.watched.partner": (
        "If a partner's program watches the trip, that partner is notified when the verdict changes."
    ),
    "data.logged": ("What is kept"),
    "data.logged.network": (
        "To share the service fairly, requests to the API are counted for each network for a short time. The "
        "count is kept under a hash."
    ),
    "data.logged.errors": (
        "When something fails, the log keeps the path and the kind of error, so that it can be repaired."
    ),
    "data.logged.server": (
        "A server or network in front of the service may keep its own records. Its operators decide this."
    ),
    "data.logged.staff": ("What editors change is kept with their names, so that each rule has an author."),
    "data.pages": ("On pages"),
    "data.pages.cookies": ("Pages for readers set no cookie."),
    "data.pages.third": ("No page loads anything from another site. No one else learns that you read it."),
    "data.partners": ("Partner keys"),
    "data.partners.hash": ("Only a hash of a partner's key is kept. The key itself can be read once."),
    "data.partners.limits": (
        "A key sets how many requests a partner may send and what more it may read. It never changes a "
        "verdict."
    ),
    # What the check cannot see
    "limits.title": ("What this check cannot see"),
    "limits.lead": (
        "A verdict knows the published rules and what you say about your unit. It does not know what happens "
        "at the airport."
    ),
    "limits.staff.asked": ("What if staff decide otherwise?"),
    "limits.staff": (
        "Staff of the airport, the airline and security have the last word. Show them the source that the "
        "answer cites, and accept their decision."
    ),
    "limits.condition.asked": ("Is my unit in good condition?"),
    "limits.condition": (
        "The check cannot see a swollen, hot, wet or damaged unit. Look at it before you pack. Do not travel "
        "with a damaged one, whatever the verdict says."
    ),
    "limits.marks.asked": ("Is the label or the mark genuine?"),
    "limits.marks": (
        "A printed rating or a CCC mark can be false. Buy from a seller that you trust, and do not rely on a "
        "unit whose label looks wrong."
    ),
    "limits.model.asked": ("Is it really this model?"),
    "limits.model": (
        "The verdict is about the exact model that was named. Read the model number on the unit and compare "
        "it with the page of the model."
    ),
    "limits.new_policy.asked": ("What if a policy changed today?"),
    "limits.new_policy": (
        "An airline can change its policy before the change is read here. Check the official page of "
        "the airline on the day before you fly."
    ),
    "limits.stale.asked": ("How old is the evidence?"),
    "limits.stale": (
        "Each source names the day on which it was read. An answer warns you if the evidence is too old. "
        "Then read the official page yourself."
    ),
    "limits.baggage.asked": ("What about the other batteries in my bag?"),
    "limits.baggage": (
        "Other power banks, spare batteries and devices may count towards the same limit. Count them all, "
        "and ask about the total number of power banks."
    ),
    "limits.codeshare.asked": ("Which airline operates my flight?"),
    "limits.codeshare": (
        "The airline that sold the ticket may not operate the flight. Look for 'operated by' on your ticket, "
        "and ask about that airline."
    ),
    "limits.subsidiary.asked": ("Does it apply to a sister airline?"),
    "limits.subsidiary": (
        "Airlines of one group can have different rules. Ask about the exact airline. Its page shows "
        "what is known about it."
    ),
    "limits.transfer.asked": ("What happens at a transfer?"),
    "limits.transfer": (
        "At a transfer, security may check you again under the rules of that country. Ask about each flight "
        "of the trip, and plan for the strictest one."
    ),
    "limits.security.asked": ("Does airport security have its own rules?"),
    "limits.security": (
        "Some airports have a local practice that is not published. Ask the airport where you "
        "depart, and keep the power bank where you can show it."
    ),
    "limits.recall.asked": ("Could there be a recall that is not on file?"),
    "limits.recall": (
        "A recall is on file only after its notice has been read. Check the websites of the maker and of "
        "your country's authority too."
    ),
    "limits.route.asked": ("What if my flight is diverted or rebooked?"),
    "limits.route": (
        "A verdict is about the flight that was asked about. After a change of route or airline, ask again."
    ),
}
