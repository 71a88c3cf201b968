"""Second approvals for tests about something else: approves everything again, with newer readings."""

import datetime

from django.db.models import F

from catalog.editorial.workflow import AGREED, State
from catalog.models import Source
from recalls.editing.actions import approve_recalls_again
from recalls.models import Recall
from rules.editing.actions import approve_rules_again
from rules.models import Rule
from tests.support.factories import a_user


def approve_all_again() -> None:
    """Give all pending second approvals; if there are any, another person read all sources again later."""
    rules, recalls = (model.objects.filter(state__in=AGREED).newest() for model in (Rule, Recall))
    waiting = {"state": State.APPROVED, "second_approved_at": None}
    rules, recalls = rules.filter(**waiting), recalls.filter(**waiting)
    if not rules and not recalls:
        return
    Source.objects.update(
        recorded_at=F("recorded_at") + datetime.timedelta(minutes=1), recorded_by=a_user("reader")
    )
    approver = a_user("second-approver")
    approve_rules_again(by=approver, rule_ids=[row.rule_id for row in rules])
    approve_recalls_again(by=approver, recall_ids=[row.recall_id for row in recalls])
