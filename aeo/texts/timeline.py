"""The texts of the page of dated rules, and of the next changes on the home page."""

from rules.wording.translating import Plural, Text

TEXTS: dict[str, Text] = {
    "timeline.title": "Rules by date: what changed, what is coming",
    "timeline.lead": (
        "Rules that start on a known day: %(starts)s. Rules that end on a known day: %(ends)s. The next "
        "change is on %(date)s."
    ),
    "timeline.lead.none_coming": (
        "Rules that start on a known day: %(starts)s. Rules that end on a known day: %(ends)s. No later "
        "change is on file."
    ),
    "timeline.lead.chosen": (
        "Rules that start on a known day: %(starts)s. Rules that end on a known day: %(ends)s. The next "
        "change in this selection is on %(date)s."
    ),
    "timeline.lead.chosen.none_coming": (
        "Rules that start on a known day: %(starts)s. Rules that end on a known day: %(ends)s. No later "
        "change is in this selection."
    ),
    "timeline.chosen": "Shown",
    "timeline.unconfirmed": "reported, not confirmed on an official page",
    "timeline.general": "Rules that are not the airline's own can also count on its flights.",
    "timeline.next_of_all": "The next change in the whole list is on %(date)s:",
    "timeline.earlier": "Earlier in %(year)s",
    "timeline.months": "Month by month",
    "timeline.picture": "Rules that start and end in each month",
    "timeline.signs": (
        "+ is the number of rules that start in a month. \u2212 is the number of rules whose last day is in "
        "it. Each month leads to its rules. Rules without a known day are not shown."
    ),
    "timeline.in_words": "The same in words",
    "timeline.today": "Today, %(date)s",
    "timeline.nothing": "No rule on file starts or ends on such a day.",
    "timeline.who": "Authority or airline",
    "timeline.who.all": "All",
    "timeline.year": "Year",
    "timeline.year.all": "All years",
    "timeline.when": "When",
    "timeline.when.all": "Past and coming",
    "timeline.when.coming": "Only coming",
    "timeline.show": "Show",
    "timeline.on": "%(date)s:",
    "timeline.starts": Plural("%(count)d rule starts", "%(count)d rules start"),
    "timeline.ends": Plural("%(count)d rule ends", "%(count)d rules end"),
    "timeline.days": Plural("%(count)d date", "%(count)d dates"),
    "timeline.issuers": "By authority and airline",
    "timeline.issuers.count": Plural("%(count)d with dated rules", "%(count)d with dated rules"),
    "home.coming": "The next changes",
    "home.coming.all": "All changes by date",
    "menu./timeline": "Rules by date",
    "methodology.link.timeline": "Rules by date, past and coming",
}
