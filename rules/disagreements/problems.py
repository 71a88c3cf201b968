"""What would keep disagreements out of a release, found before publishing. Reads only.

Each is checked against the current rows. The newest revision of a rule counts in any state, so that both can
be drafted together. Called by the actions, which refuse the first problem, and by the form, which shows all
of them.
"""

from collections.abc import Sequence

from catalog.models import Airline, Country, Jurisdiction, Source
from rules.editing.models import Rule
from rules.engine import document
from rules.engine.disagreements import Disagreement
from rules.engine.document import Content, Problem


def problems_of(disagreements: Sequence[Disagreement]) -> list[Problem]:
    """List what is wrong with disagreements; `where` is the id of one. A fixed number of queries."""
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
