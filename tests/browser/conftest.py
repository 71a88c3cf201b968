"""One whole service and one Chromium for the browser tests of a process, and the people who use them."""

import functools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from checks.public_pages import PAGES
from checks.whole_service import database_urls, serving
from compliance.services.embedded import REPOSITORY
from tests.support import roles
from tests.support.desk.signing_in import PASSWORD, App

from .accounts import PEOPLE
from .chromium import chromium, note_problems
from .pictures import take

# The service is one that somebody from outside can reach, so it asks for the second factor.
# A test that asks too much does so as somebody else, as behind a proxy, and soon.
VARIABLES = {
    "DESK_SECOND_FACTOR": "on",
    "DESK_ENVIRONMENT": "rehearsal",
    "PAGES_RATE": "600/m",
    "READING_RATE": "100000/m",
    "TRUSTED_PROXIES": "1",
    "WEB_WORKERS": "2",
}
# Of what the tests' plugin sets. So jobs run beside the service, and it looks for releases
# and stores its verdicts by itself.
LEFT_OUT = {"REDIS_URL", "CORPUS_POLL_SECONDS", "VERDICT_SHIP_SECONDS"}

Visit = Callable[..., Page]
Picture = Callable[[str, Page], None]

# Playwright runs an event loop in the thread of the tests, where Django would refuse to use a database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# A busy machine makes no page wrong.
PATIENCE_MS = 120_000
expect.set_options(timeout=PATIENCE_MS)


class ByFileAndPage(LoadScopeScheduling):
    """Gives one process all tests of a file, or of one public page: they see what the others left there."""

    def _split_scope(self, nodeid: str) -> str:
        file, _, test = nodeid.partition("::")
        kinds = [page.kind for page in PAGES if f"[{page.kind}" in test]
        return f"{file} {max(kinds, key=len, default='')}"


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFileAndPage:
    """Share the tests between processes, in their order."""
    return ByFileAndPage(config, log)


@pytest.fixture(scope="session")
def mails(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the mails that the service sends."""
    return tmp_path_factory.mktemp("mails")


@pytest.fixture(scope="session")
def environment(mails: Path) -> dict[str, str]:
    """The environment of the service: the tests' own PostgreSQL, and a database that nothing else uses."""
    ours = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    return ours | VARIABLES | database_urls(roles.URLS) | {"EMAIL_URL": f"file:///{mails}"}


@pytest.fixture(scope="session")
def service(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the service, with the starter corpus published. It may log no error."""
    log = tmp_path_factory.mktemp("service") / "log"
    with serving(environment, log) as address:
        yield address
    said = log.read_text()
    assert "ERROR" not in said, said
    assert "Traceback" not in said, said


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The Chromium of this machine."""
    with chromium() as running:
        yield running


@pytest.fixture(scope="session")
def signed_in(service: str, browser: Browser, environment: dict[str, str]) -> dict[str, str]:
    """The cookies of everybody of `PEOPLE`, as JSON, after they signed in with password and code."""
    made = subprocess.run(
        [sys.executable, "-m", "tests.browser.accounts"],
        cwd=REPOSITORY,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    secrets = json.loads(made.stdout)
    return {name: _sign_in(browser, service, name, App(secrets[name])) for name in PEOPLE}


def _sign_in(browser: Browser, service: str, name: str, app: App) -> str:
    with browser.new_context(base_url=service) as context:
        page = context.new_page()
        page.goto("/admin/")
        page.get_by_label("Username").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()
        # The code of this moment confirmed the app, and none counts twice.
        page.get_by_label("Code").fill(app.code(1))
        page.get_by_role("button", name="Continue").click()
        page.wait_for_url("**/admin/")
        return json.dumps(context.storage_state())


@pytest.fixture
def visit(service: str, browser: Browser, signed_in: dict[str, str]) -> Iterator[Visit]:
    """Give a page on which somebody is signed in. At the end, none of the pages may have met a problem."""
    contexts, problems = [], []

    def as_user(name: str | None, *, width: int = 1280, height: int = 900, dark: bool = False) -> Page:
        context = browser.new_context(
            base_url=service,
            storage_state=json.loads(signed_in[name]) if name else None,
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        problems.append(note_problems(page))
        return page

    yield as_user
    for context in contexts:
        context.close()
    assert [problem for noted in problems for problem in noted] == []


@pytest.fixture
def picture(pictures: Path | None) -> Picture:
    """Make a picture for the guide of the desk, by its name, of what a page shows."""
    return functools.partial(take, pictures)


@pytest.fixture(scope="session")
def pictures() -> Path | None:
    """The folder that the pictures of the guide are written to; None where none are wanted."""
    folder = os.environ.get("PICTURES")
    return Path(folder).resolve() if folder else None
