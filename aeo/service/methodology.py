"""/methodology: how a verdict is made, in short; `docs/how-a-verdict-is-made.md` has the details."""

from aeo.editions import Edition
from aeo.pages.record import Bullets, Line, Link, Mark, Page, Paragraph, Section, Table
from aeo.pages.sections import good_days, listed, page
from aeo.texts import say
from aeo.web.formatting import verdict_word
from catalog.energy import COMPUTED_SHORTFALL_PERCENT
from rules.engine.vocabulary import STRICTNESS, Verdict
from rules.selectors.readings import HOW_READ

FOUND: tuple[tuple[str, Verdict], ...] = (
    ("prohibit", "banned"),
    ("fails", "banned"),
    ("recalled", "banned"),
    ("watt_hours", "insufficient"),
    ("airline_silent", "insufficient"),
    ("authority_silent", "insufficient"),
    ("unproven", "conditional"),
    ("recall_unknown", "conditional"),
    ("computed", "conditional"),
    ("unverified", "conditional"),
    ("nothing", "allowed"),
)
"""What leads to which verdict, the strictest first: the table of `docs/how-a-verdict-is-made.md`."""


def methodology(edition: Edition) -> Page:
    """Return how a verdict is made."""
    strictest_first = sorted(STRICTNESS, key=STRICTNESS.__getitem__, reverse=True)
    answers: list[Line] = [
        (_mark(verdict), " ", say(f"methodology.answer.{verdict}")) for verdict in strictest_first
    ]
    rows = tuple(((say(f"methodology.found.{name}"),), (_mark(verdict),)) for name, verdict in FOUND)
    table = Table((say("methodology.found"), say("methodology.contributes")), rows)
    return page(
        edition,
        "/methodology",
        title=say("methodology.title"),
        lead=say("methodology.lead"),
        sections=(
            Section(say("methodology.answers"), (Bullets(tuple(answers)),)),
            Section(say("methodology.decides"), (Paragraph((say("methodology.decides.lead"),)), table)),
            _listed("limits", "met", "unmet", "conduct", "warnings"),
            _listed(
                "speaks",
                *(
                    "baseline",
                    "departure",
                    "arrival",
                    "domestic",
                    "operator",
                    "airline",
                    "dates",
                    "uncovered",
                ),
            ),
            _linked(_listed("evidence", *HOW_READ, "cited"), "coverage", "/coverage"),
            _linked(_listed("disagreements", "editor", "shown"), "disagreements", "/disagreements"),
            _linked(_listed("recalls", "exact", "all", "pattern", "list", "unknown"), "recalls", "/recalls"),
            listed(
                "methodology.watt_hours",
                *("methodology.watt_hours.exact", "methodology.watt_hours.computed"),
                count=COMPUTED_SHORTFALL_PERCENT,
            ),
            listed(
                "methodology.evidence.age",
                *(f"methodology.evidence.{name}" for name in ("good", "stale", "very_stale")),
                **good_days(),
            ),
            _releases(),
        ),
    )


def _mark(verdict: Verdict) -> Mark:
    return Mark(verdict, verdict_word(verdict))


def _listed(group: str, *names: str) -> Section:
    return listed(f"methodology.{group}", *(f"methodology.{group}.{name}" for name in names))


def _linked(section: Section, name: str, path: str) -> Section:
    """Return a section with a link after its bullets."""
    link = Paragraph((Link(say(f"methodology.link.{name}"), path),))
    return Section(section.heading, (*section.blocks, link))


def _releases() -> Section:
    names = ("releases.what", "releases.two", "releases.cases", "corrections", "withdrawn")
    return _linked(
        listed("methodology.releases", *(f"methodology.{name}" for name in names)), "rulesets", "/rulesets"
    )
