"""What one person alone may add, and what counts as taking away, record by record."""

import datetime
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from recalls.serials import AffectedSerials
from rules.engine.document import Content
from rules.engine.facts import Params, Quote, When
from rules.publishing.only_adding import losses
from tests.support.factories import a_device, a_recall, a_rule, a_source, an_airline

QUOTE = Quote(source="northwing-page", words="two power banks")
LIMIT = a_rule(
    rule_id="n1.limit",
    effect="require",
    code="max_units",
    params=Params(max_units=2),
    when=When(watt_hour_over=Decimal(100), compartment=("carry_on",)),
    effective_from=datetime.date(2026, 5, 1),
    effective_until=datetime.date(2027, 5, 1),
    sources=("northwing-page",),
    quotes=(QUOTE,),
)
PERMIT = a_rule(rule_id="n1.permit", sources=("northwing-page",))
RECALL = a_recall(sources=("lynx-page",))
PATTERN = replace(
    RECALL,
    affected_serials=AffectedSerials(
        scope="serial_pattern", identifier="serial", pattern="^A[12]$", exhaustive=True
    ),
)
THE_RECALL = f"recall {RECALL.recall_id}"
SOURCE = a_source()
UNCITED = a_source(id="uncited")
MODEL, AIRLINE = a_device(sources=("lynx-page",)), an_airline(sources=("northwing-page",))


def content(**changes: Any) -> Content:
    parts: dict[str, Any] = {
        "sources": (SOURCE, UNCITED),
        "airlines": (AIRLINE,),
        "devices": (MODEL,),
        "rules": (LIMIT, PERMIT),
        "recalls": (RECALL,),
    }
    return Content(**{"countries": (), "jurisdictions": (), "disagreements": (), **parts, **changes})


BEFORE = content()


def rules(**changes: Any) -> Content:
    return content(rules=(replace(LIMIT, **changes), PERMIT))


ADDS = {
    "a rule": content(rules=(LIMIT, PERMIT, replace(LIMIT, rule_id="n1.new"))),
    "a recall": content(recalls=(RECALL, replace(RECALL, recall_id="another"))),
    "a model": content(devices=(MODEL, a_device(model_id="another"))),
    "a source of a rule": rules(sources=("northwing-page", "intl-page")),
    "a quote": rules(quotes=(QUOTE, replace(QUOTE, words="one power bank"))),
    "a tighter limit": rules(params=Params(max_units=1)),
    "a condition that is gone": rules(when=When()),
    "a lower limit of energy": rules(when=replace(LIMIT.when, watt_hour_over=Decimal(90))),
    "one more compartment": rules(when=replace(LIMIT.when, compartment=("carry_on", "on_person"))),
    "an earlier beginning": rules(effective_from=None),
    "a later end": rules(effective_until=None),
    "the end of a permit": content(rules=(LIMIT,)),
    "a narrower permit": content(
        rules=(LIMIT, replace(PERMIT, when=replace(PERMIT.when, watt_hour_up_to=Decimal(50))))
    ),
    "a later reading": content(
        sources=(replace(SOURCE, read_on=SOURCE.read_on + datetime.timedelta(1)), UNCITED)
    ),
    "words of what is not cited": content(sources=(SOURCE, replace(UNCITED, title="Other"))),
    "a model that is gone, so that there are no answers about it": content(devices=()),
    "notes for editors": content(devices=(replace(MODEL, notes="Seen."),)),
}

TAKES = {
    "a requirement": ("rule n1.limit", content(rules=(PERMIT,))),
    "a requirement's conduct": ("rule n1.limit", rules(code="no_onboard_use", params=Params())),
    "a tighter limit": ("rule n1.limit", rules(params=Params(max_units=3))),
    "a new condition": ("rule n1.limit", rules(when=replace(LIMIT.when, condition=("damaged",)))),
    "a compartment": ("rule n1.limit", rules(when=replace(LIMIT.when, compartment=("on_person",)))),
    "days at the beginning": ("rule n1.limit", rules(effective_from=datetime.date(2026, 6, 1))),
    "days at the end": ("rule n1.limit", rules(effective_until=datetime.date(2026, 6, 1))),
    "a citation": ("rule n1.limit", rules(sources=("intl-page",))),
    "a quote": ("rule n1.limit", rules(quotes=())),
    "words": ("rule n1.limit", rules(summary="As you like.")),
    "words under a tighter limit": ("rule n1.limit", rules(params=Params(max_units=1), summary="Three.")),
    "confidence": ("rule n1.limit", rules(confidence="reported")),
    "the words of a permit": ("rule n1.permit", content(rules=(LIMIT, replace(PERMIT, summary="All.")))),
    "a permit that another rule may hide": (
        "rule n1.new",
        content(rules=(LIMIT, PERMIT, a_rule(rule_id="n1.new"))),
    ),
    "advice, which is words": (
        "rule n1.new",
        content(
            rules=(LIMIT, PERMIT, a_rule(rule_id="n1.new", effect="advise", code="onboard_use_discouraged"))
        ),
    ),
    "a permit for more": (
        "rule n1.permit",
        content(rules=(LIMIT, replace(PERMIT, applies=(*PERMIT.applies, "departure")))),
    ),
    "a recall": (THE_RECALL, content(recalls=())),
    "the remedy of a recall": (
        THE_RECALL,
        content(recalls=(replace(RECALL, remedy="None."),)),
    ),
    "the citation of a recall": (
        THE_RECALL,
        content(recalls=(replace(RECALL, sources=("x",)),)),
    ),
    "the title of a source": (
        "source northwing-page",
        content(sources=(replace(SOURCE, title="Other"), UNCITED)),
    ),
    "how a source was read": (
        "source northwing-page",
        content(sources=(replace(SOURCE, basis="secondary_read"), UNCITED)),
    ),
    "the name of a model": ("model lynx-10k", content(devices=(replace(MODEL, model_name="Other"),))),
    "the notes for partners": ("airline N1", content(airlines=(replace(AIRLINE, notes=("All.",)),))),
    "the summary of a policy": ("airline N1", content(airlines=(replace(AIRLINE, summary="Other"),))),
}


@pytest.mark.parametrize("what", ADDS)
def test_nothing_is_lost_where_it_adds(what: str) -> None:
    assert losses(BEFORE, ADDS[what]) == []


@pytest.mark.parametrize("what", TAKES)
def test_it_is_named_where_it_takes_away(what: str) -> None:
    name, after = TAKES[what]
    assert [loss.name for loss in losses(BEFORE, after)] == [name]


NARROW = replace(
    PERMIT,
    when=When(watt_hour_up_to=Decimal(100), compartment=("carry_on",)),
    effective_from=datetime.date(2026, 5, 1),
    effective_until=datetime.date(2027, 5, 1),
)


@pytest.mark.parametrize(
    ("changes", "lost"),
    [
        ({"when": replace(NARROW.when, watt_hour_up_to=Decimal(90))}, False),
        ({"when": replace(NARROW.when, condition=("intact",))}, False),
        ({"effective_from": datetime.date(2026, 6, 1)}, False),
        ({"effective_until": datetime.date(2026, 6, 1)}, False),
        ({"when": replace(NARROW.when, watt_hour_up_to=Decimal(160))}, True),
        ({"when": When(watt_hour_up_to=Decimal(100))}, True),
        ({"when": replace(NARROW.when, compartment=("carry_on", "checked_baggage"))}, True),
        ({"effective_from": None}, True),
        ({"effective_until": datetime.date(2028, 1, 1)}, True),
    ],
)
def test_a_permit_only_becomes_narrower(changes: dict[str, Any], lost: bool) -> None:
    after = content(rules=(LIMIT, replace(NARROW, **changes)))
    assert bool(losses(content(rules=(LIMIT, NARROW)), after)) == lost


@pytest.mark.parametrize(
    ("changes", "lost"),
    [
        ({"pattern": "^A[123]$"}, False),
        ({"pattern": "^A1$"}, True),
        ({"exhaustive": False}, False),
        ({"scope": "all_units", "pattern": None, "exhaustive": False}, False),
        ({"explicit_list_url": "https://maker.example/"}, True),
        ({"format_hint": "On the back."}, True),
    ],
)
def test_the_serials_of_a_recall_only_become_more(changes: dict[str, Any], lost: bool) -> None:
    after = replace(PATTERN, affected_serials=replace(PATTERN.affected_serials, **changes))
    assert bool(losses(content(recalls=(PATTERN,)), content(recalls=(after,)))) == lost
