"""`make rehearse`: the deployment of docs/deployment, done on loopback with its own files.

nginx with the shipped configuration is in front of the service. Under load, a new version takes over with the
shipped script; a version that never becomes ready does not. Then a backup is restored into another database,
and a server on it gives the same answers. The results are printed; an unexpected one ends with an error.
"""

import json
import shlex
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg

from checks.production import PRODUCTION
from checks.rehearsal.proxy import NAME, Asking, Proxy, in_front_of
from checks.whole_service import environment_of, serving
from compliance.services import throwaway
from compliance.services.embedded import REPOSITORY
from compliance.services.keys import RELEASE_KEY
from compliance.services.ports import LOOPBACK, free_port
from compliance.trip_watch.secret import make_secret

TAKE_OVER = REPOSITORY / "docs" / "deployment" / "take-over"
SERIAL = "REHEARSED-SERIAL-4711"
QUESTION = {"model_id": "anker-a1289", "trip": {"origin": "JP", "destination": "SG", "airline": "SQ"}}
NOWHERE = "postgresql://127.0.0.1:1/none"
KEYS = {name: PRODUCTION[name] for name in ("SECRET_KEY", "VERDICT_KEY", "RECEIPT_KEYS")}


def main() -> None:
    """Rehearse, and print the results."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rehearsal-")))
        folder.chmod(0o755)
        addresses = stack.enter_context(throwaway.services())
        environment = environment_of(addresses) | KEYS
        environment |= {"ALLOWED_HOSTS": NAME, "SITE_URL": f"https://{NAME}", "TRUSTED_PROXIES": "1"}
        environment |= {"DATA_DIR": str(folder / "data"), "WATCH_SOURCES": "false"}
        url = stack.enter_context(serving(environment, folder / "prepared.log"))
        # A web server with the key of releases does not start.
        of_web = {name: environment[name] for name in environment if name != RELEASE_KEY}
        servers = Servers(folder, of_web | {"DATABASE_URL": environment["WEB_DATABASE_URL"]})
        stack.callback(servers.stop_all)
        proxy = stack.enter_context(in_front_of(int(url.rpartition(":")[2]), folder / "nginx"))

        before = _decides(proxy.ask("POST", "/api/verify", QUESTION))
        first, second = free_port(), free_port()
        servers.start(first)
        proxy.ask_instead(first)

        with Asking(proxy, QUESTION) as asking:
            done = servers.take_over(second, first, proxy)
        _expect("a new version takes over under load", done.returncode == 0, done.stderr)
        _only(asking, before["verdict"])

        with Asking(proxy, QUESTION) as asking:
            done = servers.take_over(first, second, proxy, DATABASE_URL=NOWHERE)
        _expect("a version that never becomes ready does not take over", done.returncode == 1, done.stdout)
        _only(asking, before["verdict"])

        _expect("a name that is not ours gets no answer", proxy.answers_to("other.example") == [])
        there = "https://compliance.example/about"
        _expect("without TLS there is only the way to the fixed name", proxy.redirects_to("/about") == there)
        _expect("metrics are not served to the outside", proxy.ask("GET", "/metrics")[0] == 404)
        status, _ = proxy.ask("GET", f"/api/devices/anker-a1263/recalls?serial={SERIAL}")
        secret = make_secret()
        for path in (f"/watch/{secret}", f"/de/watch/{secret}", f"/watch/{secret}.ics"):
            _expect(f"{path.replace(secret, '...')} is asked for", proxy.ask("GET", path)[0] == 404)
        written = proxy.logged()
        _expect("nginx logs requests", status == 200 and "/api/devices/anker-a1263/recalls" in written)
        _expect("but neither serials nor addresses", SERIAL not in written and LOOPBACK not in written)
        _expect("and not the secret address of a watched trip", secret not in written)

        restored = free_port()
        servers.start(restored, DATABASE_URL=_restored(addresses, environment, folder / "backups"))
        proxy.ask_instead(restored)
        after = _decides(proxy.ask("POST", "/api/verify", QUESTION))
        _expect("a server on the restored database gives the same answers", after == before)
    print("make rehearse: all as expected.")


class Servers:
    """Web servers by their ports, started and stopped by the commands that `take-over` calls.

    They take the place of systemd.
    """

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._folder = folder
        self._environment = environment
        # The process that starts it ends at once, so it cannot depend on that; it always ends on its own.
        serve = f'timeout 900 "{sys.executable}" -m compliance.services.serve'
        (folder / "start").write_text(
            f"cd {REPOSITORY}\nBIND={LOOPBACK}:$1 {serve} > {folder}/$1.log 2>&1 &\n"
            f"echo $! > {folder}/$1.pid\n"
        )
        # `systemctl stop` also waits for the end.
        (folder / "stop").write_text(
            f"pid=$(cat {folder}/$1.pid); kill $pid; while kill -0 $pid 2> /dev/null; do sleep 0.1; done\n"
        )

    def start(self, port: int, **variables: str) -> None:
        """Start one, and wait until it is ready."""
        environment = self._environment | variables
        subprocess.run(["sh", self._folder / "start", str(port)], env=environment, check=True)
        patiently = "curl --fail --silent --output /dev/null --retry 60 --retry-delay 1 --retry-all-errors"
        subprocess.run([*shlex.split(patiently), f"http://{LOOPBACK}:{port}/readyz"], check=True)

    def take_over(
        self, new: int, old: int, proxy: Proxy, **variables: str
    ) -> "subprocess.CompletedProcess[str]":
        """Run the shipped script; the new version gets some more variables."""
        commands = {
            "START": f"sh {self._folder}/start ",
            "STOP": f"sh {self._folder}/stop ",
            "UPSTREAM": str(proxy.upstream),
            "RELOAD": proxy.reload,
            "READY_SECONDS": "20",
        }
        environment = self._environment | commands | variables
        return subprocess.run(
            [TAKE_OVER, str(new), str(old)], env=environment, capture_output=True, text=True
        )

    def stop_all(self) -> None:
        """Stop all that still run."""
        for file in self._folder.glob("*.pid"):
            subprocess.run(["kill", file.read_text().strip()], stderr=subprocess.DEVNULL)


def _restored(addresses: throwaway.Addresses, environment: dict[str, str], folder: Path) -> str:
    """Back up the database, restore it into a new one, and return the address of the new one for the web."""
    made = _manage(environment, "backup", str(folder))
    for_owner, for_web = (
        f"{addresses.role_urls[role].rpartition('/')[0]}/restored" for role in ("owner", "web")
    )
    with psycopg.connect(addresses.database_url, autocommit=True) as server:
        server.execute("CREATE DATABASE restored OWNER compliance_owner")
    print("  ", _manage(environment | {"DATABASE_URL": for_owner}, "restore", made).strip())
    return for_web


def _manage(environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(
        command, cwd=REPOSITORY, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout.strip()


def _decides(answer: tuple[int, bytes]) -> dict[str, Any]:
    """Return what two answers to one question must have in common."""
    body = json.loads(answer[1])
    return {name: body[name] for name in ("verdict", "ruleset_version", "verdict_path", "constraints")}


def _only(asking: Asking, verdict: str) -> None:
    """Check that every answer was that verdict, and that there were some."""
    answers = ", ".join(f"{count} times {got}" for got, count in asking.answers.items())
    print(f"   answers: {answers}; the slowest took {asking.slowest_seconds:.1f} s")
    _expect("no request was lost", set(asking.answers) == {verdict})


def _expect(what: str, is_so: bool, why: str = "") -> None:
    if not is_so:
        sys.exit(f"make rehearse: not as expected: {what}. {why}")
    print(f"{what}: yes")


if __name__ == "__main__":
    main()
