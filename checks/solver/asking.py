"""Facts as a question to the engine, about a release with a made-up unit that has exactly these facts."""

import datetime
import json
from typing import Any

from checks.solver import encoding
from checks.solver.sets import Flight
from rules.engine.corpus import Corpus
from rules.engine.document import decode
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Leg, Question, Unit

MADE_UP = "made-up-unit"

RECALLED: dict[str, dict[str, Any]] = {
    "serial_unknown": {"scope": "sale_dates", "identifier": "serial"},
    "external_check_required": {
        "scope": "lookup_required",
        "identifier": "serial",
        "explicit_list_url": "https://example.org/list",
    },
    "affected": {"scope": "all_units", "identifier": "model"},
}
"""A recall that gives a status to a unit without a serial."""


def engine_verdict(document: bytes, named: list[str], flight: Flight, facts: dict[str, int]) -> str:
    """Return the verdict that the engine gives for facts on a flight."""
    model_id = named[facts["model"] - 1] if facts["model"] else MADE_UP
    content = decode(json.dumps(with_unit(json.loads(document), model_id, facts)).encode()).content
    question = Question(
        unit=Unit(
            model_id=model_id,
            quantity=facts["quantity"],
            ccc_mark=_word(encoding.MARKS, facts["mark"]),
            capacity_label=_word(encoding.LABELS, facts["label"]),
            condition=_word(encoding.CONDITIONS, facts["condition"]),
            recall_check=_word(encoding.LIST_ANSWERS, facts["list_answer"]),
        ),
        leg=Leg(flight.leg.origin, flight.leg.destination, flight.leg.airline),
        travel_date=flight.day,
        compartment_intent=_word(encoding.COMPARTMENTS, facts["compartment"]),
    )
    return evaluate_leg(Corpus(content), question, today=flight.day).verdict


def with_unit(document: dict[str, Any], model_id: str, facts: dict[str, int]) -> dict[str, Any]:
    """Return a release in which a model has the energy, the recall and the certificate of some facts."""
    content = document["content"]
    content["devices"] = [row for row in content["devices"] if row["model_id"] != model_id]
    content["recalls"] = [row for row in content["recalls"] if row["model_id"] != model_id]
    source = next(row["id"] for row in content["sources"] if row["basis"] != "general_knowledge")
    basis = encoding.BASES[facts["basis"]]
    device = {
        "model_id": model_id,
        "brand": "Made up",
        "model_name": "Made up",
        "watt_hour": None if basis == "unknown" else f"{facts['energy'] / 100:.2f}",
        "watt_hour_basis": basis,
        "sources": [source],
    }
    if facts["doubted"]:
        device["certificates"] = [{"mark": "CCC", "status": "revoked", "source": source}]
    content["devices"].append(device)
    status = encoding.RECALL_STATUSES[facts["recall"]]
    if status in RECALLED:
        content["recalls"].append(
            {
                "recall_id": "made-up-recall",
                "model_id": model_id,
                "authority": "Made up",
                "jurisdiction": "INTL",
                "announced_on": str(datetime.date.min),
                "announced_precision": "day",
                "title": "Made up",
                "hazard": "Made up",
                "remedy": "Made up",
                "affected_serials": RECALLED[status],
                "notice_url": "https://example.org/",
                "sources": [source],
            }
        )
    return document


def in_words(facts: dict[str, int], named: list[str]) -> str:
    """Return facts as people read them."""
    basis = encoding.BASES[facts["basis"]]
    energy = "unknown energy" if basis == "unknown" else f"{facts['energy'] / 100:.2f} Wh {basis}"
    words = [
        energy,
        encoding.COMPARTMENTS[facts["compartment"]],
        f"{facts['quantity']} units",
        f"mark {encoding.MARKS[facts['mark']]}",
        f"label {encoding.LABELS[facts['label']]}",
        f"condition {encoding.CONDITIONS[facts['condition']]}",
        f"recall {encoding.RECALL_STATUSES[facts['recall']]}",
    ]
    if facts["list_answer"]:
        words.append("named by the maker's list")
    if facts["doubted"]:
        words.append("certificate revoked")
    if facts["model"]:
        words.append(f"model {named[facts['model'] - 1]}")
    return ", ".join(words)


def _word(words: tuple[str, ...], number: int) -> Any:
    return words[number]
