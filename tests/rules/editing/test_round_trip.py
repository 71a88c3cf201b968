"""Whatever can be published can be written by verbs, and reads back as it was."""

from string import ascii_uppercase

import pytest
import time_machine
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace

from catalog.airlines.actions import record_airlines
from catalog.devices.actions import record_devices
from catalog.places.actions import record_countries, record_jurisdictions
from catalog.sources.actions import record_sources
from recalls.editing.actions import approve_recalls, draft_recalls, submit_recalls
from rules.editing.actions import approve_rules, draft_rules, submit_rules
from rules.engine.document import ID_FIELD, Content
from rules.next_release import compile_content
from tests.rules.engine.worlds import TODAY, WORLDS
from tests.support.factories import a_user


def with_icao_codes_of_their_own(content: Content) -> Content:
    """Return content whose airlines differ in their ICAO codes too; the engine never looks at those."""
    airlines = zip(content.airlines, ascii_uppercase, strict=False)
    return replace(
        content, airlines=tuple(replace(airline, icao=f"XX{letter}") for airline, letter in airlines)
    )


def with_evidence_of_what_is_confirmed(content: Content) -> Content:
    """Return content whose rules are confirmed only by an official page that was read."""
    official = {source.id for source in content.sources if source.basis == "official_page_read"}
    return replace(
        content,
        rules=tuple(
            rule if official.intersection(rule.sources) else replace(rule, confidence="reported")
            for rule in content.rules
        ),
    )


@pytest.mark.django_db
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=WORLDS.map(with_icao_codes_of_their_own).map(with_evidence_of_what_is_confirmed))
def test_content_written_by_actions_reads_back_record_for_record(content: Content) -> None:
    # The sources of these worlds were read by their own day.
    with time_machine.travel(TODAY), transaction.atomic():
        author, approver = a_user("author"), a_user("approver")
        record_countries(by=author, countries=content.countries)
        record_jurisdictions(by=author, jurisdictions=content.jurisdictions)
        record_sources(by=author, sources=content.sources)
        record_airlines(by=author, airlines=content.airlines)
        record_devices(by=author, devices=content.devices)
        draft_rules(by=author, rules=content.rules)
        rule_ids = [rule.rule_id for rule in content.rules]
        submit_rules(by=author, rule_ids=rule_ids)
        approve_rules(by=approver, rule_ids=rule_ids)
        draft_recalls(by=author, recalls=content.recalls)
        recall_ids = [recall.recall_id for recall in content.recalls]
        submit_recalls(by=author, recall_ids=recall_ids)
        approve_recalls(by=approver, recall_ids=recall_ids)
        read = compile_content()
        transaction.set_rollback(True)
    for kind, identifier in ID_FIELD.items():
        written = {getattr(record, identifier): record for record in getattr(content, kind)}
        assert {getattr(record, identifier): record for record in getattr(read, kind)} == written
