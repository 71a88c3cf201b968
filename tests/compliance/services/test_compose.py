"""`compose.yaml`: no password is among the arguments of a program, where everyone on the machine reads it."""

import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import redis as client
import yaml

from compliance.services import ports, redis
from compliance.services.embedded import REPOSITORY

SERVICES: dict[str, Any] = yaml.safe_load((REPOSITORY / "compose.yaml").read_text())["services"]
PASSWORD = "a word of the tests"


def arguments(service: dict[str, Any]) -> str:
    """Return all that programs of a container are started with, as it stands in the file."""
    return str([service.get("entrypoint"), service.get("command"), service.get("healthcheck")])


@pytest.mark.parametrize("name", SERVICES)
def test_nothing_secret_is_put_among_the_arguments_of(name: str) -> None:
    # Compose replaces `${...}` before a program starts; `$$` is left to the shell in the container.
    assert "${" not in arguments(SERVICES[name])


def test_the_redis_of_it_asks_for_the_password_and_does_not_show_it(tmp_path: Path) -> None:
    (tmp_path / "redis-server").symlink_to(redis.find())
    shell, option, script = SERVICES["redis"]["command"]
    port = ports.free_port()
    at_a_free_port = script.replace("$$", "$").replace(
        "<<END\n", f"<<END\nport {port}\nbind {ports.LOOPBACK}\n"
    )
    process = subprocess.Popen(
        [shell, option, at_a_free_port],
        cwd=tmp_path,
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}", "REDIS_PASSWORD": PASSWORD},
        stdout=subprocess.DEVNULL,
    )
    try:
        with client.Redis(port=port, password=PASSWORD, decode_responses=True) as connection:
            settings = _ask_soon(lambda: connection.config_get("*"))
        assert (settings["appendonly"], settings["maxmemory-policy"]) == ("yes", "noeviction")
        with client.Redis(port=port) as stranger, pytest.raises(client.AuthenticationError):
            stranger.ping()
        shown = Path(f"/proc/{process.pid}/cmdline").read_text()
        assert "redis-server" in shown
        assert PASSWORD not in shown
    finally:
        process.terminate()
        process.wait()


def _ask_soon(question: Any) -> Any:
    """Ask again until the server listens."""
    until = time.monotonic() + 60
    while True:
        try:
            return question()
        except client.ConnectionError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
