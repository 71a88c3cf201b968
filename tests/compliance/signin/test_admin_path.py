"""The admin at a path of its own: everything that guards it goes along, and nothing tells where it is."""

import json
import os
import subprocess
import sys
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.db import connection

from compliance.services.embedded import REPOSITORY

VISIT = """
import json, django
django.setup()
from django.test import Client
from django.urls import reverse
client = Client(headers={"accept": "text/html"}, SERVER_NAME="127.0.0.1")
told = {"index": reverse("admin:index"), "sign in": reverse("admin:login")}
for path in json.loads(PATHS):
    answer = client.get(path)
    told[path] = [answer.status_code, dict(answer.headers)]
told["robots"] = client.get("/robots.txt").content.decode()
forger = Client(enforce_csrf_checks=True, SERVER_NAME="127.0.0.1")
told["forged"] = forger.post(told["sign in"], {"username": "x"}).status_code
print(json.dumps(told))
"""


def visit(admin_path: str, *paths: str) -> "subprocess.CompletedProcess[str]":
    """Ask for addresses in a fresh process, which reads the setting."""
    name = connection.settings_dict["NAME"]
    return subprocess.run(
        [sys.executable, "-c", VISIT.replace("PATHS", repr(json.dumps(paths)))],
        cwd=REPOSITORY,
        env=os.environ
        | {"ADMIN_PATH": admin_path, "DJANGO_SETTINGS_MODULE": "compliance.settings"}
        | {"DATABASE_URL": urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))}
        | {"ALLOWED_HOSTS": "localhost,127.0.0.1,[::1]", "LOG_LEVEL": "ERROR"},
        capture_output=True,
        text=True,
    )


def test_all_that_guards_the_admin_goes_where_it_goes(db: None) -> None:
    desk = "/desk/7k2m"
    answer = visit(
        "desk/7k2m",
        desk,
        f"{desk}/",
        f"{desk}/login/",
        f"{desk}/nothing/",
        f"/ja{desk}/login/",
        "/admin/",
        "/admin",
    )
    assert answer.returncode == 0, answer.stderr
    report = json.loads(answer.stdout)
    assert (report["index"], report["sign in"]) == (f"{desk}/", f"{desk}/login/")
    statuses = {path: report[path][0] for path in report if path.startswith("/")}
    assert statuses == {
        desk: 302,
        f"{desk}/": 302,
        f"{desk}/login/": 200,
        f"{desk}/nothing/": 302,
        # The admin has no languages, so no prefix leads around its guards.
        f"/ja{desk}/login/": 404,
        "/admin/": 404,
        "/admin": 404,
    }
    for path in (f"{desk}/", f"{desk}/login/", f"{desk}/nothing/"):
        headers = report[path][1]
        assert headers["Cache-Control"] == "private, no-store"
        assert headers["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert report["forged"] == 403
    # Whoever chose another path did not choose it to be read by everybody.
    assert "desk" not in report["robots"]
    assert "Disallow: /admin" not in report["robots"]


@pytest.mark.parametrize("path", ["api", "guides/desk", "static", "ja", "p"])
def test_it_takes_the_place_of_nothing_else(path: str) -> None:
    answer = visit(path)
    assert answer.returncode != 0
    assert f"ADMIN_PATH: `{path}` is the address of something else." in answer.stderr
