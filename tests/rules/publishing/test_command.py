"""`manage.py release`: what a person at the command line reads."""

import hashlib
import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from catalog.models import Country
from catalog.signing_keys import signing_key
from rules.models import Release
from tests.support.releasing import DAY, NOON, Desk, alter, unguarded


@pytest.fixture(autouse=True)
def _no_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    # The project's own cases speak of the starter corpus, which is not here.
    monkeypatch.setattr("rules.publishing.candidate.cases_in_force", lambda: ())


def release(*arguments: str) -> str:
    out = StringIO()
    call_command("release", *arguments, stdout=out)
    return out.getvalue()


def test_publish_says_what_was_published(desk: Desk) -> None:
    desk.record("FR", "DE")

    printed = release("publish", "--note", "Two countries.")

    current = Release.objects.current()
    assert current is not None
    assert (current.note, current.published_by.username) == ("Two countries.", "command-line")
    assert printed == (
        f"Published release {current}: 2 countries, 0 jurisdictions, 0 sources, 0 airlines, 0 devices, "
        "0 rules, 0 recalls.\n"
    )


def test_a_release_without_a_note_gets_one_that_says_what_differs(desk: Desk) -> None:
    desk.record("FR")
    release("publish")
    desk.record("DE")
    release("publish")
    assert [row.note for row in Release.objects.order_by("sequence")] == [
        "First release: 0 rules, 0 recalls.",
        "Countries: 1 added (DE).",
    ]


def test_publish_without_news_is_an_error(desk: Desk) -> None:
    desk.record("FR")
    release("publish", "--note", "One country.")
    current = Release.objects.current()

    with pytest.raises(CommandError, match=f"^Not published: nothing has changed since release {current}$"):
        release("publish", "--note", "Again.")
    assert Release.objects.count() == 1


def test_a_restart_never_publishes_what_editors_have_only_approved(desk: Desk) -> None:
    desk.record("FR")
    release("publish", "--note", "Starter corpus", "--first")
    current = Release.objects.current()
    desk.record("DE")

    printed = release("publish", "--note", "Starter corpus", "--first")

    assert printed == f"Release {current} is already published and stays current.\n"
    assert Release.objects.current() == current


def test_an_empty_note_is_refused(desk: Desk) -> None:
    with pytest.raises(CommandError, match="needs a note"):
        release("publish", "--note", " ")


def test_list_shows_the_newest_first(desk: Desk) -> None:
    assert release("list") == "No release is published.\n"
    first = desk.publish_news(note="The first.")
    second = desk.publish_news(now=NOON + DAY, note="The second.")

    assert release("list") == (
        f"2026-11-21     2026-11-21 12:00:00Z  {second.sha256[:12]}  editor: The second.\n"
        f"2026-11-20     2026-11-20 12:00:00Z  {first.sha256[:12]}  editor: The first.\n"
    )


def test_show_tells_who_published_what_and_after_which_release(desk: Desk) -> None:
    first, second = desk.publish_news(), desk.publish_news(note="The second.")

    assert release("show", "2026-11-20.2").splitlines() == [
        "Release 2026-11-20.2, the current one",
        "  note         The second.",
        "  published    2026-11-20 12:00:00Z by editor",
        "  holds        2 countries, 0 jurisdictions, 0 sources, 0 airlines, 0 devices, 0 rules, 0 recalls",
        f"  sha256       {second.sha256}",
        f"  content      {second.content_sha256}",
        f"  predecessor  2026-11-20 {first.sha256}",
    ]
    assert release("show", "2026-11-20").splitlines()[0] == "Release 2026-11-20"
    assert release("show", "2026-11-20").splitlines()[-1] == "  predecessor  none"


def test_show_json_prints_the_bytes_that_the_digest_is_of(desk: Desk) -> None:
    published = desk.publish_news()

    assert hashlib.sha256(release("show", "2026-11-20", "--json").encode()).hexdigest() == published.sha256


def test_diff_shows_records_and_their_fields(desk: Desk) -> None:
    desk.record("FR", "DE")
    desk.publish()
    Country.objects.filter(code="FR").update(name="France")
    Country.objects.filter(code="DE").delete()
    desk.record("IT")
    desk.publish()

    assert release("diff", "2026-11-20", "2026-11-20.2").splitlines() == [
        "2026-11-20 → 2026-11-20.2: 1 added, 1 changed, 1 removed",
        "",
        "countries",
        "  - DE",
        "  ~ FR",
        '      name: "Land of FR" → "France"',
        "  + IT",
    ]
    assert (
        release("diff", "2026-11-20", "2026-11-20")
        == "2026-11-20 → 2026-11-20: 0 added, 0 changed, 0 removed\n"
    )


@pytest.mark.parametrize("arguments", [("show", "2026-01-01"), ("diff", "2026-11-20", "2026-01-01")])
def test_a_release_that_is_not_there_is_one_clear_sentence(desk: Desk, arguments: tuple[str, ...]) -> None:
    desk.publish_news()

    with pytest.raises(CommandError, match=r"^There is no release 2026-01-01; `release list` shows all\.$"):
        release(*arguments)


def test_verify_tells_that_the_ledger_holds_or_where_it_does_not(desk: Desk) -> None:
    published = desk.publish_news()
    assert release("verify") == "The ledger is intact and signed. Releases: 1. Current: 2026-11-20.\n"

    alter(published, content_sha256="f" * 64)

    with pytest.raises(CommandError) as error:
        release("verify")
    assert str(error.value).splitlines() == [
        "The ledger is damaged:",
        "  release 2026-11-20: the digest of the content is not the published one",
        "  release 2026-11-20: its content sha256 is not the signed one",
    ]


def test_an_old_ledger_is_adopted_at_a_start_only_while_its_key_has_never_signed(
    desk: Desk, settings: Settings
) -> None:
    first = desk.publish_news()
    with unguarded():
        first.signatures.all()._raw_delete("default")

    assert release("adopt", "--unless-signed") == "Signed 1 releases. Current: 2026-11-20.\n"
    assert settings.RELEASE_HEAD_FILE.exists()
    # Someone removes the signature, and waits for the next start.
    with unguarded():
        first.signatures.all()._raw_delete("default")
    assert release("adopt", "--unless-signed") == ""
    with pytest.raises(CommandError, match="it is not signed"):
        release("verify")


def test_an_adoption_that_is_refused_says_why(desk: Desk) -> None:
    alter(desk.publish_news(), note="Another one.")

    with pytest.raises(CommandError, match=r"^Not adopted: .*its note is not the signed one"):
        release("adopt")


def test_a_new_key_is_printed_once_and_can_be_used() -> None:
    printed = dict(re.findall(r"(RELEASE_\w+) +(\S{43})\n", release("new-key")))

    assert signing_key(printed["RELEASE_KEY"]).public.x == printed["RELEASE_PUBLIC_KEYS"]


def test_roll_back_publishes_what_an_earlier_release_said_and_names_what_it_holds_back(desk: Desk) -> None:
    desk.record("FR")
    first = desk.publish()
    desk.record("DE")
    desk.publish()

    printed = release("roll-back", str(first), "--reason", "Not yet.")

    current = Release.objects.current()
    assert current is not None
    assert current.content_sha256 == first.content_sha256
    assert printed == (
        f"Published release {current} with the content of release {first}.\n"
        "These stay in the tables, but no release contains them until they are released:\n  countries DE\n"
    )
    with pytest.raises(CommandError, match=r"^Not rolled back: "):
        release("roll-back", str(first), "--reason", "Again.")
