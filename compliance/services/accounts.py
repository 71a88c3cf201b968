"""Chooses the account that runs PostgreSQL, which refuses to run as root."""

import os
import pwd
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compliance.services import ServiceError

# The account that Debian's PostgreSQL package creates, else the account that every Unix has.
UNPRIVILEGED = ("postgres", "nobody")


@dataclass(frozen=True)
class Account:
    """A Unix account, as numeric ids."""

    uid: int
    gid: int

    def identity(self) -> dict[str, Any]:
        """Return the arguments that make `subprocess` run a program as this account; none if it is ours."""
        if self.uid == os.geteuid():
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def give(self, path: Path) -> None:
        """Make this account the owner of `path`."""
        if self.uid != os.geteuid():
            os.chown(path, self.uid, self.gid)


def for_cluster(home: Path) -> Account:
    """Return the account that runs the cluster in `home`: our own, or an unprivileged one when we are root.

    Raises:
        ServiceError: Another account owns the folder, or root finds no account to use.

    """
    owner = home.stat() if home.exists() else None
    if os.geteuid() != 0:
        if owner is not None and owner.st_uid != os.geteuid():
            raise ServiceError(f"{home} belongs to another user: choose another DATA_DIR, or remove it")
        return Account(os.geteuid(), os.getegid())
    if owner is not None and owner.st_uid != 0:
        # The cluster stays with the account that made it.
        return Account(owner.st_uid, owner.st_gid)
    for name in UNPRIVILEGED:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(entry.pw_uid, entry.pw_gid)
    raise ServiceError(
        "PostgreSQL refuses to run as root, and there is no account `postgres` or `nobody` to use"
    )
