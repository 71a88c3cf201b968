"""One question of many, answered from a release and an instant that all of them share.

So a batch and a run of `manage.py verify-batch` give the answers that POST /api/verify or POST
/api/itineraries/verify would give if all questions were asked within one second.
"""

import datetime
from typing import Any

from django.conf import settings

from compliance.api.verdicts import questions
from compliance.api.verdicts.bounds import Citations
from compliance.api.verdicts.itinerary_request import itinerary_request
from compliance.api.verdicts.questions import Asked
from rules.corpus import Published, check_version
from rules.engine.facts import ItineraryQuestion, Question


def asked_of(
    body: dict[str, Any],
    release: Published,
    *,
    now: datetime.datetime,
    language: str = settings.LANGUAGE_CODE,
    citations: Citations = "full",
) -> Asked[Question]:
    """Read a body of POST /api/verify; `language` and `citations` are for one that names none.

    Raises `ApiError`, and `RulesetVersionNotCurrent` if another release is pinned.
    """
    asked = questions.verify_request(
        body,
        today=now.date(),
        countries=release.corpus.countries,
        language=language,
        citations=citations,
    )
    check_version(release, asked.ruleset_version)
    return asked


def asked_of_itinerary(
    body: dict[str, Any],
    release: Published,
    *,
    now: datetime.datetime,
    language: str = settings.LANGUAGE_CODE,
    citations: Citations = "full",
) -> Asked[ItineraryQuestion]:
    """Read a body of POST /api/itineraries/verify, as `asked_of` does the other. Raises the same."""
    asked = itinerary_request(
        body,
        today=now.date(),
        countries=release.corpus.countries,
        language=language,
        citations=citations,
    )
    check_version(release, asked.ruleset_version)
    return asked
