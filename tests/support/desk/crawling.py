"""Visits the whole admin as a browser could: every link, every form, every element."""

import re
from collections import deque
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import parse_qs, urldefrag, urljoin, urlsplit

from django.contrib import admin
from django.db import connection, reset_queries
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.desk.visiting import Visitor

WRITES = re.compile(r"^\s*(INSERT|UPDATE|DELETE|TRUNCATE|ALTER|CREATE|DROP)\b", re.IGNORECASE)


class Form(NamedTuple):
    """A form: its page, its address, its method, and whether it has a token."""

    page: str
    target: str
    method: str
    has_token: bool


class Elements(HTMLParser):
    """Collects the elements of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page = page
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.inline: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note links, forms, and what a strict policy would refuse."""
        named = {name: value or "" for name, value in attributes}
        if tag == "a" and "href" in named:
            self.links.append(urljoin(self.page, named["href"]))
        if "hx-get" in named:
            self.links.append(urljoin(self.page, named["hx-get"]))
        if tag == "form":
            target = urljoin(self.page, named.get("action", ""))
            self.forms.append(Form(self.page, target, named.get("method", "get").lower(), False))
        if tag == "input" and named.get("name") == "csrfmiddlewaretoken" and self.forms:
            self.forms[-1] = self.forms[-1]._replace(has_token=True)
        if "formaction" in named or "formmethod" in named:
            self.forms.append(
                Form(
                    self.page,
                    urljoin(self.page, named.get("formaction", "")),
                    named.get("formmethod", "post").lower(),
                    True,
                )
            )
        if tag == "script" and "src" not in named and "json" not in named.get("type", ""):
            self.inline.append(f"<script> on {self.page}")
        self.inline += [f"{name} on {self.page}" for name in named if re.fullmatch(r"on[a-z]+", name)]
        self.inline += [
            f"{name}={value} on {self.page}"
            for name, value in named.items()
            if value.lower().startswith("javascript:")
        ]
        if tag in {"script", "img", "iframe", "source"} and "src" in named:
            self.loaded.append(named["src"])
        if tag == "link" and "href" in named:
            self.loaded.append(named["href"])


class Page(NamedTuple):
    """A page that a superuser opened: its elements, and the writes to the database for it."""

    path: str
    elements: Elements
    written: list[str]


def elements(path: str, html: str) -> Elements:
    """Return the elements of a page."""
    found = Elements(path)
    found.feed(html)
    return found


def entrances() -> Iterator[str]:
    """Return the list of every model, the form to add one, and those of its first row."""
    yield reverse("admin:index")
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{name}_changelist")
        yield reverse(f"{name}_add")
        row = model._default_manager.first()
        if row is not None:
            for page in ("change", "history", "delete"):
                yield reverse(f"{name}_{page}", args=[row.pk])


def writes(queries: CaptureQueriesContext) -> list[str]:
    """Return the writes to the database, except for sessions."""
    statements = [query["sql"] for query in queries]
    return [text for text in statements if WRITES.match(text) and '"django_session"' not in text]


def crawl(visitor: Visitor) -> list[Page]:
    """Open every page that can be reached by links and by forms with GET, from every model on."""
    waiting, pages = deque(entrances()), []
    seen: set[tuple[str, str]] = set()
    while waiting:
        path = waiting.popleft()
        # A list can be sorted and filtered in thousands of ways: each parameter is followed once.
        parameters = parse_qs(urlsplit(path).query, keep_blank_values=True)
        new = {(urlsplit(path).path, name) for name in ["", *parameters]}
        if new <= seen:
            continue
        seen |= new
        # Django keeps a limited number of statements, and a crawl sends more.
        reset_queries()
        with CaptureQueriesContext(connection) as queries:
            response = visitor.get(path)
        if response.status_code in {301, 302}:
            waiting.append(urljoin(path, response["Location"]))
        # Some rows can be neither added nor deleted.
        assert response.status_code in {200, 301, 302, 403, 405}, (path, response.status_code)
        html = response.content.decode() if "html" in response.get("Content-Type", "") else ""
        parts = elements(path, html)
        pages.append(Page(path, parts, writes(queries)))
        targets = parts.links + [form.target for form in parts.forms if form.method == "get"]
        for target in targets:
            address, _ = urldefrag(target)
            if not urlsplit(address).netloc and address.startswith("/admin/"):
                waiting.append(address)
    return pages
