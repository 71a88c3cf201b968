"""A copy of a rule or a recall begins a new draft with its content, and never with its evidence."""

import pytest

from recalls.models import Recall
from rules.models import Rule
from tests.support.desk.filling_in import fields_of, save
from tests.support.desk.visiting import Visitor, member

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")

RULES, RECALLS = "/admin/rules/rule/", "/admin/recalls/recall/"


@pytest.fixture
def editor(db: None) -> Visitor:
    return member("Editor")


def test_a_rule_is_copied_to_another_airline_without_its_evidence(editor: Visitor) -> None:
    rule = Rule.objects.get(rule_id="n1.cabin-up-to-160wh")
    address = f"{RULES}add/?copy={rule.pk}"
    assert address in editor.page(f"{RULES}{rule.pk}/change/").replace("&amp;", "&")
    fields = fields_of(editor, address)
    assert (fields["says"], fields["compartment"]) == (["permit"], ["carry_on", "on_person"])
    assert float(fields["watt_hour_up_to"][0]) == 160
    for name in ("rule_id", "airline", "authority", "summary", "confidence"):
        assert fields.get(name, [""]) == [""], name
    assert "evidence-source" not in fields
    typed = {"rule_id": "s2.copied", "airline": "S2", "summary": "Copied.", "confidence": "reported"}
    assert save(editor, address, **typed).status_code == 200, (
        "the source is given again, or nothing is written"
    )
    assert not Rule.objects.filter(rule_id="s2.copied").exists()
    assert save(editor, address, **typed, **{"evidence-source": ["xb-page"]}).status_code == 302
    copied = Rule.objects.get(rule_id="s2.copied").to_record()
    assert (copied.airline, copied.when, copied.sources) == ("S2", rule.to_record().when, ("xb-page",))


def test_a_recall_is_copied_to_a_sibling_without_its_model_samples_and_evidence(editor: Visitor) -> None:
    recall = Recall.objects.filter(scope="serial_pattern")[0]
    fields = fields_of(editor, f"{RECALLS}add/?copy={recall.pk}")
    assert (fields["pattern"], fields["scope"]) == ([recall.pattern], ["serial_pattern"])
    for name in ("device", "recall_id", "notice_url", "units"):
        assert fields.get(name, [""]) == [""], name
    for name in ("evidence-source", "affected_samples-text", "unaffected_samples-text"):
        assert name not in fields


def test_what_cannot_be_found_is_not_copied(editor: Visitor) -> None:
    for word in ("999999", "x", ""):
        assert fields_of(editor, f"{RULES}add/?copy={word}")["says"] == [""]


def test_only_who_drafts_is_offered_a_copy(editor: Visitor) -> None:
    rule = Rule.objects.get(rule_id="n1.cabin-up-to-160wh")
    assert "?copy=" not in member("Reviewer").page(f"{RULES}{rule.pk}/change/")
