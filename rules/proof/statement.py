"""What a finished proof states, as canonical JSON: these are the bytes that the service signs.

It has no field with a name that answers have (`ruleset_version`, `items`), so that no one takes a statement
for an answer.
"""

import datetime

import rfc8785

from rules.proof.checking.findings import Tally
from rules.proof.models import ReleaseProof
from rules.releases.models import Release

FORMAT = "proof.v1"


def statement_of(proof: ReleaseProof, release: Release, total: Tally, *, finished: datetime.datetime) -> str:
    """Return the statement. `questions` is text: it can be larger than the whole numbers of JSON."""
    return rfc8785.dumps(
        {
            "format": FORMAT,
            "release": release.ruleset_version,
            "release_sha256": release.sha256,
            "program_sha256": proof.program_sha256,
            "since": f"{release.published_at.astimezone(datetime.UTC).date()}",
            "finished_at": f"{finished.astimezone(datetime.UTC):%Y-%m-%dT%H:%M:%SZ}",
            "questions": str(total.questions),
            "classes_of_flights": total.classes,
            "sets_of_rules": total.sets,
            "cells": total.cells,
            "disagreements": total.differing,
            "broken_promises": total.broken,
        }
    ).decode()
