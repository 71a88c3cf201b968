"""What would keep disagreements out of a release, before anyone publishes. Reads only.

Each is read against the rows as they are: a rule counts here in whatever state its newest revision is, so
that both can be drafted together. Called by the verbs, which refuse the first problem, and by the form, which
shows them all.
"""

from collections.abc import Sequence

from catalog.models import Airline, Country, Jurisdiction, Source
from rules.editing.models import Rule
from rules.engine import document
from rules.engine.disagreements import Disagreement
from rules.engine.document import Content, Problem


def problems_of(disagreements: Sequence[Disagreement]) -> list[Problem]:
    """List what is wrong with disagreements; `where` is the id of one. A few queries, however many."""
    airlines = {one.about.airline for one in disagreements if one.about.airline}
    content = Content(
        countries=tuple(Country.objects.all().records()),
        jurisdictions=tuple(Jurisdiction.objects.all().records()),
        sources=tuple(
            Source.objects.identified({name for one in disagreements for name in one.sources}).records()
        ),
        airlines=tuple(Airline.objects.identified(airlines).records()),
        rules=tuple(Rule.objects.identified({one.applied for one in disagreements}).records()),
        disagreements=tuple(disagreements),
    )
    return document.problems_of("disagreement", content)
