"""The roles of an embedded database, with passwords that are made once (`compliance/database/roles.sql`).

They are in one file of the cluster's folder, which only the account of the service can read.
"""

import hashlib
import json
import os
import secrets
import subprocess
from pathlib import Path

from compliance.services import ServiceError, private_files
from compliance.services.environments import for_process

ROLES = ("owner", "web", "worker", "publisher")
SQL = Path(__file__).resolve().parents[1] / "database" / "roles.sql"


def passwords(home: Path) -> dict[str, str]:
    """Return the password of each role of the cluster in a folder. Raises `OSError` where none was made."""
    made: dict[str, str] = json.loads((home / "roles").read_text())["passwords"]
    return made


def make(home: Path, superuser_url: str, *, psql: Path) -> None:
    """Make the roles in the running cluster of a folder, unless this version of the program has done it.

    Raises:
        ServiceError: They could not be made; the message says why.

    """
    version = hashlib.sha256(SQL.read_bytes()).hexdigest()
    file = home / "roles"
    known = json.loads(file.read_text()) if file.exists() else {"passwords": {}}
    if known.get("version") == version:
        return
    chosen = {role: known["passwords"].get(role) or secrets.token_urlsafe(32) for role in ROLES}
    create(psql, superuser_url, chosen)
    private_files.write(file, json.dumps({"version": version, "passwords": chosen}, indent=2))


def create(psql: Path, superuser_url: str, chosen: dict[str, str]) -> None:
    """Make the roles, with these passwords, and give them the database of an address.

    Raises:
        ServiceError: They could not be made; the message says why.

    """
    address, _, database = superuser_url.rpartition("@")
    user, _, password = address.removeprefix("postgresql://").partition(":")
    # Everyone on the machine can read a program's arguments.
    own = {f"COMPLIANCE_{role.upper()}_PASSWORD": word for role, word in chosen.items()}
    done = subprocess.run(
        [psql, "--no-psqlrc", "--quiet", f"--dbname=postgresql://{user}@{database}", f"--file={SQL}"],
        env=for_process("client", os.environ) | own | {"PGPASSWORD": password},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ServiceError(f"the roles of the database could not be made: {done.stderr.strip()}")
