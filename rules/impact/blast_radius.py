"""The blast radius of a proposal, for those who are about to publish it: stored, or asked at once.

Reads only. Called by the verbs that publish and plan, and by the screens of releases.
"""

import datetime
from typing import NamedTuple

from rules.impact.measurements import SMALL, Proposal, measured, stored, survey_of
from rules.impact.models import ImpactMeasurement, MeasurementState
from rules.impact.survey import Result, measure


class Radius(NamedTuple):
    """What would change. `result` is None where `size` answers could, and nobody has measured it that day.

    `measurement` is the stored one, in whatever state; None where nobody has asked for it.
    """

    result: Result | None
    size: int
    measurement: ImpactMeasurement | None


def blast_radius(proposal: Proposal, *, day: datetime.date) -> Radius:
    """Return what was measured of a proposal on a day. Little is measured here and now."""
    known = stored(proposal, day=day)
    if known is not None and known.state == MeasurementState.DONE:
        return Radius(measured(known), known.size, known)
    survey = survey_of(proposal, day=day)
    size = survey.size_of_all
    return Radius(measure(survey) if size <= SMALL else None, size, known)
