"""The whole service as `make run` starts it, on a free port."""

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from compliance.services import environments, keys
from compliance.services.embedded import REPOSITORY
from compliance.services.throwaway import Addresses


def environment_of(addresses: Addresses) -> dict[str, str]:
    """Return the environment of a service with two servers of its own, and without request limits."""
    return os.environ | {
        "ANONYMOUS_RATE": "10000000/m",
        **database_urls(addresses.role_urls),
        "LOG_LEVEL": "ERROR",
        "READING_RATE": "10000000/m",
        "REDIS_URL": addresses.redis_url,
        "SECRET_KEY": "only-for-tests",
        "VERDICT_KEY": "only-for-tests",
        "WEB_WORKERS": "2",
        **keys.new_release_key(),
    }


def database_urls(of_roles: Mapping[str, str]) -> dict[str, str]:
    """Return the variables with the addresses of a database for each kind of process."""
    own = {variable: of_roles[kind] for kind, variable in environments.URLS.items()}
    return {"DATABASE_URL": of_roles["owner"], **own}


@contextlib.contextmanager
def serving(environment: Mapping[str, str], log: Path, tree: Path = REPOSITORY) -> Iterator[str]:
    """Migrate, seed, publish and serve what is in `tree`; yield the address. Errors are logged.

    It ends with this process.
    """
    with (
        log.open("w") as errors,
        subprocess.Popen(
            ["setpriv", "--pdeathsig", "TERM", sys.executable, "-m", "compliance.services.run"],
            cwd=tree,
            # Several may run in turn, each with a ledger of its own.
            env={**environment, "PORT": "0", "RELEASE_HEAD_FILE": str(log.with_suffix(".head"))},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if said := re.match(r"Serving on (http://\S+)", line):
                    yield said[1]
                    break
            else:
                raise RuntimeError(f"The server did not start: {log.read_text()}")
        finally:
            process.terminate()


@contextlib.contextmanager
def checked_out(commit: str, folder: Path) -> Iterator[Path]:
    """Put the files of a commit into a folder; yield it."""
    subprocess.run(
        ["git", "worktree", "add", "--quiet", "--detach", folder, commit], cwd=REPOSITORY, check=True
    )
    try:
        yield folder
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", folder], cwd=REPOSITORY, check=True)
