"""The actions of editors during a fault, from a separate process: `python -m checks.chaos.editing COMMAND`.

- `stricter`: let one airline accept one power bank instead of two, ready to be published
- `publish`: publish what is ready
- `plan`: schedule its publishing, now
- `back VERSION`: publish again what an earlier release contained
"""

import datetime
import os
import sys
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from django.contrib.auth.models import User

RULE = "nz.max-units"
AIRLINE = "NZ"
"""Accepts two power banks before, and one after."""

NOTE = "One power bank instead of two."


def main() -> None:
    """Run one command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
    django.setup()
    match sys.argv[1:]:
        case ["stricter"]:
            make_stricter()
        case ["publish"]:
            publish()
        case ["plan"]:
            plan()
        case ["back", version]:
            back(version)
        case _:
            sys.exit(__doc__)


def make_stricter() -> None:
    """Revise the rule, and let another person approve it."""
    from msgspec.structs import replace

    from rules.editing import actions
    from rules.next_release import compile_content

    editor, reviewer = _account("chaos-editor"), _account("chaos-reviewer")
    actions.revise_rules(by=editor, rule_ids=[RULE], reason=NOTE)
    (rule,) = (rule for rule in compile_content().rules if rule.rule_id == RULE)
    rule = replace(
        rule,
        params=replace(rule.params, max_units=1),
        summary=rule.summary.replace("at most 2", "at most 1"),
    )
    actions.change_rule(by=editor, rule=rule)
    actions.submit_rules(by=editor, rule_ids=[RULE])
    actions.approve_rules(by=reviewer, rule_ids=[RULE])


def publish() -> None:
    """Publish what is ready, measured first."""
    from django.core.management import call_command

    call_command("release", "publish", "--note", NOTE)


def plan() -> None:
    """Schedule the publishing of what is ready for a second from now."""
    from django.utils import timezone

    from rules.impact.actions.measuring import measure_publishing, work_off
    from rules.models import Release
    from rules.publishing.actions.plans import plan_release
    from rules.publishing.actions.releases import Shown
    from rules.publishing.candidate import candidate

    by = _account("chaos-publisher", is_superuser=True)
    now = timezone.now()
    work_off(measure_publishing(by=by, now=now))
    shown = Shown(str(Release.objects.without_document().current()), candidate().content_sha256)
    plan_release(by=by, note=NOTE, due=timezone.now() + datetime.timedelta(seconds=1), shown=shown, now=now)


def back(version: str) -> None:
    """Publish again what an earlier release contained: one person requests it, the command line does it."""
    from django.core.management import call_command
    from django.utils import timezone

    from rules.publishing.actions.rolling_back import request_roll_back

    request_roll_back(
        by=_account("chaos-second", is_superuser=True),
        to=version,
        reason="To see it again.",
        now=timezone.now(),
    )
    call_command("release", "roll-back", version, "--reason", "To see it again.")


def _account(name: str, *, is_superuser: bool = False) -> "User":
    """Return an account that no one signs in as. A superuser may publish, also at a scheduled time."""
    from django.contrib.auth.models import User

    defaults = {"is_superuser": is_superuser, "is_active": is_superuser}
    account, _ = User.objects.get_or_create(username=name, defaults=defaults)
    return account


if __name__ == "__main__":
    main()
