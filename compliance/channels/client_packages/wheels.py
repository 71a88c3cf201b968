"""A wheel from a folder of pure Python, as its `pyproject.toml` describes it (PyPA's binary format 1.0).

It reads what our packages use of setuptools: `packages` and `package-data`. Tools that build packages would
have to be on every machine that runs the service.
"""

import base64
import hashlib
import io
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from compliance.channels.client_packages.tree import MADE_AT, MODE, Packed, files_below

Table = Mapping[str, Any]

WHEEL = "Wheel-Version: 1.0\nGenerator: battery-travel-compliance\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def wheel(folder: Path) -> tuple[str, bytes]:
    """Return the file name and the bytes of the wheel of a folder with a `pyproject.toml`."""
    described = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    project: Table = described["project"]
    stem = f"{project['name'].replace('-', '_')}-{project['version']}"
    files = [
        *_modules(folder, described["tool"]["setuptools"]),
        Packed(f"{stem}.dist-info/METADATA", _metadata(folder, project).encode()),
        Packed(f"{stem}.dist-info/WHEEL", WHEEL.encode()),
    ]
    record = f"{stem}.dist-info/RECORD"
    listed = "".join(f"{file.path},sha256={_digest(file.content)},{len(file.content)}\n" for file in files)
    return f"{stem}-py3-none-any.whl", _zip([*files, Packed(record, f"{listed}{record},,\n".encode())])


def _modules(folder: Path, chosen: Table) -> Iterator[Packed]:
    data: Table = chosen.get("package-data", {})
    for package in chosen["packages"]:
        place = package.replace(".", "/")
        for path in files_below(folder / place, "*.py", *data.get(package, ())):
            yield Packed(f"{place}/{path.name}", path.read_bytes())


def _metadata(folder: Path, project: Table) -> str:
    """Return the core metadata 2.1: headers, an empty line, and the description."""
    extras: Table = project.get("optional-dependencies", {})
    headers = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {needed}" for needed in project["dependencies"]),
        *(
            line
            for extra, needs in extras.items()
            for line in (
                f"Provides-Extra: {extra}",
                *(f'Requires-Dist: {needed}; extra == "{extra}"' for needed in needs),
            )
        ),
        "Description-Content-Type: text/markdown",
    ]
    readme = (folder / project["readme"]).read_text(encoding="utf-8")
    return "\n".join([*headers, "", readme])


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def _zip(files: list[Packed]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.path, MADE_AT.timetuple()[:6])
            entry.create_system = 3  # Unix, on any machine: the rights are those of Unix
            entry.external_attr = MODE << 16
            archive.writestr(entry, file.content, zipfile.ZIP_DEFLATED, 9)
    return written.getvalue()
