"""Writes what an announcement makes: its source, its drafts and their submission; or nothing of it."""

import uuid
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog import records
from catalog.sources.actions import record_source
from catalog.tables.actions.inserting import insert
from rules.editing.actions import change_rules, draft_rules, revise_rules, submit_rules
from rules.editing.announcement.models import AnnouncedRule, Announcement
from rules.editing.announcement.proposals import Proposal
from rules.editing.models import Rule


@transaction.atomic
def announce(
    *,
    by: User,
    key: uuid.UUID,
    title: str,
    proposals: Sequence[Proposal],
    new_source: records.Source | None = None,
) -> Announcement:
    """Draft what is new, revise what is published, and submit all of it for review.

    Another person approves each rule, as any other. Raises `AlreadyRecorded` if an announcement has this key,
    and whatever the actions of sources and rules refuse.
    """
    announcement = Announcement(key=key, title=title, created_at=timezone.now(), created_by=by)
    insert([announcement], owner="title")
    if new_source is not None:
        record_source(by=by, source=new_source)
    reason = f"Announced: {title}"
    drafted = [rule for proposal in proposals for rule in proposal.drafted]
    revised = [rule for proposal in proposals for rule in proposal.revised]
    draft_rules(by=by, rules=drafted, reason=reason)
    revised_ids = [rule.rule_id for rule in revised]
    revise_rules(by=by, rule_ids=revised_ids, reason=reason)
    change_rules(by=by, rules=revised)
    ids = [rule.rule_id for rule in (*drafted, *revised)]
    submit_rules(by=by, rule_ids=ids)
    rows = Rule.objects.identified(ids)
    insert([AnnouncedRule(announcement=announcement, rule=row) for row in rows], owner="rule_id")
    return announcement
