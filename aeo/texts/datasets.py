"""The texts of /datasets and the names of datasets; the descriptions for programs use the English ones.

Called by the page, its template and `aeo.datasets`.
"""

from rules.wording.translating import Plural, Text

TEXTS: dict[str, Text] = {
    "dataset.recalls.title": "Power bank recalls",
    "dataset.recalls.description": (
        "Active recalls of exact power bank models with their notices, the affected units and how a "
        "serial is checked. A recall applies to its exact model only, never to a brand."
    ),
    "dataset.devices.title": "Power bank models",
    "dataset.devices.description": (
        "Exact power bank models with capacity, voltage, watt-hours and how these are known, "
        "certifications and sources."
    ),
    "dataset.airline-policies.title": "Airline power bank policies (preview)",
    "dataset.airline-policies.description": (
        "Airlines with a summary of their power bank policy, how well it is known, the official page "
        "and the day on which a source was last read. Partners read the full policies through the "
        "API."
    ),
    "dataset.rules.title": "Power bank rules of authorities and airlines",
    "dataset.rules.description": (
        "Typed, dated and cited rules on power banks of aviation authorities and airlines, each with "
        "its conditions and the sentence that a traveler reads."
    ),
    "datasets.catalog": "Datasets of battery travel compliance",
    "datasets.title": "Datasets: recalls, models, airline policies and rules",
    "datasets.description": (
        "Power bank recalls, exact models, airline policies and rules as JSON Lines and CSV, with a "
        "checksum for each file and a list of what changed."
    ),
    "datasets.changes.title": "Releases and what they changed",
    "datasets.heading": "Datasets",
    "datasets.lead": (
        "All public records of ruleset %(version)s as files. The files of a release never change."
    ),
    "datasets.file": Plural("%(records)s record, %(size)s", "%(records)s records, %(size)s"),
    "datasets.newest": "The files of the newest release:",
    "datasets.reuse": "Reuse",
    "datasets.reuse.license": (
        "No license has been set for these files, so nothing on this page grants one. They hold facts and "
        "short summaries. Each record names its sources in %(citations)s. An airline's preview names its "
        "official page in %(policy_url)s. These pages and notices belong to their publishers. If you repeat "
        "this information, name the ruleset version and the sources, and never present a recall of one model "
        "as a recall of its brand."
    ),
    "datasets.reuse.verdicts": (
        "A verdict follows from all rules of a route together. Ask %(verify)s, and treat only its "
        "verdict %(allowed)s as allowed, and only until it expires."
    ),
    "datasets.reuse.preview": (
        "These files hold the public preview of airline policies. Partners can read the full "
        "policies, their dated changes and the watched sources, as %(begin)sthe description of the "
        "datasets%(end)s says."
    ),
    "datasets.changed": "What changed",
    "datasets.changed.list": (
        "%(begin)sThe change list%(end)s names for each release its files with their checksums and every "
        "record that was added, changed or withdrawn."
    ),
    "datasets.told": (
        "To follow changes: %(begin_rulesets)srulesets as an Atom feed%(end)s and "
        "%(begin_dates)seffective dates of rules as a calendar%(end)s. Each airline (%(airline)s), "
        "brand (%(brand)s) and model (%(model)s) has a feed of its own."
    ),
}
