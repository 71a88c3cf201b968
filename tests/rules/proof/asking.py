"""Small releases to prove, and a proof of one in this process."""

import copy
import functools
import json
from collections.abc import Callable
from typing import Any

from rules.engine.corpus import Corpus
from rules.engine.document import decode
from rules.proof.checking.findings import Tally
from rules.proof.checking.flights import RuleSet, Selecting
from rules.proof.checking.judging import Ground
from rules.proof.checking.records import Records
from rules.proof.checking.reference import Reference
from rules.proof.checking.sets import asked_of_selection, prove
from tests.support.reference import text_of
from tests.support.starter import NOW, starter_content

Json = dict[str, Any]

AIRLINES = {"CA", "AC", "EK"}
COUNTRIES = {"CN", "AE", "CA", "FR", "DE", "JP"}
KEPT_PLACES = {"INTL", "EU", *COUNTRIES}
KEPT_MODELS = 40


@functools.cache
def _part() -> Json:
    """Return a part of the starter corpus: marks and recalls in China, named models on Air Canada."""
    document: Json = json.loads(text_of(starter_content()))
    content = document["content"]
    content["airlines"] = [row for row in content["airlines"] if row["airline"] in AIRLINES]
    content["countries"] = [row for row in content["countries"] if row["code"] in COUNTRIES]
    content["jurisdictions"] = [row for row in content["jurisdictions"] if row["code"] in KEPT_PLACES]
    content["rules"] = [
        row
        for row in content["rules"]
        if (row["airline"] in AIRLINES if row["airline"] else row["jurisdiction"] in KEPT_PLACES)
    ]
    named = {name for row in content["rules"] for name in row["when"].get("model", ())}
    first = {row["model_id"] for row in content["devices"][:KEPT_MODELS]}
    content["devices"] = [row for row in content["devices"] if row["model_id"] in named | first]
    content["recalls"] = [row for row in content["recalls"] if row["model_id"] in named | first]
    content["disagreements"] = []
    return document


def part(change: Callable[[Json], None] | None = None) -> bytes:
    """Return the part as a release, with a change of its content."""
    document = copy.deepcopy(_part())
    if change is not None:
        change(document["content"])
    return json.dumps(document).encode()


def rule(content: Json, rule_id: str) -> Json:
    """Return a rule of a release."""
    return next(row for row in content["rules"] if row["rule_id"] == rule_id)


def selected(document: bytes, day: Any = None) -> tuple[Tally, list[RuleSet]]:
    """Compare the selection of rules in a release."""
    corpus = Corpus(decode(document).content)
    with Reference(document) as reference:
        selecting = Selecting(corpus, Records(document), reference, day or NOW.date(), "program")
        tally, sets = selecting.compare()
    with Ground(document) as ground:
        tally.found = [
            asked_of_selection(ground, one) if one.sort == "selection" else one for one in tally.found[:2]
        ]
    return tally, sets


def proved(document: bytes, sets: list[RuleSet] | None = None) -> Tally:
    """Prove the sets of a release, all of them by default."""
    total = Tally()
    if sets is None:
        _, sets = selected(document)
    with Ground(document) as ground:
        for one in sets:
            total.add(prove(ground, one))
    return total
