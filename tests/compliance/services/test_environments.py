"""Which variables each kind of process gets from the one that starts it."""

import re
from typing import get_args

import pytest

from compliance.services import environments
from compliance.services.embedded import REPOSITORY
from compliance.services.environments import KEYS, Kind, for_process

DOCUMENTED = re.findall(
    r"^\| `([A-Z][A-Z0-9_]+)` \|", (REPOSITORY / "docs/settings.md").read_text(), re.MULTILINE
)

OF_THE_STARTER = {"BIND", "MCP_KEY", "PG_BIN", "PORT", "UP_WORKERS", *environments.URLS.values()}
"""What only a process reads that a person starts."""

OF_THE_WORKERS = {"EMAIL_URL"}
"""The mail server and its password: jobs send the mails, web processes only record them."""

OF_THE_PUBLISHER = {"RELEASE_KEY"}
"""What no process gets that answers requests or runs jobs."""

OF_THE_WEB = [name for name in DOCUMENTED if name not in OF_THE_STARTER | OF_THE_WORKERS | OF_THE_PUBLISHER]

EVERYTHING = {
    name: f"the value of {name}" for name in (*DOCUMENTED, "PATH", "HOME", "PGSSLROOTCERT", "EDITOR")
}


@pytest.mark.parametrize("name", OF_THE_WEB)
def test_a_setting_reaches_the_web_processes(name: str) -> None:
    # The supervisor counts workers, and only publishers sign. Web processes read the rest of the page.
    given = EVERYTHING | {"WEB_DATABASE_URL": ""}
    assert for_process("web", given)[name] == EVERYTHING[name]


@pytest.mark.parametrize("kind", get_args(Kind))
def test_no_process_gets_what_has_no_line(kind: Kind) -> None:
    given = for_process(kind, EVERYTHING)
    assert given["PATH"] == EVERYTHING["PATH"]
    assert not given.keys() & {"EDITOR", *OF_THE_STARTER}


def test_only_workers_get_the_password_of_the_mail_server() -> None:
    assert [kind for kind in get_args(Kind) if "EMAIL_URL" in for_process(kind, EVERYTHING)] == ["worker"]


def test_only_who_publishes_has_the_key_that_signs_releases() -> None:
    having = {kind for kind in get_args(Kind) if "RELEASE_KEY" in for_process(kind, EVERYTHING)}
    assert having == {"prepare", "publisher"}


@pytest.mark.parametrize("kind", ["server", "client"])
def test_servers_and_their_programs_get_no_setting_of_the_service(kind: Kind) -> None:
    assert not for_process(kind, EVERYTHING).keys() & {*DOCUMENTED}


def test_servers_get_no_setting_of_a_client() -> None:
    assert "PGSSLROOTCERT" in for_process("client", EVERYTHING)
    assert "PGSSLROOTCERT" not in for_process("server", EVERYTHING)


def test_the_scheduler_has_keys_that_open_nothing() -> None:
    given = for_process("beat", EVERYTHING)
    assert given["REDIS_URL"] == EVERYTHING["REDIS_URL"]
    assert given["DATABASE_URL"] == environments.NOWHERE
    assert not {EVERYTHING[name] for name in KEYS} & {*given.values()}
    assert given["SECRET_KEY"] != for_process("beat", EVERYTHING)["SECRET_KEY"]


def test_each_kind_of_process_has_the_database_as_its_own_role() -> None:
    assert for_process("web", EVERYTHING)["DATABASE_URL"] == EVERYTHING["WEB_DATABASE_URL"]
    assert for_process("worker", EVERYTHING)["DATABASE_URL"] == EVERYTHING["WORKER_DATABASE_URL"]
    assert for_process("prepare", EVERYTHING)["DATABASE_URL"] == EVERYTHING["DATABASE_URL"]


def test_with_one_role_all_have_the_same_address() -> None:
    given = {"DATABASE_URL": "of all"}
    assert {for_process(kind, given)["DATABASE_URL"] for kind in ("prepare", "web", "worker")} == {"of all"}
