"""One trial: the production shape under load, a fault, and the result."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

import psycopg

from checks.chaos.judging import Judgment, given_verdicts, judge
from checks.chaos.keys import KEYS
from checks.chaos.load import Ask, Client, Load, everything
from checks.chaos.oracle import Calm, Oracle
from compliance.models import VerdictRecord
from compliance.services import ServiceError, roles
from compliance.services.controlling import Production, production, wait_until
from compliance.services.embedded import REPOSITORY
from compliance.services.low_priority import give_low_priority
from compliance.services.postgres import USER

CALM_SECONDS = 2
START_SECONDS = 1800
"""A trial begins when the service is ready, however slow the machine is; this ends one that never is."""
LONGEST_SECONDS = 120
"""After this time, the service counts as not recovered."""

ENVIRONMENT = KEYS | {
    # A few clients ask without end, from one address.
    "ANONYMOUS_RATE": "1000000/s",
    "PAGES_RATE": "1000000/s",
    "READING_RATE": "1000000/s",
    "LOG_LEVEL": "INFO",
    # Pages contain it, and are compared with those of another port.
    "SITE_URL": "http://127.0.0.1:8000",
    "WEB_WORKERS": "2",
}

OURS = ("DATABASE_URL", "DATA_DIR", "PORT", "REDIS_URL", "UP_WORKERS")
"""Variables that this process, or the one that started it, uses itself."""


def nothing_around(data: Path) -> contextlib.AbstractContextManager[None]:
    """Leave the folder with the data as it is."""
    return contextlib.nullcontext()


@dataclass(frozen=True)
class Fault:
    """A fault. `strike` causes it and repairs it, and then returns."""

    name: str
    strike: Callable[["Trial"], None]
    kills: bool = False
    """Whether processes are killed, so connections to them may be cut off."""

    limited: bool = False
    """Whether clients may be refused because they asked too often."""

    environment: Mapping[str, str] = field(default_factory=dict)
    around: Callable[[Path], contextlib.AbstractContextManager[None]] = nothing_around
    """A context around the running service, given the folder with its data."""

    @property
    def surroundings(self) -> tuple[object, ...]:
        """The environment and the context that a service needs for this fault."""
        return (self.environment, self.around)


@dataclass
class Row:
    """The result of a trial. `problems` are all other failures."""

    name: str
    judgment: Judgment
    lost: int
    healed_seconds: float | None
    problems: list[str]

    @property
    def is_good(self) -> bool:
        """Whether everything that must be 0 is 0."""
        bad = self.judgment.wrong + self.judgment.undocumented + self.lost
        return bad == 0 and self.healed_seconds is not None and not self.problems


class Trial:
    """What a fault can reach: the service, its clients, and the oracle with the right answers."""

    def __init__(self, up: Production, oracle: Oracle) -> None:
        self.up = up
        self.environment = environment_of(up)
        self.oracle = oracle
        self.problems: list[str] = []
        self.waits_for: list[Callable[[], bool]] = []
        """Further conditions for a full recovery."""

        self.load = Load(up.address, seed=1)

    def wait(self, seconds: float) -> None:
        """Let the load continue for a while."""
        time.sleep(seconds)

    def expect(self, *reasons: str, seconds: float = 20) -> None:
        """Check that /readyz gives these reasons within some seconds, in every process."""

        def says() -> bool:
            return all(reason in " ".join(self.ready().get("reasons", ())) for reason in reasons)

        try:
            wait_until(says, "", seconds)
        except ServiceError:
            self.problems.append(f"/readyz does not say {reasons!r}, but {self.ready()}")

    def ready(self) -> dict[str, Any]:
        """Return the answer of /readyz."""
        try:
            with urllib.request.urlopen(f"{self.up.address}/readyz", timeout=20) as answer:
                return dict(json.load(answer))
        except urllib.error.HTTPError as error:
            with error, contextlib.suppress(ValueError):
                return dict(json.load(error))
            return {"status": str(error)}
        except OSError as error:
            return {"status": repr(error)}

    def python(self, *arguments: str) -> str:
        """Run `python ARGUMENTS` next to the service, with its database and Redis; return its output.

        It runs with low priority, because the machine answers clients meanwhile.
        """
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=REPOSITORY,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        give_low_priority(process.pid)
        said, _ = process.communicate()
        if process.returncode:
            self.problems.append(f"{' '.join(arguments)} failed: {said[-400:]}")
        return said

    def edit(self, *command: str) -> str:
        """Do an action of an editor during the fault, and read the new releases."""
        said = self.python("-m", "checks.chaos.editing", *command)
        self.oracle.read_releases()
        return said

    def sql(self, *statements: str) -> list[Any]:
        """Run statements without any triggers; return the rows of the last one."""
        with psycopg.connect(address_as(USER, self.environment)) as connection:
            connection.execute("set session_replication_role = replica")
            for statement in statements:
                cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def missing(self, ids: list[str]) -> int:
        """Return how many verdicts, by their ids, the log does not contain yet."""
        with psycopg.connect(self.environment["DATABASE_URL"]) as connection:
            row = connection.execute(
                "select count(*) from unnest(%s::text[]) as given (id) where not exists "
                f"(select from {VerdictRecord._meta.db_table} where verdict_id = given.id)",
                [ids],
            ).fetchone()
        return int(row[0]) if row else 0

    def check_calm(self, when: str, *, limited: bool) -> None:
        """Ask for every page, list and file once, before any fault. If the service is limited, some wait."""
        client = Client(self.up.address)
        for heard in map(client.ask, everything()):
            if limited and heard.status == HTTPStatus.TOO_MANY_REQUESTS:
                continue
            complaint = heard.broken or f"status {heard.status}"
            if heard.status == HTTPStatus.OK:
                complaint = self.oracle.complaint(heard)
            if complaint:
                self.problems.append(f"{when}: {heard.ask.path}: {complaint}")

    def is_whole(self) -> bool:
        """Return whether every web process is fully ready, and the further conditions are met."""
        return all(condition() for condition in self.waits_for) and all(
            self.ready().get("status") == "ready" for _ in range(4)
        )


def run(faults: Sequence[Fault], template: Path, folder: Path, calm: Calm) -> Iterator[Row]:
    """Try faults, one after another, and yield the result of each.

    Successive faults with the same surroundings use the same running service, as long as it recovers.
    """
    waiting = list(faults)
    while waiting:
        first = waiting[0]
        data = folder / first.name.replace(" ", "-")
        subprocess.run(["cp", "-a", template, data], check=True)
        with first.around(data), running_on(data, first.environment) as up:
            oracle = Oracle(environment_of(up)["DATABASE_URL"], calm)
            healed = True
            while waiting and healed and waiting[0].surroundings == first.surroundings:
                row = _try(waiting.pop(0), Trial(up, oracle))
                healed = row.healed_seconds is not None
                yield row


def _try(fault: Fault, trial: Trial) -> Row:
    """Try one fault on a running service."""
    trial.oracle.read_releases()
    try:
        wait_until(trial.is_whole, "the service is not complete before the fault", START_SECONDS)
    except ServiceError as error:
        raise ServiceError(f"{error}: {trial.ready()}") from error
    trial.check_calm("before", limited=fault.limited)
    trial.load.start()
    trial.wait(CALM_SECONDS)
    try:
        fault.strike(trial)
        given = given_verdicts(trial.load.heard())
        trial.waits_for.append(lambda: trial.missing(given) == 0)
        healed = wait_until(trial.is_whole, "the service does not recover", LONGEST_SECONDS)
    except (ServiceError, psycopg.Error) as error:
        trial.problems.append(f"{error}: {trial.ready()}")
        healed = None
    trial.wait(CALM_SECONDS)
    heard = trial.load.stop()
    judgment = judge(heard, trial.oracle, kills=fault.kills, limited=fault.limited)
    lost = lost_rows(trial, judgment.recorded)
    if healed is not None:
        trial.check_calm("afterwards", limited=fault.limited)
    return Row(fault.name, judgment, lost, healed, trial.problems)


def lost_rows(trial: Trial, ids: list[str]) -> int:
    """Return how many given verdicts are not in the log, once all of it has arrived."""
    with contextlib.suppress(ServiceError):
        wait_until(lambda: trial.missing(ids) == 0, "", LONGEST_SECONDS)
    return trial.missing(ids)


def running_on(
    data: Path, environment: Mapping[str, str] | None = None
) -> contextlib.AbstractContextManager[Production]:
    """Run the production shape with a PostgreSQL and a Redis of its own."""
    others = {name: value for name, value in os.environ.items() if name not in OURS}
    return production(data, {**others, **ENVIRONMENT, **(environment or {})})


def environment_of(up: Production) -> dict[str, str]:
    """Return the environment of the publisher, who has the key of releases, but for the owner of tables."""
    pairs = Path(f"/proc/{up.pid('publisher')}/environ").read_bytes().decode().split("\0")
    found = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
    return found | {"DATABASE_URL": address_as("compliance_owner", found)}


def address_as(user: str, environment: Mapping[str, str]) -> str:
    """Return the address of the database of an environment for PostgreSQL's superuser, or the owner."""
    home = Path(environment["DATA_DIR"], "postgres")
    password = (home / "password").read_text() if user == USER else roles.passwords(home)["owner"]
    server = environment["DATABASE_URL"].rpartition("@")[2]
    return f"postgresql://{user}:{password}@{server}"


@contextlib.contextmanager
def template(folder: Path, say: Callable[[str], None]) -> Iterator[tuple[Path, Calm]]:
    """Make the initial data of all trials, and record the right answers before and after a publishing."""
    data, other = folder / "template", folder / "published"
    calm: Calm = {}
    say("Making the data that all trials begin with")
    with running_on(data) as up:
        trial = Trial(up, Oracle(environment_of(up)["DATABASE_URL"], calm))
        trial.edit("stricter")
        _learn(trial)
    say("Recording the right answers after a publishing")
    subprocess.run(["cp", "-a", data, other], check=True)
    with running_on(other) as up:
        trial = Trial(up, Oracle(environment_of(up)["DATABASE_URL"], calm))
        trial.edit("publish")
        trial.python("manage.py", "pages", "recompute")
        _learn(trial)
    shutil.rmtree(other)
    yield data, calm


def _learn(trial: Trial) -> None:
    client = Client(trial.up.address)
    current = trial.oracle.read_releases()

    def is_current() -> bool:
        answers = [client.ask(Ask("get", "/api/devices?limit=1")) for _ in range(6)]
        return all(f'"{current}"'.encode() in answer.body for answer in answers)

    wait_until(is_current, "the new release does not answer")
    complaints = trial.oracle.learn(Client(trial.up.address).ask(ask) for ask in everything())
    if trial.problems or complaints:
        raise ServiceError("\n  ".join(["The calm round is not calm:", *trial.problems, *complaints]))
