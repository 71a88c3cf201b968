"""What /datasets says, and what datasets are called; the descriptions for programs say it in English.

Called by the page, its template and `aeo.datasets`.
"""

from rules.wording.translating import Plural, Text

TEXTS: dict[str, Text] = {
    "dataset.recalls.title": "Power bank recalls",
    "dataset.recalls.description": (
        "Active recalls of exact power bank models with their notices, the units that they speak of "
        "and how a serial is checked. A recall counts for its exact model alone, never for a brand."
    ),
    "dataset.devices.title": "Power bank models",
    "dataset.devices.description": (
        "Exact power bank models with capacity, voltage, watt-hours and how these are known, "
        "certifications and sources."
    ),
    "dataset.airline-policies.title": "Airline power bank policies (preview)",
    "dataset.airline-policies.description": (
        "Airlines with their power bank policy in short, how well it is known, the official page and "
        "the day on which a source was last read. Partners read the policies in full by the API."
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
        "Everything that anybody may read of ruleset %(version)s, as files. The files of a release never "
        "change."
    ),
    "datasets.file": Plural("%(records)s record, %(size)s", "%(records)s records, %(size)s"),
    "datasets.newest": "The newest, whatever its release:",
    "datasets.reuse": "Reuse",
    "datasets.reuse.license": (
        "No license has been set for these files, so nothing on this page grants one. They hold facts and "
        "short summaries. Each record names its sources in %(citations)s, or an airline's preview its "
        "official page in %(policy_url)s: those pages and notices belong to who published them. Whoever "
        "repeats what is here should name the ruleset version and the sources, and never make of a recall of "
        "one model a recall of its brand."
    ),
    "datasets.reuse.verdicts": (
        "Verdicts follow from all rules of a route together. Ask %(verify)s, and count as allowed nothing "
        "but its verdict %(allowed)s before it expires."
    ),
    "datasets.reuse.preview": (
        "Of airline policies these files hold the public preview. Partners read the policies, their dated "
        "changes and the watched sources in full, as %(begin)sthe description of the datasets%(end)s says."
    ),
    "datasets.changed": "What changed",
    "datasets.changed.list": (
        "%(begin)sThe change list%(end)s names for each release its files with their checksums and every "
        "record that was added, changed or withdrawn."
    ),
    "datasets.told": (
        "To be told: %(begin_rulesets)srulesets as an Atom feed%(end)s and %(begin_dates)seffective dates of "
        "rules as a calendar%(end)s. Each airline (%(airline)s), brand (%(brand)s) and model (%(model)s) has "
        "a feed of its own."
    ),
}
