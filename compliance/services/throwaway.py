"""A PostgreSQL and a Redis for tests: temporary, unsafe and fast. They end with the process that asked.

They belong to a small keeper process (`python -m compliance.services.throwaway`) that reads its standard
input. When the input ends, it stops them and removes the folder. The input ends when the asking process
closes it or is killed, so nothing is left over.
"""

import contextlib
import json
import signal
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from compliance.services import ServiceError, embedded, roles
from compliance.services.postgres import UNSAFE_AND_FAST, Cluster
from compliance.services.redis import Redis


@dataclass(frozen=True)
class Addresses:
    """The addresses of the two servers, with passwords, and the folder that is removed with them.

    `database_url` is that of PostgreSQL's superuser: tests make databases. `role_urls` are those of the roles
    of the service.
    """

    database_url: str
    role_urls: dict[str, str]
    redis_url: str
    folder: str


@contextlib.contextmanager
def services(cluster: Path | None = None) -> Iterator[Addresses]:
    """Start the two servers and stop them at the end.

    `cluster` is an archive of a stopped PostgreSQL cluster, the folder `postgres`, to begin with; without it
    the cluster is new.

    Raises:
        ServiceError: One of them does not start.

    """
    keeper = subprocess.Popen(
        [sys.executable, "-m", __name__, *([] if cluster is None else [str(cluster)])],
        cwd=embedded.REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # Ctrl-C is for the tests; the keeper ends after them.
        start_new_session=True,
    )
    assert keeper.stdin is not None
    assert keeper.stdout is not None
    with keeper.stdin, keeper.stdout, contextlib.ExitStack() as stack:
        stack.callback(keeper.wait)
        stack.callback(keeper.stdin.close)
        answer = json.loads(keeper.stdout.readline() or "{}")
        if "folder" not in answer:
            raise ServiceError(
                answer.get("error", "the process that keeps the test services ended without a message")
            )
        yield Addresses(**answer)


def unpack(archive: Path, folder: Path) -> None:
    """Put the folder `postgres` of an archived cluster into a folder."""
    with tarfile.open(archive) as packed:
        # It is ours, owners included. Pythons before 3.11.4 know no filter, and ignore this.
        packed.extraction_filter = lambda member, path: member
        packed.extractall(folder)


def main() -> None:
    """Keep the two servers until standard input ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with tempfile.TemporaryDirectory(prefix="compliance-") as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        # Its socket file is in its data.
        cluster = Cluster(folder / "postgres", UNSAFE_AND_FAST | {"unix_socket_directories": "."})
        redis = Redis(folder)
        stack.callback(cluster.stop)
        stack.callback(redis.stop)
        try:
            for archive in sys.argv[1:]:
                unpack(Path(archive), folder)
            cluster.start()
            redis.start()
        except (ServiceError, OSError) as error:
            print(json.dumps({"error": str(error)}), flush=True)
            return
        own = {role: cluster.url_of(role) for role in roles.ROLES}
        print(json.dumps(asdict(Addresses(cluster.url, own, redis.url, name))), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
