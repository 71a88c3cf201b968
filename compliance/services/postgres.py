"""One private PostgreSQL cluster in one folder.

The folder has `data/`, `password`, `roles` and `server.log`, and belongs to the account that runs the server.
The server listens on a loopback port and asks for a password (SCRAM). `password` is that of its superuser,
who only makes the roles of the service. A `Cluster` picks the port when it first starts the server, and then
keeps it. A socket file would need no port, but its path may have at most 107 bytes, and DATA_DIR may be
longer.

Processes share only the folder: PostgreSQL's `postmaster.pid` in it has the process id and the port. So a
process that finds the server running, even one left over from a killed run, can use it and stop it. Callers
make sure that only one process at a time starts or stops a cluster.
"""

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from compliance.services import ServiceError, accounts, binaries, parent_death, roles
from compliance.services.environments import for_process
from compliance.services.ports import LOOPBACK, free_port

USER = "compliance"
DATABASE = "postgres"

OPTIONS = {
    "listen_addresses": LOOPBACK,
    "unix_socket_directories": "",
    # The server's log must not repeat stored data: no statements, no values of a violated constraint.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}
# A crash may lose everything: this is for clusters whose data no one needs.
UNSAFE_AND_FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}

START_ATTEMPTS = 3
RETRY_SECONDS = 0.5
# Recovery after a crash can take a while.
START_SECONDS = 60
STOP_SECONDS = 20
POLL_SECONDS = 0.02


class Cluster:
    """A PostgreSQL cluster in `home`; it does not run until `start`."""

    def __init__(
        self, home: Path, options: dict[str, str] | None = None, *, tied_to_us: bool = False
    ) -> None:
        """Describe the cluster. `options` are additional server settings.

        With `tied_to_us`, the server ends with the thread that started it.
        """
        self.home = home
        self.data = home / "data"
        self.log = home / "server.log"
        self._password = home / "password"
        self._options = OPTIONS | (options or {})
        self._tied = tied_to_us
        self._port: int | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address of the running server, with the password of its superuser.

        Raises:
            ServiceError: It does not run.

        """
        return self._address(USER, self._password.read_text())

    def url_of(self, role: str) -> str:
        """Return the address for one of the roles of the service, such as `web` or `owner`.

        Raises:
            ServiceError: The server does not run.

        """
        return self._address(f"compliance_{role}", roles.passwords(self.home)[role])

    def _address(self, user: str, password: str) -> str:
        if self.pid() is None or (port := self._ready_port()) is None:
            raise ServiceError(f"PostgreSQL does not run in {self.home}")
        return f"postgresql://{user}:{password}@{LOOPBACK}:{port}/{DATABASE}"

    def pid(self) -> int | None:
        """Return the process id of the running server, or None."""
        try:
            pid = int(self._pid_file_lines()[0])
            # The number alone proves nothing: after a crash another program may have it.
            return pid if self.data.samefile(f"/proc/{pid}/cwd") else None
        except (IndexError, ValueError, OSError):
            return None

    def start(self) -> None:
        """Start the server, or find it running. If the folder is new, make the cluster first.

        Raises:
            ServiceError: It does not start. The message ends with the last lines of the server's log.

        """
        self._make()
        for _ in range(START_ATTEMPTS):
            if self.pid() is None:
                self._launch()
            if self._wait_until_ready():
                self._port = self._ready_port()
                programs = binaries.find(self._account, self._major()).folder
                roles.make(self.home, self.url, psql=programs / "psql")
                return
            # Another program may have taken the port, or the processes of a killed server are still ending.
            time.sleep(RETRY_SECONDS)
        last_words = (
            self.log.read_text(errors="replace").strip().splitlines()[-5:] if self.log.exists() else []
        )
        raise ServiceError("\n  ".join(["PostgreSQL did not start. Its log ends with:", *last_words]))

    def stop(self) -> None:
        """Stop the server if it runs, and wait until it has ended. Open connections are closed."""
        # SIGINT is PostgreSQL's fast shutdown. SIGQUIT skips the clean-up; the next start recovers from that.
        for request in (signal.SIGINT, signal.SIGQUIT):
            pid = self.pid()
            if pid is None:
                break
            os.kill(pid, request)
            deadline = time.monotonic() + STOP_SECONDS
            while self.pid() is not None and time.monotonic() < deadline:
                time.sleep(POLL_SECONDS)
        if self._process is not None:
            self._process.wait()

    def _make(self) -> None:
        """Make the folder and the cluster if they do not exist."""
        self._account = accounts.for_cluster(self.home)
        self.home.mkdir(mode=0o700, exist_ok=True)
        self._account.give(self.home)
        if self.data.exists():
            return
        # It has another name until it is complete: a killed initdb leaves nothing that resembles a cluster.
        draft = self.home / "data.new"
        shutil.rmtree(draft, ignore_errors=True)
        self._password.write_text(secrets.token_urlsafe(32))
        self._password.chmod(0o600)
        self._account.give(self._password)
        with self._reachable_home() as (home, arguments):
            answer = subprocess.run(
                [
                    binaries.find(self._account).folder / "initdb",
                    f"--pgdata={home}/{draft.name}",
                    f"--pwfile={home}/{self._password.name}",
                    f"--username={USER}",
                    "--auth=scram-sha-256",
                    "--encoding=UTF8",
                    "--locale=C.UTF-8",
                    *(["--no-sync"] if self._options.get("fsync") == "off" else []),
                ],
                capture_output=True,
                text=True,
                **arguments,
            )
        if answer.returncode != 0:
            raise ServiceError(f"the database could not be made in {self.home}: {answer.stderr.strip()}")
        draft.rename(self.data)

    def _launch(self) -> None:
        """Start the server on its port, or on a free one the first time, without waiting for it."""
        # pid() found the file stale. PostgreSQL may not: another program may have the number now.
        (self.data / "postmaster.pid").unlink(missing_ok=True)
        options = self._options | {"port": str(self._port or free_port())}
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with (
            self._reachable_home() as (home, arguments),
            os.fdopen(os.open(self.log, flags, 0o600), "wb") as log,
        ):
            command = [
                str(binaries.find(self._account, self._major()).folder / "postgres"),
                "-D",
                f"{home}/{self.data.name}",
                *(f"--{name}={value}" for name, value in options.items()),
            ]
            self._process = subprocess.Popen(
                parent_death.command(*command, by="INT") if self._tied else command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # Ctrl-C goes to all processes of a terminal; the server must outlive the processes that use
                # it.
                start_new_session=True,
                **arguments,
            )

    def _major(self) -> int:
        return int((self.data / "PG_VERSION").read_text())

    @contextlib.contextmanager
    def _reachable_home(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Give a path to `home` that the server's account can use, and the arguments for starting a program.

        When root runs a cluster below a closed folder such as /root, the unprivileged account may enter
        `home` but cannot reach it by its path. So the program inherits an open handle of `home`, and gets a
        path that begins at the handle.
        """
        handle = os.open(self.home, os.O_PATH | os.O_DIRECTORY)
        try:
            yield (
                f"/proc/self/fd/{handle}",
                {
                    "cwd": "/",
                    "env": for_process("server", os.environ) | {"LC_ALL": "C.UTF-8"},
                    "pass_fds": (handle,),
                    **self._account.identity(),
                },
            )
        finally:
            os.close(handle)

    def _wait_until_ready(self) -> bool:
        """Return True when the server accepts connections, False if it ended or took too long."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self.pid() is not None and self._ready_port() is not None:
                return True
            if self._process is None:
                if self.pid() is None:
                    return False
            elif self._process.poll() is not None:
                return False
            time.sleep(POLL_SECONDS)
        return False

    def _ready_port(self) -> int | None:
        """Return the port when the server accepts connections there."""
        lines = self._pid_file_lines()
        # Line 4 is the port, line 8 the state. PostgreSQL writes them one after the other.
        return int(lines[3]) if len(lines) >= 8 and lines[7].strip() == "ready" else None

    def _pid_file_lines(self) -> list[str]:
        try:
            return (self.data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return []
