"""A plain key stands in the one answer that shows it, and nowhere else."""

import logging
import sys
import traceback
from collections.abc import Callable
from io import StringIO
from typing import NamedTuple

import pytest
from django.contrib.admin.utils import quote
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.http import HttpRequest
from django.test import RequestFactory
from django.utils import timezone
from django.views.debug import ExceptionReporter

from compliance.models import PartnerKey
from compliance.partners import register
from compliance.partners.actions.keys import IssuedKey
from compliance.partners.keys import PlainKey, make_key
from compliance.partners.register import partner_for
from tests.support.desk.visiting import ACME, KEYS, PARTNERS, Visitor, key_on
from tests.support.partners import NOON, Desk


class Keys(NamedTuple):
    """Keys that were handed out, each inside the object that hides it."""

    by_admin: PlainKey
    by_command: PlainKey

    def assert_absent(self, text: str) -> None:
        """Fail where a text holds the secret of a key, or the better part of it."""
        for key in self:
            secret = key.reveal().rpartition("_")[2]
            assert secret[:20] not in text
            assert secret[20:] not in text


@pytest.fixture
def boss(desk: Desk) -> Visitor:
    return Visitor(superuser=True)


@pytest.fixture
def keys(boss: Visitor, caplog: pytest.LogCaptureFixture) -> Keys:
    """Two keys of Acme's, issued in the admin and rotated by command, while everything is logged."""
    caplog.set_level(logging.DEBUG)
    by_admin = PlainKey(key_on(boss.submit(f"{ACME}issue/")))
    out = StringIO()
    call_command("partner", "rotate", "acme", stdout=out)
    by_command = PlainKey(out.getvalue().splitlines()[1])
    # What is searched for below would be found.
    with pytest.raises(AssertionError):
        Keys(by_admin, by_command).assert_absent(out.getvalue())
    return Keys(by_admin, by_command)


def use(keys: Keys, boss: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the keys and fail with them in every way."""
    for key in keys:
        assert partner_for(key.reveal(), timezone.now()) is not None
        for headers in ({"x-service-key": key.reveal()}, {"authorization": f"Bearer {key.reveal()}"}):
            boss.client.get("/api/nothing", headers=headers)
    assert partner_for(keys.by_admin.reveal()[:-1], timezone.now()) is None
    boss.submit(f"{KEYS}{quote(keys.by_admin.public_id)}/revoke/")
    register.forget()
    assert partner_for(keys.by_admin.reveal(), timezone.now()) is None
    for wrong in (["revoke", keys.by_command.reveal()], ["show", keys.by_command.public_id]):
        with pytest.raises(CommandError):
            call_command("partner", *wrong)
    with monkeypatch.context() as outage:
        register.forget()
        outage.setattr(register, "_live_keys", _fail)
        with pytest.raises(OperationalError):
            partner_for(keys.by_command.reveal(), timezone.now())


def _fail(*_: object, **__: object) -> None:
    raise OperationalError("the database is away")


def rows() -> str:
    """Return every row of every table as text."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT "{table}"::text FROM "{table}"')
            found += [row for (row,) in cursor.fetchall()]
    # Django packs a session, so that its text is not to be read in the row.
    return "\n".join([*found, *(str(session.get_decoded()) for session in Session.objects.all())])


def test_no_log_holds_a_key(
    keys: Keys, boss: Visitor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    use(keys, boss, monkeypatch)

    assert caplog.records
    # The SQL with its parameters among them: Django logs it where somebody asks for that.
    with connection.execute_wrapper(_log_statement):
        register.forget()
        partner_for(keys.by_command.reveal(), timezone.now())
    assert "compliance_partnerkey" in caplog.text
    keys.assert_absent(caplog.text)
    for record in caplog.records:
        keys.assert_absent(f"{record.__dict__}")


def _log_statement(execute: Callable[..., object], sql: str, parameters: object, *rest: object) -> object:
    logging.getLogger("sql").debug("%s %s", sql, parameters)
    return execute(sql, parameters, *rest)


def test_issuing_sends_no_key_to_the_database(desk: Desk) -> None:
    sent: list[str] = []

    def listen(execute: Callable[..., object], sql: str, parameters: object, *rest: object) -> object:
        sent.append(f"{sql} {parameters}")
        return execute(sql, parameters, *rest)

    with connection.execute_wrapper(listen):
        first = desk.issue()
        second = desk.rotate()

    assert any(first.row.digest in statement for statement in sent)
    Keys(first.plain, second.plain).assert_absent("\n".join(sent))


def test_no_table_holds_a_key(keys: Keys, boss: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    use(keys, boss, monkeypatch)

    text = rows()
    assert keys.by_admin.digest in text
    assert f"Issued key {keys.by_admin.public_id}." in text
    keys.assert_absent(text)


def test_no_page_but_the_answer_and_no_cookie_holds_a_key(keys: Keys, boss: Visitor) -> None:
    public_id = keys.by_admin.public_id
    paths = [
        "/admin/",
        PARTNERS,
        *(f"{ACME}{page}/" for page in ("change", "history", "issue", "rotate", "close")),
        KEYS,
        *(f"{KEYS}{quote(public_id)}/{page}/" for page in ("change", "history", "revoke")),
        f"/admin/search/?s={public_id}",
    ]
    seen = "\n".join(boss.page(path) for path in paths)
    assert public_id in seen
    keys.assert_absent(seen + str(boss.client.cookies))
    for digest in PartnerKey.objects.values_list("digest", flat=True):
        assert digest not in seen


def test_nothing_is_printed_but_by_the_command_itself(
    keys: Keys, boss: Visitor, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    use(keys, boss, monkeypatch)

    keys.assert_absent("".join(capfd.readouterr()))


def test_no_traceback_of_a_failing_question_holds_a_key(keys: Keys, monkeypatch: pytest.MonkeyPatch) -> None:
    register.forget()
    monkeypatch.setattr(register, "_live_keys", _fail)
    request = RequestFactory().get(
        "/api/devices",
        headers={"x-service-key": keys.by_command.reveal(), "authorization": keys.by_command.reveal()},
    )

    try:
        partner_for(keys.by_command.reveal(), NOON)
    except OperationalError as error:
        for report in reports(error, request):
            assert "partner_for" in report
            keys.assert_absent(report)
    else:
        pytest.fail("the question was answered")


def test_no_traceback_of_a_failing_action_holds_a_key(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[PlainKey] = []

    def remember() -> PlainKey:
        made.append(make_key())
        return made[-1]

    monkeypatch.setattr("compliance.partners.actions.keys.make_key", remember)
    monkeypatch.setattr("compliance.partners.actions.keys.insert", _fail)
    try:
        desk.issue()
    except OperationalError as error:
        for report in reports(error, RequestFactory().post(f"{ACME}issue/")):
            assert made[0].public_id in report
            Keys(made[0], made[0]).assert_absent(report)
    else:
        pytest.fail("the key was issued")


def reports(error: Exception, request: HttpRequest) -> list[str]:
    """Return the most that an error tells: with the local variables of each frame, as text and as a page."""
    verbose = traceback.TracebackException.from_exception(error, capture_locals=True)
    reporter = ExceptionReporter(request, *sys.exc_info())
    return ["".join(verbose.format()), reporter.get_traceback_html()]


def test_no_value_of_ours_shows_a_key(desk: Desk) -> None:
    issued = desk.issue()
    known = partner_for(issued.plain.reveal(), NOON)
    values = [issued, known, register._cached, issued.row, issued.row.__dict__, [issued], {1: issued}]

    keys = Keys(issued.plain, issued.plain)
    for value in values:
        for text in (repr(value), str(value), f"{value}"):
            keys.assert_absent(text)
    assert isinstance(issued, IssuedKey)
    assert issued.row.public_id in repr(issued)
