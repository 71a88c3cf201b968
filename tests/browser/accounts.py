"""The people of the browser tests: one of each group, a second publisher, and a newcomer.

`python -m tests.browser.accounts` makes their accounts in the database of the environment, and prints as JSON
by which secret the app of each shows codes. The newcomer has none yet. It also counts what the service is
used for, as a job does once a day.
"""

import datetime
import json

import django

PEOPLE = {
    "elena": "Editor",
    "ravi": "Reviewer",
    "paula": "Publisher",
    "pavel": "Publisher",
    "marek": "Partner manager",
    "vera": "Viewer",
}
"""Who is in which group."""

NEWCOMER = "nora"
"""An editor on her first day, who has never signed in."""


def main() -> None:
    """Make the accounts."""
    django.setup()
    from django.contrib.auth.models import Group, User

    from tests.support.desk.signing_in import staff, with_app

    def member(name: str, group: str) -> User:
        user = staff(name)
        user.groups.add(Group.objects.get(name=group))
        return user

    secrets = {name: with_app(member(name, group))[0].key for name, group in PEOPLE.items()}
    member(NEWCOMER, "Editor")
    _count_use()
    print(json.dumps(secrets))


def _count_use() -> None:
    from django.utils import timezone

    from compliance.models import DailyUse
    from compliance.records.use.actions import keep_most_asked
    from compliance.records.use.counting import Route, Unanswered

    now = timezone.now()
    # The job of the service may have counted this day already.
    keep_most_asked(
        day=now.date(),
        days=30,
        routes=[Route("JP", "SG", 1230), Route("AE", "GB", 20)],
        unanswered=[Unanswered("anker-a1680", 40, 60)],
        now=now,
    )
    yesterday = now.date() - datetime.timedelta(days=1)
    DailyUse.objects.create(day=yesterday, channel="api", verdict="conditional", answers=1234)


if __name__ == "__main__":
    main()
