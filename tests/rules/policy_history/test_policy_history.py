"""What readers rely on of the history of policies: nothing is missed, told twice, or called new in error."""

import datetime
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from msgspec.structs import replace

from catalog.database import cached_values
from rules import corpus
from rules.corpus import Published
from rules.engine.document import Content
from rules.engine.facts import PolicyChange, When
from rules.models import PolicyEntry, PolicyHistory, Release
from rules.policy_history import actions as keeping
from rules.policy_history import selectors
from rules.policy_history.actions import keep_policy_history
from rules.policy_history.log import PolicyLog, status
from rules.policy_history.selectors import HistoryEntry, Narrowed
from rules.policy_history.wording import change_sentence
from tests.support.factories import a_country, a_jurisdiction, a_rule, a_source, an_airline
from tests.support.ledger import DAY, FIRST, publish
from tests.support.releasing import alter

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_process")]

NOW = FIRST + 30 * DAY

REGULATOR_RULE = a_rule(
    rule_id="xa.cabin-only", issuer="regulator", airline=None, authority="Northland Aviation"
)


def content(**records: Any) -> Content:
    lists: dict[str, Any] = {
        "countries": (a_country(),),
        "jurisdictions": (a_jurisdiction(),),
        "sources": (a_source(), a_source(id="other-page", url="https://northwing.example/other")),
        "airlines": (an_airline(),),
        "rules": (a_rule(), REGULATOR_RULE),
    }
    return Content(**lists | records)


def publish_all(*contents: Content) -> Published:
    """Publish one release a day, and return the last one."""
    for number, one in enumerate(contents):
        publish(one, now=FIRST + number * DAY)
    return corpus.refresh()


def entries(published: Published, **narrowed: Any) -> list[HistoryEntry]:
    history = selectors.history(published)
    assert history is not None
    return selectors.entries(history, Narrowed(**narrowed), skip=0, most=1_000)


def only(published: Published, **narrowed: Any) -> HistoryEntry:
    [entry] = entries(published, **narrowed)
    return entry


# --- What is kept -----------------------------------------------------------------------------------------


def test_the_first_release_is_a_beginning_and_no_change() -> None:
    published = publish_all(content())
    assert keep_policy_history(now=NOW) == ["2026-11-20"]
    history = selectors.history(published)
    assert history is not None
    assert history.complete
    assert history.beginning == ("2026-11-20", FIRST.date())
    assert entries(published) == []


def test_what_a_release_added_changed_and_removed_is_told_with_whose_it_is() -> None:
    changed = a_rule(when=When(watt_hour_up_to=Decimal(100), compartment=("carry_on", "on_person")))
    published = publish_all(
        content(),
        content(rules=(changed, a_rule(rule_id="n1.new"))),
    )
    keep_policy_history(now=NOW)
    found = {entry.record_id: entry for entry in entries(published)}
    assert {name: (one.change, one.airline, one.jurisdiction) for name, one in found.items()} == {
        "n1.cabin-up-to-160wh": ("changed", "N1", "XA"),
        "n1.new": ("added", "N1", "XA"),
        "xa.cabin-only": ("removed", None, "XA"),
    }
    [field] = found["n1.cabin-up-to-160wh"].fields
    assert (field.field, field.before, field.after) == ("when.watt_hour_up_to", "160", "100")
    assert {one.date for one in found.values()} == {(FIRST + DAY).date()}
    assert found["xa.cabin-only"].citations[0].url == a_source().url


def test_another_reading_an_editors_record_and_another_spelling_of_a_figure_are_no_change() -> None:
    change = PolicyChange(date=FIRST.date(), what="One unit.", source="northwing-page")
    published = publish_all(
        content(),
        content(
            sources=(
                a_source(read_on=FIRST.date() + 2 * DAY),
                a_source(id="other-page", url="https://northwing.example/other"),
            )
        ),
        content(airlines=(an_airline(changes=(change,)),)),
        content(
            rules=(
                a_rule(when=When(watt_hour_up_to=Decimal("160.00"), compartment=("carry_on", "on_person"))),
                REGULATOR_RULE,
            )
        ),
    )
    assert len(keep_policy_history(now=NOW)) == 4
    assert entries(published) == []


def test_doing_it_again_or_in_small_steps_gives_the_same() -> None:
    published = publish_all(
        content(), content(rules=(a_rule(),)), content(), content(rules=()), content(rules=(a_rule(),))
    )
    steps = []
    while kept := keep_policy_history(now=NOW, most=1):
        steps += kept
    assert steps == list(Release.objects.values_list("ruleset_version", flat=True))
    assert keep_policy_history(now=NOW) == []
    described = [(one.ruleset_version, one.record_id, one.change) for one in entries(published)]
    assert len(described) == len(set(described)) == 1 + 1 + 2 + 1


def test_being_killed_in_the_middle_of_a_release_loses_and_repeats_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    published = publish_all(content(), content(rules=(a_rule(),)), content(rules=()))

    def die(*args: Any) -> Any:
        raise KeyboardInterrupt

    for number in (1, 2):
        with monkeypatch.context() as killed, transaction.atomic():
            killed.setattr(keeping, "policy_news", die)
            with pytest.raises(KeyboardInterrupt), transaction.atomic():
                keep_policy_history(now=NOW)
        keep_policy_history(now=NOW, most=number)
    keep_policy_history(now=NOW)
    assert [(one.record_id, one.change) for one in entries(published)] == [
        ("n1.cabin-up-to-160wh", "removed"),
        ("xa.cabin-only", "removed"),
    ]


def test_a_release_that_cannot_be_read_is_passed_over_and_nothing_is_lost() -> None:
    publish_all(content(), content(rules=()), content(rules=(a_rule(),)))
    alter(Release.objects.get(sequence=2), document='{"format":"release.v9"}')
    keep_policy_history(now=NOW)
    assert list(PolicyHistory.objects.values_list("sequence", "is_readable")) == [
        (3, True),
        (2, False),
        (1, True),
    ]
    # Compared with the first one: what the second said is not known.
    assert only(corpus.refresh()).record_id == "xa.cabin-only"


def test_what_was_worked_out_neither_changes_nor_goes_away() -> None:
    publish_all(content(), content(rules=()))
    keep_policy_history(now=NOW)
    for rows in (PolicyEntry.objects.all(), PolicyHistory.objects.all()):
        with pytest.raises(IntegrityError, match="stays as it is"), transaction.atomic():
            rows.update(sequence=9)
        with pytest.raises(IntegrityError, match="stays as it is"), transaction.atomic():
            rows._raw_delete(rows.db)


def test_a_roll_back_shows_as_such() -> None:
    published = publish_all(content(), content(rules=(a_rule(),)), content())
    keep_policy_history(now=NOW)
    newest, older = entries(published)
    assert (newest.back_to, newest.change, older.back_to) == ("2026-11-20", "added", None)
    assert change_sentence(newest, "en").startswith(
        "Ruleset 2026-11-22 restored ruleset 2026-11-20. A rule was added: "
    )


# --- What readers get -------------------------------------------------------------------------------------


def test_a_history_reaches_as_far_as_the_release_that_answers_and_no_farther() -> None:
    first = publish_all(content())
    keep_policy_history(now=NOW)
    second = publish(content(rules=()), now=FIRST + DAY)
    keep_policy_history(now=NOW)
    assert entries(first) == []
    assert len(entries(corpus.past(second.sha256))) == 2


def test_a_history_that_is_behind_says_so_and_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    published = publish_all(content(), content(rules=()))
    keep_policy_history(now=NOW, most=1)
    behind = selectors.history(published)
    assert behind is not None
    assert (behind.complete, behind.until) == (False, "2026-11-20")
    monkeypatch.setattr(selectors, "PATIENCE_SECONDS", 0)
    before = cached_values.generation()
    assert selectors.history(published) == behind
    # Pages that show it are still the same.
    assert cached_values.generation() == before
    keep_policy_history(now=NOW)
    caught_up = selectors.history(published)
    assert cached_values.generation() == before + 1
    assert caught_up is not None
    assert (caught_up.complete, caught_up.until) == (True, "2026-11-21")


def test_counts_cost_nothing_once_a_release_is_known(django_assert_num_queries: Any) -> None:
    published = publish_all(content(), content(rules=()))
    keep_policy_history(now=NOW)
    selectors.history(published)
    with django_assert_num_queries(0):
        log = PolicyLog(published, selectors.history(published))
        assert (len(log), log.by_airline(), log.by_authority()) == (2, {"N1": 1}, {"XA": 1})


def test_the_list_is_in_one_order_however_it_is_cut(django_assert_num_queries: Any) -> None:
    days = [FIRST.date() + datetime.timedelta(days=number) for number in (-3, 0, 1, 2, 5)]
    changes = tuple(PolicyChange(date=day, what=f"On {day}.", source="northwing-page") for day in days)
    airlines = (an_airline(changes=changes),)
    more = tuple(a_rule(rule_id=f"n1.rule-{number}") for number in range(4))
    published = publish_all(
        content(airlines=airlines),
        content(airlines=airlines, rules=(a_rule(), REGULATOR_RULE, *more)),
        content(airlines=airlines, rules=(a_rule(), REGULATOR_RULE)),
    )
    keep_policy_history(now=NOW)
    log = PolicyLog(published, selectors.history(published))
    whole = list(log[:])
    assert len(log) == len(whole) == 5 + 4 + 4
    dates = [one.date if isinstance(one, HistoryEntry) else one.change.date for one in whole]
    assert dates == sorted(dates, reverse=True)
    for size in (1, 2, 3, 5, 13):
        # The newest entries are held, so pages of a list ask for nothing.
        with django_assert_num_queries(0):
            assert [one for at in range(0, 13, size) for one in log[at : at + size]] == whole


@pytest.mark.parametrize(
    ("narrowed", "expected"),
    [
        ({"airline": "N1"}, ["n1.cabin-up-to-160wh"]),
        ({"jurisdiction": "XA"}, ["n1.cabin-up-to-160wh", "xa.cabin-only"]),
        ({"jurisdiction": "XB"}, []),
        ({"since": FIRST.date() + DAY}, ["n1.cabin-up-to-160wh", "xa.cabin-only"]),
        ({"since": FIRST.date() + 2 * DAY}, []),
    ],
)
def test_what_is_asked_for_narrows_counts_and_entries_alike(
    narrowed: dict[str, Any], expected: list[str]
) -> None:
    published = publish_all(content(), content(rules=()))
    keep_policy_history(now=NOW)
    log = PolicyLog(published, selectors.history(published), Narrowed(**narrowed))
    assert [one.record_id for one in log[:] if isinstance(one, HistoryEntry)] == expected
    assert len(log) == len(expected)


def test_the_newest_entries_newest_of_airlines_take_one_query(django_assert_num_queries: Any) -> None:
    published = publish_all(content(), content(rules=()), content())
    keep_policy_history(now=NOW)
    selectors.history(published)
    with django_assert_num_queries(1):
        found = selectors.newest_of_airlines(published, 1)
    assert [one.change for one in found["N1"]] == ["added"]
    both = selectors.newest(published, "N1")
    assert both is not None
    assert [one.change for one in both] == ["added", "removed"]


# --- In words ---------------------------------------------------------------------------------------------


def sentence_of(before: Any, after: Any, language: str = "en") -> str:
    """What is told of one record that became another one."""
    kind = "rules" if hasattr(after or before, "rule_id") else "airlines"
    rest: dict[str, Any] = {"rules": (), "airlines": (an_airline(),)}
    sides = [content(**rest | {kind: () if one is None else (one,)}) for one in (before, after)]
    published = publish_all(*sides)
    keep_policy_history(now=NOW)
    return change_sentence(only(published), language)


STRICTER = replace(
    a_rule(), when=When(watt_hour_up_to=Decimal(100)), summary="Up to 100 Wh travel in the cabin."
)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (None, a_rule(), "A rule was added: Up to 160 Wh travel in the cabin."),
        (a_rule(), None, "A rule was withdrawn: Up to 160 Wh travel in the cabin."),
        (
            a_rule(),
            STRICTER,
            "A rule was changed. It now says: Up to 100 Wh travel in the cabin. It previously said: "
            "Up to 160 Wh travel in the cabin.",
        ),
        # The editors' sentence stayed, the rule did not: then the rule speaks for itself.
        (
            a_rule(),
            replace(STRICTER, summary=a_rule().summary),
            "A rule was changed. It now says: A power bank of up to 100 Wh may be carried. It "
            "previously said: A power bank of up to 160 Wh may travel in the cabin.",
        ),
        (
            a_rule(),
            a_rule(summary="160 Wh at most."),
            "A rule was reworded and means the same. It now says: 160 Wh at most.",
        ),
        (
            a_rule(),
            a_rule(effective_until=datetime.date(2026, 12, 31), confidence="reported"),
            "The record of a rule was changed. It still says: Up to 160 Wh travel in the cabin. Its "
            "last day is 31 December 2026. It is now reported: a page that says so was read, but no "
            "official one.",
        ),
        (
            a_rule(effective_until=datetime.date(2026, 12, 31)),
            a_rule(sources=("other-page",)),
            "The record of a rule was changed. It still says: Up to 160 Wh travel in the cabin. It no "
            "longer has a last day. It now has different sources.",
        ),
        (
            None,
            a_rule(effective_from=datetime.date(2027, 1, 1)),
            "A rule was added: Up to 160 Wh travel in the cabin. It applies from 1 January 2027.",
        ),
        (
            an_airline(),
            an_airline(confidence="reported", policy_url="https://northwing.example/new"),
            "The official page is now at https://northwing.example/new. "
            "The policy is now reported: a page was read, but no official one.",
        ),
        (
            an_airline(),
            an_airline(summary="One unit."),
            "The summary of the policy now says: One unit. It previously said: Up to 160 Wh in the "
            "cabin, two units.",
        ),
    ],
)
def test_each_change_is_told_in_plain_words(before: Any, after: Any, words: str) -> None:
    assert sentence_of(before, after) == words


def test_in_other_languages_no_sentence_of_an_editor_is_told() -> None:
    words = sentence_of(a_rule(summary="ENGLISH"), replace(STRICTER, summary="ENGLISCH"), "de")
    assert "ENGLI" not in words
    assert "100" in words


def test_a_record_that_no_one_can_read_any_more_is_still_told() -> None:
    published = publish_all(content(), content(rules=(REGULATOR_RULE,)))
    keep_policy_history(now=NOW)
    entry = replace(only(published), before={"rule_id": "n1.cabin-up-to-160wh", "unknown": 1})
    assert change_sentence(entry, "en") == "A rule was withdrawn."


def test_a_rule_that_starts_later_is_upcoming_until_then() -> None:
    later = FIRST.date() + 10 * DAY
    published = publish_all(content(rules=()), content(rules=(a_rule(effective_from=later),)))
    keep_policy_history(now=NOW)
    entry = only(published)
    log = PolicyLog(published, selectors.history(published))
    for day, word in ((later - DAY, "upcoming"), (later, "in_effect")):
        assert status(entry, day) == word
        assert log.by_status(day)[word] == 1
